public import ColorSpaces
public import ImageBuffer

/// The storage of a video's frames: size, sample layout, and the encoding of color.
public struct VideoFormat: Hashable, Sendable {
  /// The components of a frame and their order.
  @nonexhaustive
  public enum Layout: Hashable, Sendable {
    /// A plane of luma and two of chroma, in samples of 8 to 16 bits.
    case planes(ChromaSampling, bits: Int)
    /// A plane of luma and one of interleaved Cb and Cr, in samples of 8, 10, 12 or 16 bits: NV12, NV16 and NV24, P010 to P416.
    ///
    /// Samples of 10 and 12 bits are the high bits of 16.
    case semiplanar(ChromaSampling, bits: Int)
    /// Interleaved luma and 4:2:2 chroma of 8 bits, in the order Y′ Cb Y′ Cr or, where chroma comes first, Cb Y′ Cr Y′.
    case packed422(isChromaFirst: Bool)
    /// A plane of luma, in samples of 8 to 16 bits.
    case gray(bits: Int)
    /// Interleaved red, green and blue, in samples of 8 or 16 bits.
    case packedRGB(bits: Int)
    /// Interleaved red, green and blue in another order, or with a fourth sample: in samples of 8 bits, and of 16 bits for
    /// ``RGBOrder/bgr``.
    case orderedRGB(RGBOrder, bits: Int)
    /// A plane of green, one of blue and one of red, in samples of 8 to 16 bits.
    case planarRGB(bits: Int)

    /// The chroma subsampling; nil where there is no chroma.
    public var chroma: ChromaSampling? {
      switch self {
      case .planes(let chroma, _), .semiplanar(let chroma, _): chroma
      case .packed422: .half
      case .gray, .packedRGB, .orderedRGB, .planarRGB: nil
      }
    }

    /// The bit depth of a sample.
    public var bits: Int {
      switch self {
      case .planes(_, let bits), .semiplanar(_, let bits), .gray(let bits), .packedRGB(let bits),
        .orderedRGB(_, let bits), .planarRGB(let bits):
        bits
      case .packed422: 8
      }
    }

    /// Whether samples are red, green and blue: they have neither a matrix nor a range.
    package var isRGB: Bool {
      switch self {
      case .packedRGB, .orderedRGB, .planarRGB: true
      case .planes, .semiplanar, .packed422, .gray: false
      }
    }

    /// Whether samples are luma alone. ffmpeg's grays have full range.
    package var isGray: Bool { if case .gray = self { true } else { false } }
  }

  /// The order of interleaved red, green and blue, as letters.
  ///
  /// Frames hold no transparency. Where the fourth sample is alpha, a frame with a pixel that is not opaque cannot be read. Where it is
  /// unused (x here, 0 in the names of ffmpeg), it is not read. Both are written with all bits set.
  @nonexhaustive
  public enum RGBOrder: Hashable, Sendable, CaseIterable {
    /// Blue, green and red: bgr24 and bgr48le.
    case bgr
    /// With alpha as the last sample: rgba and bgra.
    case rgba, bgra
    /// With alpha as the first sample: argb and abgr.
    case argb, abgr
    /// With an unused sample as the last one: rgb0 and bgr0.
    case rgbx, bgrx
    /// With an unused sample as the first one: 0rgb and 0bgr.
    case xrgb, xbgr
  }

  /// Chroma siting (Rec. ITU-T H.273, `ChromaLocType`).
  public enum Siting: Hashable, Sendable, CaseIterable {
    /// On the left column and between the rows, as in MPEG-2 and its successors: type 0.
    case left
    /// Between the columns and between the rows, as in MPEG-1 and JPEG: type 1.
    case center
    /// On the left column and the upper row, as in BT.2020: type 2.
    case topLeft
  }

  /// The width and height of a frame.
  public var size: PixelSize
  /// The components and their order.
  public var layout: Layout
  /// The positions of subsampled chroma relative to luma.
  public var siting: Siting
  /// The matrix between R′G′B′ and luma and chroma.
  ///
  /// With the identity, luma is green, Cb is blue and Cr is red (Rec. ITU-T H.273, table 4): the layout must be 4:4:4 or RGB.
  public var matrix: VideoEncoding.Matrix
  /// Whether samples use all codes (full range), or leave headroom and footroom (narrow range).
  public var isFullRange: Bool
  /// The frame rate: `frames` in `seconds` seconds.
  public var frames: Int, seconds: Int
  /// The pixel aspect ratio; 0 to 0 where it is unknown.
  public var pixelWidth: Int, pixelHeight: Int

