//! A board as it was set up: anything goes, until it is to be played.

use std::fmt;

use crate::board::Board;
use crate::castling::is_standard;
use crate::side::{PawnStep, Side, for_side};
use crate::{Bitboard, CastlingRights, CastlingSide, Color, File, Piece, Position, Rank, Role, Square, attacks};

/// A position that may be illegal: what a FEN says, or what an editor shows.
///
/// ```
/// use saavedra_rules::{Color, SetupProblem, Setup, Square};
///
/// let setup: Setup = "4k3/8/8/8/8/8/4K3/4r2P w KQ - 0 1".parse()?;
/// let problems = setup.position().expect_err("this cannot be played").problems().to_vec();
/// assert_eq!(
///     problems,
///     [
///         SetupProblem::PawnOnBackRank(Square::H1),
///         SetupProblem::CastlingWithoutRook(Color::White, Square::A1),
///         SetupProblem::CastlingWithoutRook(Color::White, Square::H1),
///         SetupProblem::CastlingWithoutKing(Color::White),
///     ]
/// );
/// # Ok::<(), saavedra_rules::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// What stands on each square, `a1` first.
    pub pieces: [Option<Piece>; 64],
    /// The player to move.
    pub turn: Color,
    /// The rooks that are said to have castling rights.
    pub castling: Bitboard,
    /// The square behind a pawn that has just gone two squares ahead.
    pub en_passant: Option<Square>,
    /// Moves by either player since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, counted from one.
    pub fullmove_number: u16,
}

/// One reason why a [`Setup`] is not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SetupProblem {
    /// The player has no king.
    MissingKing(Color),
    /// The player has several kings.
    SeveralKings(Color),
    /// The player who is not to move is in check.
    OpponentInCheck,
    /// A pawn stands on the first or eighth rank.
    PawnOnBackRank(Square),
    /// The player has more pieces than eight promotions can explain.
    TooMuchMaterial(Color),
    /// A right to castle, but no rook on that square.
    CastlingWithoutRook(Color, Square),
    /// A right to castle, but no king on the back rank.
    CastlingWithoutKing(Color),
    /// Rights to castle with two rooks on the same side of the king.
    CastlingTwiceOnOneSide(Color, CastlingSide),
    /// A right to castle with a rook that is not on a back rank.
    CastlingOffBackRank(Square),
    /// No pawn can have passed this square with the last move.
    ImpossibleEnPassant(Square),
    /// No last move can have given check with these pieces.
    ImpossibleCheckers(Bitboard),
}

impl SetupProblem {
    /// Whether one could play on all the same, although no game leads there.
    pub fn is_playable(self) -> bool {
        matches!(self, SetupProblem::ImpossibleCheckers(_))
    }
}

impl fmt::Display for SetupProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupProblem::MissingKing(color) => write!(f, "{color} has no king"),
            SetupProblem::SeveralKings(color) => write!(f, "{color} has several kings"),
            SetupProblem::OpponentInCheck => write!(f, "the side not to move is in check"),
            SetupProblem::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            SetupProblem::TooMuchMaterial(color) => write!(f, "{color} has more pieces than promotions can explain"),
            SetupProblem::CastlingWithoutRook(color, square) => {
                write!(f, "{color} may not castle with {square}: there is no {color} rook")
            }
            SetupProblem::CastlingWithoutKing(color) => {
                write!(f, "{color} may not castle: the king is not on its back rank")
            }
            SetupProblem::CastlingTwiceOnOneSide(color, side) => {
                write!(f, "{color} cannot have the right to castle with two rooks on the {side}")
            }
            SetupProblem::CastlingOffBackRank(square) => {
                write!(f, "there is no castling with {square}: it is not on a back rank")
            }
            SetupProblem::ImpossibleEnPassant(square) => {
                write!(f, "en passant on {square} is impossible: no pawn can just have passed it")
            }
            SetupProblem::ImpossibleCheckers(checkers) => {
                write!(f, "no move can have led to this check by {checkers:?}")
            }
        }
    }
}

/// Everything that is wrong with a [`Setup`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IllegalSetup {
    problems: Vec<SetupProblem>,
}

impl IllegalSetup {
    /// What is wrong; there is at least one problem.
    pub fn problems(&self) -> &[SetupProblem] {
        &self.problems
    }
}

