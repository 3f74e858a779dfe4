// HEIF files by libheif: a sink for writing, since libheif's returns errors by value, and decoders of bounded memory and time.

#ifndef COLORLOOM_CHEIF_H
#define COLORLOOM_CHEIF_H

// The module of libheif: importing this header links it.
#include "../../CLibHEIF/shim.h"

#include <codec_support.h>
#include <stddef.h>
#include <stdint.h>

/// Stores bytes; returns 1, or 0 where it cannot.
typedef int (*cheif_sink)(void *context, const uint8_t *bytes, size_t count);

/// Passes the bytes of a new file to a sink.
struct heif_error cheif_write(
    struct heif_context *context, cheif_sink sink, void *sink_context);

/// What decoding a picture may take, and why it was refused.
typedef struct cheif_work {
  /// The pixels of coded pictures.
  codec_heap heap;
  /// The largest width and height that the container states for a coded picture, and the bytes of a sample.
  uint32_t width, height;
  int bytes_per_sample;
  /// The size and bits of a coded picture that exceeds them, or 0.
  uint32_t coded_width, coded_height;
  int coded_bits;
} cheif_work;

/// Registers the decoders. To be called once.
void cheif_register(void);

/// Decodes a picture in this thread, within the limits of `work`. The context must have no decoding threads.
struct heif_error cheif_decode(
    const struct heif_image_handle *handle, cheif_work *work, enum heif_colorspace colors,
    enum heif_chroma chroma, struct heif_image **out);

#endif
