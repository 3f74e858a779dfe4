#pragma once
#include <stdint.h>

/// How often memory was asked for since the program began; negative where nobody can count.
int64_t allocation_count(void);
/// How many bytes are in use, and the most that were since the last reset.
int64_t allocated_bytes(void);
int64_t allocated_bytes_peak(void);
void reset_allocated_bytes_peak(void);
