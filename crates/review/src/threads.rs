//! Sharing jobs among the threads of a review.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use search::STACK_SIZE;

use crate::analysis::{Analysis, Interrupted};

/// Does every job with one of the analyses, in order as threads become free, and tells each result on the thread of the
/// caller. With a single analysis all is done on that thread.
pub(crate) fn share<R: Send>(
    analyses: &mut [Analysis<'_>],
    jobs: Vec<usize>,
    work: impl Fn(&mut Analysis<'_>, usize) -> Result<R, Interrupted> + Sync,
    tell: &mut dyn FnMut(R),
) -> Result<(), Interrupted> {
    if let [analysis] = analyses {
        return jobs.into_iter().try_for_each(|job| work(analysis, job).map(&mut *tell));
    }
    let (next, jobs, work) = (AtomicUsize::new(0), &jobs, &work);
    let (results, receive) = mpsc::channel();
    let mut told = 0;
    thread::scope(|scope| {
        for analysis in analyses {
            let (results, next) = (results.clone(), &next);
            let serve = move || {
                while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Ok(result) = work(analysis, job) else { return };
                    if results.send(result).is_err() {
                        return;
                    }
                }
            };
            // If a thread cannot be had, the others do its work.
            let _ = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, serve);
        }
        drop(results);
        for result in receive {
            tell(result);
            told += 1;
        }
    });
    // Fewer results than jobs: the review was stopped, or no thread could be had.
    if told == jobs.len() { Ok(()) } else { Err(Interrupted) }
}
