internal import ImageBuffer

/// Limits on what reading a file may cost. They are checked before memory is allocated, which protects against small hostile files.
public struct FileLimits: Hashable, Sendable {
  /// The most pixels a picture may have, and the most that are drawn to compose a frame of an animation from the frames before it. A file
  /// may draw 64 pixels for each of its bytes where these are more.
  public var pixels: Int
  /// The most bytes a file may have.
  public var bytes: Int
  /// The most bytes of metadata that are read, unpacked.
  public var metadataBytes = 64 << 20
  /// The most bytes an ICC profile may have, unpacked.
  public var profileBytes = 16 << 20
  /// The most bytes of memory that reading pixels may take; nil for no limit.
  ///
  /// It counts the decoder, the file's bytes where they are in memory, and the bitmap of
  /// ``ImageFile/read(_:page:assuming:isUpright:limits:progress:)``. Like `RenderOptions.memoryLimit`, which counts decoders too, it limits
  /// allocations.
  public var memoryLimit: Int?
  /// The largest ratio of pixel bytes to file bytes, for pictures of more than 64 MiB.
  public var expansion = 2000

  /// Pictures of up to this many bytes may come from a file of any size.
  static let unquestionedBytes = 64 << 20

  /// Creates limits; by default a gigapixel, 4 GiB of file, 64 MiB of metadata, 16 MiB of profile and an expansion of 2000.
  public init(pixels: Int = 1 << 30, bytes: Int = 4 << 30) {
    (self.pixels, self.bytes) = (pixels, bytes)
  }

  /// Throws where a picture has too many pixels.
  func check(_ size: PixelSize, in file: String) throws(ImageFileError) {
    guard size.pixelCount <= pixels else {
      throw .tooManyPixels(file: file, size, limit: pixels)
    }
  }

  /// Throws where a picture exceeds the limits.
  func check(_ info: ImageFileInfo, in file: ByteSource) throws(ImageFileError) {
    try check(info.storedSize, in: file.name)
    let pixelBytes = info.channels.count * info.samples.byteCount
    try check(
      bytes: info.storedSize.pixelCount.multipliedSaturated(by: pixelBytes), of: info.storedSize,
      in: file)
  }

  /// Throws where the bytes that are unpacked at once, of all pixels or of a tile, are many times those of the file. The error names the
  /// picture's size, which the remedy must allow.
  func check(bytes: Int, of size: PixelSize, in file: ByteSource) throws(ImageFileError) {
    let (allowed, isUnlimited) = file.count.multipliedReportingOverflow(by: expansion)
    guard isUnlimited || bytes <= max(allowed, Self.unquestionedBytes) else {
      throw .expandsTooMuch(file: file.name, size, byteCount: file.count, limit: expansion)
    }
  }

  /// Throws where a frame of an animation is composed of too many pixels. Thousands of large frames take few bytes, and each may lie on all
  /// others.
  func check(pixelsDrawn count: Int, for frame: Int, in file: ByteSource) throws(ImageFileError) {
    let limit = max(pixels, file.count.multipliedSaturated(by: 64))
    guard count <= limit else {
      throw .tooManyDrawnPixels(file: file.name, frame: frame, count, limit: limit)
    }
  }
}

extension FileLimits: Codable {
  private enum CodingKeys: CodingKey {
    case pixels, bytes, metadataBytes, profileBytes, memoryLimit, expansion
  }

  /// Decodes limits, such as those of a service's configuration. Those that are missing are the default's; one below 0 is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    for (key, limit) in [
      (.pixels, \.pixels), (.bytes, \.bytes), (.metadataBytes, \.metadataBytes),
      (.profileBytes, \.profileBytes), (.expansion, \.expansion),
    ] as [(CodingKeys, WritableKeyPath<FileLimits, Int>)] {
      if let value = try container.decodeLimit(forKey: key) { self[keyPath: limit] = value }
    }
    memoryLimit = try container.decodeLimit(forKey: .memoryLimit)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a limit; nil where it is missing or null.
  fileprivate func decodeLimit(forKey key: Key) throws -> Int? {
    let limit = try decodeIfPresent(Int.self, forKey: key)
    if let limit, limit < 0 {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "The limit \(key.stringValue) is a number from 0 up; got \(limit).")
    }
    return limit
  }
}
