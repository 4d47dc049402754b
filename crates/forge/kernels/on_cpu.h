// A GPU small enough for a CPU: one block at a time, every thread of it a fibre that runs until it has to wait for
// others. The kernels compile against this without a change, so that a test can prove what they compute where there is
// no GPU.

#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <ucontext.h>
#include <utility>
#include <vector>

#define __global__
#define __device__ static
#define __shared__ static
#define __launch_bounds__(...)
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))

struct uint3 { unsigned x, y, z; };
struct uint2 { unsigned x, y; } __attribute__((aligned(8)));
struct float2 { float x, y; } __attribute__((aligned(8)));
struct float4 { float x, y, z, w; } __attribute__((aligned(16)));
struct uint4 { unsigned x, y, z, w; } __attribute__((aligned(16)));

static uint3 threadIdx, blockIdx, blockDim;

static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static int min(int a, int b) { return a < b ? a : b; }
static unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    auto half = [](short sum, short most) { return (unsigned short)(sum < 0 || most < 0 ? 0 : sum < most ? sum : most); };
    return half((short)(a + b), (short)c) | (unsigned)half((short)((a >> 16) + (b >> 16)), (short)(c >> 16)) << 16;
}
static int add_products(unsigned halves, unsigned bytes, int sum) {
    return sum + (int)(halves & 0xffff) * (signed char)bytes + (int)(halves >> 16) * (signed char)(bytes >> 8);
}
static int add_byte_products(unsigned bytes, unsigned others, int sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += (int)(bytes >> shift & 255) * (signed char)(others >> shift);
    return sum;
}
static int add_low_products(unsigned halves, unsigned bytes, int sum) { return add_products(halves, bytes, sum); }
static int add_high_products(unsigned halves, unsigned bytes, int sum) { return add_products(halves, bytes >> 16, sum); }
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
static int __ffs(unsigned bits) { return __builtin_ffs((int)bits); }
static unsigned long long __brevll(unsigned long long bits) {
    bits = __builtin_bswap64(bits);
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0full) | (bits & 0x0f0f0f0f0f0f0f0full) << 4;
    bits = (bits >> 2 & 0x3333333333333333ull) | (bits & 0x3333333333333333ull) << 2;
    return (bits >> 1 & 0x5555555555555555ull) | (bits & 0x5555555555555555ull) << 1;
}

// Numbers of 16 bits: rounded to the nearest, to the even one of two. What 2^112 shifts is the difference of the
// exponents' zeros.
static float half_to_float(unsigned short half) {
    unsigned bits = (half & 0x7fffu) << 13;
    float number;
    __builtin_memcpy(&number, &bits, 4);
    number = bits < 0x0f800000u ? number * 0x1p112f : bits == 0x0f800000u ? INFINITY : NAN;
    return half & 0x8000u ? -number : number;
}

static unsigned short float_to_half(float number) {
    unsigned short sign = std::signbit(number) ? 0x8000u : 0;
    if (std::isnan(number)) return sign | 0x7fffu;
    float shifted = std::fmin(std::fabs(number), 0x1p16f) * 0x1p-112f;
    unsigned bits;
    __builtin_memcpy(&bits, &shifted, 4);
    return sign | (unsigned short)((bits + 0xfffu + (bits >> 13 & 1)) >> 13);
}

static unsigned atomicOr(unsigned* word, unsigned bits) {
    unsigned before = *word;
    *word |= bits;
    return before;
}

enum Waiting { Ready, ForBlock, Done };

// A fibre lives as long as the library, and runs the same thread of one block after the other. Jumps are used to switch
// between fibres that have begun, because they need no system call.
struct Fibre {
    jmp_buf place;
    ucontext_t beginning;
    bool has_begun;
    Waiting waiting;
};

static std::vector<Fibre*> fibres;
static jmp_buf scheduler;
static void (*body)(void*);
static void* body_argument;

static void wait(Waiting waiting) {
    Fibre* self = fibres[threadIdx.x];
    self->waiting = waiting;
    if (_setjmp(self->place) == 0) _longjmp(scheduler, 1);
}

static void live() {
    for (;;) {
        body(body_argument);
        wait(Done);
    }
}

[[noreturn]] static void enter(unsigned thread) {
    Fibre* fibre = fibres[thread];
    threadIdx = {thread, 0, 0};
    if (fibre->has_begun) _longjmp(fibre->place, 1);
    fibre->has_begun = true;
    setcontext(&fibre->beginning);
    abort();
}

static void resume(unsigned thread) {
    if (_setjmp(scheduler) == 0) enter(thread);
}

static Fibre* new_fibre() {
    const size_t stack = 1 << 18;
    Fibre* fibre = new Fibre();
    getcontext(&fibre->beginning);
    fibre->beginning.uc_stack.ss_sp = malloc(stack);
    fibre->beginning.uc_stack.ss_size = stack;
    fibre->beginning.uc_link = nullptr;
    makecontext(&fibre->beginning, live, 0);
    return fibre;
}

