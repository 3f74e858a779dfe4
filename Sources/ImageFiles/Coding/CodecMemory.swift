internal import CCodecSupport
internal import FilterGraph
internal import ICCProfiles
internal import ImageBuffer

extension codec_heap {
  /// The error for memory that a decoder was refused; nil where it got all that it asked for.
  func readingFailure(in file: String) -> ImageFileError? {
    failure(in: file) { .damaged(file: file, reason: $0) }
  }

  /// The error for memory that an encoder was refused; nil where it got all that it asked for.
  func writingFailure(in file: String) -> ImageFileError? {
    failure(in: file) { .cannotWrite(file: file, reason: $0) }
  }

  private func failure(
    in file: String, beyondLimit: (String) -> ImageFileError
  ) -> ImageFileError? {
    guard refused > 0 else { return nil }
    if system_refused != 0 { return .notEnoughMemory(file: file, bytes: refused) }
    return beyondLimit(
      "its codec asks for \(refused) bytes of memory beside \(held), more than the \(limit) that a picture "
        + "of its size and kind takes")
  }
}

/// What a decoder's codec says after it failed.
struct CodecFailure {
  /// What is wrong with the file, where the codec has seen damage.
  let damage: String
  /// Why the file, which is sound, cannot be read; nil where it may be damaged.
  var unsupported: String?
  /// Whether the codec asked for more bytes than the file has.
  let isEnd: Bool
  /// Whether the codec stopped because the rendering is cancelled.
  var isStopped = false
  /// The codec's memory, where it is limited.
  var heap: codec_heap?

  /// Returns the error after `rows` of `count` rows, which are 0 where the header is not read yet.
  ///
  /// Bytes and memory that the codec did not get are the cause of whatever it says.
  func error(in bytes: ByteSource, afterRows rows: Int, of count: Int) -> ImageFileError {
    if isStopped { return .rendering(.cancelled) }
    if bytes.systemFailure != nil { return bytes.readingFailure }
    if let refusal = heap?.readingFailure(in: bytes.name) { return refusal }
    if let unsupported { return .unsupportedStorage(file: bytes.name, reason: unsupported) }
    return isEnd && count > 0
      ? .truncated(file: bytes.name, rows: rows, of: count)
      : .damaged(file: bytes.name, reason: damage)
  }
}

extension MemoryBlock {
  /// Memory for reading or writing a file, within the limit of the file's options.
  convenience init(
    byteCount: Int, isZeroed: Bool = false, for file: String
  ) throws(ImageFileError) {
    do throws(BitmapError) { try self.init(byteCount: byteCount, isZeroed: isZeroed) } catch {
      throw .notEnoughMemory(file: file, bytes: byteCount)
    }
  }
}

/// Returns a number of bytes as an integer. Values above 2⁶⁰ saturate.
func wholeBytes(_ bytes: Double) -> Int { Int(min(bytes, 0x1p60)) }

extension DecodingJob {
  /// The peak memory in bytes of reading the pixels, without the caller's rows.
  ///
  /// It counts the decoder, the file's bytes where they are in memory, and metadata and profile twice, because the header is read again.
  func memoryBytes(of info: ImageFileInfo) -> Int {
    let kept = info.metadata.byteCount + (info.profile?.bytes.count ?? 0)
    return wholeBytes(info.readingBytes + Double(bytes.memoryBytes) + 2 * Double(kept))
  }

  /// Throws where the peak memory of reading the pixels, with `besides` bytes for the caller's rows, exceeds the limit.
  func checkMemory(for info: ImageFileInfo, besides: Int = 0) throws(ImageFileError) {
    let (needed, overflow) = memoryBytes(of: info).addingReportingOverflow(besides)
    if let limit = limits.memoryLimit, overflow || needed > limit {
      throw .tooMuchMemory(file: file, bytes: overflow ? .max : needed, limit: limit)
    }
  }
}

extension EncodingJob {
  /// The bytes of a row of the picture.
  var pictureRowBytes: Double { Double(size.width) * Double(channels.count * samples.byteCount) }

  /// The bytes of a row, with those of layers; see ``rowParts``. Every row of a band begins at a multiple of 4 then, as floats must.
  var rowBytes: Double {
    if layers.isEmpty { return pictureRowBytes }
    func whole(_ bytes: Double) -> Double { (bytes / 4).rounded(.up) * 4 }
    return layers.reduce(whole(pictureRowBytes)) { bytes, layer in
      bytes + whole(Double(size.width) * Double(layer.bytesPerPixel))
    }
  }

  /// The peak memory of the format's encoder in bytes. Codecs that ask for more are refused it.
  var encoderBytes: Int { wholeBytes(format.encoderBytes(self)) }

  /// The peak memory in bytes of writing, without the rows that are handed over: the encoder, two copies of metadata, profile and encoded
  /// gain map, what a limit of the file's size takes, and a spill buffer where the target cannot seek.
  var memoryBytes: Int {
    let profile = (try? profile)?.bytes.count ?? 0
    let kept = 2 * (Double(options.metadata.byteCount + metadata.byteCount) + Double(profile))
    let map = 2 * Double(gainMapFile?.count ?? 0)
    return wholeBytes(format.encoderBytes(self) + kept + map + sizeLimitBytes)
      + SpillFile.memoryBytes
  }

  /// Throws where the peak memory of writing exceeds the limit.
  func checkMemory() throws(ImageFileError) {
    let needed = memoryBytes
    if let limit = options.memoryLimit, needed > limit {
      throw .tooMuchMemoryToWrite(file: file, bytes: needed, limit: limit)
    }
  }

  /// Returns the error of a failed codec: that of a refused allocation, else that of the sink, else the codec's message.
  func failure(
    of codec: String, _ message: String, writingTo sink: any ByteSink, heap: codec_heap? = nil
  ) -> ImageFileError {
    heap?.writingFailure(in: file)
      ?? .cannotWrite(file: file, reason: sink.failure ?? "\(codec) says “\(message)”")
  }

  /// Converts a width, height or length to the integer type of a codec.
  func count<Number: FixedWidthInteger>(
    _ value: Int, as _: Number.Type = Number.self
  ) throws(ImageFileError) -> Number {
    guard let number = Number(exactly: value) else {
      throw .cannotWrite(
        file: file,
        reason:
          "\(value) is more than the \(Number.max) that \(format) files can count; the picture has "
          + "\(size) pixels")
    }
    return number
  }
}

extension ImageMetadata {
  /// The bytes of memory that a text takes beside its characters.
  static let bytesPerText = 64

  /// The bytes of memory that it takes.
  var byteCount: Int {
    let texts = text.reduce(0) {
      $0 + $1.keyword.utf8.count + $1.value.utf8.count + Self.bytesPerText
    }
    return [exif, xmp, iptc, photoshop].reduce(texts) { $0 + ($1?.count ?? 0) }
  }
}
