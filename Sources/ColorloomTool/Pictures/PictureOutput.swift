import Colorloom
import ICCProfiles
import ImageFiles

/// The options for writing a picture, shared by all verbs that write one.
struct PictureOutput {
  private(set) var samples: SampleFormat?
  private(set) var format: ImageFileFormat?
  @Boxed private(set) var writing = WritingOptions()
  /// The given options that only some kinds of files have a use for.
  var fileOptions: [FileOption] = []
  private(set) var dither: DitherChoice?
  private var background: ColorPoint?
  private var profile: ICCProfile?
  private var resolution: ImageMetadata.Resolution?
  private var strippedParts: Set<MetadataPart> = []
  private(set) var printsJSON = false

  static var arguments: [Argument<PictureOutput>] {
    fileArguments(
      defaultSamples:
        "that of the source, or that of the file's format (the first that “formats” names) for linear, PQ and HLG spaces "
        + "and after development",
      defaultResolution: "that of the source") + [reportArgument]
  }

  /// The same for a verb whose picture has no single source.
  static var argumentsWithoutSource: [Argument<PictureOutput>] {
    fileArgumentsWithoutSource + [reportArgument]
  }

  /// The same for a verb whose picture is opaque too, so that it has no background and nothing to strip. A verb that writes it only where
  /// another argument asks for it names that.
  static func argumentsOfOpaquePicture(needing name: String? = nil) -> [Argument<PictureOutput>] {
    fileArgumentsWithoutSource.filter { !["--background", "--strip"].contains($0.synopsis.name) }
      .map { argument in name.map { argument.needing($0) } ?? argument } + [reportArgument]
  }

  private static var fileArgumentsWithoutSource: [Argument<PictureOutput>] {
    fileArguments(
      defaultSamples: "the first of the file's format that “formats” names",
      defaultResolution: "none")
  }

  private static var reportArgument: Argument<PictureOutput> {
    .flag("--json", "print a report as a JSON object", \.printsJSON)
  }

  private static func fileArguments(
    defaultSamples: String, defaultResolution: String
  ) -> [Argument<PictureOutput>] {
    [
      .option(
        "--samples", .samples, "the sample format written; default: \(defaultSamples)", \.samples),
      .option(
        "--format", .imageFormat, "the file format written; default: that of the file extension",
        \.format),
    ] + compressionArguments + [
      .option(
        "--dither", .dither,
        "dither integer samples, or the palette of --colors by error-diffusion; default: none, which rounds to nearest, and "
          + "error-diffusion with --colors", \.dither
      ).used(by: "files with integer samples", where: \.holdsIntegers),
      .option(
        "--resolution", .pixelsPerInch,
        "resolution that the file states, in pixels per inch; default: \(defaultResolution)",
        \.resolution
      ).used(by: FileKind.namesWithResolution + " files", where: \.holdsResolution),
    ] + contentArguments
  }

  private static let lossyFiles = "lossy JPEG, WebP, JPEG XL, HEIF and AVIF files"

