internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// Computes the picture, on all cores, into a new bitmap: encoded in its space, alpha straight.
  ///
  /// The same pixels come out for every tile size and thread count, and on every machine.
  ///
  /// `channels` are red, green and blue in any order, or gray, which is ``monochrome(weights:)``, with alpha where the picture has it;
  /// nil stands for `.rgb` or `.rgba`. Samples of other roles are zeros. `arrangement` says where the samples of a pixel lie, and
  /// `dither` how values are rounded: to the nearest if it is nil.
  public func render<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Bitmap<Sample> {
    try Picture.render(
      [self], channels: channels, arrangement: arrangement, dither: dither, options: options)[0]
  }

  /// What to find out about a picture while it is rendered.
  @nonexhaustive
  public enum Tracing: Hashable, Sendable {
    /// At which step colors are lost.
    case colorLoss
  }

  /// Computes the picture, and says at which steps of the very plan that renders it colors are lost; see
  /// ``colorLosses(storedAs:options:)``.
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

  /// Computes several pictures together: what they have in common is computed once, and read once.
  ///
  /// Each comes out as if it had been rendered by itself; see ``render(as:channels:arrangement:dither:options:)``.
  public static func render<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [Bitmap<Sample>] {
    try render(pictures, channels, arrangement, dither, options) { _ in }
  }

  /// Computes pictures, and shows somebody the plan for them.
  private static func render<Sample: PixelSample>(
    _ pictures: [Picture], _ channels: Channels?, _ arrangement: Arrangement, _ dither: Dither?,
    _ options: RenderOptions, inspect: (Plan) throws(RenderError) -> Void
  ) throws(RenderError) -> [Bitmap<Sample>] {
    if pictures.isEmpty { return [] }
    let pictures = pictures.map { channels?.isGray == true ? $0.monochrome() : $0 }
    let stored = pictures.map { $0.storedForm.dithered(dither, for: Sample.format) }
    let plan = try Plan(stored, options: options)
    var resultBytes = 0
    for picture in pictures {
      if let channels { try picture.checkFits(channels) }
      resultBytes += try picture.byteCount(
        of: picture.size, Sample.format, channels: channels, arrangement)
    }
    let render: ([BitmapSurface]) throws(RenderError) -> Void
    if let dither, dither.method == .errorDiffusion {
      let diffusion = try Diffusion(
        pictures, to: pictures.map { channels ?? $0.usualChannels }, by: dither,
        resultBytes: resultBytes, options: options)
      render = { surfaces throws(RenderError) in
        try diffusion.render(into: surfaces, alpha: .straight)
      }
    } else {
      render = try TiledEvaluator(
        plan, sizes: pictures.map(\.size), resultBytes: resultBytes, options: options
      ).render(into:)
    }
    var bitmaps: [Bitmap<Sample>] = []
    for picture in pictures {
      bitmaps.append(try picture.newBitmap(of: picture.size, channels: channels, arrangement))
    }
    try render(bitmaps.indices.map { bitmaps[$0].uniqueSurface() })
    try inspect(plan)
    return bitmaps
  }

  /// Throws where there are no pixels to render: the recipe failed, the picture is infinite, or it has more pixels than it may have.
  package func checkRenders(_ options: RenderOptions) throws(RenderError) {
    if let failure { throw .recipe(failure) }
    if isEndless { throw .recipe(.endless) }
    try options.check(size)
  }

  /// The bytes of a bitmap of so many of this picture's pixels.
  func byteCount(
    of size: PixelSize, _ format: SampleFormat, channels: Channels? = nil,
    _ arrangement: Arrangement = .interleaved
  ) throws(RenderError) -> Int {
    do throws(BitmapError) {
      return try format.byteCount(of: size, channels ?? usualChannels, arrangement)
    } catch {
      throw .bitmap(error)
    }
  }

  /// A bitmap for so many of this picture's pixels.
  func newBitmap<Sample: PixelSample>(
    of size: PixelSize, channels: Channels? = nil, _ arrangement: Arrangement = .interleaved
  ) throws(RenderError) -> Bitmap<Sample> {
    do throws(BitmapError) {
      guard let channels else {
        return try Bitmap(
          uninitialized: size, in: space, channels: usualChannels, alpha: .straight,
          arrangement: arrangement)
      }
      return try Bitmap(validating: size, in: space, channels: channels, arrangement: arrangement)
    } catch {
      throw .bitmap(error)
    }
  }

  /// The channels of its bitmaps where nobody asks for others.
  var usualChannels: Channels { hasAlpha ? .rgba : .rgb }

  /// The channels of what is rounded to `target` afterwards: only gray becomes gray then.
  func usualChannels(for target: Channels) -> Channels {
    target.isGray ? (hasAlpha ? .grayAlpha : .gray) : usualChannels
  }

  /// Throws where pixels of these channels cannot hold the picture.
  private func checkFits(_ channels: Channels) throws(RenderError) {
    guard channels.colorPlanes != nil else { throw .unsupportedChannels(channels) }
    // Lightness, hue and the like are not three lights, of which one could stand for all.
    if channels.isGray, case .coordinates = space.transfer.form {
      throw .unsupportedChannels(channels)
    }
    if hasAlpha, !channels.hasAlpha { throw .alphaWouldBeLost }
  }

  /// Computes the picture into a bitmap that is there already, in the bitmap's own space and form.
  ///
  /// For streams of frames: nothing of the size of a picture is allocated. Samples of the bitmap that are neither light nor alpha stay
  /// what they are.
  public func render<Sample: PixelSample>(
    into bitmap: inout Bitmap<Sample>, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    guard bitmap.size == size else { throw .sizeMismatch(picture: size, bitmap: bitmap.size) }
    try checkFits(bitmap.channels)
    let converted = converted(to: bitmap.space)
    let stored = (bitmap.channels.isGray ? converted.monochrome() : converted).entering(
      PixelState(
        light: bitmap.space.transfer.isLinear ? .linear : .encoded,
        isPremultiplied: hasAlpha && bitmap.alpha == .premultiplied))
    if let dither, dither.method == .errorDiffusion {
      let diffusion = try Diffusion(
        [stored], to: [bitmap.channels], by: dither, resultBytes: 0, options: options)
      return try diffusion.render(into: [bitmap.uniqueSurface()], alpha: bitmap.alpha)
    }
    let plan = try Plan([stored.dithered(dither, for: Sample.format)], options: options)
    try TiledEvaluator(plan, sizes: [size], resultBytes: 0, options: options)
      .render(into: [bitmap.uniqueSurface()])
  }

  /// The picture as bitmaps and files store it.
  var storedForm: Picture { entering(.encoded) }
}

extension Channels {
  /// Whether all light is one sample.
  var isGray: Bool { roles.contains(.gray) }
}
