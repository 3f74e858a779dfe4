import Colorloom
import ICCProfiles
import ImageFiles
import PlatformLibc

/// The total area coverage of a file, in percent.
struct CoverageReport: Encodable {
  let areaCoverage: Coverage

  struct Coverage: Encodable {
    let maximum, mean, median, percentile95, percentile99: Double
    let limit: Double
    /// The part of the pixels, 0…1.
    let partAboveLimit: Double
    let inks: [Ink]
  }

  /// The values of one ink channel.
  struct Ink: Encodable {
    let name: String
    let mean, maximum: Double
  }

  init(_ coverage: InkCoverage) {
    areaCoverage = Coverage(
      maximum: coverage.maximum, mean: coverage.mean, median: coverage.percentile(0.5),
      percentile95: coverage.percentile(0.95), percentile99: coverage.percentile(0.99),
      limit: coverage.limit, partAboveLimit: coverage.partAboveLimit,
      inks: coverage.inks.map { Ink(name: $0.name, mean: $0.mean, maximum: $0.maximum) })
  }

  var lines: [String] {
    let found = areaCoverage
    return [
      "total area coverage: up to \(rounded(found.maximum)) %, mean \(rounded(found.mean)) %",
      "  half of the pixels up to \(rounded(found.median)) %, 95 % up to "
        + "\(rounded(found.percentile95)) %, 99 % up to \(rounded(found.percentile99)) %",
      "  above \(rounded(found.limit)) %: \(percent(found.partAboveLimit)) % of the pixels",
    ]
      + found.inks.map { ink in
        "  \(ink.name): up to \(rounded(ink.maximum)) %, mean \(rounded(ink.mean)) %"
      }
  }

  private func rounded(_ percent: Double) -> Double { (percent * 100).rounded() / 100 }
}

extension InspectVerb {
  /// The total area coverage of a file of ink channels; nil for other files.
  func coverage(
    of file: OpenedImageFile, in session: Session, _ progress: ProgressLine
  ) throws -> CoverageReport? {
    guard !scans, let inks = try file.inkPicture() else {
      if limit != nil {
        throw Misuse("“--limit” counts ink, and “\(path)” has no ink channels. Leave it out.")
      }
      return nil
    }
    let most = limit ?? min(300, 100 * Double(inks.count))
    guard most >= 0, most <= 100 * Double(inks.count) else {
      throw Misuse(
        "A limit of the total area coverage lies in 0…\(100 * inks.count) for \(inks.count) ink channels, not "
          + "\(most).")
    }
    var options = session.settings.renderOptions
    options.progress = progress.report("measuring", "\(inks.size) pixels")
    return CoverageReport(try inks.coverage(limit: most, options: options))
  }

  /// The report of an extracted profile.
  private struct Extracted: Encodable {
    let file, profile, name: String
    let bytes: Int
  }

  /// Writes the profile of a picture to a file.
  func extractProfile(of info: ImageFileInfo, to target: String, in session: Session) throws {
    guard let profile = info.profile else {
      if case .unusable(let error) = info.color { throw error }
      throw Failure("“\(path)” has no ICC profile: it states \(FileReport(info, of: path).stated).")
    }
    try writeFile(profile.bytes, to: target)
    let report = Extracted(
      file: path, profile: target, name: "\(profile)", bytes: profile.bytes.count)
    if printsJSON { return session.print(json: report) }
    session.print("\(target): “\(profile)”, \(profile.kind), \(profile.bytes.count) bytes")
  }

  /// Writes a plot as SVG, or as a picture, by the file extension.
  func write(_ plot: ProfilePlot, to target: String, _ session: Session) throws {
    if target.lowercased().hasSuffix(".svg") {
      return try writeFile(Array(plot.drawing.svg.utf8), to: target)
    }
    try PictureOutput().write(
      Picture(plot.drawing.bitmap()), to: target, in: session, progress: session.progressLine())
  }
}
