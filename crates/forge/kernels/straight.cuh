// A straight network: what is active of both players goes straight to the output.

// What comes behind the rows: weights and biases of the output.
#define TAIL (BUCKETS * (2 * HIDDEN + 1))

// One warp per sample: the output, the loss, and, if there is room for them, the activated neurons and the
// gradients of the hidden values. `scale` is one over the size of the batch; `unit`, a power of two, is what a stored
// delta of one stands for.
extern "C" __global__ void __launch_bounds__(128) forward(
    const float* __restrict__ weights, const Gathered* __restrict__ rows, const u16* __restrict__ features,
    const u8* __restrict__ piece_counts, const u8* __restrict__ buckets, const float* __restrict__ targets, u32 count,
    float scale, float unit, float* activated, Gathered* deltas, float* output_gradients, float* losses) {
    u32 sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    u32 lane = threadIdx.x % 32;
    if (sample >= count) return;
    u32 pieces = piece_counts[sample];
    u32 bucket = buckets[sample];
    const float* biases = weights + (u64)INPUTS * HIDDEN;
    const float* output_weights = weights + (u64)ROWS * HIDDEN + bucket * (2 * HIDDEN);
    float hidden[2][OWNED];
#pragma unroll
    for (int side = 0; side < 2; side++) {
        u32 input = lane < pieces ? features[(2 * sample + side) * PIECES + lane] : 0;
        accumulate(biases, rows, input, pieces, lane, hidden[side]);
    }
    float sum = 0.0f;
#pragma unroll
    for (int side = 0; side < 2; side++) {
        float row[OWNED];
        load(output_weights + side * HIDDEN, lane, row);
#pragma unroll
        for (int k = 0; k < OWNED; k++) {
            float active = clamped(hidden[side][k]);
            sum += row[k] * active * active;
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    float points = sigmoid(sum + weights[(u64)ROWS * HIDDEN + BUCKETS * (2 * HIDDEN) + bucket]);
    float error = points - targets[sample];
    float output_gradient = loss_derivative(scale, points, error);
    if (lane == 0) {
        losses[sample] = error * error;
        output_gradients[sample] = output_gradient;
    }
    if (!deltas) return;
    float delta = output_gradient / unit;
#pragma unroll
    for (int side = 0; side < 2; side++) {
        float row[OWNED];
        float squared[OWNED];
        load(output_weights + side * HIDDEN, lane, row);
#pragma unroll
        for (int k = 0; k < OWNED; k++) {
            float value = hidden[side][k];
            float active = clamped(value);
            squared[k] = active * active;
            row[k] = has_gradient(value) ? delta * row[k] * 2.0f * value : 0.0f;
        }
        store(activated + (u64)(2 * sample + side) * HIDDEN, lane, squared);
        store_to_gather(deltas + (u64)(2 * sample + side) * HIDDEN, lane, row);
    }
}

// One block per part of the batch and tile of columns: the gradient of the output weights. The last column is the
// bias, which is multiplied by one.
extern "C" __global__ void __launch_bounds__(128) output_gradient(const float* __restrict__ activated,
                                                                 const float* __restrict__ output_gradients,
                                                                 const u8* __restrict__ buckets, u32 count,
                                                                 float* tails) {
    __shared__ float sums[BUCKETS][128];
    u32 column = blockIdx.y * 128 + threadIdx.x;
    if (column > 2 * HIDDEN) return;
    for (u32 bucket = 0; bucket < BUCKETS; bucket++) sums[bucket][threadIdx.x] = 0.0f;
    u32 first = blockIdx.x * TAIL_SAMPLES;
    u32 end = min(first + TAIL_SAMPLES, count);
    for (u32 sample = first; sample < end; sample += 8) {
        float active[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            active[k] = 1.0f;
            if (column < 2 * HIDDEN && sample + k < end) active[k] = activated[(u64)(sample + k) * (2 * HIDDEN) + column];
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            if (sample + k < end) sums[buckets[sample + k]][threadIdx.x] += output_gradients[sample + k] * active[k];
        }
    }
    float* tail = tails + (u64)blockIdx.x * TAIL;
    for (u32 bucket = 0; bucket < BUCKETS; bucket++) {
        u32 place = column < 2 * HIDDEN ? bucket * (2 * HIDDEN) + column : BUCKETS * (2 * HIDDEN) + bucket;
        tail[place] = sums[bucket][threadIdx.x];
    }
}
