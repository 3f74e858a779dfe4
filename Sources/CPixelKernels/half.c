// IEEE 754 binary16 to binary32 and back, one value at a time.
#include "pixel_kernels.h"

float cpk_float_from_half(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fff;
  uint32_t bits;
  if (magnitude < 0x400) {  // zero and subnormals: a multiple of 2^-24
    const float value = (float)magnitude * 0x1p-24f;
    __builtin_memcpy(&bits, &value, sizeof bits);
  } else if (magnitude < 0x7c00) {
    bits = (magnitude << 13) + ((127 - 15) << 23);
  } else {  // infinity, or a NaN made quiet
    bits = 0x7f800000 | magnitude << 13 | (magnitude > 0x7c00 ? 0x400000 : 0);
  }
  bits |= sign;
  float result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}

uint16_t cpk_half_from_float(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  uint32_t half;
  if (magnitude > 0x7f800000) {  // a NaN made quiet, with the upper part of its payload
    half = 0x7e00 | (magnitude >> 13 & 0x1ff);
  } else if (magnitude >= 0x477ff000) {  // 65520, half way from the largest value to 2^16, and all above
    half = 0x7c00;
  } else if (magnitude >= 0x38800000) {  // 2^-14; the carry out of the mantissa goes where it belongs
    half = (magnitude - ((127 - 15) << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  } else {  // in 0.5...1 a float's last place is 2^-24, a half's least value: the addition rounds
    float shifted;
    __builtin_memcpy(&shifted, &magnitude, sizeof shifted);
    shifted += 0.5f;
    __builtin_memcpy(&half, &shifted, sizeof half);
    half -= 0x3f000000;
  }
  return (uint16_t)(sign | half);
}
