//! What a move lost, in expected points, and how accurate it was.
//!
//! A score says little by itself: a pawn decides an even game and means nothing in one that is won. So scores are first
//! turned into the points that a player can expect of the game. What a move lost is the difference between two such
//! numbers.

use rules::Position;
use search::{Score, WdlModel, pieces_left};
use serde::{Deserialize, Serialize};

/// What the scores of a review mean between strong players: how many centipawns win half of the games, and how many it
/// takes to turn a draw into a win there. In between both are blended.
///
/// The search's own model is fitted to fast games, in which much can still happen. The scores of a review come from
/// millions of nodes, and most small advantages at that depth are draws, with few pieces even larger ones. The numbers
/// were fitted to what Stockfish 15.1 expects in positions of games of masters; docs/review.md has the figures.
const CURVE: [Knot; 3] = [
    Knot { pieces_left: 0.0, even: 400.0, slope: 110.0 },
    Knot { pieces_left: 0.4, even: 230.0, slope: 60.0 },
    Knot { pieces_left: 1.0, even: 130.0, slope: 30.0 },
];

/// A point of the curve.
struct Knot {
    /// The part of the pieces that are left, pawns apart.
    pieces_left: f64,
    /// The score that wins half of the games, in centipawns.
    even: f64,
    /// How slowly chances rise there.
    slope: f64,
}

/// The model for a position with this part of the pieces.
fn model(pieces_left: f64) -> WdlModel {
    let [none, some, all] = &CURVE;
    let (low, high) = if pieces_left < some.pieces_left { (none, some) } else { (some, all) };
    let part = (pieces_left - low.pieces_left) / (high.pieces_left - low.pieces_left);
    let blend = |low: f64, high: f64| low + part * (high - low);
    WdlModel { even: [blend(low.even, high.even); 2], slope: [blend(low.slope, high.slope); 2] }
}

/// The chances to win, draw and lose of the player that a score is told for. How much an advantage is worth depends on
/// how many pieces are left: scores are comparable if they are taken with the same position.
pub fn win_draw_loss(score: Score, position: &Position) -> [f64; 3] {
    if score.is_win() || score.is_loss() {
        return if score.is_win() { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    }
    let pieces_left = pieces_left(position);
    model(pieces_left).chances(f64::from(score.value()), pieces_left)
}

/// The points that a player can expect from a game, from 0 for a loss to 1 for a win.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Chances(f64);

impl Chances {
    /// From here on a game counts as won.
    pub const WON: Chances = Chances(0.9);

    /// As many wins as losses.
    pub const EVEN: Chances = Chances(0.5);

    /// A player who expects no more than this is not winning any longer.
    pub const NOT_WINNING: Chances = Chances(0.6);

    /// What a score means to the player it is told for.
    pub fn of(score: Score, position: &Position) -> Chances {
        let [win, draw, _] = win_draw_loss(score, position);
        Chances(win + draw / 2.0)
    }

    /// The number.
    pub fn points(self) -> f64 {
        self.0
    }

    /// What the opponent can expect.
    pub(crate) fn of_opponent(self) -> Chances {
        Chances(1.0 - self.0)
    }

    /// What is lost by coming down to other chances; nothing, if they are better.
    pub fn lost_to(self, after: Chances) -> f64 {
        (self.0 - after.0).max(0.0)
    }
}

/// How accurate a move is that lost so many points, from 100 down to 0.
///
/// `100 / (1 + (lost / 0.20)²)`: flat near zero, because a few hundredths of a point are no more than the error of the
/// search; half for 0.20 points, somewhat less than a mistake; 31 for the least blunder, 4 for a win that was turned
/// into a loss.
pub fn accuracy(lost: f64) -> f64 {
    /// The loss that halves it.
    const HALF: f64 = 0.20;
    100.0 / (1.0 + (lost / HALF).powi(2))
}

/// The accuracy of several moves, given what the player could expect before and after each: their mean, each counted by
/// how open the game was.
///
/// Where the game is decided whatever is played, a move says nothing about the player: a long defence of a lost game,
/// in which no move can be wrong, neither helps nor harms, and neither does mopping up. A move that throws a decided
/// game open, or decides an open one, counts in full.
pub(crate) fn mean_accuracy(moves: impl IntoIterator<Item = (Chances, Chances, f64)>) -> Option<f64> {
    /// Even the last moves of a lost game count a little, so that there is always something to divide by.
    const LEAST: f64 = 0.01;
    let (mut sum, mut weights) = (0.0, 0.0);
    for (before, after, accuracy) in moves {
        let weight = openness(before, after).max(LEAST);
        sum += weight * accuracy;
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights)
}

/// How open a game was at most between two expectations, from 0 to 1: the variance of a result with such chances, four
/// times.
fn openness(before: Chances, after: Chances) -> f64 {
    let (low, high) = (before.0.min(after.0), before.0.max(after.0));
    let closest_to_even = 0.5_f64.clamp(low, high);
    4.0 * closest_to_even * (1.0 - closest_to_even)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_pawn_decides_an_even_game_and_means_nothing_in_a_won_one() {
        let start = Position::initial();
        let lost = |from, to| Chances::of(Score::new(from), &start).lost_to(Chances::of(Score::new(to), &start));
        assert!(lost(0, -150) > 0.1);
        assert!(lost(3000, 2850) < 0.001);
        assert_eq!(lost(0, 50), 0.0);
    }

    #[test]
    fn wins_draws_and_losses_add_up_to_what_is_expected() {
        let start = Position::initial();
        for score in [-3000, -80, 0, 35, 400].map(Score::new).into_iter().chain([Score::mate_in(3), -Score::MATE]) {
            let [win, draw, loss] = win_draw_loss(score, &start);
            assert!((win + draw + loss - 1.0).abs() < 1e-9 && draw >= 0.0);
            assert_eq!(Chances::of(score, &start).points(), win + draw / 2.0);
        }
    }

    #[test]
    fn accuracy_is_flat_near_zero_and_half_for_a_fifth_of_a_point() {
        assert_eq!([0.0, 0.20].map(accuracy), [100.0, 50.0]);
        assert!(accuracy(0.02) > 98.0 && accuracy(0.35) < 25.0 && accuracy(1.0) < 4.0);
    }

    #[test]
    fn moves_of_a_decided_game_hardly_count_unless_they_open_it() {
        let [lost, even, won] = [0.0, 0.5, 1.0].map(Chances);
        let mean = |moves: &[_]| mean_accuracy(moves.iter().copied()).expect("there are moves");
        let blunder = (even, lost, 8.0);
        assert!((8.0..12.0).contains(&mean(&[blunder, (lost, lost, 100.0), (won, won, 100.0)])));
        assert_eq!(mean(&[(won, lost, 0.0), (even, even, 100.0)]), 50.0);
        assert_eq!(mean_accuracy([]), None);
    }
}
