// Empty without the trait HEIF: then no header of libheif is looked for.
#ifdef COLORLOOM_HEIF

#include "CHEIF.h"

typedef struct cheif_output {
  cheif_sink sink;
  void *context;
} cheif_output;

static struct heif_error cheif_give(
    struct heif_context *context, const void *bytes, size_t count, void *data) {
  (void)context;
  cheif_output *output = (cheif_output *)data;
  if (output->sink(output->context, (const uint8_t *)bytes, count)) {
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, "stored"};
  }
  return (struct heif_error){
      heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "the bytes cannot be stored"};
}

struct heif_error cheif_write(
    struct heif_context *context, cheif_sink sink, void *sink_context) {
  struct heif_writer writer = {.writer_api_version = 1, .write = cheif_give};
  cheif_output output = {sink, sink_context};
  return heif_context_write(context, &writer, &output);
}

#endif
