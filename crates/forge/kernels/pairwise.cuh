// A pairwise network: the neurons of each player are multiplied in pairs, the first of each half, the second of each
// half, and so on, and two small layers follow, of which every output bucket has its own.
//
//     pairs  = clamped(one) * clamped(other)                        HIDDEN, first those of the player to move
//     second = clamped(weights * pairs + biases) squared            SECOND
//     third  = clamped(weights * second + biases) squared           THIRD
//     output = weights * third + bias

static_assert(HIDDEN % 128 == 0, "pairs lie in whole lanes, and columns in whole tiles");
static_assert(SECOND == 16 && THIRD == 32, "a lane has half a neuron of the second layer and one of the third");

// The tail: in each part the sets of all buckets, and in each set of weights neuron by neuron.
#define SECOND_WEIGHTS 0
#define SECOND_BIASES (SECOND_WEIGHTS + BUCKETS * SECOND * HIDDEN)
#define THIRD_WEIGHTS (SECOND_BIASES + BUCKETS * SECOND)
#define THIRD_BIASES (THIRD_WEIGHTS + BUCKETS * THIRD * SECOND)
#define OUTPUT_WEIGHTS (THIRD_BIASES + BUCKETS * THIRD)
#define OUTPUT_BIASES (OUTPUT_WEIGHTS + BUCKETS * THIRD)
#define TAIL (OUTPUT_BIASES + BUCKETS)

// What is noted of a sample for the gradient of the tail, besides its pairs: the deltas of both layers (derivatives of
// the loss with respect to their sums), what is active in them, the delta of the output and, for biases, a one. Filled
// up to whole vectors of four.
#define SECOND_DELTA 0
#define SECOND_ACTIVE (SECOND_DELTA + SECOND)
#define THIRD_DELTA (SECOND_ACTIVE + SECOND)
#define THIRD_ACTIVE (THIRD_DELTA + THIRD)
#define OUTPUT_DELTA (THIRD_ACTIVE + THIRD)
#define ONE (OUTPUT_DELTA + 1)
#define NOTES (ONE + 3)
static_assert(NOTES == PAIRWISE_NOTES, "the host makes room for as many");

// Adds up each of the sums over all lanes. In every round a lane keeps half of its sums, gives the others away and is
// given what belongs to those it keeps. In the end lane l has sum l / 2.
__device__ inline float shared_out(float* sums, u32 lane) {
#pragma unroll
    for (int kept = SECOND / 2; kept > 0; kept /= 2) {
        u32 distance = 2 * kept;
        bool keeps_upper = (lane & distance) != 0;
#pragma unroll
        for (int k = 0; k < kept; k++) {
            float given = keeps_upper ? sums[k] : sums[k + kept];
            float own = keeps_upper ? sums[k + kept] : sums[k];
            sums[k] = own + __shfl_xor_sync(ALL_LANES, given, distance);
        }
    }
    return sums[0] + __shfl_xor_sync(ALL_LANES, sums[0], 1);
}

__device__ inline float squared(float sum) {
    float active = clamped(sum);
    return active * active;
}

// From the derivative with respect to an activated value to that with respect to its sum.
__device__ inline float delta_of_sum(float sum, float delta_of_active) {
    return has_gradient(sum) ? delta_of_active * 2.0f * sum : 0.0f;
}

