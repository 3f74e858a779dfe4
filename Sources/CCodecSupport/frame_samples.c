#include "frame_samples.h"

// Results do not depend on the processor: no product and sum become one operation.
#pragma STDC FP_CONTRACT OFF

// Rows are converted in parts whose buffers fit into the fastest cache. Even, so that each part begins with a whole chroma sample.
enum { PART = 512 };

static inline uint16_t little_endian(uint16_t sample) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap16(sample);
#else
  return sample;
#endif
}

// Loops of a step known at compile time become vector instructions.
#define FOR_STEP(step, body) \
  switch (step) { \
    case 1: body(1) break; \
    case 2: body(2) break; \
    default: body(step) break; \
  }

// Stores the codes of `count` samples from the index `first`, times `1 << factor`.
static void read_codes(
  const void *row, size_t first, size_t count, ptrdiff_t step, frame_coding coding, int factor, int32_t *codes
) {
  ptrdiff_t start = (ptrdiff_t)first * step, end = (ptrdiff_t)count;
  if (coding.bytes_per_sample == 1) {
    const uint8_t *samples = (const uint8_t *)row + start;
#define READ(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) codes[x] = samples[x * (step)] << factor;
    FOR_STEP(step, READ)
#undef READ
  } else {
    const uint16_t *samples = (const uint16_t *)row + start;
    int shift = coding.shift;
    int32_t largest = coding.largest;
#define READ(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) { \
    int32_t code = little_endian(samples[x * (step)]) >> shift; \
    codes[x] = (code < largest ? code : largest) << factor; \
  }
    FOR_STEP(step, READ)
#undef READ
  }
}

// Stores four times the codes of `count` samples between two rows.
static void mix_rows(
  const frame_read_row *row, size_t first, size_t count, frame_coding coding, int32_t *mixed
) {
  if (row->near_weight == 4) {
    read_codes(row->near_row, first, count, row->step, coding, 2, mixed);
    return;
  }
  int32_t far[PART / 2 + 2];
  read_codes(row->near_row, first, count, row->step, coding, 0, mixed);
  read_codes(row->far_row, first, count, row->step, coding, 0, far);
  if (row->near_weight == 3) {
    for (size_t x = 0; x < count; x += 1) mixed[x] = 3 * mixed[x] + far[x];
  } else {
    for (size_t x = 0; x < count; x += 1) mixed[x] = 2 * (mixed[x] + far[x]);
  }
}

// Stores 16 times the codes of `count` pixels from the index `first`, and may store one more.
static void interpolate(
  const frame_read_row *row, size_t first, size_t count, frame_coding coding, int32_t *restrict sums
) {
  if (!row->near_row) {
    int32_t middle = (coding.largest + 1) / 2 * 16;
    for (size_t x = 0; x < count; x += 1) sums[x] = middle;
    return;
  }
  if (row->columns == FRAME_COLUMNS_FULL) {
    read_codes(row->near_row, first, count, row->step, coding, 4, sums);
    return;
  }
  // The samples of these pixels and one on each side, where the first and the last one of the row are repeated.
  int32_t mixed[PART / 2 + 2];
  size_t start = first / 2, end = start + (count + 1) / 2, samples = end - start;
  size_t from = start > 0 ? start - 1 : start, to = end < row->count ? end + 1 : end;
  mix_rows(row, from, to - from, coding, mixed + 1 - (start - from));
  if (from == start) mixed[0] = mixed[1];
  if (to == end) mixed[samples + 1] = mixed[samples];
  if (row->columns == FRAME_COLUMNS_CENTER) {
    for (size_t x = 0; x < samples; x += 1) {
      int32_t here = 3 * mixed[x + 1];
      sums[2 * x] = here + mixed[x];
      sums[2 * x + 1] = here + mixed[x + 2];
    }
  } else {
    for (size_t x = 0; x < samples; x += 1) {
      sums[2 * x] = 4 * mixed[x + 1];
      sums[2 * x + 1] = 2 * (mixed[x + 1] + mixed[x + 2]);
    }
  }
}

// Stores the three channels of `count` pixels: `nearest` of each sum.
#define STORE_PIXELS(type, nearest) \
  for (size_t x = 0; x < count; x += 1) { \
    part[3 * x] = (type)nearest(sums[0][x]); \
    part[3 * x + 1] = (type)nearest(sums[1][x]); \
    part[3 * x + 2] = (type)nearest(sums[2][x]); \
  }

#define DEFINE_READ(name, type, store) \
  void name(const frame_read_row rows[3], frame_coding coding, size_t width, double scale, type *pixels) { \
    int32_t sums[3][PART + 2]; \
    for (size_t first = 0; first < width; first += PART) { \
      size_t count = width - first < PART ? width - first : PART; \
      for (int channel = 0; channel < 3; channel += 1) { \
        interpolate(&rows[channel], first, count, coding, sums[channel]); \
      } \
      store(sums, count, scale / 16, pixels + 3 * first); \
    } \
  }

