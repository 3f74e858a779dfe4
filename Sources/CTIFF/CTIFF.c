// Empty without the trait TIFF: then no header of the library is looked for.
#ifdef COLORLOOM_TIFF

#include "CTIFF.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ctiff_keep_message(char *message, const char *format, va_list arguments) {
  if (!message[0]) vsnprintf(message, CTIFF_MESSAGE_SIZE, format, arguments);
}

static int ctiff_on_error(
    TIFF *tiff, void *message, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  (void)module;
  ctiff_keep_message((char *)message, format, arguments);
  return 1;
}

// Whether libtiff, or libjpeg through it, warns that it invents pixels. libjpeg's warnings of other kinds, and those of the directory, do no
// harm. "Premature end of JPEG" may mean only that EOI is missing, which ctiff_reader_jpeg_cell therefore supplies. Of a strip or a tile
// libjpeg gives the first warning only, so extraneous bytes hide damage behind them.
static int ctiff_invents_pixels(const char *module, const char *text) {
  static const char *const inventions[] = {
      "Corrupt JPEG data", "Premature end of JPEG", "Inconsistent progression sequence",
      "Improper JPEG strip/tile size"};
  // The decoders of fax codes warn of rows that end too early or too late, and of missing rows.
  if (module && !strncmp(module, "Fax", 3)) return 1;
  if (strstr(text, "extraneous bytes")) return 0;
  for (size_t i = 0; i < sizeof inventions / sizeof *inventions; i++) {
    if (!strncmp(text, inventions[i], strlen(inventions[i]))) return 1;
  }
  return 0;
}

static int ctiff_on_warning(
    TIFF *tiff, void *message, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  char text[CTIFF_MESSAGE_SIZE];
  vsnprintf(text, sizeof text, format, arguments);
  char *kept = (char *)message;
  if (!kept[0] && ctiff_invents_pixels(module, text)) memcpy(kept, text, sizeof text);
  return 1;
}

// Limits each allocation of libtiff to `limit` bytes, 0 for no limit; since libtiff 4.7 also all of them together to twice that.
static TIFF *ctiff_open(
    const char *mode, void *handle, char *message, size_t limit, TIFFReadWriteProc read,
    TIFFReadWriteProc write, TIFFSeekProc seek, TIFFCloseProc close, TIFFSizeProc size,
    TIFFMapFileProc map, TIFFUnmapFileProc unmap) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_on_error, message);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_on_warning, message);
  tmsize_t most;
  if (limit && CODEC_CONVERT(limit, &most)) {
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, most);
#if TIFFLIB_VERSION >= 20240911
    if (CODEC_ADD(most, most, &most)) TIFFOpenOptionsSetMaxCumulatedMemAlloc(options, most);
#endif
  }
  TIFF *tiff = TIFFClientOpenExt(
      "image", mode, (thandle_t)handle, read, write, seek, close, size, map, unmap, options);
  TIFFOpenOptionsFree(options);
  return tiff;
}

static int ctiff_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static int ctiff_map(thandle_t handle, void **base, toff_t *size) {
  (void)handle;
  (void)base;
  (void)size;
  return 0;
}

static void ctiff_unmap(thandle_t handle, void *base, toff_t size) {
  (void)handle;
  (void)base;
  (void)size;
}

// Reading.

static tmsize_t ctiff_take(thandle_t handle, void *target, tmsize_t wanted) {
  ctiff_reader *reader = (ctiff_reader *)handle;
  size_t most;
  tmsize_t result;
  if (!CODEC_CONVERT(wanted, &most)) return -1;
  size_t count = reader->source(reader->context, target, most, reader->position);
  if (count < most) reader->ended = 1;
  reader->position += count;
  return CODEC_CONVERT(count, &result) ? result : -1;
}

static tmsize_t ctiff_refuse(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle;
  (void)bytes;
  (void)count;
  return 0;
}

// Moves `position`; −1, as for lseek, where there is no such place.
static toff_t ctiff_move(size_t *position, size_t count, toff_t offset, int origin) {
  size_t start = origin == SEEK_CUR ? *position : origin == SEEK_END ? count : 0;
  return CODEC_ADD(start, offset, position) ? *position : (toff_t)-1;
}

