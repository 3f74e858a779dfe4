// The pixel kernels: everything that touches every pixel.
//
// One template, Kernels.inc, is compiled once for each instruction set. All of them give the same bits: a multiply-add is
// always fused and always explicit, contraction is off, and there is no libm. (A NaN stays a NaN; its payload is not part of
// the promise.)
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The sample formats that surfaces may have. Inside the kernels every sample is a float.
enum { CPK_U8, CPK_U16, CPK_F16, CPK_F32 };

/// One row of pixels in memory. Interleaved pixels have a step of their channel count, planar ones a step of 1.
/// Channels may lie in any order. A plane that is NULL loads as 1 and is not stored, as the alpha of opaque pictures. Gray repeats one pointer in planes 0, 1 and 2
/// (as a target the last of them wins). No alignment beyond the sample's own is assumed.
typedef struct {
  void *planes[4];  // the first red, green, blue and alpha sample
  int32_t format;
  int32_t step;     // from a sample to the same channel's next, in samples
  bool streams;     // whether floats that are written are read so late that the caches need not hold them
} cpk_surface;

/// The planes of a strip: red, green, blue and alpha, or the four channels of a surface of inks, and after them the channels between
/// the tables of a profile.
enum { CPK_CHANNELS = 4, CPK_MORE_CHANNELS = 16, CPK_PLANES = CPK_CHANNELS + CPK_MORE_CHANNELS };

/// Asks for `count` pixels of a row that are read soon, so that they come from memory meanwhile.
static inline void cpk_prefetch(const cpk_surface *row, size_t count) {
  const size_t size = row->format == CPK_U8 ? 1 : row->format == CPK_F32 ? 4 : 2;
  for (int p = 0; p < (row->step == 1 ? 4 : 1); p++) {
    const char *from = (const char *)row->planes[p];
    if (!from || (p > 0 && from == (const char *)row->planes[p - 1])) continue;
    for (size_t i = 0; i < count * (size_t)row->step * size; i += 64) __builtin_prefetch(from + i);
  }
}

/// The kinds of stage. Those whose payload is one for each plane act on the planes that the stage names; all others on red, green and
/// blue, except that tables of profiles, formulas and rows of Swift also read and write further planes. Alpha is read by the two
/// premultiplications, alone and within a conversion, and written by CPK_OPAQUE.
enum {
  CPK_AFFINE,         // cpk_affine
  CPK_MATRIX,         // cpk_matrix
  CPK_POWER,          // cpk_power for each plane
  CPK_CUBIC,          // cpk_cubic for each plane
  CPK_SAMPLED,        // cpk_sampled for each plane
  CPK_INVERSE,        // cpk_inverse for each plane
  CPK_CLAMP,          // cpk_clamp
  CPK_PREMULTIPLY,    // no payload
  CPK_UNPREMULTIPLY,  // no payload; color over zero alpha becomes zero
  CPK_CONVERT,        // cpk_convert: the frequent chain decode, matrix, encode, perhaps with alpha, kept in registers
  CPK_ROWS,           // cpk_rows: calls back with the strip
  CPK_SQUARE,         // no payload; x * |x|
  CPK_SQUARE_ROOT,    // no payload; the root of |x| with the sign of x, correctly rounded
  CPK_SEGMENTS,       // cpk_segments for each plane
  CPK_RATIONAL,       // cpk_rational for each plane
  CPK_LATTICE,        // cpk_lattice
  CPK_MIX,            // cpk_mix
  CPK_OPAQUE,         // no payload; alpha becomes 1
  CPK_CUBE,           // no payload; x * x * x
  CPK_RESPONSE,       // cpk_response: matrix, curve, matrix, perhaps by hue, kept in registers
  CPK_POLAR,          // no payload; lightness and two opponents become lightness, chroma and hue
  CPK_RECTANGULAR,    // no payload; the way back
  CPK_PIECES,         // cpk_pieces for each plane
  CPK_REPLACE,        // cpk_replacement
  CPK_COMPRESS,       // cpk_compress
  CPK_FIT,            // cpk_fit
  CPK_FORMULA,        // cpk_formula
};

/// channel = channel * scale + offset
typedef struct { float scale[3], offset[3]; } cpk_affine;

/// Row r: fma(m[r][0], R, fma(m[r][1], G, fma(m[r][2], B, m[r][3])))
typedef struct { float m[3][4]; } cpk_matrix;

/// The extension of a curve below zero.
enum {
  CPK_MIRROR,    // f(-x) = -f(x)
  CPK_ZERO,      // negative input counts as zero (NaN stays NaN)
  CPK_CONTINUE,  // the linear piece goes on
  CPK_PASS,      // negative input is left as it is
};

