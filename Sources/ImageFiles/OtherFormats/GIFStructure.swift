internal import ColorSpaces
internal import ICCProfiles
internal import ImageBuffer

/// What a GIF file says about the frame that is read, and what it holds beside pixels. Nothing is unpacked.
struct GIFStructure {
  static let signatures = ["GIF87a", "GIF89a"]
  private static let headerBytes = 13
  /// The bytes of a pixel of the screen: red, green, blue and alpha.
  private static let pixelBytes = 4

  let file: String
  /// The logical screen, or the first frame where that exceeds it.
  let screen: PixelSize
  /// The palette of frames without one.
  let palette: Range<Int>?
  /// The frame that is read.
  let frame: GIFFrame
  /// The blocks from the first frame on that shows in the one that is read.
  let firstVisible: GIFBlocks
  /// Whether other frames show in the one that is read, or its rows are interlaced, so that all pixels are in memory.
  let isComposed: Bool
  /// Whether the file ends within the frame, or behind it without a trailer.
  private let endsEarly: Bool
  @Boxed private(set) var info: ImageFileInfo

  /// The error for a file that ends early, behind the rows of the frame that is read. Without an end mark, other frames may be missing, but
  /// those before are complete.
  var missingEnd: ImageFileError? {
    endsEarly ? .truncated(file: file, rows: screen.height, of: screen.height) : nil
  }

  init(_ job: DecodingJob) throws(ImageFileError) {
    let bytes = job.bytes
    guard bytes.count >= Self.headerBytes else {
      throw .damaged(
        file: bytes.name, reason: "it ends after \(bytes.count) bytes, before its header")
    }
    let header = try bytes.array(0..<Self.headerBytes)
    let paletteBytes = header[10] & 0x80 != 0 ? GIFBlocks.paletteBytes(header[10]) : 0
    let start = Self.headerBytes + paletteBytes
    let stated = PixelSize(header.littleEndian16(at: 6), header.littleEndian16(at: 8))
    guard start <= bytes.count else {
      throw .truncated(file: bytes.name, rows: 0, of: stated.height)
    }
    var survey = GIFSurvey(stated, wanted: job.page ?? 1)
    var content = GIFContent(bytes, job.limits)
    // The aspect ratio is (n + 15) / 64, width to height (GIF89a, 18).
    if header[12] > 0 { content.statePixelShape(64, Double(header[12]) + 15) }
    var blocks = GIFBlocks(bytes, at: start)
    var before = blocks
    while let block = try blocks.next() {
      if case .frame(let frame) = block {
        survey.add(frame, at: before)
      } else {
        try content.add(block)
      }
      before = blocks
    }
    let found = try Self.found(by: survey, stated, job, endingWith: blocks)
    (file, screen, frame, firstVisible) = (bytes.name, survey.screen, found.frame, found.start)
    palette = paletteBytes > 0 ? Self.headerBytes..<start : nil
    isComposed = !found.isAlone || found.frame.isInterlaced
    let isLast = found.frame.number == survey.count
    endsEarly = found.frame.isTruncated || isLast && blocks.ending == .file
    if let note = Self.note(of: survey, isLast: isLast, endingWith: blocks) {
      content.notes.append(note)
    }
    let (color, profile) = try content.color
    let shade = found.frame.palette ?? palette
    info = ImageFileInfo(
      format: .gif, storedSize: screen, channels: found.isOpaque ? .rgb : .rgba, samples: .uint8,
      storage: String(decoding: header[..<6], as: UTF8.self)
        + ", palette of \((shade?.count ?? 0) / 3) colors"
        + (found.frame.isInterlaced ? ", interlaced" : ""),
      color: color, profile: profile, metadata: content.metadata,
      pages: ImagePages(.frame, number: survey.wanted, count: survey.count),
      notes: content.notes, readingBytes: Self.readingBytes(screen, isComposed: isComposed),
      animation: survey.count > 1
        ? ImageAnimation(
          frameDuration: Double(found.frame.delay) / 100, duration: Double(survey.delay) / 100,
          repetitions: content.repetitions) : nil)
  }

