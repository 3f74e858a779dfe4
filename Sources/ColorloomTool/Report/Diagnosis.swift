import Colorloom
import ImageFiles

/// The diagnosis of a pipeline's color changes: the hypothesis whose predicted values are nearest to those of the file.
struct Diagnosis {
  /// Whether a file has the colors of its original.
  enum Verdict {
    /// It has, as far as its format allows.
    case intact
    /// A known fault changed them.
    case lost
    /// The values differ, and no hypothesis predicts them.
    case unexplained
  }

  /// What happened, in a sentence or two.
  let finding: String
  /// Whether the colors are those of the original.
  let verdict: Verdict
  /// The hypotheses and their distances; the nearest one first.
  let hypotheses: [Hypothesis]

  /// Compares small copies of an original and of what came out of a pipeline.
  init(
    of file: OpenedImageFile, assuming assumption: Assumption?, original: Picture,
    in session: Session
  ) throws {
    let options = session.settings.renderOptions
    let sample = try file.picture(assuming: assumption?.space ?? .sRGB)
    let comparison = SmallComparison(of: sample, with: original, options: options)
    hypotheses = try comparison.hypotheses()
    let best = hypotheses[0]
    let circumstances = Circumstances(
      color: file.info.color, space: sample.space, source: original.space,
      hasColorsOutside: try comparison.originalHasColorsOutside(),
      compressionError: sample.sourcePrecisions.map(\.compressionError).max() ?? 0)
    guard best.distance <= max(0.02, 2 * circumstances.compressionError) else {
      (finding, verdict) = (Self.unexplained(by: best.distance), .unexplained)
      return
    }
    let loss = Self.loss(by: best.change, in: circumstances)
    let turn = best.turn.map {
      "The picture is \($0), as where an orientation tag is dropped or applied twice."
    }
    let color = loss ?? "The colors are those of the original."
    finding = [turn, color].compactMap(\.self).joined(separator: " ")
    verdict = loss == nil ? .intact : .lost
  }

  /// What the file and its original say of their colors.
  private struct Circumstances {
    let color: StatedColor
    /// The space of the file, and that of the original.
    let space, source: ColorSpace
    /// Whether the original has colors that the file's space cannot hold.
    let hasColorsOutside: Bool
    /// The error that the quantization tables of JPEG allow in a sample, 0…1.
    let compressionError: Double
  }

  private static func unexplained(by distance: Double) -> String {
    let percent = "\((distance * 1000).rounded() / 10) %"
    return
      "The values differ by \(percent) of the range on average, and no known loss explains the difference. "
      + "The file may be cropped, edited, or another picture."
  }

  /// Returns what a change did to the colors; nil where they are those of the original.
  private static func loss(by change: ColorChange, in file: Circumstances) -> String? {
    let (space, source) = (file.space.name, file.source.name)
    let isTagged = file.color.isUsable
    switch change {
    case .none, .clipped, .clippedToSRGB: return clipping(by: change, in: file)
    case .retagged:
      return isTagged
        ? "The values of \(source) are tagged as \(file.color.summary): a space was assigned where colors should have been converted."
        : "The profile was dropped: the values are those of \(source), and nothing says so."
    case .convertedTwice:
      return
        "The colors were converted twice: values of \(space) were taken for \(source) and converted again."
    case .valuesOfSRGB:
      return
        "The values are those of sRGB and are tagged as \(file.color.summary): the colors are too saturated now."
    case .gray: return "The colors were turned gray."
    case .curve(let clips):
      return "A tone curve changed the values"
        + (clips ? " and clipped what it brought beyond 0 or 1." : ".")
    case .exchanged(let order): return "The channels are in another order: \(order)."
    }
  }

  /// Returns what a conversion to the file's space lost; nil where nothing was lost.
  private static func clipping(by change: ColorChange, in file: Circumstances) -> String? {
    let space = file.space.name
    if !file.color.isUsable {
      return "The picture was converted to \(space) and nothing says so: the file has no profile."
    }
    if change == .clippedToSRGB, file.hasColorsOutside || file.source != .sRGB {
      return "The colors were clipped to sRGB, and are tagged as \(space) now."
    }
    if file.hasColorsOutside {
      return
        "Colors outside of \(space) were clipped, because the file holds values from 0 to 1 only."
    }
    guard file.compressionError > 4.0 / 255 else { return nil }
    let codes = ColorPrecision.codes(of: file.compressionError)
    return "JPEG quantization: its tables allow \(codes) codes of error in a sample."
  }
}
