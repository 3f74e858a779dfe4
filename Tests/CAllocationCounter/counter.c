// Interposes glibc's malloc in programs that link it, and counts allocations. For tests only: no product of the package links it.
#include "allocation_counter.h"
#include "counting.h"
#include <stdlib.h>

#if COUNTS_ALLOCATIONS
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_llong count, used, peak;

void count_taken(long long size) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  long long now = atomic_fetch_add_explicit(&used, size, memory_order_relaxed) + size;
  long long most = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {}
}

void count_given_back(long long size) {
  atomic_fetch_sub_explicit(&used, size, memory_order_relaxed);
}

static void *taken(void *memory) {
  if (memory) count_taken((long long)malloc_usable_size(memory));
  return memory;
}

static void given_back(void *memory) {
  if (memory) count_given_back((long long)malloc_usable_size(memory));
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return taken(__libc_calloc(n, size)); }
void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *memory = block;
  return 0;
}

void *realloc(void *memory, size_t size) {
  given_back(memory);
  return taken(__libc_realloc(memory, size));
}

void free(void *memory) {
  given_back(memory);
  __libc_free(memory);
}

int64_t allocation_count(void) { return atomic_load(&count); }
int64_t allocated_bytes(void) { return atomic_load(&used); }
int64_t allocated_bytes_peak(void) { return atomic_load(&peak); }
void reset_allocated_bytes_peak(void) { atomic_store(&peak, atomic_load(&used)); }
#else
int64_t allocation_count(void) { return -1; }
int64_t allocated_bytes(void) { return -1; }
int64_t allocated_bytes_peak(void) { return -1; }
void reset_allocated_bytes_peak(void) {}
#endif
