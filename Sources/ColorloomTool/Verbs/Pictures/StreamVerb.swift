import Colorloom
import Foundation
import ImageFiles

final class StreamVerb: Verb {
  static let name = "stream"
  static let summary = "change each frame of a video stream"
  static let discussion =
    """
    Reads and writes YUV4MPEG2, as ffmpeg does with -f yuv4mpegpipe, or raw samples without a header. BT.709 and narrow range are assumed \
    where the stream states nothing. --matrix, --range and --siting state how the input is coded, whatever its header says. --as-matrix, \
    --as-range and --as-siting choose how the output is coded, by default like the input. Subsampled chroma is interpolated by its siting \
    and averaged for output; without a step that changes pixels it is copied. Resizing to an exact size changes the pixel aspect ratio, so \
    that the picture keeps its proportions. The first SIGINT or SIGTERM, such as by Ctrl-C, ends the stream after the frames that were read, \
    and completes the file; a second one, half a second later or more, ends it at once.
    """ + " " + PictureSteps.order
  static let example = "colorloom stream --highlight sRGB --from p3 < in.y4m > out.y4m"
  static var arguments: [Argument<StreamVerb>] {
    [
      .positional(.path.named("IN"), "the video to read; default: standard input", \.input),
      .positional(.path.named("OUT"), "the video to write; default: standard output", \.output),
    ] + PictureSteps.argumentsForFrames.map { $0.within(\.steps) } + [
      .assumeOfSteps(\.steps.assumed),
      .option("--from", .space, "color space of the frames; default: rec709", \.space),
      .option(
        "--matrix", .matrix,
        "luma coefficients of the input; default: 2020 for its primaries, 709 otherwise",
        \.matrix),
      .option(
        "--range", .range, "code range of the input; default: that of its header, or narrow",
        \.isFullRange),
      .option(
        "--siting", .siting,
        "chroma siting of the input, such as top-left for BT.2020; default: that of its header, or left",
        \.siting),
      .option(
        "--raw", .layout, "read raw samples without a header, such as yuv420p; needs --size",
        \.raw),
      .option("--size", .size, "the size of raw frames", \.size).needing("--raw"),
      .option("--as", .layout, "the sample layout written; default: that of the input", \.layout),
      .option(
        "--as-matrix", .matrix,
        "luma coefficients written; default: those of the input, or with --to the usual ones",
        \.writtenMatrix),
      .option(
        "--as-range", .range, "code range written; default: that of the input",
        \.writesFullRange),
      .option(
        "--as-siting", .siting,
        "chroma siting written; default: that of the input, or left for other subsampling",
        \.writtenSiting),
      .flag("--bare", "write raw samples without a header", \.writesBare),
      .flag(
        "--salvage", "write the whole frames before the damage of a video, and report how many",
        \.salvages),
      .flag("--json", "print a report as a JSON object", \.printsJSON),
      .option("--frames", .wholeNumber(from: 1), "number of frames after which to stop", \.frames),
    ]
  }

  var input: String?
  var output: String?
  var steps = PictureSteps()
  var stepsAreOfFiles: Bool { steps.areOfFiles }
  var space = ColorSpace.rec709
  var matrix: VideoEncoding.Matrix?
  var isFullRange: Bool?
  var siting: VideoFormat.Siting?
  var raw: VideoFormat.Layout?
  var size: PixelSize?
  var layout: VideoFormat.Layout?
  var writtenMatrix: VideoEncoding.Matrix?
  var writesFullRange: Bool?
  var writtenSiting: VideoFormat.Siting?
  var writesBare = false
  var frames: Int?
  var salvages = false
  var printsJSON = false

  private struct Report: Encodable {
    let frames, width, height: Int
    /// The luma coefficients of the written frames; nil for red, green and blue.
    let matrix: String?
  }

  func run(in session: Session) throws {
    let (input, output) = (input ?? "-", output ?? "-")
    try session.beginReadingInput(input)
    try session.reserveOutput(for: output, hasReport: printsJSON)
    var uses = FileUses()
    try uses.add(output, inPlaceOf: input)
    try checkEnding(of: output)
    try checkLayout()
    let reader = try reader(of: input, session.settings.fileLimits)
    let (format, isUnchanged) = try format(from: reader.format, in: session)
    try checkMemory(
      reader.format, format, copies: isUnchanged, for: output,
      session.settings.fileLimits.memoryLimit)
    let writer = try VideoWriter(
      output, format, isBare: writesBare, limits: session.settings.fileLimits)
    if let stop = InputStop() {
      reader.stop = stop
      writer.onFailureBehind = { stop.request() }
      // A batch has other jobs, which a signal ends, too.
      if session.console.ownsStreams { EarlyEnd.permit(of: stop) }
    }
    let progress = session.progressLine()
    let count: Int
    do {
      count = try pass(reader, to: writer, copies: isUnchanged, in: session, progress)
    } catch {
      // The error of an earlier frame, which is written meanwhile, comes first.
      try writer.waitForFrame()
      throw error
    }
    guard count > 0 else {
      EarlyEnd.endProcessIfRequested()
      throw Failure("“\(input)” holds no frame.")
    }
    try writer.finish()
    if let signal = EarlyEnd.signalName {
      session.note("\(signal) ended the stream. \(countedFrames(count, "written")).")
    }
    let size = format.size
    progress.finish("\(count) frames of \(size) pixels")
    if printsJSON {
      let matrix = format.layout.isRGB ? nil : format.matrix.word
      session.print(
        json: Report(frames: count, width: size.width, height: size.height, matrix: matrix))
    }
  }