/// A power with a linear piece near zero, the shape of most transfer functions:
///   x > threshold:  fma(P(m - 1), low[e & 15] * high[e >> 4], offset)
///                   where  x + shift = m * 2^(e - 127),  m in [1, 2)
///   otherwise, and for NaN:  fma(slope, x, intercept)
/// P is a polynomial of degree 7, or 11 where 7 is not exact enough (Horner, the highest coefficient first), in
/// m - center, which rounds a quarter as much as one in m; the center is 1, or 2 for falling powers, whose terms
/// then have one sign. low * high is the power of the exponent, times the curve's scale; the caller computes all of it in
/// double precision. With high[7] = 1, and low[i] = scale * 2^((i - 15) * p), the product is exact for
/// x + shift in 2^-15..<2.
/// Steep powers enlarge what rounding x + shift loses. Where exponent is not 0, the degree is 11, and that loss (Knuth's TwoSum) plus
/// shift_rest is made good: P * low * high * (exponent * loss / (x + shift)) is added to the offset, unless it is infinite.
/// Where the degree is 0 it is a cube, without a shift and a table: fma(x * x * x, polynomial[0], offset).
enum { CPK_CUBE_DEGREE = 0, CPK_POWER_DEGREE = 7, CPK_STEEP_POWER_DEGREE = 11 };
typedef struct {
  float threshold, slope, intercept, shift, shift_rest, exponent, center, offset;
  int32_t below_zero;
  int32_t degree;  // one of those above
  float polynomial[CPK_STEEP_POWER_DEGREE + 1];
  float low[16], high[16];
} cpk_power;

/// A chain of cubics. Piece k covers knots[k] <= x < knots[k + 1], the first one also what lies before and the last one what
/// lies after. Value: with t = x - origin[k], infinite t made finite, Horner over c3..c0. At most CPK_CUBIC_PIECES pieces; NaN gives NaN.
enum { CPK_CUBIC_PIECES = 65 };
typedef struct {
  int32_t pieces;
  float knots[CPK_CUBIC_PIECES], origin[CPK_CUBIC_PIECES];
  float c0[CPK_CUBIC_PIECES], c1[CPK_CUBIC_PIECES], c2[CPK_CUBIC_PIECES], c3[CPK_CUBIC_PIECES];
} cpk_cubic;

/// A lookup table over 0...1 with linear interpolation; beyond its ends the end value holds. NaN gives NaN. Without
/// values the channel is unchanged. `below_zero` as above (CPK_CONTINUE is the same as holding).
/// count >= 2; values has count entries.
///   p = min(max(x, 0), 1) * (count - 1);  i = min(floor(p), count - 2);  fma(values[i + 1] - values[i], p - i, values[i])
typedef struct {
  const float *values;
  int32_t count;
  int32_t below_zero;
} cpk_sampled;

/// What a segment computes from x, with w = fma(slope[0], x, shift[0]), and fma(slope[1], x, shift[1]) added
/// unless that is infinite: slope, shift, scale and offset are sums of two floats each, so that nothing is lost
/// where they cancel.
///   CPK_CONSTANT     shift[0]
///   CPK_LINE         w
///   CPK_RAISED       cpk_power's fma(P(m - 1), low * high, offset), where max(w, 0) = m * 2^(e - 127); slope[0] is 1 or -1,
///                    slope[1] is 0, and what the sum in w loses (Knuth's TwoSum) is added to shift[1]
///   CPK_LOGARITHM    with max(w, FLT_MIN) = m * 2^e,  m in [sqrt(1/2), sqrt(2)):
///                    fma(P(m - 1), m - 1, fma(scale[0], e, offset[0]) + fma(scale[1], e, offset[1]))
///                    P makes it scale * log2(w) + offset. Where w is infinite, w * scale[0]
///   CPK_EXPONENTIAL  with n the integer nearest to fma(slope[0], x, shift[0]), but within +-160, and
///                    t = fma(slope[0], x, shift[0] - n) + fma(slope[1], x, shift[1]), but within +-1:
///                    fma(P(t) * 2^n, scale[0], offset[0]); shift[0] is a multiple of 2^-12
///                    P makes it scale * 2^w + offset
/// P: Horner, the highest coefficient first, of degree 9 or 6.
enum { CPK_CONSTANT, CPK_LINE, CPK_RAISED, CPK_LOGARITHM, CPK_EXPONENTIAL };
enum { CPK_LOGARITHM_DEGREE = 9, CPK_EXPONENTIAL_DEGREE = 6 };
typedef struct {
  float start;  // the first x that the segment answers for
  int32_t shape;
  float slope[2], shift[2], scale[2], offset[2];
  float polynomial[CPK_LOGARITHM_DEGREE + 1];
  cpk_power power;  // CPK_RAISED's; its threshold, line and shift are not looked at
} cpk_segment;

