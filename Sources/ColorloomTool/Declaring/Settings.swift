import Colorloom

/// The options that every verb has. They may stand before its name too.
struct Settings {
  var threads: Int?
  var tile: PixelSize?
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
        .flag("--quiet", "show no progress", \.isQuiet),
        .flag("--help", "explain the verb", \.showsHelp),
      ])
  }

  static var synopses: [ArgumentSynopsis] { arguments.map(\.synopsis) }

  var renderOptions: RenderOptions {
    var options = RenderOptions()
    (options.threads, options.tile) = (threads, tile)
    return options
  }
}