static toff_t ctiff_seek(thandle_t handle, toff_t offset, int origin) {
  ctiff_reader *reader = (ctiff_reader *)handle;
  return ctiff_move(&reader->position, reader->count, offset, origin);
}

static toff_t ctiff_size(thandle_t handle) { return ((ctiff_reader *)handle)->count; }

void ctiff_reader_destroy(ctiff_reader *reader) {
  if (!reader) return;
  TIFFRGBAImageEnd(&reader->chroma);
  for (size_t plane = 1; plane < CTIFF_MOST_PLANES; plane++) {
    if (reader->planes[plane].tiff) TIFFClose(reader->planes[plane].tiff);
  }
  if (reader->tiff) TIFFClose(reader->tiff);
  free(reader->stored);
  free(reader->packed);
  free(reader);
}

static int ctiff_refuse_file(ctiff_reader *reader, const char *text) {
  reader->is_unsupported = 1;
  snprintf(reader->message, sizeof reader->message, "%s", text);
  return 0;
}

static int ctiff_lack_field(ctiff_reader *reader, const char *name) {
  reader->lacks_field = 1;
  snprintf(reader->message, sizeof reader->message, "it lacks the field %s", name);
  return 0;
}

ctiff_reader *ctiff_reader_create(ctiff_source source, void *context, size_t count) {
  ctiff_reader *reader = (ctiff_reader *)calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->source = source;
  reader->context = context;
  reader->count = count;
  return reader;
}

// The bytes of some rows of a strip or a tile of Y′CbCr as it is stored: blocks of luma, each with a pair of chroma (TIFF 6.0, section 21),
// or three planes.
static int ctiff_chroma_bytes(const ctiff_reader *reader, size_t rows, ptrdiff_t *bytes) {
  size_t across = reader->chroma_across, down = reader->chroma_down, blocks;
  return CODEC_MULTIPLY((reader->cell_width + across - 1) / across, (rows + down - 1) / down, &blocks)
      && CODEC_MULTIPLY(blocks, across * down + 2, bytes);
}

// Prepares libtiff's conversion of Y′CbCr to RGB, by the coefficients and the range that the file names.
static int ctiff_begin_chroma(ctiff_reader *reader) {
  char reason[1024];
  int is_byte = reader->bits == 8 && reader->sample_format != SAMPLEFORMAT_INT;
  if (!is_byte || !TIFFRGBAImageBegin(&reader->chroma, reader->tiff, 0, reason)) {
    if (reader->message[0]) return 0;
    return ctiff_refuse_file(
        reader,
        "its luma and chroma are not unsigned integers of 8 bits, or subsampled in a way that libtiff does not read; "
        "save it as RGB first");
  }
  TIFFGetFieldDefaulted(
      reader->tiff, TIFFTAG_YCBCRSUBSAMPLING, &reader->chroma_across, &reader->chroma_down);
  reader->is_chroma = 1;
  reader->photometric = PHOTOMETRIC_RGB;
  reader->planar = PLANARCONFIG_CONTIG;
  reader->samples = 3;
  reader->extra_count = 0;
  // libtiff counts the scanlines of a row of blocks as if each were a part of it, and none beyond the picture's height.
  uint32_t down = reader->chroma_down;
  tmsize_t scanline = TIFFScanlineSize(reader->tiff), blocks, scanlines;
  if (reader->chroma.isContig && reader->height % down == 0 && reader->cell_height % down == 0
      && ctiff_chroma_bytes(reader, down, &blocks) && CODEC_MULTIPLY(scanline, down, &scanlines)
      && blocks == scanlines) {
    reader->block_row_bytes = blocks;
  }
  uint64_t pixels = (uint64_t)reader->cell_width * reader->cell_height;
  return ctiff_chroma_bytes(reader, reader->cell_height, &reader->stored_bytes)
      && CODEC_MULTIPLY(pixels, 3, &reader->cell_bytes);
}

