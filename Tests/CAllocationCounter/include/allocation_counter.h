#pragma once
#include <stdint.h>

/// The number of allocations since the program began; negative where they cannot be counted.
int64_t allocation_count(void);
/// The bytes in use, and their high-water mark since the last reset.
int64_t allocated_bytes(void);
int64_t allocated_bytes_peak(void);
void reset_allocated_bytes_peak(void);
/// Does nothing. Instruction counters such as callgrind are told to begin a new count where it is called.
void work_boundary(void);
