import Colorloom

final class CompareVerb: Verb {
  static let name = "compare"
  static let summary = "tells how far two pictures are from each other"
  static let discussion = """
    The color difference of each pixel, its mean, what 95 % of the pixels stay within, and its largest; the ratio of signal to noise \
    and the largest difference of stored numbers in the first picture's space; the structural similarity, 1 where nothing differs, of \
    pictures of 11 × 11 pixels and more. The difference picture is gray: the lighter, the \
    farther; light of 1 is a difference of 100.
    """
  static let example = "colorloom compare photo.png copy.png --difference map.png"
  static var arguments: [Argument<CompareVerb>] {
    [
      .positional(.path.named("A"), "the standard", \.standard),
      .positional(.path.named("B"), "what is compared with it", \.sample),
      .option("--formula", .formula, "how colors are compared; 2000 if not given", \.formula),
      .option(
        "--difference", .path.named("OUT"), "a picture to write the differences to", \.output),
      .option(
        "--fail-above", .number.named("DELTA"),
        "end with 1 where the largest color difference is above this one", \.mostAllowed),
      .option("--assume", .assumption, "what untagged files mean", \.assumed),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var standard = ""
  var sample = ""
  var formula = ColorDifference.ciede2000()
  var output: String?
  var writing = PictureOutput()
  var assumed: Assumption?
  var mostAllowed: Double?

  private struct Report: Encodable {
    let deltaE: Difference
    let largestStep: Double
    /// Missing where the pictures are the same.
    let psnr: Double?
    /// Missing where the pictures are too small for it.
    let ssim: Double?

    struct Difference: Encodable { let mean, percentile95, maximum: Double }
  }

  func run(in session: Session) throws {
    if let mostAllowed, mostAllowed < 0 {
      throw Misuse("A color difference is 0 or more; --fail-above cannot be \(mostAllowed).")
    }
    let progress = session.progressLine()
    let (a, b) = try (
      session.picture(at: standard, assuming: assumed),
      session.picture(at: sample, assuming: assumed)
    )
    var options = session.settings.renderOptions
    options.progress = progress.report("comparing", "\(a.size) pixels")
    let comparison = try PictureComparison(of: b, with: a, by: formula, options: options)
    let isLarge = min(a.size.width, a.size.height) >= 11
    let similarity = isLarge ? try a.structuralSimilarity(to: b, options: options) : nil
    if let output {
      let map = b.difference(from: a, by: formula).converted(to: .sRGB)
      try writing.write([try writing.file(map, at: output)], in: session, progress: progress)
    } else {
      progress.clear()
    }
    let isEqual = comparison.peakSignalToNoise == .infinity
    if writing.printsJSON {
      session.print(
        json: Report(
          deltaE: Report.Difference(
            mean: comparison.mean, percentile95: comparison.percentile95,
            maximum: comparison.maximum),
          largestStep: comparison.largestStep,
          psnr: isEqual ? nil : comparison.peakSignalToNoise, ssim: similarity))
    } else {
      session.print("ΔE mean         \(comparison.mean)")
      session.print("ΔE 95 % within  \(comparison.percentile95)")
      session.print("ΔE largest      \(comparison.maximum)")
      session.print("largest step    \(comparison.largestStep)")
      session.print("PSNR            \(isEqual ? "∞" : "\(comparison.peakSignalToNoise) dB")")
      if let similarity { session.print("SSIM            \(similarity)") }
    }
    // NaN is no small difference either.
    if let mostAllowed, !(comparison.maximum <= mostAllowed) { session.fail() }
  }
}
