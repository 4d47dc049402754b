//! A position in 32 bytes, with room for what it is worth and how its game ended.

use rules::{Bitboard, Color, File, IllegalSetup, Piece, Position, Rank, Role, Setup, Square};
use thiserror::Error;

use crate::GameResult;

/// A position in 32 bytes, with a score and, if it is known, the result of its game. See the [module](crate::packed)
/// for the layout.
///
/// The bytes may come from anywhere: only [`position`](PackedBoard::position) says whether they are a position.
///
/// ```
/// use saavedra_records::packed::PackedBoard;
/// use saavedra_records::rules::Position;
///
/// let position: Position = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9".parse()?;
/// let packed = PackedBoard::new(&position).with_score(-31);
/// assert_eq!(packed.position()?, position);
/// assert_eq!((packed.score(), packed.result()), (-31, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct PackedBoard([u8; PackedBoard::SIZE]);

/// Why 32 bytes are not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PackedBoardError {
    /// More pieces than there is room for.
    #[error("{0} squares are occupied, at most 32 can be")]
    Pieces(u32),
    /// A code that stands for no piece.
    #[error("code {1} on {0} stands for no piece")]
    Code(Square, u8),
    /// A piece behind the last occupied square.
    #[error("there are more pieces than occupied squares")]
    StrayPiece,
    /// Flags that have no meaning.
    #[error("flags {0:#04x} have no meaning")]
    Flags(u8),
    /// The pieces read well, but the position cannot be played.
    #[error("illegal position: {0}")]
    Illegal(IllegalSetup),
}

impl From<IllegalSetup> for PackedBoardError {
    fn from(error: IllegalSetup) -> PackedBoardError {
        PackedBoardError::Illegal(error)
    }
}

const PIECES: usize = 8;
const FLAGS: usize = 24;
const RESULT: usize = 25;
const HALFMOVE_CLOCK: usize = 26;
const FULLMOVE_NUMBER: usize = 28;
const SCORE: usize = 30;

/// The code of a rook that may castle; those below are the roles in their order.
const CASTLING_ROOK: u8 = 6;
const BLACK: u8 = 8;

impl PackedBoard {
    /// How many bytes a board takes.
    pub const SIZE: usize = 32;

    /// A position, with a score of zero and no result.
    pub fn new(position: &Position) -> PackedBoard {
        let set = |role| position.by_role(role);
        let castling = position.castling_rights().rooks();
        // The four bits of each square's code, as four sets of squares: no search for the role of each piece.
        let planes = [
            set(Role::Knight) | (set(Role::Rook) - castling) | set(Role::King),
            set(Role::Bishop) | set(Role::Rook),
            set(Role::Queen) | set(Role::King) | castling,
            position.by_color(Color::Black),
        ];
        let mut bytes = [0; PackedBoard::SIZE];
        bytes[..PIECES].copy_from_slice(&position.occupied().0.to_le_bytes());
        for (index, square) in position.occupied().into_iter().enumerate() {
            let bit = |plane: usize| ((planes[plane].0 >> square.index() & 1) as u8) << plane;
            let code = bit(0) | bit(1) | bit(2) | bit(3);
            bytes[PIECES + index / 2] |= code << (4 * (index % 2));
        }
        let en_passant = position.en_passant().map_or(0, |square| square.file() as u8 + 1);
        bytes[FLAGS] = position.turn() as u8 | en_passant << 4;
        bytes[HALFMOVE_CLOCK..FULLMOVE_NUMBER].copy_from_slice(&position.halfmove_clock().to_le_bytes());
        bytes[FULLMOVE_NUMBER..SCORE].copy_from_slice(&position.fullmove_number().to_le_bytes());
        PackedBoard(bytes)
    }

    /// The same board with a score.
    #[must_use]
    pub fn with_score(mut self, score: i16) -> PackedBoard {
        self.0[SCORE..].copy_from_slice(&score.to_le_bytes());
        self
    }

    /// The same board with a result.
    #[must_use]
    pub fn with_result(mut self, result: GameResult) -> PackedBoard {
        self.0[RESULT] = result as u8 + 1;
        self
    }

    /// The board with these bytes, whatever they mean.
    pub const fn from_bytes(bytes: [u8; PackedBoard::SIZE]) -> PackedBoard {
        PackedBoard(bytes)
    }

    /// The board as it is in a file.
    pub const fn bytes(&self) -> &[u8; PackedBoard::SIZE] {
        &self.0
    }

    /// The score, from White's point of view.
    pub fn score(&self) -> i16 {
        self.half_word(SCORE) as i16
    }

    /// The result, if there is one.
    pub fn result(&self) -> Option<GameResult> {
        match self.0[RESULT] {
            1 => Some(GameResult::BlackWins),
            2 => Some(GameResult::Draw),
            3 => Some(GameResult::WhiteWins),
            _ => None,
        }
    }

    /// The player to move.
    pub fn turn(&self) -> Color {
        if self.0[FLAGS] & 1 == 0 { Color::White } else { Color::Black }
    }

    /// All squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        let mut word = [0; PIECES];
        word.copy_from_slice(&self.0[..PIECES]);
        Bitboard(u64::from_le_bytes(word))
    }

    /// The pieces and their squares, from a1 on: all that a network looks at. Codes without a meaning are passed over.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.codes().filter_map(|(square, code)| Some((square, piece(code)?)))
    }

    /// The position, if it is one. What [can be played on](rules::SetupProblem::is_playable) is good enough.
    pub fn position(&self) -> Result<Position, PackedBoardError> {
        let count = self.occupied().count();
        if count > 32 {
            return Err(PackedBoardError::Pieces(count));
        }
        let mut setup = Setup::empty();
        for (square, code) in self.codes() {
            setup.pieces[square.index()] = Some(piece(code).ok_or(PackedBoardError::Code(square, code))?);
            if code & !BLACK == CASTLING_ROOK {
                setup.castling = setup.castling.with(square);
            }
        }
        if (count as usize..32).any(|index| self.code(index) != 0) {
            return Err(PackedBoardError::StrayPiece);
        }
        setup.turn = self.turn();
        let flags = self.0[FLAGS];
        if flags & 0b1110 != 0 || flags >> 4 > 8 {
            return Err(PackedBoardError::Flags(flags));
        }
        let file = usize::from(flags >> 4).checked_sub(1).and_then(File::from_index);
        setup.en_passant = file.map(|file| Square::new(file, setup.turn.relative(Rank::Sixth)));
        setup.halfmove_clock = self.half_word(HALFMOVE_CLOCK);
        setup.fullmove_number = self.half_word(FULLMOVE_NUMBER);
        Ok(setup.playable_position()?)
    }

    /// The codes of the first 32 occupied squares.
    fn codes(&self) -> impl Iterator<Item = (Square, u8)> + '_ {
        self.occupied().into_iter().take(32).enumerate().map(|(index, square)| (square, self.code(index)))
    }

    fn code(&self, index: usize) -> u8 {
        self.0[PIECES + index / 2] >> (4 * (index % 2)) & 15
    }

    fn half_word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }
}

fn piece(code: u8) -> Option<Piece> {
    let color = if code & BLACK == 0 { Color::White } else { Color::Black };
    let role = match code & !BLACK {
        CASTLING_ROOK => Role::Rook,
        code => *Role::ALL.get(usize::from(code))?,
    };
    Some(role.of(color))
}
