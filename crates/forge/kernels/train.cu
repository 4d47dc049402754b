// Training on the GPU: six or seven kernels per batch. The host defines HIDDEN, INPUTS, BUCKETS and CHUNK_WORDS when it
// compiles them, PAIRWISE, SECOND and THIRD if there are layers between the hidden one and the output, and HALVES if
// what is gathered from all over the memory is to be stored in 16 bits.
//
// An *entry* is one side of a sample: entry 2b belongs to the player to move in sample b of the batch, entry 2b + 1 to
// the other. Weights lie as in train::Weights: a row per input, the row of the hidden biases, and the tail, which is
// the business of straight.cuh or pairwise.cuh. Every sum is taken in an order that is fixed by the numbers of the
// batch alone, so that the same GPU computes the same weights again, to the bit.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define ALL_LANES 0xffffffffu

// What the host and the kernels share: PIECES, ROUNDS, FEATURES (pieces on squares; each king bucket has rows for all
// of them), TAIL_SAMPLES (samples that are added up at once where the gradient of the tail is made), PAIRWISE_NOTES,
// Order and Update. The host writes it.
#include "layout.cuh"

#define KINGS (INPUTS / FEATURES)
// Rows of features, and one more for the biases.
#define ROWS (INPUTS + 1)

__device__ inline u32 mix(u32 bits) {
    bits = (bits ^ bits >> 16) * 0x85ebca6bu;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
    return bits ^ bits >> 16;
}

__device__ inline u64 encipher(const Order& order, u64 number) {
    u32 mask = 0xffffffffu >> (32 - order.half_bits);
    u32 left = (u32)(number >> order.half_bits) & mask;
    u32 right = (u32)number & mask;
    for (int round = 0; round < ROUNDS; round++) {
        u32 mixed = left ^ (mix(right ^ order.keys[round]) & mask);
        left = right;
        right = mixed;
    }
    return (u64)left << order.half_bits | right;
}

__device__ inline u64 at(const Order& order, u64 place) {
    if (order.half_bits == 0) return place;
    u64 number = encipher(order, place);
    while (number >= order.length) number = encipher(order, number);
    return number;
}

__device__ inline float sigmoid(float output) {
    return 1.0f / (1.0f + expf(-output));
}

// The derivative of the loss with respect to the output of a sample, whose share of the batch is `scale`.
__device__ inline float loss_derivative(float scale, float points, float error) {
    return 2.0f * scale * error * points * (1.0f - points);
}

__device__ inline float clamped(float value) {
    return fminf(fmaxf(value, 0.0f), 1.0f);
}

// Where the clamp bites, and at both ends of it, an activation has no gradient.
__device__ inline bool has_gradient(float value) {
    return value > 0.0f && value < 1.0f;
}

// Where a sample lies, if all parts of the data are counted through. `parts` has a beginning and a length for each.
__device__ inline u64 located(const u64* parts, u64 number) {
    while (number >= parts[1]) {
        number -= parts[1];
        parts += 2;
    }
    return parts[0] + number;
}

// One warp per sample: which inputs it switches on, listed by entry, and marked in a bit per input and entry.
//
// Setting bits is the only place where threads meet in memory, and bits do not mind in which order they are set.
extern "C" __global__ void unpack(const u64* samples, const u64* parts, Order order, u64 first, u32 count,
                                  float lambda, const u16* table, const u8* bucket_table, u16* features,
                                  u8* piece_counts, u8* buckets, float* targets, u32* presence, u32 words) {
    u32 sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    u32 lane = threadIdx.x % 32;
    if (sample >= count) return;
    const u64* packed = samples + 4 * located(parts, at(order, first + sample));
    u64 occupied = packed[0];
    u64 rest = packed[3];
    u32 kings[2] = {(u32)(rest >> 24) & 63, (u32)(rest >> 32) & 63};
    for (u32 square = lane; square < 64; square += 32) {
        if ((occupied >> square & 1) == 0) continue;
        u32 number = __popcll(occupied & ((1ull << square) - 1));
        if (number >= PIECES) continue;
        u32 code = (u32)(packed[1 + number / 16] >> (4 * (number % 16))) & 15;
        // Whatever is in memory, a piece is one of twelve.
        u32 piece = (code & 7) % 6 + 6 * (code >> 3);
        for (u32 side = 0; side < 2; side++) {
            u32 feature = table[((side * 64 + kings[side]) * 12 + piece) * 64 + square];
            u32 entry = 2 * sample + side;
            features[entry * PIECES + number] = (u16)feature;
            if (presence) atomicOr(presence + (u64)feature * words + entry / 32, 1u << (entry % 32));
        }
    }
    if (lane == 0) {
        u32 pieces = min(__popcll(occupied), PIECES);
        float points = (float)((u32)(rest >> 16) & 3) * 0.5f;
        float score = (float)(short)(u16)rest;
        piece_counts[sample] = (u8)pieces;
        buckets[sample] = bucket_table[pieces];
        targets[sample] = lambda * points + (1.0f - lambda) * sigmoid(score / 400.0f);
    }
}

