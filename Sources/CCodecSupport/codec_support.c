#include "codec_support.h"

#include <stdlib.h>

// Stands before each block. As large as the strictest alignment, so that the block behind it is aligned like malloc's memory.
typedef union block_header {
  struct {
    codec_heap *heap;
    size_t count;
  } block;
  max_align_t alignment;
} block_header;

static _Thread_local codec_heap *entered;

static void note_refusal(codec_heap *heap, size_t count, int by_system) {
  if (heap->refused) return;
  heap->refused = count;
  heap->system_refused = by_system;
}

int codec_heap_reserve(codec_heap *heap, size_t count) {
  size_t held;
  if (!CODEC_ADD(heap->held, count, &held) || held > heap->limit) {
    note_refusal(heap, count, 0);
    return 0;
  }
  heap->held = held;
  return 1;
}

void *codec_heap_allocate(codec_heap *heap, size_t count) {
  size_t room;
  if (!CODEC_ADD(count, sizeof(block_header), &room)) {
    note_refusal(heap, count, 0);
    return NULL;
  }
  if (!codec_heap_reserve(heap, room)) return NULL;
  block_header *header = (block_header *)malloc(room);
  if (!header) {
    heap->held -= room;
    note_refusal(heap, count, 1);
    return NULL;
  }
  header->block.heap = heap;
  header->block.count = room;
  return header + 1;
}

void codec_heap_free(void *memory) {
  if (!memory) return;
  block_header *header = (block_header *)memory - 1;
  header->block.heap->held -= header->block.count;
  free(header);
}

codec_heap *codec_heap_enter(codec_heap *heap) {
  codec_heap *previous = entered;
  entered = heap;
  return previous;
}

void *codec_heap_allocate_entered(size_t count) {
  return entered ? codec_heap_allocate(entered, count) : NULL;
}