static void store_u16(int32_t sums[3][PART + 2], size_t count, double scale, uint16_t *restrict part) {
  float narrow = (float)scale;
  // Codes of 8 and 16 bits have whole multiples, which single precision holds exactly, as it does the 20 bits of their sums.
  int is_whole = (int)(16 * scale) == 16 * scale;
#define WHOLE(sum) (int32_t)((float)(sum) * narrow + 0.5f)
#define ROUNDED(sum) (int32_t)((sum) * scale + 0.5)
  if (is_whole) {
    STORE_PIXELS(uint16_t, WHOLE)
  } else {
    STORE_PIXELS(uint16_t, ROUNDED)
  }
}

static void store_f32(int32_t sums[3][PART + 2], size_t count, double scale, float *restrict part) {
#define PRODUCT(sum) ((sum) * scale)
  STORE_PIXELS(float, PRODUCT)
}

DEFINE_READ(frame_read_u16, uint16_t, store_u16)
DEFINE_READ(frame_read_f32, float, store_f32)

// Loops that gather samples do not become vector instructions.
#define UNROLLED _Pragma("clang loop unroll_count(8)")

// Defines the function `name` for pixels of `type`, whose sums are exact or rounded as `sum_type` has them.
#define DEFINE_WRITE(name, type, sum_type, number) \
  /* Stores the codes of sums times a scale. */ \
  static void name##_codes( \
    const sum_type *restrict sums, size_t first, size_t count, double scale, const frame_write_row *row, \
    frame_coding coding \
  ) { \
    ptrdiff_t start = (ptrdiff_t)first * row->step, end = (ptrdiff_t)count; \
    if (coding.bytes_per_sample == 1) { \
      uint8_t *restrict samples = (uint8_t *)row->samples + start; \
      FOR_STEP(row->step, WRITE_8) \
    } else { \
      uint16_t *restrict samples = (uint16_t *)row->samples + start; \
      int shift = coding.shift; \
      FOR_STEP(row->step, WRITE_16) \
    } \
  } \
\
  /* Stores four times the mean of rows for each column from the index `first`. */ \
  static void name##_rows( \
    const frame_write_row *row, size_t first, size_t count, ptrdiff_t step, const type *restrict above, \
    const type *restrict own, const type *restrict below, sum_type *restrict sums \
  ) { \
    ptrdiff_t start = (ptrdiff_t)first * step, end = (ptrdiff_t)count; \
    above += start; \
    own += start; \
    below += start; \
    if (row->has_row_above) { \
      for (ptrdiff_t x = 0; x < end; x += 1) { \
        sums[x] = number(above[x * step]) + 2 * number(own[x * step]) + number(below[x * step]); \
      } \
    } else if (step == 3) { \
      UNROLLED for (ptrdiff_t x = 0; x < end; x += 1) sums[x] = 2 * (number(own[3 * x]) + number(below[3 * x])); \
    } else { \
      for (ptrdiff_t x = 0; x < end; x += 1) sums[x] = 2 * (number(own[x * step]) + number(below[x * step])); \
    } \
  } \
\
  void name( \
    frame_write_row row, frame_coding coding, size_t width, double scale, ptrdiff_t step, const type *above, \
    const type *own, const type *below \
  ) { \
    sum_type columns[PART + 2], sums[PART]; \
    for (size_t first = 0; first < width; first += PART) { \
      size_t count = width - first < PART ? width - first : PART; \
      if (row.columns == FRAME_COLUMNS_FULL) { \
        const type *restrict pixels = own + (ptrdiff_t)first * step; \
        if (step == 3) { \
          UNROLLED for (size_t x = 0; x < count; x += 1) sums[x] = number(pixels[3 * x]); \
        } else { \
          for (size_t x = 0; x < count; x += 1) sums[x] = number(pixels[(ptrdiff_t)x * step]); \
        } \
        name##_codes(sums, first, count, scale, &row, coding); \
        continue; \
      } \
      /* The columns of the part, the one before it, and the last one repeated. */ \
      size_t before = first > 0; \
      name##_rows(&row, first - before, count + before, step, above, own, below, columns + 1 - before); \
      if (!before) columns[0] = columns[1]; \
      columns[count + 1] = columns[count]; \
      size_t samples = (count + 1) / 2; \
      if (row.columns == FRAME_COLUMNS_CENTER) { \
        for (size_t x = 0; x < samples; x += 1) sums[x] = 2 * (columns[2 * x + 1] + columns[2 * x + 2]); \
      } else { \
        for (size_t x = 0; x < samples; x += 1) { \
          sums[x] = columns[2 * x] + 2 * columns[2 * x + 1] + columns[2 * x + 2]; \
        } \
      } \
      name##_codes(sums, first / 2, samples, scale / 16, &row, coding); \
    } \
  }

#define WRITE_8(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) samples[x * (step)] = (uint8_t)(int32_t)(sums[x] * scale + 0.5);
#define WRITE_16(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) { \
    samples[x * (step)] = little_endian((uint16_t)((int32_t)(sums[x] * scale + 0.5) << shift)); \
  }

