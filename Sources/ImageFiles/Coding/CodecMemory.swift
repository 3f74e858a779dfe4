internal import CCodecSupport
internal import ICCProfiles
internal import ImageBuffer

extension codec_heap {
  /// Why a decoder got no memory; nil where it got all that it asked for.
  func readingFailure(in file: String) -> ImageFileError? {
    failure(in: file) { .damaged(file: file, reason: $0) }
  }

  /// Why an encoder got no memory; nil where it got all that it asked for.
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

extension MemoryBlock {
  /// Memory that work on a file needs.
  convenience init(
    byteCount: Int, isZeroed: Bool = false, for file: String
  ) throws(ImageFileError) {
    do throws(BitmapError) { try self.init(byteCount: byteCount, isZeroed: isZeroed) } catch {
      throw .notEnoughMemory(file: file, bytes: byteCount)
    }
  }
}

/// A number of bytes as a whole number; what exceeds all memory is a large one.
func wholeBytes(_ bytes: Double) -> Int { Int(min(bytes, 0x1p60)) }

extension DecodingJob {
  /// The most bytes of memory that reading the pixels takes, besides the rows: what the decoder holds, the file's bytes where they are
  /// in memory, and twice what is kept beside the pixels, for the header is read again.
  func memoryBytes(of info: ImageFileInfo) -> Int {
    let kept = info.metadata.byteCount + (info.profile?.bytes.count ?? 0)
    return wholeBytes(info.readingBytes + Double(bytes.memoryBytes) + 2 * Double(kept))
  }

  /// Throws where reading the pixels, with `besides` bytes for the caller's rows, takes more memory than it may.
  func checkMemory(for info: ImageFileInfo, besides: Int = 0) throws(ImageFileError) {
    let (needed, overflow) = memoryBytes(of: info).addingReportingOverflow(besides)
    if let limit = limits.memoryLimit, overflow || needed > limit {
      throw .tooMuchMemory(file: file, bytes: overflow ? .max : needed, limit: limit)
    }
  }
}

extension EncodingJob {
  /// The bytes of a row.
  var rowBytes: Double { Double(size.width) * Double(channels.count * samples.byteCount) }

  /// The most bytes of memory that the format's encoder holds; codecs that ask for more are refused it.
  var encoderBytes: Int { wholeBytes(format.encoderBytes(self)) }

  /// The most bytes of memory that writing takes, besides the rows that are handed over: the encoder, two copies of what is kept beside the
  /// pixels, and where the target needs one the way to it.
  var memoryBytes: Int {
    let profile = (try? profile)?.bytes.count ?? 0
    let kept = 2 * (Double(options.metadata.byteCount + metadata.byteCount) + Double(profile))
    return wholeBytes(format.encoderBytes(self) + kept) + SpillFile.memoryBytes
  }

  /// Throws where writing takes more memory than it may.
  func checkMemory() throws(ImageFileError) {
    let needed = memoryBytes
    if let limit = options.memoryLimit, needed > limit {
      throw .tooMuchMemory(file: file, bytes: needed, limit: limit)
    }
  }

  /// A width, height or length as a codec counts it.
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
  /// The bytes of memory that it takes.
  var byteCount: Int {
    let texts = text.reduce(0) { $0 + $1.keyword.utf8.count + $1.value.utf8.count + 64 }
    return [exif, xmp, iptc, photoshop].reduce(texts) { $0 + ($1?.count ?? 0) }
  }
}
