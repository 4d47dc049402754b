// What a player remembers: the table of positions, the histories of moves, and the errors of its evaluation.

#define PIECE_TOS (NO_PIECE_TO + 1)
#define ERROR_SLOTS PART_KEYS
#define HISTORY_MAX 8192
#define ERROR_MAX 1024
#define ERROR_BONUS_MAX 256

// A position that was searched, as one vector: its key, its answer (the move, above it the score), and notes: depth +
// 64 (8), bound (8), the search that found it (16).
typedef uint4 Entry;

INLINE bool is_of(const Entry& entry, u64 key) { return entry.x == low(key) && entry.y == high(key); }
INLINE u32 answer_of(const Entry& entry) { return entry.z; }
INLINE u32 notes_of(const Entry& entry) { return entry.w; }

enum Bound { NO_BOUND, AT_LEAST, AT_MOST, EXACT };

struct PlayerTables {
    Entry table[TABLE_ENTRIES];
    s16 quiet[2][64 * 64];
    s16 continuation[PIECE_TOS * NO_PIECE_TO];
    s16 errors[3][2][ERROR_SLOTS];
};
static_assert(sizeof(PlayerTables) == PLAYER_TABLES_BYTES, "the host makes room for as much");

// Which man arrives where: how a move looks to those that follow it.
INLINE u32 piece_to_of(u32 color, u32 kind, u32 to) { return (color * 6 + kind - PAWN) * 64 + to; }

// Adds a bonus to a history value, the less of it the further the value has come already (history gravity).
INLINE int with_bonus(int value, int bonus, int limit) {
    int size = bonus < 0 ? -bonus : bonus;
    return value + bonus - value * size / limit;
}

// How wrong the evaluation was lately where pawns or pieces stood alike, in centipawns: the first three lanes know a
// part each. The slots are the keys of these parts.
INLINE s16& error_of_lane(const Board& b, PlayerTables& player_tables, u32 side, u32 slots) {
    u32 slot = slots >> PART_BITS * b.lane & (ERROR_SLOTS - 1);
    return player_tables.errors[0][0][(2 * b.lane + side) * ERROR_SLOTS + slot];
}

// What is to be added to the evaluation, by the errors of the lanes.
INLINE int correction(const Board& b, const SearchParameters& parameters, int error) {
    return sum_of_lanes(error * (b.lane == 0 ? parameters.correction_pawn : parameters.correction_non_pawn)) / 1024;
}

INLINE void learn_error(const Board& b, PlayerTables& player_tables, u32 side, u32 slots, int error, int depth) {
    int bonus = within(error * depth / 8, -ERROR_BONUS_MAX, ERROR_BONUS_MAX);
    if (b.lane < 3) {
        s16& value = error_of_lane(b, player_tables, side, slots);
        value = (s16)with_bonus(value, bonus, ERROR_MAX);
    }
    sync_warp();
}
