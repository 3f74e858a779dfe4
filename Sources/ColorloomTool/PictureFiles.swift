import Colorloom
import ImageFiles

extension Session {
  /// The picture in a file. Where it only has a meaning because of `assumption`, that is said on standard error.
  func picture(at path: String, assuming assumption: ColorSpace?) throws -> Picture {
    try refuseForeignStream(path)
    // Standard input can only be read once.
    if let assumption, path != "-", try !ImageFile.info(path).color.isUsable {
      console.complain("“\(path)” is taken for \(assumption), as --assume says.")
    }
    return try Picture(contentsOf: path, assuming: assumption)
  }

  /// What a file says about its picture.
  func info(of path: String) throws -> ImageFileInfo {
    try refuseForeignStream(path)
    return try ImageFile.info(path)
  }

  /// Standard input and output belong to the process, not to a job that runs in it among others.
  fileprivate func refuseForeignStream(_ path: String) throws {
    if path == "-", !console.ownsStreams {
      throw Misuse("“-” is not to be had here: standard input and output are in use. Name a file.")
    }
  }
}

/// How a picture is written: what all verbs that write one have in common.
struct PictureOutput {
  private var samples: SampleFormat?
  private var format: ImageFileFormat?

  static var arguments: [Argument<PictureOutput>] {
    [
      .option(
        "--samples", .samples,
        "what the file written is made of; the finest its format has if not given", \.samples),
      .option(
        "--format", .imageFormat, "the format written; that of the name's ending if not given",
        \.format),
    ]
  }

  func write(
    _ picture: Picture, to path: String, in session: Session, progress: ProgressLine
  ) throws {
    try session.refuseForeignStream(path)
    var options = session.settings.renderOptions
    options.progress = progress.report("writing", path)
    try picture.write(to: path, as: format, samples: samples, options: options)
    progress.finish("\(path): \(picture.size) pixels in \(picture.space)")
  }
}
