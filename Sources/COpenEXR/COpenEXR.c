// Empty without the trait OpenEXR: then no header of the library is looked for.
#ifdef COLORLOOM_OPENEXR

#include "COpenEXR.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void cexr_on_error(exr_const_context_t context, exr_result_t code, const char *text) {
  void *data = NULL;
  (void)code;
  if (!context || exr_get_user_data(context, &data) != EXR_ERR_SUCCESS || !data) return;
  cexr_file *file = (cexr_file *)data;
  if (!file->message[0]) snprintf(file->message, sizeof file->message, "%s", text);
}

static int cexr_fail(cexr_file *file, const char *text) {
  if (!file->message[0]) snprintf(file->message, sizeof file->message, "%s", text);
  return 0;
}

static int cexr_refuse(cexr_file *file, const char *text) {
  file->message[0] = 0;
  file->is_unsupported = 1;
  return cexr_fail(file, text);
}

// Ends work on a file, successful or not.
static exr_result_t cexr_finish(cexr_file *file, exr_context_t *context) {
  if (!*context) return EXR_ERR_SUCCESS;
  codec_heap *outer = codec_heap_enter(&file->heap);
  exr_result_t result = exr_finish(context);
  codec_heap_enter(outer);
  *context = NULL;
  return result;
}

static exr_context_initializer_t cexr_setup(cexr_file *file) {
  exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
  setup.error_handler_fn = cexr_on_error;
  setup.user_data = file;
  setup.alloc_fn = codec_heap_allocate_entered;
  setup.free_fn = codec_heap_free;
  return setup;
}

// Reading.

static int64_t cexr_take(
    exr_const_context_t context, void *data, void *target, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t fail) {
  (void)context;
  (void)fail;
  cexr_reader *reader = (cexr_reader *)data;
  size_t wanted, position, taken;
  int64_t result;
  if (!CODEC_CONVERT(count, &wanted) || !CODEC_CONVERT(offset, &position)) return -1;
  taken = reader->source(reader->source_context, target, wanted, position);
  if (taken < wanted) reader->file.ended = 1;
  return CODEC_CONVERT(taken, &result) ? result : -1;
}

static int64_t cexr_size(exr_const_context_t context, void *data) {
  (void)context;
  int64_t size;
  return CODEC_CONVERT(((cexr_reader *)data)->count, &size) ? size : -1;
}

void cexr_reader_destroy(cexr_reader *reader) {
  if (!reader) return;
  cexr_finish(&reader->file, &reader->context);
  free(reader->layer);
  free(reader);
}

cexr_reader *cexr_reader_create(
    cexr_source source, void *context, size_t count, size_t limit) {
  cexr_reader *reader = (cexr_reader *)calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->source = source;
  reader->source_context = context;
  reader->count = count;
  reader->file.heap.limit = limit;
  return reader;
}

// The meaning of a channel in the layer that is read.
enum {
  CEXR_OTHER, CEXR_RED, CEXR_GREEN, CEXR_BLUE, CEXR_ALPHA, CEXR_LUMINANCE, CEXR_RED_CHROMA,
  CEXR_BLUE_CHROMA, CEXR_FIRST_AXIS
};

// Writers of layers disagree on names: beauty.R, beauty.r, beauty.red. Outside of layers only R is a name (OpenEXR, “Channel Names”).
static int cexr_is(
    const cexr_reader *reader, const char *name, const char *letter, const char *word) {
  return reader->layer ? !strcasecmp(name, letter) || !strcasecmp(name, word)
                       : !strcmp(name, letter);
}

// The name of a channel in the layer that is read; NULL outside of it.
static const char *cexr_member(const cexr_reader *reader, const char *name) {
  if (!reader->layer) return name;
  size_t count = strlen(reader->layer);
  return strncmp(name, reader->layer, count) || name[count] != '.' ? NULL : name + count + 1;
}

