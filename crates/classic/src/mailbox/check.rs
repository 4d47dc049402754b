//! The board check: does everything the board keeps twice agree?

use std::fmt;

use rules::{Color, Piece, Role, Square};

use super::cells::{BARE, Cell, Content};
use super::{Mailbox, PLACES, value};

/// Two things the board keeps that do not agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Inconsistency {
    /// A cell of the rim holds something, or a square of the board is rim.
    Rim(Cell),
    /// A cell holds a number that means nothing.
    Meaningless(Cell),
    /// The castling permission has bits that mean nothing.
    Permission(u8),
    /// A place of the piece list names a cell on which there is no such piece.
    Listed {
        /// The piece whose list it is.
        piece: Piece,
        /// The place, from zero.
        place: usize,
        /// The cell that is named.
        cell: Cell,
    },
    /// A piece that is on the board is not in its list, or more than once.
    Unlisted {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
        /// How often it is listed.
        times: usize,
    },
    /// The count of a piece is not the number of such pieces on the board.
    Count {
        /// The piece.
        piece: Piece,
        /// What the board keeps.
        kept: usize,
        /// What stands on it.
        counted: usize,
    },
    /// The material of a player is not the sum of the pieces on the board.
    Material {
        /// The player.
        color: Color,
        /// What the board keeps.
        kept: i32,
        /// What stands on it.
        counted: i32,
    },
    /// It is not the turn of the player who must move after this many moves.
    Side {
        /// What the board keeps.
        kept: Color,
        /// Whose turn it must be.
        expected: Color,
    },
    /// The key is not that of the position.
    Key {
        /// What the board keeps.
        kept: u64,
        /// What the position has.
        computed: u64,
    },
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inconsistency::Rim(cell) => write!(f, "cell {} does not keep board and rim apart", cell.index()),
            Inconsistency::Meaningless(cell) => write!(f, "cell {} holds a number that means nothing", cell.index()),
            Inconsistency::Permission(bits) => write!(f, "the castling permission is {bits}, more than 15"),
            Inconsistency::Listed { piece, place, cell } => {
                write!(f, "the list has {piece} number {place} on cell {}, but it is not there", cell.index())
            }
            Inconsistency::Unlisted { piece, square, times } => {
                write!(f, "the {piece} on {square} is listed {times} times")
            }
            Inconsistency::Count { piece, kept, counted } => {
                write!(f, "the count of {piece} is {kept}, but {counted} are on the board")
            }
            Inconsistency::Material { color, kept, counted } => {
                write!(f, "the material of {color} is {kept}, but {counted} is on the board")
            }
            Inconsistency::Side { kept, expected } => write!(f, "{kept} is to move, but it is {expected}'s turn"),
            Inconsistency::Key { kept, computed } => {
                write!(f, "the key is {kept:016x}, but the position's is {computed:016x}")
            }
        }
    }
}

/// Everything on a board that does not agree; there is at least one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFailed {
    disagreements: Vec<Inconsistency>,
}

impl CheckFailed {
    /// What does not agree.
    pub fn disagreements(&self) -> &[Inconsistency] {
        &self.disagreements
    }
}

