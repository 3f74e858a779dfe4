// zimg: Lanczos 3 of planar RGB to a quarter and to a half, also of sRGB bytes in linear light. Each thread makes a band of the result.
#include <zimg.h>

#include <array>
#include <deque>
#include <map>

#include "peer.hpp"

namespace {

struct Planes {
  int width, height;
  size_t stride;
  std::vector<void *> planes;

  Planes(int width, int height, int bytes) : width(width), height(height) {
    stride = ((size_t)width * bytes + 63) / 64 * 64;
    for (int k = 0; k < 3; k++) {
      planes.push_back(std::aligned_alloc(64, stride * height));
      std::memset(planes[k], 0, stride * height);
    }
  }
  Planes(Planes &&other) noexcept : width(other.width), height(other.height), stride(other.stride), planes(std::move(other.planes)) {
    other.planes.clear();
  }
  ~Planes() { for (void *plane : planes) std::free(plane); }
  template <class Sample> Sample *row(int k, int y) const { return (Sample *)((char *)planes[k] + stride * y); }
};

zimg_image_format format(int width, int height, zimg_pixel_type_e type, int depth) {
  zimg_image_format f;
  zimg_image_format_default(&f, ZIMG_API_VERSION);
  f.width = width;
  f.height = height;
  f.pixel_type = type;
  f.depth = depth;
  f.color_family = ZIMG_COLOR_RGB;
  f.matrix_coefficients = ZIMG_MATRIX_RGB;
  f.pixel_range = ZIMG_RANGE_FULL;
  return f;
}

/// The weights of one pixel of the result, and where they begin.
std::vector<double> lanczos(double scale, int index, int &start) {
  const double center = (index + 0.5) * scale;
  auto sinc = [](double x) { return x == 0 ? 1 : std::sin(M_PI * x) / (M_PI * x); };
  std::vector<double> weights;
  double sum = 0;
  start = (int)std::floor(center - 3 * scale);
  for (int i = start; i <= center + 3 * scale; i++) {
    const double x = (i + 0.5 - center) / scale;
    weights.push_back(std::fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0);
    sum += weights.back();
  }
  for (double &weight : weights) weight /= sum;
  return weights;
}

/// The colors of the image.
template <class Sample> void read(const Options &o, const char *form, const Planes &planes) {
  const auto image = load<Sample>(o, form);
  for (int y = 0; y < o.height; y++)
    for (int x = 0; x < o.width; x++)
      for (int k = 0; k < 3; k++) planes.row<Sample>(k, y)[x] = image[((size_t)y * o.width + x) * 4 + k];
}

/// The largest error at some places. The definition decodes fractions of `unit`, and encodes their weighted mean.
template <class Sample, class Decode, class Encode>
double worst(const Planes &source, const Planes &target, int divisor, double unit, Decode decode, Encode encode) {
  double worst = 0;
  for (int i = 0; i < 400; i++) {
    const int x = 20 + i * 7919 % (target.width - 40), y = 20 + i * 104729 % (target.height - 40), k = i % 3;
    int left, top;
    const auto across = lanczos(divisor, x, left), down = lanczos(divisor, y, top);
    double sum = 0;
    for (size_t b = 0; b < down.size(); b++)
      for (size_t a = 0; a < across.size(); a++)
        sum += across[a] * down[b] * decode(source.row<Sample>(k, top + (int)b)[left + (int)a] / unit);
    worst = larger(worst, std::fabs(encode(sum) - target.row<Sample>(k, y)[x] / unit));
  }
  return worst;
}

/// What PEERS_ISA allows.
zimg_cpu_type_e processor() {
  const char *isa = std::getenv("PEERS_ISA");
  return isa && !std::strcmp(isa, "avx2") ? ZIMG_CPU_X86_AVX2 : ZIMG_CPU_AUTO_64B;
}

std::string name() {
  unsigned version[3];
  zimg_get_version_info(&version[0], &version[1], &version[2]);
  return "zimg " + std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]);
}

