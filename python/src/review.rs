//! `saavedra.review`: the reviewer of the review crate on a game of Python's.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use minds::cached_network;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use records::pgn::{self, GameTree};
use review::{Effort, ReviewedGameJson, Reviewer, annotate};
use search::AnyEvaluator;
use syzygy::Syzygy;

use crate::board::PyBoard;
use crate::engine::duration;
use crate::waiting;

/// How a review is made, besides its game.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    effort: String,
    nodes: Option<u64>,
    time: Option<f64>,
    threads: Option<usize>,
    hash: usize,
    network: Option<PathBuf>,
    syzygy: Option<String>,
}

impl Settings {
    fn effort(&self) -> PyResult<Effort> {
        if self.nodes.is_some() && self.time.is_some() {
            return Err(PyValueError::new_err(
                "nodes and time are two ways to say how much to search: give one of them",
            ));
        }
        match (self.nodes, self.time, self.effort.as_str()) {
            (Some(nodes), _, _) => Ok(Effort::Nodes(nodes)),
            (None, Some(time), _) => Ok(Effort::Time(duration("time", time)?)),
            (None, None, "quick") => Ok(Effort::Quick),
            (None, None, "normal") => Ok(Effort::Normal),
            (None, None, "deep") => Ok(Effort::Deep),
            (None, None, other) => {
                Err(PyValueError::new_err(format!("there is no effort {other:?}: there are quick, normal and deep")))
            }
        }
    }

    fn reviewer(&self) -> PyResult<Reviewer> {
        let wrong = PyValueError::new_err::<String>;
        let mut reviewer = Reviewer::new(self.effort()?);
        if let Some(path) = &self.network {
            let network = cached_network(path).map_err(|error| wrong(error.to_string()))?;
            reviewer.set_evaluator(&AnyEvaluator::from(network));
        }
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = self.threads.unwrap_or(cores);
        let sized = reviewer.set_hash(self.hash).and_then(|()| reviewer.set_threads(threads));
        sized.map_err(|error| wrong(error.to_string()))?;
        if let Some(folder) = &self.syzygy {
            reviewer.set_tablebase(Arc::new(Syzygy::open(folder).map_err(|error| wrong(error.to_string()))?));
        }
        Ok(reviewer)
    }
}

/// The game of a board, or of a text that is a PGN.
fn tree_of(game: &Bound<'_, PyAny>) -> PyResult<GameTree> {
    let tree = match game.cast::<PyBoard>() {
        Ok(board) => GameTree::from(&board.try_borrow()?.game()?),
        Err(_) => read(&game.str()?.to_string_lossy())?,
    };
    if tree.mainline().next().is_none() {
        return Err(PyValueError::new_err("the game has no moves to review"));
    }
    Ok(tree)
}

fn read(text: &str) -> PyResult<GameTree> {
    match pgn::games(text.as_bytes()).next_game()? {
        Some((tree, None)) => Ok(tree),
        Some((_, Some(problem))) => Err(PyValueError::new_err(problem.to_string())),
        None => Err(PyValueError::new_err("the text holds no game")),
    }
}

/// Reviews a game: the review as JSON, and the game with the review written into it.
#[pyfunction]
pub(crate) fn review_game(
    game: &Bound<'_, PyAny>,
    settings: Settings,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let mut tree = tree_of(game)?;
    let mut reviewer = settings.reviewer()?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let work = move |messages: &waiting::Messages<(usize, usize), Option<(String, String)>>| {
        let review = reviewer.review(&tree.game(), &flag, &mut |step| {
            // If there is no listener any more, the review is about to be stopped.
            let _ = messages.send(waiting::Word::Message((step.done, step.total)));
        });
        let review = review.ok()?;
        annotate(&mut tree, &review);
        let json = serde_json::to_string(&ReviewedGameJson::new(1, &tree, &review)).ok()?;
        Some((json, tree.to_string()))
    };
    let stop = || {
        stop.store(true, Ordering::Relaxed);
        true
    };
    let reviewed = waiting::work(game.py(), work, stop, |_, (done, total)| match &progress {
        Some(progress) => progress.call1((done, total)).map(drop),
        None => Ok(()),
    })?;
    reviewed.ok_or_else(|| PyValueError::new_err("the review was stopped"))
}