// One warp per sample: the output, the loss, and, if there is room for them, the pairs, the notes, and the
// gradients of the hidden values. `scale` is one over the size of the batch; `unit`, a power of two, is what a stored
// delta of one stands for; `penalty` is what a pair of one costs.
extern "C" __global__ void __launch_bounds__(128) forward(
    const float* __restrict__ weights, const Gathered* __restrict__ rows, const u16* __restrict__ features,
    const u8* __restrict__ piece_counts, const u8* __restrict__ buckets, const float* __restrict__ targets, u32 count,
    float scale, float unit, float* all_pairs, Gathered* deltas, float* notes, float* losses, float penalty) {
    u32 sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    u32 lane = threadIdx.x % 32;
    if (sample >= count) return;
    u32 pieces = piece_counts[sample];
    u32 bucket = buckets[sample];
    const float* biases = weights + (u64)INPUTS * HIDDEN;
    const float* tail = weights + (u64)ROWS * HIDDEN;
    float hidden[2][OWNED];
    float pairs[OWNED];
#pragma unroll
    for (int side = 0; side < 2; side++) {
        u32 input = lane < pieces ? features[(2 * sample + side) * PIECES + lane] : 0;
        accumulate(biases, rows, input, pieces, lane, hidden[side]);
#pragma unroll
        for (int k = 0; k < OWNED / 2; k++) {
            pairs[side * (OWNED / 2) + k] = clamped(hidden[side][k]) * clamped(hidden[side][k + OWNED / 2]);
        }
    }

    // The second layer: every lane adds up its pairs for all neurons, and then has neuron lane / 2.
    const float* second_weights = tail + SECOND_WEIGHTS + bucket * (SECOND * HIDDEN);
    float sums[SECOND];
#pragma unroll
    for (int neuron = 0; neuron < SECOND; neuron++) {
        float row[OWNED];
        load(second_weights + neuron * HIDDEN, lane, row);
        sums[neuron] = 0.0f;
#pragma unroll
        for (int k = 0; k < OWNED; k++) sums[neuron] += row[k] * pairs[k];
    }
    float second_sum = shared_out(sums, lane) + tail[SECOND_BIASES + bucket * SECOND + lane / 2];
    float second = squared(second_sum);

    // The third layer and the output: every lane has one neuron.
    float third_sum = tail[THIRD_BIASES + bucket * THIRD + lane];
    const float4* third_row = (const float4*)(tail + THIRD_WEIGHTS + (bucket * THIRD + lane) * SECOND);
    float third_weights[SECOND];
#pragma unroll
    for (int four = 0; four < SECOND / 4; four++) {
        float4 loaded = third_row[four];
        third_weights[4 * four] = loaded.x;
        third_weights[4 * four + 1] = loaded.y;
        third_weights[4 * four + 2] = loaded.z;
        third_weights[4 * four + 3] = loaded.w;
    }
#pragma unroll
    for (int k = 0; k < SECOND; k++) third_sum += third_weights[k] * __shfl_sync(ALL_LANES, second, 2 * k);
    float third = squared(third_sum);
    float output_weight = tail[OUTPUT_WEIGHTS + bucket * THIRD + lane];
    float sum = output_weight * third;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    float points = sigmoid(sum + tail[OUTPUT_BIASES + bucket]);
    float error = points - targets[sample];
    if (lane == 0) losses[sample] = error * error;
    if (!deltas) return;

    // Backwards, in the same lanes.
    float output_delta = loss_derivative(scale, points, error);
    float third_delta = delta_of_sum(third_sum, output_delta * output_weight);
#pragma unroll
    for (int k = 0; k < SECOND; k++) sums[k] = third_weights[k] * third_delta;
    float second_delta = delta_of_sum(second_sum, shared_out(sums, lane));
    float* note = notes + (u64)sample * NOTES;
    if (lane % 2 == 0) {
        note[SECOND_DELTA + lane / 2] = second_delta;
        note[SECOND_ACTIVE + lane / 2] = second;
    }
    note[THIRD_DELTA + lane] = third_delta;
    note[THIRD_ACTIVE + lane] = third;
    if (lane == 0) {
        note[OUTPUT_DELTA] = output_delta;
        note[ONE] = 1.0f;
    }
    store(all_pairs + (u64)sample * HIDDEN, lane, pairs);

    // The gradient of the pairs, penalty included, and then of each neuron of a pair, which is multiplied by the other.
    // Unrolled further, the compiler would keep all weights from above, for which there are no registers.
#pragma unroll
    for (int k = 0; k < OWNED; k++) pairs[k] = penalty * scale / unit;
#pragma unroll 2
    for (int neuron = 0; neuron < SECOND; neuron++) {
        float delta = __shfl_sync(ALL_LANES, second_delta, 2 * neuron) / unit;
        float row[OWNED];
        load(second_weights + neuron * HIDDEN, lane, row);
#pragma unroll
        for (int k = 0; k < OWNED; k++) pairs[k] += delta * row[k];
    }
#pragma unroll
    for (int side = 0; side < 2; side++) {
        float row[OWNED];
#pragma unroll
        for (int k = 0; k < OWNED / 2; k++) {
            float one = hidden[side][k];
            float other = hidden[side][k + OWNED / 2];
            float delta = pairs[side * (OWNED / 2) + k];
            row[k] = has_gradient(one) ? delta * clamped(other) : 0.0f;
            row[k + OWNED / 2] = has_gradient(other) ? delta * clamped(one) : 0.0f;
        }
        store_to_gather(deltas + (u64)(2 * sample + side) * HIDDEN, lane, row);
    }
}

// The samples of one output bucket in a part of the batch, in their order, listed by the first warp of a block for all.
struct BucketList {
    u32 length;
    u8 samples[TAIL_SAMPLES];
};

