// The rules of chess for one warp: a lane owns a man.
//
// Lanes 0 to 15 are White's, 16 to 31 Black's, and the kings live in lanes 0 and 16. A lane keeps its man's kind and
// square in one word, which is zero once the man is taken. Moves are generated legal, so nothing has to be checked when
// one is made.

enum Kind { NO_PIECE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

#define NO_SQUARE 64u
#define WHITE_LANES 0x0000ffffu
#define BLACK_LANES 0xffff0000u

// What the squares of a board know, made by the host.
struct Tables {
    u64 lines[64][4];       // diagonal, antidiagonal, file and rank through a square, without it
    u64 leaps[4][64];       // captures of white and of black pawns, steps of knights and of kings
    u64 between[64][64];    // the squares between two on a line
    u64 men[2 * 8 * 64];    // random numbers for the key of a position: of colour and man
    u64 castling[16];
    u64 en_passant[NO_SQUARE + 1];
    u64 turn;
};
static_assert(sizeof(Tables) == TABLES_BYTES, "the host writes as much");

// The part of the tables that is needed all the time, in the memory of a block.
struct Lines {
    u64 lines[64][4];
    u64 looks[7][64];       // what men attack on an empty board, by kind; the place of NO_PIECE is taken by a black pawn
    u64 turn;
    u32 worths[8];          // what men are worth in an exchange
    u8 rights[64];          // the castling rights that end when something leaves a square or arrives there
};

// A move: origin, target and what is special about it, from the low end.
enum Special { ORDINARY, CASTLING, EN_PASSANT, PROMOTION = 4 };  // PROMOTION + kind - KNIGHT
#define NO_MOVE 0u
INLINE u32 origin(u32 move) { return move & 63; }
INLINE u32 target(u32 move) { return move >> 6 & 63; }
INLINE u32 special(u32 move) { return move >> 12 & 15; }
INLINE u32 promoted_kind(u32 move) { return special(move) - PROMOTION + KNIGHT; }

struct Position {
    u32 man;          // this lane's: square in the low six bits, then its kind
    u64 us, them;     // where the men of the player to move are, and the opponent's
    u64 key;
    u32 state;        // from the low end: turn (1), castling rights (4), en passant (7), clock of fifty moves (8)
};

INLINE u32 square_of(u32 man) { return man & 63; }
INLINE u32 kind_of(u32 man) { return man >> 6; }
INLINE u32 man_of(u32 kind, u32 square) { return kind << 6 | square; }
INLINE u32 turn(const Position& p) { return p.state & 1; }
INLINE u32 castling(u32 state) { return state >> 1 & 15; }
INLINE u32 en_passant(u32 state) { return state >> 5 & 127; }
INLINE u32 clock_of(u32 state) { return state >> 12 & 255; }
INLINE u32 state_of(u32 turn, u32 castling, u32 en_passant, u32 clock) {
    return turn | castling << 1 | en_passant << 5 | clock << 12;
}
#define KEYED_STATE 0xffeu  // what of the state is part of the key, beside the turn: castling rights and en passant
INLINE u64 occupied(const Position& p) { return p.us | p.them; }

// What stands where a move begins, and above it in the word what stands where it ends.
INLINE u32 kinds_at_ends(const Position& p, u32 move) {
    u32 square = square_of(p.man), kind = kind_of(p.man);
    return or_of_lanes((square == origin(move) ? kind : 0) | (square == target(move) ? kind << 8 : 0));
}

// Where a lane finds things. The parameters of the kernel lie in constant memory and cost nothing.
struct Board {
    const Tables* tables;
    const Lines* lines;
    u32 lane;
};

INLINE u32 color_of_lane(const Board& b) { return b.lane >> 4; }
INLINE bool is_mover(const Board& b, const Position& p) { return color_of_lane(b) == turn(p); }

// Whether the player to move has more than pawns.
INLINE bool has_pieces(const Board& b, const Position& p) {
    u32 kind = kind_of(p.man);
    return any(is_mover(b, p) && kind > PAWN && kind < KING);
}

// The squares that a piece at the low end of `beyond` sees on one line, upwards: subtracting it from the occupied
// squares changes everything up to the first of them.
INLINE u64 upwards(u64 occupied, u64 line, u64 beyond) {
    u64 others = occupied & line;
    return ((others - beyond) ^ others) & line;
}

// What a queen attacks from a square. Downwards is upwards on the board turned around.
INLINE u64 slides(const Board& b, u64 occupied, u32 square) {
    u64 turned = __brevll(occupied);
    u32 turned_square = 63 - square;
    u64 beyond = 2ull << square, turned_beyond = 2ull << turned_square;
    const u64* here = b.lines->lines[square];
    const u64* there = b.lines->lines[turned_square];
    u64 slanting_up = upwards(occupied, here[0], beyond) | upwards(occupied, here[1], beyond);
    u64 slanting_down = upwards(turned, there[0], turned_beyond) | upwards(turned, there[1], turned_beyond);
    u64 straight_up = upwards(occupied, here[2], beyond) | upwards(occupied, here[3], beyond);
    u64 straight_down = upwards(turned, there[2], turned_beyond) | upwards(turned, there[3], turned_beyond);
    return slanting_up | straight_up | __brevll(slanting_down | straight_down);
}

INLINE bool leaps(u32 kind) { return kind == PAWN || kind == KNIGHT || kind == KING; }

// The squares that a lane's piece attacks on an empty board. NO_PIECE is looked up as a black pawn on the last rank:
// it attacks nothing.
INLINE u64 looks(const Board& b, u32 man) {
    bool is_black_pawn = kind_of(man) == PAWN && color_of_lane(b);
    return b.lines->looks[0][is_black_pawn ? square_of(man) : man];
}

// And what it attacks where some squares are occupied.
INLINE u64 attacks_among(const Board& b, u64 occupied, u32 man) {
    u64 squares = slides(b, occupied, square_of(man));
    return looks(b, man) & (leaps(kind_of(man)) ? ~0ull : squares);
}

INLINE u32 king_square(const Position& p, u32 color) { return square_of(from_lane(p.man, color * 16)); }

// How the opponent's men look at our king: the way of each slider whose line leads there, and which lanes give check.
// This is all that most nodes need to know of attacks.
struct Siege {
    u32 king;
    u64 way;       // the squares between; none if it stands beside the king, leaps there or aims elsewhere
    u32 checkers;
};

INLINE Siege siege(const Board& b, const Position& p) {
    Siege s = {king_square(p, turn(p)), 0, 0};
    bool aims = !is_mover(b, p) && has(looks(b, p.man), s.king);
    if (aims) s.way = b.tables->between[s.king][square_of(p.man)];
    s.checkers = ballot(aims && !(s.way & occupied(p)));
    return s;
}

// What each lane attacks. The opponent's sliders look through our king, so that it cannot step back along the line on
// which it is attacked.
INLINE u64 attacks(const Board& b, const Position& p, u32 king) {
    return attacks_among(b, is_mover(b, p) ? occupied(p) : occupied(p) ^ bit(king), p.man);
}

INLINE u64 attacked_by_opponent(const Board& b, const Position& p, u64 attacks) {
    u64 squares = is_mover(b, p) ? 0 : attacks;
    return join(or_of_lanes(low(squares)), or_of_lanes(high(squares)));
}

// Whether the king of the player to move is safe after its pawn in a lane takes en passant.
OUTLINE bool is_legal_en_passant(const Board b, const Position p, u32 pawn_lane, u32 king) {
    u32 target = en_passant(p.state), victim = target ^ 8;
    u32 from = square_of(from_lane(p.man, pawn_lane));
    u64 after = (occupied(p) ^ bit(from) ^ bit(victim)) | bit(target);
    bool attacks_king = !is_mover(b, p) && square_of(p.man) != victim && has(attacks_among(b, after, p.man), king);
    return !any(attacks_king);
}

// Where each lane's man may go. Castling is a king's step of two files.
INLINE u64 targets(const Board& b, const Position& p, const Siege& siege) {
    bool mine = is_mover(b, p);
    u32 square = square_of(p.man), kind = kind_of(p.man), side = turn(p);
    u64 all = occupied(p);
    u32 passed = en_passant(p.state);
    u64 passed_bit = passed < NO_SQUARE ? bit(passed) : 0;
    u64 attacked = attacks(b, p, siege.king);
    u64 danger = attacked_by_opponent(b, p, attacked);

    u64 to = attacked & ~p.us;
    if (kind == PAWN) {
        u64 once = (side ? bit(square) >> 8 : bit(square) << 8) & ~all;
        u64 twice = side ? (once & 0x0000ff0000000000ull) >> 8 : (once & 0x0000000000ff0000ull) << 8;
        to = (attacked & (p.them | passed_bit)) | once | (twice & ~all);
    }
    if (kind == KING) {
        to &= ~danger;
        u32 rights = side ? castling(p.state) >> 2 : castling(p.state);
        if (rarely(mine && (rights & 3) && !siege.checkers)) {
            u32 shift = side * 56;
            u32 in_danger = (u32)(danger >> shift) & 255, in_the_way = (u32)(all >> shift) & 255;
            if ((rights & 1) && !(in_the_way & 0x60) && !(in_danger & 0x60)) to |= 0x40ull << shift;
            if ((rights & 2) && !(in_the_way & 0x0e) && !(in_danger & 0x0c)) to |= 0x04ull << shift;
        }
    }
    if (!mine || kind == NO_PIECE) to = 0;

    if (rarely(siege.checkers)) {
        u64 answers = 0;
        if (!has_two(siege.checkers)) {
            u32 checker = square_of(from_lane(p.man, first_lane(siege.checkers)));
            answers = b.tables->between[siege.king][checker] | bit(checker);
            if (kind == PAWN && passed_bit && checker == (passed ^ 8)) answers |= passed_bit;
        }
        if (kind != KING) to &= answers;
    }

    // Pins: the opponent's sliders whose way to our king holds one man, ours.
    u64 held = siege.way & all, ray = siege.way | bit(square);
    bool pins = held && !has_two(held) && (held & p.us);
#pragma unroll 1
    for (u32 pinners = ballot(pins); pinners; pinners &= pinners - 1) {
        int pinner = first_lane(pinners);
        u64 line = join(from_lane(low(ray), pinner), from_lane(high(ray), pinner));
        if (line & bit(square)) to &= line;
    }

    if (rarely(passed_bit)) {
#pragma unroll 1
        for (u32 takers = ballot(kind == PAWN && (to & passed_bit)); takers; takers &= takers - 1) {
            u32 taker = first_lane(takers);
            bool is_legal = is_legal_en_passant(b, p, taker, siege.king);
            if (b.lane == taker && !is_legal) to &= ~passed_bit;
        }
    }
    return to;
}

// How many moves the targets are: a pawn on the last rank makes four of one.
INLINE u32 count_moves(const Position& p, u64 to) {
    u32 count = __popcll(to);
    if (kind_of(p.man) == PAWN) count += 3 * __popcll(to & 0xff000000000000ffull);
    return sum_of_lanes(count);
}

// Lists the moves to `to` from `list` on, if there is room for all of them, and says how many there are. Lanes a colour
// apart share the work: one takes the lower half of the board, the other the upper. `promotions` is the first kind that
// pawns become.
INLINE u32 list_moves(const Board& b, const Position& p, u64 to, u32 promotions, u32* list, u32 room) {
    bool mine = is_mover(b, p);
    u32 partner = from_lane_across(p.man, 16);
    u32 partners_half = from_lane_across(high(to), 16);
    u32 half = mine ? low(to) : partners_half;
    u32 man = mine ? p.man : partner;
    u32 base = mine ? 0 : 32;
    u32 kind = kind_of(man), from = square_of(man);
    u32 each = QUEEN - promotions + 1;
    u32 count = __popc(half);
    u32 promoting = kind == PAWN ? half & (mine ? 0xffu : 0xff000000u) : 0;
    count += (each - 1) * __popc(promoting);
    u32 end = count;
#pragma unroll
    for (u32 distance = 1; distance < LANES; distance *= 2) {
        u32 before = from_lane_before(end, distance);
        if (b.lane >= distance) end += before;
    }
    u32 total = from_lane(end, LANES - 1);
    if (rarely(total > room)) return total;
    u32 place = end - count, stem = from | base << 6;
    // A pawn that can promote can do nothing else.
#pragma unroll 1
    for (u32 becomes = promotions; promoting; place++) {
        list[place] = stem + (__ffs(promoting) - 1 << 6) | (PROMOTION + becomes - KNIGHT) << 12;
        half = 0;
        if (becomes++ < QUEEN) continue;
        becomes = promotions;
        promoting &= promoting - 1;
    }
    // Where a pawn takes en passant, and where a king castles: no other step from its first square leads there.
    u32 passed = en_passant(p.state), special_targets = 0;
    if (kind == PAWN && passed - base < 32) special_targets = 1u << (passed & 31);
    if (kind == KING && (from == 4 || from == 60)) special_targets = 0x44000044u;
    u32 mark = (kind == KING ? CASTLING : EN_PASSANT) << 12;
#pragma unroll 1
    for (; half; half &= half - 1) {
        u32 move = stem + (__ffs(half) - 1 << 6);
        if (half & ~(half - 1) & special_targets) move |= mark;
        list[place++] = move;
    }
    sync_warp();
    return total;
}

// Short keys of parts of a position, for experience that is kept by them: of the pawns, of White's and of Black's
// pieces, from the low end. Like the key itself they are made by exclusive or, so that a move changes them by the
// numbers of the men that it moves.
#define PART_BITS 10
#define PART_KEYS (1u << PART_BITS)

INLINE u32 part_of(u64 number, u32 color, bool is_pawn) {
    return low(number) % PART_KEYS << (is_pawn ? 0 : PART_BITS + PART_BITS * color);
}

// The random number of a man.
INLINE u64 number_of(const Board& b, u32 color, u32 man) { return b.tables->men[color << 9 | man]; }

// The key of a position, as that of its parts and its state.
INLINE u64 key_of(const Board& b, const Position& p, u32& parts) {
    u32 kind = kind_of(p.man);
    u64 number = kind ? number_of(b, color_of_lane(b), p.man) : 0;
    parts = xor_of_lanes(part_of(number, color_of_lane(b), kind == PAWN));
    u64 key = join(xor_of_lanes(low(number)), xor_of_lanes(high(number)));
    key ^= b.tables->castling[castling(p.state)] ^ b.tables->en_passant[en_passant(p.state)];
    return turn(p) ? key ^ b.lines->turn : key;
}

// Makes a legal move, or passes without one, and keeps the key and those of the parts up. Says which kind of man moved.
INLINE u32 make(const Board& b, Position& p, u32 move, u32& parts) {
    bool mine = is_mover(b, p);
    u32 square = square_of(p.man), kind = kind_of(p.man), side = turn(p);
    u32 rights = castling(p.state), clock = clock_of(p.state), passed = NO_SQUARE, moved = NO_PIECE;
    u32 takers = 0, state_before = p.state;
    u64 key = p.key ^ b.lines->turn;
    u64 us = p.us, them = p.them;
    if (move != NO_MOVE) {
        u32 from = origin(move), to = target(move), what = special(move);
        u32 victim = what == EN_PASSANT ? to ^ 8 : to;
        bool moves = kind && square == from, falls = square == victim;
        u32 kinds = or_of_lanes(moves ? kind : falls ? kind << 8 : 0), taken = kinds >> 8;
        moved = kinds & 255;
        u32 becomes = what >= PROMOTION ? promoted_kind(move) : moved;
        if (moves) p.man = man_of(becomes, to);
        if (falls) p.man = 0;
        u64 arrived = number_of(b, side, man_of(becomes, to));
        u64 number = number_of(b, side, man_of(moved, from)) ^ arrived;
        us ^= bit(from) ^ bit(to);
        if (rarely(what == CASTLING)) {
            u32 rook_from = to > from ? from + 3 : from - 4, rook_to = (from + to) / 2;
            if (mine && kind == ROOK && square == rook_from) p.man = man_of(ROOK, rook_to);
            us ^= bit(rook_from) ^ bit(rook_to);
            number ^= number_of(b, side, man_of(ROOK, rook_from)) ^ number_of(b, side, man_of(ROOK, rook_to));
        }
        key ^= number;
        parts ^= part_of(number, side, moved == PAWN);
        if (rarely(what >= PROMOTION)) {
            // What arrives is no pawn any more.
            parts ^= part_of(arrived, side, true) ^ part_of(arrived, side, false);
        }
        if (taken) {
            u64 gone = number_of(b, side ^ 1, man_of(taken, victim));
            them ^= bit(victim);
            key ^= gone;
            parts ^= part_of(gone, side ^ 1, taken == PAWN);
        }
        rights &= ~(b.lines->rights[from] | b.lines->rights[to]);
        clock = moved == PAWN || taken ? 0 : least(clock + 1, 255);
        if (rarely(moved == PAWN && (from ^ to) == 16)) {
            passed = (from + to) / 2;
            takers = ballot(!mine && kind == PAWN && has(b.tables->leaps[side][passed], square));
        }
    } else {
        clock = least(clock + 1, 255);
    }
    p.us = them;
    p.them = us;
    p.state = state_of(side ^ 1, rights, takers ? passed : NO_SQUARE, clock);
    if (rarely(takers)) {
        // The square counts only if a pawn may really take there.
        u32 king = king_square(p, side ^ 1);
        bool is_real = false;
#pragma unroll 1
        for (; takers; takers &= takers - 1) is_real |= is_legal_en_passant(b, p, first_lane(takers), king);
        if (!is_real) p.state = state_of(side ^ 1, rights, NO_SQUARE, clock);
    }
    if (rarely((p.state ^ state_before) & KEYED_STATE)) {
        key ^= b.tables->castling[castling(state_before)] ^ b.tables->castling[rights];
        key ^= b.tables->en_passant[en_passant(state_before)] ^ b.tables->en_passant[en_passant(p.state)];
    }
    p.key = key;
    return moved;
}

// Whether neither side can ever mate: kings alone or with one minor piece, or only bishops on squares of one colour.
OUTLINE bool is_insufficient(const Position p) {
    const u64 dark = 0xaa55aa55aa55aa55ull;
    u32 kind = kind_of(p.man);
    if (any(kind == PAWN || kind == ROOK || kind == QUEEN)) return false;
    u32 knights = ballot(kind == KNIGHT), bishops = ballot(kind == BISHOP);
    if (!knights && !bishops) return true;
    if (!has_two(knights | bishops)) return true;
    u32 on_dark = ballot(kind == BISHOP && has(dark, square_of(p.man)));
    return !knights && (on_dark == 0 || on_dark == bishops);
}

#define PAWN_WORTH 100
INLINE int worth(const Board& b, u32 kind) { return b.lines->worths[kind]; }

// Whether a move wins at least so much when both sides go on capturing on its target, the least valuable man first.
// A lane knows once and for all on which squares its man depends to get there; only these have to be empty when it is
// asked.
INLINE bool wins_at_least(const Board& b, const Position& p, u32 move, int moved_worth, int victim_worth, int goal) {
    int balance = victim_worth - goal;
    if (balance < 0) return false;
    balance -= moved_worth;
    if (balance >= 0) return true;
    u32 from = origin(move), to = target(move), square = square_of(p.man), kind = kind_of(p.man);
    u64 all = (occupied(p) ^ bit(from)) | bit(to);
    if (rarely(special(move) == EN_PASSANT)) all ^= bit(to ^ 8);
    // The order in which men take: by their worth, then by their lane; last are those that cannot.
    u32 rank = ALL_LANES;
    u64 way = 0;
    if (square != from && has(looks(b, p.man), to)) {
        rank = kind << 11 | b.lane << 6 | square;
        way = b.tables->between[square][to];
    }
    u32 side = turn(p) ^ 1;
#pragma unroll 1
    for (;;) {
        u32 able = way & all ? ALL_LANES : rank;
        bool has_turn = color_of_lane(b) == side;
        u32 taker = min_of_lanes(has_turn ? able : ALL_LANES);
        if (taker == ALL_LANES) break;
        u32 taker_kind = taker >> 11;
        // A king takes last, and only what is not defended.
        if (taker_kind == KING && any(!has_turn && able != ALL_LANES)) break;
        side ^= 1;
        balance = -balance - 1 - worth(b, taker_kind);
        if (balance >= 0) break;
        all ^= bit(taker & 63);
        if (rank == taker) rank = ALL_LANES;
    }
    return side != turn(p);
}
