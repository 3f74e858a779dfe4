import ColorSpaces
import Colorloom
import ImageFiles

final class CompareVerb: Verb {
  static let name = "compare"
  static let summary = "measure the color differences between two pictures"
  static let discussion = """
    Prints the mean, the 95th percentile and the maximum of the color difference of all pixels; the largest difference of encoded values \
    and the peak signal-to-noise ratio (PSNR) in the first picture's space; and the structural similarity (SSIM), 1 for equal pictures, \
    from 11 × 11 pixels up. Color differences are those of colors without alpha, times the larger alpha of the two; the largest step and \
    the PSNR compare premultiplied values and alpha, the SSIM premultiplied values: colors of fully transparent pixels do not count. Where \
    a picture may be transparent, the largest difference of alpha, 0…1, is printed too; --fail-above takes it times 100, as 100 is the \
    color difference of black and white. The difference picture is gray. Brightness is the difference; 1 is a difference of 100. \
    OpenEXR files are compared at their places in the display window, black outside of their data windows. --page and --layer-name are for \
    both files. With --all-layers each layer has its own lines, or its own object in “layers”, and --fail-above is for all of them. A \
    layer that only one file has is in “failed” and ends the command with 1.
    """
  static let example = "colorloom compare photo.png copy.png --difference map.png"
  static var arguments: [Argument<CompareVerb>] {
    [
      .positional(.path.named("A"), "the reference picture", \.standard),
      .positional(.path.named("B"), "the picture to compare with it", \.sample),
      .option(
        "--formula", .formula,
        "color difference formula; \(Parser<ColorDifference>.formulaHelp); default: ciede2000",
        \.formula),
      .option(
        "--difference", .path.named("OUT"), "picture to write the color differences to", \.output),
      .option(
        "--fail-above", .numberFromZero.named("DELTA"),
        "exit with 1 if the largest color difference, or 100 times that of alpha, is above this one, or NaN",
        \.mostAllowed),
      .assume(\.assumed),
      .page(\.page),
      .layerName(\.layer),
      .flag(
        "--all-layers",
        "compare the unnamed colors, and each layer and channel of the page or part by itself",
        \.comparesAllLayers
      ).excluding("--layer-name", "--difference"),
    ] + PictureOutput.argumentsOfOpaquePicture(needing: "--difference").map { $0.within(\.writing) }
  }

  var standard = ""
  var sample = ""
  var formula = ColorDifference.ciede2000()
  var output: String?
  var writing = PictureOutput()
  var assumed: Assumption?
  var mostAllowed: Double?
  var page: Int?
  var layer: String?
  var comparesAllLayers = false

  private struct Report: Encodable {
    /// The name of the layer; missing where only one is compared, and for the unnamed colors.
    var layer: String?
    let deltaE: Difference
    /// Missing where every pixel has a difference.
    let pixelsWithoutDifference: Int?
    let largestStep: Double
    /// Missing where both pictures are opaque.
    let largestAlphaDifference: Double?
    /// Infinity where the pictures are the same.
    let psnr: Double
    /// Missing where the pictures are too small for it.
    let ssim: Double?

    struct Difference: Encodable { let mean, percentile95, maximum: Double }
  }

  func run(in session: Session) throws {
    var uses = FileUses(reading: [standard, sample])
    try uses.add("--difference", output)
    try session.reserveOutput(for: output, hasReport: writing.printsJSON)
    let progress = session.progressLine()
    if comparesAllLayers { return try compareAllLayers(in: session, progress: progress) }
    let (a, b) = try pictures(of: layer, in: session)
    if let output {
      // Measuring takes long.
      try writing.check(
        [writing.file(Picture(BlankRows(size: a.size)), at: output)], in: session)
    }
    let report = try report(on: a, b, in: session, progress: progress)
    if let output {
      let map = b.difference(from: a, by: formula).converted(to: .sRGB)
      try writing.write([try writing.file(map, at: output)], in: session, progress: progress)
    } else {
      progress.clear()
    }
    if writing.printsJSON { session.print(json: report) } else { print(report, in: session) }
    judge(report, in: session)
  }

  /// The pictures of one layer of both files.
  private func pictures(of layer: String?, in session: Session) throws -> (Picture, Picture) {
    func picture(at path: String) throws -> PictureInWindow {
      let file = try session.open(path, page: page, layer: layer, assuming: assumed)
      try session.report(
        file, at: path, assuming: assumed, page: page, readsAllLayers: comparesAllLayers)
      return (
        try file.picture(assuming: assumed?.space, isUpright: true),
        DataWindow(of: file.info, at: path)
      )
    }
    return try session.overlaid(picture(at: standard), picture(at: sample))
  }

