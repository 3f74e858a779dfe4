#include "CPNG.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static void cpng_set_message(char *message, const char *text) {
  strncpy(message, text, CPNG_MESSAGE_SIZE - 1);
  message[CPNG_MESSAGE_SIZE - 1] = 0;
}

static void cpng_on_error(png_structp png, png_const_charp text) {
  cpng_set_message((char *)png_get_error_ptr(png), text ? text : "unknown error");
  png_longjmp(png, 1);
}

static void cpng_on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

// What libpng holds besides rows: itself, tables, and zlib's window.
enum { CPNG_BASE_MEMORY = 1 << 18 };

static png_voidp cpng_allocate(png_structp png, png_alloc_size_t count) {
  return codec_heap_allocate((codec_heap *)png_get_mem_ptr(png), count);
}

static void cpng_free(png_structp png, png_voidp memory) {
  (void)png;
  codec_heap_free(memory);
}

static int cpng_is_little_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first;
}

// Reading.

// Whether a message of libpng's says that the Adler-32 of all pixels is wrong. Then all of them are unpacked.
static int cpng_is_wrong_check(const char *text) {
  return text && strstr(text, "incorrect data check") != NULL;
}

// libpng only warns of a wrong Adler-32 where it reads it after the last row.
static void cpng_reader_on_warning(png_structp png, png_const_charp text) {
  cpng_reader *reader = (cpng_reader *)png_get_io_ptr(png);
  if (!reader || !cpng_is_wrong_check(text)) return;
  cpng_set_message(reader->message, text);
  reader->has_wrong_check = 1;
}

static void cpng_take(png_structp png, png_bytep target, size_t count) {
  cpng_reader *reader = (cpng_reader *)png_get_io_ptr(png);
  while (count > 0) {
    if (reader->taken == reader->buffered) {
      reader->buffered =
          reader->source(reader->context, reader->buffer, CPNG_BUFFER_SIZE, reader->position);
      reader->position += reader->buffered;
      reader->taken = 0;
      if (reader->buffered == 0) {
        reader->ended = 1;
        png_error(png, "the file ends too early");
      }
    }
    size_t part = reader->buffered - reader->taken;
    if (part > count) part = count;
    memcpy(target, reader->buffer + reader->taken, part);
    reader->taken += part;
    target += part;
    count -= part;
  }
}

