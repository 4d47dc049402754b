//! The model answers. Try first: each is shorter than its explanation.

use super::mailbox::Fields;
use super::movemap::Squares;
use super::world::Tree;
use super::{Answer, Answers};

pub(super) struct Model;

const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

fn at(squares: &Squares, (file, rank): (i8, i8)) -> Option<i32> {
    squares.get(usize::try_from(rank).ok()?)?.get(usize::try_from(file).ok()?).copied()
}

/// What a piece on a square meets by each of some maps, and where.
fn met(squares: &Squares, start: (i8, i8), map: (i8, i8), repeats: bool) -> Vec<((i8, i8), i32)> {
    let mut met = Vec::new();
    let mut place = (start.0 + map.0, start.1 + map.1);
    while let Some(value) = at(squares, place) {
        met.push((place, value));
        if value != 0 || !repeats {
            break;
        }
        place = (place.0 + map.0, place.1 + map.1);
    }
    met
}

fn alpha_beta(tree: &Tree, mut alpha: i32, beta: i32, leaves: &mut usize) -> i32 {
    let Tree::Moves(moves) = tree else {
        *leaves += 1;
        let Tree::Leaf(worth) = tree else { return alpha };
        return *worth;
    };
    for next in moves {
        alpha = alpha.max(-alpha_beta(next, -beta, -alpha, leaves));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

impl Answers for Model {
    /// Who does not capture wins nothing; who does wins the target, less what the opponent then wins.
    fn swap_off(target: i32, us: &[i32], them: &[i32]) -> Answer<i32> {
        let Some((&capturer, left)) = us.split_first() else { return Some(0) };
        Some((target - Model::swap_off(capturer, them, left)?).max(0))
    }

    fn entries(reaches: &[u64]) -> Answer<u64> {
        Some(reaches.iter().map(|reach| 2 * reach + 1).product())
    }

    fn mailbox_cell(file: u8, rank: u8) -> Answer<u8> {
        Some(21 + 10 * rank + file)
    }

    fn mailbox_fields(mv: u32) -> Answer<Fields> {
        Some(Fields {
            from: mv & 0x7f,
            to: mv >> 7 & 0x7f,
            captured: mv >> 14 & 0xf,
            is_en_passant: mv & 0x4_0000 != 0,
            is_pawn_start: mv & 0x8_0000 != 0,
            promoted: mv >> 20 & 0xf,
            is_castle: mv & 0x100_0000 != 0,
        })
    }

    fn piece_list_without(mut list: Vec<u8>, cell: u8) -> Answer<Vec<u8>> {
        let place = list.iter().position(|&listed| listed == cell)?;
        list.swap_remove(place);
        Some(list)
    }

    /// A king or rook that leaves, and a rook that is taken: the cell alone decides.
    fn permission_after(permission: u8, from: u8, to: u8) -> Answer<u8> {
        let lost = |cell| match cell {
            21 => 2,
            25 => 3,
            28 => 1,
            91 => 8,
            95 => 12,
            98 => 4,
            _ => 0,
        };
        Some(permission & !lost(from) & !lost(to))
    }

    fn nibble_at(words: [u64; 4], number: u8) -> Answer<u8> {
        Some((words[usize::from(number / 16)] >> (4 * (number % 16)) & 0xf) as u8)
    }

    fn packed_move(from: u8, to: u8, kind: u8, piece: u8) -> Answer<u32> {
        Some(u32::from(from) << 14 | u32::from(to) << 8 | u32::from(kind) << 4 | u32::from(piece))
    }

    /// A double push passes the square in the middle.
    fn passed_square(top: u32) -> Answer<Option<u8>> {
        let (from, to, kind) = (top >> 14 & 63, top >> 8 & 63, top >> 4 & 15);
        Some((kind == 0b0011).then_some(((from + to) / 2) as u8))
    }

    fn world_answer(mv: &str) -> Answer<String> {
        let number = |square: &[u8]| u32::from(square[0] - b'a') + 8 * u32::from(square[1] - b'1');
        let text = mv.as_bytes();
        Some(format!("{},{}", number(&text[0..2]), number(&text[2..4])))
    }

    fn negamax(tree: &Tree) -> Answer<i32> {
        match tree {
            Tree::Leaf(worth) => Some(*worth),
            Tree::Moves(moves) => moves.iter().filter_map(Model::negamax).map(|worth| -worth).max(),
        }
    }

    /// Not with the least number of all: it has no opposite.
    fn alpha_beta(tree: &Tree) -> Answer<(i32, usize)> {
        let mut leaves = 0;
        let value = alpha_beta(tree, -i32::MAX, i32::MAX, &mut leaves);
        Some((value, leaves))
    }

    fn mate_in_the_document() -> Answer<(i32, i32)> {
        Some((i32::MIN, i32::MAX))
    }

    fn mapped(squares: &Squares, start: (i8, i8), maps: &[(i8, i8)], repeats: bool) -> Answer<Vec<(i8, i8)>> {
        let own = at(squares, start)? % 10;
        let reached = maps.iter().flat_map(|&map| met(squares, start, map, repeats));
        Some(reached.filter(|(_, value)| *value == 0 || value % 10 != own).map(|(place, _)| place).collect())
    }

    fn is_check(squares: &Squares, king: (i8, i8)) -> Answer<bool> {
        let own = at(squares, king)? % 10;
        let ahead = if own == 0 { 1 } else { -1 };
        let pawn = [(-1, ahead), (1, ahead)];
        type Guise<'s> = (i32, &'s [(i8, i8)], bool);
        let guises: [Guise<'_>; 6] = [
            (1, &pawn, false),
            (2, &KNIGHT, false),
            (3, &DIAGONAL, true),
            (4, &STRAIGHT, true),
            (5, &ALL, true),
            (6, &ALL, false),
        ];
        let takes_its_like = |(kind, maps, repeats): (i32, &[(i8, i8)], bool)| {
            maps.iter().any(|&map| {
                met(squares, king, map, repeats).last().is_some_and(|&(_, value)| value == 10 * kind + 1 - own)
            })
        };
        Some(guises.into_iter().any(takes_its_like))
    }

    fn reverted(mut squares: Squares, mv: [i32; 7]) -> Answer<Squares> {
        let [kind, start, end, third, fourth, ..] = mv;
        let place = |square: i32| ((square / 8) as usize, (square % 8) as usize);
        let ((start_rank, start_file), (end_rank, end_file)) = (place(start), place(end));
        let mover = squares[end_rank][end_file];
        squares[start_rank][start_file] = if kind == 2 { 10 + mover % 10 } else { mover };
        squares[end_rank][end_file] = 0;
        match kind {
            1 => {
                let ((rank, from), (_, to)) = (place(third), place(fourth));
                squares[rank].swap(from, to);
            }
            3 => {
                let (rank, file) = place(third);
                squares[rank][file] = 10 + 1 - mover % 10;
            }
            _ => squares[end_rank][end_file] = 10 * third + fourth,
        }
        Some(squares)
    }
}
