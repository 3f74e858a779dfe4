public import ImageBuffer

extension ImageMetadata {
  /// The position of the pixels in the display window, and the pixel aspect ratio (OpenEXR, “Basic attributes”).
  ///
  /// It is written with a picture that has the data window's size, and left out otherwise; see ``scaled(to:keepingShape:)``.
  public struct Framing: Hashable, Sendable {
    /// The allowed pixel aspect ratios.
    public static let pixelAspectRatios = 1e-6...1e6

    /// The region of the stored pixels.
    public var dataWindow: Region
    /// The region to be displayed.
    public var displayWindow: Region
    /// The width of a pixel by its height.
    public var pixelAspectRatio: Double

    /// A framing from its windows.
    public init(dataWindow: Region, displayWindow: Region, pixelAspectRatio: Double = 1) {
      (self.dataWindow, self.displayWindow) = (dataWindow, displayWindow)
      self.pixelAspectRatio = pixelAspectRatio
    }

    /// The framing of a picture that is all there is to be seen, in square pixels.
    public init(_ size: PixelSize) {
      self.init(dataWindow: Region(size), displayWindow: Region(size))
    }

    /// Returns the framing of the picture after it was resized: windows grow with it, rounded to whole pixels. An empty data window has no
    /// scale; its display window stays as it is.
    ///
    /// - Parameters:
    ///   - size: The new size.
    ///   - keepingShape: Whether the shape of pixels changes so that the picture keeps its own.
    public func scaled(to size: PixelSize, keepingShape: Bool) -> Framing {
      func factor(from old: Int, to new: Int) -> Double { old > 0 ? Double(new) / Double(old) : 1 }
      let factor = SIMD2(
        factor(from: dataWindow.width, to: size.width),
        factor(from: dataWindow.height, to: size.height))
      func place(_ offset: Int, _ factor: Double) -> Int {
        // Clamped so that the conversion cannot overflow.
        Int(Double.minimum(Double.maximum((Double(offset) * factor).rounded(), -0x1p62), 0x1p62))
      }
      func scaled(_ window: Region, _ size: PixelSize) -> Region {
        Region(
          x: place(window.x, factor.x), y: place(window.y, factor.y), width: size.width,
          height: size.height)
      }
      let displaySize = PixelSize(
        max(place(displayWindow.width, factor.x), 1), max(place(displayWindow.height, factor.y), 1))
      return Framing(
        dataWindow: scaled(dataWindow, size), displayWindow: scaled(displayWindow, displaySize),
        pixelAspectRatio: keepingShape ? pixelAspectRatio * factor.y / factor.x : pixelAspectRatio)
    }
  }
}

extension ImageMetadata.Framing: CustomStringConvertible {
  /// A few words, such as “at (-3, 7) of a window of 100 × 50 pixels at (0, 0)”.
  public var description: String {
    let place =
      dataWindow == displayWindow
      ? "at (\(dataWindow.x), \(dataWindow.y))"
      : "at (\(dataWindow.x), \(dataWindow.y)) of a window of \(displayWindow.size) pixels at "
        + "(\(displayWindow.x), \(displayWindow.y))"
    return pixelAspectRatio == 1
      ? place : "\(place), pixels \(pixelAspectRatio) times as wide as high"
  }
}