impl fmt::Display for CheckFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, disagreement) in self.disagreements.iter().enumerate() {
            write!(f, "{}{disagreement}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for CheckFailed {}

impl Mailbox {
    /// Checks pieces, lists, counts, material, side, castling permission and key.
    pub fn check(&self) -> Result<(), CheckFailed> {
        let mut found = Vec::new();
        self.check_rim(&mut found);
        for color in Color::ALL {
            for role in Role::ALL {
                self.check_list(role.of(color), &mut found);
            }
            self.check_material(color, &mut found);
        }
        let expected = if self.history.len().is_multiple_of(2) { self.first_turn } else { !self.first_turn };
        if self.turn != expected {
            found.push(Inconsistency::Side { kept: self.turn, expected });
        }
        if self.castling > 15 {
            found.push(Inconsistency::Permission(self.castling));
        }
        let computed = self.computed_key();
        if self.key != computed {
            found.push(Inconsistency::Key { kept: self.key, computed });
        }
        if found.is_empty() { Ok(()) } else { Err(CheckFailed { disagreements: found }) }
    }

    fn check_rim(&self, found: &mut Vec<Inconsistency>) {
        for (index, (content, bare)) in self.cells.iter().zip(BARE).enumerate() {
            if (*content == Content::RIM) != (bare == Content::RIM) {
                found.push(Inconsistency::Rim(Cell::from_bits(index as u32)));
            } else if content.code() > Content::RIM.code() {
                found.push(Inconsistency::Meaningless(Cell::from_bits(index as u32)));
            }
        }
    }

    fn squares_with(&self, content: Content) -> impl Iterator<Item = Square> {
        Square::ALL.into_iter().filter(move |&square| self.content(Cell::of(square)) == content)
    }

    fn check_list(&self, piece: Piece, found: &mut Vec<Inconsistency>) {
        let content = Content::of(piece);
        let kept = usize::from(self.count[content.index()]);
        let counted = self.squares_with(content).count();
        if kept != counted {
            found.push(Inconsistency::Count { piece, kept, counted });
        }
        let listed = &self.list[PLACES * content.index()..][..kept.min(PLACES)];
        for (place, &cell) in listed.iter().enumerate() {
            if self.cells.get(cell.index()) != Some(&content) {
                found.push(Inconsistency::Listed { piece, place, cell });
            }
        }
        for square in self.squares_with(content) {
            let times = listed.iter().filter(|&&cell| cell == Cell::of(square)).count();
            if times != 1 {
                found.push(Inconsistency::Unlisted { piece, square, times });
            }
        }
    }

    fn check_material(&self, color: Color, found: &mut Vec<Inconsistency>) {
        let sum = |role: Role| value(role) * self.squares_with(Content::of(role.of(color))).count() as i32;
        let counted = Role::ALL.into_iter().map(sum).sum();
        let kept = self.material(color);
        if kept != counted {
            found.push(Inconsistency::Material { color, kept, counted });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    fn board() -> Mailbox {
        let mut board = Mailbox::from_fen("r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq e6 0 1").expect("a legal position");
        board.make("d5e6".parse().expect("a move")).expect("en passant is possible");
        board.check().expect("all is well");
        board
    }

    fn found(corrupt: impl FnOnce(&mut Mailbox)) -> Vec<Inconsistency> {
        let mut board = board();
        corrupt(&mut board);
        board.check().expect_err("the board is corrupt").disagreements().to_vec()
    }

    fn pawn() -> Piece {
        Role::Pawn.of(Color::White)
    }

    #[test]
    fn a_piece_that_vanished_from_its_cell_is_missed_in_lists_counts_material_and_key() {
        let found = found(|board| board.cells[Cell::of(Square::E6).index()] = Content::EMPTY);
        assert!(matches!(
            found[..],
            [
                Inconsistency::Count { kept: 1, counted: 0, .. },
                Inconsistency::Listed { place: 0, .. },
                Inconsistency::Material { color: Color::White, kept: 1_100, counted: 1_000 },
                Inconsistency::Key { .. },
            ]
        ));
    }

    #[test]
    fn a_wrong_square_in_a_list_is_found() {
        let wrong = Cell::of(Square::D5);
        let found = found(|board| board.list[PLACES * Content::of(pawn()).index()] = wrong);
        assert_eq!(
            found,
            [
                Inconsistency::Listed { piece: pawn(), place: 0, cell: wrong },
                Inconsistency::Unlisted { piece: pawn(), square: Square::E6, times: 0 },
            ]
        );
    }

    #[test]
    fn a_square_listed_twice_is_found() {
        let rook = Role::Rook.of(Color::White);
        let found = found(|board| {
            let first = PLACES * Content::of(rook).index();
            board.list[first + 1] = board.list[first];
        });
        assert!(found.contains(&Inconsistency::Unlisted { piece: rook, square: Square::A1, times: 2 }));
        assert!(found.contains(&Inconsistency::Unlisted { piece: rook, square: Square::H1, times: 0 }));
    }

    #[test]
    fn a_wrong_count_is_found() {
        let found = found(|board| board.count[Content::of(pawn()).index()] = 0);
        assert_eq!(
            found,
            [
                Inconsistency::Count { piece: pawn(), kept: 0, counted: 1 },
                Inconsistency::Unlisted { piece: pawn(), square: Square::E6, times: 0 },
            ]
        );
        // A count beyond the ten places must not send the check out of the list either.
        assert!(!super::tests::found(|board| board.count[Content::of(pawn()).index()] = 200).is_empty());
    }

    #[test]
    fn wrong_material_is_found() {
        let found = found(|board| board.material[Color::Black as usize] += 1);
        assert_eq!(found, [Inconsistency::Material { color: Color::Black, kept: 1_001, counted: 1_000 }]);
    }

    #[test]
    fn a_wrong_side_disagrees_with_the_moves_made_and_with_the_key() {
        let found = found(|board| board.turn = Color::White);
        assert!(matches!(
            found[..],
            [Inconsistency::Side { kept: Color::White, expected: Color::Black }, Inconsistency::Key { .. }]
        ));
    }

    #[test]
    fn a_wrong_key_and_whatever_it_is_made_of_are_found() {
        let corruptions: [fn(&mut Mailbox); 3] =
            [|board| board.key ^= 1, |board| board.castling ^= 4, |board| board.en_passant = Some(Square::A3)];
        for corrupt in corruptions {
            assert!(matches!(found(corrupt)[..], [Inconsistency::Key { .. }]));
        }
    }

    #[test]
    fn a_broken_rim_is_found() {
        let hole = found(|board| board.cells[20] = Content::EMPTY);
        assert_eq!(hole, [Inconsistency::Rim(Cell::from_bits(20))]);
        let wall = found(|board| board.cells[Cell::of(Square::D4).index()] = Content::RIM);
        assert_eq!(wall, [Inconsistency::Rim(Cell::of(Square::D4))]);
    }

    #[test]
    fn the_report_tells_all_that_is_wrong() {
        let mut board = board();
        board.material[0] = 0;
        board.count[Content::of(pawn()).index()] = 2;
        let report = board.check().expect_err("the board is corrupt").to_string();
        assert!(report.contains("the count of white pawn is 2, but 1 are on the board"), "{report}");
        assert!(report.contains("the material of white is 0, but 1100 is on the board"), "{report}");
    }
}
