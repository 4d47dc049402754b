// Self-play: every warp plays one game after the other and writes down what it thought of each position.

#include "warp.cuh"
#include "chess.cuh"
#include "network.cuh"
#include "player.cuh"
#include "search.cuh"
#include "think.cuh"

#define BLOCKS 4  // on a multiprocessor: as many as find registers

enum Ending { LOSS, DRAW, WIN, UNDECIDED };

// SplitMix64, as the crate `random` has it.
INLINE u64 mixed(u64 bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
}

INLINE u64 draw(u64& random) {
    random += 0x9e3779b97f4a7c15ull;
    return mixed(random);
}

INLINE u32 draw_below(u64& random, u32 bound) { return (u32)((draw(random) >> 32) * bound >> 32); }

// What is needed all the time is copied to where all warps of the block reach it quickly.
INLINE void copy_words(const u64* from, u64* to, u32 count) {
#pragma unroll 1
    for (u32 k = threadIdx.x; k < count; k += blockDim.x) to[k] = from[k];
}

// The castling rights that depend on what stands on a square: White's to either side, then Black's.
INLINE u8 rights_of(u32 square) {
    u32 file = square & 7, home = square < 8 ? 0 : square >= 56 ? 2 : 4;
    u32 rights = file == 4 ? 3 : file == 7 ? 1 : file == 0 ? 2 : 0;
    return (u8)(rights << home & 15);
}

OUTLINE void copy_lines(const Tables* tables, Lines* lines) {
    const u32 worths[8] = {0, PAWN_WORTH, 320, 330, 500, 950, 0, 0};
    copy_words(tables->lines[0], lines->lines[0], 64 * 4);
    copy_words(tables->leaps[1], lines->looks[NO_PIECE], 64);
    copy_words(tables->leaps[0], lines->looks[PAWN], 64);
    copy_words(tables->leaps[2], lines->looks[KNIGHT], 64);
    copy_words(tables->leaps[3], lines->looks[KING], 64);
    if (threadIdx.x < 64) {
        const u64* line = tables->lines[threadIdx.x];
        u64 slanting = line[0] | line[1], straight = line[2] | line[3];
        lines->looks[BISHOP][threadIdx.x] = slanting;
        lines->looks[ROOK][threadIdx.x] = straight;
        lines->looks[QUEEN][threadIdx.x] = slanting | straight;
    }
    if (threadIdx.x == 0) lines->turn = tables->turn;
    if (threadIdx.x < 8) lines->worths[threadIdx.x] = worths[threadIdx.x];
    if (threadIdx.x < 64) lines->rights[threadIdx.x] = rights_of(threadIdx.x);
    __syncthreads();
}

OUTLINE bool in_check(const Board b, const Position p) { return siege(b, p).checkers != 0; }

OUTLINE bool wins_calmly(const Board b, const Position p, u32 move, int stake, int gain, int goal) {
    return wins_at_least(b, p, move, stake, gain, goal);
}

OUTLINE u64 key_calmly(const Board b, const Position p) {
    u32 parts;
    return key_of(b, p, parts);
}

// Makes a move where speed does not matter.
OUTLINE u32 make_calmly(const Board b, Position* p, u32 move) {
    u32 parts = 0;
    return make(b, *p, move, parts);
}

OUTLINE u32 list_all(const Board b, const Position p, u32* list) {
    sync_warp();
    return list_moves(b, p, targets(b, p, siege(b, p)), KNIGHT, list, LIST_ROOM);
}

