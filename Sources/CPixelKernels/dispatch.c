// Which kernels run here.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "instruction_sets.h"

enum { MOST = 3 };

/// Fills `list` from the slowest to the fastest.
static size_t list_available(const cpk_kernels *list[MOST]) {
  size_t count = 0;
  list[count++] = &cpk_kernels_baseline;
#if CPK_X86
  __builtin_cpu_init();
  const bool avx2 =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  if (avx2) list[count++] = &cpk_kernels_avx2;
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    list[count++] = &cpk_kernels_avx512;
#elif CPK_ARM64
  list[count++] = &cpk_kernels_neon;
#endif
  return count;
}

static const cpk_kernels *choose(void) {
  const cpk_kernels *list[MOST];
  const size_t count = list_available(list);
  const char *wanted = getenv("COLORLOOM_ISA");
  for (size_t i = 0; wanted && i < count; i++)
    if (strcmp(wanted, list[i]->name) == 0) return list[i];
  // A library does not end its host's process. The tool, the benchmark and the tests refuse other names.
  return list[count - 1];
}

const cpk_kernels *cpk_active(void) {
  // Threads that come here together choose the same, so it does not matter whose store is last.
  static const cpk_kernels *_Atomic active;
  const cpk_kernels *kernels = atomic_load_explicit(&active, memory_order_acquire);
  if (!kernels) {
    kernels = choose();
    atomic_store_explicit(&active, kernels, memory_order_release);
  }
  return kernels;
}

size_t cpk_available(const cpk_kernels **out, size_t capacity) {
  const cpk_kernels *list[MOST];
  const size_t count = list_available(list);
  for (size_t i = 0; i < count && i < capacity; i++) out[i] = list[i];
  return count;
}

void *cpk_thread_memory(void) {
  static _Thread_local _Alignas(64) unsigned char memory[CPK_THREAD_MEMORY];
  return memory;
}
