internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// Renders the picture, on all cores, into a new bitmap: encoded in its space, with straight alpha.
  ///
  /// The pixels do not depend on the tile size, the number of threads or the machine.
  ///
  /// `channels` are red, green and blue in any order, or gray, which is ``monochrome(weights:)``, with alpha where the picture has it;
  /// nil stands for `.rgb` or `.rgba`. Samples of other roles are zeros. `arrangement` says whether samples are interleaved or planar.
  /// Without a `dither`, values are rounded to nearest.
  public func render<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Bitmap<Sample> {
    try Picture.render(
      [self], channels: channels, arrangement: arrangement, dither: dither, options: options)[0]
  }

  /// A diagnosis that is made while a picture is rendered.
  @nonexhaustive
  public enum Tracing: Hashable, Sendable {
    /// The step at which color is lost.
    case colorLoss
  }

  /// Renders the picture, and reports the steps of the same plan at which color is lost; see ``colorLosses(storedAs:options:)``.
  public func render<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil, tracing: Tracing,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> (bitmap: Bitmap<Sample>, losses: [ColorLoss]) {
    var losses: [ColorLoss] = []
    let bitmaps: [Bitmap<Sample>] = try Picture.render(
      [self], channels, arrangement, dither, options
    ) { plan throws(RenderError) in
      switch tracing {
      case .colorLoss:
        losses = try plan.colorLosses(storedAs: Sample.format, options)
      }
    }
    return (bitmaps[0], losses)
  }

  /// Renders several pictures together: shared steps are evaluated once, and shared sources are read once.
  ///
  /// Each result equals that of rendering the picture alone; see ``render(as:channels:arrangement:dither:options:)``.
  public static func render<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [Bitmap<Sample>] {
    try render(pictures, channels, arrangement, dither, options) { _ in }
  }

  /// Renders pictures, and passes their plan to a closure.
  private static func render<Sample: PixelSample>(
    _ pictures: [Picture], _ channels: Channels?, _ arrangement: Arrangement, _ dither: Dither?,
    _ options: RenderOptions, inspect: (Plan) throws(RenderError) -> Void
  ) throws(RenderError) -> [Bitmap<Sample>] {
    if pictures.isEmpty { return [] }
    let rendering = try BitmapRendering(
      pictures, channels, arrangement, dither, Sample.format, options)
    var bitmaps: [Bitmap<Sample>] = []
    for picture in rendering.pictures {
      bitmaps.append(try picture.newBitmap(of: picture.size, channels: channels, arrangement))
    }
    try rendering.render(into: bitmaps.indices.map { bitmaps[$0].uniqueSurface() })
    try inspect(rendering.evaluator.plan)
    return bitmaps
  }

  /// Throws where the picture cannot be rendered: its recipe failed, it is infinite, or it exceeds the pixel limit.
  package func checkRenders(_ options: RenderOptions) throws(RenderError) {
    if let failure { throw .recipe(failure) }
    try node.checkRenders(options)
  }

  /// Returns a new bitmap for so many of this picture's pixels.
  func newBitmap<Sample: PixelSample>(
    of size: PixelSize, channels: Channels? = nil, _ arrangement: Arrangement = .interleaved
  ) throws(RenderError) -> Bitmap<Sample> {
    try bitmapChecked { () throws(BitmapError) in
      guard let channels else {
        return try Bitmap(
          uninitialized: size, in: space, channels: usualChannels, alpha: .straight,
          arrangement: arrangement)
      }
      return try Bitmap(validating: size, in: space, channels: channels, arrangement: arrangement)
    }
  }

  /// The default channels of its bitmaps.
  var usualChannels: Channels { hasAlpha ? .rgba : .rgb }

  /// The default channels of a picture that is rounded to `target` afterwards: only gray targets may be gray.
  func usualChannels(for target: Channels) -> Channels {
    target.isGray ? (hasAlpha ? .grayAlpha : .gray) : usualChannels
  }

  /// Throws where these channels cannot represent the picture.
  func checkFits(_ channels: Channels) throws(RenderError) {
    guard channels.colorPlanes != nil else { throw .unsupportedChannels(channels) }
    // Coordinates such as lightness and hue are not equal components, so one channel cannot represent gray.
    if channels.isGray, case .coordinates = space.transfer.form {
      throw .unsupportedChannels(channels)
    }
    if hasAlpha, !channels.hasAlpha { throw .alphaWouldBeLost }
  }

  /// Renders the picture into an existing bitmap, in its own space and format.
  ///
  /// Intended for streams of frames: nothing of the size of a picture is allocated, unless the bitmap shares its memory with a copy or is
  /// read-only. Samples other than colors and alpha are not changed.
  public func render<Sample: PixelSample>(
    into bitmap: inout Bitmap<Sample>, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    try checkRenders(options)
    guard bitmap.size == size else { throw .sizeMismatch(picture: size, bitmap: bitmap.size) }
    let converted = converted(to: bitmap.space)
    try converted.checkFits(bitmap.channels)
    let stored = (bitmap.channels.isGray ? converted.monochrome() : converted).entering(
      PixelState(
        light: bitmap.space.transfer.isLinear ? .linear : .encoded,
        isPremultiplied: hasAlpha && bitmap.alpha == .premultiplied))
    let resultBytes = try bitmapChecked { () throws(BitmapError) in try bitmap.byteCountOfCopy() }
    if let dither, dither.method == .errorDiffusion {
      let diffusion = try Diffusion(
        [stored], to: [bitmap.channels], by: dither, resultBytes: resultBytes, options: options)
      try bitmapChecked { () throws(BitmapError) in try bitmap.makeWritable() }
      return try diffusion.render(into: [bitmap.uniqueSurface()], alpha: bitmap.alpha)
    }
    let plan = try Plan([stored.dithered(dither, for: Sample.format)], options: options)
    let evaluator = try TiledEvaluator(
      plan, sizes: [size], resultBytes: resultBytes, options: options)
    try bitmapChecked { () throws(BitmapError) in try bitmap.makeWritable() }
    try evaluator.render(into: [bitmap.uniqueSurface()])
  }

  /// The picture encoded, as bitmaps and files store it.
  var storedForm: Picture { entering(.encoded) }
}