template <class Sample>
void resize(const Options &o, const char *form, zimg_pixel_type_e type, double unit, int divisor, double limit) {
  Planes source(o.width, o.height, sizeof(Sample)), target(o.width / divisor, o.height / divisor, sizeof(Sample));
  read<Sample>(o, form, source);
  zimg_graph_builder_params parameters;
  zimg_graph_builder_params_default(&parameters, ZIMG_API_VERSION);
  parameters.resample_filter = ZIMG_RESIZE_LANCZOS;
  parameters.filter_param_a = 3;
  parameters.cpu_type = processor();
  struct Band { zimg_filter_graph *graph; void *memory; };
  std::vector<Band> graphs;
  for (int i = 0; i < o.threads; i++) {
    const int first = (int)((long)target.height * i / o.threads), end = (int)((long)target.height * (i + 1) / o.threads);
    zimg_image_format from = format(o.width, o.height, type, 8 * sizeof(Sample));
    zimg_image_format to = format(target.width, end - first, type, 8 * sizeof(Sample));
    from.active_region = {0, (double)first * divisor, (double)o.width, (double)(end - first) * divisor};
    zimg_filter_graph *graph = zimg_filter_graph_build(&from, &to, &parameters);
    size_t bytes = 0;
    if (!graph || zimg_filter_graph_get_tmp_size(graph, &bytes)) fail("zimg refuses the graph.");
    graphs.push_back({graph, std::aligned_alloc(64, (bytes + 63) / 64 * 64)});
  }
  auto work = [&] {
    bands(o.threads, target.height, [&](int index, int first, int) {
      zimg_image_buffer_const from = {ZIMG_API_VERSION};
      zimg_image_buffer to = {ZIMG_API_VERSION};
      for (int k = 0; k < 3; k++) {
        from.plane[k] = {source.planes[k], (ptrdiff_t)source.stride, ZIMG_BUFFER_MAX};
        to.plane[k] = {target.row<Sample>(k, first), (ptrdiff_t)target.stride, ZIMG_BUFFER_MAX};
      }
      zimg_filter_graph_process(graphs[index].graph, &from, &to, graphs[index].memory, 0, 0, 0, 0);
    });
  };
  auto limited = [&](double x) { return unit > 1 ? std::min(std::max(x, 0.0), 1.0) : x; };
  auto error = [&] { return worst<Sample>(source, target, divisor, unit, [](double x) { return x; }, limited); };
  run(o, name(), work, error, limit);
}

double decoded(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }

double encoded(double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055; }

zimg_image_format lightFormat(int width, int height, bool isLight) {
  zimg_image_format f = format(width, height, isLight ? ZIMG_PIXEL_FLOAT : ZIMG_PIXEL_BYTE, isLight ? 32 : 8);
  f.transfer_characteristics = isLight ? ZIMG_TRANSFER_LINEAR : ZIMG_TRANSFER_IEC_61966_2_1;
  f.color_primaries = ZIMG_PRIMARIES_BT709;
  return f;
}

/// A band of result rows, and the rows of the source that it is made of. `above` of those lie above its first one.
struct LightBand {
  int first, count, top, rows, above;
  LightBand(int first, int height, int divisor) : first(first), count(std::min(bandRows, height - first)) {
    top = std::max(0, (first - 3) * divisor);
    rows = std::min(height, first + count + 3) * divisor - top;
    above = first * divisor - top;
  }
  static constexpr int bandRows = 32;
};

/// Decoding, resizing and encoding of bands of one shape. Threads share them.
struct LightSteps {
  zimg_filter_graph *graphs[3];
  size_t bytes = 0;

  LightSteps(const LightBand &band, int width, int divisor) {
    zimg_graph_builder_params parameters;
    zimg_graph_builder_params_default(&parameters, ZIMG_API_VERSION);
    parameters.resample_filter = ZIMG_RESIZE_LANCZOS;
    parameters.filter_param_a = 3;
    parameters.cpu_type = processor();
    parameters.allow_approximate_gamma = 1;
    const zimg_image_format source = lightFormat(width, band.rows, false), light = lightFormat(width, band.rows, true);
    const zimg_image_format small = lightFormat(width / divisor, band.count, true);
    const zimg_image_format target = lightFormat(width / divisor, band.count, false);
    zimg_image_format part = light;
    part.active_region = {0, (double)band.above, (double)width, (double)band.count * divisor};
    const zimg_image_format *pairs[3][2] = {{&source, &light}, {&part, &small}, {&small, &target}};
    for (int step = 0; step < 3; step++) {
      graphs[step] = zimg_filter_graph_build(pairs[step][0], pairs[step][1], &parameters);
      size_t needed = 0;
      if (!graphs[step] || zimg_filter_graph_get_tmp_size(graphs[step], &needed)) fail("zimg refuses the graph.");
      bytes = std::max(bytes, (needed + 63) / 64 * 64);
    }
  }
};

