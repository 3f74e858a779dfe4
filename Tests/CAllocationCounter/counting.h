#pragma once

/// Counts an allocation of so many bytes.
void count_taken(long long size);
/// Counts freed bytes.
void count_given_back(long long size);
