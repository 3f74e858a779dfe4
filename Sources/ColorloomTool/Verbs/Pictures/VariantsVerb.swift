import Colorloom
import Foundation
import ImageFiles

final class VariantsVerb: Verb {
  static let name = "variants"
  static let summary = "write a picture for wide and narrow gamuts in one pass"
  static let discussion = """
    The source is read once. The wide file is in --wide-space, the narrow one in sRGB; out-of-gamut colors are mapped by --gamut. If all \
    colors of the source are in the gamut of sRGB, a line says that the narrow file suffices. The manifest is JSON and names the files, \
    their spaces, sizes and hashes; “pick” chooses from it. \(PictureSteps.order) They come before the two files.
    """
  static let example = "colorloom variants in.tif --wide wide.jpg --narrow narrow.jpg --fit 2048"
  static var arguments: [Argument<VariantsVerb>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .option(
        "--wide", .path.named("OUT"), "the file for wide-gamut displays", isRequired: true, \.wide),
      .option(
        "--narrow", .path.named("OUT"), "the file for all other displays", isRequired: true,
        \.narrow),
      .option(
        "--manifest", .path.named("FILE"), "JSON manifest to write; default: none",
        \.manifest),
      .option("--wide-space", .space, "the color space of the wide file; default: P3", \.wideSpace),
      .option(
        "--gamut", .gamutMapping, "gamut mapping of out-of-gamut colors; default: reduced-chroma",
        \.gamut),
      .option("--assume", .assumption, "color space of files that state none", \.steps.assumed),
      .option("--page", .wholeNumber(from: 1), "the page to read; default: the first", \.page),
    ] + PictureSteps.argumentsWithoutConversion.map { $0.within(\.steps) }
      + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var input = ""
  var wide = ""
  var narrow = ""
  var manifest: String?
  var steps = PictureSteps()
  var wideSpace = ColorSpace.displayP3
  var gamut = GamutMapping.reducedChroma
  var page: Int?
  var writing = PictureOutput()
  private var assumed: Assumption? { steps.assumed }

  func run(in session: Session) throws {
    var uses = FileUses(reading: [input])
    try uses.add("--wide", wide)
    try uses.add("--narrow", narrow)
    try uses.add("--manifest", manifest)
    try session.reserveOutput(for: manifest, hasReport: writing.printsJSON)
    if let manifest { try checkWriting(to: manifest) }
    let progress = session.progressLine()
    let opened = try session.open(input, page: page, assuming: assumed)
    let source = try session.picture(in: opened, at: input, assuming: assumed, page: page)
    let picture = try steps.applied(to: source, in: session)
    // The overshoot of a resize is no color of the picture.
    let measured = steps.keepLight ? source : picture
    let metadata = writing.metadata(of: opened.info, at: input, hasSameLight: false, in: session)
    if manifest != nil, [wide, narrow].contains("-") {
      throw Misuse("A manifest cannot name standard output (“-”). Name a file.")
    }
    let files = try [(wide, wideSpace), (narrow, .sRGB)].map { path, space in
      let fitted = picture.fitted(into: space, by: gamut)
      let framed = writing.framed(
        metadata, for: fitted, at: path, of: input, resizedBy: steps.onlyResize ? steps : nil,
        in: session)
      return try writing.file(
        fitted, at: path, keeping: framed, madeFrom: source, sourceSamples: opened.info.samples)
    }
    var coverage: GamutCoverage.Counts?
    try writing.write(files, in: session, progress: progress) { files, options in
      let result = try Picture.write(
        files, measuring: measured, by: GamutCoverage(of: [.sRGB]), options: options)
      coverage = result.value
      return result.reports
    }
    let needsWideColor = coverage.map { $0.outside[0] > 0 }
    if needsWideColor == false, !writing.printsJSON, ![wide, narrow].contains("-") {
      session.print(
        "needs wide color: no (tolerance: \(measured.precisionInWords)); “\(narrow)” holds all colors"
      )
    }
    guard manifest != nil || writing.printsJSON else { return }
    var listed = try VariantManifest(of: files)
    (listed.needsWideColor, listed.tolerance) = (needsWideColor, measured.precisionInWords)
    if writing.printsJSON { session.print(json: listed) }
    guard let manifest else { return }
    let folder = URL(filePath: manifest).deletingLastPathComponent().path
    for index in listed.variants.indices {
      let file = URL(filePath: listed.variants[index].file)
      // A manifest beside its files can be moved with them.
      if file.deletingLastPathComponent().path == folder {
        listed.variants[index].file = file.lastPathComponent
      }
    }
    try writeFile(Array("\(jsonLine(listed))\n".utf8), to: manifest)
  }
}
