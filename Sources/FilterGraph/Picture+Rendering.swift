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
    try Picture.render([self], arrangement: arrangement, options: options)[0]
  }

  /// What to find out about a picture while it is rendered.
  @nonexhaustive
  public enum Tracing: Hashable, Sendable {
    /// At which step colors are lost.
    case colorLoss
  }

  /// Computes the picture, and says at which steps it loses colors; see ``colorLosses(storedAs:options:)``.
  public func render<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, tracing: Tracing, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> (bitmap: Bitmap<Sample>, losses: [ColorLoss]) {
    (try render(options: options), try colorLosses(storedAs: Sample.self, options: options))
  }

  /// Computes several pictures together: what they have in common is computed once, and read once.
  ///
  /// Each comes out as if it had been rendered by itself.
  public static func render<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type = Sample.self,
    arrangement: Arrangement = .interleaved, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [Bitmap<Sample>] {
    if pictures.isEmpty { return [] }
    let stored = pictures.map(\.storedForm)
    let plan = try Plan(stored, options: options)
    let evaluator = try TiledEvaluator(
      plan, sizes: pictures.map(\.size),
      resultBytes: pictures.map { $0.byteCount(of: $0.size, as: Sample.self, arrangement) }.reduce(
        0, +),
      options: options)
    var bitmaps = pictures.map { picture in
      Bitmap<Sample>(
        uninitialized: picture.size, in: picture.space,
        channels: picture.hasAlpha ? .rgba : .rgb, alpha: .straight, arrangement: arrangement)
    }
    let surfaces = bitmaps.indices.map { bitmaps[$0].uniqueSurface() }
    try evaluator.render(into: surfaces)
    return bitmaps
  }

  /// The bytes of a bitmap of so many of this picture's pixels.
  func byteCount<Sample: PixelSample>(
    of size: PixelSize, as _: Sample.Type, _ arrangement: Arrangement = .interleaved
  ) -> Int {
    let channels: Channels = hasAlpha ? .rgba : .rgb
    return Bitmap<Sample>.bytesPerRow(size, channels, arrangement) * size.height
      * (arrangement == .planar ? channels.count : 1)
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
    let plan = try Plan([stored], options: options)
    try TiledEvaluator(plan, sizes: [size], resultBytes: 0, options: options)
      .render(into: [bitmap.uniqueSurface()])
  }

  /// The picture as bitmaps and files store it.
  var storedForm: Picture { entering(.encoded) }
}
