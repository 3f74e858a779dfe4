// Reading and writing OpenEXR files by OpenEXRCore.
//
// OpenEXRCore reads and writes chunks of channels; here a chunk, or a row of tiles, becomes rows of pixels. Errors come to a handler of
// each file, which keeps the first message and prints nothing. Functions that can fail return 1, or 0 where they failed.

#ifndef COLORLOOM_COPENEXR_H
#define COLORLOOM_COPENEXR_H

// The module of OpenEXRCore: importing this header links it.
#include "../../COpenEXRCore/shim.h"

#include <codec_support.h>
#include <stddef.h>
#include <stdint.h>

enum { CEXR_MESSAGE_SIZE = 200 };

/// Stores bytes at a position; returns 1, or 0 where it cannot.
typedef int (*cexr_sink)(void *context, const uint8_t *bytes, size_t count, size_t position);

/// Copies bytes from a position on; returns how many there are, fewer than `count` at the end of the file only.
typedef size_t (*cexr_source)(void *context, void *target, size_t count, size_t position);

/// The errors and the memory of a reader or a writer, with which both begin, so that the error handler finds them.
typedef struct cexr_file {
  /// The memory of OpenEXRCore. That of zlib, by which it decompresses, is not counted.
  codec_heap heap;
  char message[CEXR_MESSAGE_SIZE];
  /// 1 where OpenEXRCore asked for more bytes than the file has; 1 where the file is sound but of a kind that cannot be read.
  int ended, is_unsupported;
} cexr_file;

/// An OpenEXR file that is being read.
typedef struct cexr_reader {
  cexr_file file;
  exr_context_t context;
  cexr_source source;
  void *source_context;
  size_t count;

  /// The part that is read, from 0.
  int part;
  /// The name of the layer, or of the channel, that is read; NULL for the channels outside of layers.
  char *layer;
  /// Whether the name is that of a channel; whether no channels make the requested picture.
  int is_channel, lacks_picture;
  /// The name of the only channel that is read, as gray; the letters of the axes of vectors, “xyz” or “uvw”. NULL for colors.
  const char *only_channel, *axes;

  /// The data window.
  int32_t left, top;
  int64_t width, height;
  /// The display window: left, top, and the last column and row.
  int32_t display[4];
  float pixel_aspect;
  /// The luminance of red = green = blue = 1 in cd/m²; 0 where none is stated.
  float white_luminance;
  /// Gray, then alpha; or red, green, blue, then alpha; or luminance and two samples of chroma, then alpha; or three axes, of which the
  /// third one may be 0. Chroma is in every other pixel of every other row.
  int is_gray, is_chroma, has_alpha, channels, is_float;
  int other_channels, part_count;
  /// The bytes of a pixel as the file stores it, with all of its channels.
  int64_t stored_pixel;
  /// The rows of a chunk or of a row of tiles, and the width of a tile.
  int64_t band_height, tile_width;
  /// The bytes of the tables by which chunks are decompressed.
  int64_t table_bytes;
  int is_tiled;
  int has_chromaticities;
  /// Those of red, green, blue and white.
  float chromaticities[8];
} cexr_reader;

/// The longest name of a channel in bytes.
enum { CEXR_NAME_SIZE = 255 };

/// A channel of a new file; see cexr_writer_channel.
typedef struct cexr_channel {
  char name[CEXR_NAME_SIZE + 1];
  size_t offset;
  int pixel_stride, is_float;
} cexr_channel;

/// An OpenEXR file that is being written.
typedef struct cexr_writer {
  cexr_file file;
  exr_context_t context;
  cexr_sink sink;
  void *sink_context;
  exr_result_t (*compress)(exr_encode_pipeline_t *);
  cexr_channel *channels;
  int channel_count, band_height;
  int64_t width;
  int32_t top;
} cexr_writer;

/// The data window and the display window of a new file.
typedef struct cexr_framing {
  /// Left, top, and the last column and row.
  int32_t data[4], display[4];
  float pixel_aspect;
} cexr_framing;

/// Creates a reader of a file of `count` bytes, or returns NULL where memory is short. `limit` is how many bytes of memory the header
/// may take. Free it by cexr_reader_destroy.
cexr_reader *cexr_reader_create(
    cexr_source source, void *context, size_t count, size_t limit);
void cexr_reader_destroy(cexr_reader *reader);

/// Reads the header of a part, counted from 0. `layer` is the name of the layer or the channel to read, or NULL. Call it once.
///
/// Where it fails, `part_count` is at most `part` if there is no such part, and `lacks_picture` is set if no channels make the picture.
int cexr_reader_begin(
    cexr_reader *reader, int part, const char *layer, int largest_width, int largest_height);

/// Returns the name of the part, valid while the reader is; NULL where it has none.
const char *cexr_reader_part_name(const cexr_reader *reader);

/// Returns the name of the part's channel with an index, valid while the reader is; NULL behind the last one.
const char *cexr_reader_channel(const cexr_reader *reader, int index);

/// An attribute of a file's header.
typedef struct cexr_attribute {
  const char *name, *type;
  /// Its text, which is not terminated; NULL where it is none.
  const char *text;
  size_t text_count;
} cexr_attribute;

/// Returns the attribute with an index, valid while the reader is, or 0 behind the last one.
int cexr_reader_attribute(
    const cexr_reader *reader, int index, cexr_attribute *attribute);

/// Reads the band of rows that begins at the row `y`, counted from 0.
int cexr_reader_band(
    cexr_reader *reader, int64_t y, uint8_t *target, size_t bytes_per_row);

/// Returns why the last call failed. Valid while the reader is.
const char *cexr_reader_message(const cexr_reader *reader);

/// Creates a writer that may hold `limit` bytes of memory, or returns NULL where memory is short. Free it by cexr_writer_destroy.
cexr_writer *cexr_writer_create(cexr_sink sink, void *context, size_t limit);
void cexr_writer_destroy(cexr_writer *writer);

/// Begins the header of a picture of the data window's size. Channels follow.
int cexr_writer_begin(cexr_writer *writer, int is_packed, const cexr_framing *framing);

/// Adds a channel, in single precision if `is_float` is set. Its name must differ from those before it. In the rows of a band its first
/// sample is at `offset` bytes, and the others are `pixel_stride` bytes apart.
int cexr_writer_channel(
    cexr_writer *writer, const char *name, int is_float, size_t offset, int pixel_stride);

/// States the chromaticities of red, green, blue and white, unless they are NULL, and the luminance of red = green = blue = 1 in cd/m²,
/// unless it is 0.
int cexr_writer_color(
    cexr_writer *writer, const float *chromaticities, float white_luminance);

/// Chooses the level of ZIP, 1 to 9. Without it, OpenEXRCore has a default.
int cexr_writer_zip_level(cexr_writer *writer, int level);

/// Adds a text to the header.
int cexr_writer_text(cexr_writer *writer, const char *name, const char *text);

/// Writes the header. Bands of rows follow.
int cexr_writer_end_header(cexr_writer *writer);

/// Writes the band of rows that begins at the row `y`.
int cexr_writer_band(
    cexr_writer *writer, int y, const uint8_t *rows, size_t bytes_per_row);

/// Writes what OpenEXRCore still holds, and the table of chunks.
int cexr_writer_end(cexr_writer *writer);

/// Returns why the last call failed. Valid while the writer is.
const char *cexr_writer_message(const cexr_writer *writer);

#endif