// Opens the file at a directory: the one at the offset `directory`, or the next one where that is 0. All handles read through the reader's
// position, which libtiff sets before it reads, but for the file's header.
static int ctiff_open_directory(ctiff_reader *reader, TIFF **handle) {
  reader->position = 0;
  *handle = ctiff_open(
      "rhm", reader, reader->message, reader->memory_limit, ctiff_take, ctiff_refuse, ctiff_seek,
      ctiff_close, ctiff_size, ctiff_map, ctiff_unmap);
  TIFF *tiff = *handle;
  if (!tiff) return 0;
  uint64_t directory = reader->directory;
  if (!(directory ? TIFFSetSubDirectory(tiff, directory) : TIFFReadDirectory(tiff))) {
    if (!strstr(reader->message, "different values per sample")) return 0;
    return ctiff_refuse_file(
        reader,
        "the samples of its pixels differ in bits or format; save it with 8 or 16 bits each first");
  }
  // Errors in a directory that libtiff nevertheless read are ignored; required fields are checked next.
  reader->message[0] = 0;
  return 1;
}

// Reads the fields that describe size and samples.
static int ctiff_read_format(ctiff_reader *reader) {
  TIFF *tiff = reader->tiff;
  if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &reader->width)) {
    return ctiff_lack_field(reader, "ImageWidth");
  }
  if (!TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &reader->height)) {
    return ctiff_lack_field(reader, "ImageLength");
  }
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &reader->bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &reader->samples);
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &reader->photometric)) {
    reader->lacks_photometric = 1;
    reader->photometric = reader->samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
  }
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &reader->sample_format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &reader->planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &reader->compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &reader->orientation);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &reader->ink_set);
  if (!TIFFGetField(tiff, TIFFTAG_NUMBEROFINKS, &reader->ink_count)) reader->ink_count = 0;
  uint16_t count = 0, *kinds = NULL;
  if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) && kinds) {
    reader->extra_count = count;
    if (count > 0) reader->first_extra = kinds[0];
  }
  return 1;
}

// Refuses compressions that libtiff cannot unpack, and lets libjpeg convert the chroma of JPEG.
static int ctiff_begin_compression(ctiff_reader *reader) {
  TIFF *tiff = reader->tiff;
  if (!TIFFIsCODECConfigured(reader->compression)) {
    return ctiff_refuse_file(
        reader, "libtiff was built without its compression; save it with LZW, deflate or none first");
  }
  TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &reader->fill_order);
  if (reader->fill_order == FILLORDER_LSB2MSB
      && (reader->compression == COMPRESSION_LZMA || reader->compression == COMPRESSION_ZSTD)) {
    return ctiff_refuse_file(
        reader, "the bits of its packed bytes are stored in reverse; save it with FillOrder 1 first");
  }
  // JPEG's own chroma is turned into RGB by libjpeg, but not where each component is a JPEG of its own.
  if (reader->compression == COMPRESSION_JPEG && reader->photometric == PHOTOMETRIC_YCBCR
      && reader->planar == PLANARCONFIG_CONTIG) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    reader->photometric = PHOTOMETRIC_RGB;
  }
  return 1;
}

static int ctiff_read_palette(ctiff_reader *reader) {
  uint16_t *red = NULL, *green = NULL, *blue = NULL;
  if (!TIFFGetField(reader->tiff, TIFFTAG_COLORMAP, &red, &green, &blue)) {
    return ctiff_lack_field(reader, "ColorMap");
  }
  reader->red = red;
  reader->green = green;
  reader->blue = blue;
  return 1;
}

static void ctiff_read_metadata(ctiff_reader *reader) {
  TIFF *tiff = reader->tiff;
  void *bytes = NULL;
  if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &reader->profile_count, &bytes)) reader->profile = bytes;
  if (TIFFGetField(tiff, TIFFTAG_XMLPACKET, &reader->xmp_count, &bytes)) reader->xmp = bytes;
}

// Reads the size and the number of strips or tiles, and the bytes of the largest packed one.
static void ctiff_read_layout(ctiff_reader *reader) {
  TIFF *tiff = reader->tiff;
  reader->is_tiled = TIFFIsTiled(tiff);
  if (reader->is_tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &reader->cell_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &reader->cell_height);
    reader->cell_bytes = TIFFTileSize(tiff);
    reader->cell_count = TIFFNumberOfTiles(tiff);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &reader->cell_height);
    if (reader->cell_height > reader->height) reader->cell_height = reader->height;
    reader->cell_width = reader->width;
    reader->cell_bytes = TIFFStripSize(tiff);
    reader->cell_count = TIFFNumberOfStrips(tiff);
  }
  for (uint32_t cell = 0; cell < reader->cell_count; cell++) {
    uint64_t packed = TIFFGetStrileByteCount(tiff, cell);
    if (packed > reader->count) packed = reader->count;
    if (packed > reader->packed_bytes) reader->packed_bytes = packed;
  }
}