__device__ inline void fill(BucketList& list, const u8* __restrict__ buckets, u32 bucket, u32 first, u32 count) {
    if (threadIdx.x < 32) {
        u32 length = 0;
        for (u32 offset = threadIdx.x; offset < TAIL_SAMPLES; offset += 32) {
            bool is_in = first + offset < count && buckets[first + offset] == bucket;
            u32 found = __ballot_sync(ALL_LANES, is_in);
            if (is_in) list.samples[length + __popc(found & ((1u << threadIdx.x) - 1))] = (u8)offset;
            length += __popc(found);
        }
        if (threadIdx.x == 0) list.length = length;
    }
    __syncthreads();
}

// One block per part of the batch, output bucket and tile of pairs: the gradient of the second layer's
// weights. A thread has one pair and its weights for all neurons.
extern "C" __global__ void __launch_bounds__(128) pair_gradient(const float* __restrict__ pairs,
                                                               const float* __restrict__ notes,
                                                               const u8* __restrict__ buckets, u32 count,
                                                               float* tails) {
    __shared__ BucketList list;
    u32 bucket = blockIdx.y % BUCKETS;
    u32 column = blockIdx.y / BUCKETS * 128 + threadIdx.x;
    u32 first = blockIdx.x * TAIL_SAMPLES;
    fill(list, buckets, bucket, first, count);
    float sums[SECOND];
#pragma unroll
    for (int neuron = 0; neuron < SECOND; neuron++) sums[neuron] = 0.0f;
    u32 length = list.length;
#pragma unroll 4
    for (u32 k = 0; k < length; k++) {
        u32 sample = first + list.samples[k];
        float pair = pairs[(u64)sample * HIDDEN + column];
        const float4* deltas = (const float4*)(notes + (u64)sample * NOTES + SECOND_DELTA);
#pragma unroll
        for (int four = 0; four < SECOND / 4; four++) {
            float4 delta = deltas[four];
            sums[4 * four] += pair * delta.x;
            sums[4 * four + 1] += pair * delta.y;
            sums[4 * four + 2] += pair * delta.z;
            sums[4 * four + 3] += pair * delta.w;
        }
    }
    float* weights = tails + (u64)blockIdx.x * TAIL + SECOND_WEIGHTS + bucket * (SECOND * HIDDEN) + column;
#pragma unroll
    for (int neuron = 0; neuron < SECOND; neuron++) weights[neuron * HIDDEN] = sums[neuron];
}

// How many weights and biases of a bucket come behind the weights of its second layer.
#define LATER (SECOND + THIRD * SECOND + THIRD + THIRD + 1)

// A weight's gradient is the sum of products of the delta of its neuron and what is active in front of it: which two
// notes these are, and where in the tail the weight lies.
struct Factors {
    u32 delta, active, place;
};

__device__ inline Factors factors(u32 number, u32 bucket) {
    if (number < SECOND) return {SECOND_DELTA + number, ONE, SECOND_BIASES + bucket * SECOND + number};
    number -= SECOND;
    if (number < THIRD * SECOND) {
        u32 place = THIRD_WEIGHTS + bucket * (THIRD * SECOND) + number;
        return {THIRD_DELTA + number / SECOND, SECOND_ACTIVE + number % SECOND, place};
    }
    number -= THIRD * SECOND;
    if (number < THIRD) return {THIRD_DELTA + number, ONE, THIRD_BIASES + bucket * THIRD + number};
    number -= THIRD;
    if (number < THIRD) return {OUTPUT_DELTA, THIRD_ACTIVE + number, OUTPUT_WEIGHTS + bucket * THIRD + number};
    return {OUTPUT_DELTA, ONE, OUTPUT_BIASES + bucket};
}

// One block per part of the batch, output bucket and tile of weights: the gradient of everything behind
// the weights of the second layer.
extern "C" __global__ void __launch_bounds__(128) later_gradient(const float* __restrict__ notes,
                                                                const u8* __restrict__ buckets, u32 count,
                                                                float* tails) {
    __shared__ BucketList list;
    u32 bucket = blockIdx.y % BUCKETS;
    u32 number = blockIdx.y / BUCKETS * 128 + threadIdx.x;
    u32 first = blockIdx.x * TAIL_SAMPLES;
    fill(list, buckets, bucket, first, count);
    if (number >= LATER) return;
    Factors weight = factors(number, bucket);
    float sum = 0.0f;
    u32 length = list.length;
#pragma unroll 8
    for (u32 k = 0; k < length; k++) {
        const float* note = notes + (u64)(first + list.samples[k]) * NOTES;
        sum += note[weight.delta] * note[weight.active];
    }
    tails[(u64)blockIdx.x * TAIL + weight.place] = sum;
}