/// A chain of segments: the last one answers whose start is not above x. The first one starts at -infinity.
/// NaN stays NaN. Without segments the channel is unchanged.
enum { CPK_SEGMENT_COUNT = 4 };
typedef struct {
  int32_t count;
  int32_t below_zero;
  cpk_segment segments[CPK_SEGMENT_COUNT];
} cpk_segments;

/// ((a + b * x^inner) / (c + d * x^inner))^outer, computed in double precision and rounded once. Zero where the
/// numerator is not above zero, else infinite where the denominator is not. NaN stays NaN. If not present, the
/// channel is unchanged. Powers are 2^(exponent * log2(base)); each product and sum is rounded by itself:
///   log2(m * 2^e) = e + s * ((l0 + S * (l2 + S * l4)) + s * s * (l1 + S * (l3 + S * l5)))
///                   with m in [sqrt(1/2), sqrt(2)),  s = (m - 1) / (m + 1),  S = (s * s) * (s * s)
///   2^(n + t) = 2^n * (E + t * O) with n an integer, |t| <= 1/2, the even and the odd terms by Horner in t * t:
///                   E = e0 + e2 t^2 + ... + e8 t^8,  O = e1 + e3 t^2 + ... + e9 t^8
enum { CPK_RATIONAL_LOGARITHM_TERMS = 6, CPK_RATIONAL_EXPONENTIAL_TERMS = 10 };
typedef struct {
  double a, b, c, d, inner, outer;
  double logarithm[CPK_RATIONAL_LOGARITHM_TERMS], exponential[CPK_RATIONAL_EXPONENTIAL_TERMS];
  int32_t below_zero;
  int32_t present;
} cpk_rational;

/// A cpk_rational by polynomials. Where start <= y <= end, with y what the curve sees of x, i = (bits of y >> (23 - mantissa_bits)) - first
/// but at most count - 1, and m the float with the bits of y - ((i + first) << (23 - mantissa_bits)) + (127 << 23):
///   c0 + fma(Q(m - center), m - center, rest), where row i has c0, rest, c1, c2 ... and Q is c1 + c2 t + ... (Horner)
/// c0 + rest is the value at the center of a piece, so that hardly more than the last addition rounds. Up to zero, and for NaN and all
/// other y, the value is that of `exact`. Without rows the channel is unchanged.
///
/// Short tables have 32 pieces or fewer, of degree CPK_SHORT_PIECE_DEGREE in rows of 12 floats, and the same again in columns of 32 floats;
/// all others have CPK_PIECE_DEGREE and rows of 8 floats.
enum { CPK_PIECE_DEGREE = 5, CPK_SHORT_PIECE_DEGREE = 8, CPK_SHORT_PIECES = 32 };
typedef struct {
  const float *rows, *columns;
  int32_t first, count, mantissa_bits;
  bool is_short;
  float start, end, center, zero;  // zero: the value of `exact` at zero
  cpk_rational exact;
} cpk_pieces;

/// The inverse of a table over 0...1 with linear interpolation, whose values are integers: the last place where it has a value.
/// With v = x * 65535, held in values[0]...values[count - 1], and i the first index with values[i] > v:
///   p = (i - 1 + (v - values[i - 1]) / (values[i] - values[i - 1])) / (count - 1), or 1 where there is no such index
/// A falling table has its values in reverse order here, and 1 - p is the result. NaN gives NaN. Without values the channel stays what
/// it is. values never fall; count >= 2.
typedef struct {
  const float *values;
  int32_t count;
  bool falling;
} cpk_inverse;

/// A grid of colors over 1 to 15 inputs, with interpolation between its points. For each input k, read from plane from[k],
///   p = min(max(fma(x, scale, offset), 0), sizes[k] - 1);  i = min(floor(p), sizes[k] - 2);  f[k] = p - i
/// Tetrahedral in the last three inputs, with high, mid and low their f in order and a, b, d the points one step along the axis of
/// the high one, then of the mid one, then of the low one too:
///   fma(low, d - b, fma(mid, b - a, fma(high, a - point, point)))
/// In the inputs before these, and in all where it is not tetrahedral: fma(f, b - a, a) along the last of them first.
/// The result is multiplied by unit. A NaN in any input gives NaN in all outputs.
///
/// Tetrahedral grids of 16 bits and four inputs are read faster where the step of the first input is 1. A point has four values, of
/// float or uint16_t, of which those without an output are never looked at. Grids of more than four outputs
/// are stored as several tables in order, of four outputs each.
enum { CPK_LATTICE_INPUTS = 15 };
typedef struct {
  const void *points;
  bool are_floats;
  bool tetrahedral;  // needs three inputs
  uint8_t inputs, outputs;
  uint8_t from[CPK_LATTICE_INPUTS];
  uint8_t to;  // the plane of the first output
  int32_t count;  // of points
  int32_t sizes[CPK_LATTICE_INPUTS], steps[CPK_LATTICE_INPUTS];  // points along an input, and from one to the next
  float scale[CPK_LATTICE_INPUTS], offset[CPK_LATTICE_INPUTS];
  float unit;
} cpk_lattice;

