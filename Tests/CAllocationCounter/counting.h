#pragma once

/// Counts a request for memory of so many bytes.
void count_taken(long long size);
/// Counts bytes that were given back.
void count_given_back(long long size);
