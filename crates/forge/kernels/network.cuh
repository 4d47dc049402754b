// What the network says, to the last bit as the engine says it. Its hidden layer is kept for every ply of the line, and
// a move only adds and subtracts a few rows.
//
// A lane holds eight neurons of each player in every chunk of 256. Two neurons share a word as the integer
// high * 65536 + low: such words are added and subtracted like any integers. The low neuron of a layer is kept 32768
// too high, so that it never borrows from the other: to turn its highest bit around is to unpack both. Narrower layers
// are filled up with neurons that do nothing.

#define CHUNK_VECTORS LANES
#define LOW_OFFSET 0x8000u

// The kernels may be compiled for layers of one width, so that the width is a constant.
#ifdef CHUNKS
INLINE u32 chunks_of(const Network&) { return CHUNKS; }
#else
INLINE u32 chunks_of(const Network& network) { return network.chunks; }
#endif

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
    u32 view = network.views[color * 64 + king];
    return {view & 63, view >> 6};
}

INLINE bool is_same(View a, View b) { return a.flip == b.flip && a.first == b.first; }

// Where the row of a man begins.
INLINE u32 row_of(const Network& network, View view, bool is_own, u32 man) {
    u32 feature = view.first + (is_own ? 0 : 384) + (man ^ view.flip) - 64;
    return feature * chunks_of(network) * CHUNK_VECTORS;
}

// Two neurons, each of them kept between nothing and one. The offset of the low one is given, as a number that is in a
// register.
INLINE u32 clamped(u32 neurons, u32 low_offset) {
    return __viaddmin_s16x2_relu(neurons, low_offset, ACTIVATION_UNIT * 0x10001u);
}

// The squares of both.
INLINE u32 activated(u32 neurons, u32 low_offset) {
    u32 both = clamped(neurons, low_offset), low = both & 0xffff, high = both >> 16;
    return (both - low) * high + low * low;
}

INLINE int weigh(uint4 neurons, uint2 weights, int sum) {
    u32 low_offset = recalled(LOW_OFFSET);
    sum = add_low_products(activated(neurons.x, low_offset), weights.x, sum);
    sum = add_high_products(activated(neurons.y, low_offset), weights.x, sum);
    sum = add_low_products(activated(neurons.z, low_offset), weights.y, sum);
    return add_high_products(activated(neurons.w, low_offset), weights.y, sum);
}

OUTLINE int many_centipawns(int upper, int lower, int bias) {
    long long value = ((long long)upper * 65536 + lower) / ACTIVATION_UNIT + bias;
    return (int)(value * CENTIPAWNS / (ACTIVATION_UNIT * OUTPUT_UNIT));
}

// From the weighed sums of all lanes to centipawns.
INLINE int centipawns(int sum, int bias) {
    // Together they may not fit into 32 bits, so they are added up in two parts.
    int upper = sum_of_lanes(sum >> 16);
    int lower = sum_of_lanes(sum & 0xffff);
    upper += lower >> 16;
    lower &= 0xffff;
    if (rarely(upper <= -(1 << 14) || upper >= 1 << 14)) return many_centipawns(upper, lower, bias);
    int value = (upper * 65536 + lower) / ACTIVATION_UNIT + bias;
    return value * CENTIPAWNS / (ACTIVATION_UNIT * OUTPUT_UNIT);
}

// The layers of one ply: for each chunk White's, then Black's, a vector for every lane.
INLINE u32 layer_place(u32 chunk, u32 viewer, u32 lane) { return (2 * chunk + viewer) * CHUNK_VECTORS + lane; }

