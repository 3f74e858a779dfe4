internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// Computes the picture, on all cores, into a new bitmap: encoded in its space, alpha straight.
  ///
  /// The same pixels come out for every tile size and thread count, and on every machine.
  public func render<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, arrangement: Arrangement = .interleaved,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Bitmap<Sample> {
    guard size.pixelCount <= options.pixelLimit else {
      throw .recipe(
        .tooManyPixels(width: size.width, height: size.height, limit: options.pixelLimit))
    }
    let plan = try Plan(storedForm, options: options)
    var bitmap = Bitmap<Sample>(
      uninitialized: size, in: space, channels: hasAlpha ? .rgba : .rgb, alpha: .straight,
      arrangement: arrangement)
    try TiledEvaluator(plan: plan, options: options).render(into: bitmap.uniqueSurface())
    return bitmap
  }

  /// Computes the picture into a bitmap that is there already, in the bitmap's own space and form.
  ///
  /// For streams of frames: nothing of the size of a picture is allocated.
  public func render<Sample: PixelSample>(
    into bitmap: inout Bitmap<Sample>, options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    guard bitmap.size == size else { throw .sizeMismatch(picture: size, bitmap: bitmap.size) }
    switch bitmap.channels {
    case .rgba: break
    case .rgb: if hasAlpha { throw .alphaWouldBeLost }
    default: throw .unsupportedChannels(bitmap.channels)
    }
    let stored = converted(to: bitmap.space).entering(
      PixelState(
        light: bitmap.space.transfer.isLinear ? .linear : .encoded,
        isPremultiplied: hasAlpha && bitmap.alpha == .premultiplied))
    try TiledEvaluator(plan: Plan(stored, options: options), options: options)
      .render(into: bitmap.uniqueSurface())
  }

  /// The picture as bitmaps and files store it.
  var storedForm: Picture { entering(.encoded) }
}