/// Output row: rows[row * (inputs + 1) + inputs] plus the products of the other entries and the inputs, by fused multiply-adds
/// from the last input to the first. The inputs are the planes from `from` on, the outputs those from `to` on.
typedef struct {
  const float *rows;
  uint8_t inputs, outputs, from, to;
} cpk_mix;

/// The operations of formulas, on numbers in double precision. Swift's FormulaOperation has them in the same order
/// and defines what they compute. Masks
/// are numbers of which all bits are 1 or 0; a mask that is neither is the caller's mistake.
enum {
  CPK_F_LOAD,  // the plane `count`
  CPK_F_ADD, CPK_F_SUBTRACT, CPK_F_MULTIPLY, CPK_F_DIVIDE, CPK_F_NEGATE, CPK_F_MAGNITUDE, CPK_F_SQUARE_ROOT,
  CPK_F_MINIMUM,  // b < a ? b : a
  CPK_F_MAXIMUM,  // b > a ? b : a
  CPK_F_WITH_SIGN, CPK_F_NEAREST_INTEGER, CPK_F_INTEGER_BELOW,
  CPK_F_IS_LESS, CPK_F_IS_LESS_OR_EQUAL, CPK_F_IS_EQUAL, CPK_F_IS_UNORDERED,
  CPK_F_AND, CPK_F_OR, CPK_F_EXCLUSIVE_OR,
  CPK_F_SELECT,  // b where the mask a holds, else c
  CPK_F_EXPONENT, CPK_F_SIGNIFICAND,
  CPK_F_SCALE,         // a * 2^b
  CPK_F_POLYNOMIAL,    // in a, with the `count` coefficients from the constant ~b on, by Horner's rule
  CPK_F_ELEMENT,       // at the index a, rounded down and held in the table, of the `count` constants from ~b on
  CPK_F_LOGARITHM,     // to base 2
  CPK_F_EXPONENTIAL,   // of base 2
  CPK_F_MULTIPLY_ADD,  // a * b + c, rounded twice
  CPK_F_VARIABLE,      // a
  CPK_F_LOOP,          // goes on at c if the mask a holds for no pixel, or after `count` turns
  CPK_F_END_OF_LOOP,   // goes on at c
  CPK_F_ASSIGN,        // register a becomes b
  CPK_F_STORE,         // a to the plane `count`
};

/// Operands from 0 up are registers, those below 0 constants: -1 is the first one. The target is a register.
typedef struct {
  int16_t kind, target;
  int32_t a, b, c, count;
} cpk_operation;

/// Operations in order. Loops do not lie in each other. At most CPK_FORMULA_REGISTERS registers.
enum { CPK_FORMULA_REGISTERS = 256 };
typedef struct {
  const cpk_operation *operations;
  const double *constants;
  int32_t count, registers;
} cpk_formula;

/// min(max(channel, low), high) with NaN staying NaN.
typedef struct { float low, high; } cpk_clamp;

/// A channel that is exactly `from` becomes `to`.
typedef struct { float from, to; } cpk_replacement;

/// CPK_UNPREMULTIPLY, decode (the same curve for the three channels, or NULL), matrix, encode (or NULL), CPK_PREMULTIPLY: those of them
/// that there are.
typedef struct {
  bool unpremultiplies, premultiplies, has_matrix;
  const cpk_power *decode;
  const float *codes;  // what `decode` makes of each of the 256 codes of a byte, or NULL
  cpk_matrix matrix;
  const cpk_power *encode;
} cpk_convert;

/// before, curve, after. The curve is the same for the three channels: |x|^p with the sign of x, as `power` has it, or x * x * x without.
/// Where from_hue, the stage begins with CPK_RECTANGULAR; where to_hue, which needs `power` and excludes from_hue, it ends with CPK_POLAR.
typedef struct {
  cpk_matrix before, after;
  const cpk_power *power;
  bool from_hue, to_hue;
} cpk_response;

