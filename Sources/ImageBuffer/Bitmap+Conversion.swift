extension Bitmap {
  /// The same pixels in another form: other samples, other channels or another order of them, planes instead of interleaved samples,
  /// straight alpha instead of premultiplied. What is nil stays what it is. No color changes; for that, render a picture.
  ///
  /// Whole numbers are rounded to the nearest, to the even one of two, as rendering does, and clamped; or rounded by a dither.
  /// Gray becomes equal amounts of red, green and blue; alpha that is not there is one. Channels that are not named are left out.
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

  /// The same samples with other channels, in another order or another place; see
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
