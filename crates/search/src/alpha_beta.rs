//! The main search function, step by step.
//!
//! [`Worker::search`] answers what a position is worth when both play well, as far as `depth` plies look. It is written
//! as a list of numbered steps: each heuristic's idea is told where it is called, its arithmetic lives with others of its
//! kind in `pruning`, `reductions`, `history` and `correction`, its own little searches in `side_searches`.

use rules::MoveList;

use crate::MAX_PLY;
use crate::history::{self, PieceTo};
use crate::node::{Expected, Node, Pv, Zero};
use crate::picker::{Picker, is_tactical, victim};
use crate::pruning::{self, MovePruning, has_non_pawn_material};
use crate::reductions::{Lmr, PLY};
use crate::singular::Singular;
use crate::tt::{TtEntry, TtHit};
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Ending, Evaluator, Score, Skip, Visit, Watcher};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The score of the current position at a depth, exact within the window `alpha` to `beta`, beyond it a bound.
    pub(crate) fn search<N: Node>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        expected: Expected,
    ) -> Score {
        // Step 1. Out of depth: only captures and promotions are looked at until the position is quiet.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta);
        }
        depth = depth.min(MAX_PLY as i32 - 1);

        // Step 2. Count the node, and stop when time is up.
        if self.count_node() {
            return Score::DRAW;
        }
        self.watcher.enters(Visit { depth: Some(depth as usize), alpha, beta });
        let (ply, position) = (self.ply(), *self.position());
        let is_check = !self.frame().checkers.is_empty();
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        if N::PV {
            self.stack.frame_mut().pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }

        if !N::ROOT {
            // Step 3. Draws, and the deepest ply.
            if self.is_draw(&position) {
                return self.ends(Ending::Draw, Score::DRAW);
            }
            if ply >= MAX_PLY {
                let score = if is_check { Score::DRAW } else { self.evaluate(&position) };
                return self.ends(Ending::Horizon, score);
            }

            // Step 4. A draw in hand: whoever can repeat a position need not take less.
            if self.has_upcoming_repetition(alpha) {
                (alpha, best) = (Score::DRAW, Score::DRAW);
                if alpha >= beta {
                    return self.ends(Ending::Draw, alpha);
                }
            }

            // Step 5. Mate distance: no line from here is better than mating next, or worse than being mated now.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return self.ends(Ending::MateDistance, alpha);
            }
        }
        self.stack.child_mut().excluded = None;
        self.stack.child_mut().cutoffs = 0;

        // Step 6. The table: perhaps this position was searched before, deeply enough to answer at once.
        let excluded = self.frame().excluded;
        let tt_hit = if excluded.is_some() { TtHit::MISS } else { self.probe_tt() };
        let was_pv = N::PV || tt_hit.was_pv;
        if !N::PV
            && tt_cutoffs()
            && position.halfmove_clock() < pruning::TT_CUTOFF_CLOCK
            && let Some(score) = tt_hit.cutoff(depth, alpha, beta)
        {
            return self.ends(Ending::Table, score);
        }

        // Step 7. Tablebases: with few pieces left, somebody may know the result.
        if !N::ROOT
            && excluded.is_none()
            && let Some(score) = self.probe_tablebase::<N>(&position, depth, alpha, beta)
        {
            return self.ends(Ending::Tablebase, score);
        }

        // Step 8. Judge at a glance: the evaluation, corrected by experience, and by the table where that says more.
        let static_eval = self.static_eval(&position, &tt_hit);
        let is_improving = self.is_improving();

        // Step 9. Hindsight: the parent reduced this move on a guess that the evaluation now confirms or refutes.
        if !N::ROOT && excluded.is_none() {
            depth += self.hindsight(depth);
        }

        if let (Some(eval), Some(estimate)) = (static_eval.corrected, static_eval.estimate)
            && !N::PV
            && excluded.is_none()
        {
            // Step 10. Reverse futility: so far ahead that the opponent's next move will hardly undo it.
            if pruning::is_reverse_futile(estimate, beta, depth, is_improving) {
                return self.ends(Ending::ReverseFutility, beta.towards(estimate, 1, 3));
            }

            // Step 11. Null move: if passing is still too good for the opponent, a real move will be too.
            if estimate >= beta
                && pruning::allows_null_move(eval, beta, depth)
                && expected == Expected::Cut
                && self.stack.before(1).piece_to.is_some()
                && ply >= self.null_moves_from
                && has_non_pawn_material(&position)
                && let Some(score) = self.try_null_move(&position, beta, depth, estimate)
            {
                return self.ends(Ending::NullMove, score);
            }
        }

        // Step 12. Internal iterative reduction: without a move from the table the ordering is poor and the search dear.
        let tt_move = if N::ROOT { self.root.first() } else { tt_hit.mv.filter(|&mv| position.is_legal(mv)) };
        if depth >= pruning::INTERNAL_ITERATIVE_REDUCTION_DEPTH
            && internal_iterative_reduction()
            && tt_move.is_none()
            && excluded.is_none()
            && expected != Expected::All
        {
            depth -= 1;
        }

        // Step 13. ProbCut: a capture that beats beta by a margin in a shallow search will beat it in a deep one.
        if !N::PV
            && probcut()
            && !is_check
            && excluded.is_none()
            && depth >= probcut_depth()
            && !beta.is_decided()
            && let Some(score) = self.try_probcut(&position, beta, depth, expected, &tt_hit, &static_eval)
        {
            return self.ends(Ending::ProbCut, score);
        }

        // Step 14. Try the moves, the most promising first.
        let context = self.context(&position);
        let tt_move_is_tactical = tt_move.is_some_and(|mv| is_tactical(&position, mv));
        let may_prune = !N::ROOT && has_non_pawn_material(&position);
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
            let is_quiet = !is_tactical(&position, mv);
            let piece_to = PieceTo::of(&position, mv);
            let history = match picker.quiet_history() {
                Some(history) => history,
                None if is_quiet => self.data.histories.quiet_score(&context, mv, piece_to),
                None => self.data.histories.capture_score(piece_to, victim(&position, mv)),
            };
            let reduction = self.shared.reductions.base(is_quiet, depth, count);
            let pruning = MovePruning { depth, is_improving, static_eval: static_eval.corrected, alpha };

            // Step 15. Prune moves that come late, promise little or lose material.
            if may_prune && !best.is_loss() {
                if is_quiet {
                    let reduced = (depth - reduction / PLY).max(0);
                    if pruning.is_late(count) {
                        self.watcher.skips(mv, Skip::Late);
                        picker.skip_quiets();
                        continue;
                    }
                    if pruning.is_futile(reduced, history) {
                        self.watcher.skips(mv, Skip::Futile);
                        picker.skip_quiets();
                        continue;
                    }
                    if pruning.has_bad_history(reduced, history) {
                        self.watcher.skips(mv, Skip::History);
                        continue;
                    }
                    if (context.threats.contains(mv.to()) || !threat_history())
                        && picker.see(mv) < pruning.least_quiet_see(reduced)
                    {
                        self.watcher.skips(mv, Skip::LosesMaterial);
                        continue;
                    }
                } else if picker.is_down_to_losing() && picker.see(mv) < pruning.least_tactical_see(history) {
                    self.watcher.skips(mv, Skip::LosesMaterial);
                    continue;
                }
            }

            // Step 16. Singular extension: if all other moves fall short of the table's, it deserves a closer look.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && singular_extension()
                && depth >= singular_depth() + i32::from(was_pv)
                && tt_hit.depth >= depth - 3
                && ply < 2 * self.root_depth as usize
                && let Some((tt_score, bound)) = tt_hit.score
                && bound != Bound::Upper
                && !tt_score.is_decided()
            {
                match self.verify_singular(mv, tt_score, depth, expected, N::PV) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::BeatenBy(score) if multicut() && score >= beta && !score.is_decided() => {
                        return self.ends(Ending::MultiCut, score);
                    }
                    Singular::BeatenBy(_) if tt_score >= beta => extension = -2 - i32::from(!N::PV),
                    Singular::BeatenBy(_) if expected == Expected::Cut => extension = -2,
                    Singular::BeatenBy(_) => {}
                }
            }

            // Step 17. Play the move.
            let nodes_before = self.nodes;
            self.make_move(&position, mv, piece_to, !is_quiet);
            let mut new_depth = depth - 1 + extension;
            let mut score = Score::DRAW;

            // Step 18. Late-move reduction: a late move is first searched less deeply, to see that it is no better.
            if late_move_reduction() && depth >= 2 && count > 1 + usize::from(N::ROOT) {
                let lmr = Lmr {
                    is_quiet,
                    history,
                    is_pv: N::PV,
                    was_pv,
                    is_improving,
                    gives_check: !self.frame().checkers.is_empty(),
                    tt_move_is_tactical,
                    cutoffs: self.frame().cutoffs,
                    correction: static_eval.correction,
                };
                let reduction = reduction + lmr.adjustment();
                let reduced = (new_depth - reduction / PLY).clamp(1.min(new_depth), new_depth + i32::from(N::PV));
                self.stack.parent_mut().reduction = (new_depth - reduced) * PLY;
                score = -self.search::<Zero>(-alpha - 1, -alpha, reduced, Expected::Cut);
                self.stack.parent_mut().reduction = 0;

                // Step 19. It seems better after all: look again without reduction, deeper if it is much better.
                if score > alpha && reduced < new_depth {
                    if lmr_depth_change() {
                        new_depth += i32::from(score > best + deeper_margin() + 2 * new_depth);
                        new_depth -= i32::from(score < best + shallower_margin());
                    }
                    if reduced < new_depth {
                        score = -self.search::<Zero>(-alpha - 1, -alpha, new_depth, expected.of_child());
                    }
                    if is_quiet && post_lmr_history() {
                        let bonus = if score > alpha { history::bonus(depth) } else { -history::malus(depth) };
                        self.data.histories.update_continuations(&context, piece_to, bonus);
                    }
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
                return self.ends(Ending::Stopped, Score::DRAW);
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
            if Some(mv) != best_move && count <= pruning::MAX_MALUS_MOVES {
                tried.push(mv);
            }

            // Step 22. Quiet moves that would all be pruned are not even generated.
            if may_prune && !is_quiet && !best.is_loss() && pruning.is_futile(depth, 0) {
                picker.skip_quiets();
            }
        }

        // Step 23. No legal move: mate or stalemate.
        if count == 0 {
            return match excluded {
                Some(_) => self.ends(Ending::AllMoves, alpha),
                None if is_check => self.ends(Ending::Mate, Score::mated_in(ply)),
                None => self.ends(Ending::Stalemate, Score::DRAW),
            };
        }

        // Step 24. Learn which move was too good, and soften its score, the more so the less deep it was found.
        if best >= beta {
            if let Some(mv) = best_move {
                self.update_histories(&position, &context, mv, &tried, depth);
            }
            if cutoff_softening() && !N::ROOT && !best.is_decided() && !beta.is_decided() {
                best = best.towards(beta, 1, depth + 1);
            }
        } else if best_move.is_none() && !N::ROOT && parent_bonus() {
            self.reward_parent(depth);
        }

        // Step 25. Remember what was found, in the table and as a lesson for the evaluation.
        if excluded.is_none() {
            let bound = match best_move {
                None => Bound::Upper,
                Some(_) if best >= beta => Bound::Lower,
                Some(_) => Bound::Exact,
            };
            if !N::ROOT || self.root.is_first_line() {
                let score = Some((best.seen_from_node(ply), bound));
                let entry = TtEntry { mv: best_move, score, raw_eval: static_eval.raw, depth, was_pv };
                self.shared.tt.store(self.position().key(), entry);
            }
            if best_move.is_none_or(|mv| !is_tactical(&position, mv)) {
                self.update_correction(&static_eval, best, bound, depth);
            }
        }
        debug_assert!(best_move.is_none() || best > first_alpha, "a best move raises alpha");
        self.ends(if best >= beta { Ending::Cutoff } else { Ending::AllMoves }, best)
    }
}
