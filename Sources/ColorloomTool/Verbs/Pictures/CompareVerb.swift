import ColorSpaces
import Colorloom

final class CompareVerb: Verb {
  static let name = "compare"
  static let summary = "measure the color differences between two pictures"
  static let discussion = """
    Prints the mean, the 95th percentile and the maximum of the color difference of all pixels; the largest difference of encoded values \
    and the peak signal-to-noise ratio (PSNR) in the first picture's space; and the structural similarity (SSIM), 1 for equal pictures, \
    from 11 × 11 pixels up. Color differences are those of colors without alpha, times the larger alpha of the two; the largest step and \
    the PSNR compare premultiplied values and alpha, the SSIM premultiplied values: colors of fully transparent pixels do not count. Where \
    a picture may be transparent, the largest difference of alpha, 0…1, is printed too; --fail-above takes it times 100, as 100 is the \
    color difference of black and white. The difference picture is gray. Brightness is the difference; 1 is a difference of 100.
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
    ] + PictureOutput.argumentsOfOpaquePicture(needing: "--difference").map { $0.within(\.writing) }
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
    let (a, b) = try (
      session.picture(at: standard, assuming: assumed),
      session.picture(at: sample, assuming: assumed)
    )
    if let output {
      // Measuring takes long.
      try writing.check(
        [writing.file(Picture(BlankRows(size: a.size)), at: output)], in: session)
    }
    var options = session.settings.renderOptions
    options.progress = progress.report("comparing", "\(a.size) pixels")
    let (comparison, similarity) = try PictureComparison.withSimilarity(
      of: b, with: a, by: formula, options: options)
    let alphaStep = comparison.largestAlphaStep
    if let output {
      let map = b.difference(from: a, by: formula).converted(to: .sRGB)
      try writing.write([try writing.file(map, at: output)], in: session, progress: progress)
    } else {
      progress.clear()
    }
    let missing = comparison.pixelsWithoutDifference
    if writing.printsJSON {
      session.print(
        json: Report(
          deltaE: Report.Difference(
            mean: comparison.mean, percentile95: comparison.percentile95,
            maximum: comparison.maximum),
          pixelsWithoutDifference: missing == 0 ? nil : missing,
          largestStep: comparison.largestStep, largestAlphaDifference: alphaStep,
          psnr: comparison.peakSignalToNoise, ssim: similarity))
    } else {
      session.print("ΔE mean         \(inWords(comparison.mean))")
      session.print("ΔE 95 % within  \(inWords(comparison.percentile95))")
      session.print("ΔE largest      \(inWords(comparison.maximum))")
      if missing > 0 {
        let pixels = missing == 1 ? "pixel" : "pixels"
        session.print("ΔE undefined    \(missing) \(pixels), of NaN or infinite values")
      }
      session.print("largest step    \(inWords(comparison.largestStep))")
      if let alphaStep { session.print("alpha largest   \(inWords(alphaStep))") }
      session.print("PSNR            \(inWords(comparison.peakSignalToNoise)) dB")
      if let similarity { session.print("SSIM            \(inWords(similarity))") }
    }
    // NaN is no small difference either.
    let differences = [comparison.maximum, 100 * (alphaStep ?? 0)]
    if let mostAllowed, !differences.allSatisfy({ $0 <= mostAllowed }) { session.fail() }
  }
}