int ctiff_reader_begin(ctiff_reader *reader, size_t memory_limit, uint64_t directory) {
  reader->memory_limit = memory_limit;
  reader->directory = directory;
  if (!ctiff_open_directory(reader, &reader->tiff) || !ctiff_read_format(reader)
      || !ctiff_begin_compression(reader)) {
    return 0;
  }
  if (reader->photometric == PHOTOMETRIC_PALETTE && !ctiff_read_palette(reader)) return 0;
  ctiff_read_metadata(reader);
  ctiff_read_layout(reader);
  reader->is_big = TIFFIsBigTIFF(reader->tiff);
  if (reader->photometric == PHOTOMETRIC_YCBCR && !ctiff_begin_chroma(reader)) return 0;
  return reader->cell_bytes > 0 && reader->cell_count > 0;
}

int ctiff_reader_is_stored(const ctiff_reader *reader, uint32_t index) {
  // libtiff finds the only strip by JPEGInterchangeFormat where there is nothing else.
  if (reader->compression == COMPRESSION_OJPEG) return 1;
  return TIFFGetStrileOffset(reader->tiff, index) > 0 && TIFFGetStrileByteCount(reader->tiff, index) > 0;
}

static int ctiff_read_scanline(
    ctiff_reader *reader, ctiff_plane *plane, uint16_t number, void *target) {
  TIFF *tiff = number > 0 ? plane->tiff : reader->tiff;
  if (TIFFReadScanline(tiff, target, plane->next_row, number) != 1) return 0;
  plane->next_row++;
  return !reader->message[0];
}

// Reads the scanlines of a plane from the first one, or the one after the last, up to the one before `y`. They are not kept.
static int ctiff_skip_scanlines(
    ctiff_reader *reader, ctiff_plane *plane, uint16_t number, uint32_t y, void *target) {
  uint32_t first = y / reader->cell_height * reader->cell_height;
  if (plane->next_row < first || plane->next_row > y) plane->next_row = first;
  while (plane->next_row < y) {
    if (!ctiff_read_scanline(reader, plane, number, target)) return 0;
  }
  return 1;
}

static void ctiff_convert_chroma(
    const ctiff_reader *reader, size_t first, size_t end, size_t rows, uint8_t *target);

// Makes the buffer for stored Y′CbCr hold so many bytes. Rows of blocks and whole strips are read into the same one.
static int ctiff_hold_stored(ctiff_reader *reader, ptrdiff_t count) {
  size_t bytes;
  if (!CODEC_CONVERT(count, &bytes)) return 0;
  if (reader->stored && bytes <= reader->stored_room) return 1;
  uint8_t *stored = (uint8_t *)realloc(reader->stored, bytes);
  if (!stored) return 0;
  reader->stored = stored;
  reader->stored_room = bytes;
  return 1;
}

// Reads a row of a strip of Y′CbCr as RGB. Its blocks may already be there for the row above it.
static int ctiff_reader_chroma_row(ctiff_reader *reader, uint32_t y, uint8_t *target) {
  uint32_t down = reader->chroma_down, first = y / down * down;
  size_t bytes;
  if (!CODEC_CONVERT(reader->block_row_bytes, &bytes)
      || !ctiff_hold_stored(reader, reader->block_row_bytes)) {
    return 0;
  }
  if (!reader->has_blocks || reader->block_row != first) {
    reader->has_blocks = 0;
    ctiff_plane *plane = &reader->planes[0];
    if (!ctiff_skip_scanlines(reader, plane, 0, first, reader->stored)) return 0;
    for (uint32_t row = 0; row < down; row++) {
      if (!ctiff_read_scanline(reader, plane, 0, reader->stored + row * (bytes / down))) return 0;
    }
    reader->block_row = first;
    reader->has_blocks = 1;
  }
  ctiff_convert_chroma(reader, y - first, y - first + 1, down, target);
  return 1;
}

