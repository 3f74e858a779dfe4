import Colorloom
import ImageFiles

/// The options that every verb has. They may stand before its name too.
struct Settings: Sendable {
  var threads: Int?
  var tile: PixelSize?
  var memory: Int?
  var pixelLimit: Int?
  var isQuiet = false
  var showsHelp = false

  static var arguments: [Argument<Settings>] {
    Argument.under(
      "For every verb",
      [
        .option(
          "--threads", .wholeNumber(from: 1), "work on so many threads; all cores if not given",
          \.threads),
        .option("--tile", .box, "compute so many pixels at a time; no pixel depends on it", \.tile),
        .option(
          "--memory", .wholeNumber(from: 1, to: .max).named("BYTES"),
          "refuse what would take more memory; no limit if not given", \.memory),
        .option(
          "--max-pixels", .wholeNumber(from: 1, to: 1 << 40),
          "refuse pictures of more pixels, and files of more than 16 bytes for each; 1073741824 if not given",
          \.pixelLimit),
        .flag("--quiet", "show no progress", \.isQuiet),
        .flag("--help", "explain the verb", \.showsHelp),
      ])
  }

  static var synopses: [ArgumentSynopsis] { arguments.map(\.synopsis) }

  var renderOptions: RenderOptions {
    var options = RenderOptions()
    (options.threads, options.tile, options.memoryLimit) = (threads, tile, memory)
    options.pixelLimit = pixelLimit ?? options.pixelLimit
    return options
  }

  var fileLimits: FileLimits {
    guard let pixelLimit else { return FileLimits() }
    // A pixel of four floats has 16 bytes.
    return FileLimits(pixels: pixelLimit, bytes: max(FileLimits().bytes, 16 * pixelLimit))
  }
}
