// Empty without the trait HEIF: then no header of libheif is looked for.
#ifdef COLORLOOM_HEIF

#include "CHEIF.h"

#include <dav1d/dav1d.h>
#include <libde265/de265.h>
#include <libheif/heif_plugin.h>
#include <stdlib.h>
#include <string.h>

// The decoders of libheif allocate by the bitstream and start threads. These do neither: they decode one picture in the calling thread,
// and refuse one larger than the container states before anything is allocated for it.

static _Thread_local cheif_work *entered;

static const struct heif_error cheif_ok = {heif_error_Ok, heif_suberror_Unspecified, "done"};

static struct heif_error cheif_failure(const char *message) {
  return (struct heif_error){heif_error_Decoder_plugin_error, heif_suberror_Unspecified, message};
}

static struct heif_error cheif_end_of_data(void) {
  return (struct heif_error){
      heif_error_Decoder_plugin_error, heif_suberror_End_of_data, "the coded picture ends too early"};
}

// Whether a coded picture fits the stated one. Coded pictures are whole blocks of 64 pixels at most.
static int cheif_admits(cheif_work *work, uint32_t width, uint32_t height) {
  if (width <= (work->width + 63) / 64 * 64 && height <= (work->height + 63) / 64 * 64) return 1;
  if (!work->coded_width) {
    work->coded_width = width;
    work->coded_height = height;
  }
  return 0;
}

static int cheif_admits_bits(cheif_work *work, int bits) {
  if (bits <= 8 * work->bytes_per_sample) return 1;
  if (!work->coded_bits) work->coded_bits = bits;
  return 0;
}

// The planes of a decoded picture.
typedef struct cheif_planes {
  int width, height, bits, count;
  enum heif_chroma chroma;
  const uint8_t *start[3];
  ptrdiff_t stride[3];
} cheif_planes;