/// Runs a step from a row of planes on to a row of other ones.
void process(zimg_filter_graph *graph, const Planes &source, int from_row, const Planes &target, int to_row, void *memory) {
  zimg_image_buffer_const from = {ZIMG_API_VERSION};
  zimg_image_buffer to = {ZIMG_API_VERSION};
  for (int k = 0; k < 3; k++) {
    from.plane[k] = {source.row<char>(k, from_row), (ptrdiff_t)source.stride, ZIMG_BUFFER_MAX};
    to.plane[k] = {target.row<char>(k, to_row), (ptrdiff_t)target.stride, ZIMG_BUFFER_MAX};
  }
  if (zimg_filter_graph_process(graph, &from, &to, memory, 0, 0, 0, 0)) fail("zimg fails.");
}

/// sRGB bytes, resized in linear light. zimg resizes before or after it decodes, whichever has fewer pixels, so that decoding, resizing and
/// encoding take a graph each. Each thread makes bands of the result, so that the floats between are few enough for its cache.
void resizeLight(const Options &o, int divisor) {
  Planes source(o.width, o.height, 1), target(o.width / divisor, o.height / divisor, 1);
  read<uint8_t>(o, "u8", source);
  std::vector<LightBand> all;
  // Bands away from the edges have one shape.
  std::map<std::array<int, 3>, LightSteps> steps;
  size_t bytes = 0;
  int rows = 0;
  for (int first = 0; first < target.height; first += LightBand::bandRows) {
    const LightBand band(first, target.height, divisor);
    all.push_back(band);
    bytes = std::max(bytes, steps.try_emplace({band.count, band.rows, band.above}, band, o.width, divisor).first->second.bytes);
    rows = std::max(rows, band.rows);
  }
  struct Scratch {
    Planes light, small;
    void *memory;
  };
  std::deque<Scratch> scratch;
  for (int i = 0; i < o.threads; i++) {
    scratch.push_back({Planes(o.width, rows, sizeof(float)), Planes(target.width, LightBand::bandRows, sizeof(float)),
                       std::aligned_alloc(64, bytes)});
  }
  auto work = [&] {
    bands(o.threads, (int)all.size(), [&](int index, int first, int end) {
      Scratch &own = scratch[index];
      for (int i = first; i < end; i++) {
        const LightBand &band = all[i];
        const LightSteps &step = steps.at({band.count, band.rows, band.above});
        process(step.graphs[0], source, band.top, own.light, 0, own.memory);
        process(step.graphs[1], own.light, 0, own.small, 0, own.memory);
        process(step.graphs[2], own.small, 0, target, band.first, own.memory);
      }
    });
  };
  auto limited = [](double x) { return encoded(std::min(std::max(x, 0.0), 1.0)); };
  auto error = [&] { return worst<uint8_t>(source, target, divisor, 255, decoded, limited); };
  run(o, name(), work, error, 4e-3);
}

}  // namespace

int main(int count, char **words) {
  const Options o = options(count, words);
  for (int divisor : {2, 4}) {
    const std::string row = "lanczos-" + std::to_string(divisor);
    if (o.row == row) return resize<float>(o, "f32", ZIMG_PIXEL_FLOAT, 1, divisor, 1e-6), 0;
    if (o.row == row + "-u16") return resize<uint16_t>(o, "u16", ZIMG_PIXEL_WORD, 65535, divisor, 2e-3), 0;
    if (o.row == row + "-light") return resizeLight(o, divisor), 0;
    if (o.row == row + "-u8") return resize<uint8_t>(o, "u8", ZIMG_PIXEL_BYTE, 255, divisor, 4e-3), 0;
  }
  fail("zimg has no row " + o.row + ".");
}