  /// How the format stores the pixels.
  private static var compressionArguments: [Argument<PictureOutput>] {
    [
      .option(
        "--quality", .wholeNumber(from: 1, to: 100).named("1…100"),
        "quality of lossy compression; default: 90",
        \.writing.quality
      ).used(by: lossyFiles, where: \.isLossy),
      .option(
        "--max-bytes", .fileSize,
        "largest size of each file, such as 200k, 1.5M or 200KiB: lower the quality of a lossy file until it fits, and refuse another one "
          + "that does not; default: none",
        \.writing.maximumBytes),
      .option(
        "--min-quality", .wholeNumber(from: 1, to: 100).named("1…100"),
        "lowest quality that --max-bytes may choose; default: 30",
        \.writing.minimumQuality
      ).used(by: lossyFiles, where: \.isLossy).needing("--max-bytes"),
      .flag(
        "--lossless", "compress without loss, in formats that can do both", \.writing.isLossless
      ).used(by: "WebP, JPEG XL, HEIF and AVIF files", where: \.canBeLossless),
      .option(
        "--chroma", .choice(["444|full": .full, "422|half": .half, "420|quarter": .quarter]),
        "chroma subsampling; default: 444 from quality 90 up, 420 below",
        \.writing.chroma
      ).used(by: "lossy JPEG, HEIF and AVIF files", where: \.subsamplesChroma),
      .flag(
        "--progressive", "write a progressive JPEG",
        \.writing.isProgressive
      ).used(by: "JPEG files", where: \.isJPEG),
      .option(
        "--compression", .choice(["none": .none, "deflate": .deflate, "lzw": .lzw]),
        "compression of TIFF, and of OpenEXR but for lzw; default: deflate",
        \.writing.compression
      ).used(by: "TIFF files, and none and deflate for OpenEXR", where: \.hasCompression),
      .option(
        "--effort", .wholeNumber(from: 0, to: 9).named("0…9"),
        "effort of compression from 0, the fastest, to 9, the smallest file: the level of PNG and "
          + "deflate, the method of WebP, the speed of AVIF; default: that of the format",
        \.writing.effort
      ).used(
        by: "PNG, WebP, JPEG XL, HEIF and AVIF files, and deflate in TIFF and OpenEXR files",
        where: \.hasEffort),
      .option(
        "--colors", .wholeNumber(from: 2, to: 256).named("2…256"),
        "write an indexed-color PNG with a palette of at most this many colors; default: no palette",
        \.writing.paletteColors
      ).used(by: "PNG files", where: \.holdsPalettes),
    ]
  }

  /// The background of transparent pixels, the profile, and the metadata.
  private static var contentArguments: [Argument<PictureOutput>] {
    [
      .option(
        "--background", .color,
        "flatten onto this color, such as white",
        \.background),
      .option(
        "--embed-profile", .profile,
        "embed this ICC profile without converting any value",
        \.profile),
      .flag(
        "--untagged",
        "write no color space; needed by formats that cannot state it",
        \.writing.isUntagged),
      .flag(
        "--strip",
        Parser<MetadataPart>.choice([
          "location": .location, "exif": .exif, "xmp": .xmp, "iptc": .iptc,
          "all-but-copyright": .allButCopyright,
        ]).separatedByCommas,
        "leave out these parts of the metadata, or all but the color space, the orientation, and the data and display windows of OpenEXR; "
          + "all-but-copyright keeps the copyright and the creators, too"
      ) { output, parts in
        output.strippedParts.formUnion(parts ?? [.all])
      },
    ]
  }

  /// Returns the file to write for a picture, with the metadata of its source. The resolution turns with a picture made from `source`,
  /// unless --resolution states another one.
  func file(
    _ picture: Picture, at path: String, keeping metadata: ImageMetadata = ImageMetadata(),
    madeFrom source: Picture? = nil, orientation: Orientation = .upright, isGray: Bool = false,
    sourceSamples: SampleFormat? = nil
  ) throws -> PictureFile {
    let profile = try embeddedProfile
    let isTurned = source.map { picture.hasExchangedAxes != $0.hasExchangedAxes } ?? false
    let values = picture.onto(background)
    var picture = values
    // Ink pictures have no color space; their writer checks the profile.
    if let profile, !profile.isOfInks { picture = picture.tagged(as: try profile.colorSpace()) }
    let hasPalette = (format ?? ImageFileFormat(ofFileNamed: path))?.hasPalette(writing) == true
    var file = PictureFile(
      picture, at: path, as: format,
      samples: samples ?? (hasPalette ? .uint8 : kept(sourceSamples, of: values, at: path)),
      dither: hasPalette ? nil : dither?.method, writing: writing)
    file.writing.isPaletteDithered = dither != .toNearest
    if writing.maximumBytes != nil { file.writing.qualitySearch = QualitySearch() }
    file.writing.metadata = metadata
    // In one order, so that the bytes are the same in every run.
    for part in MetadataPart.allCases where strippedParts.contains(part) {
      part.remove(from: &file.writing.metadata)
    }
    if isTurned { file.writing.metadata.resolution?.exchangeAxes() }
    if let resolution { file.writing.metadata.resolution = resolution }
    file.writing.orientation = orientation
    file.writing.isGray =
      isGray && background?.isGray != false && profile?.channelCount ?? 1 == 1 && !hasPalette
    file.writing.profile = profile
    try checkGrays(of: file)
    try checkPalette(of: file)
    return file
  }