int ctiff_reader_row(ctiff_reader *reader, uint32_t y, uint16_t number, void *target) {
  if (number >= CTIFF_MOST_PLANES) return 0;
  if (reader->is_chroma) return ctiff_reader_chroma_row(reader, y, (uint8_t *)target);
  ctiff_plane *plane = &reader->planes[number];
  if (number > 0 && !plane->tiff && !ctiff_open_directory(reader, &plane->tiff)) return 0;
  return ctiff_skip_scanlines(reader, plane, number, y, target)
      && ctiff_read_scanline(reader, plane, number, target);
}

// Finds the bytes of a strip or a tile; 0 where there are none.
static int ctiff_find_cell(
    const ctiff_reader *reader, uint32_t index, size_t *start, size_t *count) {
  if (!CODEC_CONVERT(TIFFGetStrileOffset(reader->tiff, index), start)
      || !CODEC_CONVERT(TIFFGetStrileByteCount(reader->tiff, index), count)
      || *start > reader->count) {
    return 0;
  }
  if (*count > reader->count - *start) *count = reader->count - *start;
  return *count > 0;
}

// Whether the JPEG of a strip or a tile has a single scan, of all components and all bits. One of several scans may lack some of them where
// it lacks EOI.
static int ctiff_has_one_scan(const ctiff_reader *reader, uint32_t index) {
  size_t start, count;
  if (!ctiff_find_cell(reader, index, &start, &count)) return 0;
  uint8_t components = 0, segment[10];
  size_t place = 2;
  // Few files have more than a dozen segments; millions of fill bytes would take minutes.
  for (int step = 0; step < 4096; step++) {
    if (count < sizeof segment || place > count - sizeof segment) return 0;
    if (reader->source(reader->context, segment, sizeof segment, start + place) < sizeof segment) return 0;
    if (segment[0] != 0xFF) return 0;
    uint8_t marker = segment[1];
    // Fill bytes may precede a marker.
    if (marker == 0xFF) {
      place++;
      continue;
    }
    // The frame headers of sequential JPEG: baseline, extended, and with arithmetic coding.
    if (marker == 0xC0 || marker == 0xC1 || marker == 0xC9) components = segment[9];
    if (marker == 0xDA) return segment[4] == components;
    place += 2 + ((size_t)segment[2] << 8 | segment[3]);
  }
  return 0;
}

static int ctiff_has_eoi(const ctiff_reader *reader, uint32_t index) {
  size_t start, count;
  uint8_t end[2];
  return ctiff_find_cell(reader, index, &start, &count) && count >= sizeof end
      && reader->source(reader->context, end, sizeof end, start + count - sizeof end) == sizeof end
      && end[0] == 0xFF && end[1] == 0xD9;
}

int ctiff_reader_has_jpeg_rows(const ctiff_reader *reader) {
  for (uint32_t cell = 0; cell < reader->cell_count; cell++) {
    if (!ctiff_has_one_scan(reader, cell) || !ctiff_has_eoi(reader, cell)) return 0;
  }
  return 1;
}

// Reads a strip or a tile of JPEG. Behind a JPEG of one scan it puts EOI, which some files lack; libjpeg reads nothing behind the first EOI.
static int ctiff_reader_jpeg_cell(
    ctiff_reader *reader, uint32_t index, void *target, ptrdiff_t count) {
  static const uint8_t end[] = {0xFF, 0xD9};
  size_t size, packed;
  tmsize_t room, all;
  if (!CODEC_ADD(reader->packed_bytes, sizeof end, &size)
      || !CODEC_CONVERT(reader->packed_bytes, &room)) {
    return 0;
  }
  if (!reader->packed) reader->packed = (uint8_t *)malloc(size);
  if (!reader->packed) return 0;
  tmsize_t read = reader->is_tiled
      ? TIFFReadRawTile(reader->tiff, index, reader->packed, room)
      : TIFFReadRawStrip(reader->tiff, index, reader->packed, room);
  if (!CODEC_CONVERT(read, &packed)) return 0;
  if (ctiff_has_one_scan(reader, index)) {
    memcpy(reader->packed + packed, end, sizeof end);
    packed += sizeof end;
  }
  return CODEC_CONVERT(packed, &all)
      && TIFFReadFromUserBuffer(reader->tiff, index, reader->packed, all, target, count)
      && !reader->message[0];
}

