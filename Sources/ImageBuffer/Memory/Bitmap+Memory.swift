public import ColorSpaces
internal import PlatformLibc

extension Bitmap {
  /// Creates a bitmap of wrapped memory that the caller owns. Nothing is copied, and the memory is never written to: a
  /// mutation copies the samples first.
  ///
  /// - Parameters:
  ///   - memory: The samples. They must not change before `release` is called.
  ///   - size: The width and height.
  ///   - space: The color space of the samples.
  ///   - channels: The channels of a pixel.
  ///   - alpha: Whether colors are premultiplied by alpha.
  ///   - arrangement: Whether samples are interleaved or planar.
  ///   - bytesPerRow: The stride between rows; nil for rows without padding, negative where the last row is stored
  ///     first.
  ///   - release: Called once, from any thread, when no bitmap refers to the memory any more; never if the initializer
  ///     throws.
  public init(
    wrapping memory: UnsafeRawBufferPointer, _ size: PixelSize, in space: ColorSpace,
    channels: Channels = .rgba, alpha: Alpha = .straight, arrangement: Arrangement = .interleaved,
    bytesPerRow: Int? = nil, release: @escaping @Sendable () -> Void
  ) throws(BitmapError) {
    try self.init(
      UnsafeMutableRawBufferPointer(mutating: memory), isWritable: false, size, space, channels,
      alpha, arrangement, bytesPerRow, release)
  }

  /// Creates a bitmap of wrapped memory for rendering into it or for mutation: it is changed in place while no other
  /// bitmap shares it. Nothing is copied. See ``init(wrapping:_:in:channels:alpha:arrangement:bytesPerRow:release:)``
  /// for the parameters.
  ///
  /// Nobody else may read or write the memory before `release` is called.
  public init(
    wrappingMutable memory: UnsafeMutableRawBufferPointer, _ size: PixelSize, in space: ColorSpace,
    channels: Channels = .rgba, alpha: Alpha = .straight, arrangement: Arrangement = .interleaved,
    bytesPerRow: Int? = nil, release: @escaping @Sendable () -> Void
  ) throws(BitmapError) {
    try self.init(
      memory, isWritable: true, size, space, channels, alpha, arrangement, bytesPerRow, release)
  }

  private init(
    _ memory: UnsafeMutableRawBufferPointer, isWritable: Bool, _ size: PixelSize,
    _ space: ColorSpace, _ channels: Channels, _ alpha: Alpha, _ arrangement: Arrangement,
    _ bytesPerRow: Int?, _ release: @escaping @Sendable () -> Void
  ) throws(BitmapError) {
    let layout = try BitmapLayout(
      size, channels, Sample.format, arrangement, bytesPerRow: bytesPerRow, alignment: 1,
      mayBeBottomUp: true)
    guard memory.count >= layout.byteCount else {
      throw .memoryTooShort(bytes: memory.count, needed: layout.byteCount)
    }
    let address = Int(bitPattern: memory.baseAddress)
    guard address % Sample.format.byteCount == 0 else {
      throw .misaligned(bytes: address, Sample.format)
    }
    self.init(
      size, space, channels, alpha, arrangement, layout,
      PixelStorage(memory, isWritable: isWritable, release: release))
  }

  #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
    /// Creates a bitmap of the raw samples in a memory-mapped file, in native byte order. The system reads pages on
    /// demand; the file is never written to.
    ///
    /// The file must not be truncated while the bitmap or a copy of it exists: reading beyond its end terminates the
    /// process.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - offset: The byte offset of the samples.
    ///   - size: The width and height.
    ///   - space: The color space of the samples.
    ///   - channels: The channels of a pixel.
    ///   - alpha: Whether colors are premultiplied by alpha.
    ///   - arrangement: Whether samples are interleaved or planar.
    ///   - bytesPerRow: The stride between rows; nil for rows without padding, negative where the last row is stored
    ///     first.
    public init(
      mapping path: String, offset: Int = 0, _ size: PixelSize, in space: ColorSpace,
      channels: Channels = .rgba, alpha: Alpha = .straight, arrangement: Arrangement = .interleaved,
      bytesPerRow: Int? = nil
    ) throws(BitmapError) {
      let layout = try BitmapLayout(
        size, channels, Sample.format, arrangement, bytesPerRow: bytesPerRow, alignment: 1,
        mayBeBottomUp: true)
      guard offset >= 0 else { throw .cannotMap(path, reason: "it has no byte \(offset)") }
      guard offset % Sample.format.byteCount == 0 else {
        throw .misaligned(bytes: offset, Sample.format)
      }
      let (end, overflow) = offset.addingReportingOverflow(layout.byteCount)
      let file = try MappedFile(path, end: overflow ? .max : end)
      let samples = UnsafeMutableRawBufferPointer(rebasing: file.bytes[offset..<end])
      self.init(
        size, space, channels, alpha, arrangement, layout,
        PixelStorage(samples, isWritable: false, release: file.unmap))
    }
  #endif
}

#if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
  /// A read-only mapping of the first bytes of a file.
  private struct MappedFile: @unchecked Sendable {
    // Sendable because it is immutable.
    let bytes: UnsafeMutableRawBufferPointer

    init(_ path: String, end: Int) throws(BitmapError) {
      func failure() -> BitmapError { .cannotMap(path, reason: String(cString: strerror(errno))) }
      guard !path.utf8.contains(0) else {
        throw .cannotMap(path, reason: "a path holds no zero byte")
      }
      // Nonblocking, in case the path is a pipe without a writer.
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { throw failure() }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw failure() }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .cannotMap(path, reason: "it is not a regular file")
      }
      guard Int(status.st_size) >= end else {
        throw .fileTooShort(path, bytes: Int(status.st_size), needed: end)
      }
      guard let memory = mmap(nil, end, PROT_READ, MAP_PRIVATE, file, 0), memory != MAP_FAILED
      else { throw failure() }
      bytes = UnsafeMutableRawBufferPointer(start: memory, count: end)
    }

    @Sendable func unmap() { munmap(bytes.baseAddress, bytes.count) }
  }
#endif
