internal import ImageBuffer

/// A planned rendering of several pictures into new bitmaps.
struct BitmapRendering {
  /// The pictures, gray where gray channels were asked for.
  let pictures: [Picture]
  /// The bytes of each bitmap.
  let resultBytes: [Int]
  let evaluator: TiledEvaluator
  /// What rounds by error diffusion; nil where the evaluator rounds.
  private let diffusion: Diffusion?

  /// Throws where a picture cannot be rendered into such channels, or where the rendering would exceed the memory limit of the options.
  init(
    _ pictures: [Picture], _ channels: Channels?, _ arrangement: Arrangement, _ dither: Dither?,
    _ format: SampleFormat, _ options: RenderOptions
  ) throws(RenderError) {
    let pictures = pictures.map { channels?.isGray == true ? $0.monochrome() : $0 }
    for picture in pictures { try picture.checkRenders(options) }
    var resultBytes: [Int] = []
    for picture in pictures {
      if let channels { try picture.checkFits(channels) }
      let channels = channels ?? picture.usualChannels
      resultBytes.append(
        try bitmapChecked { () throws(BitmapError) in
          // A forecast also counts bitmaps that no memory holds.
          options.refuses
            ? try format.byteCount(of: picture.size, channels, arrangement)
            : try format.layoutByteCount(of: picture.size, channels, arrangement)
        })
    }
    let written = resultBytes.reduce(0) { $0.addingSaturated($1) }
    if let dither, dither.method == .errorDiffusion {
      let diffusion = try Diffusion(
        pictures, to: pictures.map { channels ?? $0.usualChannels }, by: dither,
        resultBytes: written, options: options)
      (self.diffusion, evaluator) = (diffusion, diffusion.bands.evaluator)
    } else {
      let stored = pictures.map { $0.storedForm.dithered(dither, for: format) }
      diffusion = nil
      evaluator = try TiledEvaluator(
        Plan(stored, options: options), sizes: pictures.map(\.size), resultBytes: written,
        options: options)
    }
    (self.pictures, self.resultBytes) = (pictures, resultBytes)
  }

  /// Renders into the surfaces of bitmaps with straight alpha.
  func render(into surfaces: [BitmapSurface]) throws(RenderError) {
    if let diffusion { return try diffusion.render(into: surfaces, alpha: .straight) }
    try evaluator.render(into: surfaces)
  }
}
