extension Bitmap {
  @inlinable
  func offset(_ x: Int, _ y: Int, _ channel: Int) -> Int {
    precondition(
      x >= 0 && x < size.width && y >= 0 && y < size.height
        && channel >= 0 && channel < channels.count,
      "Pixel (\(x), \(y)), channel \(channel), is outside of \(size) pixels with "
        + "\(channels.count) channels.")
    let bytes = MemoryLayout<Sample>.stride
    return arrangement == .interleaved
      ? start + y * bytesPerRow + (x * channels.count + channel) * bytes
      : start + channel * bytesPerPlane + y * bytesPerRow + x * bytes
  }

  /// One sample. For loops over many pixels use rows, which are faster: ``withRow(_:plane:_:)``.
  ///
  /// - Precondition: The bitmap has the pixel and the channel, and there is memory for the copy that setting a sample of shared memory
  ///   makes.
  @inlinable
  public subscript(x: Int, y: Int, channel: Int) -> Sample {
    get { storage.bytes.load(fromByteOffset: offset(x, y, channel), as: Sample.self) }
    set {
      makeUnique()
      storage.bytes.storeBytes(
        of: newValue, toByteOffset: offset(x, y, channel), as: Sample.self)
    }
  }

  /// Calls a closure with the samples of a row; for planar bitmaps, of one plane's row.
  ///
  /// - Precondition: The bitmap has the row and the plane.
  public func withRow<Result, Failure: Error>(
    _ y: Int, plane: Int = 0, _ body: (Span<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeRow(y, plane: plane) { row throws(Failure) in try body(row.span) }
  }

  /// Calls a closure with the mutable samples of a row; for planar bitmaps, of one plane's row.
  ///
  /// - Precondition: The bitmap has the row and the plane.
  public mutating func withMutableRow<Result, Failure: Error>(
    _ y: Int, plane: Int = 0, _ body: (inout MutableSpan<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutableRow(y, plane: plane) { row throws(Failure) in
      var span = row.mutableSpan
      return try body(&span)
    }
  }

  /// Calls a closure with a pointer to the samples of a row; for planar bitmaps, of one plane's row.
  ///
  /// - Precondition: The bitmap has the row and the plane.
  public func withUnsafeRow<Result, Failure: Error>(
    _ y: Int, plane: Int = 0,
    _ body: (UnsafeBufferPointer<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let row = UnsafeBufferPointer(row(y, plane))
    defer { withExtendedLifetime(storage) {} }
    return try body(row)
  }

  /// Calls a closure with a mutable pointer to the samples of a row; for planar bitmaps, of one plane's row.
  ///
  /// - Precondition: The bitmap has the row and the plane.
  public mutating func withUnsafeMutableRow<Result, Failure: Error>(
    _ y: Int, plane: Int = 0,
    _ body: (UnsafeMutableBufferPointer<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    makeUnique()
    let row = row(y, plane)
    defer { withExtendedLifetime(storage) {} }
    return try body(row)
  }

  /// Returns a copy of the samples of a row.
  ///
  /// - Precondition: The bitmap has the row and the plane.
  public func row(_ y: Int, plane: Int = 0) -> [Sample] {
    withUnsafeRow(y, plane: plane, Array.init)
  }

  private func row(_ y: Int, _ plane: Int) -> UnsafeMutableBufferPointer<Sample> {
    precondition(
      y >= 0 && y < size.height && plane >= 0 && plane < planeCount,
      "Row \(y) of plane \(plane) is outside of \(size.height) rows and \(planeCount) planes.")
    let first = start + plane * bytesPerPlane + y * bytesPerRow
    return UnsafeMutableRawBufferPointer(
      rebasing: storage.bytes[first..<first + samplesPerRow * Sample.format.byteCount]
    ).bindMemory(to: Sample.self)
  }

  @usableFromInline
  mutating func makeUnique() {
    do throws(BitmapError) { try makeWritable() } catch {
      preconditionFailure("A bitmap that is shared cannot be changed. \(error)")
    }
  }

  /// Copies the samples into memory of their own if theirs is shared or read-only; throws where there is no memory for them.
  package mutating func makeWritable() throws(BitmapError) {
    if mustCopy() { self = try copy() }
  }

  /// The bytes of the copy that ``makeWritable()`` makes.
  package mutating func byteCountOfCopy() throws(BitmapError) -> Int {
    mustCopy() ? try Sample.format.layoutByteCount(of: size, channels, arrangement) : 0
  }

  /// Whether ``makeWritable()`` copies the samples, because their memory is shared or read-only.
  package mutating func mustCopy() -> Bool {
    !storage.isWritable || !isKnownUniquelyReferenced(&storage)
  }

  /// Returns a copy in newly allocated memory.
  private func copy() throws(BitmapError) -> Bitmap {
    let copy = try Bitmap(
      uninitialized: size, in: space, channels: channels, alpha: alpha, arrangement: arrangement)
    for plane in 0..<planeCount {
      for y in 0..<size.height { _ = copy.row(y, plane).update(fromContentsOf: row(y, plane)) }
    }
    return copy
  }

  /// The layout of the samples in memory, for the evaluator. Valid while `owner` is.
  package var surface: BitmapSurface {
    BitmapSurface(
      owner: storage, base: storage.bytes.baseAddress.map { $0 + start }, size: size,
      channels: channels, format: Sample.format, arrangement: arrangement,
      bytesPerRow: bytesPerRow, bytesPerPlane: bytesPerPlane)
  }

  /// Returns the layout for writing, after a copy if the memory was shared.
  package mutating func uniqueSurface() -> BitmapSurface {
    makeUnique()
    return surface
  }
}
