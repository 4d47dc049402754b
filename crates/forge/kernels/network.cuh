// What the network says, to the last bit as the engine says it. Its hidden layer is kept for every ply of the line, and a move
// only adds and subtracts a few rows.
//
// A lane holds eight neurons of each player in every chunk of 256. Two neurons share a word as the integer
// high * 65536 + low: such words are added and subtracted like any integers, and only unpacking minds the borrow.
// Narrower layers are filled up with neurons that do nothing.

#define CHUNK_VECTORS LANES

struct Network {
    const uint4* rows;           // chunks * 32 vectors for every feature of every king bucket, then the biases
    const uint4* outputs;        // for each output bucket the weights of the own layer, then of the other
    const int* output_biases;
    const u8* king_buckets;
    u32 chunks;
    u32 inputs;                  // how many rows there are before the biases
    u32 output_buckets;
    u32 output_step;             // so many men make another output bucket
};

#define ACTIVATION_UNIT 255
#define OUTPUT_UNIT 64
#define CENTIPAWNS 400

INLINE uint4 operator+(uint4 a, uint4 b) { return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
INLINE uint4 operator-(uint4 a, uint4 b) { return make_uint4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }

// The board as a player sees it whose king is on a square: which rows, and what to do to the bits of a square.
struct View {
    u32 flip, first;
};

INLINE View view_of(const Network& network, u32 color, u32 king) {
    u32 flip = (color ? 56 : 0) ^ (king & 4 ? 0 : 7);
    return {flip, 768u * network.king_buckets[king ^ flip]};
}

INLINE bool is_same(View a, View b) { return a.flip == b.flip && a.first == b.first; }

// Where the row of a man begins.
INLINE u64 row_of(const Network& network, View view, u32 viewer, u32 color, u32 man) {
    u32 feature = view.first + (color == viewer ? 0 : 384) + 64 * (kind_of(man) - PAWN) + (square_of(man) ^ view.flip);
    return (u64)feature * network.chunks * CHUNK_VECTORS;
}

INLINE int weigh(u32 neurons, u32 weights, int sum) {
    int a = within(low_half(neurons), 0, ACTIVATION_UNIT);
    int b = within((int)(neurons + 0x8000u) >> 16, 0, ACTIVATION_UNIT);
    return sum + a * low_half(weights) * a + b * high_half(weights) * b;
}

INLINE int weigh(uint4 neurons, uint4 weights, int sum) {
    sum = weigh(neurons.x, weights.x, sum);
    sum = weigh(neurons.y, weights.y, sum);
    sum = weigh(neurons.z, weights.z, sum);
    return weigh(neurons.w, weights.w, sum);
}

// From the weighed sums of all lanes to centipawns.
INLINE int centipawns(int sum, int bias) {
    // Together they may not fit into 32 bits, so they are added up in two parts.
    int upper = sum_of_lanes(sum >> 16);
    int lower = sum_of_lanes(sum & 0xffff);
    upper += lower >> 16;
    lower &= 0xffff;
    if (upper > -(1 << 14) && upper < 1 << 14) {
        int value = (upper * 65536 + lower) / ACTIVATION_UNIT + bias;
        return value * CENTIPAWNS / (ACTIVATION_UNIT * OUTPUT_UNIT);
    }
    long long value = ((long long)upper * 65536 + lower) / ACTIVATION_UNIT + bias;
    return (int)(value * CENTIPAWNS / (ACTIVATION_UNIT * OUTPUT_UNIT));
}

INLINE u32 output_bucket(const Network& network, const Position& p) {
    u32 men = __popcll(occupied(p));
    return least((men - 2) / network.output_step, network.output_buckets - 1);
}

// A layer from scratch: the biases and the rows of all men.
INLINE uint4 collect(const Board& b, const Network& network, const Position& p, View view, u32 viewer, u64 place) {
    const uint4* rows = network.rows;
    uint4 layer = rows[(u64)network.inputs * network.chunks * CHUNK_VECTORS + place];
    for (u32 men = ballot(p.man != 0); men; men &= men - 1) {
        int lane = first_lane(men);
        layer = layer + rows[row_of(network, view, viewer, lane / 16, from_lane(p.man, lane)) + place];
    }
    return layer;
}

// The layers of one ply: for each chunk White's, then Black's, a vector for every lane.
INLINE u64 layer_place(u32 chunk, u32 viewer, u32 lane) { return (u64)(chunk * 2 + viewer) * CHUNK_VECTORS + lane; }

// Evaluates a position for the player to move, and fills its layers: from scratch, or from those of the position before, in which
// this lane's man was `man_before`. A player whose king changes the view starts from scratch.
INLINE int evaluate(const Board& b, const Network& network, const Position& p, bool from_scratch, u32 man_before,
                    const uint4* before, uint4* layers) {
    u32 kings[2] = {king_square(p, 0), king_square(p, 1)};
    View views[2] = {view_of(network, 0, kings[0]), view_of(network, 1, kings[1])};
    u32 changed = 0;
    bool is_new[2] = {from_scratch, from_scratch};
    if (!from_scratch) {
        changed = ballot(man_before != p.man);
        if (changed & 0x00010001u) {
            u32 viewer = changed & 1 ? 0 : 1;
            u32 king_before = square_of(from_lane(man_before, viewer * 16));
            bool stays = is_same(view_of(network, viewer, king_before), viewer ? views[1] : views[0]);
            is_new[0] = viewer == 0 && !stays;
            is_new[1] = viewer == 1 && !stays;
        }
    }
    u32 bucket = output_bucket(network, p);
    const uint4* outputs = network.outputs + (u64)bucket * 2 * network.chunks * CHUNK_VECTORS;
    int sum = 0;
    for (u32 chunk = 0; chunk < network.chunks; chunk++) {
        u32 place = chunk * CHUNK_VECTORS + b.lane;
#pragma unroll
        for (u32 viewer = 0; viewer < 2; viewer++) {
            uint4 layer;
            if (is_new[viewer]) {
                layer = collect(b, network, p, views[viewer], viewer, place);
            } else {
                layer = before[layer_place(chunk, viewer, b.lane)];
                for (u32 lanes = changed; lanes; lanes &= lanes - 1) {
                    int lane = first_lane(lanes);
                    u32 old = from_lane(man_before, lane), now = from_lane(p.man, lane);
                    if (old) layer = layer - network.rows[row_of(network, views[viewer], viewer, lane / 16, old) + place];
                    if (now) layer = layer + network.rows[row_of(network, views[viewer], viewer, lane / 16, now) + place];
                }
            }
            layers[layer_place(chunk, viewer, b.lane)] = layer;
            u32 half = viewer == turn(p) ? 0 : network.chunks * CHUNK_VECTORS;
            sum = weigh(layer, outputs[half + place], sum);
        }
    }
    return centipawns(sum, network.output_biases[bucket]);
}
