// The walk through the tree.

enum Step { ENTER, JUDGE, PICK, MAKE, LEAVE, RETURN };

INLINE void store(const Board& b, const Position& p, Stored* stored) {
    meet();
    stored->men[b.lane] = (u16)p.man;
    stored->white = p.white;
    stored->black = p.black;
    stored->key = p.key;
    stored->state = p.state;
    meet();
}

INLINE Position load(const Board& b, const Stored* stored) {
    return {stored->men[b.lane], stored->white, stored->black, stored->key, stored->state};
}

// Searches the stored position until the player's nodes are used up, deeper by one ply each time.
//
// A search that is cut short still counts: the move that was best before comes first, so that anything it has found is better.
INLINE Found search(const Searcher& s, const Stored* root, u32 last, u32 own_last) {
    const Board b = s.board;
    const Inclination& i = inclination(s);
    const Network& network = player(s).network;
    Scratch& scratch = *s.scratch;
    Frame* const frames = scratch.frames + 2;
    Course& course = scratch.course;
    u32 nodes = 0;

    meet();
    frames[-2].hints = own_last << 16;
    frames[-1].hints = last << 16;
    frames[-2].values = frames[-1].values = halves(0, NO_EVALUATION);
    Position p = load(b, root);
    PartKeys parts;
    key_of(b, p, parts);
    course = {1, -INFINITE, INFINITE, evaluate(b, network, p, true, 0, layers_at(s, 0), layers_at(s, 0)), error_slots(parts), {}};
    for (;;) {
        // One walk through the tree, from the root and back.
        meet();
        p = load(b, root);
        int ply = 0, alpha = course.floor, beta = course.ceiling, depth = course.depth, best = -INFINITE;
        int evaluation = course.evaluation, value = 0, child_depth = 0, child_alpha = 0, child_beta = 0, extension = 0;
        u32 best_move = NO_MOVE, move = NO_MOVE, first = 0, count = 0, tried = 0, stage = FULL, flags = 0;
        u32 table_move = NO_MOVE, slots = course.slots, known = 0;
        bool is_over = false;
        Step step = ENTER;
        for (;;) {
            // A node begins: perhaps the game ends here, or the table has the answer.
            if (step == ENTER) {
                best = -INFINITE;
                best_move = table_move = NO_MOVE;
                known = tried = count = 0;
                flags &= AFTER_PASS | EXCLUDING;
                step = JUDGE;
                u32 clock = clock_of(p.state);
                if (ply > 0 && !(flags & EXCLUDING)) {
                    u32 men = __popcll(occupied(p));
                    if (clock >= 100 || (clock >= 4 && occurrences(s, p.key, s.game_ply + ply, clock)) ||
                        (men <= 4 && is_insufficient(p))) {
                        value = 0;
                        step = RETURN;
                    } else if (ply >= MAX_PLY - 1) {
                        value = within(evaluation, -MOST_EVALUATION, MOST_EVALUATION);
                        step = RETURN;
                    }
                }
                evaluation = within(evaluation + correction(memory(s), i, turn(p), slots), -MOST_EVALUATION, MOST_EVALUATION);
                const Entry& entry = memory(s).table[low(p.key) % TABLE_ENTRIES];
                if (step == JUDGE && !(flags & EXCLUDING) && entry.key == p.key) {
                    int score = from_table(high_half(entry.answer), ply);
                    u32 bound = entry.notes >> 8 & 255;
                    int known_depth = (int)(entry.notes & 255) - 64;
                    table_move = entry.answer & 0xffff;
                    known = (u32)(u16)score | (entry.notes & 0xffff) << 16;
                    bool answers = bound == EXACT || (bound == AT_LEAST && score >= beta) || (bound == AT_MOST && score <= alpha);
                    if (answers && ply > 0 && beta - alpha == 1 && known_depth >= most(depth, 0) && clock < 90) {
                        value = score;
                        step = RETURN;
                    }
                }
            }

            // Judge it at a glance: perhaps no move need be looked at. Otherwise list the moves.
            if (step == JUDGE) {
                Attacks a = attacks(b, p);
                bool is_zero_window = beta - alpha == 1;
                bool mine = is_mover(b, p);
                u32 kind = kind_of(p.man);
                step = PICK;
                if (a.checkers) flags |= IN_CHECK;
                if (any(mine && kind > PAWN && kind < KING)) flags |= HAS_PIECES;
                if (!a.checkers) {
                    int earlier = high_half(frames[ply - 2].values);
                    if (earlier != NO_EVALUATION && evaluation > earlier) flags |= IMPROVING;
                    int estimate = evaluation;
                    u32 bound = known >> 24;
                    int score = low_half(known);
                    if (bound == EXACT || (bound == AT_LEAST && score > estimate) || (bound == AT_MOST && score < estimate)) {
                        estimate = score;
                    }
                    if (depth > 0 && is_zero_window && ply > 0 && !(flags & (PASSED | EXCLUDING))) {
                        int margin = i.reverse_futility_per_depth * depth -
                                     (flags & IMPROVING ? i.reverse_futility_improving : 0);
                        int reduction = i.null_move_base + depth / i.null_move_divisor +
                                        within((estimate - beta) / i.null_move_surplus, 0, 3);
                        if (depth <= i.razor_depth && alpha > -DECIDED && alpha < DECIDED &&
                            estimate + i.razor_margin + i.razor_per_depth * depth <= alpha) {
                            depth = 0;
                        } else if (depth <= i.reverse_futility_depth && estimate - margin >= beta && beta > -DECIDED &&
                                   estimate < DECIDED) {
                            value = beta + (estimate - beta) / 3;
                            step = RETURN;
                        } else if (depth >= i.null_move_depth && estimate >= beta && evaluation >= beta && beta > -DECIDED &&
                                   !(flags & AFTER_PASS) && (flags & HAS_PIECES)) {
                            stage = PASSING;
                            move = NO_MOVE;
                            child_depth = depth - reduction;
                            child_alpha = -beta;
                            child_beta = 1 - beta;
                            step = MAKE;
                        }
                    }
                    if (depth <= 0) {
                        best = estimate;
                        if (best >= beta) {
                            value = best;
                            step = RETURN;
                        } else if (best > alpha) {
                            alpha = best;
                            flags |= RAISED;
                        }
                    }
                } else {
                    evaluation = NO_EVALUATION;
                }
                if (step == PICK) {
                    bool is_loud = depth <= 0 && !a.checkers;
                    u64 to = targets(b, p, a);
                    if (is_loud) {
                        u64 loud = theirs(p);
                        if (kind == PAWN) loud |= 0xff000000000000ffull;
                        if (kind == PAWN && en_passant(p.state) < NO_SQUARE) loud |= bit(en_passant(p.state));
                        to &= loud;
                    }
                    count = list_moves(b, p, to, is_loud ? QUEEN : KNIGHT, &listed(s, first), LIST_ROOM - first);
                    if (first + count > LIST_ROOM) {
                        // Too long a line to remember all its moves.
                        value = a.checkers ? alpha : evaluation;
                        step = RETURN;
                    } else if (count == 0) {
                        value = a.checkers ? ply - MATE : is_loud ? best : 0;
                        step = RETURN;
                    } else {
                        if (depth >= i.iterative_reduction_depth && table_move == NO_MOVE && !(flags & EXCLUDING)) depth--;
                        if (table_move != NO_MOVE && is_tactical(p, table_move)) flags |= TACTICAL_HINT;
                        u32 last = frames[ply - 1].hints >> 16, own_last = frames[ply - 2].hints >> 16;
                        score_moves(s, p, first, count, table_move, last, own_last);
                    }
                }
            }

            // Pick the most promising move, and decide whether and how deeply to search it.
            if (step == PICK) {
                u32 mine = 0, place = 0;
                for (u32 other = first + b.lane; other < first + count; other += LANES) {
                    u32 entry = listed(s, other);
                    if (entry > mine) {
                        mine = entry;
                        place = other;
                    }
                }
                u32 top = max_of_lanes(mine);
                u32 score = top >> 16;
                bool is_my_move = mine == top;
                // What the entry becomes: moves keep their place without a score, to be unlearnt; pruned ones vanish.
                u32 becomes = top & 0xffff;
                step = score == 0 ? LEAVE : MAKE;
                show_kinds(s, p);
                if (step == MAKE) {
                    move = top & 0xffff;
                    u32 kind = scratch.kinds[origin(move)];
                    int victim = worth(victim_kind(s, p, move));
                    bool tactical = is_tactical(p, move), promotes = special(move) >= PROMOTION;
                    bool is_loud = depth <= 0;
                    bool may_prune = ply > 0 && best > -DECIDED && (flags & HAS_PIECES) && score != FIRST_SCORE;
                    bool is_left_out = (flags & EXCLUDING) && move == (frames[ply - 1].hints & 0xffff);
                    int stake = worth(promotes ? promoted_kind(move) : kind);
                    int gain = victim + (promotes ? stake - worth(PAWN) : 0);
                    int lateness = tried + 1;
                    int reduction = player(s).reductions[((tactical ? 0 : 1) * REDUCTION_DEPTHS +
                                                          within(depth, 0, REDUCTION_DEPTHS - 1)) * REDUCTION_MOVES +
                                                         least(lateness, REDUCTION_MOVES - 1)];
                    int past = tactical ? 0 : ((int)score - QUIET_MIDDLE) * HISTORY_TO_SCORE;
                    if (score == FIRST_SCORE) past = 0;
                    if (is_left_out) {
                        becomes = 0;
                    } else if (tactical && score >= GOOD_CAPTURE && score != FIRST_SCORE && stake > gain &&
                               !wins_at_least(b, p, move, stake, gain, 0)) {
                        // It loses material: later, if at all.
                        becomes = is_loud && !(flags & IN_CHECK) ? 0 : (LOSING_CAPTURE + 2 * (u32)victim) << 16 | move;
                        is_left_out = true;
                    } else if (is_loud) {
                        if (!(flags & IN_CHECK) && !promotes && best > -DECIDED) {
                            int hope = evaluation + i.quiescence_margin + victim;
                            if (hope <= alpha) {
                                best = most(best, hope);
                                becomes = 0;
                                is_left_out = true;
                            }
                        }
                    } else if (may_prune && !tactical) {
                        int reduced = most(depth - reduction / 1024, 0);
                        int patience = (i.late_move_base + depth * depth) / (flags & IMPROVING ? 1 : 2);
                        int hope = i.futility_margin + i.futility_per_depth * reduced + past / i.futility_history;
                        bool is_late = depth <= i.late_move_depth && lateness > patience;
                        bool is_futile = reduced < i.futility_depth && evaluation != NO_EVALUATION && evaluation + hope <= alpha;
                        bool has_failed = reduced < i.history_pruning_depth && past < -i.history_pruning_per_depth * depth;
                        if (is_late || is_futile) {
                            // No quiet move will be better: all of them go.
                            for (u32 other = first + b.lane; other < first + count; other += LANES) {
                                u32 score = listed(s, other) >> 16;
                                if (score >= LEAST_QUIET && score < GOOD_CAPTURE) listed(s, other) = 0;
                            }
                            becomes = 0;
                            is_left_out = true;
                        } else if (has_failed || !wins_at_least(b, p, move, stake, 0, -i.exchange_quiet * reduced)) {
                            becomes = 0;
                            is_left_out = true;
                        }
                    } else if (may_prune && score < LEAST_QUIET && !wins_at_least(b, p, move, stake, gain, -i.exchange_tactical * depth)) {
                        becomes = 0;
                        is_left_out = true;
                    }
                    if (is_my_move) listed(s, place) = becomes;
                    if (is_left_out) {
                        step = PICK;
                        continue;
                    }

                    tried = least(lateness, 255);
                    extension = 0;
                    child_depth = depth - 1;
                    child_alpha = -beta;
                    child_beta = -alpha;
                    stage = FULL;
                    int known_score = low_half(known), known_depth = (int)(known >> 16 & 255) - 64;
                    u32 bound = known >> 24;
                    if (score == FIRST_SCORE && ply > 0 && !(flags & EXCLUDING) && depth >= i.singular_depth &&
                        known_depth >= depth - 3 && (bound & AT_LEAST) && known_score < DECIDED && known_score > -DECIDED &&
                        ply < 2 * course.depth) {
                        // Is the table's move the only good one? Search the others, less deeply, against a lower bar.
                        int bar = known_score - i.singular_margin * depth / 8;
                        stage = SINGULAR;
                        child_depth = (depth - 1) / 2;
                        child_alpha = bar - 1;
                        child_beta = bar;
                    } else if (lateness > 1 && !is_loud) {
                        bool is_pv = beta - alpha > 1;
                        child_alpha = -alpha - 1;
                        child_beta = -alpha;
                        stage = ZERO_WINDOW;
                        if (depth >= 2 && lateness > (ply == 0 ? 2 : 1)) {
                            reduction -= is_pv ? i.reduction_pv : 0;
                            reduction += flags & IMPROVING ? 0 : i.reduction_not_improving;
                            reduction += flags & TACTICAL_HINT ? i.reduction_tactical_table_move : 0;
                            reduction -= past / i.reduction_history;
                            int reduced = within(child_depth - reduction / 1024, least(1, child_depth), child_depth);
                            if (reduced < child_depth) {
                                stage = REDUCED;
                                child_depth = reduced;
                            }
                        }
                    }
                }
            }

            // Make the move, or pass, or stay and leave a move out; the node waits in its frame.
            if (step == MAKE) {
                u32 side = turn(p), man_before = p.man;
                Frame& frame = frames[ply];
                scratch.men[ply][b.lane] = (u16)p.man;
                frame.key = p.key;
                frame.white = p.white;
                frame.black = p.black;
                frame.state = p.state;
                frame.window = halves(alpha, beta);
                frame.values = halves(best, evaluation);
                frame.moves = best_move | move << 16;
                frame.list = halves(first, count);
                frame.progress = (u32)(depth + 64) | tried << 8 | stage << 16 | flags << 24;
                frame.slots = slots;
                frame.known = known;
                frame.extension = (u32)extension;
                first += count;
                flags = 0;
                u32 arrival = NO_ARRIVAL;
                if (stage == SINGULAR) {
                    flags = EXCLUDING;
                } else {
                    u32 kind = make(b, p, move, parts);
                    slots = error_slots(parts);
                    if (move != NO_MOVE) arrival = arrival_of(side, kind, target(move));
                    else flags = AFTER_PASS;
                }
                frame.hints = table_move | arrival << 16;
                ply++;
                key_at(s, s.game_ply + ply) = p.key;
                evaluation = evaluate(b, network, p, false, man_before, layers_at(s, ply - 1), layers_at(s, ply));
                alpha = child_alpha;
                beta = child_beta;
                depth = child_depth;
                nodes++;
                if (nodes < s.q.log_room) {
                    s.q.log[recalled(s.warp) * s.q.log_room + nodes] = {p.key, halves(evaluation, alpha), halves(beta, depth), move | (u32)ply << 16, first};
                }
                if (nodes >= (u32)i.nodes && course.depth > 1) {
                    is_over = true;
                    break;
                }
                step = ENTER;
                continue;
            }

            // All moves were looked at, or one was too good: remember what was found.
            if (step == LEAVE) {
                value = best;
                if (best == -INFINITE) {
                    // Everything was left out.
                    value = alpha;
                } else if (!(flags & EXCLUDING)) {
                    u32 bound = best >= beta ? AT_LEAST : flags & RAISED ? EXACT : AT_MOST;
                    bool is_quiet = best_move == NO_MOVE || !is_tactical(p, best_move);
                    if (depth > 0 && !(flags & IN_CHECK) && is_quiet && !(bound == AT_LEAST && best <= evaluation) &&
                        !(bound == AT_MOST && best >= evaluation) && best < DECIDED && best > -DECIDED) {
                        learn_error(b, memory(s), turn(p), slots, best - evaluation, depth);
                    }
                    Entry* entry = &memory(s).table[low(p.key) % TABLE_ENTRIES];
                    u32 notes = (u32)(most(depth, 0) + 64) | bound << 8 | s.age << 16;
                    bool is_same = entry->key == p.key;
                    bool is_better = !is_same && entry->notes >> 16 == s.age && (entry->notes & 255) >= (notes & 255) + 4;
                    u32 answer = halves(0, to_table(best, ply)) | (best_move != NO_MOVE ? best_move : table_move);
                    meet();
                    if (!is_better && b.lane == 0) *entry = {p.key, answer, notes};
                    meet();
                }
                step = RETURN;
            }

            // Back to the node before, with the value of its child.
            if (step == RETURN) {
                if (ply == 0) break;
                ply--;
                SETTLE(ply);
                const Frame& frame = frames[ply];
                p.man = scratch.men[ply][b.lane];
                p.key = frame.key;
                p.white = frame.white;
                p.black = frame.black;
                p.state = frame.state;
                alpha = low_half(frame.window);
                beta = high_half(frame.window);
                best = low_half(frame.values);
                evaluation = high_half(frame.values);
                best_move = frame.moves & 0xffff;
                move = frame.moves >> 16;
                first = frame.list & 0xffff;
                count = frame.list >> 16;
                depth = (int)(frame.progress & 255) - 64;
                tried = frame.progress >> 8 & 255;
                stage = frame.progress >> 16 & 255;
                flags = frame.progress >> 24;
                table_move = frame.hints & 0xffff;
                slots = frame.slots;
                known = frame.known;
                extension = (int)frame.extension;
                meet();
                child_depth = depth - 1 + extension;
                if (stage == SINGULAR) {
                    int known_score = low_half(known);
                    int bar = known_score - i.singular_margin * depth / 8;
                    step = MAKE;
                    if (value < bar) {
                        extension = value < bar - i.double_margin && beta - alpha == 1 ? 2 : 1;
                    } else if (value >= beta && value < DECIDED) {
                        step = RETURN;  // Several moves are too good.
                    } else if (known_score >= beta) {
                        extension = -2;
                    }
                    stage = FULL;
                    child_depth = depth - 1 + extension;
                    child_alpha = -beta;
                    child_beta = -alpha;
                    if (step == RETURN) continue;
                } else {
                    value = -value;
                    if (stage == PASSING) {
                        if (value >= beta) {
                            if (value > DECIDED) value = beta;
                            step = RETURN;
                            continue;
                        }
                        flags |= PASSED;
                        step = JUDGE;
                        continue;
                    }
                    if (stage == REDUCED && value > alpha) {
                        stage = ZERO_WINDOW;
                        child_alpha = -alpha - 1;
                        child_beta = -alpha;
                        step = MAKE;
                    } else if (stage == ZERO_WINDOW && value > alpha && value < beta) {
                        stage = FULL;
                        child_alpha = -beta;
                        child_beta = -alpha;
                        step = MAKE;
                    } else {
                        step = PICK;
                        if (value > best) {
                            best = value;
                            if (value > alpha) {
                                alpha = value;
                                best_move = move;
                                flags |= RAISED;
                                if (ply == 0) {
                                    course.found.move = move;
                                    course.found.score = value;
                                }
                                if (alpha >= beta) {
                                    step = LEAVE;
                                    if (depth > 0 && !is_tactical(p, move)) {
                                        u32 last = frames[ply - 1].hints >> 16, own_last = frames[ply - 2].hints >> 16;
                                        learn_cutoff(s, p, first, count, move, depth, last, own_last);
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
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
            floor = is_narrow ? found.score - i.aspiration : -INFINITE;
            ceiling = is_narrow ? found.score + i.aspiration : INFINITE;
        } else if (value <= floor) {
            floor = spread > 500 ? -INFINITE : most(value - spread, -INFINITE);
        } else {
            ceiling = spread > 500 ? INFINITE : least(value + spread, INFINITE);
        }
        meet();
        course.depth = next_depth;
        course.floor = floor;
        course.ceiling = ceiling;
        course.found = found;
    }
}
