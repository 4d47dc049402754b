//! The main search function, step by step.
//!
//! [`Worker::search`] answers what a position is worth when both play well, as far as `depth` plies look. It is written
//! as a list of numbered steps: the idea of each heuristic is told where it is called; its conditions and its
//! arithmetic are in the file named after it.

use rules::MoveList;

use crate::history::Candidate;
use crate::node::{Expected, Node, Pv, Zero};
use crate::picker::{Picker, is_tactical};
use crate::pruning::{self, MovePruning};
use crate::reductions::{self, Lmr, PLY};
use crate::singular::Singular;
use crate::tt::{TtEntry, TtHit};
use crate::worker::Worker;
use crate::{Bound, Evaluator, MAX_PLY, NodeEnd, Score, Visit, Watcher, history_updates};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The score of the current position at a depth, exact within the window `alpha` to `beta`, beyond it a bound.
    pub(crate) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        expected: Expected,
    ) -> Score {
        // Step 1. Out of depth: only captures and promotions are searched until the position is quiet.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta);
        }
        depth = depth.min(MAX_PLY as i32 - 1);

        // Step 2. Count the node, and stop when time is up.
        if self.count_node() {
            return Score::DRAW;
        }
        self.watcher.enters(Visit { depth: Some(depth as usize), alpha, beta });
        self.start_pv::<N>();
        let (ply, position) = (self.ply(), *self.position());
        let (is_check, excluded) = (self.frame().is_check(), self.frame().excluded);
        let (mut best, mut best_move) = (-Score::INFINITE, None);

        if !N::ROOT {
            // Step 3. Draws, and the deepest ply.
            if self.is_draw(&position) {
                return self.ends(NodeEnd::Draw, Score::DRAW);
            }
            if ply >= MAX_PLY {
                let score = self.score_at_max_ply(&position);
                return self.ends(NodeEnd::Horizon, score);
            }

            // Step 4. Upcoming repetition: a player who can repeat a position need not take less than a draw.
            if self.has_upcoming_repetition(alpha) {
                (alpha, best) = (Score::DRAW, Score::DRAW);
                if alpha >= beta {
                    return self.ends(NodeEnd::Draw, alpha);
                }
            }

            // Step 5. Mate distance: no line from here is better than mating next, or worse than being mated now.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return self.ends(NodeEnd::MateDistance, alpha);
            }
        }
        self.stack.child_mut().cutoffs = 0;

        // Step 6. Transposition table: perhaps this position was searched before, deeply enough to answer at once.
        let tt_hit = if excluded.is_some() { TtHit::MISS } else { self.probe_tt() };
        let was_pv = N::PV || tt_hit.was_pv;
        if let Some(score) = tt_hit.cutoff::<N>(&position, depth, alpha, beta) {
            return self.ends(NodeEnd::TtCutoff, score);
        }

        // Step 7. Tablebases: with few pieces left, the result may be known.
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.probe_tablebase::<N>(&position, depth, alpha, beta)
        {
            return self.ends(NodeEnd::Tablebase, score);
        }

        // Step 8. Static evaluation, corrected by correction history, and by the table where that says more.
        let static_eval = self.static_eval(&position, &tt_hit);
        let is_improving = self.is_improving();

        // Step 9. Hindsight: the parent reduced this move on a guess that the evaluation now confirms or refutes.
        if !N::ROOT && excluded.is_none() {
            depth += self.hindsight(depth);
        }

        if !N::PV
            && excluded.is_none()
            && let (Some(eval), Some(estimate)) = (static_eval.corrected, static_eval.estimate)
        {
            // Step 10. Reverse futility: so far ahead that the opponent's next move will hardly undo it.
            if let Some(score) = pruning::reverse_futility(estimate, beta, depth, is_improving) {
                return self.ends(NodeEnd::ReverseFutility, score);
            }

            // Step 11. Null move: if passing is still too good for the opponent, a real move will be too.
            if expected == Expected::Cut
                && estimate >= beta
                && self.allows_null_move(&position, eval, beta, depth)
                && let Some(score) = self.try_null_move(&position, beta, depth, estimate)
            {
                return self.ends(NodeEnd::NullMove, score);
            }
        }

        // Step 12. Internal iterative reduction: without a move from the table the moves are ordered poorly, and
        // the search costs more.
        let tt_move = if N::ROOT { self.root.first() } else { tt_hit.mv.filter(|&mv| position.is_legal(mv)) };
        if tt_move.is_none() && excluded.is_none() {
            depth -= reductions::internal_iterative(depth, expected);
        }

        // Step 13. ProbCut: a capture that beats beta by a margin in a shallow search will beat it in a deep one.
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.try_probcut(beta, depth, expected, &tt_hit, &static_eval)
        {
            return self.ends(NodeEnd::ProbCut, score);
        }

        // Step 14. Try the moves, the most promising first.
        let context = self.context(&position);
        let tt_move_is_tactical = tt_move.is_some_and(|mv| is_tactical(&position, mv));
        let lmr = Lmr { is_pv: N::PV, was_pv, is_improving, tt_move_is_tactical, correction: static_eval.correction };
        let may_prune = !N::ROOT && pruning::has_non_pawn_material(&position);
        let spares_checks = self.shared.request.options.spares_checks;
        let first_alpha = alpha;
        let mut tried = MoveList::new();
        let mut count = 0;
        let mut picker = Picker::all(&position, tt_move);
        while let Some(mv) = self.next_move(&mut picker, &context) {
            if Some(mv) == excluded || (N::ROOT && !self.root.is_open(mv)) {
                continue;
            }
            count += 1;
            if N::ROOT {
                self.report_current_move(mv, count);
            }
            let candidate = Candidate::new(&position, mv, picker.quiet_history(), &self.data.histories, &context);
            let Candidate { is_quiet, piece_to, .. } = candidate;
            let reduction = self.shared.reductions.base(is_quiet, depth, count);
            let static_eval = static_eval.corrected;
            let pruning = MovePruning { depth, is_improving, static_eval, alpha, spares_checks };

            // Step 15. Prune moves that come late, promise little or lose material.
            if may_prune
                && !best.is_loss()
                && let Some(why) = pruning.reason(&candidate, count, reduction, &context, &mut picker)
            {
                self.watcher.skips(mv, why);
                continue;
            }

            // Step 16. Singular extension: if all other moves fall short of the table's, it is searched more deeply.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && let Some(tt_score) = self.singular_candidate(&tt_hit, depth, was_pv)
            {
                match self.verify_singular::<N>(mv, tt_score, depth, beta, expected) {
                    Singular::Extension(plies) => extension = plies,
                    Singular::MultiCut(score) => return self.ends(NodeEnd::MultiCut, score),
                }
            }

            // Step 17. Play the move.
            let nodes_before = self.nodes;
            self.make_move(&position, mv, piece_to, !is_quiet);
            let mut new_depth = depth - 1 + extension;
            let mut score = Score::DRAW;

            // Step 18. Late-move reduction: a late move is first searched less deeply, to see that it is no better.
            if reductions::applies::<N>(depth, count) {
                let reduced = lmr.reduced_depth(new_depth, reduction, &candidate, self.frame());
                self.stack.parent_mut().reduction = (new_depth - reduced) * PLY;
                score = -self.search::<Zero>(-alpha - 1, -alpha, reduced, Expected::Cut);
                self.stack.parent_mut().reduction = 0;

                // Step 19. It seems better after all: search again without reduction, deeper if it is much better.
                if score > alpha && reduced < new_depth {
                    new_depth += reductions::change_after_lmr(score, best, new_depth);
                    if reduced < new_depth {
                        score = -self.search::<Zero>(-alpha - 1, -alpha, new_depth, expected.of_child());
                    }
                    self.update_after_lmr(&context, &candidate, depth, score > alpha);
                }
            } else if !N::PV || count > 1 {
                score = -self.search::<Zero>(-alpha - 1, -alpha, new_depth, expected.of_child());
            }

            // Step 20. The first move of a node on the principal variation, and any that beats it, is searched in full.
            if N::PV && (count == 1 || score > alpha) {
                score = -self.search::<Pv>(-beta, -alpha, new_depth, Expected::Exact);
            }
            self.undo_move();
            if self.is_stopped {
                return self.ends(NodeEnd::Stopped, Score::DRAW);
            }

            // Step 21. Is it the best so far, or even too good for the opponent to allow?
            if N::ROOT {
                let spent = self.nodes - nodes_before;
                self.record_root_move(mv, spent, score, (alpha, beta), count == 1);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.stack.update_pv(mv);
                    }
                    if score >= beta {
                        self.stack.frame_mut().cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move && history_updates::is_remembered(count) {
                tried.push(mv);
            }

            // Step 22. Quiet moves that would all be pruned are not even generated.
            if may_prune && !is_quiet && !best.is_loss() && pruning.is_futile(depth, 0) {
                pruning.skip_plain_quiets(&mut picker);
            }
        }

        // Step 23. No legal move: mate or stalemate.
        if count == 0 {
            return match excluded {
                Some(_) => self.ends(NodeEnd::AllMoves, alpha),
                None if is_check => self.ends(NodeEnd::Mate, Score::mated_in(ply)),
                None => self.ends(NodeEnd::Stalemate, Score::DRAW),
            };
        }

        // Step 24. Update the histories, and soften the score of a cutoff, the more so the less deep it was found.
        if best >= beta {
            if let Some(mv) = best_move {
                self.update_histories(&position, &context, mv, &tried, depth);
            }
            if !N::ROOT {
                best = pruning::soften_cutoff(best, beta, depth + 1);
            }
        } else if best_move.is_none() && !N::ROOT {
            self.reward_parent(depth);
        }

        // Step 25. Store what was found in the table, and update the correction history.
        if excluded.is_none() {
            let bound = match best_move {
                None => Bound::Upper,
                Some(_) if best >= beta => Bound::Lower,
                Some(_) => Bound::Exact,
            };
            if !N::ROOT || self.root.is_first_line() {
                let score = Some((best, bound));
                self.store_tt(TtEntry { mv: best_move, score, raw_eval: static_eval.raw, depth, was_pv });
            }
            if best_move.is_none_or(|mv| !is_tactical(&position, mv)) {
                self.update_correction(&static_eval, best, bound, depth);
            }
        }
        debug_assert!(best_move.is_none() || best > first_alpha, "a best move raises alpha");
        self.ends(if best >= beta { NodeEnd::Cutoff } else { NodeEnd::AllMoves }, best)
    }
}
