// What thirty-two lanes do together. All of self-play is written for one warp: every function is called by all of its
// lanes at once, and whatever is not said to belong to a lane is the same in all of them.
//
// The collectives are macros, so that the emulation on the CPU can tell by the line whether all lanes have come to the
// same one.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef short s16;

#define ALL_LANES 0xffffffffu

// What the host and the kernels share: LANES and other numbers, the parameters of the kernels, games and records. The
// host writes it.
#include "layout.cuh"

// A bit for each lane in which a condition holds.
#define ballot(condition) __ballot_sync(ALL_LANES, (condition))
// Whether a condition holds in any lane.
#define any(condition) (__ballot_sync(ALL_LANES, (condition)) != 0)
// The value that another lane has.
#define from_lane(value, lane) __shfl_sync(ALL_LANES, (value), (lane))
#define from_lane_across(value, distance) __shfl_xor_sync(ALL_LANES, (value), (distance))
#define from_lane_before(value, distance) __shfl_up_sync(ALL_LANES, (value), (distance))
// The values of all lanes as one.
#define sum_of_lanes(value) __reduce_add_sync(ALL_LANES, (value))
#define max_of_lanes(value) __reduce_max_sync(ALL_LANES, (value))
#define min_of_lanes(value) __reduce_min_sync(ALL_LANES, (value))
#define or_of_lanes(value) __reduce_or_sync(ALL_LANES, (value))
#define xor_of_lanes(value) __reduce_xor_sync(ALL_LANES, (value))
// Everything that a lane has written can be read by all.
#define sync_warp() __syncwarp(ALL_LANES)

// A condition that hardly ever holds: what depends on it is put out of the way of the rest.
#define rarely(condition) __builtin_expect(!!(condition), 0)

#define INLINE __device__ __forceinline__
#define OUTLINE __device__ __noinline__

INLINE u32 low(u64 bits) { return (u32)bits; }
INLINE u32 high(u64 bits) { return (u32)(bits >> 32); }
INLINE u64 join(u32 low, u32 high) { return (u64)high << 32 | low; }
INLINE u64 bit(u32 square) { return 1ull << square; }
INLINE bool has(u64 squares, u32 square) { return squares >> square & 1; }
INLINE bool has_two(u64 squares) { return (squares & (squares - 1)) != 0; }
INLINE int first_lane(u32 lanes) { return __ffs(lanes) - 1; }
INLINE int least(int a, int b) { return a < b ? a : b; }
INLINE int most(int a, int b) { return a > b ? a : b; }
INLINE int within(int value, int low, int high) { return least(most(value, low), high); }

// Two signed halves in one word.
INLINE u32 halves(int low, int high) { return (u32)(u16)low | (u32)(u16)high << 16; }
INLINE int low_half(u32 word) { return (s16)word; }
INLINE int high_half(u32 word) { return (int)word >> 16; }

// Adds the products of a word's two halves, which have no sign, with the low or the high two bytes of another, which
// have.
#ifdef __CUDACC__
INLINE int add_low_products(u32 halves, u32 bytes, int sum) {
    asm("dp2a.lo.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(halves), "r"(bytes));
    return sum;
}
INLINE int add_high_products(u32 halves, u32 bytes, int sum) {
    asm("dp2a.hi.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(halves), "r"(bytes));
    return sum;
}
// The same with the four bytes of both, of which the first have no sign.
INLINE int add_byte_products(u32 bytes, u32 others, int sum) {
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(bytes), "r"(others));
    return sum;
}
#endif

// The compiler is to work a number out again rather than keep it, or to forget that it knows an older copy.
#ifdef __CUDACC__
#define SETTLE(value) asm volatile("" : "+r"(value))
#else
#define SETTLE(value)
#endif

INLINE u32 recalled(u32 number) {
    SETTLE(number);
    return number;
}

// Tells the compiler where a pointer leads that was itself read from memory.
template <class T> INLINE T* in_global_memory(T* pointer) {
#ifdef __CUDACC__
    __builtin_assume(__isGlobal(pointer));
#endif
    return pointer;
}

// Something will be read soon.
INLINE void prefetch(const void* address) {
#ifdef __CUDACC__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(address));
#endif
}
