// The kernels for 64-bit ARM, where fused multiply-add and half conversion are part of the base instruction
// set.
#include "instruction_sets.h"

#if CPK_ARM64
#include <arm_neon.h>

#define N 4
#define ISA(name) cpk_##name##_neon
#define ISA_NAME "neon"
#define ISA_NEON 1
#include "Kernels.inc"
#endif
