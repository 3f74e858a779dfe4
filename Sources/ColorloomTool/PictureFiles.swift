import Colorloom
import ImageFiles

extension Session {
  /// The picture in a file. Where it only has a meaning because of `assumption`, that is said on standard error.
  func picture(at path: String, assuming assumption: ColorSpace?) throws -> Picture {
    try picture(in: OpenedImageFile(streamOrFile(path)), at: path, assuming: assumption)
  }

  func picture(
    in file: OpenedImageFile, at path: String, assuming assumption: ColorSpace?
  ) throws -> Picture {
    if let assumption, !file.info.color.isUsable {
      console.complain("“\(path)” is taken for \(assumption), as --assume says.")
    }
    return try file.picture(assuming: assumption)
  }

  /// What a file says about its picture.
  func info(of path: String) throws -> ImageFileInfo {
    try ImageFile.info(streamOrFile(path))
  }

  /// The path, which may be that of a stream where the process has one for itself.
  func streamOrFile(_ path: String) throws -> String {
    try refuseForeignStream(path)
    return path
  }

  /// Standard input and output belong to the process, not to a job that runs in it among others.
  func refuseForeignStream(_ path: String) throws {
    if path == "-", !console.ownsStreams {
      throw Misuse("“-” is not to be had here: standard input and output are in use. Name a file.")
    }
  }
}

/// How a picture is written: what all verbs that write one have in common.
struct PictureOutput {
  private var samples: SampleFormat?
  private var format: ImageFileFormat?
  private var writing = WritingOptions()
  private var dither: Dither?

  static var arguments: [Argument<PictureOutput>] {
    [
      .option(
        "--samples", .samples,
        "what the file written is made of; the finest its format has if not given", \.samples),
      .option(
        "--format", .imageFormat, "the format written; that of the name's ending if not given",
        \.format),
      .option(
        "--quality", .wholeNumber(from: 1, to: 100).named("1…100"),
        "how much detail is kept by formats with loss, such as JPEG; 90 if not given",
        \.writing.quality),
      .flag(
        "--lossless", "nothing is lost where the format has a choice", \.writing.isLossless),
      .option(
        "--chroma", .choice(["444": .full, "422": .half, "420": .quarter]),
        "how many pixels of a JPEG share their chroma; 444 from quality 90 up, 420 below",
        \.writing.chroma),
      .option(
        "--compression", .choice(["none": .none, "deflate": .deflate, "lzw": .lzw]),
        "how a TIFF is packed; deflate if not given", \.writing.compression),
      .option(
        "--dither", .dither, "how numbers are rounded; to the nearest if not given", \.dither),
    ]
  }

  /// The file that a picture shall become.
  func file(_ picture: Picture, at path: String) -> PictureFile {
    PictureFile(
      picture, at: path, as: format, samples: samples, dither: dither, writing: writing)
  }

  /// Writes files, and whatever else there is to do in the same pass.
  typealias Pass = ([PictureFile], RenderOptions) throws -> Void

  func write(
    _ picture: Picture, to path: String, in session: Session, progress: ProgressLine,
    by pass: Pass = { try Picture.write($0, options: $1) }
  ) throws {
    try write([file(picture, at: path)], in: session, progress: progress, by: pass)
  }

  /// Writes several pictures in one pass.
  func write(
    _ files: [PictureFile], in session: Session, progress: ProgressLine,
    by pass: Pass = { try Picture.write($0, options: $1) }
  ) throws {
    for file in files { try session.refuseForeignStream(file.path) }
    var options = session.settings.renderOptions
    let paths = files.map(\.path).joined(separator: ", ")
    options.progress = progress.report("writing", paths)
    try pass(files, options)
    for file in files {
      progress.finish("\(file.path): \(file.picture.size) pixels in \(file.picture.space)")
    }
  }
}
