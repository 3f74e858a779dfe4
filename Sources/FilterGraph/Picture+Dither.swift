internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

extension Picture {
  /// This picture, whose numbers are those that are stored, rounded by the pattern of a dither; the same where there is none.
  func dithered(_ dither: Dither?, for format: SampleFormat) -> Picture {
    guard let dither, let pattern = dither.pattern, let steps = dither.steps(for: format) else {
      return self
    }
    let isPremultiplied = state.isPremultiplied
    var program = PointProgram()
    program.rows("dither \(dither.method), \(Int(steps) + 1) levels") { strip in
      for i in strip.indices {
        let offset = pattern[strip.x + i, strip.y]
        let limit =
          isPremultiplied ? DitherPattern.rounded(strip.alpha[i], offset: 0, steps: steps) : 1
        func rounded(_ number: Float) -> Float {
          min(DitherPattern.rounded(number, offset: offset, steps: steps), limit)
        }
        strip.red[i] = rounded(strip.red[i])
        strip.green[i] = rounded(strip.green[i])
        strip.blue[i] = rounded(strip.blue[i])
      }
    }
    return appending(program)
  }

  /// Computes pictures in bands of single precision, and rounds their rows in order into surfaces. `resultBytes` are what the surfaces
  /// take of the memory that the options allow.
  static func diffuse(
    _ pictures: [Picture], _ dither: Dither, into surfaces: [BitmapSurface], alpha: Alpha,
    _ resultBytes: Int, _ options: RenderOptions
  ) throws(RenderError) {
    let conversions = Mutex(
      try zip(pictures, surfaces).map { picture, surface throws(RenderError) in
        try picture.conversion(to: surface.channels, alpha, surface.format, dither)
      })
    var options = options
    options.memoryLimit = options.memoryLimit.map { $0 - resultBytes }
    let unrounded = zip(pictures, surfaces).map { picture, surface in
      BandedResult(
        picture, channels: picture.usualChannels(for: surface.channels), as: .float32,
        alpha: .straight)
    }
    try renderBands(unrounded, options: options) { picture, firstRow, band in
      conversions.withLock { conversions in
        for y in 0..<band.size.height {
          conversions[picture].convert(band, row: y, to: surfaces[picture], row: firstRow + y)
        }
      }
    }
  }

  /// The way from a band of this picture to what is asked for.
  func conversion(
    to channels: Channels, _ alpha: Alpha, _ format: SampleFormat, _ dither: Dither?
  ) throws(RenderError) -> RowConversion {
    do throws(BitmapError) {
      return try RowConversion(
        from: usualChannels(for: channels), .straight, to: channels, alpha, format: format,
        width: size.width, dither: dither)
    } catch {
      throw .bitmap(error)
    }
  }
}