void cpng_reader_destroy(cpng_reader *reader) {
  if (!reader) return;
  if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

// Creates libpng's part of a reader.
static int cpng_reader_open(cpng_reader *reader) {
  reader->heap.limit = CPNG_BASE_MEMORY;
  reader->png = png_create_read_struct_2(
      PNG_LIBPNG_VER_STRING, reader->message, cpng_on_error, cpng_reader_on_warning, &reader->heap,
      cpng_allocate, cpng_free);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  return reader->info != NULL;
}

cpng_reader *cpng_reader_create(cpng_source source, void *context) {
  cpng_reader *reader = (cpng_reader *)calloc(1, sizeof *reader + CPNG_BUFFER_SIZE);
  if (!reader) return NULL;
  reader->source = source;
  reader->context = context;
  if (!cpng_reader_open(reader)) {
    cpng_reader_destroy(reader);
    return NULL;
  }
  return reader;
}

void cpng_reader_take_parts(cpng_reader *reader, size_t bytes) {
  png_set_compression_buffer_size(reader->png, bytes);
}

// Raises libpng's memory limit by its row buffers: the unpacked row, the row above, and as much again for copies.
static void cpng_reader_allow_rows(cpng_reader *reader) {
  png_structp png = reader->png;
  size_t channels = png_get_color_type(png, reader->info) & PNG_COLOR_MASK_COLOR ? 3 : 1;
  if (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_ALPHA
      || png_get_valid(png, reader->info, PNG_INFO_tRNS)) {
    channels++;
  }
  size_t bytes = channels * (png_get_bit_depth(png, reader->info) == 16 ? 2 : 1), rows;
  if (!CODEC_MULTIPLY(3 * bytes, png_get_image_width(png, reader->info), &rows)
      || !CODEC_ADD(reader->heap.limit, rows, &reader->heap.limit)) {
    png_error(png, "its rows are larger than memory");
  }
}

// Keeps the palette and asks libpng for rows of indices. Its own expansion silently turns indices behind the palette's end to black.
static void cpng_reader_keep_palette(cpng_reader *reader) {
  png_colorp colors = NULL;
  png_bytep opacities = NULL;
  int opacity_count = 0;
  png_get_PLTE(reader->png, reader->info, &colors, &reader->palette_count);
  if (reader->palette_count <= 0) png_error(reader->png, "its palette is empty");
  png_get_tRNS(reader->png, reader->info, &opacities, &opacity_count, NULL);
  for (int i = 0; i < PNG_MAX_PALETTE_LENGTH; i++) {
    uint8_t *entry = reader->palette[i];
    if (i < reader->palette_count) {
      entry[0] = colors[i].red;
      entry[1] = colors[i].green;
      entry[2] = colors[i].blue;
    }
    entry[3] = i < opacity_count ? opacities[i] : 255;
  }
  reader->channels = opacity_count > 0 ? 4 : 3;
  png_set_packing(reader->png);
}

// Expands the palette indices at the end of a row, one byte each, into the whole row.
static void cpng_reader_expand(cpng_reader *reader, uint8_t *row, const uint8_t *indices) {
  int index_count = reader->index_count;
  for (uint32_t x = 0; x < reader->width; x++) {
    int index = indices[x];
    const uint8_t *entry = reader->palette[index];
    row[0] = entry[0];
    row[1] = entry[1];
    row[2] = entry[2];
    if (reader->channels == 4) row[3] = entry[3];
    row += reader->channels;
    if (index >= index_count) index_count = index + 1;
  }
  reader->index_count = index_count;
}

int cpng_reader_begin(cpng_reader *reader) {
  png_structp png = reader->png;
  if (setjmp(png_jmpbuf(png))) return 0;
  // Sizes were checked against the caller's limits before.
  png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
  // Color chunks are interpreted elsewhere, and ignoring chunks reduces the attack surface. tRNS is kept; PLTE and IDAT always are.
  static const uint8_t ignored[] =
      "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0tEXt\0tIME\0zTXt";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, ignored, (int)(sizeof ignored / 5));
#endif
  png_set_read_fn(png, reader, cpng_take);
  png_read_info(png, reader->info);
  int has_palette = png_get_color_type(png, reader->info) == PNG_COLOR_TYPE_PALETTE;
  if (has_palette) {
    cpng_reader_keep_palette(reader);
  } else {
    png_set_expand(png);
  }
  if (cpng_is_little_endian() && png_get_bit_depth(png, reader->info) == 16) png_set_swap(png);
  reader->passes = png_set_interlace_handling(png);
  cpng_reader_allow_rows(reader);
  png_read_update_info(png, reader->info);
  reader->width = png_get_image_width(png, reader->info);
  reader->height = png_get_image_height(png, reader->info);
  reader->bits = png_get_bit_depth(png, reader->info);
  reader->bytes_per_row = png_get_rowbytes(png, reader->info);
  if (has_palette) {
    reader->bytes_per_row *= (size_t)reader->channels;
  } else {
    reader->channels = png_get_channels(png, reader->info);
  }
  return 1;
}

// Creates libpng's part of a reader again, at the file's first byte.
static int cpng_reader_reopen(cpng_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  reader->position = reader->buffered = reader->taken = 0;
  return cpng_reader_open(reader);
}

int cpng_reader_restart(cpng_reader *reader) {
  reader->row_count = 0;
  return cpng_reader_reopen(reader) && cpng_reader_begin(reader);
}

// Begins again without the check of the Adler-32, and skips the rows that were read.
static int cpng_reader_repeat(cpng_reader *reader) {
  if (!cpng_reader_reopen(reader)) return 0;
  png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
  if (!cpng_reader_begin(reader)) return 0;
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  for (uint64_t row = 0; row < reader->row_count; row++) {
    if (reader->stop && reader->stop(reader->stop_context)) {
      reader->stopped = 1;
      return 0;
    }
    png_read_row(reader->png, NULL, NULL);
  }
  return 1;
}

static int cpng_reader_take_row(cpng_reader *reader, void *row) {
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  if (reader->palette_count == 0) {
    png_read_row(reader->png, (png_bytep)row, NULL);
    return 1;
  }
  // The passes before the last one leave their indices for the next one.
  int is_last_pass = png_get_current_pass_number(reader->png) == reader->passes - 1;
  png_bytep indices = (png_bytep)row + reader->bytes_per_row - reader->width;
  png_read_row(reader->png, indices, NULL);
  if (is_last_pass) cpng_reader_expand(reader, (uint8_t *)row, indices);
  return 1;
}

int cpng_reader_row(cpng_reader *reader, void *row) {
  int is_read = cpng_reader_take_row(reader, row);
  // libpng reports a wrong Adler-32 in place of the last row.
  if (!is_read && !reader->has_wrong_check && cpng_is_wrong_check(reader->message)) {
    reader->has_wrong_check = 1;
    is_read = cpng_reader_repeat(reader) && cpng_reader_take_row(reader, row);
  }
  if (is_read) reader->row_count++;
  return is_read;
}

int cpng_reader_end(cpng_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  png_read_end(reader->png, NULL);
  return !reader->has_wrong_check;
}

