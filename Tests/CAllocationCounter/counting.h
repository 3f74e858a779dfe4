#pragma once

// Sanitizers have an allocator of their own, which must not be replaced.
#if defined __GLIBC__ && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define COUNTS_ALLOCATIONS 1
#else
#define COUNTS_ALLOCATIONS 0
#endif

/// Counts an allocation of so many bytes.
void count_taken(long long size);
/// Counts freed bytes.
void count_given_back(long long size);
