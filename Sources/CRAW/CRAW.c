// Empty without the trait RAW: then no header of libraw is looked for.
#ifdef COLORLOOM_RAW

#include "CRAW.h"

#include <codec_support.h>
#include <stdlib.h>
#include <string.h>

struct craw_reader {
  libraw_data_t *data;
  const uint8_t *bytes;
  size_t count;
};

craw_reader *craw_reader_create(
    const uint8_t *bytes, size_t count, uint32_t limit_in_mebibytes) {
  craw_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->data = libraw_init(0);
  if (!reader->data) {
    free(reader);
    return NULL;
  }
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
  reader->data->rawparams.max_raw_memory_mb = limit_in_mebibytes;
#else
  reader->data->params.max_raw_memory_mb = limit_in_mebibytes;
#endif
  return reader;
}

void craw_reader_destroy(craw_reader *reader) {
  if (!reader) return;
  libraw_close(reader->data);
  free(reader);
}

// The matrix of a table of cameras or, in a DNG, of the file, for daylight where it has two.
static void find_matrix(const libraw_colordata_t *color, craw_header *header) {
  for (int source = 0; source < 3; source++) {
    int is_known = 0;
    for (int row = 0; row < 3; row++) {
      for (int column = 0; column < 3; column++) {
        // The second matrix of a DNG is usually that of daylight.
        float value = source == 0 ? color->dng_color[1].colormatrix[row][column]
                      : source == 1 ? color->dng_color[0].colormatrix[row][column]
                                    : color->cam_xyz[row][column];
        header->xyz_to_camera[row][column] = (double)value;
        is_known |= value != 0;
      }
    }
    if (is_known) return;
  }
}

int craw_reader_begin(craw_reader *reader, craw_header *header) {
  memset(header, 0, sizeof *header);
  // libraw does not write to the bytes.
  int error = libraw_open_buffer(reader->data, (void *)(uintptr_t)reader->bytes, reader->count);
  if (error != LIBRAW_SUCCESS) return error;
  const libraw_data_t *data = reader->data;
  header->width = data->sizes.width;
  header->height = data->sizes.height;
  header->flip = data->sizes.flip;
  header->colors = data->idata.colors;
  header->is_mosaic = data->idata.filters != 0;
  for (int channel = 0; channel < 3; channel++) {
    // libraw scales the factors of linear DNG files by the ranges between their black and white levels; the stated neutral is not scaled.
    float neutral = data->idata.dng_version ? data->color.dng_levels.asshotneutral[channel] : 0;
    header->as_shot[channel] = neutral > 0 ? 1 / neutral : data->color.cam_mul[channel];
  }
  find_matrix(&data->color, header);
  memcpy(header->maker, data->idata.make, sizeof header->maker - 1);
  memcpy(header->model, data->idata.model, sizeof header->model - 1);
  return LIBRAW_SUCCESS;
}

// The black level of a color: that of all, that of the channel, and the mean of the pattern's places that have the color.
static double black_level(libraw_data_t *data, int channel) {
  const unsigned *levels = data->color.cblack;
  double sum = 0, count = 0;
  for (unsigned place = 0; place < levels[4] * levels[5] && place < LIBRAW_CBLACK_SIZE - 6; place++) {
    int row, column;
    if (!CODEC_CONVERT(place / levels[5], &row) || !CODEC_CONVERT(place % levels[5], &column)) break;
    int color = data->idata.filters ? libraw_COLOR(data, row, column) : channel;
    // The second green of a mosaic of four.
    if ((color == 3 ? 1 : color) != channel) continue;
    sum += levels[6 + place];
    count++;
  }
  return data->color.black + levels[channel] + (count > 0 ? sum / count : 0);
}

// The white level of a color. libraw changes the common one of linear DNG files whose black levels differ.
static double white_level(const libraw_data_t *data, int channel) {
  unsigned stated = data->idata.dng_version ? data->color.dng_levels.dng_whitelevel[channel] : 0;
  return stated > 0 ? stated : data->color.maximum;
}

// OpenMP's count of threads, where libraw is built with it.
extern int omp_get_max_threads(void) __attribute__((weak));

double craw_reader_bytes(const craw_reader *reader, int halves) {
  const libraw_data_t *data = reader->data;
  const libraw_image_sizes_t *sizes = &data->sizes;
  int is_mosaic = data->idata.filters != 0;
  // Stored values: one for each pixel of a mosaic, else four. Decoded ones: four.
  double stored = (double)sizes->raw_width * sizes->raw_height * (is_mosaic ? 2 : 8);
  double decoded = (double)sizes->width * sizes->height * 8 / (halves ? 4 : 1);
  // Each thread demosaics a tile, with 26 bytes for each of its pixels.
  double threads = omp_get_max_threads ? omp_get_max_threads() : 1;
  double tiles = is_mosaic && !halves ? threads * 26 * LIBRAW_AHD_TILE * LIBRAW_AHD_TILE : 0;
  // The state of libraw and of its decoders is about a megabyte.
  return 0x1p21 + stored + decoded + tiles;
}

int craw_reader_decode(
    craw_reader *reader, const float factors[3], int halves, craw_picture *picture) {
  libraw_data_t *data = reader->data;
  int error = libraw_unpack(data);
  if (error != LIBRAW_SUCCESS) return error;
  double ranges[3];
  for (int channel = 0; channel < 3; channel++) {
    ranges[channel] = white_level(data, channel) - black_level(data, channel);
    if (!(ranges[channel] >= 1)) return LIBRAW_DATA_ERROR;
  }
  libraw_output_params_t *params = &data->params;
  params->half_size = halves;
  params->output_bps = 16;
  // The camera's own colors, as linear as they are, neither brightened nor clipped by the balance.
  params->output_color = 0;
  params->gamm[0] = params->gamm[1] = 1;
  params->no_auto_bright = 1;
  params->adjust_maximum_thr = 0;
  params->use_auto_wb = params->use_camera_wb = 0;
  params->highlight = 1;
  for (int channel = 0; channel < 3; channel++) params->user_mul[channel] = factors[channel];
  params->user_mul[3] = factors[1];
  error = libraw_dcraw_process(data);
  if (error != LIBRAW_SUCCESS) return error;
  if (!data->image) return LIBRAW_OUT_OF_ORDER_CALL;
  picture->width = data->sizes.iwidth;
  picture->height = data->sizes.iheight;
  // libraw scales all colors by one range, and in files of linear colors forgets that black is not in it.
  for (int channel = 0; channel < 3; channel++) {
    picture->ranges[channel] = (float)(data->color.maximum / ranges[channel]);
  }
  return LIBRAW_SUCCESS;
}

const uint16_t *craw_reader_row(const craw_reader *reader, uint32_t row) {
  size_t start = (size_t)row * reader->data->sizes.iwidth;
  return reader->data->image[start];
}

const char *craw_message(int error) { return libraw_strerror(error); }

#endif
