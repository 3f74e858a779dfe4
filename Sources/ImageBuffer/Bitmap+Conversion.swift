extension Bitmap {
  /// Converts the pixels to another sample format, other channels or another order of them, planar or interleaved
  /// memory, straight or premultiplied alpha. A nil argument keeps the property. Colors are unchanged; to convert them,
  /// render a picture.
  ///
  /// Integer samples are rounded to nearest, ties to even, as in rendering, and clamped; or rounded by a dither. Gray
  /// becomes equal red, green and blue; a missing alpha becomes 1. Channels that are not listed are dropped.
  public func converted<Target: PixelSample>(
    to _: Target.Type = Target.self, channels: Channels? = nil, alpha: Alpha? = nil,
    arrangement: Arrangement? = nil, bytesPerRow: Int? = nil, dither: Dither? = nil
  ) throws(BitmapError) -> Bitmap<Target> {
    var result = try Bitmap<Target>(
      uninitialized: size, in: space, channels: channels ?? self.channels,
      alpha: alpha ?? self.alpha, arrangement: arrangement ?? self.arrangement,
      bytesPerRow: bytesPerRow)
    var conversion = try RowConversion(
      from: self.channels, self.alpha, to: result.channels, result.alpha, format: Target.format,
      width: size.width, dither: dither)
    let (source, target) = (surface, result.uniqueSurface())
    for y in 0..<size.height { conversion.convert(source, row: y, to: target, row: y) }
    return result
  }

  /// Converts the bitmap to other channels or another arrangement of the same samples; see
  /// ``converted(to:channels:alpha:arrangement:bytesPerRow:dither:)``.
  public func converted(
    channels: Channels? = nil, alpha: Alpha? = nil, arrangement: Arrangement? = nil,
    bytesPerRow: Int? = nil
  ) throws(BitmapError) -> Bitmap {
    try converted(
      to: Sample.self, channels: channels, alpha: alpha, arrangement: arrangement,
      bytesPerRow: bytesPerRow)
  }
}
