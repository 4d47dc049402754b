// The search of one warp: alpha-beta without recursion. A line of frames takes the place of the call stack, and one
// loop walks the tree: it enters a node, evaluates it, picks moves, makes them, and leaves. There is one place in the code
// for each, because what a GPU cannot hold in its instruction cache it runs slowly.

#define INFINITE 32000
#define MATE 31000
#define DECIDED 30000
#define MOST_EVALUATION 20000
#define NO_EVALUATION (-32768)

// The order of moves: table move, good captures, quiet moves by history, losing captures.
#define FIRST_SCORE 0xffffu
#define GOOD_CAPTURE 40000u
#define QUIET_MIDDLE 20000
#define LEAST_QUIET 6000u
#define LOSING_CAPTURE 2000u
#define HISTORY_TO_SCORE 2

// What a move may have to win: nothing will do, or everything.
#define TOO_MUCH INFINITE
#define ANYTHING (-INFINITE)

// What a node has come to while its child is searched.
enum Stage { FULL, REDUCED, ZERO_WINDOW, PASSING, SINGULAR };

enum Flag {
    RAISED = 1,          // some move has raised alpha
    PASSED = 2,          // passing was tried already
    IN_CHECK = 4,
    AFTER_PASS = 8,      // the opponent has passed
    HAS_PIECES = 16,     // the player to move has more than pawns
    IMPROVING = 32,      // the evaluation is better than two plies ago
    EXCLUDING = 64,      // searched without the table's move
    TACTICAL_HINT = 128, // the table's move is a capture or promotion
};

// A node whose child is being searched, packed so that it is stored and loaded by four vectors. Its man of each lane
// lies beside it.
struct Frame {
    uint4 place;     // the key, where our men are
    uint4 state;     // where theirs are, state, window: alpha, beta
    uint4 progress;  // best and evaluation; best move and current move; first place and count of the list; depth + 64, moves
                     // tried, stage and flags: a byte each
    uint4 hints;     // the table's move and the piece_to of the current move; where the errors of its evaluation are kept; what the
                     // table said: score (16), depth + 64 (8), bound (8); the extension of the current move
};

INLINE int evaluation_of(const Frame& frame) { return high_half(frame.progress.x); }
INLINE u32 piece_to_of(const Frame& frame) { return frame.hints.x >> 16; }
INLINE u32 tt_move_of(const Frame& frame) { return frame.hints.x & 0xffff; }

struct Found {
    u32 move;
    int score;
    u32 nodes;
    u32 depth;
};

// How far a search has come: what is needed between one walk through the tree and the next.
struct Course {
    int depth;           // of this walk
    int floor, ceiling;  // its window
    int evaluation;      // of the root
    u32 slots;
    Found found;
};

// What a warp needs at every node, in the memory of its block. Two frames before the root stand for the moves that led
// there.
struct Scratch {
    Frame frames[MAX_PLY + 2];
    u16 men[MAX_PLY][LANES];
    u8 kinds[64];
    Course course;
    PlayerTables* player_tables;
#ifdef PAIRWISE
    uint4 products[2][LANES];
#endif
};

INLINE Products products_of(Scratch& scratch) {
#ifdef PAIRWISE
    return scratch.products[0];
#else
    return 0;
#endif
}

// Who searches, and where its things are. Addresses are worked out anew wherever they are needed: registers are scarcer
// here than instructions.
struct Searcher {
    const Parameters& q;
    Board board;
    Scratch* scratch;
    u32 warp;
    u32 player;
    u32 game_ply;
    u32 age;
};

INLINE const Player& player(const Searcher& s) { return s.q.players[s.player]; }
INLINE const SearchParameters& parameters(const Searcher& s) { return player(s).parameters; }
INLINE PlayerTables& player_tables(const Searcher& s) { return *in_global_memory(s.scratch->player_tables); }
INLINE u64& key_at(const Searcher& s, u32 ply) { return s.q.keys[recalled(s.warp) * KEYS + ply % KEYS]; }
INLINE u32& listed(const Searcher& s, u32 place) { return s.q.lists[recalled(s.warp) * LIST_ROOM + place]; }
INLINE uint4* layers_at(const Searcher& s, u32 ply) {
    return s.q.layers + (recalled(s.warp) * s.q.layer_room + ply * 2 * chunks_of(player(s).network) * CHUNK_VECTORS);
}

// Whether a position has occurred so many times since the last capture or pawn move.
INLINE u32 occurrences(const Searcher& s, u64 key, u32 ply, u32 clock) {
    u32 count = 0;
    u32 reach = clock < ply ? clock : ply;
#pragma unroll 1
    for (u32 first = 4; first <= reach; first += 2 * LANES) {
        u32 back = first + 2 * s.board.lane;
        bool is_same = back <= reach && key_at(s, ply - back) == key;
        count += __popc(ballot(is_same));
    }
    return count;
}