// Reads a strip or a tile as it is stored, once it is unpacked.
static int ctiff_reader_stored_cell(
    ctiff_reader *reader, uint32_t index, void *target, ptrdiff_t count) {
  if (reader->compression == COMPRESSION_JPEG) {
    return ctiff_reader_jpeg_cell(reader, index, target, count);
  }
  tmsize_t read = reader->is_tiled ? TIFFReadEncodedTile(reader->tiff, index, target, count)
                                   : TIFFReadEncodedStrip(reader->tiff, index, target, count);
  return read == count && !reader->message[0];
}

// Converts rows from `first` to before `end`, of `rows` stored ones of luma and chroma, to RGB.
static void ctiff_convert_chroma(
    const ctiff_reader *reader, size_t first, size_t end, size_t rows, uint8_t *target) {
  size_t width = reader->cell_width, across = reader->chroma_across, down = reader->chroma_down;
  size_t lumas = across * down, blocks = (width + across - 1) / across;
  // Chroma follows the luma of its block, or of all blocks where planes are separate.
  int is_planar = !reader->chroma.isContig;
  size_t step = is_planar ? 1 : lumas + 2, plane = is_planar ? rows * width : 1;
  size_t to_chroma = is_planar ? plane : lumas;
  for (size_t y = first; y < end; y++) {
    for (size_t x = 0; x < width; x++) {
      const uint8_t *block = reader->stored + (y / down * blocks + x / across) * step;
      const uint8_t *chroma = block + to_chroma;
      uint32_t red, green, blue;
      TIFFYCbCrtoRGB(
          reader->chroma.ycbcr, block[y % down * across + x % across], chroma[0], chroma[plane], &red,
          &green, &blue);
      *target++ = (uint8_t)red;
      *target++ = (uint8_t)green;
      *target++ = (uint8_t)blue;
    }
  }
}

// Reads a strip or a tile of Y′CbCr as RGB.
static int ctiff_reader_chroma_cell(
    ctiff_reader *reader, uint32_t index, uint8_t *target, ptrdiff_t count) {
  size_t all;
  ptrdiff_t stored;
  if (!CODEC_CONVERT(count, &all)) return 0;
  size_t rows = all / (3 * (size_t)reader->cell_width);
  if (!ctiff_chroma_bytes(reader, rows, &stored) || stored > reader->stored_bytes
      || !ctiff_hold_stored(reader, reader->stored_bytes)) {
    return 0;
  }
  // Rows of blocks are read from the file again.
  reader->has_blocks = 0;
  uint32_t planes = reader->chroma.isContig ? 1 : 3;
  ptrdiff_t part = stored / planes;
  for (uint32_t plane = 0; plane < planes; plane++) {
    uint32_t cell = index + plane * (reader->cell_count / planes);
    if (!ctiff_reader_stored_cell(reader, cell, reader->stored + plane * part, part)) return 0;
  }
  ctiff_convert_chroma(reader, 0, rows, rows, target);
  return 1;
}

int ctiff_reader_cell(
    ctiff_reader *reader, uint32_t index, void *target, ptrdiff_t count) {
  return reader->is_chroma ? ctiff_reader_chroma_cell(reader, index, (uint8_t *)target, count)
                           : ctiff_reader_stored_cell(reader, index, target, count);
}

const char *ctiff_reader_message(const ctiff_reader *reader) { return reader->message; }

// Writing.

static tmsize_t ctiff_give(thandle_t handle, void *bytes, tmsize_t count) {
  ctiff_writer *writer = (ctiff_writer *)handle;
  size_t part;
  const void *content = bytes;
  if (!CODEC_CONVERT(count, &part)) return -1;
  for (const ctiff_text *text = writer->texts; text && writer->is_in_directory; text = text->next) {
    if (text->count == part && !memcmp(text->bytes, bytes, part)) content = text->bytes + part;
  }
  if (!writer->sink(writer->context, (const uint8_t *)content, part, writer->position)) return -1;
  writer->position += part;
  if (writer->position > writer->count) writer->count = writer->position;
  return count;
}

