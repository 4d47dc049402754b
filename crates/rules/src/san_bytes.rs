//! Algebraic notation exactly as the standard writes it, read from bytes: the quick way through files of millions of
//! games.
//!
//! Instead of listing the legal moves and looking which one is meant, the pieces that could go to the target are found
//! from there. Whatever strays from the standard is left to [`Position::parse_san`], which is more patient.

use crate::movegen::Threats;
use crate::side::for_side;
use crate::{Bitboard, CastlingSide, Color, File, Move, Position, Rank, Role, Square, attacks};

impl Position {
    /// The legal move that a text in standard notation means, check sign or not. For any other text there is none, even
    /// where [`parse_san`](Position::parse_san) would know what was meant.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let position = Position::initial();
    /// assert_eq!(position.read_standard_san(b"Nf3"), position.parse_san("Nf3").ok());
    /// assert_eq!(position.read_standard_san(b"Ng1-f3"), None);
    /// ```
    pub fn read_standard_san(&self, text: &[u8]) -> Option<Move> {
        let text = match text {
            [rest @ .., b'+' | b'#'] => rest,
            _ => text,
        };
        match *text {
            [b'a'..=b'h', ..] => self.pawn_move(text),
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), ref origin @ .., file, rank] => {
                let role = Role::from_letter(char::from(letter))?;
                self.piece_move(role, origin_squares(origin)?, square(file, rank)?)
            }
            [b'O', b'-', b'O'] => self.castling_move(CastlingSide::KingSide),
            [b'O', b'-', b'O', b'-', b'O'] => self.castling_move(CastlingSide::QueenSide),
            _ => None,
        }
    }

    #[inline]
    fn piece_move(&self, role: Role, origin: Bitboard, to: Square) -> Option<Move> {
        let us = self.turn();
        if self.by_color(us).contains(to) {
            return None;
        }
        let candidates = attacks::of(role, us, to, self.occupied()) & self.pieces(role, us) & origin;
        let from = candidates.first()?;
        if role == Role::King {
            let attackers = self.board.attackers(to, self.occupied() - candidates) & self.by_color(!us);
            return attackers.is_empty().then(|| Move::normal(from, to));
        }
        if !candidates.more_than_one() {
            return self.checked(Move::normal(from, to));
        }
        let mut legal = candidates.into_iter().map(|from| Move::normal(from, to)).filter(|&mv| self.is_legal(mv));
        let found = legal.next();
        if legal.next().is_some() { None } else { found }
    }

    #[inline]
    fn pawn_move(&self, text: &[u8]) -> Option<Move> {
        let us = self.turn();
        let pawns = self.pieces(Role::Pawn, us);
        let (text, promotion) = match *text {
            [ref rest @ .., b'=', letter @ (b'N' | b'B' | b'R' | b'Q')] => {
                (rest, Role::from_letter(char::from(letter)))
            }
            _ => (text, None),
        };
        let (from, to) = match *text {
            [file, rank] => {
                let to = square(file, rank)?;
                let backwards = match us {
                    Color::White => -1,
                    Color::Black => 1,
                };
                let step = to.offset(0, backwards)?;
                let is_double = to.rank() == us.relative(Rank::Fourth) && !self.occupied().contains(step);
                let from = if is_double { step.offset(0, backwards)? } else { step };
                if self.occupied().contains(to) || !pawns.contains(from) {
                    return None;
                }
                (from, to)
            }
            [origin, b'x', file, rank] => {
                let to = square(file, rank)?;
                let origin = File::from_letter(char::from(origin))?.squares();
                let from = (attacks::pawn(!us, to) & pawns & origin).first()?;
                if self.en_passant() == Some(to) && promotion.is_none() {
                    let mv = Move::en_passant(from, to);
                    return self.is_legal(mv).then_some(mv);
                }
                if !self.by_color(!us).contains(to) {
                    return None;
                }
                (from, to)
            }
            _ => return None,
        };
        match promotion {
            Some(role) if to.rank() == us.relative(Rank::Eighth) => self.checked(Move::promotion(from, to, role)),
            None if to.rank() != us.relative(Rank::Eighth) => self.checked(Move::normal(from, to)),
            _ => None,
        }
    }

    #[inline]
    fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let king = self.king(self.turn());
        let mv = Move::castle(king, self.castling_rights().rook(self.turn(), side, king)?);
        self.is_legal(mv).then_some(mv)
    }

    /// The move, if it leaves no king in check. It is known to be possible otherwise, and no king's move.
    #[inline]
    fn checked(&self, mv: Move) -> Option<Move> {
        let threats = for_side!(self.turn(), S => Threats::to_king::<S>(&self.board));
        let is_free = threats.checkers.is_empty() && !threats.pinned.contains(mv.from());
        (is_free || self.is_legal(mv)).then_some(mv)
    }
}

/// The squares a piece may come from, by what stands between its letter and its target.
#[inline]
fn origin_squares(text: &[u8]) -> Option<Bitboard> {
    let text = match text {
        [rest @ .., b'x'] => rest,
        _ => text,
    };
    match *text {
        [] => Some(!Bitboard::EMPTY),
        [letter @ b'a'..=b'h'] => Some(File::from_letter(char::from(letter))?.squares()),
        [digit @ b'1'..=b'8'] => Some(Rank::from_digit(char::from(digit))?.squares()),
        [file, rank] => Some(square(file, rank)?.bitboard()),
        _ => None,
    }
}

#[inline]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    if file < 8 && rank < 8 { Square::from_index(usize::from(rank * 8 + file)) } else { None }
}