  /// Returns the frame that is read. Throws where there is none, and where it is damaged or beyond the limits. `blocks` are those behind the
  /// last frame.
  private static func found(
    by survey: GIFSurvey, _ stated: PixelSize, _ job: DecodingJob, endingWith blocks: GIFBlocks
  ) throws(ImageFileError) -> FrameSurvey<GIFFrame, GIFBlocks>.Found {
    guard let first = survey.first, survey.count > 0 else {
      if blocks.ending == .file {
        throw .truncated(file: job.file, rows: 0, of: stated.height)
      }
      throw .damaged(file: job.file, reason: "it has no frame\(words(blocks))")
    }
    guard let found = survey.found else {
      throw .noSuchPage(file: job.file, survey.wanted, ImagePages(.frame, count: survey.count))
    }
    guard survey.screen.width > 0, survey.screen.height > 0 else {
      throw .damaged(
        file: job.file,
        reason: "it states \(stated) pixels, and its first frame \(first.region.size)")
    }
    try found.frame.checkByteCount(file: job.file)
    // A still picture beyond the limit is not composed of frames, so the error is that of its size.
    try job.limits.check(survey.screen, in: job.file)
    try job.limits.check(pixelsDrawn: found.drawnPixels, for: found.frame.number, in: job.bytes)
    return found
  }

  /// What is not read behind the last frame that is there. `isLast` is whether that one is read, whose missing end is an error.
  private static func note(
    of survey: GIFSurvey, isLast: Bool, endingWith blocks: GIFBlocks
  ) -> ImageFileNote? {
    if !isLast, blocks.ending == .file {
      let part = survey.isLastTruncated ? "the end of" : "what follows"
      return .unread("\(part) frame \(survey.count), where the file ends early")
    }
    guard case .unknown = blocks.ending else { return nil }
    return .unread("what follows frame \(survey.count)\(words(blocks))")
  }

  /// Says where something is that is no block.
  private static func words(_ blocks: GIFBlocks) -> String {
    guard case .unknown(let byte) = blocks.ending else { return "" }
    return ": byte \(blocks.position) is \(byte), which begins no block"
  }

  /// The peak memory in bytes: windows of the file, the tables of LZW, the indices of the longest row that there may be, and where frames
  /// are composed all pixels.
  private static func readingBytes(_ screen: PixelSize, isComposed: Bool) -> Double {
    let pixels = Double(screen.pixelCount) * Double(pixelBytes)
    return 0x1p18 + 0x1p16 + (isComposed ? pixels : 0)
  }
}

/// Finds the frame that is read, and what of the frames before it shows.
private struct GIFSurvey {
  private var frames: FrameSurvey<GIFFrame, GIFBlocks>
  private(set) var screen: PixelSize
  private(set) var first: GIFFrame?
  /// How long all frames are shown, in hundredths of a second.
  private(set) var delay = 0
  /// Whether the file ends within the last frame.
  private(set) var isLastTruncated = false

  var wanted: Int { frames.wanted }
  var count: Int { frames.count }
  var found: FrameSurvey<GIFFrame, GIFBlocks>.Found? { frames.found }

  init(_ screen: PixelSize, wanted: Int) {
    (self.screen, frames) = (screen, FrameSurvey(wanted: wanted))
  }

  /// Takes the next frame, which `blocks` would read.
  mutating func add(_ frame: GIFFrame, at blocks: GIFBlocks) {
    if first == nil {
      let region = frame.region
      first = frame
      screen = PixelSize(
        max(screen.width, region.columns.upperBound), max(screen.height, region.rows.upperBound))
    }
    delay += frame.delay
    isLastTruncated = frame.isTruncated
    frames.add(frame, at: blocks, on: screen)
  }
}