INLINE void show_kinds(const Searcher& s, const Position& p) {
    sync_warp();
    if (p.man) s.scratch->kinds[square_of(p.man)] = (u8)kind_of(p.man);
    sync_warp();
}

INLINE bool is_tactical(const Position& p, u32 move) {
    return has(p.them, target(move)) || special(move) >= EN_PASSANT;
}

INLINE u32 victim_kind(const Searcher& s, const Position& p, u32 move) {
    if (special(move) == EN_PASSANT) return PAWN;
    return has(p.them, target(move)) ? s.scratch->kinds[target(move)] : NO_PIECE;
}

// The sum of all histories of a quiet move.
INLINE int history(const Searcher& s, u32 side, u32 move, u32 piece_to, u32 last, u32 own_last) {
    const PlayerTables& known = player_tables(s);
    return known.quiet[side][move & 4095] + known.continuation[last * NO_PIECE_TO + piece_to] +
           known.continuation[own_last * NO_PIECE_TO + piece_to];
}

// Gives every move in the list its place in the order.
INLINE void score_moves(const Searcher& s, const Position& p, u32 first, u32 count, u32 tt_move, u32 last, u32 own_last) {
    show_kinds(s, p);
    u32 side = turn(p);
#pragma unroll 1
    for (u32 place = first + s.board.lane; place < first + count; place += LANES) {
        u32 move = listed(s, place);
        u32 kind = s.scratch->kinds[origin(move)];
        u32 score;
        if (move == tt_move) {
            score = FIRST_SCORE;
        } else if (is_tactical(p, move)) {
            u32 becomes = special(move) >= PROMOTION ? promoted_kind(move) : NO_PIECE;
            u32 gain = worth(s.board, victim_kind(s, p, move)) + worth(s.board, becomes);
            score = becomes == NO_PIECE || becomes == QUEEN ? GOOD_CAPTURE + 8 * gain - kind : 1 + gain / 8;
        } else {
            u32 piece_to = piece_to_of(side, kind, target(move));
            score = (u32)(QUIET_MIDDLE + history(s, side, move, piece_to, last, own_last) / HISTORY_TO_SCORE);
        }
        listed(s, place) = score << 16 | move;
    }
}

// Teaches the histories that one quiet move was too good for the opponent, and those tried before it were not.
INLINE void learn_cutoff(const Searcher& s, const Position& p, u32 first, u32 count, u32 move, int depth, u32 last, u32 own_last) {
    const SearchParameters& params = parameters(s);
    show_kinds(s, p);
    u32 side = turn(p);
    int bonus = least(params.history_bonus_per_depth * depth - params.history_bonus_offset, params.history_bonus_limit);
    int malus = -least(params.history_malus_per_depth * depth - params.history_malus_offset, params.history_malus_limit);
    u32 best_piece_to = piece_to_of(side, s.scratch->kinds[origin(move)], target(move));
    PlayerTables& known = player_tables(s);
#pragma unroll 1
    for (u32 base = first; base < first + count; base += LANES) {
        u32 place = base + s.board.lane;
        bool learns = false, is_best = false;
        u32 piece_to = 0, other = 0;
        int quiet = 0, one = 0, two = 0;
        if (place < first + count) {
            other = listed(s, place);
            is_best = (other & 0xffff) == move;
            // Scores are taken away from moves that were tried; those that were pruned are gone altogether.
            learns = is_best || (other != 0 && other < 0x10000u && !is_tactical(p, other));
        }
        if (learns) {
            other &= 0xffff;
            piece_to = piece_to_of(side, s.scratch->kinds[origin(other)], target(other));
            int change = is_best ? bonus : malus;
            quiet = with_bonus(known.quiet[side][other & 4095], change, HISTORY_MAX);
            one = with_bonus(known.continuation[last * NO_PIECE_TO + piece_to], change, HISTORY_MAX);
            two = with_bonus(known.continuation[own_last * NO_PIECE_TO + piece_to], change, HISTORY_MAX);
        }
        sync_warp();
        if (learns) {
            known.quiet[side][other & 4095] = (s16)quiet;
            // Two men may arrive on one square: what was best there is not unlearnt.
            if (is_best || piece_to != best_piece_to) {
                if (last != NO_PIECE_TO) known.continuation[last * NO_PIECE_TO + piece_to] = (s16)one;
                if (own_last != NO_PIECE_TO) known.continuation[own_last * NO_PIECE_TO + piece_to] = (s16)two;
            }
        }
        sync_warp();
    }
}

// Scores of mates count from the node in the table, from the root elsewhere.
INLINE int to_table(int score, int ply) { return score > DECIDED ? score + ply : score < -DECIDED ? score - ply : score; }
INLINE int from_table(int score, int ply) { return score > DECIDED ? score - ply : score < -DECIDED ? score + ply : score; }