/// A compression of distances from gray (GamutCompression). With (r, g, b) = to_film * pixel, m the largest of them and u = |m|, for each
/// channel c with x = ((m - c) / u - threshold) / reach and u above zero:
///   c = fma(-fma(reach, outer(1 + inner(x)), threshold), u, m)
/// inner and outer are falling powers, CPK_POWER's of the steep degree. A pixel whose channels do not change, or whose sum is not finite
/// in film, stays; all others become from_film * film. Where it clips, the result is held in low...high.
typedef struct {
  cpk_matrix to_film, from_film;
  float threshold[3], reach[3];
  cpk_power inner, outer;
  bool clips;
  float low, high;
} cpk_compress;

/// Brings pixels that are not in low...high into it, along lines of one lightness and hue in Oklab, in double precision. NaN and infinity
/// make a pixel be clipped, lightness from `brightest` up white, and up to `darkest` black. The matrices have three rows.
///   CPK_SEARCHED  CSS Color 4, 13.2.2: the most chroma that clipping changes by less than `noticeable`
///   CPK_TRACED    where rays of light meet the surface (Gamut.Ray.traced)
///   CPK_SOFTENED  a soft knee from `threshold` of the chroma there is (Gamut.Ray.softened), for pixels inside, too
/// The search decides in single precision as long as a decision is sure; `sure` is how far a difference must be from its limit for that,
/// and `sure_light` how far light must be from the surface. The decisions are those of double precision, and so are the results.
enum { CPK_SEARCHED, CPK_TRACED, CPK_SOFTENED };
typedef struct {
  int32_t method;
  double low, high, darkest, brightest;
  double to_cones[9], from_cones[9], to_opponents[9], from_opponents[9];
  double noticeable, precision, resolution, threshold;
  float first, last;  // the first and the last float in the gamut
  float sure, sure_light;
  cpk_power root;  // the cube root, mirrored
} cpk_fit;

/// A strip of planar pixels handed to code outside; it may change the `count` values of each plane.
typedef struct {
  void (*body)(void *context, float *const planes[CPK_PLANES], size_t count, int64_t x, int64_t y);
  void *context;
} cpk_rows;

/// `count` planes from `first` on are those that kinds with a payload for each plane act on.
typedef struct {
  int32_t kind;
  int16_t first, count;
  const void *payload;
} cpk_stage;

/// Weights row by row, for cpk_kernels.convolve; those that are zero are left out.
typedef struct {
  const float *weights;
  size_t width, height;
  bool keeps_alpha;  // of pixels of four channels
} cpk_table;

/// The largest radius of a median.
enum { CPK_MEDIAN_RADIUS = 50 };

/// What the lines or columns of a weighted sum are made of: each of `count` inputs, from `starts` on, by weights[offsets] and those after it.
typedef struct {
  const int32_t *starts, *offsets;
  const float *weights;
  size_t count;
  bool is_symmetric;  // the count is odd, starts are one apart, and all have the same weights, symmetric about the middle one
} cpk_taps;

/// A line of a weighted sum, and those of a few rows that belong to it.
typedef struct {
  float *values;
  const float *weights;  // of the rows first..<end
  int32_t first, end;    // at least one row
  bool is_new;           // whether these rows are the first ones
} cpk_line;

/// The most columns of the input that mix_columns brings into order at a time, as far as 16 neighbors need no more: they stay in the
/// first cache.
enum { CPK_COLUMN_SPAN = 256 };

/// An unsharp mask: where the difference from a softer picture is not below the threshold, it is added so many times.
typedef struct {
  float amount, threshold;
  bool has_alpha;      // whether colors are premultiplied by alpha: softer ones are compared at the alpha of the sharp ones
  bool in_luminance;   // whether the difference is that of luminance, the same for all channels
  float luminance[3];  // the weights of the channels in it
} cpk_sharpening;

/// How mixed columns are stored: as samples of a format, RGBA pixels perhaps divided by their alpha, floats perhaps past the caches.
typedef struct {
  int32_t format;
  bool unpremultiplies, streams;
  const cpk_sharpening *sharpening;  // what sharpens RGBA pixels first, or NULL
  const float *const *sharp;         // the rows of pixels that it sharpens: mixed columns are the softer picture
} cpk_storing;

/// How layers blend: the cases of BlendMode.
enum {
  CPK_NORMAL, CPK_MULTIPLY, CPK_SCREEN, CPK_OVERLAY, CPK_DARKEN, CPK_LIGHTEN, CPK_COLOR_DODGE, CPK_COLOR_BURN, CPK_HARD_LIGHT,
  CPK_SOFT_LIGHT, CPK_DIFFERENCE, CPK_EXCLUSION, CPK_LINEAR_BURN, CPK_LINEAR_DODGE, CPK_VIVID_LIGHT, CPK_LINEAR_LIGHT,
  CPK_PIN_LIGHT, CPK_HARD_MIX, CPK_SUBTRACT, CPK_DIVIDE, CPK_HUE, CPK_SATURATION, CPK_COLOR, CPK_LUMINOSITY
};

