// The kernels for x86-64 with AVX2, FMA and F16C (x86-64-v3).
#include "instruction_sets.h"

#if CPK_X86
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define N 8
#define ISA(name) cpk_##name##_avx2
#define ISA_NAME "avx2"
#define ISA_AVX2 1
#include "Kernels.inc"
#pragma clang attribute pop
#endif
