public import ColorSpaces
public import ImageBuffer

extension ColorTable {
  /// The table that a Hald image holds: all its entries in rows, red varying fastest.
  ///
  /// Level L is a picture of L³ × L³ pixels and a table of L² entries a side. An editor that changes each pixel by itself turns the
  /// picture of the identity into the table of what it does (Dudek's Hald CLUT, as ImageMagick and others have it).
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

  /// What levels a Hald image may have; 8 is the usual one, a table of 64 entries a side.
  public static let haldLevels = 2...11

  /// The Hald image of a table that changes nothing, for editors to change.
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
