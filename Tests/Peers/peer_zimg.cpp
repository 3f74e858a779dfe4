// zimg: Lanczos 3 of planar RGB to a quarter and to a half, also of sRGB bytes in linear light. Each thread makes a band of the result.
#include <zimg.h>

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
    worst = std::max(worst, std::fabs(encode(sum) - target.row<Sample>(k, y)[x] / unit));
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

/// sRGB bytes, resized in linear light. zimg resizes before or after it decodes, whichever has fewer pixels, so that decoding, resizing and
/// encoding take a graph each, with planes of floats between.
void resizeLight(const Options &o, int divisor) {
  Planes source(o.width, o.height, 1), light(o.width, o.height, sizeof(float));
  Planes small(o.width / divisor, o.height / divisor, sizeof(float)), target(small.width, small.height, 1);
  read<uint8_t>(o, "u8", source);
  zimg_graph_builder_params parameters;
  zimg_graph_builder_params_default(&parameters, ZIMG_API_VERSION);
  parameters.resample_filter = ZIMG_RESIZE_LANCZOS;
  parameters.filter_param_a = 3;
  parameters.cpu_type = processor();
  parameters.allow_approximate_gamma = 1;
  struct Pass { const Planes *from, *to; zimg_filter_graph *graph; void *memory; };
  std::vector<Pass> passes;
  const Planes *planes[] = {&source, &light, &small, &target};
  for (int i = 0; i < o.threads; i++)
    for (int step = 0; step < 3; step++) {
      auto described = [&](int index) {
        const bool isLight = index == 1 || index == 2;
        const int height = planes[index]->height;
        const int first = (int)((long)height * i / o.threads), end = (int)((long)height * (i + 1) / o.threads);
        zimg_image_format f = format(planes[index]->width, index < 2 && step == 1 ? height : end - first,
                                     isLight ? ZIMG_PIXEL_FLOAT : ZIMG_PIXEL_BYTE, isLight ? 32 : 8);
        f.transfer_characteristics = isLight ? ZIMG_TRANSFER_LINEAR : ZIMG_TRANSFER_IEC_61966_2_1;
        f.color_primaries = ZIMG_PRIMARIES_BT709;
        if (step == 1 && index == 1)
          f.active_region = {0, (double)height * i / o.threads, (double)f.width, (double)height / o.threads};
        return f;
      };
      const zimg_image_format from = described(step), to = described(step + 1);
      zimg_filter_graph *graph = zimg_filter_graph_build(&from, &to, &parameters);
      size_t bytes = 0;
      if (!graph || zimg_filter_graph_get_tmp_size(graph, &bytes)) fail("zimg refuses the graph.");
      passes.push_back({planes[step], planes[step + 1], graph, std::aligned_alloc(64, (bytes + 63) / 64 * 64)});
    }
  auto work = [&] {
    for (int step = 0; step < 3; step++)
      bands(o.threads, o.threads, [&](int index, int, int) {
        const Pass &pass = passes[index * 3 + step];
        const long first = step == 1 ? 0 : (long)pass.from->height * index / o.threads;
        zimg_image_buffer_const from = {ZIMG_API_VERSION};
        zimg_image_buffer to = {ZIMG_API_VERSION};
        for (int k = 0; k < 3; k++) {
          from.plane[k] = {pass.from->row<char>(k, (int)first), (ptrdiff_t)pass.from->stride, ZIMG_BUFFER_MAX};
          to.plane[k] = {pass.to->row<char>(k, (int)((long)pass.to->height * index / o.threads)), (ptrdiff_t)pass.to->stride,
                         ZIMG_BUFFER_MAX};
        }
        zimg_filter_graph_process(pass.graph, &from, &to, pass.memory, 0, 0, 0, 0);
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
