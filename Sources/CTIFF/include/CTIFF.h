// Reading and writing TIFF files by libtiff.
//
// libtiff takes and returns fields through variable arguments, which Swift cannot pass, and reports errors to a handler. Each file has
// a handler of its own, which keeps the first message and prints nothing. A warning that pixels were invented is kept like an error.
// Functions that can fail return 1, or 0 where they failed.

#ifndef COLORLOOM_CTIFF_H
#define COLORLOOM_CTIFF_H

// The module of libtiff: importing this header links it.
#include "../../CLibTIFF/shim.h"

#include <codec_support.h>
#include <stddef.h>
#include <stdint.h>

enum { CTIFF_MESSAGE_SIZE = 200, CTIFF_MOST_PLANES = 64 };

/// Stores bytes at a position; returns 1, or 0 where it cannot.
typedef int (*ctiff_sink)(void *context, const uint8_t *bytes, size_t count, size_t position);

/// Copies bytes from a position on; returns how many there are, fewer than `count` at the end of the file only.
typedef size_t (*ctiff_source)(void *context, void *target, size_t count, size_t position);

/// A plane whose strips are decompressed row by row: libtiff's handle for it, and its next row. Each plane has a handle of its own, because
/// libtiff's decoder begins a strip again where a handle turns to another plane.
typedef struct ctiff_plane {
  TIFF *tiff;
  uint32_t next_row;
} ctiff_plane;

/// A TIFF file that is being read, and the fields of the directory that was begun.
typedef struct ctiff_reader {
  TIFF *tiff;
  ctiff_source source;
  void *context;
  /// The bytes of the file, and the position of the next one to read.
  size_t count, position;
  /// 1 where libtiff asked for more bytes than the file has; 1 where the file is sound but of a kind that cannot be read.
  int ended, is_unsupported;
  /// 1 where the message says which field the file lacks; 1 where PhotometricInterpretation is missing, and `photometric` is assumed.
  int lacks_field, lacks_photometric;
  char message[CTIFF_MESSAGE_SIZE];

  uint32_t width, height;
  uint16_t bits, samples, sample_format, photometric, planar, compression, orientation, ink_set;
  /// Which bit of a byte comes first.
  uint16_t fill_order;
  /// How many inks there are, or 0 where the file does not say.
  uint16_t ink_count;
  /// How many samples of a pixel are beside its colors, and the kind of the first one.
  uint16_t extra_count, first_extra;
  /// 1 where Y′CbCr is converted to RGB by libtiff's tables; how many pixels share a pair of chroma.
  int is_chroma;
  TIFFRGBAImage chroma;
  uint16_t chroma_across, chroma_down;
  /// The bytes of a tile or strip of Y′CbCr once it is unpacked; a buffer for them or for a row of blocks, and how many bytes it has.
  ptrdiff_t stored_bytes;
  uint8_t *stored;
  size_t stored_room;
  /// Where strips of Y′CbCr can be read row by row, the bytes of a row of blocks once it is unpacked, else 0; and the first row of the blocks
  /// that are in `stored`, if `has_blocks` is 1.
  ptrdiff_t block_row_bytes;
  uint32_t block_row;
  int has_blocks;
  /// Tiles, or strips, which are tiles as wide as the picture.
  int is_tiled;
  uint32_t cell_width, cell_height, cell_count;
  ptrdiff_t cell_bytes;
  /// The most bytes that a tile or strip has in the file, and a buffer for those of JPEG.
  uint64_t packed_bytes;
  uint8_t *packed;
  /// The planes that are decompressed row by row; one where samples are not separate. The first one is that of `tiff`, and the others are
  /// opened when they are read, at the directory and with the limit that were begun.
  ctiff_plane planes[CTIFF_MOST_PLANES];
  uint64_t directory;
  size_t memory_limit;
  /// The palette, the ICC profile and the XMP packet, valid while the reader is.
  const uint16_t *red, *green, *blue;
  const void *profile, *xmp;
  uint32_t profile_count, xmp_count;
  int is_big;
} ctiff_reader;

/// A text with zeros between its parts: the stand-in that libtiff has, which no other field equals, and then the text as it is written.
/// Both have `count` bytes and end with a zero.
typedef struct ctiff_text {
  struct ctiff_text *next;
  size_t number, count;
  char bytes[];
} ctiff_text;