static int cexr_meaning(const cexr_reader *reader, const char *name) {
  name = cexr_member(reader, name);
  if (!name) return CEXR_OTHER;
  if (cexr_is(reader, name, "R", "red")) return CEXR_RED;
  if (cexr_is(reader, name, "G", "green")) return CEXR_GREEN;
  if (cexr_is(reader, name, "B", "blue")) return CEXR_BLUE;
  if (cexr_is(reader, name, "A", "alpha")) return CEXR_ALPHA;
  if (!strcmp(name, "Y")) return CEXR_LUMINANCE;
  if (!strcmp(name, "RY")) return CEXR_RED_CHROMA;
  if (!strcmp(name, "BY")) return CEXR_BLUE_CHROMA;
  // The Y beside it is no luminance: normals and positions are layers of X, Y and Z.
  return reader->layer && !strcmp(name, "X") ? CEXR_FIRST_AXIS : CEXR_OTHER;
}

// Which axis of a vector a channel of the layer is, from 0; −1 for others. Writers disagree on case: N.X, forward.u.
static int cexr_axis(const cexr_reader *reader, const char *name, const char *axes) {
  const char *member = reader->layer ? cexr_member(reader, name) : NULL;
  if (!member || !member[0] || member[1]) return -1;
  for (int axis = 0; axes[axis]; axis++) {
    if (tolower((unsigned char)member[0]) == axes[axis]) return axis;
  }
  return -1;
}

// The axes of the vectors that the layer holds, of two or three channels; NULL where it holds none.
static const char *cexr_find_axes(const cexr_reader *reader, const exr_attr_chlist_t *list) {
  static const char *const all[] = {"xyz", "uvw"};
  for (size_t kind = 0; kind < sizeof all / sizeof *all; kind++) {
    int has[3] = {0};
    for (int i = 0; i < list->num_channels; i++) {
      int axis = cexr_axis(reader, list->entries[i].name.str, all[kind]);
      if (axis >= 0) has[axis] = 1;
    }
    if (has[0] && has[1]) return all[kind];
  }
  return NULL;
}

// Which sample of a pixel a channel is; −1 for those that make no picture.
static int cexr_sample(const cexr_reader *reader, const char *name) {
  if (reader->only_channel) return strcmp(name, reader->only_channel) ? -1 : 0;
  if (reader->axes) return cexr_axis(reader, name, reader->axes);
  int has_luminance = reader->is_gray || reader->is_chroma;
  switch (cexr_meaning(reader, name)) {
    case CEXR_ALPHA: return reader->has_alpha ? reader->channels - 1 : -1;
    case CEXR_LUMINANCE: return has_luminance ? 0 : -1;
    case CEXR_RED_CHROMA: return reader->is_chroma ? 1 : -1;
    case CEXR_BLUE_CHROMA: return reader->is_chroma ? 2 : -1;
    case CEXR_RED: return has_luminance ? -1 : 0;
    case CEXR_GREEN: return has_luminance ? -1 : 1;
    case CEXR_BLUE: return has_luminance ? -1 : 2;
    default: return -1;
  }
}

