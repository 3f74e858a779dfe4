import Colorloom
import Foundation
import ICCProfiles
import ImageFiles

final class VariantsVerb: Verb {
  static let name = "variants"
  static let summary = "write a picture for wide and narrow gamuts, in any sizes, in one pass"
  static let discussion = """
    The source is read once. The wide file is in --wide-space, the narrow one in sRGB; out-of-gamut colors are mapped by --gamut. If all \
    colors of the source are in the gamut of sRGB, a line says that the narrow file suffices. If it has light above white, a line says \
    which files keep, map or clip it. The manifest is JSON and lists the files, \
    their spaces, sizes and hashes; “pick” chooses from it. Files in or below its folder have names relative to it, others their whole \
    path. With --sizes, there is a wide and a narrow file of each size, and {size} in their names is the size as it was typed, without \
    “,no-enlarge” and with “pct” for “%”. \(PictureSteps.order) They come before all files and sizes.
    """
  static let example =
    "colorloom variants in.tif --wide wide-{size}.jpg --narrow {size}.jpg --sizes \"480;960;1920\""
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
      .option(
        "--sizes", .variantSizes,
        "sizes to fit each file into, in linear light, after the steps; default: the size after the steps"
      ) { verb, sizes in (verb.sizes, verb.steps.resizesResult) = (sizes, true) },
      .option("--wide-space", .space, "the color space of the wide file; default: P3", \.wideSpace),
      .option(
        "--gamut", .gamutMapping, "gamut mapping of out-of-gamut colors; default: reduced-chroma",
        \.gamut),
      .assume(\.steps.assumed),
      .page(\.page),
      .layerName(\.layer),
      .existing(\.existing),
    ] + toneMapping
      + PictureSteps.argumentsWithoutConversion.map { $0.within(\.steps).servingSizes }
      + writingArguments
  }

  /// The options for writing, without those that state one color space, or none, for all files: each states its own.
  private static var writingArguments: [Argument<VariantsVerb>] {
    PictureOutput.arguments
      .filter { !["--embed-profile", "--untagged"].contains($0.synopsis.name) }
      .map { $0.within(\.writing) }
  }

  private static var toneMapping: [Argument<VariantsVerb>] {
    ColorConversions.toneMappingArguments(of: "conversions").map { $0.within(\.conversions) }
  }

  var input = ""
  var wide = ""
  var narrow = ""
  var manifest: String?
  fileprivate var sizes: [VariantSize] = []
  var steps = PictureSteps()
  var stepsAreOfFiles: Bool { steps.areOfFiles }
  var wideSpace = ColorSpace.displayP3
  var gamut = GamutMapping.reducedChroma
  fileprivate var conversions = ColorConversions()
  var page: Int?
  var layer: String?
  var existing = ExistingResults.replace
  var writing = PictureOutput()
  private var assumed: Assumption? { steps.assumed }

  func run(in session: Session) throws {
    try conversions.check(converts: true, readsInks: false)
    var uses = FileUses(reading: [input])
    let variants = try variants("--wide", wide, wideSpace) + variants("--narrow", narrow, .sRGB)
    for variant in variants { try uses.add(variant.option, variant.path) }
    try uses.add("--manifest", manifest)
    try session.reserveOutput(for: manifest, hasReport: writing.printsJSON)
    let results = variants.map(\.path) + (manifest.map { [$0] } ?? [])
    try existing.check(results)
    if existing.keeps(results) {
      return existing.report(results, asJSON: writing.printsJSON, in: session)
    }
    if let manifest { try checkWriting(to: manifest) }
    let progress = session.progressLine()
    let opened = try session.open(input, page: page, layer: layer, assuming: assumed)
    let source = try session.picture(in: opened, at: input, assuming: assumed, page: page)
    conversions.contentPeak = opened.info.metadata.contentPeak
    let changed = try steps.beside(DataWindow(of: opened.info, at: input))
      .changed(source, at: input, in: session)
    // The overshoot of a resize is no color of the picture.
    let measured = steps.keepColors ? source : changed.picture
    if manifest != nil, [wide, narrow].contains("-") {
      throw Misuse("A manifest cannot name standard output (“-”). Name a file.")
    }
    if opened.info.gainMap != nil {
      session.noteOmittedGainMap(of: input, because: "“variants” reads the base picture only")
    }
    let converted = try variants.map { variant in
      let sized =
        variant.size.map { steps.fitted(changed.picture, into: $0.fit) } ?? changed.picture
      return try self.converted(withoutOvershoot(sized, of: opened.info), to: variant.space)
    }
    let files = try files(
      variants, converted, of: changed, madeFrom: source, in: opened, session)
    var pictures = [measured.brightnessReduced]
    if conversions.mayHoldHighlights(source, keepsLight: steps.keepLight) {
      pictures.append(measured)
    }
    var coverage: [GamutCoverage.Counts] = []
    try writing.write(files, in: session, progress: progress) { files, options in
      let result = try Picture.write(
        files, measuring: pictures, by: GamutCoverage(of: [.sRGB, .rec2020]), options: options)
      coverage = result.values
      return result.reports
    }
    let findings = Findings(coverage, tolerance: measured.precisionInWords)
    if !writing.printsJSON, ![wide, narrow].contains("-") {
      for line in lines(on: findings, variants, converted) { session.print(line) }
    }
    try list(files, findings, in: session)
  }

  /// What was measured on the picture.
  private struct Findings {
    /// Nil where it was not measured.
    let needsWideColor, hasLightAboveWhite: Bool?
    let tolerance: String

    /// From the pixels outside of sRGB and of Rec. 2020: of the picture with its brightness reduced, and of the picture itself, if it may
    /// have light above white.
    init(_ coverage: [GamutCoverage.Counts], tolerance: String) {
      needsWideColor = coverage.first.map { $0.outside[0] > 0 }
      // Only pixels that are too bright for Rec. 2020 are reduced.
      hasLightAboveWhite =
        coverage.count > 1
        ? coverage[1].outside[1] > coverage[0].outside[1] : coverage.isEmpty ? nil : false
      self.tolerance = tolerance
    }
  }

  /// Returns the lines that say which files hold all colors and all light.
  private func lines(
    on findings: Findings, _ variants: [Variant], _ results: [Converted]
  ) -> [String] {
    func names(_ variants: [Variant]) -> String {
      variants.map { "“\($0.path)”" }.joined(separator: ", ")
    }
    let shines = findings.hasLightAboveWhite == true
    var lines: [String] = []
    if findings.needsWideColor == false {
      let narrow = variants.filter { $0.option == "--narrow" }
      let holding =
        shines ? "" : "; \(names(narrow)) \(narrow.count == 1 ? "holds" : "hold") all colors"
      lines.append("needs wide color: no (tolerance: \(findings.tolerance))\(holding)")
    }
    if shines {
      let fates = zip(variants, results).map { variant, result in
        variant.space.transfer.isOfHighRange
          ? "kept" : result.mapsTones ? "tone-mapped" : "clipped"
      }
      let parts = ["kept", "tone-mapped", "clipped"].compactMap { fate in
        let files = zip(variants, fates).filter { $0.1 == fate }.map(\.0)
        return files.isEmpty ? nil : "\(fate) in \(names(files))"
      }
      lines.append("light above white: \(parts.joined(separator: "; "))")
    }
    return lines
  }

  /// Returns the files to write of pictures in their spaces, which the steps made of `source`.
  private func files(
    _ variants: [Variant], _ results: [Converted], of changed: PictureSteps.Stage,
    madeFrom source: Picture, in file: OpenedImageFile, _ session: Session
  ) throws -> [PictureFile] {
    let keepLight = zip(variants, results).map { variant, result in
      steps.keepColors && variant.space == source.space && !result.mapsTones
    }
    let metadata = metadata(of: file.info, keepingLight: keepLight, in: session)
    return try variants.indices.map { index in
      let (path, fitted) = (variants[index].path, results[index].picture)
      let framed = writing.framed(
        metadata[index], for: fitted, at: path, of: input,
        resizedBy: changed.isOnlyResized ? steps : nil, in: session)
      return try writing.file(
        fitted, at: path, keeping: framed, madeFrom: source,
        isGray: file.info.channels.isGray && steps.keepGray(of: [source], in: fitted),
        sourceSamples: steps.develop ? nil : file.info.storedSamples)
    }
  }

  /// Returns the resized picture, clipped to the range of the source's integers where it can lie outside by the overshoot of a resize only:
  /// no step changes colors, and no ink channels were converted. Gamut mapping would turn overshoot into other colors.
  private func withoutOvershoot(_ picture: Picture, of info: ImageFileInfo) -> Picture {
    let hasIntegers = info.samples == .uint8 || info.samples == .uint16
    guard steps.keepColors, hasIntegers, !info.holdsInks, picture.space.transfer.curves != nil
    else { return picture }
    return picture.fitted(into: picture.space, by: .clipped)
  }

  /// A picture in the space of a file, and whether its tones were mapped to standard dynamic range.
  private typealias Converted = (picture: Picture, mapsTones: Bool)

  /// Returns the picture in the space of a file, with its tones mapped as by convert --to.
  private func converted(_ picture: Picture, to space: ColorSpace) throws -> Converted {
    // Where no tones are mapped for the narrow files, --hdr-peak has no use.
    let mapped =
      space.transfer.isOfHighRange
      ? nil
      : try conversions.toneMapped(
        picture, for: .space(space), mappingTones: steps.mapTonesByDefault,
        keepsLight: steps.keepLight, refusesPeak: space == .sRGB)
    return ((mapped ?? picture).fitted(into: space, by: gamut), mapped != nil)
  }

  /// A file to write.
  private struct Variant {
    /// The option that names the file.
    let option: String
    let path: String
    let space: ColorSpace
    /// The size to fit the picture into; nil for the size after the steps.
    let size: VariantSize?
  }

  /// Returns the file that an option names, in each size.
  private func variants(_ option: String, _ path: String, _ space: ColorSpace) throws -> [Variant] {
    guard sizes.count < 2 || path.contains("{size}") else {
      throw Misuse(
        "“\(option) \(path)” names one file, and “--sizes” makes \(sizes.count). Put {size} into the name, such as "
          + "“photo-{size}.jpg”.")
    }
    guard !sizes.isEmpty || !path.contains("{size}") else {
      throw Misuse(
        "“\(option) \(path)” has {size}, which stands for each of --sizes. Add --sizes, or name the file without it."
      )
    }
    if sizes.isEmpty { return [Variant(option: option, path: path, space: space, size: nil)] }
    return sizes.map { size in
      Variant(
        option: option, path: path.replacing("{size}", with: size.word), space: space, size: size)
    }
  }

  /// Returns the metadata for each file. Luminance metadata is kept where the file has the linear light of the source.
  private func metadata(
    of info: ImageFileInfo, keepingLight keepLight: [Bool], in session: Session
  ) -> [ImageMetadata] {
    // Reports the omission once for all files.
    let omitting = writing.metadata(
      of: info, at: input, hasSameLight: !keepLight.contains(false), in: session)
    return keepLight.map { $0 ? info.metadata : omitting }
  }

  /// Prints the manifest and writes its file, where they are asked for.
  private func list(
    _ files: [PictureFile], _ findings: Findings, in session: Session
  ) throws {
    guard manifest != nil || writing.printsJSON else { return }
    var listed = try VariantManifest(of: files)
    listed.needsWideColor = findings.needsWideColor
    listed.lightAboveWhite = findings.hasLightAboveWhite
    listed.tolerance = findings.tolerance
    if writing.printsJSON { session.print(json: listed) }
    guard let manifest else { return }
    for index in listed.variants.indices {
      listed.variants[index].file = Self.listedName(of: listed.variants[index].file, in: manifest)
    }
    try session.write("\(jsonLine(listed))\n", to: manifest, about: files.map(\.path))
  }
}

