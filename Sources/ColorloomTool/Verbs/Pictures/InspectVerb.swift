import ColorSpaces
import Colorloom
import ICCProfiles
import ImageFiles

final class InspectVerb: Verb {
  static let name = "inspect"
  static let summary = "report the content of a picture, or describe an ICC profile"
  static let discussion = """
    The named space that a profile means is given with the largest color difference (CIEDE2000) between the two. Coverage is the part of \
    a named gamut that lies inside the profile's gamut, in u′v′ and in Lab. The plot is the CIE 1976 diagram with the triangles of sRGB, \
    Display P3 and Rec. 2020, named by a legend. With --scan it only tests whether the picture has colors outside of the sRGB gamut, \
    reads no further than the first one, and exits with 0 for yes and 1 for no, as for a file that cannot be read: only “no” has a report \
    with --json. The plot of a profile shows its gamut in u′v′ and in slices of Lab beside that of a reference space, its curves, the \
    values of its neutral axis, and how far colors come back from its tables; it is SVG where its name ends in .svg. Of CMYK and n-color \
    files the total area coverage is measured, and the mean and the largest coverage of each ink. A color counts as out of gamut if \
    neither the rounding of the file's samples nor, for JPEG, the loss by its quantization tables explains it; the answer names this \
    tolerance. --colors clusters the visible pixels in Oklab, weighted by alpha, and prints each color as CSS: hexadecimal in the gamut of \
    sRGB, and such as “color(display-p3 …)” outside of it.
    """
  static let example = "colorloom inspect photo.png --json"
  static var arguments: [Argument<InspectVerb>] {
    [
      .positional(.path, "the picture, or a profile that ends in .icc or .icm", \.path),
      .assume(\.assumed).excluding("--extract-profile"),
      .page(\.page),
      .layerName(\.layer),
      .option(
        "--plot", .path.named("OUT"),
        "write a chromaticity diagram of the colors; of a profile, a picture or SVG of its gamut and curves",
        \.plot
      ).excluding("--scan", "--extract-profile"),
      .option(
        "--reference", .space,
        "color space to compare with in the plot of a profile; default: sRGB", \.reference
      ).needing("--plot"),
      .option(
        "--extract-profile", .path.named("OUT"),
        "write the ICC profile of the picture to a file, byte for byte, and read no pixel",
        \.extracted),
      .option(
        "--limit", .number.named("PERCENT"),
        "the total area coverage above which pixels of ink channels are counted; default: 300",
        \.limit
      ).excluding("--scan", "--extract-profile"),
      .option(
        "--colors", .wholeNumber(from: 1, to: 256).named("N"),
        "also list at most N dominant colors, 1 to 256, with their fractions of the pixels; default: none",
        \.colorCount
      ).excluding("--scan", "--extract-profile"),
      .flag("--scan", "only report whether the picture needs wide color", \.scans)
        .excluding("--extract-profile"),
      .flag("--json", "print the findings as a JSON object", \.printsJSON),
    ]
  }

  var plot: String?
  var reference: ColorSpace?
  var extracted: String?
  var limit: Double?
  /// How many dominant colors are listed at most; nil for none.
  var colorCount: Int?
  var scans = false
  var path = ""
  var assumed: Assumption?
  var page: Int?
  var layer: String?
  var printsJSON = false

  private static let gamuts = [ColorSpace.sRGB, .displayP3, .rec2020]

  private struct Report: NotingReport {
    let head: FileReport
    /// The total area coverage of ink channels.
    let coverage: CoverageReport?
    /// Nil for ink channels without a profile, whose colors are unknown.
    let findings: Findings?

    var notes: [String] { head.notes }

    /// Encodes the properties of all parts side by side.
    func encode(to encoder: any Encoder) throws {
      try head.encode(to: encoder)
      try coverage?.encode(to: encoder)
      try findings?.encode(to: encoder)
    }
  }

  private struct Findings: Encodable {
    /// The color space of the values, stated or assumed.
    let space: String
    /// Whether some colors are out of the gamut of sRGB, other than by a luminance above white, which no gamut holds.
    let needsWideColor: Bool
    /// The tolerance of out-of-gamut colors.
    let tolerance: String
    let outside: [Outside]
    let numbers: [Numbers]
    /// The dominant colors, where --colors asks for them.
    let colors: [PaletteColor]?

    struct Outside: Encodable {
      let gamut: String
      /// The part of the pixels, 0…1, that is out of the gamut.
      let part: Double
    }

    struct Numbers: Encodable {
      let channel: String
      let minimum, mean, maximum: Double
      /// A histogram with 256 bins over 0…1; missing for alpha.
      let histogram: [Int]?
    }
  }