#include "rows.cuh"

// One thread per number: the rows of all inputs as they are gathered.
extern "C" __global__ void close_rows(const float* __restrict__ weights, Gathered* rows) {
    u64 place = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (place < (u64)INPUTS * HIDDEN) rows[place] = closed(weights[place]);
}

// From the rows to the output, and the gradient of what comes behind the rows.
#ifdef PAIRWISE
#include "pairwise.cuh"
#else
#include "straight.cuh"
#endif

#define GRADIENT_THREADS 256
#define ROW_VECTORS (HIDDEN / 4)
#define TEAMS (GRADIENT_THREADS / ROW_VECTORS)
#define WORDS_PER_LANE (CHUNK_WORDS / 32)

// Four numbers side by side, as they are gathered.
union Four {
#ifdef HALVES
    uint2 vector;
#else
    float4 vector;
#endif
    Gathered values[4];
};

__device__ inline void add(float4& sum, float4 part) {
    sum.x += part.x;
    sum.y += part.y;
    sum.z += part.z;
    sum.w += part.w;
}

// All four in one load.
__device__ inline Four fetched(const Four* __restrict__ place) {
    Four four;
    four.vector = place->vector;
    return four;
}

__device__ inline void add(float4& sum, const Four& part) {
    const Gathered* values = part.values;
    add(sum, make_float4(opened(values[0]), opened(values[1]), opened(values[2]), opened(values[3])));
}

// One block per row and chunk of entries: lists the entries that have the input, from their bits, and adds up their
// deltas. Several teams of threads share the list; their sums are joined in order. `filled` says which parts of
// `partials` were written at all.
extern "C" __global__ void __launch_bounds__(GRADIENT_THREADS) feature_gradient(const Four* __restrict__ deltas,
                                                                               const u32* __restrict__ presence,
                                                                               u32 words, u32 entries, float unit,
                                                                               float4* partials, u8* filled) {
    __shared__ u16 list[CHUNK_WORDS * 32];
    __shared__ u32 listed;
    __shared__ float4 sums[TEAMS][ROW_VECTORS];
    // The row of the biases has every entry: it comes first, so that the longest work begins first.
    u32 row = blockIdx.x == 0 ? INPUTS : blockIdx.x - 1;
    u32 chunk = blockIdx.y;
    u32 first = chunk * CHUNK_WORDS * 32;
    if (threadIdx.x < 32) {
        u32 bits[WORDS_PER_LANE];
        u32 own = 0;
        u32 first_word = threadIdx.x * WORDS_PER_LANE;
#pragma unroll
        for (int k = 0; k < WORDS_PER_LANE; k++) {
            u32 word = chunk * CHUNK_WORDS + first_word + k;
            if (row < INPUTS) {
                bits[k] = presence[(u64)row * words + word];
            } else {
                u32 left = entries > word * 32 ? entries - word * 32 : 0;
                bits[k] = left >= 32 ? 0xffffffffu : (1u << left) - 1;
            }
            own += __popc(bits[k]);
        }
        u32 before = own;
        for (u32 distance = 1; distance < 32; distance *= 2) {
            u32 other = __shfl_up_sync(ALL_LANES, before, distance);
            if (threadIdx.x >= distance) before += other;
        }
        if (threadIdx.x == 31) listed = before;
        u32 place = before - own;
#pragma unroll
        for (int k = 0; k < WORDS_PER_LANE; k++) {
            for (u32 rest = bits[k]; rest != 0; rest &= rest - 1) {
                list[place++] = (u16)((first_word + k) * 32 + __ffs(rest) - 1);
            }
        }
    }
    __syncthreads();
    u32 length = listed;
    if (threadIdx.x == 0) filled[(u64)chunk * ROWS + row] = length > 0;
    if (length == 0) return;
    u32 team = threadIdx.x / ROW_VECTORS;
    u32 column = threadIdx.x % ROW_VECTORS;
    if (team < TEAMS) {
        const Four* rows = deltas + (u64)first * ROW_VECTORS + column;
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        u32 k = team;
        // Eight rows are on their way before the first is needed.
        for (; k + 7 * TEAMS < length; k += 8 * TEAMS) {
            Four parts[8];
#pragma unroll
            for (int ahead = 0; ahead < 8; ahead++) parts[ahead] = fetched(rows + list[k + ahead * TEAMS] * ROW_VECTORS);
#pragma unroll
            for (int ahead = 0; ahead < 8; ahead++) add(sum, parts[ahead]);
        }
        for (; k < length; k += TEAMS) add(sum, fetched(rows + list[k] * ROW_VECTORS));
        sums[team][column] = sum;
    }
    __syncthreads();
    if (team == 0) {
        float4 sum = sums[0][column];
        for (u32 other = 1; other < TEAMS; other++) add(sum, sums[other][column]);
        sum = make_float4(sum.x * unit, sum.y * unit, sum.z * unit, sum.w * unit);
        partials[((u64)chunk * ROWS + row) * ROW_VECTORS + column] = sum;
    }
}