static toff_t ctiff_writer_seek(thandle_t handle, toff_t offset, int origin) {
  ctiff_writer *writer = (ctiff_writer *)handle;
  return ctiff_move(&writer->position, writer->count, offset, origin);
}

static toff_t ctiff_writer_size(thandle_t handle) { return ((ctiff_writer *)handle)->count; }

void ctiff_writer_destroy(ctiff_writer *writer) {
  if (!writer) return;
  if (writer->tiff) TIFFClose(writer->tiff);
  for (ctiff_text *text = writer->texts, *next; text; text = next) {
    next = text->next;
    free(text);
  }
  free(writer);
}

ctiff_writer *ctiff_writer_create(ctiff_sink sink, void *context) {
  ctiff_writer *writer = (ctiff_writer *)calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->sink = sink;
  writer->context = context;
  return writer;
}

// Datasets of IPTC, which older versions of libtiff count in words of 32 bits.
static void ctiff_set_iptc(TIFF *tiff, const void *bytes, uint32_t count) {
  const TIFFField *field = TIFFFindField(tiff, TIFFTAG_RICHTIFFIPTC, TIFF_ANY);
  if (!field || TIFFFieldDataType(field) != TIFF_LONG) {
    TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, count, bytes);
    return;
  }
  uint32_t words = (count + 3) / 4;
  uint32_t *copy = (uint32_t *)calloc(words, 4);
  if (!copy) return;
  memcpy(copy, bytes, count);
  // libtiff swaps the bytes of words in files of the other byte order; these are bytes, so they are swapped beforehand.
  if (TIFFIsByteSwapped(tiff)) TIFFSwabArrayOfLong(copy, words);
  TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, words, copy);
  free(copy);
}

// Fills the stand-in of a text with its number in base 31: control characters, which differ from place to place. So no two stand-ins are
// equal, and no other field of the directory is taken for one.
static void ctiff_number_text(ctiff_text *text) {
  size_t number = text->next ? text->next->number + 1 : 0;
  text->number = number;
  for (size_t i = 0; i < text->count - 1; i++, number /= 31) {
    text->bytes[i] = (char)(1 + (number + 11 * (i + 1)) % 31);
  }
}

// Sets a text, which libtiff ends at its first zero. For one with zeros between its parts a stand-in is set, and the text takes its place
// when the directory is written. For that it needs more bytes than libtiff writes within the directory; more zeros at the end give it
// those.
static void ctiff_set_text(ctiff_writer *writer, ctiff_field field) {
  const char *parts = (const char *)field.value;
  size_t length = field.count;
  while (length > 0 && !parts[length - 1]) length--;
  if (!memchr(parts, 0, length)) {
    TIFFSetField(writer->tiff, field.tag, parts);
    return;
  }
  size_t count = length + 1, least = TIFFIsBigTIFF(writer->tiff) ? 9 : 5;
  if (count < least) count = least;
  ctiff_text *text = (ctiff_text *)calloc(1, sizeof *text + 2 * count);
  if (!text) return;
  text->count = count;
  text->next = writer->texts;
  ctiff_number_text(text);
  memcpy(text->bytes + count, parts, length);
  writer->texts = text;
  TIFFSetField(writer->tiff, field.tag, text->bytes);
}

// Sets a field that libtiff knows, if it has the type and the count that libtiff expects.
static void ctiff_set_known(ctiff_writer *writer, const TIFFField *known, ctiff_field field) {
  if (TIFFFieldDataType(known) != field.type) return;
  int passes_count = TIFFFieldPassCount(known), count = TIFFFieldWriteCount(known);
  if (field.type == TIFF_ASCII && !passes_count) {
    ctiff_set_text(writer, field);
    return;
  }
  int is_fraction = field.type == TIFF_RATIONAL || field.type == TIFF_SRATIONAL;
  int size = is_fraction ? (int)sizeof(float) : TIFFDataWidth(field.type);
  if (TIFFFieldSetGetSize(known) != size) return;
  if (passes_count && count == TIFF_VARIABLE2) {
    TIFFSetField(writer->tiff, field.tag, field.count, field.value);
  } else if (passes_count && field.count <= UINT16_MAX) {
    TIFFSetField(writer->tiff, field.tag, (int)field.count, field.value);
  } else if (!passes_count && field.count > 1 && count >= 0 && (uint32_t)count == field.count) {
    TIFFSetField(writer->tiff, field.tag, field.value);
  }
}

