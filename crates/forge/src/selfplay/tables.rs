//! Tables that the kernels look things up in: squares, random numbers for keys, reductions.

use random::Random;
use rules::{Bitboard, Color, Square, attacks};

/// Depths and numbers of moves that reductions are listed for.
pub(super) const REDUCTION_DEPTHS: usize = 32;
pub(super) const REDUCTION_MOVES: usize = 64;

/// Late-move reductions: base and divisor of `base + ln depth * ln number / divisor`, for tactical and for quiet moves,
/// in 1024ths and hundredths.
const REDUCTIONS: [(f64, f64); 2] = [(300.0, 330.0), (1014.0, 260.0)];

/// Where the random numbers for keys begin among the tables: of men by colour, kind and square, of castling rights, of
/// squares to take en passant on, and of Black's turn.
pub(super) const KEY_NUMBERS: usize = 64 * 4 + 4 * 64 + 64 * 64;

/// The random numbers for keys: of men, of castling rights, of squares to take en passant on, of no such square, and of
/// Black's turn.
const KEY_COUNT: usize = 2 * 8 * 64 + 16 + 64 + 1 + 1;

/// The words of all tables.
pub(super) const TABLE_WORDS: usize = KEY_NUMBERS + KEY_COUNT;

/// The kernels' `Tables`, word by word.
pub(super) fn tables() -> Vec<u64> {
    let mut words = Vec::new();
    for square in Square::ALL {
        words.extend(lines(square).map(|line| line.0));
    }
    for leap in [
        |square| attacks::pawn(Color::White, square),
        |square| attacks::pawn(Color::Black, square),
        attacks::knight as fn(Square) -> Bitboard,
        attacks::king,
    ] {
        words.extend(Square::ALL.map(|square| leap(square).0));
    }
    for from in Square::ALL {
        words.extend(Square::ALL.map(|to| attacks::between(from, to).0));
    }
    let mut random = Random::new(0x5aa7_ed7a);
    words.extend((0..KEY_COUNT - 2).map(|_| random.next_u64()));
    // No square to take en passant on leaves the key as it is.
    words.push(0);
    words.push(random.next_u64());
    assert_eq!(words.len(), TABLE_WORDS, "the kernels have room for all tables");
    words
}

/// The diagonal, the antidiagonal, the file and the rank through a square, without it.
fn lines(square: Square) -> [Bitboard; 4] {
    let on_line = |holds: &dyn Fn(i32, i32) -> bool| {
        let squares = Square::ALL.into_iter().filter(|&other| {
            let [(file, rank), (other_file, other_rank)] =
                [square, other].map(|square| ((square.index() % 8) as i32, (square.index() / 8) as i32));
            other != square && holds(other_file - file, other_rank - rank)
        });
        squares.map(Square::bitboard).fold(Bitboard::EMPTY, |set, square| set | square)
    };
    [
        on_line(&|files, ranks| files == ranks),
        on_line(&|files, ranks| files == -ranks),
        on_line(&|files, _| files == 0),
        on_line(&|_, ranks| ranks == 0),
    ]
}

/// By how much late moves are searched less deeply, in 1024ths of a ply: tactical moves, then quiet ones, by depth and
/// number.
pub(super) fn reductions() -> Vec<i16> {
    REDUCTIONS
        .into_iter()
        .flat_map(|(base, divisor)| {
            (0..REDUCTION_DEPTHS).flat_map(move |depth| {
                (0..REDUCTION_MOVES).map(move |number| match (depth, number) {
                    (0, _) | (_, 0) => 0,
                    _ => (base + (depth as f64).ln() * (number as f64).ln() * 1024.0 * 100.0 / divisor) as i16,
                })
            })
        })
        .collect()
}