// Random moves from the start, none of which gives a queen away. False if they end the game.
INLINE bool play_opening(const Searcher& s, Game* game, const Stored* start, const Conditions& c) {
    Position p = load(s.board, start);
    u64 random = game->random;
    u32 plies = c.random_plies + (u32)(draw(random) >> 63);
    u32 last = NO_PIECE_TO, own_last = NO_PIECE_TO;
    bool goes_on = true;
    p.key = key_calmly(s.board, p);
    key_at(s, 0) = p.key;
    for (u32 ply = 0; ply < plies && goes_on; ply++) {
        u32 count = list_all(s.board, p, &listed(s, 0));
        show_kinds(s, p);
        u32 move = NO_MOVE;
        while (count > 0 && move == NO_MOVE) {
            u32 place = draw_below(random, count);
            u32 drawn = listed(s, place);
            u32 becomes = special(drawn) >= PROMOTION ? promoted_kind(drawn) : s.scratch->kinds[origin(drawn)];
            int gain = worth(s.board, victim_kind(s, p, drawn)) + (special(drawn) >= PROMOTION ? worth(s.board, becomes) - PAWN_WORTH : 0);
            if (wins_calmly(s.board, p, drawn, worth(s.board, becomes), gain, 1 - c.random_loss)) move = drawn;
            u32 moved_up = listed(s, --count);
            sync_warp();
            if (s.board.lane == 0) listed(s, place) = moved_up;
            sync_warp();
        }
        goes_on = move != NO_MOVE;
        if (goes_on) {
            u32 side = turn(p);
            u32 kind = make_calmly(s.board, &p, move);
            own_last = last;
            last = piece_to_of(side, kind, target(move));
            key_at(s, ply + 1) = p.key;
        }
    }
    if (goes_on) goes_on = list_all(s.board, p, &listed(s, 0)) > 0 && !is_insufficient(p);
    store(s.board, p, &game->position);
    sync_warp();
    game->random = random;
    game->ply = game->opening_plies = plies;
    game->last = last;
    game->own_last = own_last;
    game->streaks = 0;
    game->first_record = game->records;
    game->is_going = goes_on;
    sync_warp();
    return goes_on;
}

// Forgets everything that earlier games have taught.
INLINE void forget(const Board& b, PlayerTables* player_tables) {
    uint4* words = (uint4*)player_tables;
#pragma unroll 4
    for (u32 k = b.lane; k < sizeof(PlayerTables) / sizeof(uint4); k += LANES) words[k] = make_uint4(0, 0, 0, 0);
    sync_warp();
}

// Writes a position down as its player sees it.
INLINE void write_record(const Board& b, const Position& p, const Found& found, u32 ply, u32 game, Record* record) {
    u32 flip = turn(p) ? 56 : 0, square = square_of(p.man) ^ flip, kind = kind_of(p.man);
    u64 mine = kind ? bit(square) : 0;
    u64 all = join(or_of_lanes(low(mine)), or_of_lanes(high(mine)));
    u32 number = __popcll(all & (bit(square) - 1));
    u64 code = kind ? (u64)((kind - PAWN) | (is_mover(b, p) ? 0 : 8)) << 4 * (number % 16) : 0;
    u64 first = number < 16 ? code : 0, second = number < 16 ? 0 : code;
    u64 words[2] = {join(or_of_lanes(low(first)), or_of_lanes(high(first))),
                    join(or_of_lanes(low(second)), or_of_lanes(high(second)))};
    u64 king = king_square(p, turn(p)) ^ flip, other_king = king_square(p, turn(p) ^ 1) ^ flip;
    bool is_check = in_check(b, p);
    u32 state = p.state | (is_check ? RECORD_IN_CHECK : 0) | (is_tactical(p, found.move) ? RECORD_TACTICAL : 0);
    if (b.lane == 0) {
        *record = {{all, words[0], words[1], (u64)(u16)found.score | king << 24 | other_king << 32},
                   found.move | ply << 16, state, found.nodes, game};
    }
    sync_warp();
}

INLINE u32 lengthened(u32 streaks, u32 shift, bool holds) {
    u32 length = streaks >> shift & 255;
    length = holds ? least(length + 1, 255) : 0;
    return (streaks & ~(255u << shift)) | length << shift;
}

// The game is over: its records learn how it ended. `result` is White's.
INLINE void finish(const Board& b, const Parameters& q, Game* game, u32 warp, u32 result) {
    const Conditions& c = q.conditions;
    u32 number = game->number, records = game->records;
    if (!c.is_match) {
#pragma unroll 1
        for (u32 k = game->first_record + b.lane; k < records; k += LANES) {
            Record& record = q.records[(u64)warp * q.record_room + k];
            u64 ending = record.state & 1 ? WIN - result : result;
            record.sample[3] |= ending << 16;
            record.state |= RECORD_FINISHED;
        }
    }
    // In a match the first player has White in every other game.
    u32 counted = c.is_match && number & 1 ? WIN - result : result;
    u32 before = game->results[counted];
    sync_warp();
    if (c.is_match && number < q.outcome_room && b.lane == 0) q.outcomes[(u64)warp * q.outcome_room + number] = (u8)counted;
    game->results[counted] = before + 1;
    game->first_record = records;
    game->number = number + 1;
    game->is_going = 0;
    sync_warp();
}

// A player remembers apart from the other in a match.
INLINE PlayerTables* player_tables_of(const Parameters& q, u32 warp, u32 player) {
    return q.player_tables + (q.conditions.is_match ? 2 * warp + player : warp);
}

