// Reading and writing JPEG files by libjpeg.
//
// libjpeg reports errors by a function that must not return. Each function below that can fail calls setjmp itself and returns 1, or 0
// where it failed; then the message of the reader or writer says why. No longjmp crosses a Swift frame.

#ifndef COLORLOOM_CJPEG_H
#define COLORLOOM_CJPEG_H

// The module of libjpeg: importing this header links it.
#include "../../CLibJPEG/shim.h"

#include <codec_support.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of the file that are read at once.
enum { CJPEG_BUFFER_SIZE = 1 << 16 };

/// Bytes that libjpeg adds to each row of an array: a pointer, and the padding that aligns the row.
enum { CJPEG_ROW_OVERHEAD = sizeof(void *) + 64 };

/// Stores bytes; returns 1, or 0 where it cannot. One call of a function below may call it several times.
typedef int (*cjpeg_sink)(void *context, const uint8_t *bytes, size_t count);

/// Copies bytes from a position on; returns how many there are, fewer than `count` at the end of the file only.
typedef size_t (*cjpeg_source)(void *context, void *target, size_t count, size_t position);

/// Returns 1 where the reader shall stop. Asked before each row of blocks of each scan.
typedef int (*cjpeg_stop)(void *context);

/// The errors and the memory of a reader or a writer. Begins with libjpeg's own manager, so that a pointer to one is a pointer to the
/// other.
typedef struct cjpeg_errors {
  struct jpeg_error_mgr manager;
  jmp_buf environment;
  char message[JMSG_LENGTH_MAX];
  /// 1 where the file may be sound, but is of a kind that libjpeg does not read.
  int is_unsupported;
  /// 1 where a side has more pixels than libjpeg reads.
  int is_too_large;
  /// The memory of libjpeg, and libjpeg's own functions, which allocate after the bytes were counted.
  codec_heap heap;
  struct jpeg_memory_mgr functions;
} cjpeg_errors;

/// A JPEG file that is being read.
typedef struct cjpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_source_mgr manager;
  struct jpeg_progress_mgr progress;
  cjpeg_source source;
  void *context;
  /// Asked whether to stop, with its context; NULL, as after creation, never stops.
  cjpeg_stop stop;
  void *stop_context;
  /// 1 where the last call failed because `stop` asked for it.
  int stopped;
  /// The position of the first byte after `buffer`.
  size_t position;
  cjpeg_errors errors;
  /// Where a file that is salvaged is cut, before a segment that is not complete; 0 where it is not.
  size_t limit;
  /// 1 where libjpeg asked for more bytes than the file has.
  int ended;
  /// 1 behind the header.
  int has_begun;
  /// 1 where the file ends before the last of its scans does, or no scan has one of the components.
  int lacks_scans;
  /// The number, from 1, of the first component that no scan of a file with an end marker has; 0 where there is none.
  int lacking_component;
  /// 1 where a progressive file that ends early is decoded from the scans that are there.
  int salvages;
  uint32_t width, height;
  /// Samples of a pixel in a row: 1 gray, 3 RGB, 4 encoded CMYK values.
  int channels;
  uint8_t buffer[];
} cjpeg_reader;

/// A JPEG file that is being written.
typedef struct cjpeg_writer {
  struct jpeg_compress_struct jpeg;
  struct jpeg_destination_mgr destination;
  cjpeg_errors errors;
  cjpeg_sink sink;
  void *context;
  /// How many bytes the sink has.
  size_t given;
  uint8_t buffer[];
} cjpeg_writer;

/// Creates a reader, or returns NULL where memory is short. Free it by cjpeg_reader_destroy.
cjpeg_reader *cjpeg_reader_create(cjpeg_source source, void *context);
void cjpeg_reader_destroy(cjpeg_reader *reader);

/// Reads up to the first scan. libjpeg scales the picture down by `reduction`: 1, 2, 4 or 8.
int cjpeg_reader_begin(cjpeg_reader *reader, unsigned int reduction);

/// Begins decompression. Of a file of several scans this reads all of them, and fails where some are missing unless the file is salvaged.
int cjpeg_reader_start(cjpeg_reader *reader);

/// Reads the next row.
int cjpeg_reader_row(cjpeg_reader *reader, void *row);

/// Reads what follows the pixels, up to EOI.
int cjpeg_reader_end(cjpeg_reader *reader);

/// Returns why the last call failed. Valid while the reader is.
const char *cjpeg_reader_message(const cjpeg_reader *reader);

/// Creates a writer for which libjpeg may hold `limit` bytes of memory, or returns NULL where memory is short. Free it by
/// cjpeg_writer_destroy.
cjpeg_writer *cjpeg_writer_create(cjpeg_sink sink, void *context, size_t limit);
void cjpeg_writer_destroy(cjpeg_writer *writer);

/// Writes the headers. Markers may follow, then rows. `across` and `down` are the factors of chroma subsampling; the density is that of
/// the JFIF segment.
int cjpeg_writer_begin(
    cjpeg_writer *writer, uint32_t width, uint32_t height, int channels, int quality, int across,
    int down, int is_progressive, uint8_t density_unit, uint16_t density_across,
    uint16_t density_down);

/// Writes the marker APP`number` with at most 65,533 bytes.
int cjpeg_writer_marker(
    cjpeg_writer *writer, int number, const uint8_t *bytes, size_t count);

/// How many bytes there are: those in the sink and those in the buffer before it.
size_t cjpeg_writer_position(const cjpeg_writer *writer);

/// Writes the next row.
int cjpeg_writer_row(cjpeg_writer *writer, const void *row);

/// Writes what libjpeg still holds, and EOI.
int cjpeg_writer_end(cjpeg_writer *writer);

/// Returns why the last call failed. Valid while the writer is.
const char *cjpeg_writer_message(const cjpeg_writer *writer);

#endif