void ctiff_writer_field(ctiff_writer *writer, ctiff_field field) {
  const TIFFField *known = TIFFFindField(writer->tiff, field.tag, TIFF_ANY);
  TIFFFieldInfo info = {
      field.tag, TIFF_VARIABLE2, TIFF_VARIABLE2, field.type, FIELD_CUSTOM, 1, 1, (char *)"EXIF"};
  if (known) {
    ctiff_set_known(writer, known, field);
  } else if (TIFFMergeFieldInfo(writer->tiff, &info, 1) == 0) {
    TIFFSetField(writer->tiff, field.tag, field.count, field.value);
  }
  // A field that libtiff refuses is left out.
  writer->message[0] = 0;
}

int ctiff_writer_begin(
    ctiff_writer *writer, ctiff_header header, size_t memory_limit) {
  char mode[4] = {'w', header.is_big_endian ? 'b' : 'l', header.is_big ? '8' : 0, 0};
  writer->tiff = ctiff_open(
      mode, writer, writer->message, memory_limit, ctiff_refuse, ctiff_give,
      ctiff_writer_seek, ctiff_close, ctiff_writer_size, ctiff_map, ctiff_unmap);
  TIFF *tiff = writer->tiff;
  if (!tiff) return 0;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, header.width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, header.height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, header.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, header.samples);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, header.sample_format);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, header.photometric);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_ORIENTATION, header.orientation);
  TIFFSetField(tiff, TIFFTAG_XRESOLUTION, header.x_resolution);
  TIFFSetField(tiff, TIFFTAG_YRESOLUTION, header.y_resolution);
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, header.resolution_unit);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, header.rows_per_strip);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, header.compression);
  if (header.deflate_level) TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, header.deflate_level);
  if (header.predictor) TIFFSetField(tiff, TIFFTAG_PREDICTOR, header.predictor);
  if (header.alpha) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &header.alpha);
  if (header.photometric == PHOTOMETRIC_SEPARATED) {
    TIFFSetField(tiff, TIFFTAG_INKSET, header.ink_set);
    if (header.ink_names) {
      TIFFSetField(tiff, TIFFTAG_NUMBEROFINKS, header.samples);
      TIFFSetField(tiff, TIFFTAG_INKNAMES, header.ink_names_count, header.ink_names);
    }
  }
  if (header.profile) {
    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, header.profile_count, header.profile);
  }
  if (header.xmp) TIFFSetField(tiff, TIFFTAG_XMLPACKET, header.xmp_count, header.xmp);
  if (header.iptc) ctiff_set_iptc(tiff, header.iptc, header.iptc_count);
  if (header.photoshop) {
    TIFFSetField(tiff, TIFFTAG_PHOTOSHOP, header.photoshop_count, header.photoshop);
  }
  if (header.front_count > 0) {
    size_t start = header.is_big ? 16 : 8;
    if (!writer->sink(writer->context, (const uint8_t *)header.front, header.front_count, start)) {
      return 0;
    }
    writer->count = start + header.front_count;
    if (header.exif) TIFFSetField(tiff, TIFFTAG_EXIFIFD, header.exif);
    if (header.gps) TIFFSetField(tiff, TIFFTAG_GPSIFD, header.gps);
  }
  return !writer->message[0];
}

int ctiff_writer_row(ctiff_writer *writer, const void *row, uint32_t y) {
  return TIFFWriteScanline(writer->tiff, (void *)row, y, 0) == 1 && !writer->message[0];
}

int ctiff_writer_end(ctiff_writer *writer) {
  if (TIFFFlushData(writer->tiff) != 1) return 0;
  writer->is_in_directory = 1;
  return TIFFFlush(writer->tiff) == 1 && !writer->message[0];
}

const char *ctiff_writer_message(const ctiff_writer *writer) { return writer->message; }

#endif
