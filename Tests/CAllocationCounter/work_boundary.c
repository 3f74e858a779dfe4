#include "allocation_counter.h"

__attribute__((noinline)) void work_boundary(void) { __asm__ volatile(""); }
