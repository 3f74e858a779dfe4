// Reading and writing PNG files by libpng.
//
// libpng reports errors by longjmp, which must not cross Swift frames. Each function below that can fail calls setjmp itself and
// returns 1, or 0 where it failed; then the message of the reader or writer says why.

#ifndef COLORLOOM_CPNG_H
#define COLORLOOM_CPNG_H

// The module of libpng and zlib: importing this header links them.
#include "../../CLibPNG/shim.h"

#include "CPNGPalette.h"

#include <codec_support.h>
#include <stddef.h>
#include <stdint.h>

enum { CPNG_MESSAGE_SIZE = 160, CPNG_BUFFER_SIZE = 1 << 16 };

/// Stores bytes; returns 1, or 0 where it cannot. One call of a function below may call it several times.
typedef int (*cpng_sink)(void *context, const uint8_t *bytes, size_t count);

/// Copies bytes from a position on; returns how many there are, fewer than `count` at the end of the file only.
typedef size_t (*cpng_source)(void *context, void *target, size_t count, size_t position);

/// Returns 1 where the reader shall stop. Asked before each row that is skipped.
typedef int (*cpng_stop)(void *context);

/// A PNG file that is being read.
typedef struct cpng_reader {
  png_structp png;
  png_infop info;
  /// The memory of libpng, and of zlib for it.
  codec_heap heap;
  cpng_source source;
  void *context;
  /// Asked whether to stop, with its context; NULL, as after creation, never stops.
  cpng_stop stop;
  void *stop_context;
  /// 1 where the last call failed because `stop` asked for it.
  int stopped;
  /// The position of the first byte after `buffer`, the bytes in `buffer`, and those of them that libpng has taken.
  size_t position, buffered, taken;
  /// 1 where libpng asked for more bytes than the file has.
  int ended;
  /// The layout of rows after expansion of palettes and of samples of fewer than 8 bits.
  uint32_t width, height;
  int channels, bits, passes;
  size_t bytes_per_row;
  /// Red, green, blue and opacity of each palette entry; opaque black behind its end.
  uint8_t palette[PNG_MAX_PALETTE_LENGTH][4];
  /// How many entries the palette has, 0 where there is none; and one more than the largest index of a pixel so far.
  int palette_count, index_count;
  /// The rows that were read, of all passes, and 1 where the Adler-32 of the pixels is wrong. That is reported after the rows.
  uint64_t row_count;
  int has_wrong_check;
  char message[CPNG_MESSAGE_SIZE];
  uint8_t buffer[];
} cpng_reader;

/// A PNG file that is being written.
typedef struct cpng_writer {
  png_structp png;
  png_infop info;
  codec_heap heap;
  cpng_sink sink;
  void *context;
  char message[CPNG_MESSAGE_SIZE];
} cpng_writer;

/// Creates a reader, or returns NULL where memory is short. Free it by cpng_reader_destroy.
cpng_reader *cpng_reader_create(cpng_source source, void *context);
void cpng_reader_destroy(cpng_reader *reader);

/// Reads pixel data in parts of so many bytes from now on; libpng's default is 4,096. It drops a part that the end of the file cuts short,
/// which of flat colors may hold hundreds of rows. After the last row it reads one more part, in which it checks the Adler-32.
void cpng_reader_take_parts(cpng_reader *reader, size_t bytes);

/// Reads up to the first pixel, and asks libpng for samples of 8 or 16 bits in native byte order, or for palette indices of a byte each,
/// which cpng_reader_row expands.
int cpng_reader_begin(cpng_reader *reader);

/// Goes back to the first row, also after a failure.
int cpng_reader_restart(cpng_reader *reader);

/// Reads the next row. In interlaced files, `row` must hold what the passes before left there: with a palette, a row holds its indices
/// at its end until the last pass of Adam7 expands them.
int cpng_reader_row(cpng_reader *reader, void *row);

/// Reads what follows the pixels, up to IEND.
int cpng_reader_end(cpng_reader *reader);

/// Returns why the last call failed. Valid while the reader is.
const char *cpng_reader_message(const cpng_reader *reader);

/// Creates a writer that may hold `limit` bytes of memory, or returns NULL where memory is short. Free it by cpng_writer_destroy.
cpng_writer *cpng_writer_create(cpng_sink sink, void *context, size_t limit);
void cpng_writer_destroy(cpng_writer *writer);

/// Chooses zlib's level, 0 to 9, and the filters that are worth their time at it. Called before cpng_writer_begin, or not at all for
/// libpng's defaults: level 6 and all filters.
int cpng_writer_set_level(cpng_writer *writer, int level);

/// Writes the signature and IHDR. Other chunks may follow, then rows, whose samples are in native byte order.
int cpng_writer_begin(
    cpng_writer *writer, uint32_t width, uint32_t height, int bits, int color_type);

/// Writes the palette, of red, green, blue and alpha of each entry, behind the chunks of color. Rows then have an index in each byte.
int cpng_writer_palette(cpng_writer *writer, const uint8_t *colors, int count);

/// Writes a chunk with its length and checksum. `name` is four letters.
int cpng_writer_chunk(
    cpng_writer *writer, const uint8_t *name, const uint8_t *bytes, size_t count);

/// Writes the next row.
int cpng_writer_row(cpng_writer *writer, const void *row);

/// Writes what libpng still holds, and IEND.
int cpng_writer_end(cpng_writer *writer);

/// Returns why the last call failed. Valid while the writer is.
const char *cpng_writer_message(const cpng_writer *writer);

/// Decompresses a zlib stream. Returns the number of bytes; −1 where the stream is damaged, −2 where `capacity` is too small.
ptrdiff_t cpng_inflate(
    const uint8_t *bytes, size_t count, uint8_t *target, size_t capacity);

#endif