impl fmt::Display for IllegalSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            write!(f, "{}{problem}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for IllegalSetup {}

impl Setup {
    /// A board without pieces, White to move.
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            turn: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The start of a game of chess.
    pub fn initial() -> Setup {
        Setup::from_line_ups(scharnagl(518), scharnagl(518))
    }

    /// The start of a game of Chess960 with a line-up for each player, by number: 0 to 959.
    pub fn double_chess960(white: u16, black: u16) -> Option<Setup> {
        (white < 960 && black < 960).then(|| Setup::from_line_ups(scharnagl(white), scharnagl(black)))
    }

    fn from_line_ups(white: [Role; 8], black: [Role; 8]) -> Setup {
        let mut setup = Setup::empty();
        for (color, line_up) in [(Color::White, white), (Color::Black, black)] {
            for (file, role) in File::ALL.into_iter().zip(line_up) {
                let home = Square::new(file, color.back_rank());
                setup.pieces[home.index()] = Some(role.of(color));
                let pawn = Square::new(file, color.relative(Rank::Second));
                setup.pieces[pawn.index()] = Some(Role::Pawn.of(color));
                if role == Role::Rook {
                    setup.castling = setup.castling.with(home);
                }
            }
        }
        setup
    }

    pub(crate) fn of(position: &Position) -> Setup {
        Setup {
            pieces: std::array::from_fn(|index| position.piece_at(Square::ALL[index])),
            turn: position.turn(),
            castling: position.castling_rights().rooks(),
            en_passant: position.en_passant(),
            halfmove_clock: position.halfmove_clock(),
            fullmove_number: position.fullmove_number(),
        }
    }

    /// The squares of one player's pieces of a role.
    pub fn squares(&self, role: Role, color: Color) -> Bitboard {
        Square::ALL.into_iter().filter(|square| self.pieces[square.index()] == Some(role.of(color))).collect()
    }

    /// The rooks whose right to castle exists only in Chess960: the king is not on the e-file, or the rook is not in
    /// its corner.
    pub fn chess960_rooks(&self) -> Bitboard {
        let is_unusual = |rook: &Square| {
            let king = Square::new(File::E, rook.rank());
            let is_home = self.pieces[king.index()].is_some_and(|piece| piece.role == Role::King);
            !is_home || !is_standard(king, *rook)
        };
        self.castling.into_iter().filter(is_unusual).collect()
    }

    /// The same position with the players' parts exchanged: colors swapped, board turned.
    pub fn flipped(&self) -> Setup {
        Setup {
            pieces: std::array::from_fn(|index| {
                self.pieces[Square::ALL[index].flip_rank().index()].map(|piece| piece.role.of(!piece.color))
            }),
            turn: !self.turn,
            castling: self.castling.flip_ranks(),
            en_passant: self.en_passant.map(Square::flip_rank),
            ..*self
        }
    }

    /// The legal position, or all that is wrong with it.
    ///
    /// An en-passant square that no pawn can use is dropped: the position is the same without it.
    pub fn position(&self) -> Result<Position, IllegalSetup> {
        self.check(|_| true)
    }

    /// Like [`position`](Setup::position), but forgives what [can be played on](SetupProblem::is_playable) although no
    /// game leads there.
    pub fn playable_position(&self) -> Result<Position, IllegalSetup> {
        self.check(|problem| !problem.is_playable())
    }

    /// For set-ups that this crate made itself.
    pub(crate) fn into_legal(self) -> Position {
        self.position().expect("starting positions are legal")
    }

    fn check(&self, matters: impl Fn(&SetupProblem) -> bool) -> Result<Position, IllegalSetup> {
        let board = self.board();
        let mut problems = Vec::new();
        self.find_wrong_material(&board, &mut problems);
        self.find_wrong_castling(&board, &mut problems);
        for_side!(self.turn, S => self.find_wrong_turn::<S>(&board, &mut problems));
        problems.retain(matters);
        if !problems.is_empty() {
            return Err(IllegalSetup { problems });
        }
        let mut board = board;
        board.en_passant = self
            .en_passant
            .filter(|&square| !for_side!(self.turn, S => board.en_passant_capturers::<S>(square)).is_empty());
        Ok(Position::from_parts(board, self.halfmove_clock, self.fullmove_number.max(1)))
    }

    fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for square in Square::ALL {
            if let Some(piece) = self.pieces[square.index()] {
                board.put(piece, square);
            }
        }
        board.turn = self.turn;
        board.castling = CastlingRights::new(self.castling);
        board
    }

    fn find_wrong_material(&self, board: &Board, problems: &mut Vec<SetupProblem>) {
        for color in Color::ALL {
            match board.pieces(Role::King, color).count() {
                0 => problems.push(SetupProblem::MissingKing(color)),
                1 => {}
                _ => problems.push(SetupProblem::SeveralKings(color)),
            }
        }
        let back_ranks = Rank::First.squares() | Rank::Eighth.squares();
        problems.extend((board.role(Role::Pawn) & back_ranks).into_iter().map(SetupProblem::PawnOnBackRank));
        for color in Color::ALL {
            let count = |role| board.pieces(role, color).count();
            let extra = |role, at_start| count(role).saturating_sub(at_start);
            let promoted =
                extra(Role::Queen, 1) + extra(Role::Rook, 2) + extra(Role::Bishop, 2) + extra(Role::Knight, 2);
            if count(Role::Pawn) + promoted > 8 {
                problems.push(SetupProblem::TooMuchMaterial(color));
            }
        }
    }

    fn find_wrong_castling(&self, board: &Board, problems: &mut Vec<SetupProblem>) {
        for color in Color::ALL {
            let claimed = board.castling.rooks_of(color);
            let rooks = board.pieces(Role::Rook, color);
            problems
                .extend((claimed - rooks).into_iter().map(|square| SetupProblem::CastlingWithoutRook(color, square)));
            let king = board.pieces(Role::King, color) & color.back_rank().squares();
            let Some(king) = king.first() else {
                if !claimed.is_empty() {
                    problems.push(SetupProblem::CastlingWithoutKing(color));
                }
                continue;
            };
            for side in CastlingSide::ALL {
                if claimed.into_iter().filter(|&rook| CastlingSide::of(king, rook) == side).count() > 1 {
                    problems.push(SetupProblem::CastlingTwiceOnOneSide(color, side));
                }
            }
        }
        let back_ranks = Rank::First.squares() | Rank::Eighth.squares();
        problems.extend((self.castling - back_ranks).into_iter().map(SetupProblem::CastlingOffBackRank));
    }

    /// Checks what depends on whose turn it is: the last move must have been possible.
    fn find_wrong_turn<S: Side>(&self, board: &Board, problems: &mut Vec<SetupProblem>) {
        let (us, them) = (S::COLOR, <S::Opponent as Side>::COLOR);
        let attackers_of_king = |king_of: Color| {
            board.pieces(Role::King, king_of).into_iter().fold(Bitboard::EMPTY, |all, king| {
                all | board.attackers(king, board.occupied()) & board.color(!king_of)
            })
        };
        if !attackers_of_king(them).is_empty() {
            problems.push(SetupProblem::OpponentInCheck);
        }
        let passed = self.en_passant.filter(|&square| {
            let is_possible = is_possible_en_passant::<S>(board, square);
            if !is_possible {
                problems.push(SetupProblem::ImpossibleEnPassant(square));
            }
            is_possible
        });
        let checkers = attackers_of_king(us);
        if let Some(king) = board.pieces(Role::King, us).first()
            && !are_possible_checkers::<S>(board, king, checkers, passed)
        {
            problems.push(SetupProblem::ImpossibleCheckers(checkers));
        }
    }
}