  private func report(
    on a: Picture, _ b: Picture, in session: Session, progress: ProgressLine
  ) throws -> Report {
    var options = session.settings.renderOptions
    options.progress = progress.report("comparing", "\(a.size) pixels")
    let (comparison, similarity) = try PictureComparison.withSimilarity(
      of: b, with: a, by: formula, options: options)
    let missing = comparison.pixelsWithoutDifference
    return Report(
      deltaE: Report.Difference(
        mean: comparison.mean, percentile95: comparison.percentile95,
        maximum: comparison.maximum),
      pixelsWithoutDifference: missing == 0 ? nil : missing,
      largestStep: comparison.largestStep, largestAlphaDifference: comparison.largestAlphaStep,
      psnr: comparison.peakSignalToNoise, ssim: similarity)
  }

  private func print(_ report: Report, in session: Session) {
    session.print("ΔE mean         \(inWords(report.deltaE.mean))")
    session.print("ΔE 95 % within  \(inWords(report.deltaE.percentile95))")
    session.print("ΔE largest      \(inWords(report.deltaE.maximum))")
    if let missing = report.pixelsWithoutDifference {
      let pixels = missing == 1 ? "pixel" : "pixels"
      session.print("ΔE undefined    \(missing) \(pixels), of NaN or infinite values")
    }
    session.print("largest step    \(inWords(report.largestStep))")
    if let alphaStep = report.largestAlphaDifference {
      session.print("alpha largest   \(inWords(alphaStep))")
    }
    session.print("PSNR            \(inWords(report.psnr)) dB")
    if let similarity = report.ssim { session.print("SSIM            \(inWords(similarity))") }
  }

  /// Fails where --fail-above says so.
  private func judge(_ report: Report, in session: Session) {
    // NaN is no small difference either.
    let differences = [report.deltaE.maximum, 100 * (report.largestAlphaDifference ?? 0)]
    if let mostAllowed, !differences.allSatisfy({ $0 <= mostAllowed }) { session.fail() }
  }
}

// MARK: All layers

extension CompareVerb {
  private struct LayerReports: Encodable {
    let layers: [Report]
    let failed: [FailedLayer]
  }

  /// A layer that could not be compared.
  private struct FailedLayer: Encodable {
    /// Missing for the unnamed colors.
    let layer: String?
    let error: String
  }

  private func compareAllLayers(in session: Session, progress: ProgressLine) throws {
    if let pipe = [standard, sample].first(where: isPipe) {
      throw Misuse(
        "“--all-layers” reads each file several times, and “\(pipe)” can be read only once. Save it to a file first."
      )
    }
    var names = try layers(of: standard, in: session)
    for name in try layers(of: sample, in: session) where !names.contains(name) {
      names.append(name)
    }
    var (reports, failed): ([Report], [FailedLayer]) = ([], [])
    for name in names {
      // One layer that a file has not, or that is no picture, does not stop the others.
      do {
        let (a, b) = try pictures(of: name, in: session)
        var report = try report(on: a, b, in: session, progress: progress)
        progress.clear()
        report.layer = name
        reports.append(report)
        judge(report, in: session)
        if writing.printsJSON { continue }
        session.print(name.map { "layer “\($0)”" } ?? "unnamed colors")
        print(report, in: session)
      } catch {
        progress.clear()
        let sentence = session.sentence(for: error)
        failed.append(FailedLayer(layer: name, error: sentence))
        session.fail(sentence)
      }
    }
    if writing.printsJSON {
      session.print(json: LayerReports(layers: reports, failed: failed))
    }
  }

  /// The names of the layers and channels of a file, nil first where there are colors outside of layers.
  private func layers(of path: String, in session: Session) throws -> [String?] {
    func names(_ file: OpenedImageFile) -> [String?] { file.info.layers.map { $0.name } }
    do {
      let unnamed: [String?] = [nil]
      return try unnamed + names(session.open(path, page: page))
    } catch {
      guard case .noSuchLayer(_, nil, let channels, _) = error as? ImageFileError,
        let name = ChannelLayers.example(of: channels, in: path)
      else { throw error }
      return try names(session.open(path, page: page, layer: name))
    }
  }
}
