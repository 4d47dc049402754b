// The training kernels as functions of a library for the CPU.

#include "on_cpu.h"
#include "train.cu"

ON_CPU(unpack)
ON_CPU(close_rows)
ON_CPU(forward)
ON_CPU(output_gradient)
ON_CPU(feature_gradient)
ON_CPU(update)
ON_CPU(gradient)
ON_CPU(tally)
