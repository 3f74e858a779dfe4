// What the C targets of codecs share: conversions between integer types that never lose a bit, and memory with a limit.

#ifndef COLORLOOM_CODEC_SUPPORT_H
#define COLORLOOM_CODEC_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

// Stores an integer in a variable of another integer type. True where the value fits; no cast of a size, stride or count is needed.
#define CODEC_CONVERT(value, target) (!__builtin_add_overflow((value), 0, (target)))
// Stores a sum or a product, whatever the types. True where it fits.
#define CODEC_ADD(a, b, target) (!__builtin_add_overflow((a), (b), (target)))
#define CODEC_MULTIPLY(a, b, target) (!__builtin_mul_overflow((a), (b), (target)))

// Counts the bytes that a codec holds, and refuses those above a limit. Used by one thread at a time.
typedef struct codec_heap {
  size_t limit, held;
  // The first request that was refused, 0 where none was, and whether the system refused it although the limit allowed it.
  size_t refused;
  int system_refused;
} codec_heap;

// Counts bytes that the codec allocates by itself. Returns 1, or 0 where they exceed the limit.
int codec_heap_reserve(codec_heap *heap, size_t count);

// Memory as malloc's, or NULL. It is freed by codec_heap_free, which knows its heap.
void *codec_heap_allocate(codec_heap *heap, size_t count);
void codec_heap_free(void *memory);

// For codecs whose allocation function has no context: makes a heap the one of this thread, and returns the one before.
codec_heap *codec_heap_enter(codec_heap *heap);
// Memory from the heap that this thread entered; NULL where it entered none.
void *codec_heap_allocate_entered(size_t count);

#endif
