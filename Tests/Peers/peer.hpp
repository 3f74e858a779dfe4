// What the peers in C++ share: the images, timing, and the line of JSON that `compare` reads.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

struct Options {
  std::string row, size = "24m", data, profile;
  int threads = 1, repetitions = 3, width = 6000, height = 4000;
};

inline Options options(int count, char **words) {
  Options o;
  if (count > 1) o.row = words[1];
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string name = words[i], value = words[i + 1];
    if (name == "--size") o.size = value;
    if (name == "--threads") o.threads = std::stoi(value);
    if (name == "--reps") o.repetitions = std::stoi(value);
    if (name == "--data") o.data = value;
    if (name == "--profile") o.profile = value;
  }
  if (o.size == "1m") o.width = o.height = 1000;
  if (o.size == "12m") o.width = 4000, o.height = 3000;
  return o;
}

[[noreturn]] inline void fail(const std::string &text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(1);
}

/// The raw image of a format, RGBA interleaved.
template <class Sample> std::vector<Sample> load(const Options &o, const char *form) {
  std::vector<Sample> image((size_t)o.width * o.height * 4);
  const std::string path = o.data + "/rgba_" + form + "_" + o.size + ".raw";
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file || std::fread(image.data(), sizeof(Sample), image.size(), file) != image.size()) fail("cannot read " + path);
  std::fclose(file);
  return image;
}

/// Calls body(index, first, end) for bands of `height` rows, one for each thread.
inline void bands(int threads, int height, const std::function<void(int, int, int)> &body) {
  if (threads == 1) return body(0, 0, height);
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; i++)
    workers.emplace_back(body, i, (int)((long)height * i / threads), (int)((long)height * (i + 1) / threads));
  for (auto &worker : workers) worker.join();
}

/// The larger of the largest error so far and another one. NaN is infinitely wrong, where std::max would ignore it.
inline double larger(double worst, double error) { return std::isnan(error) ? INFINITY : std::max(worst, error); }

/// Checks the work's largest error, times it, and prints the line.
inline void run(const Options &o, const std::string &peer, const std::function<void()> &work,
                const std::function<double()> &error, double limit) {
  work();
  const double wrong = error();
  std::string times, processors;
  for (int i = 0; wrong <= limit && i < o.repetitions; i++) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t before = std::clock();
    work();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    times += (i ? ", " : "") + std::to_string(time.count());
    processors += (i ? ", " : "") + std::to_string(1e3 * (double)(std::clock() - before) / CLOCKS_PER_SEC);
  }
  // Python reads “Infinity” in JSON, not “inf”.
  char text[32] = "Infinity";
  if (std::isfinite(wrong)) std::snprintf(text, sizeof text, "%.3g", wrong);
  std::printf("{\"peer\": \"%s\", \"error\": %s, \"limit\": %.3g, \"ms\": [%s], \"cpu_ms\": [%s]}\n", peer.c_str(),
              text, limit, times.c_str(), processors.c_str());
}
