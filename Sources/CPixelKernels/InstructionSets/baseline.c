// The kernels in plain C vectors, for any machine. Without a fused multiply-add instruction they are slow,
// and exact.
#include "instruction_sets.h"

#define N 4
#define ISA(name) cpk_##name##_baseline
#define ISA_NAME "baseline"
#include "Kernels.inc"
