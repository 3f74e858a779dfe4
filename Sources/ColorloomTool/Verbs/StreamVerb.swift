import Colorloom
import ImageFiles

struct StreamVerb: Verb {
  static let name = "stream"
  static let summary = "changes each frame of a video on its way through a pipe"
  static let discussion =
    """
    Frames come and go as YUV4MPEG2, which ffmpeg reads and writes with -f yuv4mpegpipe, or as bare samples. What the stream does not say \
    is taken as for most video: BT.709, narrow range. Differences that pixels share are interpolated, and averaged on the way out.
    """ + " " + PictureSteps.order
  static let example = "colorloom stream --highlight sRGB --from p3 < in.y4m > out.y4m"
  static var arguments: [Argument<StreamVerb>] {
    [
      .positional(.path.named("IN"), "the video to read; standard input if not given", \.input),
      .positional(.path.named("OUT"), "the video to write; standard output", \.output),
    ] + PictureSteps.arguments.map { $0.within(\.steps) } + [
      .option("--from", .space, "what red, green and blue mean; rec709 if not given", \.space),
      .option(
        "--matrix", .matrix, "what lightness is mixed by; 2020 for its lights, or else 709",
        \.matrix),
      .option(
        "--range", .choice(["narrow": false, "full": true]).named("narrow|full"),
        "which numbers samples take; as the stream says if not given", \.isFullRange),
      .option("--raw", .layout, "read bare samples, such as yuv420p; --size is needed", \.raw),
      .option("--size", .size, "the size of bare frames", \.size),
      .option("--as", .layout, "the samples written; those that were read if not given", \.layout),
      .flag("--bare", "write bare samples", \.writesBare),
      .flag("--json", "what came out, as a JSON object", \.printsJSON),
      .option("--frames", .wholeNumber(from: 1), "stop after so many frames", \.frames),
    ]
  }

  var input: String?
  var output: String?
  var steps = PictureSteps()
  var space = ColorSpace.rec709
  var matrix: VideoEncoding.Matrix?
  var isFullRange: Bool?
  var raw: VideoFormat.Layout?
  var size: PixelSize?
  var layout: VideoFormat.Layout?
  var writesBare = false
  var frames: Int?
  var printsJSON = false

  private struct Report: Encodable { let frames, width, height: Int }

  func run(in session: Session) throws {
    let (input, output) = (input ?? "-", output ?? "-")
    try session.refuseForeignStream(input)
    try session.refuseForeignStream(output)
    if output == "-" { try session.refuseReport(printsJSON) }
    let reader = try reader(of: input, session.settings.fileLimits)
    var writer: VideoWriter?
    var rendered: Bitmap<UInt16>?
    var count = 0
    let progress = session.progressLine()
    while frames.map({ count < $0 }) ?? true, let frame = try reader.next(in: space) {
      let picture = try steps.applied(to: Picture(frame).converted(to: space))
      let format = try format(of: picture, from: reader.format)
      let stored = picture.converted(to: format.space(of: picture.space))
      var bitmap = try rendered ?? stored.render(options: session.settings.renderOptions)
      if rendered != nil {
        try stored.render(into: &bitmap, options: session.settings.renderOptions)
      }
      let target = try writer ?? VideoWriter(output, format, isBare: writesBare)
      try target.write(bitmap)
      (writer, rendered) = (target, bitmap)
      count += 1
      if let frames {
        progress.report("streaming", "frame \(count)")(Double(count) / Double(frames))
      }
    }
    guard let writer else { throw Failure("“\(input)” holds no frame.") }
    try writer.finish()
    let size = writer.format.size
    progress.finish("\(count) frames of \(size) pixels")
    if printsJSON {
      session.print(json: Report(frames: count, width: size.width, height: size.height))
    }
  }

  private func reader(of input: String, _ limits: FileLimits) throws -> VideoReader {
    var unstated = VideoFormat(size ?? PixelSize(1, 1), raw ?? .planes(.quarter, bits: 8))
    unstated.matrix = matrix ?? .usual(for: space)
    unstated.isFullRange = isFullRange ?? false
    guard raw != nil else {
      return try VideoReader(input, unstated: unstated, isFullRange: isFullRange, limits: limits)
    }
    guard size != nil else {
      throw Misuse("Bare samples say nothing of their size. “--raw” needs “--size” too.")
    }
    return try VideoReader(input, samples: unstated, limits: limits)
  }

  /// How a picture is written: as it was read, unless something else was asked for.
  private func format(of picture: Picture, from source: VideoFormat) throws -> VideoFormat {
    guard picture.space.transfer.curves != nil else {
      throw Misuse(
        "\(picture.space) has no lights, and no video holds it. “--to” needs another one.")
    }
    var format = source
    format.size = picture.size
    format.layout = layout ?? source.layout
    if picture.space != space { format.matrix = .usual(for: picture.space) }
    return format
  }
}

extension VideoEncoding.Matrix {
  /// What video of a space mixes lightness by.
  fileprivate static func usual(for space: ColorSpace) -> VideoEncoding.Matrix {
    space.primaries == .rec2020 ? .rec2020 : .rec709
  }
}

extension Parser<VideoEncoding.Matrix> {
  fileprivate static var matrix: Parser {
    .choice(["601": .rec601, "709": .rec709, "2020": .rec2020, "240m": .smpte240M, "fcc": .fcc])
  }
}
