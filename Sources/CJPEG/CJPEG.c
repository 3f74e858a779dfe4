#include "CJPEG.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most memory that libjpeg may hold before the first scan.
enum { CJPEG_HEADER_MEMORY = 1 << 18 };

static void cjpeg_on_error(j_common_ptr jpeg) {
  cjpeg_errors *errors = (cjpeg_errors *)jpeg->err;
  jpeg->err->format_message(jpeg, errors->message);
  int code = jpeg->err->msg_code;
  // The frame header of JPEG-LS (ITU-T T.87).
  int is_jpeg_ls = code == JERR_UNKNOWN_MARKER && jpeg->err->msg_parm.i[0] == 0xF7;
  // A marker DNL behind the first scan states the height.
  int is_dnl = code == JERR_EMPTY_IMAGE && jpeg->is_decompressor
      && ((j_decompress_ptr)jpeg)->image_width > 0 && ((j_decompress_ptr)jpeg)->num_components > 0;
  errors->is_unsupported =
      code == JERR_SOF_UNSUPPORTED || code == JERR_BAD_PRECISION || code == JERR_ARITH_NOTIMPL
      || code == JERR_CONVERSION_NOTIMPL || is_jpeg_ls || is_dnl;
  errors->is_too_large = code == JERR_IMAGE_TOO_BIG;
  longjmp(errors->environment, 1);
}

// Level −1 is a warning. Those that mean that pixels were invented are errors here.
static void cjpeg_on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
  case JWRN_EXTRANEOUS_DATA:
  case JWRN_ADOBE_XFORM:
  case JWRN_JFIF_MAJOR:
  case JWRN_NOT_SEQUENTIAL:
    return;
  default:
    // Behind the end of a file that is salvaged, libjpeg invents the rest of a scan and warns.
    if (jpeg->is_decompressor && ((cjpeg_reader *)jpeg)->salvages
        && ((cjpeg_reader *)jpeg)->ended && ((j_decompress_ptr)jpeg)->progressive_mode) {
      ((cjpeg_reader *)jpeg)->lacks_scans = 1;
      return;
    }
    cjpeg_on_error(jpeg);
  }
}

static void cjpeg_say_nothing(j_common_ptr jpeg) { (void)jpeg; }

static struct jpeg_error_mgr *cjpeg_errors_begin(cjpeg_errors *errors) {
  jpeg_std_error(&errors->manager);
  errors->manager.error_exit = cjpeg_on_error;
  errors->manager.emit_message = cjpeg_on_message;
  errors->manager.output_message = cjpeg_say_nothing;
  return &errors->manager;
}

// Memory. libjpeg's manager limits only coefficients, so its functions are replaced by ones that count allocations first.

static struct jpeg_memory_mgr *cjpeg_count(
    j_common_ptr jpeg, size_t unit, size_t columns, size_t rows) {
  cjpeg_errors *errors = (cjpeg_errors *)jpeg->err;
  size_t row, bytes;
  if (!CODEC_MULTIPLY(unit, columns, &row) || !CODEC_ADD(row, CJPEG_ROW_OVERHEAD, &row)
      || !CODEC_MULTIPLY(row, rows, &bytes) || !codec_heap_reserve(&errors->heap, bytes)) {
    ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  }
  return &errors->functions;
}

static void *cjpeg_alloc_small(j_common_ptr jpeg, int pool, size_t count) {
  return cjpeg_count(jpeg, count, 1, 1)->alloc_small(jpeg, pool, count);
}

static void *cjpeg_alloc_large(j_common_ptr jpeg, int pool, size_t count) {
  return cjpeg_count(jpeg, count, 1, 1)->alloc_large(jpeg, pool, count);
}

static JSAMPARRAY cjpeg_alloc_samples(
    j_common_ptr jpeg, int pool, JDIMENSION columns, JDIMENSION rows) {
  return cjpeg_count(jpeg, sizeof(JSAMPLE), columns, rows)
      ->alloc_sarray(jpeg, pool, columns, rows);
}

static JBLOCKARRAY cjpeg_alloc_blocks(
    j_common_ptr jpeg, int pool, JDIMENSION columns, JDIMENSION rows) {
  return cjpeg_count(jpeg, sizeof(JBLOCK), columns, rows)->alloc_barray(jpeg, pool, columns, rows);
}