// Finds the channels of the picture: the colors of the layer, else the channel that has its name, else the axes of the layer's vectors,
// else its only channel. ChannelLayers lists layers by the same rule.
static int cexr_find_picture(cexr_reader *reader, const exr_attr_chlist_t *list) {
  int has[CEXR_FIRST_AXIS + 1] = {0}, members = 0;
  const char *channel = NULL, *last_member = NULL;
  for (int i = 0; i < list->num_channels; i++) {
    const char *name = list->entries[i].name.str;
    has[cexr_meaning(reader, name)] = 1;
    if (!reader->layer) continue;
    if (!strcmp(name, reader->layer)) channel = name;
    const char *member = cexr_member(reader, name);
    // Members with a dot are those of a layer in the layer.
    if (member && !strchr(member, '.')) {
      members++;
      last_member = name;
    }
  }
  int has_chroma = has[CEXR_RED_CHROMA] || has[CEXR_BLUE_CHROMA];
  int has_luminance = has[CEXR_LUMINANCE] && !has[CEXR_RED] && !has[CEXR_GREEN]
      && !has[CEXR_BLUE] && !has[CEXR_FIRST_AXIS];
  if (has_luminance || (has[CEXR_RED] && has[CEXR_GREEN] && has[CEXR_BLUE])) {
    reader->is_gray = has_luminance && !has_chroma;
    reader->is_chroma = has_luminance && has_chroma;
    reader->has_alpha = has[CEXR_ALPHA];
  } else if (channel) {
    reader->is_gray = reader->is_channel = 1;
    reader->only_channel = channel;
  } else if ((reader->axes = cexr_find_axes(reader, list))) {
    // Samples without a channel stay 0.
  } else if (members == 1) {
    reader->is_gray = 1;
    reader->only_channel = last_member;
  } else {
    reader->lacks_picture = 1;
    return cexr_refuse(&reader->file, "it has no such layer or channel");
  }
  reader->channels = (reader->is_gray ? 1 : 3) + reader->has_alpha;
  return 1;
}

static int cexr_read_channels(cexr_reader *reader) {
  const exr_attr_chlist_t *list = NULL;
  if (exr_get_channels(reader->context, reader->part, &list) != EXR_ERR_SUCCESS) {
    return cexr_fail(&reader->file, "the list of channels is missing");
  }
  if (!cexr_find_picture(reader, list)) return 0;
  for (int i = 0; i < list->num_channels; i++) {
    const exr_attr_chlist_entry_t *entry = &list->entries[i];
    reader->stored_pixel += entry->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    int sample = cexr_sample(reader, entry->name.str);
    if (sample < 0) {
      reader->other_channels++;
      continue;
    }
    if (entry->pixel_type == EXR_PIXEL_UINT) {
      return cexr_refuse(
          &reader->file,
          "its channels are whole numbers; save them as floats of 16 or 32 bits first");
    }
    int is_shared = reader->is_chroma && (sample == 1 || sample == 2);
    if (is_shared && (entry->x_sampling != 2 || entry->y_sampling != 2)) {
      return cexr_refuse(
          &reader->file,
          "its chroma is not one sample for 2 × 2 pixels; save it with channels R, G and B first");
    }
    if (!is_shared && (entry->x_sampling != 1 || entry->y_sampling != 1)) {
      return cexr_refuse(
          &reader->file, "its channels are subsampled; save it with a sample for each pixel first");
    }
    reader->is_float |= entry->pixel_type == EXR_PIXEL_FLOAT;
  }
  // OpenEXRCore refuses these, too; pixels are computed with them.
  if (reader->is_chroma && (reader->left | reader->top | reader->width | reader->height) & 1) {
    return cexr_fail(&reader->file, "the sides of its data window are no multiples of 2");
  }
  return 1;
}

// OpenEXRCore computes with strides of 32 bits, and so it does with bytes of a chunk's rows.
static int cexr_check_strides(cexr_reader *reader) {
  int64_t columns = reader->width, rows = reader->band_height;
  if (reader->is_tiled && reader->tile_width < columns) columns = reader->tile_width;
  if (reader->height < rows) rows = reader->height;
  int32_t row, stored_row, chunk;
  int element = reader->is_float ? 4 : 2;
  // Rows of chroma are two rows apart.
  if (CODEC_MULTIPLY(reader->width, reader->channels * element * (reader->is_chroma ? 2 : 1), &row)
      && CODEC_MULTIPLY(columns, reader->stored_pixel, &stored_row)
      && CODEC_MULTIPLY(stored_row, rows, &chunk)) {
    return 1;
  }
  char text[CEXR_MESSAGE_SIZE];
  snprintf(
      text, sizeof text,
      "its rows of %lld pixels, or its chunks of %lld rows, have more bytes than OpenEXR counts "
      "(2147483647); save it narrower or with smaller tiles first",
      (long long)reader->width, (long long)rows);
  return cexr_refuse(&reader->file, text);
}

