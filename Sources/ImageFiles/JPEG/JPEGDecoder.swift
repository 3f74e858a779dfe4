internal import CJPEG
internal import FilterGraph
internal import ICCProfiles
internal import ImageBuffer

/// Decodes JPEG pixels with libjpeg. Color metadata is parsed here, without libjpeg.
final class JPEGDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let job: DecodingJob
  private let reader: UnsafeMutablePointer<cjpeg_reader>
  private var rowsRead = 0
  /// The conversion of CMYK files, with a buffer for a row.
  private let inks: InkRows?
  private var inkRow: MemoryBlock?

  init(_ job: DecodingJob) throws(ImageFileError) {
    let (bytes, limits) = (job.bytes, job.limits)
    guard let reader = cjpeg_reader_create(ByteSource.read, bytes.context) else {
      throw .damaged(file: bytes.name, reason: "libjpeg could not allocate memory")
    }
    reader.pointee.salvages = job.salvages ? 1 : 0
    (reader.pointee.stop, reader.pointee.stop_context) = (ReadingStop.ask, job.stop.context)
    do throws(ImageFileError) {
      guard cjpeg_reader_begin(reader, UInt32(job.reduction)) == 1 else {
        throw reader.failure(in: bytes, afterRows: 0)
      }
      info = try JPEGSegments(bytes, limits: limits).info(reader.pointee, job)
      if let found = info.inks, !job.keepsInks {
        inks = InkRows(try InkConversion(info, found, job).program, found.format)
      } else {
        inks = nil
      }
    } catch {
      cjpeg_reader_destroy(reader)
      throw error
    }
    (self.job, self.reader) = (job, reader)
  }

  deinit { cjpeg_reader_destroy(reader) }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    if rowsRead == 0 { try start() }
    if let inks {
      let inkRow = try rowOfInks()
      try check(cjpeg_reader_row(reader, inkRow.bytes.baseAddress))
      complement(inkRow.bytes)
      inks.convert(UnsafeRawBufferPointer(inkRow.bytes), to: row)
    } else {
      try check(cjpeg_reader_row(reader, row.baseAddress))
      if info.holdsInks { complement(row) }
    }
    rowsRead += 1
  }

  /// Starts decompression. A progressive file reads all of its scans here.
  private func start() throws(ImageFileError) {
    let result = cjpeg_reader_start(reader)
    // Missing scans fail without salvaging; with it, a failure has another reason.
    if reader.pointee.lacks_scans == 1, (result == 1) == job.salvages {
      let height = reader.storedHeight
      let error = ImageFileError.damaged(file: job.file, reason: reader.lackingScans)
      job.damage.note(Salvage(rows: height, count: height, error: error))
    }
    try check(result)
  }

  /// Inverts CMYK values: Adobe and all other writers store 255 − ink, with or without Adobe's marker.
  private func complement(_ row: UnsafeMutableRawBufferPointer) {
    let samples = row.bindMemory(to: UInt8.self)
    for index in samples.indices { samples[index] = ~samples[index] }
  }

  func finish() throws(ImageFileError) {
    try check(cjpeg_reader_end(reader))
    // Missing scans were noted when decompression started.
    guard reader.pointee.ended == 0 || reader.pointee.lacks_scans == 1 else {
      throw .truncated(file: job.file, rows: reader.storedHeight, of: reader.storedHeight)
    }
  }

  private func rowOfInks() throws(ImageFileError) -> MemoryBlock {
    if let inkRow { return inkRow }
    let row = try MemoryBlock(
      byteCount: info.storedSize.width * (info.inks?.count ?? 0), for: job.file)
    inkRow = row
    return row
  }

  private func check(_ result: Int32) throws(ImageFileError) {
    guard result == 1 else {
      let rows = job.storedRows(rowsRead, of: reader.storedHeight)
      throw reader.failure(in: job.bytes, afterRows: rows)
    }
  }
}

extension UnsafeMutablePointer<cjpeg_reader> {
  /// The height of the file's picture, before any reduction.
  fileprivate var storedHeight: Int { Int(pointee.jpeg.image_height) }

  /// Returns why the last call failed, after a number of rows of the file.
  fileprivate func failure(in bytes: ByteSource, afterRows rows: Int) -> ImageFileError {
    let message = "libjpeg says “\(String(cString: cjpeg_reader_message(self)))”"
    let lacksScans = pointee.lacks_scans == 1
    return CodecFailure(
      damage: lacksScans ? lackingScans : message,
      unsupported: lacksScans ? nil : unsupported(message),
      isEnd: pointee.ended == 1 && pointee.height > 0 && !lacksScans,
      isStopped: pointee.stopped == 1, heap: pointee.errors.heap
    ).error(in: bytes, afterRows: rows, of: storedHeight)
  }

  /// Why a file of several scans is damaged that has all rows.
  fileprivate var lackingScans: String {
    let (component, count) = (pointee.lacking_component, pointee.jpeg.num_components)
    return component == 0
      ? "it ends before its last scan, which has details"
      : "no scan has its component \(component) of \(count)"
  }

  /// Why a sound file cannot be read; nil for damage.
  private func unsupported(_ message: String) -> String? {
    if pointee.errors.is_unsupported == 1 {
      return "\(message); save it as baseline or progressive JPEG with samples of 8 bits first"
    }
    return pointee.errors.is_too_large == 1 ? message : nil
  }
}

extension cjpeg_reader {
  /// The peak memory in bytes: a buffer of the file, libjpeg's limit, and for CMYK one stored and one converted row.
  fileprivate func memoryBytes(holdsInks: Bool) -> Double {
    Double(CJPEG_BUFFER_SIZE) + Double(errors.heap.limit)
      + (holdsInks ? 0x1p18 + 40 * Double(width) : 0)
  }
}

extension JPEGSegments {
  fileprivate func info(_ reader: cjpeg_reader, _ job: DecodingJob) -> ImageFileInfo {
    let (file, limits) = (job.file, job.limits)
    let isGray = reader.channels == 1
    let exif = metadata.exif.flatMap(EXIF.init)
    let inks =
      reader.channels == 4
      ? ImageFileInks(names: ICCProfile.inkNames(4), format: .uint8) : nil
    var color = StatedColor.unstated
    var found: ICCProfile?
    switch profile {
    case .failure(let damage):
      color = .unusable(.unsupportedColor(file: file, reason: damage.reason))
    case .success(let bytes) where inks != nil:
      (color, found) = statedInks(byProfile: bytes, file: file, limits: limits)
    case .success(let bytes):
      (color, found) = statedColor(
        byProfile: bytes, isGray: isGray, file: file, limits: limits)
    case nil:
      if inks == nil, let space = exif?.space { color = .space(space, by: .exif) }
    }
    let (gainMap, otherNotes) = gainMap(in: job)
    return ImageFileInfo(
      format: .jpeg, storedSize: PixelSize(Int(reader.width), Int(reader.height)),
      channels: isGray ? .gray : .rgb, samples: inks != nil ? InkConversion.samples : .uint8,
      storage: inks != nil ? "CMYK, \(storage)" : storage, color: color,
      profile: found, orientation: exif?.orientation ?? .upright, metadata: metadata,
      notes: notes + otherNotes,
      readingBytes: reader.memoryBytes(holdsInks: inks != nil), compressionError: compressionError,
      inks: inks, gainMap: gainMap)
  }
}
