//! The state of a game at one moment: always legal, cheap to copy.

use std::fmt;

use crate::board::Board;
use crate::castling::is_standard;
use crate::keys::Keys;
use crate::{
    Bitboard, CastlingRights, Color, DrawReason, File, Move, MoveKind, Outcome, Piece, Rank, Role, Setup, Square,
    attacks,
};

/// A legal chess position: pieces, turn, castling rights, en passant and the move counters.
///
/// A position is made from text or from a [`Setup`], both of which refuse what cannot be played, and from another
/// position by playing a move. It never changes: [`play`](Position::play) returns the next one.
///
/// ```
/// use saavedra_rules::Position;
///
/// let position = Position::initial();
/// let next = position.play(position.parse_san("Nf3")?)?;
/// assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// assert_eq!(next.legal_moves().len(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) keys: Keys,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
}

const _: () = assert!(size_of::<Position>() == 128, "a position is two cache lines");

impl Position {
    /// The start of a game of chess.
    pub fn initial() -> Position {
        Setup::initial().into_legal()
    }

    /// The start of a game of Chess960, by its number in Scharnagl's list: 518 is the usual one.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let first = Position::chess960(0).expect("0 to 959 exist");
    /// assert_eq!(first.to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// assert_eq!(Position::chess960(518), Some(Position::initial()));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Position> {
        Position::double_chess960(number, number)
    }

    /// The start of a game of Chess960 in which each player has a line-up of their own.
    pub fn double_chess960(white: u16, black: u16) -> Option<Position> {
        Some(Setup::double_chess960(white, black)?.into_legal())
    }

    pub(crate) fn from_parts(board: Board, halfmove_clock: u16, fullmove_number: u16) -> Position {
        Position { keys: Keys::of(&board), board, halfmove_clock, fullmove_number }
    }

    /// The player to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.board.turn
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// The role of the piece on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.board.role_at(square)
    }

    /// The owner of the piece on a square.
    #[inline]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        self.board.color_at(square)
    }

    /// All squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The squares of one player's pieces.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.board.color(color)
    }

    /// The squares of both players' pieces of a role.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.board.role(role)
    }

    /// The squares of one player's pieces of a role.
    #[inline]
    pub fn pieces(&self, role: Role, color: Color) -> Bitboard {
        self.board.pieces(role, color)
    }

    /// Where a player's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    /// The rights to castle.
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.board.castling
    }

    /// Whether some right to castle exists only in Chess960: a king that is not on the e-file, or a rook that is not in
    /// its corner.
    pub fn is_chess960(&self) -> bool {
        let mut rights = self.castling_rights().rooks().into_iter();
        rights.any(|rook| self.color_at(rook).is_some_and(|color| !is_standard(self.king(color), rook)))
    }

    /// The square a pawn may go to by taking en passant. There is one only if some pawn legally may.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.board.en_passant
    }

    /// Moves by either player since the last capture or pawn move: a hundred make the fifty-move rule.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, counted from one, increased after Black's.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Moves played since the start of the game, as far as the counters tell.
    #[inline]
    pub fn plies(&self) -> u32 {
        2 * u32::from(self.fullmove_number - 1) + self.turn() as u32
    }

    /// The key of the position: alike for positions that are the same by the rules of repetition.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.position(&self.board)
    }

    /// The key after a legal move, found much sooner than the move is played, so that memory can be fetched ahead.
    ///
    /// It is exact for most moves, and off for those that change castling rights, touch en passant, promote or castle.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let position = Position::initial();
    /// let mv = position.parse_san("Nf3")?;
    /// assert_eq!(position.likely_key_after(mv), position.play(mv)?.key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let role = self.board.role_of_piece_at(mv.from());
        self.key() ^ Keys::change(role.of(self.turn()), self.role_at(mv.to()), mv.from(), mv.to())
    }

    /// The key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns()
    }

    /// The key of one player's pieces other than pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.non_pawns(color)
    }

    /// The key of one player's knights and bishops.
    #[inline]
    pub fn minor_key(&self, color: Color) -> u64 {
        self.keys.minors(color)
    }

    /// Whether two positions are the same by the rules of repetition: pieces, turn, castling and en passant, whatever
    /// the counters say.
    #[inline]
    pub fn is_repetition_of(&self, other: &Position) -> bool {
        self.board == other.board
    }

    /// Whether one move of a piece other than a pawn, castling apart, leads from here to `earlier`, a position the
    /// player to move faced the opponent with before.
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// let mut positions = vec![Position::initial()];
    /// for san in "Nf3 Nf6 Ng1".split(' ') {
    ///     let last = positions[positions.len() - 1];
    ///     positions.push(last.play(last.parse_san(san)?)?);
    /// }
    /// // Black's knight may go back to g8.
    /// assert!(positions[3].can_return_to(&positions[0]));
    /// assert!(!positions[2].can_return_to(&positions[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_return_to(&self, earlier: &Position) -> bool {
        let us = self.turn();
        let changed = Bitboard(self.by_color(us).0 ^ earlier.by_color(us).0);
        if changed.count() != 2 || earlier.turn() == us || self.by_color(!us) != earlier.by_color(!us) {
            return false;
        }
        let (Some(from), Some(to)) = ((changed & self.by_color(us)).first(), (changed - self.by_color(us)).first())
        else {
            return false;
        };
        let Some(role) = self.role_at(from) else { return false };
        Role::ALL.into_iter().all(|other| {
            let expected = if other == role { changed.0 } else { 0 };
            self.by_role(other).0 ^ earlier.by_role(other).0 == expected
        }) && role != Role::Pawn
            && self.castling_rights() == earlier.castling_rights()
            && earlier.en_passant().is_none()
            && attacks::of(role, us, from, self.occupied()).contains(to)
    }

    /// Whether the player to move is in check and has no move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_moves()
    }

    /// Whether the player to move is not in check and has no move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_moves()
    }

    /// How a game that reaches this position has ended by the rules, as far as the position alone tells: mate,
    /// stalemate, too little material, or seventy-five moves without a capture or a pawn move.
    /// [`Game::outcome`](crate::Game::outcome) also sees repetitions.
    ///
    /// ```
    /// use saavedra_rules::{Color, DrawReason, Outcome, Position};
    ///
    /// let outcome = |fen: &str| fen.parse::<Position>().map(|position| position.outcome());
    /// assert_eq!(outcome("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")?, Some(Outcome::Checkmate { winner: Color::White }));
    /// assert_eq!(outcome("k7/8/1Q6/8/8/8/8/K7 b - - 0 1")?, Some(Outcome::Draw(DrawReason::Stalemate)));
    /// assert_eq!(outcome("k7/8/8/8/8/8/8/KQ6 b - - 0 1")?, None);
    /// # Ok::<(), saavedra_rules::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        // Mate comes before the move counters.
        if !self.has_legal_moves() {
            let mate = Outcome::Checkmate { winner: !self.turn() };
            return Some(if self.is_check() { mate } else { Outcome::Draw(DrawReason::Stalemate) });
        }
        if self.is_insufficient_material() {
            Some(Outcome::Draw(DrawReason::InsufficientMaterial))
        } else if self.halfmove_clock() >= 150 {
            Some(Outcome::Draw(DrawReason::SeventyFiveMoves))
        } else {
            None
        }
    }

    /// Whether no sequence of moves could lead to mate, as far as the material tells: bare kings, one minor piece, or
    /// bishops that all stand on squares of one color.
    pub fn is_insufficient_material(&self) -> bool {
        const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
        let kings = self.by_role(Role::King);
        let bishops = self.by_role(Role::Bishop);
        let others = self.occupied() - kings;
        match others.count() {
            0 => true,
            1 => others.is_subset(bishops | self.by_role(Role::Knight)),
            _ => others.is_subset(bishops) && (bishops.is_subset(DARK) || !bishops.intersects(DARK)),
        }
    }

    /// Whether the move takes something.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) => self.occupied().contains(mv.to()),
            MoveKind::EnPassant => true,
            MoveKind::Castle => false,
        }
    }

    /// What the move takes, and where that stands: for en passant, not on the target square.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<(Role, Square)> {
        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) => self.role_at(mv.to()).map(|role| (role, mv.to())),
            MoveKind::EnPassant => Some((Role::Pawn, Square::new(mv.to().file(), mv.from().rank()))),
            MoveKind::Castle => None,
        }
    }

    /// The position as a set-up that can be changed.
    pub fn setup(&self) -> Setup {
        Setup::of(self)
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::initial()
    }
}

/// Draws the board with White below, and the FEN beneath it.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let letter = self.piece_at(Square::new(file, rank)).map_or('.', Piece::letter);
                write!(f, "{letter}{}", if file == File::H { '\n' } else { ' ' })?;
            }
        }
        write!(f, "{self}")
    }
}
