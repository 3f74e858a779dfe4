// Reading camera raw files by libraw, whose state is a structure of megabytes that Swift would copy.

#ifndef COLORLOOM_CRAW_H
#define COLORLOOM_CRAW_H

// The module of libraw: importing this header links it.
#include "../../CLibRAW/shim.h"

#include <stddef.h>
#include <stdint.h>

typedef struct craw_reader craw_reader;

/// What a file says before its pixels.
typedef struct craw_header {
  /// The size of the picture, before it is turned.
  uint32_t width, height;
  /// Bits: 1 mirrors columns, 2 rows, 4 swaps both.
  int32_t flip;
  /// How many colors the sensor has, and whether each pixel has one of them only.
  int32_t colors, is_mosaic;
  /// The white balance of the shot: the factors of red, green and blue that make its illuminant neutral; 0 where they are not stated.
  float as_shot[3];
  /// From XYZ to the camera's red, green and blue; 0 where it is not known.
  double xyz_to_camera[3][3];
  char maker[64], model[64];
} craw_header;

/// A reader of bytes that outlive it, which refuses raw values of more mebibytes than the limit; NULL without memory.
craw_reader *craw_reader_create(const uint8_t *bytes, size_t count, uint32_t limit_in_mebibytes);
void craw_reader_destroy(craw_reader *reader);

/// Reads the header. Returns 0, or an error of libraw.
int craw_reader_begin(craw_reader *reader, craw_header *header);

/// The peak memory of decoding in bytes, beside the file.
double craw_reader_bytes(const craw_reader *reader, int halves);

/// A picture that was unpacked and demosaiced.
typedef struct craw_picture {
  uint32_t width, height;
  /// What makes 65535 the light between the black and the white level of each color, before the balance.
  float ranges[3];
} craw_picture;

/// Unpacks and demosaics: linear values of the camera, without black, times factors of which the largest becomes 1. With `halves` four
/// pixels of a mosaic become one. Returns 0, or an error of libraw.
int craw_reader_decode(
    craw_reader *reader, const float factors[3], int halves, craw_picture *picture);

/// A row of the decoded picture: four values of 16 bits for each pixel, of which the first three count.
const uint16_t *craw_reader_row(const craw_reader *reader, uint32_t row);

/// What libraw calls an error.
const char *craw_message(int error);

#endif
