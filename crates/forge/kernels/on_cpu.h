// A GPU small enough for a CPU: one block at a time, every thread of it a fibre that runs until it has to wait for others. The
// kernels compile against this without a change, so that a test can prove what they compute where there is no GPU.

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

struct uint3 { unsigned x, y, z; };
struct float2 { float x, y; } __attribute__((aligned(8)));
struct float4 { float x, y, z, w; } __attribute__((aligned(16)));

static uint3 threadIdx, blockIdx, blockDim;

static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static int min(int a, int b) { return a < b ? a : b; }
static unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
static int __ffs(unsigned bits) { return __builtin_ffs((int)bits); }
static unsigned atomicOr(unsigned* word, unsigned bits) {
    unsigned before = *word;
    *word |= bits;
    return before;
}

enum Waiting { Ready, ForWarp, ForBlock, Done };

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

static void resume(Fibre* fibre) {
    if (_setjmp(scheduler) != 0) return;
    if (fibre->has_begun) _longjmp(fibre->place, 1);
    fibre->has_begun = true;
    setcontext(&fibre->beginning);
}

static Fibre* new_fibre() {
    const size_t stack = 1 << 16;
    Fibre* fibre = new Fibre();
    getcontext(&fibre->beginning);
    fibre->beginning.uc_stack.ss_sp = malloc(stack);
    fibre->beginning.uc_stack.ss_size = stack;
    fibre->beginning.uc_link = nullptr;
    makecontext(&fibre->beginning, live, 0);
    return fibre;
}

static void __syncthreads() { wait(ForBlock); }

static unsigned exchanged[1024];

static unsigned exchange(unsigned bits, unsigned lane) {
    exchanged[threadIdx.x] = bits;
    wait(ForWarp);
    unsigned other = exchanged[threadIdx.x / 32 * 32 + lane % 32];
    wait(ForWarp);
    return other;
}

template <class T> static T __shfl_sync(unsigned, T value, unsigned lane) {
    static_assert(sizeof(T) == 4, "lanes exchange 32 bits");
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    bits = exchange(bits, lane);
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

template <class T> static T __shfl_xor_sync(unsigned mask, T value, unsigned distance) {
    return __shfl_sync(mask, value, (threadIdx.x % 32) ^ distance);
}

template <class T> static T __shfl_up_sync(unsigned mask, T value, unsigned distance) {
    unsigned lane = threadIdx.x % 32;
    return __shfl_sync(mask, value, lane >= distance ? lane - distance : lane);
}

// Wakes the threads from `first` on if all that are still at work wait for the same; true if it did.
static bool release(size_t first, size_t count, Waiting waiting) {
    bool anybody = false;
    for (size_t k = first; k < first + count; k++) {
        if (fibres[k]->waiting != waiting && fibres[k]->waiting != Done) return false;
        anybody |= fibres[k]->waiting == waiting;
    }
    for (size_t k = first; k < first + count; k++) {
        if (fibres[k]->waiting == waiting) fibres[k]->waiting = Ready;
    }
    return anybody;
}

static void run_block(unsigned threads) {
    while (fibres.size() < threads) fibres.push_back(new_fibre());
    for (unsigned k = 0; k < threads; k++) fibres[k]->waiting = Ready;
    for (bool going = true; going;) {
        going = false;
        for (unsigned k = 0; k < threads; k++) {
            if (fibres[k]->waiting != Ready) continue;
            threadIdx = {k, 0, 0};
            resume(fibres[k]);
            going = true;
        }
        for (unsigned first = 0; first < threads; first += 32) {
            going |= release(first, threads - first < 32 ? threads - first : 32, ForWarp);
        }
        going |= release(0, threads, ForBlock);
    }
    for (unsigned k = 0; k < threads; k++) {
        if (fibres[k]->waiting != Done) {
            fprintf(stderr, "threads of a block wait for each other for ever\n");
            abort();
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
