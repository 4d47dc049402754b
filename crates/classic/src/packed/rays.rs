//! Where the pieces can go from each of the sixty-four squares, and who attacks a square.

use rules::{Bitboard, Color, Role};

use super::cells::{Cells, Nibble, square_of};

/// The eight directions as differences of numbers, straight ones first: up the board is towards lower numbers.
pub(super) const DIRECTIONS: [i8; 8] = [-8, 1, 8, -1, -7, 9, 7, -9];

/// The same directions as (rows, columns).
const DELTAS: [(i8, i8); 8] = [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)];

/// For each square and direction, how many steps there are to the edge.
pub(super) static ROOM: [[u8; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (number, direction) = (index / 8, index % 8);
        let mut steps = 1;
        while is_on_board(number, DELTAS[direction], steps) {
            table[number][direction] += 1;
            steps += 1;
        }
        index += 1;
    }
    table
};

const fn is_on_board(number: usize, (rows, columns): (i8, i8), steps: i8) -> bool {
    let (row, column) = ((number / 8) as i8 + rows * steps, (number % 8) as i8 + columns * steps);
    0 <= row && row < 8 && 0 <= column && column < 8
}

/// The squares that a piece reaches from a square in one step.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    numbers: [u8; 8],
    len: u8,
}

impl Targets {
    #[inline]
    pub(super) fn numbers(&self) -> &[u8] {
        &self.numbers[..usize::from(self.len)]
    }

    const fn all(deltas: [(i8, i8); 8]) -> [Targets; 64] {
        let mut table = [Targets { numbers: [0; 8], len: 0 }; 64];
        let mut index = 0;
        while index < 64 * 8 {
            let (number, (rows, columns)) = (index / 8, deltas[index % 8]);
            if is_on_board(number, (rows, columns), 1) {
                let targets = &mut table[number];
                targets.numbers[targets.len as usize] = (number as i8 + 8 * rows + columns) as u8;
                targets.len += 1;
            }
            index += 1;
        }
        table
    }
}

pub(super) static KNIGHT: [Targets; 64] =
    Targets::all([(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);

pub(super) static KING: [Targets; 64] = Targets::all(DELTAS);

/// The squares that a pawn of White attacks, and of Black.
pub(super) static PAWN: [[Targets; 64]; 2] = {
    const NOWHERE: (i8, i8) = (8, 8);
    [
        Targets::all([(-1, -1), (-1, 1), NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE]),
        Targets::all([(1, -1), (1, 1), NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE]),
    ]
};

impl Cells {
    /// The first piece in a direction, and where it stands.
    #[inline]
    fn first(&self, from: u8, direction: usize) -> Option<(u8, Nibble)> {
        let mut number = from;
        for _ in 0..ROOM[usize::from(from)][direction] {
            number = number.wrapping_add_signed(DIRECTIONS[direction]);
            let nibble = self.at(number);
            if nibble != Nibble::EMPTY {
                return Some((number, nibble));
            }
        }
        None
    }

    /// Whether a player attacks a square.
    #[inline]
    pub(super) fn is_attacked(&self, number: u8, by: Color) -> bool {
        let index = usize::from(number);
        let holds = |targets: &Targets, role: Role| targets.numbers().iter().any(|&from| self.at(from).is(role, by));
        // Black's pawns attack from where a white pawn on this square would attack, and the other way round.
        holds(&PAWN[!by as usize][index], Role::Pawn)
            || holds(&KNIGHT[index], Role::Knight)
            || holds(&KING[index], Role::King)
            || (0..8).any(|direction| self.first(number, direction).is_some_and(|(_, it)| slides(it, direction, by)))
    }

    /// All pieces of a player that attack a square.
    pub(super) fn attackers(&self, number: u8, by: Color) -> Bitboard {
        let index = usize::from(number);
        let among = |targets: &Targets, role: Role| -> Bitboard {
            targets.numbers().iter().filter(|&&from| self.at(from).is(role, by)).map(|&from| square_of(from)).collect()
        };
        let sliders: Bitboard = (0..8)
            .filter_map(|direction| {
                let (from, nibble) = self.first(number, direction)?;
                slides(nibble, direction, by).then(|| square_of(from))
            })
            .collect();
        sliders
            | among(&PAWN[!by as usize][index], Role::Pawn)
            | among(&KNIGHT[index], Role::Knight)
            | among(&KING[index], Role::King)
    }
}

/// Whether a piece is a player's that slides in this direction.
#[inline]
fn slides(nibble: Nibble, direction: usize, color: Color) -> bool {
    let slider = if direction < 4 { Role::Rook } else { Role::Bishop };
    nibble.is(slider, color) || nibble.is(Role::Queen, color)
}