const char *cpng_reader_message(const cpng_reader *reader) { return reader->message; }

// Writing.

static void cpng_give(png_structp png, png_bytep bytes, size_t count) {
  cpng_writer *writer = (cpng_writer *)png_get_io_ptr(png);
  if (!writer->sink(writer->context, bytes, count)) png_error(png, "the bytes cannot be stored");
}

static void cpng_flush(png_structp png) { (void)png; }

void cpng_writer_destroy(cpng_writer *writer) {
  if (!writer) return;
  if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
  free(writer);
}

cpng_writer *cpng_writer_create(cpng_sink sink, void *context, size_t limit) {
  cpng_writer *writer = (cpng_writer *)calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->sink = sink;
  writer->context = context;
  writer->heap.limit = limit;
  writer->png = png_create_write_struct_2(
      PNG_LIBPNG_VER_STRING, writer->message, cpng_on_error, cpng_on_warning, &writer->heap,
      cpng_allocate, cpng_free);
  if (writer->png) writer->info = png_create_info_struct(writer->png);
  if (!writer->info) {
    cpng_writer_destroy(writer);
    return NULL;
  }
  return writer;
}

int cpng_writer_set_level(cpng_writer *writer, int level) {
  png_structp png = writer->png;
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_compression_level(png, level);
  // Stored rows gain nothing by filters. At levels 1 and 2 the choice among all five filters takes up to half of the time.
  int filters = level == 0 ? PNG_FILTER_NONE
      : level < 3          ? PNG_FILTER_SUB | PNG_FILTER_UP
                           : PNG_ALL_FILTERS;
  png_set_filter(png, PNG_FILTER_TYPE_BASE, filters);
  return 1;
}

int cpng_writer_begin(
    cpng_writer *writer, uint32_t width, uint32_t height, int bits, int color_type) {
  png_structp png = writer->png;
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
  png_set_write_fn(png, writer, cpng_give, cpng_flush);
  png_set_compression_buffer_size(png, 1 << 16);
  png_set_IHDR(
      png, writer->info, width, height, bits, color_type, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  // The palette follows the chunks of color.
  if (color_type == PNG_COLOR_TYPE_PALETTE) {
    png_write_info_before_PLTE(png, writer->info);
  } else {
    png_write_info(png, writer->info);
  }
  if (cpng_is_little_endian() && bits == 16) png_set_swap(png);
  return 1;
}

int cpng_writer_palette(cpng_writer *writer, const uint8_t *colors, int count) {
  png_structp png = writer->png;
  if (setjmp(png_jmpbuf(png))) return 0;
  png_color entries[PNG_MAX_PALETTE_LENGTH];
  png_byte opacities[PNG_MAX_PALETTE_LENGTH];
  int opacity_count = 0;
  for (int i = 0; i < count && i < PNG_MAX_PALETTE_LENGTH; i++, colors += 4) {
    entries[i].red = colors[0];
    entries[i].green = colors[1];
    entries[i].blue = colors[2];
    opacities[i] = colors[3];
    if (colors[3] < 255) opacity_count = i + 1;
  }
  png_set_PLTE(png, writer->info, entries, count);
  if (opacity_count > 0) png_set_tRNS(png, writer->info, opacities, opacity_count, NULL);
  png_write_info(png, writer->info);
  // Differences of indices mean nothing.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_set_packing(png);
  return 1;
}

int cpng_writer_chunk(
    cpng_writer *writer, const uint8_t *name, const uint8_t *bytes, size_t count) {
  if (setjmp(png_jmpbuf(writer->png))) return 0;
  png_write_chunk(writer->png, name, bytes, count);
  return 1;
}

int cpng_writer_row(cpng_writer *writer, const void *row) {
  if (setjmp(png_jmpbuf(writer->png))) return 0;
  png_write_row(writer->png, (png_const_bytep)row);
  return 1;
}

int cpng_writer_end(cpng_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png))) return 0;
  png_write_end(writer->png, NULL);
  return 1;
}

const char *cpng_writer_message(const cpng_writer *writer) { return writer->message; }

ptrdiff_t cpng_inflate(
    const uint8_t *bytes, size_t count, uint8_t *target, size_t capacity) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (!CODEC_CONVERT(count, &stream.avail_in) || !CODEC_CONVERT(capacity, &stream.avail_out)) {
    return -1;
  }
  if (inflateInit(&stream) != Z_OK) return -1;
  stream.next_in = (Bytef *)bytes;
  stream.next_out = target;
  int state = inflate(&stream, Z_FINISH);
  int full = stream.avail_out == 0;
  inflateEnd(&stream);
  if (state == Z_STREAM_END) return stream.next_out - target;
  return full ? -2 : -1;
}
