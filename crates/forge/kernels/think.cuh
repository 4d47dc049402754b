// The walk through the tree. A node is a set of variables, and goes through steps that jump to each other:
//
//     enter -> judge -> pick -> make      a move is made, and its node enters
//       |        |       |
//       |        |     leave              no move is left, or one was too good
//       v        v       v
//      back <----+-------+                the node before goes on: picks, searches the move again, or leaves
//
// Jumps instead of a loop over a state: each warp passes several of these places for every node, and whatever decides
// where to go next is fetched and executed as well.

INLINE void store(const Board& b, const Position& p, Stored* stored) {
    sync_warp();
    stored->men[b.lane] = (u16)p.man;
    stored->white = turn(p) ? p.them : p.us;
    stored->black = turn(p) ? p.us : p.them;
    stored->key = p.key;
    stored->state = p.state;
    sync_warp();
}

INLINE Position load(const Board& b, const Stored* stored) {
    u64 white = stored->white, black = stored->black;
    bool is_black = stored->state & 1;
    return {stored->men[b.lane], is_black ? black : white, is_black ? white : black, stored->key, stored->state};
}

// Searches the stored position until the player's nodes are used up, deeper by one ply each time.
//
// A search that is cut short still counts: the move that was best before comes first, so that anything it has found is
// better.
INLINE Found search(const Searcher& s, const Stored* root, u32 last, u32 own_last) {
    const Board b = s.board;
    const SearchParameters& params = parameters(s);
    const Network& network = player(s).network;
    Scratch& scratch = *s.scratch;
    Frame* const frames = scratch.frames + 2;
    Course& course = scratch.course;
    u32 nodes = 0;

    sync_warp();
    frames[-2].hints.x = own_last << 16;
    frames[-1].hints.x = last << 16;
    frames[-2].progress.x = frames[-1].progress.x = halves(0, NO_EVALUATION);
    Position p = load(b, root);
    u32 root_slots;
    key_of(b, p, root_slots);
    course = {1, -INFINITE, INFINITE, evaluate_calmly(b, network, p, layers_at(s, 0), products_of(scratch)), root_slots, {}};
    for (;;) {
        // One walk through the tree, from the root and back.
        sync_warp();
        p = load(b, root);
        int ply = 0, alpha = course.floor, beta = course.ceiling, depth = course.depth, best = -INFINITE;
        int evaluation = 0, value = 0, child_depth = 0, extension = 0;
        u32 best_move = NO_MOVE, move = NO_MOVE, first = 0, count = 0, tried = 0, stage = FULL, flags = 0;
        u32 tt_move = NO_MOVE, slots = course.slots, known = 0;
        bool is_over = false;

    enter: {
        // A node begins: perhaps the game ends here, or the table has the answer.
        best = -INFINITE;
        best_move = tt_move = NO_MOVE;
        known = tried = count = 0;
        flags &= AFTER_PASS | EXCLUDING;
        u32 clock = clock_of(p.state);
        if (ply > 0 && !(flags & EXCLUDING)) {
            // Only a capture or a promotion takes away the last means to mate.
            bool is_draw = clock == 0 ? __popcll(occupied(p)) <= 4 && is_insufficient(p)
                                      : clock >= 4 && (clock >= 100 || occurrences(s, p.key, s.game_ply + ply, clock));
            if (rarely(is_draw)) {
                value = 0;
                goto back;
            }
        }
        const Entry entry = player_tables(s).table[low(p.key) % TABLE_ENTRIES];
        if (is_of(entry, p.key) && !(flags & EXCLUDING)) {
            int score = from_table(high_half(answer_of(entry)), ply);
            u32 bound = notes_of(entry) >> 8 & 255;
            int known_depth = (int)(notes_of(entry) & 255) - 64;
            tt_move = answer_of(entry) & 0xffff;
            known = (u32)(u16)score | notes_of(entry) << 16;
            bool answers = bound == EXACT || (bound == AT_LEAST && score >= beta) || (bound == AT_MOST && score <= alpha);
            if (answers && ply > 0 && beta - alpha == 1 && known_depth >= most(depth, 0) && clock < 90) {
                value = score;
                goto back;
            }
        }
        // Only now is it worth evaluating; the root was evaluated before. The errors of late are asked for first: they
        // arrive meanwhile.
        int error = b.lane < 3 ? error_of_lane(b, player_tables(s), turn(p), slots) : 0;
        evaluation = course.evaluation;
        if (ply > 0) {
            u32 man_before = scratch.men[ply - 1][b.lane];
            evaluation = evaluate(b, network, p, man_before, layers_at(s, ply - 1), layers_at(s, ply), products_of(scratch));
            if (rarely(nodes < s.q.log_room)) {
                s.q.log[recalled(s.warp) * s.q.log_room + nodes] = {p.key, halves(evaluation, alpha), halves(beta, depth), (u32)ply, first};
            }
        }
        evaluation = within(evaluation + correction(b, params, error), -MOST_EVALUATION, MOST_EVALUATION);
        if (rarely(ply >= MAX_PLY - 1)) {
            value = evaluation;
            goto back;
        }
    }

    judge: {
        // Static evaluation and what it prunes; then the list of moves.
        Siege threat = siege(b, p);
        u32 kind = kind_of(p.man);
        if (threat.checkers) {
            flags |= IN_CHECK;
            evaluation = NO_EVALUATION;
        } else {
            int earlier = evaluation_of(frames[ply - 2]);
            if (earlier != NO_EVALUATION && evaluation > earlier) flags |= IMPROVING;
            int estimate = evaluation;
            u32 bound = known >> 24;
            int score = low_half(known);
            if (bound == EXACT || (bound == AT_LEAST && score > estimate) || (bound == AT_MOST && score < estimate)) {
                estimate = score;
            }
            if (depth > 0 && beta - alpha == 1 && ply > 0 && !(flags & (PASSED | EXCLUDING)) && beta > -DECIDED && alpha < DECIDED) {
                int margin = params.reverse_futility_per_depth * depth - (flags & IMPROVING ? params.reverse_futility_improving : 0);
                if (depth <= params.reverse_futility_depth && estimate - margin >= beta && estimate < DECIDED) {
                    value = beta + (estimate - beta) / 3;
                    goto back;
                }
                if (depth >= params.null_move_depth && least(estimate, evaluation) >= beta && !(flags & AFTER_PASS) &&
                    has_pieces(b, p)) {
                    stage = PASSING;
                    move = NO_MOVE;
                    child_depth = depth - params.null_move_base - (depth * params.null_move_per_depth >> 10) -
                                  least((estimate - beta) * params.null_move_per_eval >> 16, 3);
                    goto make;
                }
            }
            if (depth <= 0) {
                best = value = estimate;
                if (best >= beta) goto back;
                if (best > alpha) {
                    alpha = best;
                    flags |= RAISED;
                }
            }
        }
        bool is_loud = depth <= 0 && !threat.checkers;
        u64 to = targets(b, p, threat);
        if (is_loud) {
            u64 loud = p.them;
            if (kind == PAWN) {
                loud |= 0xff000000000000ffull;
                if (rarely(en_passant(p.state) < NO_SQUARE)) loud |= bit(en_passant(p.state));
            }
            to &= loud;
        }
        count = list_moves(b, p, to, is_loud ? QUEEN : KNIGHT, &listed(s, first), LIST_ROOM - first);
        if (count == 0 || first + count > LIST_ROOM) {
            // Mate, stalemate, nothing loud, or too long a line to remember all its moves.
            value = count > 0 ? (threat.checkers ? alpha : evaluation) : threat.checkers ? ply - MATE : is_loud ? best : 0;
            count = 0;
            goto back;
        }
        if (depth >= params.iir_depth && tt_move == NO_MOVE && !(flags & EXCLUDING)) depth--;
        if (tt_move != NO_MOVE && is_tactical(p, tt_move)) flags |= TACTICAL_HINT;
        if (has_pieces(b, p)) flags |= HAS_PIECES;
        score_moves(s, p, first, count, tt_move, piece_to_of(frames[ply - 1]), piece_to_of(frames[ply - 2]));
    }

    pick: {
        // Pick the most promising move, and decide whether and how deeply to search it.
        u32 mine = 0, place = 0;
#pragma unroll 1
        for (u32 other = first + b.lane; other < first + count; other += LANES) {
            u32 entry = listed(s, other);
            if (entry > mine) {
                mine = entry;
                place = other;
            }
        }
        u32 top = max_of_lanes(mine);
        u32 score = top >> 16;
        if (score == 0) goto leave;
        move = top & 0xffff;
        // What the entry becomes: moves keep their place without a score, to be unlearnt; pruned ones vanish.
        u32 becomes = move;
        bool tactical = is_tactical(p, move), promotes = special(move) >= PROMOTION, is_loud = depth <= 0;
        bool is_left_out = (flags & EXCLUDING) && move == tt_move_of(frames[ply - 1]);
        u32 kinds = kinds_at_ends(p, move);
        int victim = worth(b, special(move) == EN_PASSANT ? PAWN : kinds >> 8);
        int stake = worth(b, promotes ? promoted_kind(move) : kinds & 255);
        int gain = promotes ? victim + stake - PAWN_WORTH : victim;
        int lateness = tried + 1, reduction = 0, past = 0;
        // How much it is to win by exchange not to be left out.
        int goal = is_left_out ? TOO_MUCH : ANYTHING;
        if (is_loud) {
            if (tactical && score != FIRST_SCORE && score >= GOOD_CAPTURE) goal = most(goal, 0);
            int hope = evaluation + params.quiescence_futility_margin + victim;
            if (!(flags & IN_CHECK) && !promotes && hope <= alpha) {
                best = most(best, hope);
                goal = TOO_MUCH;
            }
        } else {
            u32 table = (tactical ? 0 : REDUCTION_DEPTHS) + least(depth, REDUCTION_DEPTHS - 1);
            reduction = player(s).reductions[table * REDUCTION_MOVES + least(lateness, REDUCTION_MOVES - 1)];
            bool may_prune = ply > 0 && best > -DECIDED && (flags & HAS_PIECES);
            if (tactical) {
                if (score >= LEAST_QUIET && score != FIRST_SCORE) goal = most(goal, 0);
                if (score < LEAST_QUIET && may_prune) goal = most(goal, -params.see_tactical_per_depth * depth);
            } else if (score != FIRST_SCORE) {
                past = ((int)score - QUIET_MIDDLE) * HISTORY_TO_SCORE;
                if (may_prune) {
                    int reduced = most(depth - (reduction >> 10), 0);
                    int patience = (params.lmp_base + depth * depth) >> (flags & IMPROVING ? 0 : 1);
                    int hope = params.futility_margin + params.futility_per_depth * reduced + (past * params.futility_history >> 10);
                    bool is_late = depth <= params.lmp_depth && lateness > patience;
                    bool is_futile = reduced < params.futility_depth && evaluation != NO_EVALUATION && evaluation + hope <= alpha;
                    if (is_late || is_futile) {
                        // No quiet move will be better: all of them go.
#pragma unroll 1
                        for (u32 other = first + b.lane; other < first + count; other += LANES) {
                            u32 score = listed(s, other) >> 16;
                            if (score >= LEAST_QUIET && score < GOOD_CAPTURE) listed(s, other) = 0;
                        }
                        goal = TOO_MUCH;
                    }
                    goal = most(goal, -params.see_quiet_per_depth * reduced);
                }
            }
        }
        is_left_out = !wins_at_least(b, p, move, stake, gain, goal);
        if (is_left_out) {
            // A good capture that turns out to lose something may come later.
            bool is_postponed = goal == 0 && tactical && score >= LEAST_QUIET && (!is_loud || (flags & IN_CHECK));
            becomes = is_postponed ? (LOSING_CAPTURE + 2 * (u32)victim) << 16 | move : 0;
        }
        if (mine == top) listed(s, place) = becomes;
        if (is_left_out) goto pick;

        tried = least(lateness, 255);
        extension = 0;
        child_depth = depth - 1;
        stage = FULL;
        if (lateness > 1) {
            if (!is_loud) {
                stage = ZERO_WINDOW;
                if (depth >= 2 && lateness > (ply == 0 ? 2 : 1)) {
                    reduction -= beta - alpha > 1 ? params.reduction_pv : 0;
                    reduction += flags & IMPROVING ? 0 : params.reduction_not_improving;
                    reduction += flags & TACTICAL_HINT ? params.reduction_tactical_tt_move : 0;
                    reduction -= past * params.reduction_history >> 10;
                    int reduced = within(child_depth - (reduction >> 10), least(1, child_depth), child_depth);
                    if (reduced < child_depth) {
                        stage = REDUCED;
                        child_depth = reduced;
                    }
                }
            }
        } else if (rarely(score == FIRST_SCORE && depth >= params.singular_depth && ply > 0 && !(flags & EXCLUDING))) {
            int known_score = low_half(known), known_depth = (int)(known >> 16 & 255) - 64;
            if (known_depth >= depth - 3 && (known >> 24 & AT_LEAST) && known_score < DECIDED && known_score > -DECIDED &&
                ply < 2 * course.depth) {
                // Is the table's move the only good one? Search the others, less deeply, against a lower bar.
                stage = SINGULAR;
                child_depth = (depth - 1) / 2;
            }
        }
    }

    make: {
        // Make the move, or pass, or stay and leave a move out; the node waits in its frame.
        u32 side = turn(p);
        Frame& frame = frames[ply];
        scratch.men[ply][b.lane] = (u16)p.man;
        frame.place = make_uint4(low(p.key), high(p.key), low(p.us), high(p.us));
        frame.state = make_uint4(low(p.them), high(p.them), p.state, halves(alpha, beta));
        frame.progress = make_uint4(halves(best, evaluation), best_move | move << 16, halves(first, count),
                                    (u32)(depth + 64) | tried << 8 | stage << 16 | flags << 24);
        u32 node_slots = slots;
        first += count;
        flags = move != NO_MOVE ? 0 : AFTER_PASS;
        u32 piece_to = NO_PIECE_TO;
        // The window of the child: all of ours, or only whether it is better than what we have. We pass with such a one
        // already.
        int floor = stage == FULL ? -beta : -alpha - 1;
        beta = -alpha;
        alpha = floor;
        if (rarely(stage == SINGULAR)) {
            flags = EXCLUDING;
            beta = low_half(known) - (params.singular_margin_per_depth * depth >> 3);
            alpha = beta - 1;
        } else {
            u32 kind = make(b, p, move, slots);
            prefetch(&player_tables(s).table[low(p.key) % TABLE_ENTRIES]);
            if (move != NO_MOVE) piece_to = piece_to_of(side, kind, target(move));
        }
        frame.hints = make_uint4(tt_move | piece_to << 16, node_slots, known, (u32)extension);
        ply++;
        key_at(s, s.game_ply + ply) = p.key;
        depth = child_depth;
        nodes++;
        if (nodes < (u32)params.nodes || course.depth == 1) goto enter;
        is_over = true;
        goto end;
    }

    leave: {
        // All moves were looked at, or one was too good: remember what was found.
        value = best;
        if (rarely(best == -INFINITE)) {
            // Everything was left out.
            value = alpha;
        } else if (!(flags & EXCLUDING)) {
            u32 bound = best >= beta ? AT_LEAST : flags & RAISED ? EXACT : AT_MOST;
            bool is_quiet = best_move == NO_MOVE || !is_tactical(p, best_move);
            if (depth > 0 && !(flags & IN_CHECK) && is_quiet && !(bound == AT_LEAST && best <= evaluation) &&
                !(bound == AT_MOST && best >= evaluation) && best < DECIDED && best > -DECIDED) {
                learn_error(b, player_tables(s), turn(p), slots, best - evaluation, depth);
            }
            Entry* entry = &player_tables(s).table[low(p.key) % TABLE_ENTRIES];
            u32 notes = (u32)(most(depth, 0) + 64) | bound << 8 | s.age << 16;
            const Entry earlier = *entry;
            u32 old = notes_of(earlier);
            bool is_better = !is_of(earlier, p.key) && old >> 16 == s.age && (old & 255) >= (notes & 255) + 4;
            u32 answer = halves(0, to_table(best, ply)) | (best_move != NO_MOVE ? best_move : tt_move);
            sync_warp();
            if (!is_better && b.lane == 0) *entry = make_uint4(low(p.key), high(p.key), answer, notes);
            sync_warp();
        }
    }

    back: {
        // Back to the node before, with the value of its child.
        if (ply == 0) goto end;
        ply--;
        SETTLE(ply);
        uint4 place = frames[ply].place, state = frames[ply].state, progress = frames[ply].progress, hints = frames[ply].hints;
        p = {scratch.men[ply][b.lane], join(place.z, place.w), join(state.x, state.y), join(place.x, place.y), state.z};
        alpha = low_half(state.w);
        beta = high_half(state.w);
        best = low_half(progress.x);
        evaluation = high_half(progress.x);
        best_move = progress.y & 0xffff;
        move = progress.y >> 16;
        first = progress.z & 0xffff;
        count = progress.z >> 16;
        depth = (int)(progress.w & 255) - 64;
        tried = progress.w >> 8 & 255;
        stage = progress.w >> 16 & 255;
        flags = progress.w >> 24;
        tt_move = hints.x & 0xffff;
        slots = hints.y;
        known = hints.z;
        extension = (int)hints.w;
        sync_warp();
        if (rarely(stage == PASSING)) {
            value = -value;
            if (value >= beta) {
                if (value > DECIDED) value = beta;
                goto back;
            }
            flags |= PASSED;
            goto judge;
        }
        if (rarely(stage == SINGULAR)) {
            int known_score = low_half(known);
            int bar = known_score - (params.singular_margin_per_depth * depth >> 3);
            // Several moves are too good.
            if (value >= bar && value >= beta && value < DECIDED) goto back;
            if (value < bar) extension = value < bar - params.double_extension_margin && beta - alpha == 1 ? 2 : 1;
            else if (known_score >= beta) extension = -2;
        } else {
            value = -value;
        }
        child_depth = depth - 1 + extension;
        if (stage == SINGULAR || (stage == ZERO_WINDOW && value > alpha && value < beta)) {
            stage = FULL;
            goto make;
        }
        if (stage == REDUCED && value > alpha) {
            stage = ZERO_WINDOW;
            goto make;
        }
        if (value <= best) goto pick;
        best = value;
        if (value <= alpha) goto pick;
        alpha = value;
        best_move = move;
        flags |= RAISED;
        if (rarely(ply == 0)) {
            course.found.move = move;
            course.found.score = value;
        }
        if (alpha < beta) goto pick;
        if (rarely(depth > 0 && !is_tactical(p, move))) {
            learn_cutoff(s, p, first, count, move, depth, piece_to_of(frames[ply - 1]), piece_to_of(frames[ply - 2]));
        }
        goto leave;
    }

    end:
        sync_warp();
        int floor = course.floor, ceiling = course.ceiling, spread = ceiling - floor;
        bool is_within = value > floor && value < ceiling;
        Found found = course.found;
        found.nodes = nodes;
        if (is_within && !is_over) found.depth = course.depth;
        if (is_over || found.move == NO_MOVE || (is_within && course.depth + 1 >= MAX_PLY)) return found;
        int next_depth = course.depth;
        if (is_within) {
            // Deeper by a ply, with a window around what was found.
            bool is_narrow = next_depth >= 3 && found.score < DECIDED && found.score > -DECIDED;
            next_depth++;
            floor = is_narrow ? found.score - params.aspiration_window : -INFINITE;
            ceiling = is_narrow ? found.score + params.aspiration_window : INFINITE;
        } else if (value <= floor) {
            floor = spread > 500 ? -INFINITE : most(value - spread, -INFINITE);
        } else {
            ceiling = spread > 500 ? INFINITE : least(value + spread, INFINITE);
        }
        sync_warp();
        course.depth = next_depth;
        course.floor = floor;
        course.ceiling = ceiling;
        course.found = found;
    }
}
