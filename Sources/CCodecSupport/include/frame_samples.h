// Rows of video frames: between the stored samples of components and pixels of three interleaved channels.

#ifndef COLORLOOM_FRAME_SAMPLES_H
#define COLORLOOM_FRAME_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

// How the samples of a frame are stored.
typedef struct frame_coding {
  // 1 or 2; samples of two bytes are in little-endian order.
  int bytes_per_sample;
  // The zero bits below a code, and the largest code; one above it is clamped.
  int shift;
  int32_t largest;
} frame_coding;

// Where chroma samples lie among the pixels of a row.
typedef enum frame_columns {
  // Each pixel has its own sample.
  FRAME_COLUMNS_FULL,
  // A sample for two pixels, on the first one.
  FRAME_COLUMNS_LEFT,
  // A sample for two pixels, between them.
  FRAME_COLUMNS_CENTER,
} frame_columns;

// The samples of a component from which a row of pixels is interpolated.
typedef struct frame_read_row {
  // The two rows around that of pixels; NULL where the component is missing, so that its pixels are the middle of the codes.
  const void *near_row, *far_row;
  // The weight of the nearer row in quarters: 2, 3 or 4.
  int near_weight;
  // The number of samples in a row, and the distance of two, counted in samples.
  size_t count;
  ptrdiff_t step;
  frame_columns columns;
} frame_read_row;

// Reads a row of `width` pixels. `rows` are the components of the three channels. A value is its code times `scale`, computed in double
// precision and rounded to the nearest sample: integers by adding a half.
void frame_read_u16(const frame_read_row rows[3], frame_coding coding, size_t width, double scale, uint16_t *pixels);
void frame_read_f32(const frame_read_row rows[3], frame_coding coding, size_t width, double scale, float *pixels);

// The row of a component that is averaged from rows of pixels.
typedef struct frame_write_row {
  void *samples;
  ptrdiff_t step;
  frame_columns columns;
  // Whether three rows are averaged by the weights 1, 2 and 1; otherwise the own row and the one below are, equally.
  int has_row_above;
} frame_write_row;

// Writes a row of a component from a channel of `width` pixels, whose samples are `step` apart. Of components that are not subsampled,
// only the own row is read. Values count as clamped to the range of a channel, and NaN as 0. A code is the mean times `scale`, computed in
// double precision and rounded by adding a half.
void frame_write_u16(
  frame_write_row row, frame_coding coding, size_t width, double scale, ptrdiff_t step, const uint16_t *above,
  const uint16_t *own, const uint16_t *below);
void frame_write_f32(
  frame_write_row row, frame_coding coding, size_t width, double scale, ptrdiff_t step, const float *above,
  const float *own, const float *below);

// How the codes of one bit depth become those of another (Rec. ITU-T H.273, 8.3).
typedef enum frame_scaling {
  // Narrow range: codes are shifted, and rounded by adding a half.
  FRAME_SCALING_SHIFTED,
  // Full range: codes are multiplied by the ratio of the largest ones, and rounded to nearest.
  FRAME_SCALING_FULL,
  // The same about the middles of the codes: chroma of full range.
  FRAME_SCALING_CENTERED,
} frame_scaling;

// A row of samples of one component, `step` samples apart.
typedef struct frame_stored_row {
  void *samples;
  ptrdiff_t step;
  frame_coding coding;
} frame_stored_row;

// Converts `count` samples, each independently, to the codes of another bit depth or another storage. `source` is only read, and the
// memory of the two rows does not overlap.
void frame_recode(frame_stored_row source, frame_stored_row target, size_t count, frame_scaling scaling);

#endif
