// Writing HEIF files by libheif, which returns errors by value from the functions that it calls.

#ifndef COLORLOOM_CHEIF_H
#define COLORLOOM_CHEIF_H

// The module of libheif: importing this header links it.
#include "../../CLibHEIF/shim.h"

#include <stddef.h>
#include <stdint.h>

/// Stores bytes; returns 1, or 0 where it cannot.
typedef int (*cheif_sink)(void *context, const uint8_t *bytes, size_t count);

/// Passes the bytes of a new file to a sink.
struct heif_error cheif_write(
    struct heif_context *context, cheif_sink sink, void *sink_context);

#endif
