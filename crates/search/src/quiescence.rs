//! Quiescence: at the end of a line, captures and promotions are played out until the position can be judged.

use rules::{Move, Role};

use crate::MAX_PLY;
use crate::history::{Context, PieceTo};
use crate::node::{Node, Pv, Zero};
use crate::picker::{Picker, SEE_VALUES, is_tactical};
use crate::pruning;
use crate::static_eval::StaticEval;
use crate::tt::TtEntry;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Ending, Evaluator, Score, Skip, Visit, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The score of the current position if only captures and promotions are played; out of check, all moves.
    pub(crate) fn quiescence<N: Node>(&mut self, mut alpha: Score, beta: Score) -> Score {
        // Step 1. Count the node, and look for a draw.
        if self.count_node() {
            return Score::DRAW;
        }
        self.watcher.enters(Visit { depth: None, alpha, beta });
        let (ply, position) = (self.ply(), *self.position());
        let is_check = !self.frame().checkers.is_empty();
        if N::PV {
            self.stack.frame_mut().pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.is_draw(&position) {
            return self.ends(Ending::Draw, Score::DRAW);
        }
        if self.has_upcoming_repetition(alpha) {
            alpha = Score::DRAW;
            if alpha >= beta {
                return self.ends(Ending::Draw, alpha);
            }
        }
        if ply >= MAX_PLY {
            let score = if is_check { Score::DRAW } else { self.evaluate(&position) };
            return self.ends(Ending::Horizon, score);
        }

        // Step 2. The table.
        let tt_hit = self.probe_tt();
        if !N::PV
            && quiescence_tt_cutoffs()
            && position.halfmove_clock() < pruning::TT_CUTOFF_CLOCK
            && let Some(score) = tt_hit.cutoff(0, alpha, beta)
        {
            return self.ends(Ending::Table, score);
        }

        // Step 3. Stand pat: nobody has to capture, so the evaluation is a lower bound, unless there is a check.
        let static_eval = self.static_eval(&position, &tt_hit);
        let mut best = -Score::INFINITE;
        if let (Some(eval), Some(estimate)) = (static_eval.corrected, static_eval.estimate) {
            best = if estimate.is_decided() { eval } else { estimate };
            if best >= beta {
                let score = if cutoff_softening() { best.towards(beta, 1, 2) } else { best };
                if !tt_hit.is_hit {
                    self.store_quiet(score, Bound::Lower, None, &static_eval, false);
                }
                return self.ends(Ending::StandPat, score);
            }
            alpha = alpha.max(best);
        }

        // Step 4. Futility: captures that cannot bring the score up to alpha are not even generated.
        let mut price = 0;
        if let Some(eval) = static_eval.corrected.filter(|_| quiescence_futility()) {
            let hope = eval + quiescence_futility_margin();
            price = pruning::material_of_eval(alpha - hope);
            let values = Role::ALL.map(|role| SEE_VALUES.of(role));
            let dearest = values.into_iter().filter(|&value| value <= price).max();
            best = best.max(dearest.map_or(best, |dearest| hope + pruning::eval_of_material(dearest)));
        }

        // Step 5. Try the moves: out of check all of them, otherwise promotions and captures that lose no material.
        let first_alpha = alpha;
        let mut best_move = None;
        let tt_move = tt_hit.mv.filter(|&mv| (is_check || is_tactical(&position, mv)) && position.is_legal(mv));
        // Captures are judged without it.
        let context = if is_check { self.context(&position) } else { Context::for_captures(&position) };
        let mut picker = if is_check {
            Picker::all(&position, tt_move)
        } else {
            let least = if quiescence_see() { 0 } else { i32::MIN };
            Picker::winning(&position, tt_move, price, least)
        };
        let mut count = 0;
        while let Some(mv) = self.next_move(&mut picker, &context) {
            count += 1;
            let is_quiet = !is_tactical(&position, mv);
            if !best.is_loss() {
                // Step 6. Out of check, one quiet move that does not lose shows that there are some.
                if is_check && is_quiet && quiescence_evasion_limit() {
                    picker.skip_quiets();
                    if count > 1 {
                        self.watcher.skips(mv, Skip::EnoughTried);
                        continue;
                    }
                }
                // Step 7. The first captures are the best; after them only those that give check might surprise.
                if !is_check
                    && count > quiescence_move_cap()
                    && mv.promotion_role().is_none()
                    && !position.gives_check(mv)
                {
                    self.watcher.skips(mv, Skip::EnoughTried);
                    continue;
                }
            }

            // Step 8. Play the move and look on.
            self.make_move(&position, mv, PieceTo::of(&position, mv), !is_quiet);
            let score =
                if N::PV { -self.quiescence::<Pv>(-beta, -alpha) } else { -self.quiescence::<Zero>(-beta, -alpha) };
            self.undo_move();
            if self.is_stopped {
                return self.ends(Ending::Stopped, Score::DRAW);
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
            return self.ends(Ending::Mate, Score::mated_in(ply));
        }
        if cutoff_softening() && best >= beta && !best.is_decided() && !beta.is_decided() {
            best = best.towards(beta, 1, 2);
        }

        // Step 10. Remember.
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store_quiet(best, bound, best_move, &static_eval, N::PV || tt_hit.was_pv);
        self.ends(if best >= beta { Ending::Cutoff } else { Ending::AllMoves }, best)
    }

    fn store_quiet(&self, score: Score, bound: Bound, mv: Option<Move>, static_eval: &StaticEval, was_pv: bool) {
        let score = Some((score.seen_from_node(self.ply()), bound));
        self.shared.tt.store(self.position().key(), TtEntry { mv, score, raw_eval: static_eval.raw, depth: 0, was_pv });
    }
}