  /// Passes frames on, with the steps or as copies; returns how many there were. With more than one thread, the next frame is read and
  /// the last one is written meanwhile.
  private func pass(
    _ reader: VideoReader, to writer: VideoWriter, copies: Bool, in session: Session,
    _ progress: ProgressLine
  ) throws -> Int {
    let options = session.settings.renderOptions
    let overlaps = options.threads != 1
    writer.writesBehind = overlaps
    var count = 0
    func readAhead() {
      // No byte behind the frames that are asked for is read.
      if overlaps, frames.map({ count + 1 < $0 }) ?? true { reader.readAhead() }
    }
    while frames.map({ count < $0 }) ?? true {
      // Where the reader of the output has left, no other frame is waited for.
      try writer.checkFrame()
      if copies {
        guard
          try beforeDamage(
            of: reader, after: count, in: session,
            { try $0.copyFrame(to: writer, options: options) }) == true
        else { break }
        readAhead()
      } else {
        let next = try beforeDamage(of: reader, after: count, in: session) {
          try $0.nextPicture(in: space, options: options)
        }
        guard let frame = next else { break }
        readAhead()
        try writer.write(steps.applied(to: frame, in: session), options: options)
      }
      count += 1
      if let frames {
        progress.report("streaming", "frame \(count)")(Double(count) / Double(frames))
      }
    }
    return count
  }

  /// A number of frames, and their state.
  private func countedFrames(_ count: Int, _ state: String) -> String {
    count == 1 ? "1 frame is \(state)" : "\(count) frames are \(state)"
  }

  /// Returns what `read` reads of the next frame; nil after the last one. Where the video is damaged after some whole frames and
  /// --salvage is given, the last one is that before the damage, which is reported.
  private func beforeDamage<Frame>(
    of reader: VideoReader, after count: Int, in session: Session,
    _ read: (VideoReader) throws -> Frame?
  ) throws -> Frame? {
    do { return try read(reader) } catch let error as ImageFileError {
      if raw != nil, case .unknownFormat(let file, _) = error {
        throw Misuse(
          "“\(file)” is a YUV4MPEG2 (Y4M) video, not raw samples. Leave “--raw” and “--size” out."
        )
      }
      guard case .damaged(let file, let reason) = error else { throw error }
      let finding = raw.map { partOfFrame(file, reason, $0) } ?? error.finding
      guard salvages, count > 0 else {
        if raw != nil {
          throw Failure(
            "\(finding) If the video is whole, “--size” or “--raw” is wrong."
              + (count > 0 ? " If it was cut off, pass “--salvage” to read what is intact." : "")
          )
        }
        throw count > 0 ? SalvageableDamage(error: error) : error
      }
      session.note(
        "\(finding) \(countedFrames(count, "whole and written")); all bytes after that are left out."
          + (raw == nil ? "" : " If they look wrong, “--size” or “--raw” is."))
      return nil
    }
  }

  /// Says that raw samples end within a frame. They have no header, so that this seldom is damage.
  private func partOfFrame(_ file: String, _ reason: String, _ layout: VideoFormat.Layout) -> String
  {
    let size = size.map { "\($0)" } ?? ""
    return "“\(file)” holds no whole number of frames of \(size) pixels in \(layout): \(reason)."
  }

  /// The endings of other video formats.
  private static let foreignVideoEndings: Set = [
    "3gp", "avi", "flv", "ivf", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf",
    "ogv", "ts", "webm", "wmv",
  ]

  /// The endings of raw samples: the names of layouts, and others that are usual.
  private static let rawEndings = Set(
    VideoFormat.Layout.named.flatMap { layout in
      let name = "\(layout)"
      return [name, name.hasSuffix("le") ? String(name.dropLast(2)) : name]
    } + ["bgr", "i420", "raw", "rgb", "uyvy", "yuv", "yuyv"])