/// Whether a pawn of the opponent of `S` can just have passed this square.
fn is_possible_en_passant<S: Side>(board: &Board, square: Square) -> bool {
    let pushed = PawnStep::Push.origin::<S>(square);
    let origin = PawnStep::Push.origin::<S::Opponent>(square);
    square.rank() == S::COLOR.relative(Rank::Sixth)
        && board.pieces(Role::Pawn, <S::Opponent as Side>::COLOR).contains(pushed)
        && !board.occupied().intersects(square.bitboard() | origin.bitboard())
}

/// Whether one move of the opponent of `S` can have given check with all of these pieces: the double push over `passed`
/// if there was one.
fn are_possible_checkers<S: Side>(board: &Board, king: Square, checkers: Bitboard, passed: Option<Square>) -> bool {
    let Some(first) = checkers.first() else { return true };
    if let Some(passed) = passed {
        // Either the pawn gives check itself, or it opened a line by leaving its square.
        let pushed = PawnStep::Push.origin::<S>(passed).bitboard();
        let origin = PawnStep::Push.origin::<S::Opponent>(passed).bitboard();
        let before = (board.occupied() - pushed) | origin;
        let still_there = board.attackers(king, before) & checkers & !pushed;
        return still_there.is_empty();
    }
    let Some(last) = checkers.last().filter(|&last| last != first) else { return true };
    // A second checker can only be a slider whose line was opened by the first, which has left that line.
    let sliders = board.role(Role::Bishop) | board.role(Role::Rook) | board.role(Role::Queen);
    checkers.count() == 2 && checkers.intersects(sliders) && !attacks::line(first, last).contains(king)
}

/// The pieces on the back rank, from the a-file, by the number of the line-up in Scharnagl's list.
fn scharnagl(number: u16) -> [Role; 8] {
    let number = usize::from(number);
    let mut line_up = [None; 8];
    line_up[2 * (number % 4) + 1] = Some(Role::Bishop);
    line_up[2 * (number / 4 % 4)] = Some(Role::Bishop);
    // What is left is filled from the a-file: the queen, then the two knights, then rook, king, rook.
    let mut fill = |nth: usize, role: Role| {
        let free = (0..8).filter(|&file| line_up[file].is_none()).nth(nth);
        if let Some(file) = free {
            line_up[file] = Some(role);
        }
    };
    fill(number / 16 % 6, Role::Queen);
    let (first, second) =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)][number / 96 % 10];
    fill(second, Role::Knight);
    fill(first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        fill(0, role);
    }
    line_up.map(|role| role.unwrap_or(Role::Rook))
}
