#include "CPNGPalette.h"

#include <stdlib.h>
#include <string.h>

// No fused multiply-add, so that all machines choose the same entries.
#pragma STDC FP_CONTRACT OFF

// The kinds of colors, which their keys tell apart.
static const uint64_t CPNG_OPAQUE = 1, CPNG_TRANSLUCENT = 2, CPNG_TRANSPARENT = 3;

// Counting colors.

cpng_colors *cpng_colors_create(void) {
  cpng_colors *colors = (cpng_colors *)calloc(1, sizeof *colors);
  if (!colors) return NULL;
  colors->bits = 8;
  colors->slots = (cpng_color *)calloc(CPNG_COLOR_SLOTS, sizeof *colors->slots);
  if (!colors->slots) {
    free(colors);
    return NULL;
  }
  return colors;
}

void cpng_colors_destroy(cpng_colors *colors) {
  if (!colors) return;
  free(colors->slots);
  free(colors);
}

// Returns a key without the lowest bits of each sample.
static uint64_t cpng_masked(uint64_t key, int bits) {
  uint64_t mask = (0xFFu << (8 - bits)) & 0xFF;
  return key & (0xF00000000u | mask * 0x01010101u);
}

static uint64_t cpng_key(const uint8_t *pixel, int channels, int bits) {
  uint64_t alpha = channels == 4 ? pixel[3] : 255;
  if (alpha == 0) return CPNG_TRANSPARENT << 32;
  uint64_t kind = alpha == 255 ? CPNG_OPAQUE : CPNG_TRANSLUCENT;
  uint64_t samples =
      (uint64_t)pixel[0] << 24 | (uint64_t)pixel[1] << 16 | (uint64_t)pixel[2] << 8 | alpha;
  return cpng_masked(kind << 32 | samples, bits);
}

// The slot of a key, or the free one for it. There always is one, because half of the slots are free.
static cpng_color *cpng_slot(cpng_color *slots, uint64_t key) {
  size_t index = (size_t)((key * 0x9E3779B97F4A7C15u) >> 40) % CPNG_COLOR_SLOTS;
  while (slots[index].key != 0 && slots[index].key != key) index = (index + 1) % CPNG_COLOR_SLOTS;
  return slots + index;
}

// Drops one more of the lowest bits of each sample, and merges the colors that are then equal.
static int cpng_colors_coarsen(cpng_colors *colors) {
  cpng_color *slots = (cpng_color *)calloc(CPNG_COLOR_SLOTS, sizeof *slots);
  if (!slots) return 0;
  colors->bits--;
  colors->count = 0;
  for (size_t i = 0; i < CPNG_COLOR_SLOTS; i++) {
    const cpng_color *old = colors->slots + i;
    if (old->key == 0) continue;
    uint64_t key = cpng_masked(old->key, colors->bits);
    cpng_color *slot = cpng_slot(slots, key);
    if (slot->key == 0) {
      slot->key = key;
      colors->count++;
    }
    slot->pixel_count += old->pixel_count;
    for (int c = 0; c < 4; c++) slot->sums[c] += old->sums[c];
  }
  free(colors->slots);
  colors->slots = slots;
  return 1;
}

int cpng_colors_add(cpng_colors *colors, const uint8_t *pixels, size_t count, int channels) {
  cpng_color *slot = NULL;
  for (size_t i = 0; i < count; i++, pixels += channels) {
    uint64_t key = cpng_key(pixels, channels, colors->bits);
    if (!slot || slot->key != key) slot = cpng_slot(colors->slots, key);
    int alpha = channels == 4 ? pixels[3] : 255;
    slot->pixel_count++;
    if (alpha > 0) {
      for (int c = 0; c < 3; c++) slot->sums[c] += pixels[c];
      slot->sums[3] += (uint64_t)alpha;
    }
    if (slot->key != 0) continue;
    slot->key = key;
    colors->count++;
    while (colors->count > CPNG_MOST_COLORS) {
      if (!cpng_colors_coarsen(colors)) return 0;
      slot = NULL;
    }
  }
  return 1;
}

