internal import CPNG
internal import ImageBuffer

/// Decodes PNG pixels with libpng. Color chunks are parsed here, without libpng.
final class PNGDecoder: ImageDecoder {
  let info: ImageFileInfo
  /// The frame of an animation that is read in place of the picture; nil for the picture itself.
  private let composedFrame: (APNGAnimation.Survey.Found, PNGChunks)?
  private let bytes: ByteSource
  /// Kept for the reader, which asks it.
  private let stop: ReadingStop
  private let reader: UnsafeMutablePointer<cpng_reader>
  private var rowsRead = 0
  /// Whether rows are read up to the end of a truncated file.
  private let keepsLastRows: Bool
  /// All pixels of an interlaced picture, which are complete only at the end of the file.
  private var interlaced: MemoryBlock?

  init(_ job: DecodingJob) throws(ImageFileError) {
    let (bytes, limits) = (job.bytes, job.limits)
    let chunks = try PNGChunks(bytes, limits: limits)
    try limits.check(chunks.size, in: bytes.name)
    guard job.salvages || chunks.smallestByteCount <= bytes.count else {
      throw .damaged(
        file: bytes.name,
        reason: "its header states \(chunks.size) pixels, which \(bytes.count) bytes cannot hold")
    }
    guard let reader = cpng_reader_create(ByteSource.read, bytes.context) else {
      throw .damaged(file: bytes.name, reason: "libpng could not allocate memory")
    }
    (reader.pointee.stop, reader.pointee.stop_context) = (ReadingStop.ask, job.stop.context)
    do throws(ImageFileError) {
      guard cpng_reader_begin(reader) == 1 else {
        throw reader.failure(in: bytes, afterRows: 0, of: chunks.size.height)
      }
      // Without alpha there are one or three channels.
      let animation = try APNGAnimation(chunks, job, isOpaque: reader.pointee.channels % 2 == 1)
      info = try chunks.info(reader.pointee, limits, animation)
      composedFrame = animation?.found.map { ($0, chunks) }
    } catch {
      cpng_reader_destroy(reader)
      throw error
    }
    (self.bytes, self.reader, stop) = (bytes, reader, job.stop)
    keepsLastRows = job.salvages && reader.pointee.passes == 1
    if keepsLastRows { cpng_reader_take_parts(reader, 16) }
  }

  deinit { cpng_reader_destroy(reader) }

  /// Returns the decoder of a file, or of a frame in it.
  static func decoder(of job: DecodingJob) throws(ImageFileError) -> any ImageDecoder {
    let picture = try PNGDecoder(job)
    guard let (frame, chunks) = picture.composedFrame else { return picture }
    return FrameDecoder(picture.info, chunks, frame, job)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    if keepsLastRows, rowsRead == info.storedSize.height - 1 {
      cpng_reader_take_parts(reader, 4096)
    }
    if reader.pointee.passes == 1 {
      guard cpng_reader_row(reader, row.baseAddress) == 1 else { throw failure }
    } else {
      let interlaced = try allPasses(bytesPerRow: row.count)
      row.copyMemory(
        from: UnsafeRawBufferPointer(
          interlaced[rowsRead * row.count..<(rowsRead + 1) * row.count]))
    }
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {
    guard cpng_reader_end(reader) == 1 else { throw failure }
    let (indices, colors) = (reader.pointee.index_count, reader.pointee.palette_count)
    guard indices <= colors else {
      throw .beyondPalette(file: bytes.name, largest: Int(indices) - 1, colors: Int(colors))
    }
  }

  private func allPasses(bytesPerRow: Int) throws(ImageFileError) -> MemoryBlock {
    if let interlaced { return interlaced }
    let block = try MemoryBlock(
      byteCount: info.storedSize.height * bytesPerRow, isZeroed: true, for: bytes.name)
    for _ in 0..<reader.pointee.passes {
      for y in 0..<info.storedSize.height {
        try stop.check()
        let row = block[y * bytesPerRow..<(y + 1) * bytesPerRow]
        guard cpng_reader_row(reader, row.baseAddress) == 1 else { throw failure }
      }
    }
    interlaced = block
    return block
  }

  private var failure: ImageFileError {
    reader.failure(in: bytes, afterRows: rowsRead, of: info.storedSize.height)
  }
}

extension UnsafeMutablePointer<cpng_reader> {
  /// The error that libpng reported, after some rows of the picture or of a part of it.
  func failure(
    in bytes: ByteSource, afterRows rows: Int, of count: Int, part: String = ""
  ) -> ImageFileError {
    CodecFailure(
      damage: "\(part)libpng says “\(String(cString: cpng_reader_message(self)))”",
      isEnd: pointee.ended == 1, isStopped: pointee.stopped == 1, heap: pointee.heap
    ).error(in: bytes, afterRows: rows, of: count)
  }
}

extension PNGChunks {
  /// The peak memory in bytes: a buffer of the file, libpng's limit, for interlaced files all pixels, and for frames that are composed those
  /// of the screen, a row, and a part of the file whose checksum is computed.
  private func heldBytes(_ reader: cpng_reader, _ channels: Channels, isComposed: Bool) -> Double {
    let samples = Double(channels.composed.count) * Double(reader.bits / 8)
    let screen = samples * Double(size.width) * Double(size.height)
    return Double(CPNG_BUFFER_SIZE) + Double(reader.heap.limit)
      + (isInterlaced ? Double(reader.bytes_per_row) * Double(size.height) : 0)
      + (isComposed ? screen + Double(reader.bytes_per_row) + 0x1p17 : 0)
  }

  fileprivate func info(
    _ reader: cpng_reader, _ limits: FileLimits, _ animation: APNGAnimation?
  ) throws(ImageFileError) -> ImageFileInfo {
    let samples: SampleFormat = reader.bits == 16 ? .uint16 : .uint8
    // The size of the buffer must match what libpng writes, whatever the file says.
    guard let channels = Channels(count: Int(reader.channels)),
      reader.width == size.width, reader.height == size.height,
      reader.bits == 8 * samples.byteCount,
      reader.bytes_per_row == size.width * channels.count * samples.byteCount
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
