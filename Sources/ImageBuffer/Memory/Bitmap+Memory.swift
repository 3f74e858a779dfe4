public import ColorSpaces
internal import PlatformLibc

extension Bitmap {
  /// A bitmap of samples in memory that somebody else owns. Nothing is copied, and the memory is never written to: a change
  /// copies the samples first.
  ///
  /// - Parameters:
  ///   - memory: Where the samples are, without anything before them. Nobody changes them before `release` is called.
  ///   - size: Width and height.
  ///   - space: What the samples mean.
  ///   - channels: What a pixel is made of.
  ///   - alpha: How color and coverage are stored together.
  ///   - arrangement: Where the samples of a pixel lie.
  ///   - bytesPerRow: From row to row; nil where rows follow each other without gaps, negative where the last row comes first.
  ///   - release: Called once, from any thread, when no bitmap needs the memory any more; never where this throws.
  public init(
    wrapping memory: UnsafeRawBufferPointer, _ size: PixelSize, in space: ColorSpace,
    channels: Channels = .rgba, alpha: Alpha = .straight, arrangement: Arrangement = .interleaved,
    bytesPerRow: Int? = nil, release: @escaping @Sendable () -> Void
  ) throws(BitmapError) {
    try self.init(
      UnsafeMutableRawBufferPointer(mutating: memory), isWritable: false, size, space, channels,
      alpha, arrangement, bytesPerRow, release)
  }

  /// A bitmap of samples in memory that somebody else owns, to be rendered into or changed: changes go into that memory for as long
  /// as no other bitmap shares it. Nothing is copied. See ``init(wrapping:_:in:channels:alpha:arrangement:bytesPerRow:release:)``
  /// for the parameters.
  ///
  /// Nobody else reads or changes the memory before `release` is called.
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
    /// A bitmap of the raw samples in a file, in this machine's order of bytes. The system reads what is looked at, when it is looked
    /// at; the file is never written to.
    ///
    /// Nobody makes the file shorter while the bitmap or a copy of it is there: reading beyond its end stops the program.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - offset: The byte at which the samples begin.
    ///   - size: Width and height.
    ///   - space: What the samples mean.
    ///   - channels: What a pixel is made of.
    ///   - alpha: How color and coverage are stored together.
    ///   - arrangement: Where the samples of a pixel lie.
    ///   - bytesPerRow: From row to row; nil where rows follow each other without gaps, negative where the last row comes first.
    public init(
      mapping path: String, offset: Int = 0, _ size: PixelSize, in space: ColorSpace,
      channels: Channels = .rgba, alpha: Alpha = .straight, arrangement: Arrangement = .interleaved,
      bytesPerRow: Int? = nil
    ) throws(BitmapError) {
      let layout = try BitmapLayout(
        size, channels, Sample.format, arrangement, bytesPerRow: bytesPerRow, alignment: 1,
        mayBeBottomUp: true)
      guard offset >= 0, offset % Sample.format.byteCount == 0 else {
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
  /// The first bytes of a file, in memory for as long as nobody unmaps them.
  private struct MappedFile: @unchecked Sendable {
    // Sendable because nothing changes.
    let bytes: UnsafeMutableRawBufferPointer

    init(_ path: String, end: Int) throws(BitmapError) {
      func failure() -> BitmapError { .cannotMap(path, reason: String(cString: strerror(errno))) }
      guard !path.utf8.contains(0) else {
        throw .cannotMap(path, reason: "a path holds no zero byte")
      }
      // Without waiting for somebody to write into it, should it be a pipe.
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
