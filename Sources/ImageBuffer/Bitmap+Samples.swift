public import ColorSpaces

extension Bitmap {
  /// All samples, without gaps: row after row from the top, those of a pixel side by side; with planar bitmaps, plane after plane.
  ///
  /// A copy. For one row at a time, ``withRow(_:plane:_:)`` copies nothing.
  public var samples: [Sample] {
    [Sample](unsafeUninitializedCapacity: planeCount * size.height * samplesPerRow) {
      target, used in
      for plane in 0..<planeCount {
        for y in 0..<size.height {
          withUnsafeRow(y, plane: plane) { row in
            let rest = UnsafeMutableBufferPointer(rebasing: target[used...])
            used += rest.initialize(fromContentsOf: row)
          }
        }
      }
    }
  }

  /// Creates a bitmap from samples that lie without gaps: row after row from the top, those of a pixel side by side; with planar
  /// bitmaps, plane after plane.
  ///
  /// - Parameters:
  ///   - samples: As many as pixels and channels need.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - space: What the samples mean.
  ///   - channels: The channels of a pixel; nil for the usual ones of 1 to 4 samples: gray, gray with alpha, RGB, or RGB with alpha.
  ///   - alpha: How color and alpha are stored together.
  ///   - arrangement: Where the samples of a pixel lie.
  public init(
    samples: [Sample], width: Int, height: Int, space: ColorSpace, channels: Channels? = nil,
    alpha: Alpha = .straight, arrangement: Arrangement = .interleaved
  ) throws(BitmapError) {
    let size = PixelSize(width, height)
    guard width > 0, height > 0 else { throw .noPixels(size) }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard
      let channels = channels ?? (overflow ? nil : Channels(usualFor: samples.count, of: pixels))
    else { throw .sampleCount(samples.count, size, nil) }
    let (needed, isTooMany) = pixels.multipliedReportingOverflow(by: channels.count)
    guard !overflow, !isTooMany, samples.count == needed else {
      throw .sampleCount(samples.count, size, channels)
    }
    try self.init(
      uninitialized: size, in: space, channels: channels, alpha: alpha, arrangement: arrangement)
    samples.withUnsafeBufferPointer { source in
      var rest = source[...]
      for plane in 0..<planeCount {
        for y in 0..<height {
          withUnsafeMutableRow(y, plane: plane) { row in
            _ = row.update(fromContentsOf: rest.prefix(row.count))
            rest = rest.dropFirst(row.count)
          }
        }
      }
    }
  }

  /// Calls `body` with the bytes of all ``samples``, in this machine's byte order.
  ///
  /// The samples are copied where they have gaps between rows, as most bitmaps do, whose rows begin at multiples of 64 bytes.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let rowBytes = samplesPerRow * Sample.format.byteCount
    if bytesPerRow == rowBytes, planeCount == 1 || bytesPerPlane == rowBytes * size.height {
      defer { withExtendedLifetime(storage) {} }
      let bytes = storage.bytes[start..<start + planeCount * size.height * rowBytes]
      return try body(UnsafeRawBufferPointer(rebasing: bytes))
    }
    let samples = samples
    return try samples.withUnsafeBufferPointer { samples throws(Failure) in
      try body(UnsafeRawBufferPointer(samples))
    }
  }
}

extension Channels {
  /// What so many samples for so many pixels usually are; nil where they are not 1 to 4 for each.
  fileprivate init?(usualFor sampleCount: Int, of pixels: Int) {
    let usual: [Channels] = [.gray, .grayAlpha, .rgb, .rgba]
    let (count, rest) = sampleCount.quotientAndRemainder(dividingBy: pixels)
    guard rest == 0, (1...usual.count).contains(count) else { return nil }
    self = usual[count - 1]
  }
}

extension AnyBitmap {
  /// Returns the pixels as samples of one type; see ``Bitmap/converted(to:channels:alpha:arrangement:bytesPerRow:dither:)``.
  ///
  ///     let numbers = try ImageFile.read("scan.tif").converted(to: Float.self).samples
  public func converted<Target: PixelSample>(
    to _: Target.Type = Target.self, channels: Channels? = nil, alpha: Alpha? = nil,
    arrangement: Arrangement? = nil, bytesPerRow: Int? = nil, dither: Dither? = nil
  ) throws(BitmapError) -> Bitmap<Target> {
    func convert<Sample: PixelSample>(
      _ bitmap: Bitmap<Sample>
    ) throws(BitmapError) -> Bitmap<Target> {
      // Nothing to convert, nothing to copy.
      if let same = bitmap as? Bitmap<Target>, channels ?? same.channels == same.channels,
        alpha ?? same.alpha == same.alpha, arrangement ?? same.arrangement == same.arrangement,
        bytesPerRow ?? same.bytesPerRow == same.bytesPerRow, dither == nil
      {
        return same
      }
      return try bitmap.converted(
        to: Target.self, channels: channels, alpha: alpha, arrangement: arrangement,
        bytesPerRow: bytesPerRow, dither: dither)
    }
    return switch self {
    case .uint8(let bitmap): try convert(bitmap)
    case .uint16(let bitmap): try convert(bitmap)
    case .float16(let bitmap): try convert(bitmap)
    case .float32(let bitmap): try convert(bitmap)
    }
  }

  /// Calls `body` with the bytes of all samples, without gaps; see ``Bitmap/withUnsafeBytes(_:)``.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .uint8(let bitmap): try bitmap.withUnsafeBytes(body)
    case .uint16(let bitmap): try bitmap.withUnsafeBytes(body)
    case .float16(let bitmap): try bitmap.withUnsafeBytes(body)
    case .float32(let bitmap): try bitmap.withUnsafeBytes(body)
    }
  }
}
