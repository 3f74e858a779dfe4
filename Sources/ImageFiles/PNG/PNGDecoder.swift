internal import CPNG
internal import ColorSpaces
internal import ImageBuffer

/// A PNG file whose header was read. Color chunks are parsed here, without libpng.
struct PNGPicture {
  @Boxed private(set) var info: ImageFileInfo
  fileprivate let reader: PNGReader
  /// The frame of an animation that is read in place of the picture; nil for the picture itself.
  private let composedFrame: APNGAnimation.Survey.Found?
  private let chunks: PNGChunks
  private let job: DecodingJob

  init(_ job: DecodingJob) throws(ImageFileError) {
    let (bytes, limits) = (job.bytes, job.limits)
    chunks = try PNGChunks(bytes, limits: limits)
    try limits.check(chunks.size, in: bytes.name)
    guard job.salvages || chunks.smallestByteCount <= bytes.count else {
      throw .damaged(
        file: bytes.name,
        reason: "its header states \(chunks.size) pixels, which \(bytes.count) bytes cannot hold")
    }
    reader = try PNGReader(bytes, unless: job.stop)
    guard reader.begin() else { throw reader.failure(afterRows: 0, of: chunks.size.height) }
    // Without alpha there are one or three channels.
    let animation = try APNGAnimation(chunks, job, isOpaque: reader.channelCount % 2 == 1)
    info = try chunks.info(reader, limits, animation)
    composedFrame = animation?.found
    self.job = job
  }

  /// The decoder of the picture, or of a frame in the file.
  var decoder: any ImageDecoder {
    if let composedFrame { return FrameDecoder(info, chunks, composedFrame, job) }
    return reader.passes == 1 ? PNGDecoder(self, job) : InterlacedPNGDecoder(self, job)
  }
}

/// Decodes the rows of a PNG picture one by one.
private final class PNGDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let reader: PNGReader
  private let stop: ReadingStop
  private let file: String
  private var rowsRead = 0
  /// Whether rows are read up to the end of a truncated file.
  private var keepsLastRows: Bool

  init(_ picture: PNGPicture, _ job: DecodingJob) {
    (info, reader, stop, file) = (picture.info, picture.reader, job.stop, job.file)
    keepsLastRows = job.salvages
    if keepsLastRows { reader.takeParts(ofBytes: 16) }
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let height = info.storedSize.height
    if keepsLastRows, rowsRead == height - 1 { reader.takeParts(ofBytes: 4096) }
    guard reader.readRow(into: row.baseAddress) else {
      if reader.isTruncated, !keepsLastRows { try recount(into: row) }
      throw reader.failure(afterRows: rowsRead, of: height)
    }
    rowsRead += 1
  }

  /// Counts the rows of a truncated file again, up to its end, because large parts drop the last ones: the error states as many rows as
  /// salvaging reads.
  private func recount(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    guard reader.restart() else { return }
    reader.takeParts(ofBytes: 16)
    (keepsLastRows, rowsRead) = (true, 0)
    while rowsRead < info.storedSize.height {
      try stop.check()
      try readRow(into: row)
    }
  }

  func finish() throws(ImageFileError) { try reader.finish(of: info.storedSize, in: file) }
}

/// Decodes an interlaced PNG picture as a whole: its rows are complete only after the last pass.
private final class InterlacedPNGDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let reader: PNGReader
  private let stop: ReadingStop
  private let file: String
  private var rowsRead = 0
  private var pixels: MemoryBlock?

  init(_ picture: PNGPicture, _ job: DecodingJob) {
    (info, reader, stop, file) = (picture.info, picture.reader, job.stop, job.file)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let pixels = try allPasses(bytesPerRow: row.count)
    let start = rowsRead * row.count
    row.copyMemory(from: UnsafeRawBufferPointer(pixels[start..<start + row.count]))
    rowsRead += 1
  }

  private func allPasses(bytesPerRow: Int) throws(ImageFileError) -> MemoryBlock {
    if let pixels { return pixels }
    let height = info.storedSize.height
    let pixels = try MemoryBlock(byteCount: height * bytesPerRow, isZeroed: true, for: file)
    for _ in 0..<reader.passes {
      for y in 0..<height {
        try stop.check()
        let row = pixels[y * bytesPerRow..<(y + 1) * bytesPerRow]
        guard reader.readRow(into: row.baseAddress) else {
          throw reader.failure(afterRows: 0, of: height)
        }
      }
    }
    self.pixels = pixels
    return pixels
  }

  func finish() throws(ImageFileError) { try reader.finish(of: info.storedSize, in: file) }
}

extension PNGReader {
  /// Reads what follows the pixels. Throws where it is damaged, or a pixel has no color.
  fileprivate func finish(of size: PixelSize, in file: String) throws(ImageFileError) {
    guard end() else { throw failure(afterRows: size.height, of: size.height) }
    if let (largest, colors) = indexBeyondPalette {
      throw .beyondPalette(file: file, largest: largest, colors: colors)
    }
  }
}

extension PNGChunks {
  /// The peak memory in bytes: a buffer of the file, libpng's limit, for interlaced files all pixels, and for frames that are composed those
  /// of the screen, a row, and a part of the file whose checksum is computed.
  private func heldBytes(_ reader: PNGReader, _ channels: Channels, isComposed: Bool) -> Double {
    let samples = Double(channels.composed.count) * Double(reader.bits / 8)
    let screen = samples * Double(size.width) * Double(size.height)
    return Double(CPNG_BUFFER_SIZE) + Double(reader.heapLimit)
      + (isInterlaced ? Double(reader.bytesPerRow) * Double(size.height) : 0)
      + (isComposed ? screen + Double(reader.bytesPerRow) + 0x1p17 : 0)
  }

  fileprivate func info(
    _ reader: PNGReader, _ limits: FileLimits, _ animation: APNGAnimation?
  ) throws(ImageFileError) -> ImageFileInfo {
    let samples: SampleFormat = reader.bits == 16 ? .uint16 : .uint8
    // The size of the buffer must match what libpng writes, whatever the file says.
    guard let channels = Channels(count: reader.channelCount),
      reader.width == size.width, reader.height == size.height,
      reader.bits == 8 * samples.byteCount,
      reader.bytesPerRow == size.width * channels.count * samples.byteCount
    else { throw .damaged(file: file, reason: "its header does not fit its pixels") }
    let kinds = [0: "gray", 2: "RGB", 3: "palette", 4: "gray and alpha", 6: "RGB and alpha"]
    let storage =
      "\(kinds[colorType] ?? "unknown") of \(bitDepth) bits" + (isInterlaced ? ", interlaced" : "")
    let (color, profile, contradictions) = statedColor(limits: limits)
    let metadata = self.metadata
    // Between frames that do not cover the screen, and below those that are cleared, it is transparent.
    let isTransparent = animation?.found.map { !$0.isOpaque } ?? channels.hasAlpha
    return ImageFileInfo(
      format: .png, storedSize: size, channels: isTransparent ? channels.composed : channels,
      samples: samples, storage: storage,
      color: color, profile: profile,
      orientation: metadata.exif.flatMap(EXIF.init)?.orientation ?? .upright, metadata: metadata,
      pages: animation?.pages ?? ImagePages(),
      notes: (animation?.notes ?? []) + contradictions + notes,
      readingBytes: heldBytes(reader, channels, isComposed: animation?.found != nil),
      animation: animation?.timing)
  }
}
