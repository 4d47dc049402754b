//! Quiescence: at the end of a line, captures and promotions are played out until the position can be judged.

use rules::{Move, Position, Role};

use crate::history::{Context, PieceTo};
use crate::node::{Node, Pv, Zero};
use crate::picker::{Picker, SEE_VALUES, is_tactical};
use crate::pruning;
use crate::static_eval::StaticEval;
use crate::tt::TtEntry;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, MAX_PLY, NodeEnd, Score, Skip, Visit, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The score of the current position if only captures and promotions are played; out of check, all moves.
    pub(crate) fn quiescence<N: Node>(&mut self, mut alpha: Score, beta: Score) -> Score {
        // Step 1. Count the node, and look for a draw.
        if self.count_node() {
            return Score::DRAW;
        }
        self.watcher.enters(Visit { depth: None, alpha, beta });
        self.start_pv::<N>();
        let (ply, position) = (self.ply(), *self.position());
        let is_check = self.frame().is_check();
        if self.is_draw(&position) {
            return self.ends(NodeEnd::Draw, Score::DRAW);
        }
        if self.has_upcoming_repetition(alpha) {
            alpha = Score::DRAW;
            if alpha >= beta {
                return self.ends(NodeEnd::Draw, alpha);
            }
        }
        if ply >= MAX_PLY {
            let score = self.score_at_max_ply(&position);
            return self.ends(NodeEnd::Horizon, score);
        }

        // Step 2. The transposition table.
        let tt_hit = self.probe_tt();
        if let Some(score) = tt_hit.cutoff::<N>(&position, 0, alpha, beta) {
            return self.ends(NodeEnd::TtCutoff, score);
        }

        // Step 3. Stand pat: no player has to capture, so the evaluation is a lower bound, except in check.
        let static_eval = self.static_eval(&position, &tt_hit);
        let mut best = -Score::INFINITE;
        if let (Some(eval), Some(estimate)) = (static_eval.corrected, static_eval.estimate) {
            best = if estimate.is_decided() { eval } else { estimate };
            if best >= beta {
                let score = pruning::soften(best, beta, quiescence_softening());
                if !tt_hit.is_hit {
                    self.store_quiescence(score, Bound::Lower, None, &static_eval, false);
                }
                return self.ends(NodeEnd::StandPat, score);
            }
            alpha = alpha.max(best);
        }

        // Step 4. Futility: captures that cannot bring the score up to alpha are not even generated.
        let price = futile_material(&static_eval, alpha, &mut best);

        // Step 5. Try the moves: out of check all of them, otherwise promotions and captures that lose no material.
        let first_alpha = alpha;
        let mut best_move = None;
        let tt_move = tt_hit.mv.filter(|&mv| (is_check || is_tactical(&position, mv)) && position.is_legal(mv));
        let context = if is_check { self.context(&position) } else { Context::for_captures(&position) };
        let mut picker = if is_check {
            Picker::all(&position, tt_move)
        } else {
            Picker::winning(&position, tt_move, price, least_see())
        };
        let mut count = 0;
        while let Some(mv) = self.next_move(&mut picker, &context) {
            count += 1;
            let is_quiet = !is_tactical(&position, mv);
            if !best.is_loss() {
                // Step 6. Out of check, one quiet move that does not lose shows that there are some.
                if is_check && is_quiet && one_evasion_is_enough() {
                    picker.skip_quiets();
                    if count > 1 {
                        self.watcher.skips(mv, Skip::EnoughTried);
                        continue;
                    }
                }
                // Step 7. The first captures are the best; after them only those that give check might surprise.
                if !is_check && count > quiescence_move_cap() && is_plain_capture(&position, mv) {
                    self.watcher.skips(mv, Skip::EnoughTried);
                    continue;
                }
            }

            // Step 8. Play the move and search on.
            self.make_move(&position, mv, PieceTo::of(&position, mv), !is_quiet);
            let score =
                if N::PV { -self.quiescence::<Pv>(-beta, -alpha) } else { -self.quiescence::<Zero>(-beta, -alpha) };
            self.undo_move();
            if self.is_stopped {
                return self.ends(NodeEnd::Stopped, Score::DRAW);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.stack.update_pv(mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // Step 9. Mate.
        if is_check && count == 0 {
            return self.ends(NodeEnd::Mate, Score::mated_in(ply));
        }

        // Step 10. Soften the score of a cutoff, and store what was found.
        if best >= beta {
            best = pruning::soften_cutoff(best, beta, quiescence_softening());
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store_quiescence(best, bound, best_move, &static_eval, N::PV || tt_hit.was_pv);
        self.ends(if best >= beta { NodeEnd::Cutoff } else { NodeEnd::AllMoves }, best)
    }

    fn store_quiescence(&self, score: Score, bound: Bound, mv: Option<Move>, static_eval: &StaticEval, was_pv: bool) {
        self.store_tt(TtEntry { mv, score: Some((score, bound)), raw_eval: static_eval.raw, depth: 0, was_pv });
    }
}

/// The material, as SEE counts it, that does not bring the evaluation up to alpha even with a margin. The best score is
/// lifted to what the most valuable such piece would bring, since its capture is not searched.
#[inline]
fn futile_material(static_eval: &StaticEval, alpha: Score, best: &mut Score) -> i32 {
    let Some(eval) = static_eval.corrected.filter(|_| quiescence_futility()) else { return 0 };
    let hope = eval + quiescence_futility_margin();
    let price = pruning::material_of_eval(alpha - hope);
    let values = Role::ALL.map(|role| SEE_VALUES.of(role));
    if let Some(most_valuable) = values.into_iter().filter(|&value| value <= price).max() {
        *best = (*best).max(hope + pruning::eval_of_material(most_valuable));
    }
    price
}

/// The least SEE of a capture that is searched.
#[inline]
fn least_see() -> i32 {
    if quiescence_see() { 0 } else { i32::MIN }
}

/// Whether quiet moves out of check are left as soon as one of them does not lose.
#[inline]
fn one_evasion_is_enough() -> bool {
    quiescence_evasion_limit()
}

/// Whether a move neither promotes nor gives check.
#[inline]
fn is_plain_capture(position: &Position, mv: Move) -> bool {
    mv.promotion_role().is_none() && !position.gives_check(mv)
}