  /// Throws where the name of a file ends as raw samples without --bare, or as a picture or a video of another format. Pipes and devices
  /// have any name.
  private func checkEnding(of output: String) throws {
    let ending = URL(filePath: output).pathExtension.lowercased()
    let isRaw = Self.rawEndings.contains(ending)
    guard
      isRaw
        ? !writesBare
        : Self.foreignVideoEndings.contains(ending)
          || PictureListing.pictureEndings.contains(ending)
    else { return }
    let attributes = try? FileManager.default.attributesOfItem(atPath: output)
    let type = attributes?[.type] as? FileAttributeType
    if type ?? .typeRegular != .typeRegular { return }
    if isRaw {
      throw Misuse(
        "“\(output)” has the ending of raw samples. Pass “--bare” to write them, in the layout of “--as”, or let the name end in "
          + ".y4m for YUV4MPEG2.")
    }
    throw Misuse(
      "“\(output)” has the ending of another format. “stream” writes YUV4MPEG2, such as to .y4m, or with “--bare” raw samples. "
        + "For another video format pipe standard output to an encoder: ffmpeg -i - \(shellWord(output))."
    )
  }

  /// Throws where YUV4MPEG2 holds no samples of the layout to write.
  private func checkLayout() throws {
    guard !writesBare, let layout = layout ?? raw, layout.ofY4M != layout else { return }
    throw Misuse(
      "YUV4MPEG2 holds no \(layout) samples; choose planar ones with “--as”, such as \(layout.ofY4M), or write raw samples "
        + "with “--bare”.")
  }

  private func reader(of input: String, _ limits: FileLimits) throws -> VideoReader {
    var unstated = VideoFormat(size ?? PixelSize(1, 1), raw ?? .planes(.quarter, bits: 8))
    unstated.matrix = matrix ?? .usual(for: space)
    unstated.isFullRange = isFullRange ?? raw?.isGray ?? false
    unstated.siting = siting ?? .left
    guard raw != nil else {
      do {
        return try VideoReader(
          input, unstated: unstated, isFullRange: isFullRange, siting: siting, limits: limits)
      } catch {
        guard case .unknownFormat = error else { throw error }
        throw Failure(
          "“\(input)” is no YUV4MPEG2 (Y4M) video. Pass one, which ffmpeg writes with -f yuv4mpegpipe, or raw samples "
            + "with --raw and --size.")
      }
    }
    guard size != nil else {
      throw Misuse("Raw samples do not state their size. “--raw” needs “--size” too.")
    }
    return try VideoReader(input, samples: unstated, limits: limits)
  }

  /// Returns the format of written frames, by default the format of the read ones, and whether no step changes their pixels.
  private func format(
    from source: VideoFormat, in session: Session
  ) throws -> (format: VideoFormat, isUnchanged: Bool) {
    let frame = Picture(BlankRows(size: source.size, space: source.space(of: space)))
      .converted(to: space)
    let stages = try steps.pictures(from: frame, in: session)
    let picture = stages[stages.count - 1].picture
    try picture.checkRenders(session.settings.renderOptions)
    guard !picture.hasAlpha else {
      throw Misuse(
        "The steps make pixels transparent, and video frames hold no transparency. Add --flatten COLOR after them, such as "
          + "--flatten black.")
    }
    guard picture.space.transfer.curves != nil else {
      throw Misuse(
        "\(picture.space) has no RGB primaries, and video needs them. Pass another space to “--to”."
      )
    }
    var format = source.shaped(by: stages)
    format.layout = layout ?? source.layout
    try checkCoding(from: source.layout, to: format.layout)
    format.matrix =
      writtenMatrix ?? (picture.space == space ? source.matrix : .usual(for: picture.space))
    format.isFullRange = writesFullRange ?? source.isFullRange
    format.siting = try siting(of: format.layout, from: source)
    let isUnchanged = picture.isComputed(like: frame) && format.hasSameComponents(as: source)
    if !isUnchanged {
      try session.check([picture.converted(to: format.space(of: picture.space))])
    }
    return (format, isUnchanged)
  }

  /// Throws where an option states a property that the samples do not have. The matrix and the range of RGB input are those of YUV output
  /// that states none.
  private func checkCoding(
    from source: VideoFormat.Layout, to written: VideoFormat.Layout
  ) throws {
    let areRGB = source.isRGB && written.isRGB
    let (readsFull, writesFull) = (!source.subsamplesChroma, !written.subsamplesChroma)
    for (option, hasNoUse, layout, properties) in [
      ("--matrix", matrix != nil && areRGB, source, "no matrix"),
      ("--range", isFullRange != nil && areRGB, source, "no narrow range"),
      ("--siting", siting != nil && readsFull, source, "no subsampled chroma"),
      ("--as-matrix", writtenMatrix != nil && written.isRGB, written, "no matrix"),
      ("--as-range", writesFullRange != nil && written.isRGB, written, "no narrow range"),
      ("--as-siting", writtenSiting != nil && writesFull, written, "no subsampled chroma"),
    ] where hasNoUse {
      throw Misuse("\(layout) samples have \(properties). Leave “\(option)” out.")
    }
  }

