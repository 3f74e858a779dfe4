// Palettes for PNG files: counting the colors of pixels, and choosing the entry of each pixel.

#ifndef COLORLOOM_CPNG_PALETTE_H
#define COLORLOOM_CPNG_PALETTE_H

#include <stddef.h>
#include <stdint.h>

enum {
  CPNG_MOST_ENTRIES = 256,
  // More colors than this are counted with a bit less of each sample.
  CPNG_MOST_COLORS = 1 << 16,
  CPNG_COLOR_SLOTS = 2 * CPNG_MOST_COLORS,
  // The grid points along each axis of a `cpng_metric`.
  CPNG_GRID_SIDE = 33,
};

/// Some pixels of one color, or of similar ones.
typedef struct cpng_color {
  /// The samples without their lowest bits, and whether the color is opaque, translucent or transparent; 0 where the slot is free.
  uint64_t key;
  uint64_t pixel_count;
  /// The sums of red, green, blue and alpha, 0…255 each.
  uint64_t sums[4];
  /// The entry of the palette, where it is set.
  int32_t entry;
} cpng_color;

/// The colors of a picture, in a hash table. All transparent pixels count as one color, (0, 0, 0, 0).
typedef struct cpng_colors {
  /// The table, of CPNG_COLOR_SLOTS slots.
  cpng_color *slots;
  /// How many slots are used.
  size_t count;
  /// The bits of each sample that tell colors apart: 8 where each color has its own slot.
  int bits;
} cpng_colors;

/// Creates an empty table, or returns NULL where memory is short. Free it by cpng_colors_destroy.
cpng_colors *cpng_colors_create(void);
void cpng_colors_destroy(cpng_colors *colors);

/// Counts pixels of 3 or 4 samples of a byte each. Returns 1, or 0 where memory is short.
int cpng_colors_add(cpng_colors *colors, const uint8_t *pixels, size_t count, int channels);

/// Writes the entry of each pixel. All of them must have been counted, with 8 bits.
void cpng_colors_find(
    const cpng_colors *colors, const uint8_t *pixels, size_t count, int channels, uint8_t *entries);

/// A color where Euclidean distances are those of perception: Oklab with doubled a and b, times alpha, and alpha, which is 2 for opaque
/// pixels and −1 for transparent ones, so that neither is nearer to translucent colors than to their own kind.
typedef struct cpng_point {
  float values[4];
} cpng_point;

/// Assigns colors to the entries of a palette.
typedef struct cpng_metric cpng_metric;

/// Creates a metric whose grid is to be filled, or returns NULL where memory is short. Free it by cpng_metric_destroy.
cpng_metric *cpng_metric_create(void);
void cpng_metric_destroy(cpng_metric *metric);

/// The colors of the grid: encoded components of n / (CPNG_GRID_SIDE - 1), red the slowest axis and blue the fastest. Their points have 0
/// as the last value.
cpng_point *cpng_metric_grid(cpng_metric *metric);

/// Returns the point of a color of straight red, green, blue and alpha, 0…255 each.
cpng_point cpng_metric_point(const cpng_metric *metric, const float color[4]);

/// Makes `points` the entries, in this order. There are at most CPNG_MOST_ENTRIES.
void cpng_metric_set_points(cpng_metric *metric, const cpng_point *points, int count);

/// Makes colors the entries: red, green, blue and alpha of each.
void cpng_metric_set_colors(cpng_metric *metric, const uint8_t *colors, int count);

/// Returns the nearest entry of a point; the one with the lowest number where several are.
int cpng_metric_nearest(const cpng_metric *metric, cpng_point point);

/// Writes the nearest entry of each pixel of a row.
///
/// `errors` has 4 * (`width` + 1) values, 0 before the first row, or is NULL for no error diffusion. Errors go to the next pixel and to
/// three of the next row (Floyd and Steinberg), in encoded values times alpha. Rows must come in order.
void cpng_metric_map(
    const cpng_metric *metric, const uint8_t *pixels, size_t width, int channels, float *errors,
    uint8_t *entries);

#endif
