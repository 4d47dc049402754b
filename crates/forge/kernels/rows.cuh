// What a lane of a warp owns of a row of neurons, and how rows are loaded, gathered and stored.

// A lane of a warp owns VEC neurons side by side in each of GROUPS groups of 32 * VEC. Where neurons are multiplied in
// pairs, each half of a row has whole groups, so that both neurons of a pair are in the same lane.
#ifdef PAIRWISE
#define SPAN (HIDDEN / 2)
#else
#define SPAN HIDDEN
#endif
#if SPAN % 128 == 0
#define VEC 4
typedef float4 Vector;
typedef uint2 HalfVector;
#elif SPAN % 64 == 0
#define VEC 2
typedef float2 Vector;
typedef u32 HalfVector;
#else
#define VEC 1
typedef float Vector;
typedef u16 HalfVector;
#endif
#define GROUPS (HIDDEN / (32 * VEC))
#define OWNED (HIDDEN / 32)

// Most of the time of a training goes into gathering rows: those of the weights, for each piece of each sample, and
// those of the gradients, for each hidden neuron of each sample. Half as many bytes are gathered in half the time; sums
// are always of 32 bits.
#ifdef __CUDACC__
__device__ inline float half_to_float(u16 half) {
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(half));
    return number;
}

__device__ inline u16 float_to_half(float number) {
    u16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(number));
    return half;
}
#endif

#ifdef HALVES
typedef u16 Gathered;
typedef HalfVector GatheredVector;
__device__ inline float opened(u16 half) { return half_to_float(half); }
__device__ inline u16 closed(float number) { return float_to_half(number); }
#else
typedef float Gathered;
typedef Vector GatheredVector;
__device__ inline float opened(float number) { return number; }
__device__ inline float closed(float number) { return number; }
#endif

union Lane {
    Vector vector;
    float values[VEC];
};

union GatheredLane {
    GatheredVector vector;
    Gathered values[VEC];
};

__device__ inline void load(const float* __restrict__ row, u32 lane, float* values) {
#pragma unroll
    for (int group = 0; group < GROUPS; group++) {
        Lane loaded;
        loaded.vector = ((const Vector*)row)[group * 32 + lane];
#pragma unroll
        for (int k = 0; k < VEC; k++) values[group * VEC + k] = loaded.values[k];
    }
}

__device__ inline void gather(const Gathered* __restrict__ row, u32 lane, float* values) {
#pragma unroll
    for (int group = 0; group < GROUPS; group++) {
        GatheredLane loaded;
        loaded.vector = ((const GatheredVector*)row)[group * 32 + lane];
#pragma unroll
        for (int k = 0; k < VEC; k++) values[group * VEC + k] = opened(loaded.values[k]);
    }
}

__device__ inline void store(float* row, u32 lane, const float* values) {
#pragma unroll
    for (int group = 0; group < GROUPS; group++) {
        Lane stored;
#pragma unroll
        for (int k = 0; k < VEC; k++) stored.values[k] = values[group * VEC + k];
        ((Vector*)row)[group * 32 + lane] = stored.vector;
    }
}

__device__ inline void store_to_gather(Gathered* row, u32 lane, const float* values) {
#pragma unroll
    for (int group = 0; group < GROUPS; group++) {
        GatheredLane stored;
#pragma unroll
        for (int k = 0; k < VEC; k++) stored.values[k] = closed(values[group * VEC + k]);
        ((GatheredVector*)row)[group * 32 + lane] = stored.vector;
    }
}

// The hidden values of one side of a sample before the activation: biases and the rows of all its inputs. The inputs
// lie in the lanes, one for each piece.
__device__ inline void accumulate(const float* __restrict__ biases, const Gathered* __restrict__ rows, u32 input,
                                  u32 pieces, u32 lane, float* hidden) {
    load(biases, lane, hidden);
#pragma unroll 4
    for (u32 piece = 0; piece < pieces; piece++) {
        u32 feature = __shfl_sync(ALL_LANES, input, piece);
        float row[OWNED];
        gather(rows + (u64)feature * HIDDEN, lane, row);
#pragma unroll
        for (int k = 0; k < OWNED; k++) hidden[k] += row[k];
    }
}
