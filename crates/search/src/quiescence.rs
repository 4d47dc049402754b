//! Quiescence: at the end of a line, captures and promotions are played out until the position can be judged.

use rules::{Move, Role};

use crate::alpha_beta::is_tactical;
use crate::glance::Glance;
use crate::history::{Arrival, Context};
use crate::node::{Node, Pv, Zero};
use crate::picker::{EXCHANGE_VALUES, Judges, Picker};
use crate::pruning;
use crate::score::MAX_PLY;
use crate::table::Entry;
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
        let (ply, position) = (self.ply, *self.position());
        let is_check = !self.frame().checkers.is_empty();
        if N::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.is_draw(&position) {
            return self.ends(Ending::Draw, Score::DRAW);
        }
        if draw_in_hand() && alpha < Score::DRAW && self.can_repeat(&position) {
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
        let known = self.recall();
        if !N::PV
            && quiescence_answers()
            && position.halfmove_clock() < pruning::TRUSTWORTHY_CLOCK
            && let Some(score) = known.answer(0, alpha, beta)
        {
            return self.ends(Ending::Table, score);
        }

        // Step 3. Stand pat: nobody has to capture, so the evaluation is a lower bound, unless there is a check.
        let at_a_glance = self.glance(&position, &known);
        let mut best = -Score::INFINITE;
        if let (Some(evaluation), Some(estimate)) = (at_a_glance.evaluation, at_a_glance.estimate) {
            best = if estimate.is_decided() { evaluation } else { estimate };
            if best >= beta {
                let score = if soft_cutoffs() { best.towards(beta, 1, 2) } else { best };
                if !known.is_entry {
                    self.store_quiet(score, Bound::AtLeast, None, &at_a_glance, false);
                }
                return self.ends(Ending::StandPat, score);
            }
            alpha = alpha.max(best);
        }

        // Step 4. Futility: captures that cannot bring the score up to alpha are not even generated.
        let mut price = 0;
        if let Some(evaluation) = at_a_glance.evaluation.filter(|_| quiescence_futility()) {
            let hope = evaluation + quiescence_futility_margin();
            price = pruning::material_for(alpha - hope);
            let values = Role::ALL.map(|role| EXCHANGE_VALUES.of(role));
            let dearest = values.into_iter().filter(|&value| value <= price).max();
            best = best.max(dearest.map_or(best, |dearest| hope + pruning::evaluation_of(dearest)));
        }

        // Step 5. Try the moves: out of check all of them, otherwise promotions and captures that lose no material.
        let first_alpha = alpha;
        let mut best_move = None;
        let table_move = known.mv.filter(|&mv| (is_check || is_tactical(&position, mv)) && position.is_legal(mv));
        // Captures are judged without it.
        let context = if is_check { self.context(&position) } else { Context::irrelevant(&position) };
        let mut picker = if is_check {
            Picker::all(&position, table_move, &self.memory.arena)
        } else {
            let least = if quiescence_exchange() { 0 } else { i32::MIN };
            Picker::winning(&position, table_move, price, least, &self.memory.arena)
        };
        let mut count = 0;
        while let Some(mv) = picker.next(
            &Judges { histories: &self.memory.histories, context: &context, table: self.shared.table },
            &mut self.memory.arena,
        ) {
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
            self.make(&position, mv, Arrival::of(&position, mv), !is_quiet);
            let score =
                if N::PV { -self.quiescence::<Pv>(-beta, -alpha) } else { -self.quiescence::<Zero>(-beta, -alpha) };
            self.take_back();
            if self.is_stopped {
                picker.finish(&mut self.memory.arena);
                return self.ends(Ending::Stopped, Score::DRAW);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.remember_line(mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        picker.finish(&mut self.memory.arena);

        // Step 9. Mate.
        if is_check && count == 0 {
            return self.ends(Ending::Mate, Score::mated_in(ply));
        }
        if soft_cutoffs() && best >= beta && !best.is_decided() && !beta.is_decided() {
            best = best.towards(beta, 1, 2);
        }

        // Step 10. Remember.
        let bound = if best >= beta {
            Bound::AtLeast
        } else if N::PV && best > first_alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.store_quiet(best, bound, best_move, &at_a_glance, N::PV || known.was_pv);
        self.ends(if best >= beta { Ending::Cutoff } else { Ending::AllMoves }, best)
    }

    fn store_quiet(&self, score: Score, bound: Bound, mv: Option<Move>, at_a_glance: &Glance, was_pv: bool) {
        let score = Some((score.seen_from_node(self.ply), bound));
        self.shared.table.store(self.key(), Entry { mv, score, evaluation: at_a_glance.raw, depth: 0, was_pv });
    }
}