/// A composition of two layers: the blend mode, and which part of each the operator keeps, as a constant and as a multiple of the other
/// layer's alpha.
typedef struct {
  int32_t mode;
  float source[2], backdrop[2];
} cpk_composition;

/// The entries of a kernel's table of weights for a distance of one pixel.
enum { CPK_WARP_DENSITY = 4096 };

/// Pixels that are interpolated between those of a picture. The pixels that count for a place are those less than `reach` times the scale
/// from it, beyond the edges the pixel at the edge; the weight of one is the product of those of its distances across and down, each
/// divided by the scale there. Sums and products are rounded one by one: the products of a row from the left to the right, their sums
/// times the row's weight from the top to the bottom. Then divided by the sum of the column's times the sum of the row's weights.
typedef struct {
  const float *weights;  // by distance, `last` + 2 of them, of which the last two are zero; NULL where all are one
  double last, reach;
  // For a reach of 1, 2 or 3, rows for the distances 0/4096...4096/4096 of a place from the last pixel before it: the weights of the
  // 2 * reach pixels around, filled up with zeros to whole quads. NULL for other kernels.
  const float *phases;
  bool widens;           // whether the kernel grows where neighbors lie far apart, up to 16 times
  const float *pixels;   // RGBA, the first one at (first[0], first[1])
  ptrdiff_t stride;      // from a row to the next, in floats
  double first[2], end[2];  // the columns and rows of the pixels, whole numbers
} cpk_warp;

/// A transform of the plane from the result to a picture (PlaneTransform).
typedef struct {
  double rows[3][3];
  bool is_affine;           // the last row is 0, 0, 1
  double stretch[2];        // of an affine transform (PlaneTransform.stretch)
  bool has_part;            // whether pixels are covered by a part of the picture only
  double least[2], most[2]; // its corners
} cpk_transform;

/// The boxes of colors that may have been rounded to the same samples, and when all of one lies outside of a gamut: some channel of the
/// gamut, over the whole box, by more than `tolerance` times the largest of 1 and the magnitudes of the light.
typedef struct {
  float raising[3][3], lowering[3][3];  // the positive and the negative entries of the matrix to the gamut
  float tolerance, doubt;  // what is nearer to the tolerance than `doubt` is not decided
} cpk_boxes;

/// A structural similarity: the weights of the rows of a window, which are those of its columns too, at least lanes / 2 and an odd number,
/// and the constants that are added to products of means and to variances.
typedef struct {
  const double *weights;
  size_t side;
  double c1, c2;
} cpk_similarity;

