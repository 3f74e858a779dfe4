// The kernels for x86-64 with the AVX-512 of Skylake servers (x86-64-v4).
#include "instruction_sets.h"

#if CPK_X86
#include <immintrin.h>

#pragma clang attribute push( \
  __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#define N 16
#define ISA(name) cpk_##name##_avx512
#define ISA_NAME "avx512"
#define ISA_AVX512 1
#include "Kernels.inc"
#pragma clang attribute pop
#endif
