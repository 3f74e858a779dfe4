// Makes luminance-chroma.exr, and luminance-chroma-rgb.exr from what OpenEXR's own RgbaInputFile reads of it:
//
//   g++ -I/usr/include/Imath -I/usr/include/OpenEXR Fixtures/Images/luminance_chroma.cpp -lOpenEXR -o /tmp/luminance_chroma
//   /tmp/luminance_chroma Fixtures/Images
//
// needs libopenexr-dev. The picture is computed here and nobody's property (CC0): saturated fields with hard edges, at which interpolated chroma
// exceeds its bounds, and alpha.

#include <ImfArray.h>
#include <ImfHeader.h>
#include <ImfRgbaFile.h>
#include <ImfStandardAttributes.h>

#include <string>

using namespace Imf;
using namespace Imath;

int main(int, char **arguments) {
  const int width = 40, height = 36, left = -4, top = -6;
  const Box2i display(V2i(0, 0), V2i(width - 1, height - 1));
  const Box2i data(V2i(left, top), V2i(left + width - 1, top + height - 1));
  Header header(display, data);
  header.compression() = PIZ_COMPRESSION;
  // ACEScg.
  addChromaticities(
      header, Chromaticities(V2f(0.713f, 0.293f), V2f(0.165f, 0.83f), V2f(0.128f, 0.044f), V2f(0.32168f, 0.33767f)));
  Array2D<Rgba> pixels(height, width);
  unsigned state = 1;
  auto random = [&state] { return ((state = state * 1664525 + 1013904223) >> 8) / 16777216.0f; };
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const int field = (x / 5 + y / 7) % 4;
      const float red = random(), green = random(), blue = random();
      pixels[y][x] = Rgba(
          field == 0 ? 4 * red : field == 3 ? 0.3f * red : 0, field == 1 ? green : field == 3 ? 0.3f * green : 0,
          field == 2 ? 30 * blue : field == 3 ? 0.3f * blue : 0, random());
    }
  }
  const std::string folder = arguments[1], file = folder + "/luminance-chroma.exr";
  const ptrdiff_t origin = left + (ptrdiff_t)top * width;
  {
    RgbaOutputFile output(file.c_str(), header, WRITE_YCA);
    output.setFrameBuffer(&pixels[0][0] - origin, 1, width);
    output.writePixels(height);
  }
  RgbaInputFile input(file.c_str());
  input.setFrameBuffer(&pixels[0][0] - origin, 1, width);
  input.readPixels(data.min.y, data.max.y);
  header.compression() = ZIP_COMPRESSION;
  RgbaOutputFile output((folder + "/luminance-chroma-rgb.exr").c_str(), header, WRITE_RGBA);
  output.setFrameBuffer(&pixels[0][0] - origin, 1, width);
  output.writePixels(height);
}