// The gradient of one weight, from its parts.
__device__ inline float joined(u64 place, const float* partials, const u8* filled, u32 chunks, const float* tails,
                               u32 tail_parts) {
    float sum = 0.0f;
    if (place < (u64)ROWS * HIDDEN) {
        u64 row = place / HIDDEN;
#pragma unroll 8
        for (u32 chunk = 0; chunk < chunks; chunk++) {
            if (filled[(u64)chunk * ROWS + row]) sum += partials[(u64)chunk * ROWS * HIDDEN + place];
        }
    } else {
#pragma unroll 16
        for (u32 part = 0; part < tail_parts; part++) sum += tails[(u64)part * TAIL + (place - (u64)ROWS * HIDDEN)];
    }
    return sum;
}

// AdamW, as train::Update::step does it.
__device__ inline float adam_step(const Update& update, float* means, float* squares, u64 place, float gradient) {
    float mean = means[place];
    float square = squares[place];
    mean += update.one_minus_beta_1 * (gradient - mean);
    square += update.one_minus_beta_2 * (gradient * gradient - square);
    means[place] = mean;
    squares[place] = square;
    return update.rate * mean / (sqrtf(square) * update.root_correction + update.epsilon);
}

__device__ inline float moved(const Update& update, float weight, float step) {
    return fminf(fmaxf(weight * update.keep - step, -update.clip), update.clip);
}

// One thread per weight, and one for all king buckets together where they share a weight: AdamW. With moments for what
// is shared, every bucket takes the step of the shared weight, too, as train::factoriser explains.
extern "C" __global__ void update(float* weights, float* means, float* squares, float* shared_means,
                                  float* shared_squares, const float* partials, const u8* filled, u32 chunks,
                                  const float* tails, u32 tail_parts, Update update) {
    u64 place = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= (u64)(FEATURES + 1) * HIDDEN + TAIL) return;
    if (place >= (u64)FEATURES * HIDDEN) {
        place += (u64)(INPUTS - FEATURES) * HIDDEN;
        float gradient = joined(place, partials, filled, chunks, tails, tail_parts);
        weights[place] = moved(update, weights[place], adam_step(update, means, squares, place, gradient));
        return;
    }
    float steps[KINGS];
    float shared_gradient = 0.0f;
#pragma unroll
    for (u32 king = 0; king < KINGS; king++) {
        u64 own = place + (u64)king * FEATURES * HIDDEN;
        float gradient = joined(own, partials, filled, chunks, tails, tail_parts);
        shared_gradient += gradient;
        steps[king] = adam_step(update, means, squares, own, gradient);
    }
    float shared_step = 0.0f;
    if (shared_means) shared_step = adam_step(update, shared_means, shared_squares, place, shared_gradient);
#pragma unroll
    for (u32 king = 0; king < KINGS; king++) {
        u64 own = place + (u64)king * FEATURES * HIDDEN;
        weights[own] = moved(update, weights[own], steps[king] + shared_step);
    }
}

// The whole gradient, for tests.
extern "C" __global__ void gradient(const float* partials, const u8* filled, u32 chunks, const float* tails,
                                    u32 tail_parts, float* gradients) {
    u64 place = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= (u64)ROWS * HIDDEN + TAIL) return;
    gradients[place] = joined(place, partials, filled, chunks, tails, tail_parts);
}

// One block: the losses of a batch, added up in double precision.
extern "C" __global__ void __launch_bounds__(1024) tally(const float* losses, u32 count, double* totals, u32 slot) {
    __shared__ double sums[1024];
    double sum = 0.0;
    for (u32 sample = threadIdx.x; sample < count; sample += 1024) sum += losses[sample];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (u32 half = 512; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) totals[slot] = sums[0];
}