// Fills the layers of one player from scratch, the biases and the rows of all men, and copies the other player's.
OUTLINE void collect(const Board b, const Network& network, u32 man, View view, u32 viewer, const uint4* before, uint4* layers) {
    u32 row = row_of(network, view, color_of_lane(b) == viewer, man);
    for (u32 chunk = 0; chunk < chunks_of(network); chunk++) {
        u32 own = chunk * CHUNK_VECTORS + b.lane;
        uint4 layer = network.rows[network.inputs * chunks_of(network) * CHUNK_VECTORS + own];
        layer = layer + make_uint4(LOW_OFFSET, LOW_OFFSET, LOW_OFFSET, LOW_OFFSET);
        for (u32 men = ballot(man != 0); men; men &= men - 1) layer = layer + network.rows[from_lane(row, first_lane(men)) + own];
        u32 other = layer_place(chunk, viewer ^ 1, b.lane);
        layers[other] = before[other];
        layers[layer_place(chunk, viewer, b.lane)] = layer;
    }
}

INLINE View current_view(const Network& network, const Position& p, u32 viewer) {
    return view_of(network, viewer, king_square(p, viewer));
}

// Networks whose neurons are multiplied in pairs. The kernels are compiled for them only where a player has one: their
// code would be in the way of the others'. A lane's vector holds four neurons of the first half of its layer in two
// words, and in the other two those they are multiplied with.
#ifdef PAIRWISE
#define SECOND 16
#define SECOND_MOST 8128
#define THIRD_MOST 8064
#define THIRD_SHIFT 10
#define PAIRWISE_UNIT 8130020

// The products of a lane: for every two chunks a vector of the own in both and the other player's in both.
typedef uint4* Products;

INLINE bool is_pairwise(const Network& network) { return network.is_pairwise; }

// The products of two neurons with two others, rounded to a byte each.
INLINE u32 two_products(u32 neurons, u32 partners) {
    u32 one = clamped(neurons, LOW_OFFSET), other = clamped(partners, LOW_OFFSET);
    u32 low = (one & 0xffff) * (other & 0xffff) + 256 >> 9, high = (one >> 16) * (other >> 16) + 256 >> 9;
    return low | high << 8;
}

INLINE u32 four_products(uint4 layer) { return two_products(layer.x, layer.z) | two_products(layer.y, layer.w) << 16; }

INLINE void keep_products(const Board& b, Products products, u32 chunk, uint4 own, uint4 other) {
    u32* words = (u32*)&products[chunk / 2 * LANES + b.lane];
    words[chunk % 2] = four_products(own);
    words[2 + chunk % 2] = four_products(other);
    // A vector that no other chunk fills up.
    if (chunk % 2 == 0) words[1] = words[3] = 0;
}

INLINE int squared(int sum, int most) {
    int active = within(sum, 0, most);
    return active * active >> 12;
}

// What a head has behind the weights of its second layer.
struct Rest {
    int third[SECOND][LANES];
    int third_biases[LANES];
    int output_weights[LANES];
    int second_biases[SECOND];
    int output_bias, padding[3];
};

INLINE int weigh_products(uint4 products, uint4 weights, int sum) {
    sum = add_byte_products(products.x, weights.x, sum);
    sum = add_byte_products(products.y, weights.y, sum);
    sum = add_byte_products(products.z, weights.z, sum);
    return add_byte_products(products.w, weights.w, sum);
}

// The layers behind the products: a lane has a share in every neuron of the second, and is one of the third.
INLINE int head(const Board& b, const Network& network, u32 bucket, Products products) {
    u32 twos = (chunks_of(network) + 1) / 2;
    u32 second_vectors = SECOND * twos * LANES;
    const uint4* second = (const uint4*)network.outputs + bucket * (second_vectors + (u32)(sizeof(Rest) / sizeof(uint4)));
    const Rest& rest = *(const Rest*)(second + second_vectors);
    int third = rest.third_biases[b.lane];
#pragma unroll 2
    for (u32 neuron = 0; neuron < SECOND; neuron++) {
        int sum = 0;
#pragma unroll 1
        for (u32 two = 0; two < twos; two++) {
            sum = weigh_products(products[two * LANES + b.lane], second[(neuron * twos + two) * LANES + b.lane], sum);
        }
        third += rest.third[neuron][b.lane] * squared(sum_of_lanes(sum) + rest.second_biases[neuron], SECOND_MOST);
    }
    int output = squared(third >> THIRD_SHIFT, THIRD_MOST) * rest.output_weights[b.lane];
    long long sum = sum_of_lanes(output) + rest.output_bias;
    return (int)(sum * CENTIPAWNS / PAIRWISE_UNIT);
}
#else
typedef const void* Products;
INLINE bool is_pairwise(const Network&) { return false; }
INLINE void keep_products(const Board&, Products, u32, uint4, uint4) {}
INLINE int head(const Board&, const Network&, u32, Products) { return 0; }
#endif

