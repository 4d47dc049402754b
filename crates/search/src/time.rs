//! Time: how long a move may take, and when it is better to stop early.

use std::time::Duration;

use crate::Limits;
use crate::tunables::*;

/// The time for one move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    /// After this much, scaled by how settled the choice is, no new depth is begun.
    soft: Option<Duration>,
    /// After this much the search ends, wherever it is.
    hard: Option<Duration>,
}

/// How settled the choice of a move is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeFactors {
    /// The part of all nodes that went into the best move, 0 to 1.
    pub(crate) best_move_share: f64,
    /// For how many depths the best move has been the same.
    pub(crate) stable_depths: u32,
    /// How many centipawns the score has fallen since the depths before.
    pub(crate) score_drop: i32,
}

impl TimeManager {
    /// The time for a search that begins after so many moves of the game.
    pub(crate) fn new(limits: &Limits, overhead: Duration, fullmove_number: u16) -> TimeManager {
        let mut time = TimeManager { soft: None, hard: None };
        if let Some(clock) = limits.clock {
            let available = clock.remaining.saturating_sub(overhead).as_secs_f64();
            let increment = clock.increment.as_secs_f64();
            let (soft, hard) = match clock.moves_to_go {
                None => {
                    // More per move the further the game has come, since fewer moves are left.
                    let saving = (-thousandths(soft_time_saving_decay()) * f64::from(fullmove_number)).exp();
                    let share = thousandths(soft_time_share()) - thousandths(soft_time_saving()) * saving;
                    let increment = thousandths(time_increment_share()) * increment;
                    (share * available + increment, thousandths(hard_time_share()) * available + increment)
                }
                Some(moves) => {
                    let moves = f64::from(moves.clamp(1, movestogo_cap() as u32));
                    // Never all of it, however few moves are left: a clock that runs out loses.
                    let increment = thousandths(movestogo_increment_share()) * increment;
                    let fair = available / (moves + thousandths(movestogo_reserve())) + increment;
                    let most = thousandths(movestogo_hard_cap()) * available;
                    (thousandths(movestogo_soft_share()) * fair, (thousandths(movestogo_hard_share()) * fair).min(most))
                }
            };
            // The increment comes after the move: it cannot be spent before.
            let hard = hard.min(thousandths(hard_time_cap()) * available);
            time.soft = Some(Duration::from_secs_f64(soft.min(hard)));
            time.hard = Some(Duration::from_secs_f64(hard));
        }
        if let Some(move_time) = limits.move_time {
            let move_time = move_time.saturating_sub(overhead.min(move_time / 2));
            time.hard = Some(time.hard.map_or(move_time, |hard| hard.min(move_time)));
        }
        time
    }

    /// Whether the search has to end.
    #[inline]
    pub(crate) fn is_spent(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Whether another depth is not worth beginning.
    pub(crate) fn is_enough(&self, elapsed: Duration, factors: &TimeFactors) -> bool {
        self.soft.is_some_and(|soft| elapsed.as_secs_f64() >= soft.as_secs_f64() * factors.scale())
    }
}

/// A number of the search that is counted in thousandths.
fn thousandths(number: i32) -> f64 {
    f64::from(number) / 1000.0
}

impl TimeFactors {
    /// How much of the usual time the choice deserves.
    fn scale(&self) -> f64 {
        let effort =
            thousandths(soft_time_nodes_base()) - thousandths(soft_time_nodes_best_move()) * self.best_move_share;
        let effort = effort.max(thousandths(soft_time_nodes_min()));
        let stability =
            thousandths(soft_time_stability_base() - soft_time_stability_per_depth() * self.stable_depths as i32);
        let stability = stability.max(thousandths(soft_time_stability_min()));
        let trouble = 1.0 + thousandths(soft_time_falling_eval_per_centipawn() * self.score_drop);
        let trouble =
            trouble.clamp(thousandths(soft_time_falling_eval_min()), thousandths(soft_time_falling_eval_max()));
        effort * stability * trouble
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn time(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        TimeManager::new(&Limits { clock: Some(clock), ..Limits::default() }, OVERHEAD, 20)
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for remaining in [0, 1, 10, 50, 1_000, 60_000, 7_200_000] {
            for increment in [0, 5, 1_000, 100_000_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let TimeManager { soft, hard } = time(remaining, increment, moves_to_go);
                    let (soft, hard) = (soft.expect("a clock"), hard.expect("a clock"));
                    let available = Duration::from_millis(remaining).saturating_sub(OVERHEAD);
                    assert!(soft <= hard && hard <= available, "{remaining} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn an_open_choice_gets_more_time_than_a_settled_one() {
        let open = TimeFactors { best_move_share: 0.3, stable_depths: 0, score_drop: 40 };
        let settled = TimeFactors { best_move_share: 0.95, stable_depths: 12, score_drop: 0 };
        assert!(open.scale() > 2.0 * settled.scale());
    }

    #[test]
    fn the_time_for_one_move_is_kept() {
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let time = TimeManager::new(&limits, OVERHEAD, 1);
        assert!(!time.is_spent(Duration::from_millis(80)) && time.is_spent(Duration::from_millis(90)));
    }
}