  /// Throws where the frames that are held at once exceed the memory limit: one read and one to write, as samples and as bitmaps.
  private func checkMemory(
    _ read: VideoFormat, _ written: VideoFormat, copies: Bool, for output: String, _ limit: Int?
  ) throws {
    let (one, other) =
      copies
      ? (read.frameBytes, written.frameBytes) : (read.convertedBytes, written.convertedBytes)
    let bytes = one.addingSaturated(other)
    if let limit, bytes > limit {
      throw ImageFileError.tooMuchMemory(file: output, bytes: bytes, limit: limit)
    }
  }

  /// Returns the chroma siting to write: as requested, or that of the source if its chroma is subsampled in the same way.
  private func siting(
    of layout: VideoFormat.Layout, from source: VideoFormat
  ) throws -> VideoFormat.Siting {
    let isAlwaysLeft = layout.chroma == .half && !writesBare
    guard !isAlwaysLeft || writtenSiting ?? .left == .left else {
      throw Misuse(
        "4:2:2 chroma of YUV4MPEG2 is sited left. Leave “--as-siting” out, or write 4:2:0 or 4:4:4 with “--as”, or raw samples "
          + "with “--bare”.")
    }
    let usual = layout.chroma == source.layout.chroma && !isAlwaysLeft ? source.siting : .left
    return writtenSiting ?? usual
  }
}

extension VideoFormat.Layout {
  /// Whether several pixels share chroma.
  fileprivate var subsamplesChroma: Bool { chroma == .half || chroma == .quarter }
}

extension VideoFormat {
  /// Returns the format of its frames after some steps: of their size, and with a pixel aspect ratio by which the picture that a step
  /// stretched, such as a part of the frame, keeps its proportions.
  fileprivate func shaped(by stages: [PictureSteps.Stage]) -> VideoFormat {
    var format = self
    for (before, after) in zip(stages, stages.dropFirst()) {
      format.size = after.picture.size
      if after.picture.hasExchangedAxes != before.picture.hasExchangedAxes {
        (format.pixelWidth, format.pixelHeight) = (format.pixelHeight, format.pixelWidth)
      }
      // No step both turns and stretches.
      if after.isStretched { format.keepProportions(of: before.picture.size) }
    }
    return format
  }

  /// Changes the pixel aspect ratio to show a picture that was resized from `source` in the proportions that it had.
  private mutating func keepProportions(of source: PixelSize) {
    let shape = Fraction(pixelWidth, pixelHeight)
      .times(source.width * size.height, size.width * source.height)
    (pixelWidth, pixelHeight) = (shape.numerator, shape.denominator)
  }
}

/// A positive fraction in lowest terms that streams can hold, or 0/0.
private struct Fraction {
  private(set) var numerator, denominator: Int
  private static let most = 1_000_000

  init(_ numerator: Int, _ denominator: Int) {
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = max(a, 1)
    (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
    let largest = max(self.numerator, self.denominator)
    guard largest > Self.most else { return }
    // As near as the largest numbers allow.
    let scale = Double(Self.most) / Double(largest)
    self.numerator = max(Int((Double(self.numerator) * scale).rounded()), 1)
    self.denominator = max(Int((Double(self.denominator) * scale).rounded()), 1)
  }

  func times(_ a: Int, _ b: Int) -> Fraction {
    let part = Fraction(a, b)
    return Fraction(numerator * part.numerator, denominator * part.denominator)
  }
}

extension VideoEncoding.Matrix {
  /// Returns the usual matrix of a space's video.
  fileprivate static func usual(for space: ColorSpace) -> VideoEncoding.Matrix {
    space.primaries == .rec2020 ? .rec2020 : .rec709
  }

  /// The matrices by the words that name them; the first word is that of reports.
  fileprivate static var named: KeyValuePairs<String, Self> {
    [
      "601|rec601": .rec601, "709|rec709": .rec709, "2020|rec2020": .rec2020,
      "240m|smpte240m": .smpte240M, "fcc": .fcc,
    ]
  }

  /// The first word that names the matrix; nil for others than those of “--matrix”.
  fileprivate var word: String? {
    Self.named.first { $0.value == self }.map { String($0.key.prefix { $0 != "|" }) }
  }
}

extension Parser<VideoEncoding.Matrix> {
  fileprivate static var matrix: Parser { .choice(VideoEncoding.Matrix.named) }
}

extension Parser<Bool> {
  fileprivate static var range: Parser {
    .choice(["narrow": false, "full": true]).named("narrow|full")
  }
}

extension Parser<VideoFormat.Siting> {
  fileprivate static var siting: Parser {
    .choice(["left": .left, "center": .center, "top-left|topleft": .topLeft])
  }
}