void cpng_colors_find(
    const cpng_colors *colors, const uint8_t *pixels, size_t count, int channels, uint8_t *entries) {
  const cpng_color *slot = NULL;
  for (size_t i = 0; i < count; i++, pixels += channels) {
    uint64_t key = cpng_key(pixels, channels, colors->bits);
    if (!slot || slot->key != key) slot = cpng_slot(colors->slots, key);
    entries[i] = (uint8_t)slot->entry;
  }
}

// Distances.

struct cpng_metric {
  cpng_point grid[CPNG_GRID_SIDE * CPNG_GRID_SIDE * CPNG_GRID_SIDE];
  // The entries by rising lightness, and the place of each in the palette.
  int entry_count;
  cpng_point points[CPNG_MOST_ENTRIES];
  uint8_t entries[CPNG_MOST_ENTRIES];
  // Red, green, blue and alpha of each entry of the palette.
  uint8_t colors[CPNG_MOST_ENTRIES][4];
};

cpng_metric *cpng_metric_create(void) { return (cpng_metric *)calloc(1, sizeof(cpng_metric)); }

void cpng_metric_destroy(cpng_metric *metric) { free(metric); }

cpng_point *cpng_metric_grid(cpng_metric *metric) { return metric->grid; }

typedef float cpng_float4 __attribute__((vector_size(16)));

static cpng_float4 cpng_load(const cpng_point *point) {
  cpng_float4 result;
  memcpy(&result, point, sizeof result);
  return result;
}

static cpng_float4 cpng_mix(cpng_float4 a, cpng_float4 b, float weight) {
  return a + (b - a) * weight;
}

// Oklab of an encoded color, 0…255 each, by trilinear interpolation.
static cpng_float4 cpng_oklab(const cpng_metric *metric, const float color[3]) {
  enum { side = CPNG_GRID_SIDE };
  int cell[3];
  float rest[3];
  for (int c = 0; c < 3; c++) {
    float place = color[c] * ((side - 1) / 255.0f);
    cell[c] = place < side - 1 ? (int)place : side - 2;
    rest[c] = place - (float)cell[c];
  }
  const cpng_point *corner = metric->grid + (cell[0] * side + cell[1]) * side + cell[2];
  cpng_float4 edges[4];
  for (int i = 0; i < 4; i++) {
    const cpng_point *start = corner + ((i >> 1) * side + (i & 1)) * side;
    edges[i] = cpng_mix(cpng_load(start), cpng_load(start + 1), rest[2]);
  }
  return cpng_mix(
      cpng_mix(edges[0], edges[1], rest[1]), cpng_mix(edges[2], edges[3], rest[1]), rest[0]);
}

cpng_point cpng_metric_point(const cpng_metric *metric, const float color[4]) {
  cpng_point result = {{0, 0, 0, -1}};
  if (color[3] <= 0) return result;
  cpng_float4 values = cpng_oklab(metric, color);
  if (color[3] >= 255) {
    values[3] = 2;
  } else {
    float alpha = color[3] / 255;
    values *= alpha;
    values[3] = alpha;
  }
  memcpy(&result, &values, sizeof result);
  return result;
}

void cpng_metric_set_points(cpng_metric *metric, const cpng_point *points, int count) {
  // Insertion sort by lightness, stable: equal ones stay in their order.
  for (int i = 0; i < count; i++) {
    int place = i;
    for (; place > 0 && metric->points[place - 1].values[0] > points[i].values[0]; place--) {
      metric->points[place] = metric->points[place - 1];
      metric->entries[place] = metric->entries[place - 1];
    }
    metric->points[place] = points[i];
    metric->entries[place] = (uint8_t)i;
  }
  metric->entry_count = count;
}

void cpng_metric_set_colors(cpng_metric *metric, const uint8_t *colors, int count) {
  cpng_point points[CPNG_MOST_ENTRIES];
  for (int i = 0; i < count; i++) {
    float color[4];
    for (int c = 0; c < 4; c++) {
      metric->colors[i][c] = colors[4 * i + c];
      color[c] = colors[4 * i + c];
    }
    points[i] = cpng_metric_point(metric, color);
  }
  cpng_metric_set_points(metric, points, count);
}