  private struct Scan: Encodable {
    let file: String
    let needsWideColor: Bool
    /// The tolerance of out-of-gamut colors.
    let tolerance: String
    /// The position of the first out-of-gamut pixel.
    let at: [Int]?
  }

  func run(in session: Session) throws {
    var uses = FileUses(reading: [path])
    try uses.add("--plot", plot)
    try uses.add("--extract-profile", extracted)
    for target in [plot, extracted].compactMap(\.self) where isStandardOutput(target) {
      throw Misuse("Name a file, not “\(target)”: standard output tells what was found.")
    }
    if ICCProfile.isPath(path) { return try inspectProfile(in: session) }
    try checkPictureOptions(in: session)
    let progress = session.progressLine()
    let file = try session.open(path, page: page, layer: layer, assuming: assumed)
    let info = file.info
    if let extracted { return try extractProfile(of: info, to: extracted, in: session) }
    let inkCoverage = try coverage(of: file, in: session, progress)
    if inkCoverage != nil, info.profile == nil, assumed?.inks == nil, plot == nil,
      colorCount == nil
    {
      progress.clear()
      return report(
        Report(head: FileReport(info, of: path), coverage: inkCoverage, findings: nil),
        in: session)
    }
    let picture = try session.picture(in: file, at: path, assuming: assumed, page: page)
    var options = session.settings.renderOptions
    options.progress = progress.report("looking at", "\(picture.size) pixels")
    if scans { return try scan(picture, options, in: session, progress) }
    let findings = try self.findings(of: picture, options, in: session, progress)
    progress.clear()
    report(
      Report(head: FileReport(info, of: path), coverage: inkCoverage, findings: findings),
      in: session)
  }

  /// Describes a profile.
  private func inspectProfile(in session: Session) throws {
    if extracted != nil || limit != nil || colorCount != nil || scans || assumed != nil
      || page != nil
      || layer != nil
    {
      throw Misuse(
        "“\(path)” is a profile; --extract-profile, --limit, --colors, --scan, --assume, --page and --layer-name "
          + "need a picture.")
    }
    if let plot, !plot.lowercased().hasSuffix(".svg"), ImageFileFormat(ofFileNamed: plot) == nil {
      throw Misuse(
        "“--plot \(plot)” needs the ending .svg, or that of a picture format, one of \(ImageFileFormat.endings)."
      )
    }
    let profile = try ICCProfile(contentsOf: path)
    if let plot { try checkWriting(to: plot) }
    if let plot { try write(ProfilePlot(profile, beside: reference ?? .sRGB), to: plot, session) }
    let report = ProfileReport(profile)
    if printsJSON { session.print(json: report) } else { report.lines.forEach(session.print) }
  }

  /// Throws where options do not suit a picture.
  private func checkPictureOptions(in session: Session) throws {
    if reference != nil {
      throw Misuse("“--reference” belongs to the plot of a profile, and “\(path)” is none.")
    }
    if let plot, ImageFileFormat(ofFileNamed: plot) == nil {
      throw Misuse(
        "“--plot \(plot)” needs the ending of a picture format, one of \(ImageFileFormat.endings); only the plot of a profile "
          + "can be .svg.")
    }
    if let plot {
      let output = PictureOutput()
      try output.check(
        [output.file(Picture(BlankRows(size: PixelSize(1, 1))), at: plot)], in: session)
    }
  }

  /// Says where the first out-of-gamut pixel is.
  private func scan(
    _ picture: Picture, _ options: RenderOptions, in session: Session, _ progress: ProgressLine
  ) throws {
    let place = try picture.brightnessReduced.firstPixel(outside: .sRGB, options: options)
    progress.clear()
    printScan(place, picture.precisionInWords, in: session)
  }

  /// Measures the colors of a picture, and writes their plot.
  private func findings(
    of picture: Picture, _ options: RenderOptions, in session: Session, _ progress: ProgressLine
  ) throws -> Findings {
    let (statistics, coverage, histogram) = try picture.reduced(
      by: Statistics(domain: .encoded), GamutCoverage(of: Self.gamuts), Histogram(),
      options: options)
    let needsWideColor =
      try coverage.outside[0] > 0
      && picture.brightnessReduced.firstPixel(outside: .sRGB, options: options) != nil
    if let plot {
      try PictureOutput().write(
        Picture(LabeledDiagram(of: picture, options: options).bitmap), to: plot, in: session,
        progress: progress)
    }
    let colors = try colorCount.map { count in
      try PaletteColor.palette(of: picture, count: count, options: options)
    }
    return Findings(
      space: picture.space.name, needsWideColor: needsWideColor,
      tolerance: picture.precisionInWords,
      outside: zip(Self.gamuts, coverage.fractionsOutside).map {
        Findings.Outside(gamut: $0.name, part: $1)
      },
      numbers: numbers(of: picture, statistics, histogram), colors: colors)
  }