INLINE Searcher searcher(const Parameters& q, const Lines* lines, Scratch* scratch, u32 warp, u32 player) {
    sync_warp();
    scratch->player_tables = player_tables_of(q, warp, player);
    sync_warp();
    return {q, {q.tables, lines, threadIdx.x % LANES}, scratch, warp, player, 0, 0};
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS) play(const __grid_constant__ Parameters q) {
    __shared__ Lines lines;
    __shared__ Scratch scratches[WARPS];
    copy_lines(q.tables, &lines);
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (warp >= q.warps) return;
    Scratch* scratch = &scratches[threadIdx.x / LANES];
    Game* game = q.games + warp;
    const Conditions& c = q.conditions;
    while (game->records < q.until_records && game->number < q.until_games) {
        if (!game->is_going) {
            // Both games of a pair begin with the same moves.
            u32 opening = c.is_match ? game->number / 2 : game->number;
            u64 random = mixed(c.seed ^ mixed(((u64)warp << 32 | opening) + 1));
            Searcher s = searcher(q, &lines, scratch, warp, 0);
            for (u32 player = 0; player <= c.is_match; player++) forget(s.board, player_tables_of(q, warp, player));
            sync_warp();
            game->random = random;
            sync_warp();
            while (!play_opening(s, game, q.start, c)) {}
        }
        Position p = load({q.tables, &lines, threadIdx.x % LANES}, &game->position);
        u32 player = c.is_match ? turn(p) ^ (game->number & 1) : 0;
        Searcher s = searcher(q, &lines, scratch, warp, player);
        const Board& b = s.board;
        u32 ply = game->ply;
        s.game_ply = ply;
        s.age = game->age + 1 & 0xffff;
        Found found = search(s, &game->position, game->last, game->own_last);
        p = load(b, &game->position);

        bool is_white = turn(p) == 0;
        int lead = found.score < 0 ? -found.score : found.score;
        u32 records = game->records, streaks = game->streaks, opening_plies = game->opening_plies, last = game->last;
        u64 nodes = game->nodes + found.nodes, depths = game->depths + found.depth, searches = game->searches + 1;
        if (!c.is_match && ply == opening_plies && lead > c.most_lead) {
            // The random moves have decided the game: draw others.
            sync_warp();
            game->is_going = 0;
            sync_warp();
            while (!play_opening(s, game, q.start, c)) {}
            continue;
        }
        if (!c.is_match) {
            write_record(b, p, found, ply, game->number, q.records + (u64)warp * q.record_room + records);
        }
        int white_score = is_white ? found.score : -found.score;
        streaks = lengthened(streaks, 0, white_score >= c.win_score);
        streaks = lengthened(streaks, 8, white_score <= -c.win_score);
        streaks = lengthened(streaks, 16, lead <= c.draw_score);

        u32 side = turn(p);
        u32 kind = make_calmly(b, &p, found.move);
        ply++;
        sync_warp();
        game->nodes = nodes;
        game->depths = depths;
        game->searches = searches;
        game->age = s.age;
        game->records = records + 1;
        game->ply = ply;
        game->own_last = last;
        game->last = piece_to_of(side, kind, target(found.move));
        game->streaks = streaks;
        key_at(s, ply) = p.key;
        store(b, p, &game->position);

        bool has_move = list_all(b, p, &listed(s, 0)) > 0;
        bool is_check = in_check(b, p);
        u32 clock = clock_of(p.state);
        u32 result = UNDECIDED;
        if ((streaks >> 16 & 255) >= c.draw_plies && ply >= c.draw_from) result = DRAW;
        if ((streaks & 255) >= c.win_plies) result = WIN;
        if ((streaks >> 8 & 255) >= c.win_plies) result = LOSS;
        if (clock >= 100 || occurrences(s, p.key, ply, clock) >= 2 || is_insufficient(p) || ply >= c.longest) result = DRAW;
        if (!has_move) result = !is_check ? DRAW : is_white ? WIN : LOSS;
        if (result != UNDECIDED) finish(b, q, game, warp, result);
    }
}

