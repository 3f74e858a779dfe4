// Little CMS: CMYK to sRGB by a profile, and sRGB to Display P3.
#include <lcms2.h>

#include "peer.hpp"

namespace {

const std::string peer = "Little CMS " + std::to_string(cmsGetEncodedCMMversion() / 1000) + "." +
                         std::to_string(cmsGetEncodedCMMversion() / 10 % 100);

cmsHPROFILE rgb(double rx, double ry, double gx, double gy, double bx, double by) {
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE lights = {{rx, ry, 1}, {gx, gy, 1}, {bx, by, 1}};
  const cmsFloat64Number curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve *tone = cmsBuildParametricToneCurve(nullptr, 4, curve);
  cmsToneCurve *tones[] = {tone, tone, tone};
  return cmsCreateRGBProfile(&white, &lights, tones);
}

template <class Sample>
void transform(const Options &o, const std::vector<Sample> &source, int channels, cmsHPROFILE from, cmsUInt32Number form,
               cmsHPROFILE to, cmsUInt32Number result, cmsUInt32Number intent,
               const std::function<double(const std::vector<Sample> &)> &error, double limit) {
  std::vector<Sample> target((size_t)o.width * o.height * 4);
  cmsHTRANSFORM t = cmsCreateTransform(from, form, to, result, intent, cmsFLAGS_NOCACHE);
  if (!t) fail("Little CMS makes no such transform.");
  auto work = [&] {
    bands(o.threads, o.height, [&](int, int first, int end) {
      for (int y = first; y < end; y++)
        cmsDoTransform(t, &source[(size_t)y * o.width * channels], &target[(size_t)y * o.width * 4], o.width);
    });
  };
  run(o, peer, work, [&] { return error(target); }, limit);
}

double decode(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }
double encode(double v) { return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055; }

template <class Sample> double p3_error(const std::vector<Sample> &from, const std::vector<Sample> &to, double unit) {
  const double m[3][3] = {{0.8224619687143623, 0.1775380312856377, 0},
                          {0.0331941988509617, 0.9668058011490383, 0},
                          {0.0170826307211200, 0.0723974407239970, 0.9105199285548829}};
  double worst = 0;
  for (size_t i = 0; i < from.size(); i += 4 * 97)
    for (int k = 0; k < 3; k++) {
      double sum = 0;
      for (int j = 0; j < 3; j++) sum += m[k][j] * decode(from[i + j] / unit);
      worst = larger(worst, std::fabs(encode(sum) - to[i + k] / unit));
    }
  return worst;
}

/// A transform that is checked against itself without resampling of the chain: the same work to within two codes of 8 bits. Pixels of
/// the source have four channels.
template <class Sample>
void chain(const Options &o, const std::vector<Sample> &source, cmsHPROFILE from, cmsUInt32Number form, cmsHPROFILE to,
           cmsUInt32Number result, cmsUInt32Number intent, double unit, double limit) {
  cmsHTRANSFORM exact = cmsCreateTransform(from, form, to, TYPE_RGBA_FLT, intent, cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);
  if (!exact) fail("Little CMS makes no such transform.");
  auto error = [&](const std::vector<Sample> &target) {
    double worst = 0;
    for (size_t i = 0; i < source.size(); i += 4 * 9973) {
      float color[4];
      cmsDoTransform(exact, &source[i], color, 1);
      for (int k = 0; k < 3; k++) {
        const double right = std::clamp((double)color[k], 0.0, 1.0), found = std::clamp(target[i + k] / unit, 0.0, 1.0);
        worst = larger(worst, std::fabs(right - found));
      }
    }
    return worst;
  };
  transform<Sample>(o, source, 4, from, form, to, result, intent, error, limit);
}

/// CMYK to sRGB: the same inks as in Tests/Benchmarks/Tables.swift, made of codes of 8 bits.
template <class Sample>
void inks(const Options &o, cmsHPROFILE srgb, cmsUInt32Number from, cmsUInt32Number to, Sample (*sample)(int), double unit) {
  cmsHPROFILE press = cmsOpenProfileFromFile(o.profile.c_str(), "r");
  if (!press) fail("cannot read the profile " + o.profile);
  const auto colors = load<uint8_t>(o, "u8");
  std::vector<Sample> inks(colors.size());
  for (size_t i = 0; i < colors.size(); i += 4) {
    const int c = 255 - colors[i], m = 255 - colors[i + 1], k = 255 - colors[i + 2];
    const int codes[] = {c / 2, m / 2, k / 2, std::min({c, m, k}) / 2};
    for (int ink = 0; ink < 4; ink++) inks[i + ink] = sample(codes[ink]);
  }
  chain<Sample>(o, inks, press, from, srgb, to, INTENT_RELATIVE_COLORIMETRIC, unit, 2.5 / 255);
}

}  // namespace

int main(int count, char **words) {
  const Options o = options(count, words);
  cmsHPROFILE srgb = rgb(0.64, 0.33, 0.30, 0.60, 0.15, 0.06), p3 = rgb(0.680, 0.320, 0.265, 0.690, 0.150, 0.060);
  if (o.row == "cmyk-u8") {
    inks<uint8_t>(o, srgb, TYPE_CMYK_8, TYPE_RGBA_8, [](int code) { return (uint8_t)code; }, 255);
  } else if (o.row == "cmyk-u16") {
    inks<uint16_t>(o, srgb, TYPE_CMYK_16, TYPE_RGBA_16, [](int code) { return (uint16_t)(code * 257); }, 65535);
  } else if (o.row == "cmyk-f32") {
    // Little CMS counts ink of floats in percent.
    inks<float>(o, srgb, TYPE_CMYK_FLT, TYPE_RGBA_FLT, [](int code) { return (float)code / 2.55f; }, 1);
  } else if (o.row == "tables-srgb" || o.row == "srgb-tables") {
    const auto source = load<uint8_t>(o, "u8");
    cmsHPROFILE scanner = cmsOpenProfileFromFile((o.profile.substr(0, o.profile.rfind('/')) + "/rgb-mft2-lab-v2.icc").c_str(), "r");
    if (!scanner) fail("cannot read the profile rgb-mft2-lab-v2.icc");
    const bool reads = o.row == "tables-srgb";
    // Little CMS interpolates in one table that it makes of both profiles. Toward the scanner it is off by 5 codes.
    chain<uint8_t>(o, source, reads ? scanner : srgb, TYPE_RGBA_8, reads ? srgb : scanner, TYPE_RGBA_8,
                   cmsGetHeaderRenderingIntent(scanner), 255, 6.0 / 255);
  } else if (o.row == "srgb-p3-f32") {
    const auto source = load<float>(o, "f32");
    transform<float>(o, source, 4, srgb, TYPE_RGBA_FLT, p3, TYPE_RGBA_FLT, INTENT_RELATIVE_COLORIMETRIC,
                     [&](const auto &target) { return p3_error(source, target, 1); }, 1e-4);
  } else if (o.row == "srgb-p3-u8") {
    const auto source = load<uint8_t>(o, "u8");
    transform<uint8_t>(o, source, 4, srgb, TYPE_RGBA_8, p3, TYPE_RGBA_8, INTENT_RELATIVE_COLORIMETRIC,
                       [&](const auto &target) { return p3_error(source, target, 255); }, 3e-3);
  } else {
    fail("Little CMS has no row " + o.row + ".");
  }
}