  /// Returns a file without a name for the plan of a picture, with samples of 16 bits unless options say otherwise. --colors makes it a PNG
  /// file.
  func unnamedFile(_ picture: Picture) throws -> PictureFile {
    let format = format ?? (writing.paletteColors == nil ? nil : .png)
    let hasPalette = format?.hasPalette(writing) == true
    let file = PictureFile(
      picture.onto(background), at: "", as: format,
      samples: samples ?? (hasPalette ? .uint8 : format?.samples[0] ?? .uint16),
      dither: hasPalette ? nil : dither?.method, writing: writing)
    try checkPalette(of: file)
    try checkUse(by: [file])
    return file
  }

  /// Refuses a profile of grays by lightness for channels of colors, which only a gray file can state.
  private func checkGrays(of file: PictureFile) throws {
    let space = file.picture.space
    guard space.isGray, space.transfer.curves == nil, !writing.isUntagged,
      file.writing.profile == nil,
      let format = format ?? ImageFileFormat(ofFileNamed: file.path)
    else { return }
    let gray: Channels = file.picture.hasAlpha ? .grayAlpha : .gray
    guard !file.writing.isGray || !format.channels.contains(gray) else { return }
    throw Misuse(
      file.writing.isGray
        ? "“\(file.path)” cannot state \(space): \(format) files hold no gray channel. Write PNG or TIFF, or convert to a "
          + "space of three channels, such as --to sRGB."
        : "“\(file.path)” would hold colors, and \(space) is a space of grays. Convert to a space of three channels, such as "
          + "--to sRGB.")
  }

  /// Whether the values of the written file mean something else than those of the picture, or lie on a background that shows.
  func changesMeaning(of picture: Picture) -> Bool {
    profile != nil || background != nil && picture.hasAlpha
  }

  /// The profile that --embed-profile names.
  private var embeddedProfile: ICCProfile? {
    get throws {
      guard let profile else { return nil }
      if writing.isUntagged {
        throw Misuse(
          "“--embed-profile” puts a profile into the file, and “--untagged” leaves it out. Leave out one of "
            + "them.")
      }
      return profile
    }
  }

  /// The sample format of the source where the file can hold it and the picture needs no finer one; nil otherwise.
  private func kept(
    _ source: SampleFormat?, of picture: Picture, at path: String
  ) -> SampleFormat? {
    guard let source, let format = format ?? ImageFileFormat(ofFileNamed: path),
      format.samples.contains(source)
    else { return nil }
    let transfer = picture.space.transfer
    let isWhole = source == .uint8 || source == .uint16
    return isWhole && (transfer.isLinear || transfer.isOfHighRange || transfer.curves == nil)
      ? nil : source
  }

  /// Writes files; a verb may measure a picture in the same pass.
  typealias Pass = ([PictureFile], RenderOptions) throws -> [WritingReport]

  /// Whether --strip removes the luminance metadata anyway, so that its omission is not reported.
  private var strips: Bool { !strippedParts.isDisjoint(with: [.all, .allButCopyright]) }

  /// Returns the metadata of a source as far as it applies to a picture made from it. Luminance metadata is kept only where linear light
  /// is unchanged; its omission is reported on standard error.
  func metadata(
    of source: ImageFileInfo, at path: String, hasSameLight: Bool, in session: Session
  ) -> ImageMetadata {
    var metadata = source.metadata
    if !hasSameLight, !strips, let white = metadata.whiteLuminance {
      metadata.whiteLuminance = nil
      session.note(
        "The white luminance of “\(path)” (\(white) cd/m²) is omitted where luminance may have changed."
      )
    }
    if hasSameLight || strips || metadata.contentLight == nil && metadata.masteringDisplay == nil {
      return metadata
    }
    (metadata.contentLight, metadata.masteringDisplay) = (nil, nil)
    session.note(
      "The content light level and mastering display of “\(path)” (cLLI, mDCV) are omitted where luminance may have changed."
    )
    return metadata
  }