// Counts the positions after so many plies from each of several, one warp for each.
extern "C" __global__ void perft(const Tables* tables, const Stored* positions, u32 count, u32 depth, u32* lists, u64* leaves) {
    __shared__ Lines lines;
    __shared__ Scratch scratches[WARPS];
    copy_lines(tables, &lines);
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (warp >= count) return;
    Scratch& scratch = scratches[threadIdx.x / LANES];
    const Board b = {tables, &lines, threadIdx.x % LANES};
    u32* list = lists + (u64)warp * LIST_ROOM;
    Position p = load(b, positions + warp);
    u32 parts, found_parts;
    p.key = key_of(b, p, parts);
    u64 sum = 0;
    u32 ply = 0, first = 0, left = 0;
    bool is_new = true;
    for (;;) {
        if (is_new) {
            u64 to = targets(b, p, siege(b, p));
            left = 0;
            if (ply + 1 == depth) sum += count_moves(p, to);
            else left = list_moves(b, p, to, KNIGHT, list + first, LIST_ROOM - first);
            is_new = false;
        }
        if (left == 0) {
            if (ply == 0) break;
            ply--;
            uint4 place = scratch.frames[ply].place, state = scratch.frames[ply].state;
            p = {scratch.men[ply][b.lane], join(place.z, place.w), join(state.x, state.y), join(place.x, place.y), state.z};
            first = state.w & 0xffff;
            left = state.w >> 16;
            parts = scratch.frames[ply].hints.y;
            sync_warp();
            continue;
        }
        left--;
        u32 move = list[first + left];
        sync_warp();
        scratch.men[ply][b.lane] = (u16)p.man;
        scratch.frames[ply].place = make_uint4(low(p.key), high(p.key), low(p.us), high(p.us));
        scratch.frames[ply].state = make_uint4(low(p.them), high(p.them), p.state, halves(first, left));
        scratch.frames[ply].hints.y = parts;
        first += left;
        make(b, p, move, parts);
        if (key_of(b, p, found_parts) != p.key || found_parts != parts) sum = ~0ull;
        ply++;
        is_new = true;
    }
    leaves[warp] = sum;
}

// Keeps the records that can be learned from: of finished games, and as the rules say. One warp for each warp that
// played. Without a place to put them they are only counted.
extern "C" __global__ void gather(const Record* records, u32 record_room, const Game* games, u32 warps, GatherRules rules,
                                  u64* counts, const u64* offsets, u64* samples) {
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    if (warp >= warps) return;
    u64 kept = 0;
    u32 end = games[warp].first_record;
    for (u32 base = 0; base < end; base += LANES) {
        u32 k = base + lane;
        bool keeps = false;
        const Record* record = records + (u64)warp * record_room + k;
        if (k < end) {
            int score = (s16)record->sample[3];
            bool is_validation = rules.validation_every > 0 && (warp + record->game) % rules.validation_every == 0;
            keeps = is_validation == (rules.is_validation != 0) && !(record->state & rules.left_out) &&
                    (record->state & RECORD_FINISHED) && record->move_and_ply >> 16 >= rules.first_ply &&
                    score <= rules.most_score && score >= -rules.most_score;
        }
        u32 keepers = ballot(keeps);
        if (keeps && samples) {
            u64 place = offsets[warp] + kept + __popc(keepers & ((1u << lane) - 1));
            for (u32 word = 0; word < 4; word++) samples[4 * place + word] = record->sample[word];
        }
        kept += __popc(keepers);
    }
    counts[warp] = kept;
}

// A move of a random walk, and what the network says after it: from the layers of the position before, and from
// scratch.
struct Pace {
    u32 move;
    int evaluation, from_scratch;
};

// Random games without thought, to prove that layers are kept up rightly.
extern "C" __global__ void walk(const __grid_constant__ Parameters q, u32 plies, Pace* paces) {
    __shared__ Lines lines;
    __shared__ Scratch scratches[WARPS];
    copy_lines(q.tables, &lines);
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (warp >= q.warps) return;
    Searcher s = searcher(q, &lines, &scratches[threadIdx.x / LANES], warp, 0);
    const Board& b = s.board;
    const Network& network = player(s).network;
    u64 random = mixed(q.conditions.seed + warp);
    Position p = load(b, q.start);
    evaluate_calmly(b, network, p, layers_at(s, 0), products_of(*s.scratch));
    for (u32 ply = 0; ply < plies; ply++) {
        u32 count = list_all(b, p, &listed(s, 0));
        Pace pace = {NO_MOVE, 0, 0};
        if (count > 0) {
            u32 man_before = p.man;
            pace.move = listed(s, draw_below(random, count));
            make_calmly(b, &p, pace.move);
            uint4* before = layers_at(s, ply % 2);
            uint4* after = layers_at(s, (ply + 1) % 2);
            pace.evaluation = evaluate(b, network, p, man_before, before, after, products_of(*s.scratch));
            pace.from_scratch = evaluate_calmly(b, network, p, before, products_of(*s.scratch));
        }
        if (b.lane == 0) paces[warp * plies + ply] = pace;
        sync_warp();
    }
}
