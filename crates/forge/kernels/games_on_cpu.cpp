// The self-play kernels as functions of a library for the CPU.

#include "on_cpu.h"
#include "games.cu"

ON_CPU(play)
ON_CPU(perft)
ON_CPU(gather)
ON_CPU(walk)