static jvirt_sarray_ptr cjpeg_request_samples(
    j_common_ptr jpeg, int pool, boolean zero, JDIMENSION columns, JDIMENSION rows,
    JDIMENSION access) {
  return cjpeg_count(jpeg, sizeof(JSAMPLE), columns, rows)
      ->request_virt_sarray(jpeg, pool, zero, columns, rows, access);
}

static jvirt_barray_ptr cjpeg_request_blocks(
    j_common_ptr jpeg, int pool, boolean zero, JDIMENSION columns, JDIMENSION rows,
    JDIMENSION access) {
  return cjpeg_count(jpeg, sizeof(JBLOCK), columns, rows)
      ->request_virt_barray(jpeg, pool, zero, columns, rows, access);
}

// Called once, when libjpeg has made its manager.
static void cjpeg_limit_memory(j_common_ptr jpeg) {
  ((cjpeg_errors *)jpeg->err)->functions = *jpeg->mem;
  jpeg->mem->alloc_small = cjpeg_alloc_small;
  jpeg->mem->alloc_large = cjpeg_alloc_large;
  jpeg->mem->alloc_sarray = cjpeg_alloc_samples;
  jpeg->mem->alloc_barray = cjpeg_alloc_blocks;
  jpeg->mem->request_virt_sarray = cjpeg_request_samples;
  jpeg->mem->request_virt_barray = cjpeg_request_blocks;
}

// Reading.