static inline int32_t number_u16(uint16_t sample) { return sample; }

// Clamped to 0…1. NaN is not above 0.
static inline double number_f32(float sample) {
  float number = sample > 0 ? sample : 0;
  return number < 1 ? number : 1;
}

DEFINE_WRITE(frame_write_u16, uint16_t, int32_t, number_u16)
DEFINE_WRITE(frame_write_f32, float, double, number_f32)

// Stores `count` samples from the index `first`.
static void load_samples(const frame_stored_row *row, size_t first, size_t count, uint16_t *restrict samples) {
  ptrdiff_t start = (ptrdiff_t)first * row->step, end = (ptrdiff_t)count;
  if (row->coding.bytes_per_sample == 1) {
    const uint8_t *restrict stored = (const uint8_t *)row->samples + start;
#define LOAD(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) samples[x] = stored[x * (step)];
    FOR_STEP(row->step, LOAD)
#undef LOAD
  } else {
    const uint16_t *restrict stored = (const uint16_t *)row->samples + start;
#define LOAD(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) samples[x] = little_endian(stored[x * (step)]);
    FOR_STEP(row->step, LOAD)
#undef LOAD
  }
}

// Stores `count` codes as the samples from the index `first`.
static void store_codes(const uint16_t *restrict codes, size_t first, size_t count, const frame_stored_row *row) {
  ptrdiff_t start = (ptrdiff_t)first * row->step, end = (ptrdiff_t)count;
  if (row->coding.bytes_per_sample == 1) {
    uint8_t *restrict stored = (uint8_t *)row->samples + start;
#define STORE(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) stored[x * (step)] = (uint8_t)codes[x];
    FOR_STEP(row->step, STORE)
#undef STORE
  } else {
    uint16_t *restrict stored = (uint16_t *)row->samples + start;
    uint16_t factor = (uint16_t)(1 << row->coding.shift);
#define STORE(step) \
  for (ptrdiff_t x = 0; x < end; x += 1) stored[x * (step)] = little_endian((uint16_t)(codes[x] * factor));
    FOR_STEP(row->step, STORE)
#undef STORE
  }
}

// Shifts codes to the right. A product, because vectors shift 16 bits by a variable one bit at a time.
static void shift_right(uint16_t *codes, size_t count, int shift) {
  if (shift == 0) return;
  uint16_t factor = (uint16_t)(1 << (16 - shift));
  for (size_t x = 0; x < count; x += 1) codes[x] = (uint16_t)((uint32_t)codes[x] * factor >> 16);
}

static void clamp(uint16_t *codes, size_t count, uint16_t largest) {
  for (size_t x = 0; x < count; x += 1) codes[x] = codes[x] < largest ? codes[x] : largest;
}

// Shifts codes in place from one bit depth to another.
static void shift_codes(uint16_t *codes, size_t count, frame_coding from, frame_coding to) {
  int shift = __builtin_clz((unsigned)from.largest) - __builtin_clz((unsigned)to.largest);
  if (shift >= 0) {
    uint16_t factor = (uint16_t)(1 << shift);
    for (size_t x = 0; x < count; x += 1) codes[x] = (uint16_t)(codes[x] * factor);
    return;
  }
  // All bits but one, which rounds. A half that is added before the shift would need 17 bits.
  shift_right(codes, count, -shift - 1);
  for (size_t x = 0; x < count; x += 1) codes[x] = (uint16_t)((codes[x] >> 1) + (codes[x] & 1));
  clamp(codes, count, (uint16_t)to.largest);
}

// Multiplies codes in place by the ratio of the largest ones, about the middles or about 0.
static void scale_codes(uint16_t *codes, size_t count, frame_coding from, frame_coding to, int about_middles) {
  if (from.largest == to.largest) return;
  double middle = about_middles ? (from.largest + 1) / 2 : 0;
  // Both largest codes are odd, so no product lies halfway between two codes, or nearer to that than rounding errors.
  double scale = (double)to.largest / from.largest, added = (about_middles ? (to.largest + 1) / 2 : 0) + 0.5;
  double largest = to.largest;
  for (size_t x = 0; x < count; x += 1) {
    double code = (codes[x] - middle) * scale + added;
    code = code > 0 ? code : 0;
    codes[x] = (uint16_t)(int32_t)(code < largest ? code : largest);
  }
}

void frame_recode(frame_stored_row source, frame_stored_row target, size_t count, frame_scaling scaling) {
  uint16_t codes[PART];
  for (size_t first = 0; first < count; first += PART) {
    size_t part = count - first < PART ? count - first : PART;
    load_samples(&source, first, part, codes);
    shift_right(codes, part, source.coding.shift);
    if (source.coding.bytes_per_sample > 1) clamp(codes, part, (uint16_t)source.coding.largest);
    if (scaling == FRAME_SCALING_SHIFTED) {
      shift_codes(codes, part, source.coding, target.coding);
    } else {
      scale_codes(codes, part, source.coding, target.coding, scaling == FRAME_SCALING_CENTERED);
    }
    store_codes(codes, first, part, &target);
  }
}