static int cexr_reader_begin_entered(
    cexr_reader *reader, int part, const char *layer, int largest_width, int largest_height) {
  reader->part = part;
  if (layer) {
    size_t count = strlen(layer) + 1;
    reader->layer = (char *)malloc(count);
    if (!reader->layer) return cexr_fail(&reader->file, "memory is short");
    memcpy(reader->layer, layer, count);
  }
  exr_context_initializer_t setup = cexr_setup(&reader->file);
  setup.read_fn = cexr_take;
  setup.size_fn = cexr_size;
  setup.max_image_width = largest_width;
  setup.max_image_height = largest_height;
  if (exr_start_read(&reader->context, "image", &setup) != EXR_ERR_SUCCESS) {
    return cexr_fail(&reader->file, "its header cannot be read");
  }
  // The header is read in large steps, which end behind the end of a small file.
  reader->file.ended = 0;
  exr_attr_box2i_t data, display;
  exr_storage_t storage;
  exr_compression_t compression;
  exr_get_count(reader->context, &reader->part_count);
  if (part >= reader->part_count) return cexr_fail(&reader->file, "it has no such part");
  if (exr_get_data_window(reader->context, part, &data) != EXR_ERR_SUCCESS
      || exr_get_display_window(reader->context, part, &display) != EXR_ERR_SUCCESS
      || exr_get_storage(reader->context, part, &storage) != EXR_ERR_SUCCESS
      || exr_get_compression(reader->context, part, &compression) != EXR_ERR_SUCCESS) {
    return cexr_fail(&reader->file, "its header is not complete");
  }
  if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED) {
    return cexr_refuse(
        &reader->file, "its pixels are deep, many samples each; flatten them first");
  }
  // The Huffman codes of PIZ, and the tables by which they are found.
  reader->table_bytes = compression == EXR_COMPRESSION_PIZ ? 3 << 19 : 0;
  reader->left = data.min.x;
  reader->top = data.min.y;
  reader->width = (int64_t)data.max.x - data.min.x + 1;
  reader->height = (int64_t)data.max.y - data.min.y + 1;
  memcpy(reader->display, &display, sizeof reader->display);
  if (exr_get_pixel_aspect_ratio(reader->context, part, &reader->pixel_aspect) != EXR_ERR_SUCCESS) {
    reader->pixel_aspect = 1;
  }
  if (exr_attr_get_float(reader->context, part, "whiteLuminance", &reader->white_luminance)
      != EXR_ERR_SUCCESS) {
    reader->white_luminance = 0;
  }
  reader->is_tiled = storage == EXR_STORAGE_TILED;
  if (reader->is_tiled) {
    uint32_t width = 0, height = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    if (exr_get_tile_descriptor(reader->context, part, &width, &height, &levels, &rounding)
        != EXR_ERR_SUCCESS) {
      return cexr_fail(&reader->file, "its tiles are not described");
    }
    reader->tile_width = width;
    reader->band_height = height;
  } else {
    int32_t rows = 0;
    exr_get_scanlines_per_chunk(reader->context, part, &rows);
    reader->band_height = rows;
  }
  exr_attr_chromaticities_t chromaticities;
  reader->has_chromaticities =
      exr_attr_get_chromaticities(reader->context, part, "chromaticities", &chromaticities)
      == EXR_ERR_SUCCESS;
  if (reader->has_chromaticities) {
    memcpy(reader->chromaticities, &chromaticities, sizeof chromaticities);
  }
  int is_read = cexr_read_channels(reader) && cexr_check_strides(reader);
  // A missing optional attribute is not an error.
  if (is_read) reader->file.message[0] = 0;
  return is_read;
}

int cexr_reader_begin(
    cexr_reader *reader, int part, const char *layer, int largest_width, int largest_height) {
  codec_heap *outer = codec_heap_enter(&reader->file.heap);
  int is_read = cexr_reader_begin_entered(reader, part, layer, largest_width, largest_height);
  codec_heap_enter(outer);
  return is_read;
}

