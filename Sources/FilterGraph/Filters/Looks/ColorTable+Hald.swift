public import ColorSpaces
public import ImageBuffer

extension ColorTable {
  /// Creates a table from a Hald image: its pixels in row order, red varying fastest.
  ///
  /// Level L is a picture of L³ × L³ pixels and a 3D LUT of L² grid points per axis. A program that maps each pixel
  /// independently turns the identity image into the table of its effect (Dudek's Hald CLUT, as in ImageMagick).
  public init(
    hald picture: Picture, interpolation: Interpolation = .tetrahedral
  ) throws(RenderError) {
    let level = Self.haldLevels.first { $0 * $0 * $0 == picture.size.width }
    guard let level, picture.size.height == picture.size.width else {
      throw .recipe(.haldSize(width: picture.size.width, height: picture.size.height))
    }
    let pixels = try picture.render(as: Float.self)
    let channels = pixels.channels.count
    var entries: [Float] = []
    entries.reserveCapacity(3 * pixels.size.pixelCount)
    for y in 0..<pixels.size.height {
      let row = pixels.row(y)
      for x in 0..<pixels.size.width { entries += row[channels * x..<channels * x + 3] }
    }
    do throws(ColorError) {
      try self.init(size: level * level, entries: entries, interpolation: interpolation)
    } catch {
      throw .recipe(RecipeError(error))
    }
  }

  /// The allowed levels of Hald images; the usual one is 8, a table of 64 grid points per axis.
  private static let haldLevels = 2...11

  /// The Hald image of the identity, for processing by an image editor.
  ///
  /// - Precondition: The level is 2 to 11.
  public static func identityHald(level: Int = 8, in space: ColorSpace) -> Bitmap<UInt16> {
    precondition(
      haldLevels.contains(level),
      "A Hald image has a level of \(haldLevels.lowerBound) to \(haldLevels.upperBound); got \(level)."
    )
    let (side, size) = (level * level * level, level * level)
    return Bitmap(PixelSize(side, side), in: space, channels: .rgb) { x, y in
      let index = y * side + x
      return [index % size, index / size % size, index / size / size].map { step in
        UInt16((Double(step) / Double(size - 1) * 65_535).rounded())
      }
    }
  }
}
