//! Checks of the exercises about the world and its minds.

use rules::UciMove;
use saavedra_classic::bitboard::BitboardBoard;
use testkit::Random;

use super::{Answers, Cases, walk};

/// A game tree: a leaf with its worth to the player to move there, or the positions after each move.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Leaf(i32),
    Moves(Vec<Tree>),
}

pub(super) fn answers<A: Answers>(cases: &mut Cases) {
    walk(20, |_: &mut BitboardBoard, mv: UciMove| {
        let truth = format!("{},{}", mv.from.index(), mv.to.index());
        cases.expect(|| mv.to_string(), A::world_answer(&mv.to_string()), truth);
    });
}

/// A tree in which some lines end early.
fn random_tree(random: &mut Random, depth: usize) -> Tree {
    if depth == 0 || random.below(12) == 0 {
        return Tree::Leaf(random.below(41) as i32 - 20);
    }
    Tree::Moves((0..1 + random.below(4)).map(|_| random_tree(random, depth - 1)).collect())
}

fn for_each_tree(mut visit: impl FnMut(&Tree)) {
    let mut random = Random::new(3);
    for _ in 0..200 {
        visit(&random_tree(&mut random, 5));
    }
}

/// The worth of a tree to White, by the definition: White takes the most, Black the least. No sign is ever turned
/// within the tree, so it is no negamax.
fn worth_to_white(tree: &Tree, is_white: bool) -> i32 {
    match tree {
        Tree::Leaf(worth) if is_white => *worth,
        Tree::Leaf(worth) => -worth,
        Tree::Moves(moves) => {
            let worths = moves.iter().map(|next| worth_to_white(next, !is_white));
            if is_white { worths.max() } else { worths.min() }.expect("a node has moves")
        }
    }
}

/// How many leaves alpha-beta looks at, by Knuth and Moore's criterion and not by searching: those below no node that
/// an elder sibling of it or of an ancestor has made worthless.
fn needed_leaves(tree: &Tree, is_white: bool, [mut most, mut least]: [i32; 2]) -> usize {
    if most >= least {
        return 0;
    }
    let Tree::Moves(moves) = tree else { return 1 };
    let mut leaves = 0;
    for next in moves {
        leaves += needed_leaves(next, !is_white, [most, least]);
        let worth = worth_to_white(next, !is_white);
        if is_white {
            most = most.max(worth);
        } else {
            least = least.min(worth);
        }
    }
    leaves
}

pub(super) fn negamax<A: Answers>(cases: &mut Cases) {
    for_each_tree(|tree| cases.expect(|| format!("{tree:?}"), A::negamax(tree), worth_to_white(tree, true)));
}

pub(super) fn alpha_beta<A: Answers>(cases: &mut Cases) {
    for_each_tree(|tree| {
        let truth = (worth_to_white(tree, true), needed_leaves(tree, true, [i32::MIN, i32::MAX]));
        cases.expect(|| format!("{tree:?}"), A::alpha_beta(tree), truth);
    });
}

/// A player without moves, as the document's two functions see it: both fall through their loops, minimax with the
/// least number there is, alpha-beta with the alpha it was given, which is one more.
pub(super) fn mates<A: Answers>(cases: &mut Cases) {
    let without_moves = (i32::MIN, i32::MIN + 1);
    let turned = (without_moves.0.wrapping_neg(), without_moves.1.wrapping_neg());
    cases.expect(|| "a mate at once".to_owned(), A::mate_in_the_document(), turned);
}