const char *cexr_reader_part_name(const cexr_reader *reader) {
  const char *name = NULL;
  return exr_get_name(reader->context, reader->part, &name) == EXR_ERR_SUCCESS ? name : NULL;
}

const char *cexr_reader_channel(const cexr_reader *reader, int index) {
  const exr_attr_chlist_t *list = NULL;
  if (exr_get_channels(reader->context, reader->part, &list) != EXR_ERR_SUCCESS
      || index >= list->num_channels) {
    return NULL;
  }
  return list->entries[index].name.str;
}

int cexr_reader_attribute(
    const cexr_reader *reader, int index, cexr_attribute *attribute) {
  const exr_attribute_t *found = NULL;
  if (exr_get_attribute_by_index(
          reader->context, reader->part, EXR_ATTR_LIST_FILE_ORDER, index, &found)
          != EXR_ERR_SUCCESS
      || !found) {
    return 0;
  }
  *attribute = (cexr_attribute){found->name, found->type_name, NULL, 0};
  if (found->type == EXR_ATTR_STRING && found->string->str
      && CODEC_CONVERT(found->string->length, &attribute->text_count)) {
    attribute->text = found->string->str;
  }
  return 1;
}

// Takes over a chunk that is as large as its pixels, which is not packed. OpenEXRCore 3.1 unpacks those of B44 and B44A nevertheless.
static exr_result_t cexr_copy(exr_decode_pipeline_t *pipeline) {
  if (pipeline->unpacked_buffer != pipeline->packed_buffer) {
    memcpy(pipeline->unpacked_buffer, pipeline->packed_buffer, pipeline->chunk.packed_size);
  }
  return EXR_ERR_SUCCESS;
}

// Decodes a chunk into rows of which `target` is the chunk's first pixel.
static exr_result_t cexr_decode(
    cexr_reader *reader, exr_decode_pipeline_t *pipeline, const exr_chunk_info_t *chunk,
    uint8_t *target, size_t bytes_per_row) {
  int16_t element = reader->is_float ? 4 : 2;
  int32_t line_stride;
  if (!CODEC_CONVERT(bytes_per_row, &line_stride)) return EXR_ERR_ARGUMENT_OUT_OF_RANGE;
  exr_result_t result = exr_decoding_initialize(reader->context, reader->part, chunk, pipeline);
  if (result != EXR_ERR_SUCCESS) return result;
  for (int i = 0; i < pipeline->channel_count; i++) {
    exr_coding_channel_info_t *channel = &pipeline->channels[i];
    int sample = cexr_sample(reader, channel->channel_name);
    if (sample < 0) {
      channel->decode_to_ptr = NULL;
      continue;
    }
    channel->decode_to_ptr = target + sample * element;
    channel->user_bytes_per_element = element;
    channel->user_data_type = reader->is_float ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF;
    // A sample of chroma is stored in the first one of the pixels that share it.
    channel->user_pixel_stride = reader->channels * element * channel->x_samples;
    if (!CODEC_MULTIPLY(line_stride, channel->y_samples, &channel->user_line_stride)) {
      return EXR_ERR_ARGUMENT_OUT_OF_RANGE;
    }
  }
  result = exr_decoding_choose_default_routines(reader->context, reader->part, pipeline);
  if (result != EXR_ERR_SUCCESS) return result;
  if (pipeline->decompress_fn && chunk->packed_size == chunk->unpacked_size) {
    pipeline->decompress_fn = cexr_copy;
  }
  return exr_decoding_run(reader->context, reader->part, pipeline);
}