  /// Returns the metadata with the framing as far as it applies to the new picture and its file: `steps` are nil where the picture is not
  /// the source in place or resized. Omissions are reported on standard error.
  func framed(
    _ metadata: ImageMetadata, for picture: Picture, at output: String, of path: String,
    resizedBy steps: PictureSteps?, in session: Session
  ) -> ImageMetadata {
    var metadata = metadata
    let isOpenEXR = (format ?? ImageFileFormat(ofFileNamed: output))?.name == "OpenEXR"
    if !isOpenEXR, !strips, let white = metadata.whiteLuminance {
      session.note(
        "The white luminance of “\(path)” (\(white) cd/m²) is omitted: only OpenEXR files store it."
      )
    }
    guard let framing = metadata.framing else { return metadata }
    metadata.framing = nil
    let beginning = "The framing of “\(path)” (\(framing)) is omitted"
    if !isOpenEXR {
      session.note("\(beginning): only OpenEXR files store it.")
    } else if let steps {
      metadata.framing = framing.scaled(to: picture.size, keepingShape: steps.stretches)
    } else {
      session.note(
        "\(beginning), because pixels were moved, cropped or replaced, or the size changed other than by --fit or --resize."
      )
    }
    return metadata
  }

  /// Writes a picture without a source file, and reports it.
  func write(
    _ picture: Picture, to path: String, isGray: Bool = false, in session: Session,
    progress: ProgressLine
  ) throws {
    let file = try file(picture, at: path, isGray: isGray)
    let reports = try write([file], in: session, progress: progress)
    if printsJSON { session.print(json: WrittenFile(file, reports[0])) }
  }

  /// Throws the error with which writing would fail before the first pixel.
  func check(_ files: [PictureFile], in session: Session) throws {
    try reserveOutput(for: files, in: session)
    try checkUse(by: files)
    try Picture.checkWriting(files, options: session.settings.renderOptions)
  }

  private func reserveOutput(for files: [PictureFile], in session: Session) throws {
    for file in files { try session.reserveOutput(for: file.path, hasReport: printsJSON) }
  }

  /// Writes several pictures in one pass, and reports metadata that the files do not hold on standard error.
  @discardableResult
  func write(
    _ files: [PictureFile], in session: Session, progress: ProgressLine,
    by pass: Pass = { try Picture.write($0, options: $1) }
  ) throws -> [WritingReport] {
    try reserveOutput(for: files, in: session)
    try checkUse(by: files)
    var options = session.settings.renderOptions
    let paths = files.map(\.path).joined(separator: ", ")
    options.progress = progress.report("writing", paths)
    let reports = try withinSizes(of: files) { try pass(files, options) }
    for (file, report) in zip(files, reports) {
      progress.finish("\(file.path): \(file.picture.size) pixels in \(file.picture.space)")
      session.tell(report, of: file.path)
      Tool.resultsWritten?.add(file.path)
    }
    return reports
  }
}

/// A part of the metadata that --strip names, or all of it.
private enum MetadataPart: CaseIterable {
  case location, exif, xmp, iptc, allButCopyright, all

  func remove(from metadata: inout ImageMetadata) {
    switch self {
    case .location: metadata.removeLocation()
    case .exif: metadata.exif = nil
    case .xmp: metadata.xmp = nil
    case .iptc: metadata.iptc = nil
    case .allButCopyright: metadata.removeAllButCopyright()
    case .all:
      // The framing is geometry and not a description.
      let framing = metadata.framing
      metadata = ImageMetadata()
      metadata.framing = framing
    }
  }
}

extension PictureFile {
  /// The sample format that is written: by default that of the file's format, and 16 bits where that is unknown.
  var writtenSamples: SampleFormat {
    samples ?? (format ?? ImageFileFormat(ofFileNamed: path))?.samples[0] ?? .uint16
  }

  /// The channels that are written; nil, for those of the picture, where the file's format is unknown.
  var writtenChannels: Channels? {
    (format ?? ImageFileFormat(ofFileNamed: path)).map { channels(in: $0) }
  }
}

extension ImageMetadata.Resolution {
  /// Makes it the resolution of the picture after a quarter turn.
  fileprivate mutating func exchangeAxes() { swap(&horizontal, &vertical) }
}

extension Picture {
  /// Returns the picture composited onto a background color, if there is one.
  fileprivate func onto(_ background: ColorPoint?) -> Picture {
    guard let background, hasAlpha else { return self }
    return flattened(onto: background)
  }
}