/// A TIFF file that is being written.
typedef struct ctiff_writer {
  TIFF *tiff;
  ctiff_sink sink;
  void *context;
  size_t position, count;
  char message[CTIFF_MESSAGE_SIZE];
  ctiff_text *texts;
  /// 1 once all pixels are written.
  int is_in_directory;
} ctiff_writer;

/// A field of the main directory. Fractions are floats of 32 bits.
typedef struct ctiff_field {
  uint32_t tag;
  TIFFDataType type;
  uint32_t count;
  const void *value;
} ctiff_field;

/// The fields of a new file besides its pixels.
typedef struct ctiff_header {
  /// Bytes between the file's header and the pixels, and the positions of the EXIF and GPS directories among them, or 0.
  const void *front;
  size_t front_count;
  uint64_t exif, gps;
  int is_big_endian;
  const void *iptc, *photoshop;
  uint32_t iptc_count, photoshop_count;
  double x_resolution, y_resolution;
  uint16_t resolution_unit, orientation;
  uint32_t width, height, rows_per_strip;
  uint16_t bits, samples, sample_format, photometric, compression, predictor;
  /// The level of deflate, or 0 for libtiff's default.
  int deflate_level;
  /// 0 where there is no alpha.
  uint16_t alpha;
  /// Of separated samples: which inks, and their names, each with a zero after it, or NULL.
  uint16_t ink_set, ink_names_count;
  const char *ink_names;
  const void *profile, *xmp;
  uint32_t profile_count, xmp_count;
  int is_big;
} ctiff_header;

/// Creates a reader of a file of `count` bytes, or returns NULL where memory is short. Free it by ctiff_reader_destroy.
ctiff_reader *ctiff_reader_create(ctiff_source source, void *context, size_t count);
void ctiff_reader_destroy(ctiff_reader *reader);

/// Reads the directory at an offset, or the first one where that is 0. No allocation of libtiff's may exceed `memory_limit` bytes.
int ctiff_reader_begin(ctiff_reader *reader, size_t memory_limit, uint64_t directory);

/// Whether the directory gives a strip or tile an offset and a byte count above 0. Old-style JPEG needs neither.
int ctiff_reader_is_stored(const ctiff_reader *reader, uint32_t index);

/// Whether libjpeg decodes all strips of JPEG a few rows at a time. Of several scans it keeps all coefficients in memory. EOI, which
/// ctiff_reader_cell supplies, must be there: libjpeg reads ahead of the last rows, and would warn of a premature end.
int ctiff_reader_has_jpeg_rows(const ctiff_reader *reader);

/// Reads a row of a plane's strip that is not decompressed as a whole. Compressed rows can only be read in order.
int ctiff_reader_row(ctiff_reader *reader, uint32_t y, uint16_t plane, void *target);

/// Reads a strip or a tile; samples of more than 8 bits are in native byte order. Fails where a part of it is missing or damaged.
int ctiff_reader_cell(
    ctiff_reader *reader, uint32_t index, void *target, ptrdiff_t count);

/// Returns the first message since the directory was begun. Valid while the reader is.
const char *ctiff_reader_message(const ctiff_reader *reader);

/// Creates a writer, or returns NULL where memory is short. Free it by ctiff_writer_destroy.
ctiff_writer *ctiff_writer_create(ctiff_sink sink, void *context);
void ctiff_writer_destroy(ctiff_writer *writer);

/// Begins a file. Fields may follow, then rows. No allocation of libtiff's may exceed `memory_limit` bytes.
int ctiff_writer_begin(
    ctiff_writer *writer, ctiff_header header, size_t memory_limit);

/// Sets a field of the main directory. Text ends with a zero.
void ctiff_writer_field(ctiff_writer *writer, ctiff_field field);

/// Writes a row, whose samples of more than 8 bits are in native byte order.
int ctiff_writer_row(ctiff_writer *writer, const void *row, uint32_t y);

/// Writes what libtiff still holds, and the directory.
int ctiff_writer_end(ctiff_writer *writer);

/// Returns the first message of the writer. Valid while the writer is.
const char *ctiff_writer_message(const ctiff_writer *writer);

#endif