// Where a chunk of the band that begins at the row `y`, counted from 0, lies in the file.
static exr_result_t cexr_find_chunk(
    cexr_reader *reader, int64_t column, int64_t y, exr_chunk_info_t *chunk) {
  int tile_x, tile_y, row;
  if (!CODEC_CONVERT(column, &tile_x) || !CODEC_CONVERT(y / reader->band_height, &tile_y)
      || !CODEC_ADD(reader->top, y, &row)) {
    return EXR_ERR_ARGUMENT_OUT_OF_RANGE;
  }
  return reader->is_tiled
      ? exr_read_tile_chunk_info(reader->context, reader->part, tile_x, tile_y, 0, 0, chunk)
      : exr_read_scanline_chunk_info(reader->context, reader->part, row, chunk);
}

static int cexr_reader_chunk(
    cexr_reader *reader, int64_t column, int64_t y, uint8_t *target, size_t bytes_per_row) {
  exr_chunk_info_t chunk;
  exr_result_t result = cexr_find_chunk(reader, column, y, &chunk);
  if (result == EXR_ERR_SUCCESS) {
    // OpenEXRCore states the region of the chunk, which must be the requested one.
    int64_t width = reader->is_tiled ? reader->tile_width : reader->width;
    int64_t left = column * width;
    if (chunk.width < 1 || chunk.height < 1 || chunk.width > reader->width - left
        || chunk.width > width || chunk.height > reader->band_height
        || chunk.height > reader->height - y) {
      return cexr_fail(&reader->file, "a chunk lies outside of the picture");
    }
    // OpenEXRCore 3.1 reads all pixels of an uncompressed chunk, however few bytes it has.
    if (chunk.compression == EXR_COMPRESSION_NONE && chunk.packed_size < chunk.unpacked_size) {
      return cexr_fail(&reader->file, "an uncompressed chunk is shorter than its pixels");
    }
    size_t offset;
    if (!CODEC_MULTIPLY(left, reader->channels * (reader->is_float ? 4 : 2), &offset)) return 0;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    result = cexr_decode(reader, &pipeline, &chunk, target + offset, bytes_per_row);
    exr_decoding_destroy(reader->context, &pipeline);
  }
  return result == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&reader->file, exr_get_default_error_message(result));
}

int cexr_reader_band(
    cexr_reader *reader, int64_t y, uint8_t *target, size_t bytes_per_row) {
  int64_t columns =
      reader->is_tiled ? (reader->width + reader->tile_width - 1) / reader->tile_width : 1;
  codec_heap *outer = codec_heap_enter(&reader->file.heap);
  int is_read = 1;
  // OpenEXRCore also reports what no caller takes for an error, such as the end of a list of attributes.
  reader->file.message[0] = 0;
  for (int64_t column = 0; column < columns && is_read; column++) {
    is_read = cexr_reader_chunk(reader, column, y, target, bytes_per_row);
  }
  codec_heap_enter(outer);
  return is_read;
}

const char *cexr_reader_message(const cexr_reader *reader) {
  return reader->file.message;
}

// Writing.

static int64_t cexr_give(
    exr_const_context_t context, void *data, const void *bytes, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t fail) {
  (void)context;
  (void)fail;
  cexr_writer *writer = (cexr_writer *)data;
  size_t part, position;
  int64_t result;
  if (!CODEC_CONVERT(count, &part) || !CODEC_CONVERT(offset, &position)
      || !CODEC_CONVERT(count, &result)) {
    return -1;
  }
  return writer->sink(writer->sink_context, (const uint8_t *)bytes, part, position) ? result : -1;
}

void cexr_writer_destroy(cexr_writer *writer) {
  if (!writer) return;
  cexr_finish(&writer->file, &writer->context);
  free(writer->channels);
  free(writer);
}

cexr_writer *cexr_writer_create(cexr_sink sink, void *context, size_t limit) {
  cexr_writer *writer = (cexr_writer *)calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->sink = sink;
  writer->sink_context = context;
  writer->file.heap.limit = limit;
  return writer;
}