  /// Creates a format; by default that of most video: 4:2:0, 8 bits, BT.709, narrow range, 25 frames a second.
  ///
  /// - Precondition: The frame has a pixel or more, and the layout allows its bit depth.
  public init(
    _ size: PixelSize, _ layout: Layout = .planes(.quarter, bits: 8), siting: Siting = .left,
    matrix: VideoEncoding.Matrix = .rec709, isFullRange: Bool = false, frames: Int = 25,
    seconds: Int = 1, pixelWidth: Int = 1, pixelHeight: Int = 1
  ) {
    precondition(
      size.width > 0 && size.height > 0, "A frame needs at least one pixel; got \(size).")
    precondition(
      layout.storage.depths.contains(layout.bits),
      "Samples of this layout have \(layout.storage.depths) bits; got \(layout.bits).")
    (self.size, self.layout, self.siting) = (size, layout, siting)
    (self.matrix, self.isFullRange) = (matrix, isFullRange)
    (self.frames, self.seconds) = (frames, seconds)
    (self.pixelWidth, self.pixelHeight) = (pixelWidth, pixelHeight)
  }

  /// Returns the color space of the samples of a frame whose red, green and blue are those of `space`.
  public func space(of space: ColorSpace) -> ColorSpace {
    if layout.isRGB { return space.withoutVideo }
    return space.asVideo(encoding.matrix, encoding.range)
  }

  /// Returns whether samples of a space are stored as they are: they are RGB, as the layout is, or have the matrix and the range of this
  /// format.
  func stores(_ space: ColorSpace) -> Bool {
    if layout.isRGB { return space.withoutVideo == space }
    guard case .coordinates(let coordinates) = space.transfer.form else { return false }
    return coordinates.video == encoding
  }

  /// The matrix and the range of Y′CbCr samples.
  private var encoding: VideoEncoding {
    VideoEncoding(matrix, isFullRange ? .full(bits: layout.bits) : .narrow(bits: layout.bits))
  }

  /// Returns whether another format differs in bit depth and order of samples only: components, subsampling and siting are the same.
  public func hasSameComponents(as other: VideoFormat) -> Bool {
    size == other.size && matrix == other.matrix && isFullRange == other.isFullRange
      && (siting == other.siting || !sharesChroma)
      && layout.chroma == other.layout.chroma && layout.isRGB == other.layout.isRGB
  }

  /// Whether chroma is subsampled, so that its siting matters.
  var sharesChroma: Bool { layout.chroma == .half || layout.chroma == .quarter }

  /// Whether frames are converted in single precision. 16 bits hold the codes of 8 and 16 bits exactly, of samples that are not
  /// interpolated, but not those of other depths.
  var isConvertedInFloats: Bool { ![8, 16].contains(layout.bits) }

  /// How many bytes the bitmap of a frame has, with three samples a pixel of 16 bits or single precision; the largest integer where none
  /// holds the number.
  package var bitmapBytes: Int {
    size.pixelCount.multipliedSaturated(by: isConvertedInFloats ? 12 : 6)
  }

  /// How many bytes the samples of a frame and its bitmap have; the largest integer where none holds the number.
  package var convertedBytes: Int { frameBytes.addingSaturated(bitmapBytes) }

  /// Allocates the samples of a frame.
  ///
  /// - Throws: An error where a frame has too many pixels, or it and its bitmap have too many bytes.
  func frameMemory(for file: String, _ limits: FileLimits) throws(ImageFileError) -> MemoryBlock {
    if let problem { throw .unsupportedStorage(file: file, reason: problem) }
    try limits.check(size, in: file)
    if let limit = limits.memoryLimit, convertedBytes > limit {
      throw .tooMuchMemory(file: file, bytes: convertedBytes, limit: limit)
    }
    // Rows of odd width may end with a sample that belongs to no pixel, and stays zero.
    let block = try MemoryBlock(byteCount: frameBytes, isZeroed: true, for: file)
    if layout.storage.fourthSample != nil {
      // Opaque: conversions write the other three samples only.
      block.bytes.initializeMemory(as: UInt8.self, repeating: 255)
    }
    return block
  }

  /// Why no video can have this format; nil where one can. Properties can be set to what the initializer refuses.
  var problem: String? {
    guard size.width > 0, size.height > 0 else { return "its frames have \(size) pixels" }
    guard frameBytes < .max else {
      return "its frames of \(size) pixels have more bytes than can be counted"
    }
    guard layout.storage.depths.contains(layout.bits) else {
      return "its samples have \(layout.bits) bits"
    }
    guard matrix != .identity || layout.isRGB || layout.chroma == .full else {
      return "its \(layout) samples cannot have the identity matrix, which needs 4:4:4 or RGB"
    }
    guard frames > 0, seconds > 0 else {
      return "its frame rate is \(frames) frames in \(seconds) seconds"
    }
    guard (pixelWidth > 0 && pixelHeight > 0) || (pixelWidth == 0 && pixelHeight == 0) else {
      return "its pixel aspect ratio is \(pixelWidth) to \(pixelHeight)"
    }
    return nil
  }
}
