// The training kernels as functions of a library for the CPU.

#include "on_cpu.h"
#include "train.cu"

ON_CPU(unpack)
ON_CPU(close_rows)
ON_CPU(forward)
#ifdef PAIRWISE
ON_CPU(pair_gradient)
ON_CPU(later_gradient)
#else
ON_CPU(output_gradient)
#endif
ON_CPU(feature_gradient)
ON_CPU(update)
ON_CPU(gradient)
ON_CPU(tally)