// Creates libheif's picture as a copy.
static struct heif_error cheif_copy(const cheif_planes *planes, struct heif_image **out) {
  static const enum heif_channel channels[3] = {
      heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
  struct heif_image *image = NULL;
  struct heif_error error = heif_image_create(
      planes->width, planes->height,
      planes->count == 1 ? heif_colorspace_monochrome : heif_colorspace_YCbCr, planes->chroma,
      &image);
  for (int c = 0; c < planes->count && error.code == heif_error_Ok; c++) {
    int halves = c > 0 && planes->chroma != heif_chroma_444;
    int width = halves ? (planes->width + 1) / 2 : planes->width;
    int height =
        c > 0 && planes->chroma == heif_chroma_420 ? (planes->height + 1) / 2 : planes->height;
    error = heif_image_add_plane(image, channels[c], width, height, planes->bits);
    if (error.code != heif_error_Ok) break;
    int stride;
    uint8_t *target = heif_image_get_plane(image, channels[c], &stride);
    size_t bytes;
    if (!target || !CODEC_MULTIPLY(width, planes->bits > 8 ? 2 : 1, &bytes)) {
      error = cheif_failure("no memory for its pixels");
      break;
    }
    for (int y = 0; y < height; y++) {
      memcpy(target + (ptrdiff_t)y * stride, planes->start[c] + y * planes->stride[c], bytes);
    }
  }
  if (error.code != heif_error_Ok) {
    heif_image_release(image);
    return error;
  }
  *out = image;
  return cheif_ok;
}

typedef struct cheif_decoder {
  cheif_work *work;
  const uint8_t *bytes;
  size_t count;
  int is_strict;
} cheif_decoder;

static struct heif_error cheif_create(void **decoder) {
  *decoder = NULL;
  if (!entered) return cheif_failure("not called by cheif_decode");
  cheif_decoder *made = calloc(1, sizeof *made);
  if (!made) return cheif_failure("no memory to begin with");
  made->work = entered;
  *decoder = made;
  return cheif_ok;
}

static void cheif_destroy(void *decoder) { free(decoder); }

static void cheif_set_strict(void *decoder, int flag) {
  ((cheif_decoder *)decoder)->is_strict = flag;
}

// libheif passes all bytes at once, and keeps them until the decoder is destroyed.
static struct heif_error cheif_push(void *decoder, const void *bytes, size_t count) {
  cheif_decoder *given = (cheif_decoder *)decoder;
  if (given->bytes) return cheif_failure("more than one run of bytes");
  given->bytes = (const uint8_t *)bytes;
  given->count = count;
  return cheif_ok;
}

// HEVC

// The bits of a NAL unit, without its bytes that prevent start codes (Rec. ITU-T H.265, 7.3.1.1).
typedef struct cheif_bits {
  const uint8_t *bytes;
  size_t count, place;
  unsigned zeros, left;
  uint8_t current;
  int ended;
} cheif_bits;

static uint32_t cheif_bit(cheif_bits *bits) {
  if (bits->left == 0) {
    if (bits->zeros >= 2 && bits->place < bits->count && bits->bytes[bits->place] == 3) {
      bits->place++;
      bits->zeros = 0;
    }
    if (bits->place >= bits->count) {
      bits->ended = 1;
      return 0;
    }
    bits->current = bits->bytes[bits->place++];
    bits->zeros = bits->current ? 0 : bits->zeros + 1;
    bits->left = 8;
  }
  bits->left--;
  return (bits->current >> bits->left) & 1u;
}

static uint32_t cheif_take(cheif_bits *bits, int count) {
  uint32_t value = 0;
  while (count-- > 0) value = value << 1 | cheif_bit(bits);
  return value;
}

static void cheif_skip(cheif_bits *bits, int count) {
  while (count-- > 0) (void)cheif_bit(bits);
}

// An Exp-Golomb code (9.2).
static uint32_t cheif_golomb(cheif_bits *bits) {
  int zeros = 0;
  while (!bits->ended && zeros < 32 && !cheif_bit(bits)) zeros++;
  if (zeros > 31) bits->ended = 1;
  return bits->ended ? 0 : (1u << zeros) - 1 + cheif_take(bits, zeros);
}

// The coded size in a sequence parameter set (7.3.2.2.1, 7.3.3).
static int cheif_coded_size(
    const uint8_t *nal, size_t count, uint32_t *width, uint32_t *height) {
  cheif_bits bits = {.bytes = nal + 2, .count = count - 2};
  cheif_skip(&bits, 4);
  int layers = (int)cheif_take(&bits, 3);
  cheif_skip(&bits, 1 + 96);
  uint32_t present = cheif_take(&bits, 2 * layers);
  if (layers > 0) cheif_skip(&bits, 2 * (8 - layers));
  for (int layer = layers - 1; layer >= 0; layer--) {
    if (present >> (2 * layer + 1) & 1) cheif_skip(&bits, 88);
    if (present >> (2 * layer) & 1) cheif_skip(&bits, 8);
  }
  (void)cheif_golomb(&bits);
  if (cheif_golomb(&bits) == 3) cheif_skip(&bits, 1);
  *width = cheif_golomb(&bits);
  *height = cheif_golomb(&bits);
  return !bits.ended;
}

static int cheif_get_buffer(
    de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image,
    void *data) {
  (void)context;
  cheif_work *work = (cheif_work *)data;
  static const int planes[] = {1, 3, 3, 3};
  uint32_t wide, high;
  size_t stride, rows;
  if (!CODEC_CONVERT(spec->width, &wide) || !CODEC_CONVERT(spec->height, &high)
      || !CODEC_CONVERT(spec->alignment, &stride) || !cheif_admits(work, wide, high)) {
    return 0;
  }
  // Every plane is as large as that of luma. A row, whose length is in samples, is padded, because kernels read whole vectors.
  stride = (wide + stride) / stride * stride + stride;
  rows = (size_t)high + 1;
  void *memory[3] = {NULL, NULL, NULL};
  enum de265_chroma chroma = de265_get_chroma_format(image);
  int is_complete = 1, line;
  if (!CODEC_CONVERT(stride, &line)) return 0;
  for (int c = 0; c < planes[chroma]; c++) {
    int bits = de265_get_bits_per_pixel(image, c);
    if (!cheif_admits_bits(work, bits)) {
      is_complete = 0;
      break;
    }
    size_t bytes = stride * rows * (bits > 8 ? 2 : 1);
    memory[c] = codec_heap_allocate(&work->heap, bytes);
    if (!memory[c]) {
      is_complete = 0;
      break;
    }
    // Blocks that damaged files leave out are black, not what the memory held before.
    memset(memory[c], 0, bytes);
  }
  for (int c = 0; c < 3; c++) {
    if (!is_complete) {
      codec_heap_free(memory[c]);
      memory[c] = NULL;
    }
    de265_set_image_plane(image, c, memory[c], memory[c] ? line : 0, memory[c]);
  }
  return is_complete;
}

static void cheif_release_buffer(
    de265_decoder_context *context, struct de265_image *image, void *data) {
  (void)context;
  (void)data;
  for (int c = 0; c < 3; c++) {
    codec_heap_free(de265_get_image_plane_user_data(image, c));
    de265_set_image_plane(image, c, NULL, 0, NULL);
  }
}

// Passes on the units of one picture that is coded without reference to others, and its parameter sets.
static struct heif_error cheif_push_units(
    de265_decoder_context *context, const cheif_decoder *decoder, size_t *units) {
  const uint8_t *bytes = decoder->bytes;
  size_t place = 0, segments = 0, most = 0;
  while (place < decoder->count) {
    if (decoder->count - place < 4) return cheif_end_of_data();
    size_t length = (size_t)bytes[place] << 24 | (size_t)bytes[place + 1] << 16
                    | (size_t)bytes[place + 2] << 8 | bytes[place + 3];
    place += 4;
    if (length > decoder->count - place) return cheif_end_of_data();
    const uint8_t *nal = bytes + place;
    place += length;
    if (length < 3) continue;
    int type = nal[0] >> 1 & 63, layer = (nal[0] & 1) << 5 | nal[1] >> 3;
    // Other layers and messages about the picture are not needed.
    if (layer > 0 || type > 34) continue;
    if (type == 33) {
      uint32_t width, height;
      if (!cheif_coded_size(nal, length, &width, &height)) {
        return cheif_failure("a sequence parameter set is damaged");
      }
      if (!cheif_admits(decoder->work, width, height)) {
        return cheif_failure("the coded picture is larger than the stated one");
      }
      // Segments of a picture have one block of 16 × 16 at least.
      size_t blocks = ((size_t)width / 16 + 1) * ((size_t)height / 16 + 1);
      if (blocks > most) most = blocks;
    }
    if (type < 32) {
      if (type < 16 || type > 23) return cheif_failure("the picture refers to others");
      if (nal[2] >> 7 && segments > 0) break;
      if (++segments > most) return cheif_failure("it has more slices than blocks");
    }
    int size;
    if (!CODEC_CONVERT(length, &size)) return cheif_failure("a part of its bitstream is too long");
    if (de265_push_NAL(context, nal, size, 0, NULL) != DE265_OK) {
      return cheif_failure("no memory for its bytes");
    }
    ++*units;
  }
  return cheif_ok;
}

// States the code points of the bitstream, which count where the container states none. On failure the picture is released.
static struct heif_error cheif_state_code_points(
    struct heif_image **image, int primaries, int transfer, int matrix, int is_full_range,
    int is_strict) {
  struct heif_error error = cheif_ok;
  struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
  uint16_t points[3] = {0, 0, 0};
  if (!nclx) {
    error = cheif_failure("no memory for its code points");
  } else if (
      !CODEC_CONVERT(primaries, &points[0]) || !CODEC_CONVERT(transfer, &points[1])
      || !CODEC_CONVERT(matrix, &points[2])) {
    error = cheif_failure("its code points have more than 16 bits");
  } else {
    struct heif_error errors[3] = {
        heif_nclx_color_profile_set_color_primaries(nclx, points[0]),
        heif_nclx_color_profile_set_transfer_characteristics(nclx, points[1]),
        heif_nclx_color_profile_set_matrix_coefficients(nclx, points[2])};
    for (int i = 0; i < 3 && is_strict; i++) {
      if (errors[i].code != heif_error_Ok) error = errors[i];
    }
    nclx->full_range_flag = is_full_range != 0;
    if (error.code == heif_error_Ok) error = heif_image_set_nclx_color_profile(*image, nclx);
  }
  heif_nclx_color_profile_free(nclx);
  if (error.code != heif_error_Ok) {
    heif_image_release(*image);
    *image = NULL;
  }
  return error;
}

// The chroma formats of libde265 and of dav1d, by their numbers.
static const enum heif_chroma cheif_chromas[] = {
    heif_chroma_monochrome, heif_chroma_420, heif_chroma_422, heif_chroma_444};

static struct heif_error cheif_take_hevc(
    const struct de265_image *picture, int is_strict, struct heif_image **out) {
  enum de265_chroma chroma = de265_get_chroma_format(picture);
  cheif_planes planes = {
      .width = de265_get_image_width(picture, 0), .height = de265_get_image_height(picture, 0),
      .bits = de265_get_bits_per_pixel(picture, 0), .count = chroma == de265_chroma_mono ? 1 : 3,
      .chroma = cheif_chromas[chroma]};
  for (int c = 0; c < planes.count; c++) {
    int stride, width = de265_get_image_width(picture, c);
    int height = de265_get_image_height(picture, c);
    int halves = c > 0 && chroma != de265_chroma_444;
    int halves_rows = c > 0 && chroma == de265_chroma_420;
    if (width < 1 || height < 1 || (halves ? (planes.width + 1) / 2 : planes.width) != width
        || (halves_rows ? (planes.height + 1) / 2 : planes.height) != height) {
      return cheif_failure("its planes do not fit each other");
    }
    if (de265_get_bits_per_pixel(picture, c) != planes.bits) {
      return cheif_failure("its planes have different numbers of bits");
    }
    planes.start[c] = de265_get_image_plane(picture, c, &stride);
    planes.stride[c] = stride;
  }
  struct heif_error error = cheif_copy(&planes, out);
  if (error.code != heif_error_Ok) return error;
  return cheif_state_code_points(
      out, de265_get_image_colour_primaries(picture), de265_get_image_transfer_characteristics(picture),
      de265_get_image_matrix_coefficients(picture), de265_get_image_full_range_flag(picture),
      is_strict);
}

static struct heif_error cheif_decode_hevc(void *data, struct heif_image **out) {
  cheif_decoder *decoder = (cheif_decoder *)data;
  // Without threads, which wait for each other's blocks in damaged files forever.
  de265_decoder_context *context = de265_new_decoder();
  if (!context) return cheif_failure("no memory to begin with");
  struct de265_image_allocation allocation = {cheif_get_buffer, cheif_release_buffer};
  de265_set_image_allocation_functions(context, &allocation, decoder->work);
  size_t units = 0;
  struct heif_error error = cheif_push_units(context, decoder, &units);
  *out = NULL;
  if (error.code == heif_error_Ok) {
    de265_flush_data(context);
    error = cheif_failure("no picture is in its data");
    int more = 1;
    // Each step reads a unit or finishes the picture.
    for (size_t step = 0; step < 2 * units + 8 && more; step++) {
      more = 0;
      if (de265_decode(context, &more) != DE265_OK) {
        error = cheif_failure("its data cannot be decoded");
        break;
      }
      const struct de265_image *picture = de265_get_next_picture(context);
      if (picture) {
        error = cheif_take_hevc(picture, decoder->is_strict, out);
        break;
      }
    }
  }
  de265_free_decoder(context);
  return error;
}

// AV1

static int cheif_get_picture(Dav1dPicture *picture, void *cookie) {
  cheif_work *work = (cheif_work *)cookie;
  uint32_t width, height;
  if (!CODEC_CONVERT(picture->p.w, &width) || !CODEC_CONVERT(picture->p.h, &height)
      || !cheif_admits(work, width, height) || !cheif_admits_bits(work, picture->p.bpc)) {
    return DAV1D_ERR(ENOMEM);
  }
  size_t bytes_per_sample = picture->p.bpc > 8 ? 2 : 1;
  // Whole blocks of 128 pixels, as dav1d requires, and some more: rows a power of two apart would compete for the same cache lines.
  size_t stride = ((size_t)width + 127) / 128 * 128 * bytes_per_sample + DAV1D_PICTURE_ALIGNMENT;
  size_t plane = stride * (((size_t)height + 127) / 128 * 128);
  size_t planes = picture->p.layout == DAV1D_PIXEL_LAYOUT_I400 ? 1 : 3;
  ptrdiff_t line;
  if (!CODEC_CONVERT(stride, &line)) return DAV1D_ERR(ENOMEM);
  uint8_t *memory =
      codec_heap_allocate(&work->heap, planes * plane + 2 * DAV1D_PICTURE_ALIGNMENT);
  if (!memory) return DAV1D_ERR(ENOMEM);
  picture->allocator_data = memory;
  size_t over = (uintptr_t)memory % DAV1D_PICTURE_ALIGNMENT;
  uint8_t *start = memory + (over ? DAV1D_PICTURE_ALIGNMENT - over : 0);
  memset(start, 0, planes * plane);
  picture->stride[0] = picture->stride[1] = line;
  for (size_t c = 0; c < 3; c++) picture->data[c] = c < planes ? start + c * plane : NULL;
  return 0;
}

static void cheif_release_picture(Dav1dPicture *picture, void *cookie) {
  (void)cookie;
  codec_heap_free(picture->allocator_data);
}

// The bytes stay with libheif.
static void cheif_keep(const uint8_t *bytes, void *cookie) {
  (void)bytes;
  (void)cookie;
}

static struct heif_error cheif_take_av1(
    const Dav1dPicture *picture, int is_strict, struct heif_image **out) {
  cheif_planes planes = {
      .width = picture->p.w, .height = picture->p.h, .bits = picture->p.bpc,
      .count = picture->p.layout == DAV1D_PIXEL_LAYOUT_I400 ? 1 : 3,
      .chroma = cheif_chromas[picture->p.layout]};
  for (int c = 0; c < planes.count; c++) {
    planes.start[c] = (const uint8_t *)picture->data[c];
    planes.stride[c] = picture->stride[c > 0];
  }
  struct heif_error error = cheif_copy(&planes, out);
  if (error.code != heif_error_Ok) return error;
  return cheif_state_code_points(
      out, (int)picture->seq_hdr->pri, (int)picture->seq_hdr->trc, (int)picture->seq_hdr->mtrx,
      picture->seq_hdr->color_range != 0, is_strict);
}

static struct heif_error cheif_decode_av1(void *given, struct heif_image **out) {
  cheif_decoder *decoder = (cheif_decoder *)given;
  *out = NULL;
  Dav1dSettings settings;
  dav1d_default_settings(&settings);
  settings.n_threads = 1;
  settings.max_frame_delay = 1;
  settings.all_layers = 0;
  settings.allocator = (Dav1dPicAllocator){
      decoder->work, cheif_get_picture, cheif_release_picture};
  settings.logger = (Dav1dLogger){NULL, NULL};
  Dav1dContext *context = NULL;
  if (decoder->count == 0) return cheif_end_of_data();
  if (dav1d_open(&context, &settings) != 0) return cheif_failure("no memory to begin with");
  Dav1dData data = {0};
  Dav1dPicture picture = {0};
  struct heif_error error = cheif_failure("its data cannot be decoded");
  if (dav1d_data_wrap(&data, decoder->bytes, decoder->count, cheif_keep, NULL) == 0) {
    // Without data left, a second request for the picture ends the stream.
    for (int requests_at_end = 0; requests_at_end < 2;) {
      if (data.sz > 0) {
        int sent = dav1d_send_data(context, &data);
        if (sent < 0 && sent != DAV1D_ERR(EAGAIN)) break;
      } else {
        requests_at_end++;
      }
      int got = dav1d_get_picture(context, &picture);
      if (got == DAV1D_ERR(EAGAIN)) continue;
      if (got == 0) {
        error = cheif_take_av1(&picture, decoder->is_strict, out);
        dav1d_picture_unref(&picture);
      }
      break;
    }
    if (data.sz > 0) dav1d_data_unref(&data);
  }
  dav1d_close(&context);
  return error;
}

// Registration

// Chosen within a thread that has entered its work only: other users of libheif in the process keep their decoders.
static int cheif_supports_hevc(enum heif_compression_format format) {
  return entered && format == heif_compression_HEVC ? 1000 : 0;
}

static int cheif_supports_av1(enum heif_compression_format format) {
  return entered && format == heif_compression_AV1 ? 1000 : 0;
}

static const char *cheif_name(void) { return "one picture, one thread, bounded"; }

void cheif_register(void) {
  static const struct heif_decoder_plugin hevc = {
      .plugin_api_version = 3, .get_plugin_name = cheif_name,
      .does_support_format = cheif_supports_hevc, .new_decoder = cheif_create,
      .free_decoder = cheif_destroy, .push_data = cheif_push, .decode_image = cheif_decode_hevc,
      .set_strict_decoding = cheif_set_strict, .id_name = "colorloom-hevc"};
  static const struct heif_decoder_plugin av1 = {
      .plugin_api_version = 3, .get_plugin_name = cheif_name,
      .does_support_format = cheif_supports_av1, .new_decoder = cheif_create,
      .free_decoder = cheif_destroy, .push_data = cheif_push, .decode_image = cheif_decode_av1,
      .set_strict_decoding = cheif_set_strict, .id_name = "colorloom-av1"};
  // Counted, so that another user's heif_deinit does not remove them.
  (void)heif_init(NULL);
  (void)heif_register_decoder_plugin(&hevc);
  (void)heif_register_decoder_plugin(&av1);
}

struct heif_error cheif_decode(
    const struct heif_image_handle *handle, cheif_work *work, enum heif_colorspace colors,
    enum heif_chroma chroma, struct heif_image **out) {
  *out = NULL;
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  if (!options) return cheif_failure("no memory to begin with");
  options->strict_decoding = 1;
  cheif_work *previous = entered;
  entered = work;
  struct heif_error error = heif_decode_image(handle, out, colors, chroma, options);
  entered = previous;
  heif_decoding_options_free(options);
  return error;
}

#endif
