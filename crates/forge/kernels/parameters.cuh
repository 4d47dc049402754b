// What the host tells the kernels, and what they leave for it.

// A position in memory.
struct Stored {
    u16 men[LANES];
    u64 white, black, key;
    u32 state;
    u32 padding;
};

enum Ending { LOSS, DRAW, WIN, UNDECIDED };

// A position of a game. The first four words are train::Sample: the board as the player to move sees it, score and ending.
struct Record {
    u64 sample[4];
    u32 move;   // the best move; its high half is how many plies the game has lasted
    u32 state;  // as the position has it, and what follows
    u32 nodes;
    u32 game;
};

// In a record's state, above the bits of the position.
#define RECORD_IN_CHECK (1u << 24)
#define RECORD_TACTICAL (1u << 25)
#define RECORD_FINISHED (1u << 26)

// What decides the games, beside the players.
struct Conditions {
    u64 seed;
    u32 random_plies;
    int random_loss;
    int most_lead;
    int win_score;
    u32 win_plies;
    int draw_score;
    u32 draw_plies, draw_from;
    u32 longest;      // a game of so many plies is a draw
    u32 is_match;     // two players who remember apart, and play every opening from both sides
};

// A game that may be interrupted between two moves.
struct Game {
    Stored position;
    u64 chance;
    u32 is_going;
    u32 ply, opening_plies;
    u32 number;             // of the game, counted by its warp
    u32 last, own_last;     // arrivals of the last two moves
    u32 streaks;            // for how many plies White, Black and nobody have seemed to win: a byte each
    u32 first_record, records;
    u32 age;
    u64 nodes, depths, searches;
    u32 results[3];         // of finished games, for the first player in a match, for White in self-play
    u32 padding;
};

// A node in the log, by which the card proves that it searches as the emulation does.
struct Visit {
    u64 key;
    u32 values;  // evaluation, alpha
    u32 limits;  // beta, depth
    u32 ply;
    u32 list;    // how many moves wait to be looked at
};

struct Parameters {
    const Tables* tables;
    const Stored* start;
    Game* games;
    Memory* memories;       // one for each warp, two in a match
    u64* keys;
    u32* lists;
    uint4* layers;
    Record* records;        // `record_room` for each warp
    u8* outcomes;           // of the games of a match: `outcome_room` for each warp
    Visit* log;
    u32 warps, record_room, outcome_room, log_room;
    u32 layer_room;         // vectors for each warp
    u32 until_records;      // play until there are so many records
    u32 until_games;        // or so many games are finished
    Player players[2];
    Conditions conditions;
};

