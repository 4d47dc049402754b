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
    const u8* king_buckets;      // by the king's square as its owner sees it
    const u8* output_by_men;     // the output bucket by the number of men
    u32 chunks;
    u32 inputs;                  // how many rows there are before the biases
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
INLINE u32 row_of(const Network& network, View view, u32 viewer, u32 color, u32 man) {
    u32 feature = view.first + (color == viewer ? 0 : 384) + 64 * (kind_of(man) - PAWN) + (square_of(man) ^ view.flip);
    return feature * network.chunks * CHUNK_VECTORS;
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

// A layer from scratch: the biases and the rows of all men.
INLINE uint4 collect(const Board& b, const Network& network, const Position& p, View view, u32 viewer, u32 place) {
    const uint4* rows = network.rows;
    uint4 layer = rows[network.inputs * network.chunks * CHUNK_VECTORS + place];
#pragma unroll 1
    for (u32 men = ballot(p.man != 0); men; men &= men - 1) {
        int lane = first_lane(men);
        layer = layer + rows[row_of(network, view, viewer, lane / 16, from_lane(p.man, lane)) + place];
    }
    return layer;
}

// The layers of one ply: for each chunk White's, then Black's, a vector for every lane.
INLINE u32 layer_place(u32 viewer, u32 lane) { return viewer * CHUNK_VECTORS + lane; }

// Evaluates a position for the player to move, and fills its layers: from scratch, or from those of the position before, in which
// this lane's man was `man_before`. A player whose king changes the view starts from scratch.
INLINE int evaluate(const Board& b, const Network& network, const Position& p, bool from_scratch, u32 man_before,
                    const uint4* before, uint4* layers) {
    u32 changed = from_scratch ? 0 : ballot(man_before != p.man);
    u32 bucket = network.output_by_men[__popcll(occupied(p))];
    const u32 width = network.chunks * CHUNK_VECTORS;
    int sum = 0;
#pragma unroll 1
    for (u32 viewer = 0; viewer < 2; viewer++) {
        u32 king = king_square(p, viewer);
        View view = view_of(network, viewer, king);
        bool is_new = from_scratch;
        if (!from_scratch && changed >> 16 * viewer & 1) {
            is_new = !is_same(view, view_of(network, viewer, square_of(from_lane(man_before, 16 * viewer))));
        }
        const uint4* outputs = network.outputs + (2 * bucket + (viewer ^ turn(p))) * width;
#pragma unroll 1
        for (u32 place = b.lane; place < width; place += CHUNK_VECTORS) {
            uint4 layer;
            if (is_new) {
                layer = collect(b, network, p, view, viewer, place);
            } else {
                layer = before[2 * (place - b.lane) + layer_place(viewer, b.lane)];
#pragma unroll 1
                for (u32 lanes = changed; lanes; lanes &= lanes - 1) {
                    int lane = first_lane(lanes);
                    u32 old = from_lane(man_before, lane), now = from_lane(p.man, lane);
                    if (old) layer = layer - network.rows[row_of(network, view, viewer, lane / 16, old) + place];
                    if (now) layer = layer + network.rows[row_of(network, view, viewer, lane / 16, now) + place];
                }
            }
            layers[2 * (place - b.lane) + layer_place(viewer, b.lane)] = layer;
            sum = weigh(layer, outputs[place], sum);
        }
    }
    return centipawns(sum, network.output_biases[bucket]);
}

// Evaluates a position from scratch, where speed does not matter.
OUTLINE int evaluate_calmly(const Board b, const Network& network, const Position p, uint4* layers) {
    return evaluate(b, network, p, true, 0, layers, layers);
}
