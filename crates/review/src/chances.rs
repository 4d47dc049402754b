//! What a move lost, in chances of winning; how that is called, and how accurate it was.
//!
//! A score says little by itself: a pawn decides an even game and means nothing in one that is won. So scores are first
//! turned into the points that a player can expect of the game, by the search's own model of wins, draws and losses,
//! which was fitted to games. What a move lost is the difference between two such numbers.

use rules::Position;
use search::{Score, win_draw_loss};
use serde::Serialize;

/// The points that a player can expect from a game, from 0 for a loss to 1 for a win.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize)]
#[serde(transparent)]
pub struct Chances(f64);

impl Chances {
    /// From here on a game counts as won.
    pub const WON: Chances = Chances(0.9);

    /// A player who expects no more than this is not winning any longer.
    pub const NOT_WINNING: Chances = Chances(0.6);

    /// What a score means to the player it is told for. How much an advantage is worth depends on how many pieces are
    /// left: scores are comparable if they are taken with the same position.
    pub fn of(score: Score, position: &Position) -> Chances {
        let [win, draw, _] = win_draw_loss(score, position);
        Chances(f64::from(2 * win + draw) / 2000.0)
    }

    /// The number.
    pub fn points(self) -> f64 {
        self.0
    }

    /// What is lost by coming down to other chances; nothing, if they are better.
    pub fn lost_to(self, after: Chances) -> f64 {
        (self.0 - after.0).max(0.0)
    }
}

/// What a move is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The search would have played it, or finds nothing better.
    Best,
    /// It loses less than a tenth of a point.
    Good,
    /// It loses a tenth of a point: a third of a pawn, where the game is even.
    Inaccuracy,
    /// It loses a fifth of a point: two thirds of a pawn.
    Mistake,
    /// It loses more than a third of a point: a pawn and a third. A mistake that allows or misses a mate is one, too.
    Blunder,
}

impl Judgement {
    /// What a move is called that lost so many points and was not the search's own choice.
    pub fn of_lost(lost: f64) -> Judgement {
        const THRESHOLDS: [(f64, Judgement); 3] =
            [(0.20, Judgement::Blunder), (0.10, Judgement::Mistake), (0.05, Judgement::Inaccuracy)];
        let reached = THRESHOLDS.into_iter().find(|&(least, _)| lost >= least);
        reached.map_or(if lost > 0.0 { Judgement::Good } else { Judgement::Best }, |(_, judgement)| judgement)
    }

    /// The glyph of a game score: `?!` is 6, `?` is 2, `??` is 4.
    pub fn nag(self) -> Option<u8> {
        match self {
            Judgement::Best | Judgement::Good => None,
            Judgement::Inaccuracy => Some(6),
            Judgement::Mistake => Some(2),
            Judgement::Blunder => Some(4),
        }
    }

    /// The name of a move that was not good.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// How accurate a move is that lost so many points, from 100 down to 0.
///
/// `100 / (1 + (lost / 0.15)²)`: flat near zero, because a few hundredths of a point are no more than the error of the
/// search; half for 0.15 points, between a mistake and a blunder; 36 for the least blunder, 2 for a win that was turned
/// into a loss.
pub fn accuracy(lost: f64) -> f64 {
    /// The loss that halves it.
    const HALF: f64 = 0.15;
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
    fn thresholds_are_what_the_names_say_in_an_even_game() {
        let start = Position::initial();
        let even = Chances::of(Score::DRAW, &start);
        let judged = |centipawns: i32| Judgement::of_lost(even.lost_to(Chances::of(Score::new(-centipawns), &start)));
        assert_eq!(
            [0, 20, 60, 120, 230].map(judged),
            [Judgement::Best, Judgement::Good, Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder]
        );
    }

    #[test]
    fn the_same_pawn_decides_an_even_game_and_means_nothing_in_a_won_one() {
        let start = Position::initial();
        let lost = |from, to| Chances::of(Score::new(from), &start).lost_to(Chances::of(Score::new(to), &start));
        assert!(lost(0, -100) > 0.1);
        assert!(lost(3000, 2900) < 0.001);
        assert_eq!(lost(0, 50), 0.0);
    }

    #[test]
    fn accuracy_is_flat_near_zero_and_half_between_mistake_and_blunder() {
        assert_eq!([0.0, 0.15].map(accuracy), [100.0, 50.0]);
        assert!(accuracy(0.02) > 98.0 && accuracy(0.35) < 16.0 && accuracy(1.0) < 3.0);
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