// Evaluates a position for the player to move, and fills its layers from those of the position before, in which this
// lane's man was `man_before`. Where a king changes its player's view, the position before is looked at anew.
INLINE int evaluate(const Board& b, const Network& network, const Position& p, u32 man_before, const uint4* before,
                    uint4* layers, Products products) {
    View white = current_view(network, p, 0), black = current_view(network, p, 1);
    u32 changed = ballot(man_before != p.man);
    if (rarely(changed & 0x00010001u)) {
        u32 viewer = changed & 1 ? 0 : 1;
        View view = viewer ? black : white;
        if (!is_same(view, view_of(network, viewer, square_of(from_lane(man_before, 16 * viewer))))) {
            collect(b, network, man_before, view, viewer, before, layers);
            before = layers;
        }
    }
    u32 bucket = network.output_by_men[__popcll(occupied(p))];
    // Every lane knows the rows of its man: before and now, as White and as Black see it.
    bool is_white = color_of_lane(b) == 0;
    u32 white_old = row_of(network, white, is_white, man_before), white_new = row_of(network, white, is_white, p.man);
    u32 black_old = row_of(network, black, !is_white, man_before), black_new = row_of(network, black, !is_white, p.man);
    int sum = 0;
#pragma unroll 1
    for (u32 chunk = 0; chunk < chunks_of(network); chunk++) {
        u32 own = chunk * CHUNK_VECTORS + b.lane;
        uint4 one = before[layer_place(chunk, 0, b.lane)];
        uint4 two = before[layer_place(chunk, 1, b.lane)];
#pragma unroll 1
        for (u32 lanes = changed; lanes; lanes &= lanes - 1) {
            // All four rows are on their way before the first is needed.
            int lane = first_lane(lanes);
            uint4 one_old = network.rows[from_lane(white_old, lane) + own], two_old = network.rows[from_lane(black_old, lane) + own];
            uint4 one_new = make_uint4(0, 0, 0, 0), two_new = one_new;
            if (from_lane(p.man, lane)) {
                one_new = network.rows[from_lane(white_new, lane) + own];
                two_new = network.rows[from_lane(black_new, lane) + own];
            }
            one = one + one_new - one_old;
            two = two + two_new - two_old;
        }
        layers[layer_place(chunk, 0, b.lane)] = one;
        layers[layer_place(chunk, 1, b.lane)] = two;
        if (is_pairwise(network)) {
            keep_products(b, products, chunk, turn(p) ? two : one, turn(p) ? one : two);
            continue;
        }
        // The weights of the player to move come first.
        u32 white_place = 2 * bucket + turn(p), black_place = white_place ^ 1;
        sum = weigh(one, network.outputs[white_place * chunks_of(network) * CHUNK_VECTORS + own], sum);
        sum = weigh(two, network.outputs[black_place * chunks_of(network) * CHUNK_VECTORS + own], sum);
    }
    if (is_pairwise(network)) return head(b, network, bucket, products);
    return centipawns(sum, network.output_biases[bucket]);
}

// Evaluates a position from scratch, where speed does not matter.
OUTLINE int evaluate_calmly(const Board b, const Network& network, const Position p, uint4* layers, Products products) {
    collect(b, network, p.man, current_view(network, p, 0), 0, layers, layers);
    collect(b, network, p.man, current_view(network, p, 1), 1, layers, layers);
    return evaluate(b, network, p, p.man, layers, layers, products);
}
