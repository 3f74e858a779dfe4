// Interposes mmap and munmap in programs that link it, and counts anonymous memory; see counter.c.
#define _GNU_SOURCE
#include "allocation_counter.h"
#include "counting.h"

#if COUNTS_ALLOCATIONS
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { capacity = 8192 };
static struct { void *start; size_t size; } maps[capacity];
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void enter(void) { while (atomic_flag_test_and_set(&lock)) usleep(0); }
static void leave(void) { atomic_flag_clear(&lock); }

static void note(void *start, size_t size) {
  enter();
  for (int i = 0; i < capacity; i++) {
    if (maps[i].start) continue;
    maps[i].start = start, maps[i].size = size;
    break;
  }
  leave();
}

static size_t forget(void *start) {
  size_t size = 0;
  enter();
  for (int i = 0; i < capacity; i++) {
    if (maps[i].start != start) continue;
    size = maps[i].size, maps[i].start = NULL;
    break;
  }
  leave();
  return size;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  void *start = (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
  if (start != MAP_FAILED && flags & MAP_ANONYMOUS && protection != PROT_NONE) {
    size_t whole = (size + 4095) / 4096 * 4096;
    note(start, whole);
    count_taken((long long)whole);
  }
  return start;
}

int munmap(void *start, size_t size) {
  count_given_back((long long)forget(start));
  return (int)syscall(SYS_munmap, start, size);
}
#endif