  private func report(_ report: Report, in session: Session) {
    if printsJSON { session.print(json: report) } else { print(report, in: session) }
  }

  /// Returns the statistics of the color channels of visible pixels, and of alpha where the picture may be transparent.
  private func numbers(
    of picture: Picture, _ found: Statistics.Value, _ histogram: Histogram.Counts
  ) -> [Findings.Numbers] {
    let channels = found.count == 0 ? [] : ["red", "green", "blue"]
    let alpha = Findings.Numbers(
      channel: "alpha", minimum: found.leastAlpha, mean: found.meanAlpha,
      maximum: found.greatestAlpha, histogram: nil)
    return channels.enumerated().map { channel, name in
      Findings.Numbers(
        channel: name, minimum: found.least[channel], mean: found.mean[channel],
        maximum: found.greatest[channel],
        histogram: (0..<histogram.steps).map { histogram[channel, $0] })
    } + (picture.hasAlpha ? [alpha] : [])
  }

  private func printScan(_ place: Offset?, _ tolerance: String, in session: Session) {
    if printsJSON {
      session.print(
        json: Scan(
          file: path, needsWideColor: place != nil, tolerance: tolerance,
          at: place.map { [$0.x, $0.y] }))
    } else {
      let answer = place.map { "yes, the first is at \($0.x), \($0.y)" } ?? "no"
      session.print("\(path): needs wide color: \(answer) (tolerance: \(tolerance))")
    }
    if place == nil { session.fail() }
  }

  /// Returns a histogram as a line of 32 bars.
  private func bars(_ histogram: [Int]) -> String {
    let heights = stride(from: 0, to: histogram.count, by: 8).map { start in
      histogram[start..<start + 8].reduce(0, +)
    }
    let most = max(heights.max() ?? 1, 1)
    let letters = Array("▁▂▃▄▅▆▇█")
    return String(
      heights.map { $0 == 0 ? " " : letters[min($0 * letters.count / most, letters.count - 1)] })
  }

  private func print(_ report: Report, in session: Session) {
    let head = report.head
    session.print("\(head.file): \(head.format), \(head.storage)")
    session.print("size: \(head.width) × \(head.height), orientation \(head.orientation)")
    session.print("samples: \(head.samples) \(head.channels)")
    session.print("color: \(head.stated)")
    if let profile = head.profile { session.print("profile: \(profile)") }
    if head.pages > 1 { session.print("page: \(head.page) of \(head.pages)") }
    if let animation = head.animation { session.print("shown: \(animation.summary)") }
    if let map = head.gainMap { session.print("gain map: \(map.summary)") }
    for (name, count) in [
      ("EXIF", head.metadata.exifBytes), ("XMP", head.metadata.xmpBytes),
      ("IPTC", head.metadata.iptcBytes), ("Photoshop resources", head.metadata.photoshopBytes),
    ] {
      if let count { session.print("metadata: \(count) bytes of \(name)") }
    }
    if head.metadata.statesLocation {
      session.print(
        "metadata: states a location, which “colorloom convert --strip=location” leaves out")
    }
    for (keyword, text) in head.metadata.text.sorted(by: { $0.key < $1.key }) {
      session.print("text: \(keyword): \(text)")
    }
    if let resolution = head.metadata.pixelsPerInch {
      session.print("resolution: \(resolution[0]) × \(resolution[1]) pixels per inch")
    }
    if let light = head.metadata.contentLight {
      session.print("content light: up to \(light[0]) cd/m², frames on average \(light[1])")
    }
    if let range = head.metadata.masteringLuminance {
      session.print("mastering display: \(range[0]) to \(range[1]) cd/m²")
    }
    for line in report.coverage?.lines ?? [] { session.print(line) }
    guard let findings = report.findings else { return }
    session.print(
      "needs wide color: \(findings.needsWideColor ? "yes" : "no") (tolerance: \(findings.tolerance))"
    )
    for outside in findings.outside {
      session.print("outside of \(outside.gamut): \(percent(outside.part)) % of the pixels")
    }
    for channel in findings.numbers {
      session.print(
        "\(channel.channel): \(inWords(channel.minimum)) to \(inWords(channel.maximum)), "
          + "mean \(inWords(channel.mean))")
      if let histogram = channel.histogram { session.print("  │\(bars(histogram))│") }
    }
    for color in findings.colors ?? [] { session.print(color.line) }
  }
}