/// The kernels of one instruction set.
typedef struct {
  const char *name;  // "baseline", "avx2", "avx512", "neon": what COLORLOOM_ISA is set to
  int32_t lanes;     // floats in a vector
  int32_t lines;     // how many lines of symmetric weights mix_rows computes together

  /// Loads `count` pixels of a row, runs the stages over them strip by strip, and stores them.
  /// (x, y) is where the row begins, for CPK_ROWS. Source and target may be the same memory, not overlap otherwise.
  /// Integer targets are clamped to 0...1 and rounded to nearest, ties to even; NaN is stored as 0 there.
  void (*run)(const cpk_surface *source, const cpk_surface *target, const cpk_stage *stages, size_t stage_count,
              size_t count, int64_t x, int64_t y);

  /// Adds up to `lanes` rows to lines: values[i] = values[i] + sum over k in first..<end of rows[k][i] * weights[k - first], fused
  /// multiply-adds in the order of k. A new line starts with the first product. Codes of integers are fractions of the largest one.
  /// `ahead` more pointers after those of the rows name rows that are needed soon. Where it `premultiplies`, rows are RGBA pixels whose
  /// colors are multiplied by alpha first; `count` is of samples.
  void (*add_rows)(const cpk_line *lines, size_t line_count, const void *const *rows, size_t row_count, size_t ahead,
                   int32_t format, bool premultiplies, size_t count);

  /// For each of `lines` lines: out[line][i] = sum over k of rows[starts[line] - starts[0] + k][i] * weights[offsets[line] + k], in the
  /// order of add_rows. Rows and lines are of floats; rows after the last line's are needed soon. Starts never fall from one line to the next.
  /// Where weights are symmetric, the inputs before and after the middle that have the same weight are added first:
  /// fma(rows[k] + rows[count - 1 - k], weights[k], sum) from k = 0 on, and the middle one last.
  void (*mix_rows)(void *const *out, const void *const *rows, size_t row_count, const cpk_taps *taps, size_t lines,
                   size_t count);

  /// For each of `rows` rows of pixels of `channels` floats, 1 or 4, and each channel of those, in the same order:
  /// out[row][i] = sum over k of in[row][starts[i] - origin + k] * weights[offsets[i] + k], stored as `how` says. Starts never fall
  /// from one pixel to the next. `in_count` is the number of pixels in a row of `in`. `ahead` are rows to prefetch, as many floats
  /// of each as the result has. `scratch`, aligned to 64 bytes, holds lanes * (max(CPK_COLUMN_SPAN, the pixels that 16 neighbors are made
  /// of) + 16) floats.
  void (*mix_columns)(void *const *out, const cpk_storing *how, const float *const *in, size_t in_count, size_t rows,
                      size_t channels, const cpk_taps *taps, int32_t origin, size_t count, const void *const *ahead,
                      size_t ahead_count, float *scratch);

  /// For each of `count` pixels, of 4 channels that lie together or of 3 planes (`channels` is 4 or 1):
  /// out = sharp + amount * (sharp - soft), the difference 0 where it is below the threshold. Alpha is that of `sharp`. Planes with
  /// `has_alpha` have a fourth one in `sharp` and `soft`. `out` may be the memory of `sharp` or `soft`.
  void (*sharpen)(const cpk_sharpening *how, size_t channels, float *const *out, const float *const *sharp,
                  const float *const *soft, size_t count);

  /// Whether the alpha of `count` RGBA pixels of floats is exactly 1.
  bool (*is_opaque)(const float *pixels, size_t count);

  /// Whether some of `count` pixels of `channels` floats, 3 or 4, differ from the background, by more than the tolerance in some channel or
  /// by a NaN, and the first and the last one that do. Pixels of 4 channels are premultiplied first, the background is already.
  bool (*content_ends)(const float *pixels, size_t channels, size_t count, const float *background, float tolerance, size_t *first,
                       size_t *last);

  /// Which of `count` colors have a channel outside of low...high after a matrix; NaN lies inside. The channels of the colors are `stride`
  /// floats apart, a multiple of `lanes` from `count` up, and aligned to vectors. Returns how many there are.
  size_t (*places_beyond)(const cpk_matrix *to_gamut, float low, float high, const float *colors, size_t stride, size_t count,
                          int32_t *places);

  /// For each of `count` colors 1 if its box lies outside of the gamut, -1 if not, 0 where that is in doubt. `ends` and `others` are the
  /// lowest and the highest corners of the boxes, in either order, in `light`, all laid out as in places_beyond. `verdicts` holds `stride`.
  void (*judge_boxes)(const cpk_boxes *boxes, const float *light, const float *ends, const float *others, size_t stride,
                      size_t count, float *verdicts);

  /// Composites `count` premultiplied pixels of planes of floats; those without a fourth plane are opaque. Alpha becomes 1 at most.
  void (*composite)(const cpk_composition *how, const cpk_surface *out, const cpk_surface *backdrop, const cpk_surface *source,
                    size_t count);

  /// How many of `count` values are not in low...high; NaN is not. Where it `passes_infinity`, only finite ones are counted.
  size_t (*count_beyond)(const float *values, size_t count, float low, float high, bool passes_infinity);

  /// Rounds values, held in 0...1, to the nearest multiple of 1 / steps in that range, ties to even; steps <= 65535. Before that,
  /// offsets[i] / steps is added, from -1 to 1 step. Where there is alpha, no result is above that, rounded without an offset. NaN stays.
  void (*round_to_levels)(float *values, const float *offsets, const float *alpha, float steps, size_t count);

  /// The differences of two random numbers from 0 to 1 for each pixel of a row from (x, y) on, as PixelRandom makes them.
  void (*triangular_noise)(float *offsets, size_t count, uint64_t seed, int64_t x, int64_t y);

  /// Rounds a row of `planes` planes, at most 3, to multiples of 1 / steps in 0...1 by Floyd and Steinberg's error diffusion;
  /// steps <= 65535, and NaN counts as 0. errors[p][1 + i] is what the row above passed on to the pixel i, in levels, and becomes what the
  /// row passes on to the pixel below it; errors[p][0] is scratch. Before the first row all are 0.
  void (*diffuse)(float *const *values, float *const *errors, size_t planes, float steps, size_t count);

  /// Computes `count` pixels of a row of a transformed picture from (x, y) on, in planes of floats. Those behind the viewer and those that
  /// the part does not cover are zero; others are multiplied by what it covers of them.
  void (*transform)(const cpk_warp *warp, const cpk_transform *transform, const cpk_surface *out, size_t count, int64_t x, int64_t y);

  /// Computes `count` pixels at places, each coordinate `step` floats from the next, in planes of floats. Where one is NaN or infinite they
  /// are zero.
  void (*remap)(const cpk_warp *warp, const float *columns, const float *rows, size_t step, const cpk_surface *out, size_t count);

  /// The structural similarity (Wang, Bovik, Sheikh and Simoncelli, 2004) of `count` windows of two pictures of one channel, whose rows are
  /// a[0]...a[side - 1] and b[0]...b[side - 1], of count + side - 1 values each. For the columns x of a window, with the sums over the
  /// rows k from the first to the last, and a' and b' the differences from the middle row:
  ///   mean(a) = middle + sum(w[k] a'),  variance(a) = sum(w[k] a' a') - sum(w[k] a')^2,
  ///   covariance = sum(w[k] a' b') - sum(w[k] a') sum(w[k] b')
  /// and for windows, with the sums over columns and a' the difference of a column's mean from the window's:
  ///   mean(a) = sum(w[x] mean(a)[x]),  variance(a) = sum(w[x] (variance(a)[x] + a' a')),
  ///   covariance = sum(w[x] (covariance[x] + a' b'))
  ///   ((2 mean(a) mean(b) + c1) / (mean(a)^2 + mean(b)^2 + c1)) ((2 covariance + c2) / (variance(a) + variance(b) + c2))
  /// `scratch`, aligned to 8 bytes, holds as many floats as similarity_scratch says.
  void (*similarities)(const cpk_similarity *how, float *out, const float *const *a, const float *const *b, size_t count,
                       float *scratch);
  size_t (*similarity_scratch)(size_t side, size_t count);

  // Filters of width * height values, of one channel or of pixels whose four channels lie together: the neighbors of a value are `step`
  // values from it, 1 or 4. `in` is the first value that the first pixel needs, so that a row has the columns that the reach of the filter
  // adds on both sides. Strides in floats; `scratch`, aligned to 64 bytes, holds as many floats as the function of the same name says,
  // which never fall as the width and the height grow. Where it `streams`, the result passes the caches; it is aligned to 64 bytes then, as
  // is its stride.

  /// The medians of the squares that reach `radius` values to each side. -0 lies below 0, and NaN above all numbers.
  void (*median)(float *out, ptrdiff_t out_stride, const float *in, ptrdiff_t in_stride, size_t width, size_t height,
                 size_t step, size_t radius, bool streams, float *scratch);
  size_t (*median_scratch)(size_t width, size_t step, size_t radius);

  /// The maxima, or minima, of the rectangles that reach `across` and `down` values to each side. -0 lies below 0, and NaN is passed over
  /// unless a rectangle holds nothing else.
  void (*extremes)(float *out, ptrdiff_t out_stride, const float *in, ptrdiff_t in_stride, size_t width, size_t height,
                   size_t step, size_t across, size_t down, bool maximum, bool streams, float *scratch);
  size_t (*extremes_scratch)(size_t width, size_t height, size_t step, size_t across, size_t down);

  /// The length of the gradient by Sobel's weights, which reach one value to each side. Every sum is rounded by itself.
  /// Alpha stays.
  void (*sobel)(float *out, ptrdiff_t out_stride, const float *in, ptrdiff_t in_stride, size_t width, size_t height,
                size_t step);

  /// The sum of the values that a table covers times its weights, row by row: a product, then fused multiply-adds. -0 where all weights
  /// are zero.
  void (*convolve)(float *out, ptrdiff_t out_stride, const float *in, ptrdiff_t in_stride, size_t width, size_t height,
                   size_t step, const cpk_table *table, bool streams);

  /// He's guided filter of one channel, its own guide, over rectangles that reach `across` and `down` values to each side; it reads
  /// twice as far.
  void (*guided)(float *out, ptrdiff_t out_stride, const float *in, ptrdiff_t in_stride, size_t width, size_t height,
                 size_t across, size_t down, double epsilon, float *scratch);
  size_t (*guided_scratch)(size_t width, size_t height, size_t across, size_t down);
} cpk_kernels;

/// The kernels in use: the best this machine has, or what the environment variable COLORLOOM_ISA names. Chosen once.
/// An unknown or unavailable name is ignored.
const cpk_kernels *cpk_active(void);

/// All kernels this machine can run, baseline first: for tests that compare them, and to list their names. Returns how many there are.
size_t cpk_available(const cpk_kernels **out, size_t capacity);

/// The number of bytes that cpk_thread_memory returns.
enum { CPK_THREAD_MEMORY = 20 * 1024 };

/// Memory of the calling thread, aligned to 64 bytes, for code that is called for each strip of pixels and must not allocate. What it
/// holds is lost when the caller returns, or calls other code that asks for it.
__attribute__((returns_nonnull)) void *cpk_thread_memory(void);

/// Half to float and back, one value, exactly as the kernels do it (round to nearest, ties to even).
float cpk_float_from_half(uint16_t half);
uint16_t cpk_half_from_float(float value);
