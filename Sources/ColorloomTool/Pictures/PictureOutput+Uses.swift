import Colorloom
import ImageFiles

/// An option for the files to write that some kinds of files have no use for.
struct FileOption {
  /// The option as it was typed, with its value.
  let words: String
  /// The files that have a use for it, to end “… is for”.
  let files: String
  let isUsed: (FileKind) -> Bool
}

/// The properties of a written file that decide which options it has a use for.
struct FileKind: CustomStringConvertible {
  let format: ImageFileFormat
  /// The sample format; nil where it depends on the source.
  let samples: SampleFormat?
  let writing: WritingOptions

  /// Whether the samples are integers, or may be.
  var holdsIntegers: Bool {
    (samples.map { [$0] } ?? format.samples).contains { $0 != .float16 && $0 != .float32 }
  }
  var isJPEG: Bool { format == .jpeg }
  /// Whether the format can compress with and without loss.
  var canBeLossless: Bool { ["WebP", "JPEG XL", "HEIF", "AVIF"].contains(format.name) }
  /// Whether the file is compressed with loss.
  var isLossy: Bool { format.hasQuality(writing) }
  /// Whether the file may have subsampled chroma.
  var subsamplesChroma: Bool { isLossy && ["JPEG", "HEIF", "AVIF"].contains(format.name) }
  /// Whether the file is compressed as `--compression` says. OpenEXR has no LZW.
  var hasCompression: Bool {
    format.name == "TIFF" || format.name == "OpenEXR" && writing.compression != .lzw
  }
  /// Whether the compression of the file has a setting of effort.
  var hasEffort: Bool { format.hasEffort(writing) }
  /// Whether the file can have a palette.
  var holdsPalettes: Bool { format.holdsPalettes }
  /// Whether the file states its resolution.
  var holdsResolution: Bool { format.metadataKinds.contains(.resolution) }
  /// The formats of this build whose files state a resolution, such as “PNG, JPEG and BMP”.
  static var namesWithResolution: String {
    let names = ImageFileFormat.all.filter { $0.metadataKinds.contains(.resolution) }.map(\.name)
    return names.dropLast().joined(separator: ", ") + " and " + names.suffix(1).joined()
  }

  /// Words such as “PNG”, “lossless WebP” and “TIFF with floating-point samples”.
  var description: String {
    (canBeLossless && writing.isLossless ? "lossless " : "") + format.name
      + (holdsIntegers ? "" : " with floating-point samples")
  }
}

extension Argument<PictureOutput> {
  /// The same option, which is refused where no file that is written has a use for it.
  func used(
    by files: String, where isUsed: @escaping (FileKind) -> Bool
  ) -> Argument<PictureOutput> {
    Argument(synopsis: synopsis) { output, words in
      try take(&output, words)
      let words = ([synopsis.name] + words).joined(separator: " ")
      output.fileOptions.append(FileOption(words: words, files: files, isUsed: isUsed))
    }
  }
}

extension PictureOutput {
  /// Throws where an option was given that none of the files has a use for.
  func checkUse(by files: [PictureFile]) throws {
    try checkUse(
      by: files.map { file in
        (file.path, kind(ofFileAt: file.path) { file.samples ?? $0.samples[0] })
      })
  }

  /// The same for files by their paths, before it is known what samples they get from their sources. Also throws where none of them holds
  /// those of --samples.
  func checkUse(byFilesAt paths: [String]) throws {
    let files = paths.map { (path: $0, kind: kind(ofFileAt: $0) { _ in samples }) }
    try checkUse(by: files)
    let formats = files.compactMap(\.kind?.format)
    guard let samples, formats.count == files.count, let first = formats.first,
      !formats.contains(where: { $0.samples.contains(samples) })
    else { return }
    throw ImageFileError.unsupportedSamples(samples, format: first)
  }

  /// Returns the kind of a file; nil where its format is unknown.
  private func kind(
    ofFileAt path: String, samples: (ImageFileFormat) -> SampleFormat?
  ) -> FileKind? {
    (format ?? ImageFileFormat(ofFileNamed: path)).map {
      FileKind(format: $0, samples: samples($0), writing: writing)
    }
  }

  private func checkUse(by files: [(path: String, kind: FileKind?)]) throws {
    let kinds = files.compactMap(\.kind)
    // The writer refuses a file of no known format.
    guard kinds.count == files.count, let kind = kinds.first else { return }
    for option in fileOptions where !kinds.contains(where: option.isUsed) {
      let file = files[0].path.isEmpty ? "the file" : "“\(files[0].path)”"
      throw Misuse(
        "“\(option.words)” is for \(option.files); \(file) is \(kind). Leave out the option, "
          + "or write such a file.")
    }
  }
}
