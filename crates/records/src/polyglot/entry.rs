//! One entry of a book, sixteen bytes, and how it writes a move.

use rules::{File, Move, MoveKind, Position, Rank, Role, Square};

/// A move in a book, without the position: see [`Entry`].
///
/// From the lowest bit: three bits each for the file and the rank to which, and the file and the rank from which the
/// piece goes; then three bits for the promotion: nothing, knight, bishop, rook, queen. Castling is the king taking its
/// rook.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RawMove(pub u16);

impl RawMove {
    /// How a book writes a move.
    pub fn new(mv: Move) -> RawMove {
        let promotion = mv.promotion_role().map_or(0, |role| role as u16);
        RawMove(mv.to() as u16 | (mv.from() as u16) << 6 | promotion << 12)
    }

    /// The legal move that this means in a position, if there is one.
    ///
    /// Some books write castling as the king's own move; where no other move can be meant, that is understood.
    pub fn read(self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let exact = moves.iter().copied().find(|&mv| RawMove::new(mv) == self);
        exact.or_else(|| {
            moves.iter().copied().find(|&mv| {
                let target = castling_target(mv);
                target.is_some_and(|king_to| u16::from(king_to as u8) | (mv.from() as u16) << 6 == self.0)
            })
        })
    }
}

/// Where the king ends up when it castles from the e-file.
fn castling_target(mv: Move) -> Option<Square> {
    let is_castling = mv.kind() == MoveKind::Castle && mv.from().file() == File::E;
    let side = rules::CastlingSide::of(mv.from(), mv.to());
    is_castling.then(|| Square::new(side.king_file(), mv.from().rank()))
}

/// An entry of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The [key](super::key()) of the position.
    pub key: u64,
    /// The move.
    pub mv: RawMove,
    /// How good the move is thought to be, compared with others in the same position; zero is not to be played.
    pub weight: u16,
    /// What a program has learned about the move.
    pub learn: u32,
}

impl Entry {
    /// How many bytes an entry takes.
    pub const SIZE: usize = 16;

    /// The entry with these bytes; all numbers are big-endian.
    pub fn from_bytes(bytes: [u8; Entry::SIZE]) -> Entry {
        let number = u128::from_be_bytes(bytes);
        Entry {
            key: (number >> 64) as u64,
            mv: RawMove((number >> 48) as u16),
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The entry as it is in a book.
    pub fn bytes(&self) -> [u8; Entry::SIZE] {
        let number = u128::from(self.key) << 64
            | u128::from(self.mv.0) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        number.to_be_bytes()
    }
}

const _: () = assert!(Role::Knight as u16 == 1 && Role::Queen as u16 == 4, "promotions are numbered like roles");
const _: () = assert!(Square::new(File::A, Rank::Second) as u8 == 8, "a square is its file and then its rank");