extension VariantsVerb {
  /// Returns the name of a file in a manifest: relative to the manifest's folder, with which it can be moved, where the file is in or below
  /// that folder; otherwise the whole path.
  fileprivate static func listedName(of file: String, in manifest: String) -> String {
    let url = URL(filePath: file).standardizedFileURL
    let (parts, folder) = (
      url.pathComponents, URL(filePath: manifest).standardizedFileURL.pathComponents.dropLast()
    )
    return parts.starts(with: folder)
      ? parts.dropFirst(folder.count).joined(separator: "/") : url.path
  }
}

/// A size of variants.
private struct VariantSize {
  /// The text that {size} stands for, such as “1920x1080”.
  let word: String
  let fit: FitBox
}

extension Parser<[VariantSize]> {
  /// Parses the sizes between semicolons, each as --fit has it.
  fileprivate static var variantSizes: Parser {
    let one = Parser<FitBox>.fit
    return Parser("\(one.placeholders[0]);…", needed: "sizes such as “480;960;1920x1080”") { list in
      let words = list.filter { $0 != " " }
        .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      let sizes = try words.compactMap { word in
        try one.read([word]).map {
          // URLs hold no “%” by itself.
          VariantSize(
            word: String(word.prefix { $0 != "," }).replacing("%", with: "pct"), fit: $0)
        }
      }
      guard sizes.count == words.count else { return nil }
      // The names of the files hold the words.
      for (index, size) in sizes.enumerated()
      where sizes[..<index].contains(where: { $0.word == size.word }) {
        throw Misuse("“--sizes” states \(size.word) twice. Leave one of them out.")
      }
      return sizes
    }
  }
}

extension Argument<VariantsVerb> {
  /// The same argument; --kernel and --shrink-on-load also apply to --sizes.
  fileprivate var servingSizes: Argument {
    guard ["--kernel", "--shrink-on-load"].contains(synopsis.name) else { return self }
    var synopsis = synopsis
    synopsis.needs = synopsis.needs.map { $0 + ["--sizes"] }
    return Argument(synopsis: synopsis, take: take)
  }
}