// The place of the nearest point by lightness, searched from `start` on in both directions until lightness alone differs by more than the
// least distance. Any start gives the same result; one near it gives it sooner.
static int cpng_search(const cpng_metric *metric, cpng_float4 point, int start) {
  int best = start;
  float least = __FLT_MAX__;
  for (int step = 1; step >= -1; step -= 2) {
    for (int i = step > 0 ? start : start - 1; i >= 0 && i < metric->entry_count; i += step) {
      cpng_float4 gap = cpng_load(metric->points + i) - point;
      float ahead = gap[0] * (float)step;
      cpng_float4 square = gap * gap;
      if (ahead > 0 && square[0] > least) break;
      float distance = (square[0] + square[1]) + (square[2] + square[3]);
      if (distance > least) continue;
      if (distance == least && metric->entries[i] > metric->entries[best]) continue;
      best = i;
      least = distance;
    }
  }
  return best;
}

int cpng_metric_nearest(const cpng_metric *metric, cpng_point point) {
  return metric->entries[cpng_search(metric, cpng_load(&point), metric->entry_count / 2)];
}

static float cpng_clamp(float value, float least, float most) {
  return value < least ? least : value > most ? most : value;
}

// A pixel in encoded values times alpha, 0…255 each, with the errors that it takes.
static cpng_float4 cpng_wanted(const uint8_t *pixel, int channels, cpng_float4 passed) {
  float alpha = channels == 4 ? pixel[3] : 255;
  cpng_float4 wanted = {pixel[0], pixel[1], pixel[2], 255};
  wanted *= alpha / 255;
  // Transparent pixels take no diffused error.
  if (alpha == 0) return wanted;
  // Errors of alpha stay among translucent pixels.
  wanted += passed;
  wanted[3] = alpha == 255 ? 255 : cpng_clamp(wanted[3], 0, 254);
  for (int c = 0; c < 3; c++) wanted[c] = cpng_clamp(wanted[c], 0, wanted[3]);
  return wanted;
}

// The error that a pixel passes on. A quarter of it is lost, at most 8 codes: less noise where the palette is fine, and gradients where it
// is coarse.
static cpng_float4 cpng_error(cpng_float4 wanted, const uint8_t *entry) {
  cpng_float4 given = {entry[0], entry[1], entry[2], 255};
  cpng_float4 error = wanted - given * ((float)entry[3] / 255);
  if (wanted[3] == 255 || entry[3] == 255) error[3] = 0;
  for (int c = 0; c < 4; c++) error[c] -= cpng_clamp(error[c] / 4, -8, 8);
  return error;
}

void cpng_metric_map(
    const cpng_metric *metric, const uint8_t *pixels, size_t width, int channels, float *errors,
    uint8_t *entries) {
  int place = metric->entry_count / 2;
  // The error for the next pixel, and that for the pixel below the next one, where the next pixel's own error still is.
  cpng_float4 next = {0}, below_next = {0};
  for (size_t x = 0; x < width; x++, pixels += channels) {
    // Two adjacent pixels of the row: that of x − 1, below, and that of x.
    cpng_float4 passed[2] = {{0}};
    if (errors) memcpy(passed, errors + 4 * x, sizeof passed);
    cpng_float4 wanted = cpng_wanted(pixels, channels, next + passed[1]);
    float color[4], share = wanted[3] > 0 ? 255 / wanted[3] : 0;
    for (int c = 0; c < 3; c++) color[c] = cpng_clamp(wanted[c] * share, 0, 255);
    color[3] = wanted[3];
    cpng_point point = cpng_metric_point(metric, color);
    place = cpng_search(metric, cpng_load(&point), place);
    entries[x] = metric->entries[place];
    if (!errors) continue;
    cpng_float4 error = cpng_error(wanted, metric->colors[entries[x]]);
    if (wanted[3] == 0) error *= 0.0f;
    next = error * 0.4375f;
    passed[0] += error * 0.1875f;
    passed[1] = below_next + error * 0.3125f;
    below_next = error * 0.0625f;
    memcpy(errors + 4 * x, passed, sizeof passed);
  }
}