static int cexr_writer_begin_entered(
    cexr_writer *writer, int is_packed, const cexr_framing *framing) {
  writer->top = framing->data[1];
  writer->width = (int64_t)framing->data[2] - framing->data[0] + 1;
  exr_attr_box2i_t data, display;
  memcpy(&data, framing->data, sizeof data);
  memcpy(&display, framing->display, sizeof display);
  exr_attr_v2f_t center = {{{0, 0}}};
  exr_context_initializer_t setup = cexr_setup(&writer->file);
  setup.write_fn = cexr_give;
  exr_context_t *context = &writer->context;
  int part = 0;
  if (exr_start_write(context, "image", EXR_WRITE_FILE_DIRECTLY, &setup) != EXR_ERR_SUCCESS
      || exr_add_part(*context, "image", EXR_STORAGE_SCANLINE, &part) != EXR_ERR_SUCCESS
      || exr_initialize_required_attr(
             *context, part, &display, &data, framing->pixel_aspect, &center, 1,
             EXR_LINEORDER_INCREASING_Y, is_packed ? EXR_COMPRESSION_ZIP : EXR_COMPRESSION_NONE)
             != EXR_ERR_SUCCESS) {
    return cexr_fail(&writer->file, "it cannot be begun");
  }
  // Names of up to 255 bytes.
  exr_set_longname_support(*context, 1);
  return 1;
}

int cexr_writer_begin(cexr_writer *writer, int is_packed, const cexr_framing *framing) {
  codec_heap *outer = codec_heap_enter(&writer->file.heap);
  int is_begun = cexr_writer_begin_entered(writer, is_packed, framing);
  codec_heap_enter(outer);
  return is_begun;
}

int cexr_writer_channel(
    cexr_writer *writer, const char *name, int is_float, size_t offset, int pixel_stride) {
  size_t count = (size_t)writer->channel_count;
  int32_t end;
  if (!CODEC_MULTIPLY(writer->width, pixel_stride, &end) || !CODEC_ADD(end, offset, &end)) {
    return cexr_fail(&writer->file, "its rows have more bytes than OpenEXR counts (2147483647)");
  }
  if (strlen(name) > CEXR_NAME_SIZE) return cexr_fail(&writer->file, "a name is too long");
  cexr_channel *channels =
      (cexr_channel *)realloc(writer->channels, (count + 1) * sizeof *channels);
  if (!channels) return cexr_fail(&writer->file, "memory is short");
  writer->channels = channels;
  cexr_channel *channel = &channels[count];
  strcpy(channel->name, name);
  channel->is_float = is_float;
  channel->offset = offset;
  channel->pixel_stride = pixel_stride;
  writer->channel_count++;
  codec_heap *outer = codec_heap_enter(&writer->file.heap);
  exr_result_t result = exr_add_channel(
      writer->context, 0, name, is_float ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF,
      EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
  codec_heap_enter(outer);
  return result == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&writer->file, "a channel cannot be added");
}

int cexr_writer_color(
    cexr_writer *writer, const float *chromaticities, float white_luminance) {
  exr_result_t result = EXR_ERR_SUCCESS;
  codec_heap *outer = codec_heap_enter(&writer->file.heap);
  if (chromaticities) {
    exr_attr_chromaticities_t attribute;
    memcpy(&attribute, chromaticities, sizeof attribute);
    result = exr_attr_set_chromaticities(writer->context, 0, "chromaticities", &attribute);
  }
  if (result == EXR_ERR_SUCCESS && white_luminance > 0) {
    result = exr_attr_set_float(writer->context, 0, "whiteLuminance", white_luminance);
  }
  codec_heap_enter(outer);
  return result == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&writer->file, "its chromaticities or its white luminance cannot be written");
}

int cexr_writer_zip_level(cexr_writer *writer, int level) {
  return exr_set_zip_compression_level(writer->context, 0, level) == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&writer->file, "the level of its compression cannot be chosen");
}

int cexr_writer_text(cexr_writer *writer, const char *name, const char *text) {
  codec_heap *outer = codec_heap_enter(&writer->file.heap);
  exr_result_t result = exr_attr_set_string(writer->context, 0, name, text);
  codec_heap_enter(outer);
  return result == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&writer->file, "a text of its header cannot be written");
}