static void __syncthreads() { wait(ForBlock); }

// What the lanes of a warp hand in at a collective, and on which line of the source they do. Every other collective
// uses the other half, so that a lane that goes on early does not overwrite what the last one has still to read.
static unsigned exchanged[2][1024];
static int lines_of_code[2][1024];
static unsigned char turns[1024];

[[noreturn]] static void complain(const char* what, int line, int other) {
    fprintf(stderr, "lanes of a warp part ways: %s (lines %d and %d)\n", what, line, other);
    abort();
}

// Hands a value in and the turn on to the next lane of the warp. When the turn comes round, all have handed in theirs.
static const unsigned* exchange(unsigned bits, int line) {
    unsigned thread = threadIdx.x, first = thread / 32 * 32, next = first + (thread + 1) % 32;
    unsigned half = turns[thread]++ & 1;
    exchanged[half][thread] = bits;
    lines_of_code[half][thread] = line;
    if (fibres[next]->waiting != Ready) complain("one of them waits elsewhere", line, 0);
    if (_setjmp(fibres[thread]->place) == 0) enter(next);
    if (lines_of_code[half][next] != line) complain("they are at different collectives", line, lines_of_code[half][next]);
    return exchanged[half] + first;
}

template <class T> static T shuffle(T value, unsigned lane, int line) {
    static_assert(sizeof(T) == 4, "lanes exchange 32 bits");
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    bits = exchange(bits, line)[lane % 32];
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

static unsigned vote(bool holds, int line) {
    const unsigned* votes = exchange(holds, line);
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < 32; lane++) lanes |= votes[lane] << lane;
    return lanes;
}

template <class T, class Join> static T reduce(T value, int line, Join join) {
    const unsigned* values = exchange((unsigned)value, line);
    T joined = (T)values[0];
    for (unsigned lane = 1; lane < 32; lane++) joined = join(joined, (T)values[lane]);
    return joined;
}

#define __shfl_sync(mask, value, lane) shuffle(value, lane, __LINE__)
#define __shfl_xor_sync(mask, value, distance) shuffle(value, (threadIdx.x % 32) ^ (distance), __LINE__)
#define __shfl_up_sync(mask, value, distance) \
    shuffle(value, threadIdx.x % 32 >= (distance) ? threadIdx.x % 32 - (distance) : threadIdx.x % 32, __LINE__)
#define __ballot_sync(mask, holds) vote(holds, __LINE__)
#define __syncwarp(mask) exchange(0, __LINE__)
#define __reduce_add_sync(mask, value) reduce(value, __LINE__, [](auto a, auto b) { return a + b; })
#define __reduce_min_sync(mask, value) reduce(value, __LINE__, [](auto a, auto b) { return a < b ? a : b; })
#define __reduce_max_sync(mask, value) reduce(value, __LINE__, [](auto a, auto b) { return a > b ? a : b; })
#define __reduce_or_sync(mask, value) reduce(value, __LINE__, [](auto a, auto b) { return a | b; })
#define __reduce_xor_sync(mask, value) reduce(value, __LINE__, [](auto a, auto b) { return a ^ b; })

static void run_block(unsigned threads) {
    while (fibres.size() < threads) fibres.push_back(new_fibre());
    for (unsigned k = 0; k < threads; k++) fibres[k]->waiting = Ready;
    for (bool going = true; going;) {
        for (unsigned k = 0; k < threads; k++) {
            if (fibres[k]->waiting == Ready) resume(k);
        }
        // All that are still at work have come to the same place, or will never leave it.
        going = false;
        for (unsigned k = 0; k < threads; k++) {
            if (fibres[k]->waiting != ForBlock) continue;
            fibres[k]->waiting = Ready;
            going = true;
        }
    }
}

template <class... Arguments, size_t... Index>
static void run(void (*kernel)(Arguments...), unsigned width, unsigned height, unsigned threads, void** arguments,
                std::index_sequence<Index...>) {
    auto call = [&] { kernel(*(Arguments*)arguments[Index]...); };
    body = [](void* argument) { (*(decltype(call)*)argument)(); };
    body_argument = &call;
    blockDim = {threads, 1, 1};
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            blockIdx = {x, y, 0};
            run_block(threads);
        }
    }
}

#define ON_CPU(kernel)                                                                                          \
    extern "C" void cpu_##kernel(unsigned width, unsigned height, unsigned threads, void** arguments) {          \
        run_all(kernel, width, height, threads, arguments);                                                    \
    }

template <class... Arguments>
static void run_all(void (*kernel)(Arguments...), unsigned width, unsigned height, unsigned threads, void** arguments) {
    run(kernel, width, height, threads, arguments, std::index_sequence_for<Arguments...>());
}
