// The kernels for each instruction set: one table per set, made by its own copy of Kernels.inc.
#pragma once
#include <float.h>

#include "pixel_kernels.h"

#if defined(__x86_64__) || defined(__i386__)
#define CPK_X86 1
#elif defined(__aarch64__)
#define CPK_ARM64 1
#endif

extern const cpk_kernels cpk_kernels_baseline;
#if CPK_X86
extern const cpk_kernels cpk_kernels_avx2, cpk_kernels_avx512;
#elif CPK_ARM64
extern const cpk_kernels cpk_kernels_neon;
#endif