static void cjpeg_source_begin(j_decompress_ptr jpeg) { (void)jpeg; }
static void cjpeg_source_end(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean cjpeg_source_more(j_decompress_ptr jpeg) {
  cjpeg_reader *reader = (cjpeg_reader *)jpeg;
  size_t wanted = CJPEG_BUFFER_SIZE;
  if (reader->limit && reader->limit < reader->position + wanted) {
    wanted = reader->limit > reader->position ? reader->limit - reader->position : 0;
  }
  size_t count =
      wanted ? reader->source(reader->context, reader->buffer, wanted, reader->position) : 0;
  // Arithmetic decoders read zeros behind the end and do not warn.
  int warns = !jpeg->arith_code || (reader->salvages && jpeg->progressive_mode);
  if (count == 0 && reader->has_begun && warns && !reader->ended) {
    // libjpeg reads ahead. With an end mark it finishes the rows whose data are complete, and warns of the first one that is not.
    reader->ended = 1;
    reader->buffer[0] = 0xFF;
    reader->buffer[1] = JPEG_EOI;
    jpeg->src->next_input_byte = reader->buffer;
    jpeg->src->bytes_in_buffer = 2;
    return TRUE;
  }
  if (count == 0) {
    reader->ended = 1;
    jpeg->err->msg_code = JERR_INPUT_EOF;
    cjpeg_on_error((j_common_ptr)jpeg);
  }
  reader->position += count;
  jpeg->src->next_input_byte = reader->buffer;
  jpeg->src->bytes_in_buffer = count;
  return TRUE;
}

static void cjpeg_source_skip(j_decompress_ptr jpeg, long count) {
  size_t skipped, buffered = jpeg->src->bytes_in_buffer;
  if (count <= 0 || !CODEC_CONVERT(count, &skipped)) return;
  if (skipped > buffered) {
    ((cjpeg_reader *)jpeg)->position += skipped - buffered;
    skipped = buffered;
  }
  jpeg->src->next_input_byte += skipped;
  jpeg->src->bytes_in_buffer -= skipped;
}

// Called before each row of blocks. Stops where the caller asks for it, and limits the number of scans: decoding a small file with
// millions of scans would take hours.
static void cjpeg_on_progress(j_common_ptr jpeg) {
  enum { limit = 500 };
  cjpeg_reader *reader = (cjpeg_reader *)jpeg;
  cjpeg_errors *errors = &reader->errors;
  if (reader->stop && reader->stop(reader->stop_context)) {
    reader->stopped = 1;
    snprintf(errors->message, sizeof errors->message, "stopped");
    longjmp(errors->environment, 1);
  }
  if (reader->jpeg.input_scan_number <= limit) return;
  snprintf(errors->message, sizeof errors->message, "more than %d scans", limit);
  longjmp(errors->environment, 1);
}

void cjpeg_reader_destroy(cjpeg_reader *reader) {
  if (!reader) return;
  jpeg_destroy_decompress(&reader->jpeg);
  free(reader);
}

// The peak memory of decoding: tables and an MCU row with context; for files of several scans all coefficients.
static size_t cjpeg_memory_needed(j_decompress_ptr jpeg) {
  size_t components, bytes, row, lines;
  if (!CODEC_CONVERT(jpeg->num_components, &components)
      || !CODEC_CONVERT(jpeg->max_v_samp_factor, &lines)
      || !CODEC_MULTIPLY(components, (size_t)jpeg->image_width + 64, &row)
      || !CODEC_MULTIPLY(row, 3 * DCTSIZE * lines, &bytes)) {
    return SIZE_MAX;
  }
  bytes += 1 << 18;
  if (!jpeg_has_multiple_scans(jpeg)) return bytes;
  for (int i = 0; i < jpeg->num_components; i++) {
    const jpeg_component_info *component = &jpeg->comp_info[i];
    size_t across, down, part;
    if (!CODEC_CONVERT(component->h_samp_factor, &across)
        || !CODEC_CONVERT(component->v_samp_factor, &down)) {
      return SIZE_MAX;
    }
    // Blocks are kept by the pixels that all components share.
    size_t columns = (component->width_in_blocks + across - 1) / across * across;
    size_t rows = (component->height_in_blocks + down - 1) / down * down;
    if (!CODEC_MULTIPLY(rows, columns * sizeof(JBLOCK) + CJPEG_ROW_OVERHEAD, &part)
        || !CODEC_ADD(bytes, part, &bytes)) {
      return SIZE_MAX;
    }
  }
  return bytes;
}

int cjpeg_reader_begin(cjpeg_reader *reader, unsigned int reduction) {
  j_decompress_ptr jpeg = &reader->jpeg;
  jpeg->err = cjpeg_errors_begin(&reader->errors);
  if (setjmp(reader->errors.environment)) return 0;
  jpeg_create_decompress(jpeg);
  reader->errors.heap.limit = CJPEG_HEADER_MEMORY;
  cjpeg_limit_memory((j_common_ptr)jpeg);
  reader->manager = (struct jpeg_source_mgr){
      .next_input_byte = reader->buffer, .init_source = cjpeg_source_begin,
      .fill_input_buffer = cjpeg_source_more, .skip_input_data = cjpeg_source_skip,
      .resync_to_restart = jpeg_resync_to_restart, .term_source = cjpeg_source_end};
  jpeg->src = &reader->manager;
  reader->progress.progress_monitor = cjpeg_on_progress;
  jpeg->progress = &reader->progress;
  jpeg_read_header(jpeg, TRUE);
  // Conditions that newer versions of libjpeg report only when rows are read.
  if (jpeg->data_precision != 8) ERREXIT1(jpeg, JERR_BAD_PRECISION, jpeg->data_precision);
  if (jpeg->jpeg_color_space == JCS_UNKNOWN) ERREXIT(jpeg, JERR_CONVERSION_NOTIMPL);
  jpeg->scale_num = 1;
  jpeg->scale_denom = reduction;
  jpeg_calc_output_dimensions(jpeg);
  reader->width = jpeg->output_width;
  reader->height = jpeg->output_height;
  switch (jpeg->jpeg_color_space) {
  case JCS_GRAYSCALE:
    jpeg->out_color_space = JCS_GRAYSCALE;
    reader->channels = 1;
    break;
  case JCS_CMYK:
  case JCS_YCCK:
    jpeg->out_color_space = JCS_CMYK;
    reader->channels = 4;
    break;
  default:
    jpeg->out_color_space = JCS_RGB;
    reader->channels = 3;
  }
  reader->errors.heap.limit = cjpeg_memory_needed(jpeg);
  reader->has_begun = 1;
  return 1;
}

cjpeg_reader *cjpeg_reader_create(cjpeg_source source, void *context) {
  cjpeg_reader *reader = (cjpeg_reader *)calloc(1, sizeof *reader + CJPEG_BUFFER_SIZE);
  if (!reader) return NULL;
  reader->source = source;
  reader->context = context;
  return reader;
}

// The number, from 1, of the first component that no scan has; 0 where there is none.
static int cjpeg_lacking_component(j_decompress_ptr jpeg) {
  for (int i = 0; i < jpeg->num_components; i++) {
    // Tables are kept when the first scan of a component begins.
    if (!jpeg->comp_info[i].quant_table) return i + 1;
  }
  return 0;
}

// Whether a file of several scans that ends without EOI has all of them: each component, and of progressive files each coefficient to
// its last bit.
static int cjpeg_has_all_scans(j_decompress_ptr jpeg) {
  if (cjpeg_lacking_component(jpeg)) return 0;
  for (int i = 0; i < jpeg->num_components; i++) {
    for (int k = 0; jpeg->coef_bits && k < DCTSIZE2; k++) {
      if (jpeg->coef_bits[i][k] != 0) return 0;
    }
  }
  return 1;
}

// Whether a marker begins a segment that may stand between scans: tables, a scan's header, a comment or application data.
static int cjpeg_is_segment(uint8_t marker) {
  return marker == 0xC4 || marker == 0xCC || (marker >= 0xDA && marker <= 0xDD) || marker == 0xFE
      || (marker & 0xF0) == 0xE0;
}

// Goes back to the first byte of a progressive file that ends within a segment between scans, and cuts it before that segment: at an end
// in a scan libjpeg keeps the scans before, but not at one in a segment. Returns whether that is possible.
static int cjpeg_reader_cut(cjpeg_reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (!reader->salvages || !reader->ended || reader->stopped || reader->limit
      || reader->errors.heap.refused || !jpeg->progressive_mode) {
    return 0;
  }
  size_t end = reader->position;
  size_t start = end > CJPEG_BUFFER_SIZE ? end - CJPEG_BUFFER_SIZE : 0;
  size_t count = reader->source(reader->context, reader->buffer, end - start, start);
  for (size_t i = count; i >= 2 && !reader->limit; i--) {
    if (reader->buffer[i - 2] == 0xFF && cjpeg_is_segment(reader->buffer[i - 1])) {
      reader->limit = start + i - 2;
    }
  }
  if (!reader->limit) return 0;
  unsigned int reduction = jpeg->scale_denom;
  jpeg_destroy_decompress(jpeg);
  reader->errors.heap.held = 0;
  reader->position = 0;
  reader->ended = reader->has_begun = reader->lacks_scans = 0;
  return cjpeg_reader_begin(reader, reduction);
}

int cjpeg_reader_start(cjpeg_reader *reader) {
  j_decompress_ptr jpeg = &reader->jpeg;
  if (setjmp(reader->errors.environment)) {
    if (cjpeg_reader_cut(reader)) return cjpeg_reader_start(reader);
    reader->lacks_scans = reader->ended && !reader->stopped;
    return 0;
  }
  if (jpeg_start_decompress(jpeg) != TRUE) return 0;
  if (reader->ended && jpeg_has_multiple_scans(jpeg)
      && (jpeg->arith_code || !cjpeg_has_all_scans(jpeg))) {
    reader->lacks_scans = 1;
  }
  // Before EOI, scans with details of a progressive file may be missing (libjpeg, jcmaster.c), but not all scans of a component, which
  // libjpeg decodes as 0 without a warning.
  if (!reader->ended) reader->lacking_component = cjpeg_lacking_component(jpeg);
  if (reader->lacking_component) reader->lacks_scans = 1;
  return !reader->lacks_scans || reader->salvages;
}

int cjpeg_reader_row(cjpeg_reader *reader, void *row) {
  if (setjmp(reader->errors.environment)) return 0;
  JSAMPROW rows[1] = {(JSAMPROW)row};
  return jpeg_read_scanlines(&reader->jpeg, rows, 1) == 1;
}

int cjpeg_reader_end(cjpeg_reader *reader) {
  if (setjmp(reader->errors.environment)) return 0;
  return jpeg_finish_decompress(&reader->jpeg) == TRUE;
}

const char *cjpeg_reader_message(const cjpeg_reader *reader) {
  return reader->errors.message;
}

// Writing.

static void cjpeg_destination_begin(j_compress_ptr jpeg) {
  cjpeg_writer *writer = (cjpeg_writer *)jpeg;
  writer->destination.next_output_byte = writer->buffer;
  writer->destination.free_in_buffer = CJPEG_BUFFER_SIZE;
}

static void cjpeg_give(cjpeg_writer *writer, size_t count) {
  if (writer->sink(writer->context, writer->buffer, count)) {
    writer->given += count;
    return;
  }
  snprintf(writer->errors.message, sizeof writer->errors.message, "the bytes cannot be stored");
  longjmp(writer->errors.environment, 1);
}

static boolean cjpeg_destination_full(j_compress_ptr jpeg) {
  cjpeg_give((cjpeg_writer *)jpeg, CJPEG_BUFFER_SIZE);
  cjpeg_destination_begin(jpeg);
  return TRUE;
}

static void cjpeg_destination_end(j_compress_ptr jpeg) {
  cjpeg_writer *writer = (cjpeg_writer *)jpeg;
  cjpeg_give(writer, CJPEG_BUFFER_SIZE - writer->destination.free_in_buffer);
}

void cjpeg_writer_destroy(cjpeg_writer *writer) {
  if (!writer) return;
  jpeg_destroy_compress(&writer->jpeg);
  free(writer);
}

cjpeg_writer *cjpeg_writer_create(cjpeg_sink sink, void *context, size_t limit) {
  cjpeg_writer *writer = (cjpeg_writer *)calloc(1, sizeof *writer + CJPEG_BUFFER_SIZE);
  if (!writer) return NULL;
  writer->sink = sink;
  writer->context = context;
  writer->errors.heap.limit = limit;
  return writer;
}

int cjpeg_writer_begin(
    cjpeg_writer *writer, uint32_t width, uint32_t height, int channels, int quality, int across,
    int down, int is_progressive, uint8_t density_unit, uint16_t density_across,
    uint16_t density_down) {
  j_compress_ptr jpeg = &writer->jpeg;
  jpeg->err = cjpeg_errors_begin(&writer->errors);
  if (setjmp(writer->errors.environment)) return 0;
  jpeg_create_compress(jpeg);
  cjpeg_limit_memory((j_common_ptr)jpeg);
  writer->destination.init_destination = cjpeg_destination_begin;
  writer->destination.empty_output_buffer = cjpeg_destination_full;
  writer->destination.term_destination = cjpeg_destination_end;
  jpeg->dest = &writer->destination;
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = channels;
  // CMYK is stored as it is, with Adobe's marker.
  jpeg->in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 4 ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg->density_unit = density_unit;
  jpeg->X_density = density_across;
  jpeg->Y_density = density_down;
  if (channels == 3) {
    jpeg->comp_info[0].h_samp_factor = across;
    jpeg->comp_info[0].v_samp_factor = down;
  }
  if (is_progressive) jpeg_simple_progression(jpeg);
  jpeg_start_compress(jpeg, TRUE);
  return 1;
}

int cjpeg_writer_marker(
    cjpeg_writer *writer, int number, const uint8_t *bytes, size_t count) {
  if (setjmp(writer->errors.environment)) return 0;
  unsigned int length;
  if (!CODEC_CONVERT(count, &length)) ERREXIT(&writer->jpeg, JERR_BAD_LENGTH);
  jpeg_write_marker(&writer->jpeg, JPEG_APP0 + number, bytes, length);
  return 1;
}

size_t cjpeg_writer_position(const cjpeg_writer *writer) {
  return writer->given + (CJPEG_BUFFER_SIZE - writer->destination.free_in_buffer);
}

int cjpeg_writer_row(cjpeg_writer *writer, const void *row) {
  if (setjmp(writer->errors.environment)) return 0;
  JSAMPROW rows[1] = {(JSAMPROW)row};
  return jpeg_write_scanlines(&writer->jpeg, rows, 1) == 1;
}

int cjpeg_writer_end(cjpeg_writer *writer) {
  if (setjmp(writer->errors.environment)) return 0;
  jpeg_finish_compress(&writer->jpeg);
  return 1;
}

const char *cjpeg_writer_message(const cjpeg_writer *writer) {
  return writer->errors.message;
}
