// The kernels in plain C vectors, for any machine. Without a fused multiply-add instruction they are slow,
// and exact.
#include "internal.h"

#define N 4
#define ISA(name) cpk_##name##_baseline
#define ISA_NAME "baseline"
// Emulating multiply-adds takes far longer than passing a strip through memory, so that a specialization for each pair of formats and
// set of steps would only take time to compile.
#define ISA_CONVERTS_IN_STRIPS 1
#include "Kernels.inc"
