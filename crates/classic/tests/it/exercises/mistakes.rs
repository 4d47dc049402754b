//! Mistakes that are easily made, one for each exercise: a check that does not find them is no check.

use super::mailbox::Fields;
use super::model::Model;
use super::movemap::Squares;
use super::world::Tree;
use super::{Answer, Answers};

pub(super) struct Mistakes;

impl Answers for Mistakes {
    /// Captures to the bitter end.
    fn swap_off(target: i32, us: &[i32], them: &[i32]) -> Answer<i32> {
        let Some((&capturer, left)) = us.split_first() else { return Some(0) };
        Some(target - Mistakes::swap_off(capturer, them, left)?)
    }

    /// Forgets that zero is a difference.
    fn entries(reaches: &[u64]) -> Answer<u64> {
        Some(reaches.iter().map(|reach| 2 * reach).product())
    }

    /// Forgets the column of the rim.
    fn mailbox_cell(file: u8, rank: u8) -> Answer<u8> {
        Some(20 + 10 * rank + file)
    }

    /// Has the flags of en passant and pawn start the wrong way round.
    fn mailbox_fields(mv: u32) -> Answer<Fields> {
        let right = Model::mailbox_fields(mv)?;
        Some(Fields { is_en_passant: right.is_pawn_start, is_pawn_start: right.is_en_passant, ..right })
    }

    /// Moves everything up.
    fn piece_list_without(list: Vec<u8>, cell: u8) -> Answer<Vec<u8>> {
        Some(list.into_iter().filter(|&listed| listed != cell).collect())
    }

    /// Forgets the rook that is taken.
    fn permission_after(permission: u8, from: u8, _to: u8) -> Answer<u8> {
        Model::permission_after(permission, from, 0)
    }

    /// Takes the nibbles of a word from the top.
    fn nibble_at(words: [u64; 4], number: u8) -> Answer<u8> {
        Model::nibble_at(words, number ^ 15)
    }

    /// Exchanges the squares.
    fn packed_move(from: u8, to: u8, kind: u8, piece: u8) -> Answer<u32> {
        Model::packed_move(to, from, kind, piece)
    }

    /// Takes any move of a pawn for a double push.
    fn passed_square(top: u32) -> Answer<Option<u8>> {
        let (from, to) = (top >> 14 & 63, top >> 8 & 63);
        Some((top >> 1 & 7 == 1).then_some(((from + to) / 2) as u8))
    }

    /// Counts squares from a8.
    fn world_answer(mv: &str) -> Answer<String> {
        let number = |square: &[u8]| u32::from(square[0] - b'a') + 8 * u32::from(b'8' - square[1]);
        let text = mv.as_bytes();
        Some(format!("{},{}", number(&text[0..2]), number(&text[2..4])))
    }

    /// Forgets to turn the sign.
    fn negamax(tree: &Tree) -> Answer<i32> {
        match tree {
            Tree::Leaf(worth) => Some(*worth),
            Tree::Moves(moves) => moves.iter().filter_map(Mistakes::negamax).max(),
        }
    }

    /// Looks at every leaf.
    fn alpha_beta(tree: &Tree) -> Answer<(i32, usize)> {
        fn leaves(tree: &Tree) -> usize {
            match tree {
                Tree::Leaf(_) => 1,
                Tree::Moves(moves) => moves.iter().map(leaves).sum(),
            }
        }
        Some((Model::negamax(tree)?, leaves(tree)))
    }

    /// Trusts that every number has an opposite.
    fn mate_in_the_document() -> Answer<(i32, i32)> {
        Some((i32::MAX, i32::MAX))
    }

    /// Looks through its own pieces' first square, that is, takes them.
    fn mapped(squares: &Squares, start: (i8, i8), maps: &[(i8, i8)], repeats: bool) -> Answer<Vec<(i8, i8)>> {
        let mut recoloured = *squares;
        let (file, rank) = (start.0 as usize, start.1 as usize);
        recoloured[rank][file] += 5;
        Model::mapped(&recoloured, start, maps, repeats)
    }

    /// Lets the king pretend to be a pawn of the other colour: it looks behind itself.
    fn is_check(squares: &Squares, king: (i8, i8)) -> Answer<bool> {
        let mut turned = *squares;
        turned.reverse();
        Model::is_check(&turned, (king.0, 7 - king.1))
    }

    /// Leaves the queen on the board when a promotion is taken back.
    fn reverted(squares: Squares, mv: [i32; 7]) -> Answer<Squares> {
        let [kind, rest @ ..] = mv;
        let [start, end, third, fourth, fifth, sixth] = rest;
        Model::reverted(squares, [if kind == 2 { 0 } else { kind }, start, end, third, fourth, fifth, sixth])
    }
}
