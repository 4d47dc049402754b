//! Measurements for the figures that the project publishes: always in one run, since machines are noisy and ratios
//! travel.

pub mod engine;
pub mod oracle;
pub mod review;
pub mod see;
pub mod syzygy;
pub mod tactics;
pub mod wdl;

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Runs several pieces of work in turn, `rounds` times, and returns the best time of each.
///
/// Taking turns spreads whatever else the machine is doing over all of them; the best time is the one that was least
/// disturbed.
pub fn best_times<T>(rounds: usize, work: &mut [&mut dyn FnMut() -> T]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; work.len()];
    for _ in 0..rounds {
        for (best, work) in best.iter_mut().zip(work.iter_mut()) {
            let started = Instant::now();
            black_box(work());
            *best = started.elapsed().min(*best);
        }
    }
    best
}