int cexr_writer_end_header(cexr_writer *writer) {
  int32_t rows = 0;
  codec_heap *outer = codec_heap_enter(&writer->file.heap);
  int is_written = exr_write_header(writer->context) == EXR_ERR_SUCCESS
      && exr_get_scanlines_per_chunk(writer->context, 0, &rows) == EXR_ERR_SUCCESS;
  codec_heap_enter(outer);
  writer->band_height = rows;
  return is_written ? 1 : cexr_fail(&writer->file, "its header cannot be written");
}

// Readers take a chunk that is as large as its pixels for one that is not packed. OpenEXRCore 3.1 writes packed ones of that size.
static exr_result_t cexr_compress(exr_encode_pipeline_t *pipeline) {
  cexr_writer *writer = (cexr_writer *)pipeline->encoding_user_data;
  exr_result_t result = writer->compress(pipeline);
  if (result == EXR_ERR_SUCCESS && pipeline->compressed_bytes == pipeline->packed_bytes
      && pipeline->compressed_buffer != pipeline->packed_buffer) {
    memcpy(pipeline->compressed_buffer, pipeline->packed_buffer, pipeline->packed_bytes);
  }
  return result;
}

// The channel with a name, which is one of those of the header. OpenEXRCore orders them by their names.
static const cexr_channel *cexr_written_channel(const cexr_writer *writer, const char *name) {
  const cexr_channel *channel = writer->channels;
  while (strcmp(channel->name, name)) channel++;
  return channel;
}

static int cexr_writer_band_entered(
    cexr_writer *writer, int y, const uint8_t *rows, int32_t bytes_per_row) {
  exr_chunk_info_t chunk;
  exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
  exr_result_t result = exr_write_scanline_chunk_info(writer->context, 0, writer->top + y, &chunk);
  if (result == EXR_ERR_SUCCESS) {
    result = exr_encoding_initialize(writer->context, 0, &chunk, &pipeline);
  }
  if (result == EXR_ERR_SUCCESS) {
    for (int index = 0; index < pipeline.channel_count; index++) {
      exr_coding_channel_info_t *target = &pipeline.channels[index];
      const cexr_channel *channel = cexr_written_channel(writer, target->channel_name);
      target->encode_from_ptr = rows + channel->offset;
      target->user_bytes_per_element = channel->is_float ? 4 : 2;
      target->user_data_type = channel->is_float ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF;
      target->user_pixel_stride = channel->pixel_stride;
      target->user_line_stride = bytes_per_row;
    }
    result = exr_encoding_choose_default_routines(writer->context, 0, &pipeline);
    if (pipeline.compress_fn) {
      writer->compress = pipeline.compress_fn;
      pipeline.compress_fn = cexr_compress;
      pipeline.encoding_user_data = writer;
    }
  }
  if (result == EXR_ERR_SUCCESS) result = exr_encoding_run(writer->context, 0, &pipeline);
  exr_encoding_destroy(writer->context, &pipeline);
  return result == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&writer->file, exr_get_default_error_message(result));
}

int cexr_writer_band(
    cexr_writer *writer, int y, const uint8_t *rows, size_t bytes_per_row) {
  int32_t stride;
  if (!CODEC_CONVERT(bytes_per_row, &stride)) {
    return cexr_fail(&writer->file, "its rows have more bytes than OpenEXR counts (2147483647)");
  }
  codec_heap *outer = codec_heap_enter(&writer->file.heap);
  int is_written = cexr_writer_band_entered(writer, y, rows, stride);
  codec_heap_enter(outer);
  return is_written;
}

int cexr_writer_end(cexr_writer *writer) {
  exr_result_t result = cexr_finish(&writer->file, &writer->context);
  return result == EXR_ERR_SUCCESS
      ? 1 : cexr_fail(&writer->file, exr_get_default_error_message(result));
}

const char *cexr_writer_message(const cexr_writer *writer) {
  return writer->file.message;
}

#endif
