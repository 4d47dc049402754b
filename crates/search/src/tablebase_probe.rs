//! Asking tablebases: at the root for the moves worth considering, in the search for results.

use rules::{Move, Position};

use crate::node::Node;
use crate::tablebase::{RankedMove, TablebaseResult};
use crate::tt::TtEntry;
use crate::tt::is_cutoff;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Options, Score, Watcher};

/// How much better than a draw a win is that the fifty-move rule spoils.
const CURSED: i32 = 1;

/// What a result is worth so many plies from the root.
fn score(result: TablebaseResult, ply: usize, respects_fifty_moves: bool) -> Score {
    match result {
        TablebaseResult::Win => Score::tablebase_win_in(ply),
        TablebaseResult::Loss => -Score::tablebase_win_in(ply),
        TablebaseResult::Draw => Score::DRAW,
        TablebaseResult::CursedWin if respects_fifty_moves => Score::DRAW + CURSED,
        TablebaseResult::BlessedLoss if respects_fifty_moves => Score::DRAW - CURSED,
        TablebaseResult::CursedWin => Score::tablebase_win_in(ply),
        TablebaseResult::BlessedLoss => -Score::tablebase_win_in(ply),
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// What a tablebase knows of a position, if that settles on which side of the window it lies, or if the window is
    /// open.
    ///
    /// It is asked just after a capture or pawn move, when the fifty-move counter is zero.
    pub(crate) fn probe_tablebase<N: Node>(
        &mut self,
        position: &Position,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let pieces = position.occupied().count();
        let most = self.shared.tablebase_pieces;
        if pieces > most || position.halfmove_clock() != 0 || !position.castling_rights().rooks().is_empty() {
            return None;
        }
        let options = &self.shared.request.options;
        // With fewer pieces than the most, the files are small and quick.
        if pieces == most && depth < options.tablebase_depth as i32 {
            return None;
        }
        let result = options.tablebase.as_ref()?.result(position)?;
        self.tablebase_hits += 1;
        let score = score(result, self.ply(), options.respects_fifty_moves);
        // A win may come sooner than the tablebase tells, by a mate.
        let bound = if score.is_win() {
            Bound::Lower
        } else if score.is_loss() {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if !N::PV && !is_cutoff(score, bound, alpha, beta) {
            return None;
        }
        // Knowledge outlives what is only searched.
        let depth = depth + tablebase_tt_depth();
        self.store_tt(TtEntry { mv: None, score: Some((score, bound)), raw_eval: None, depth, was_pv: false });
        Some(score)
    }
}

/// What tablebases say of the root.
pub(crate) struct RootProbe {
    /// The moves that keep the result.
    pub(crate) moves: Vec<Move>,
    /// What the position is worth.
    pub(crate) score: Score,
    /// How many moves were looked up.
    pub(crate) hits: u64,
}

/// Asks about the root, if it has few enough pieces.
pub(crate) fn probe_root(position: &Position, options: &Options) -> Option<RootProbe> {
    let tablebase = options.tablebase.as_ref()?;
    let most = tablebase.most_pieces().min(options.tablebase_pieces);
    if position.occupied().count() as usize > most || !position.castling_rights().rooks().is_empty() {
        return None;
    }
    let ranked = tablebase.rank_moves(position, options.respects_fifty_moves)?;
    let RankedMove { result, rank, .. } = *ranked.first()?;
    let moves = ranked.iter().filter(|ranked| ranked.rank == rank).map(|ranked| ranked.mv).collect();
    Some(RootProbe { moves, score: score(result, 0, options.respects_fifty_moves), hits: ranked.len() as u64 })
}
