public import ColorSpaces
public import ImageBuffer

/// The storage of a video's frames: size, sample layout, and the encoding of color.
public struct VideoFormat: Hashable, Sendable {
  /// The components of a frame and their order.
  @nonexhaustive
  public enum Layout: Hashable, Sendable {
    /// A plane of luma and two of subsampled chroma, in samples of 8 to 16 bits.
    case planes(ChromaSampling, bits: Int)
    /// Interleaved red, green and blue, in samples of 8 or 16 bits.
    case packedRGB(bits: Int)

    /// The chroma subsampling; nil where there is no chroma.
    public var chroma: ChromaSampling? {
      if case .planes(let chroma, _) = self { chroma } else { nil }
    }

    /// The bit depth of a sample.
    public var bits: Int {
      switch self {
      case .planes(_, let bits), .packedRGB(let bits): bits
      }
    }
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
  public var matrix: VideoEncoding.Matrix
  /// Whether samples use all codes (full range), or leave headroom and footroom (narrow range).
  public var isFullRange: Bool
  /// The frame rate: `frames` in `seconds` seconds.
  public var frames: Int, seconds: Int
  /// The pixel aspect ratio; 0 to 0 where it is unknown.
  public var pixelWidth: Int, pixelHeight: Int

  /// Creates a format; by default that of most video: 4:2:0, 8 bits, BT.709, narrow range, 25 frames a second.
  public init(
    _ size: PixelSize, _ layout: Layout = .planes(.quarter, bits: 8), siting: Siting = .left,
    matrix: VideoEncoding.Matrix = .rec709, isFullRange: Bool = false, frames: Int = 25,
    seconds: Int = 1, pixelWidth: Int = 1, pixelHeight: Int = 1
  ) {
    precondition(
      size.width > 0 && size.height > 0, "A frame needs at least one pixel; got \(size).")
    switch layout {
    case .planes(_, let bits):
      precondition((8...16).contains(bits), "Samples of planes have 8 to 16 bits; got \(bits).")
    case .packedRGB(let bits):
      precondition(bits == 8 || bits == 16, "Packed samples have 8 or 16 bits; got \(bits).")
    }
    (self.size, self.layout, self.siting) = (size, layout, siting)
    (self.matrix, self.isFullRange) = (matrix, isFullRange)
    (self.frames, self.seconds) = (frames, seconds)
    (self.pixelWidth, self.pixelHeight) = (pixelWidth, pixelHeight)
  }

  /// Returns the color space of the samples of a frame whose red, green and blue are those of `space`.
  public func space(of space: ColorSpace) -> ColorSpace {
    switch layout {
    case .packedRGB: space
    case .planes(_, let bits):
      space.asVideo(matrix, isFullRange ? .full(bits: bits) : .narrow(bits: bits))
    }
  }

  /// The size of a chroma plane.
  var chromaSize: PixelSize {
    guard case .planes(let chroma, _) = layout else { return size }
    func half(_ side: Int) -> Int { side / 2 + side % 2 }
    return PixelSize(
      chroma == .full ? size.width : half(size.width),
      chroma == .quarter ? half(size.height) : size.height)
  }

  /// Returns whether another format differs in bit depth only: subsampling and siting are the same.
  public func hasSamePlanes(as other: VideoFormat) -> Bool {
    size == other.size && matrix == other.matrix && isFullRange == other.isFullRange
      && (siting == other.siting || !sharesChroma) && layout.chroma == other.layout.chroma
  }

  /// Whether chroma is subsampled, so that its siting matters.
  var sharesChroma: Bool { layout.chroma == .half || layout.chroma == .quarter }

  var bytesPerSample: Int { layout.bits > 8 ? 2 : 1 }

  /// How many bytes a frame has; the largest integer where none holds the number.
  public var frameBytes: Int {
    let planes: [(size: PixelSize, count: Int)] =
      if case .packedRGB = layout { [(size, 3)] } else { [(size, 1), (chromaSize, 2)] }
    var bytes = 0
    for plane in planes {
      let pixels = plane.size.width.multipliedReportingOverflow(by: plane.size.height)
      let part = pixels.partialValue.multipliedReportingOverflow(by: plane.count * bytesPerSample)
      let sum = bytes.addingReportingOverflow(part.partialValue)
      if pixels.overflow || part.overflow || sum.overflow { return .max }
      bytes = sum.partialValue
    }
    return bytes
  }

  /// How many bytes the bitmap of a frame has, with three samples of 16 bits a pixel; the largest integer where none holds the number.
  package var bitmapBytes: Int {
    let bytes = size.pixelCount.multipliedReportingOverflow(by: 6)
    return bytes.overflow ? .max : bytes.partialValue
  }

  /// How many bytes the samples of a frame and its bitmap have; the largest integer where none holds the number.
  package var convertedBytes: Int {
    let sum = frameBytes.addingReportingOverflow(bitmapBytes)
    return sum.overflow ? .max : sum.partialValue
  }

  /// Why no video can have this format; nil where one can. Properties can be set to what the initializer refuses.
  var problem: String? {
    guard size.width > 0, size.height > 0 else { return "its frames have \(size) pixels" }
    guard frameBytes < .max else {
      return "its frames of \(size) pixels have more bytes than can be counted"
    }
    let isPacked = if case .packedRGB = layout { true } else { false }
    guard isPacked ? [8, 16].contains(layout.bits) : (8...16).contains(layout.bits) else {
      return "its samples have \(layout.bits) bits"
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

extension VideoFormat.Layout: CustomStringConvertible {
  /// What ffmpeg calls it, such as yuv420p10le.
  public var description: String {
    switch self {
    case .packedRGB(let bits): bits == 8 ? "rgb24" : "rgb48le"
    case .planes(let chroma, let bits): "yuv\(chroma.digits)p" + (bits > 8 ? "\(bits)le" : "")
    }
  }

  /// The layouts that ffmpeg has names for.
  public static let named: [VideoFormat.Layout] =
    ChromaSampling.allCases.flatMap { chroma in
      [8, 9, 10, 12, 14, 16].map { VideoFormat.Layout.planes(chroma, bits: $0) }
    } + [.packedRGB(bits: 8), .packedRGB(bits: 16)]
}

extension ChromaSampling {
  /// The usual notation, without the colons.
  var digits: String {
    switch self {
    case .full: "444"
    case .half: "422"
    case .quarter: "420"
    }
  }
}
