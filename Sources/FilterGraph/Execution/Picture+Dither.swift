internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

extension Picture {
  /// Returns this picture, stored in encoded values, with the pattern of a dither applied; unchanged without a dither.
  func dithered(_ dither: Dither?, for format: SampleFormat) -> Picture {
    guard let dither, let pattern = dither.pattern, let steps = dither.steps(for: format) else {
      return self
    }
    let isPremultiplied = state.isPremultiplied
    let roundsAlpha = hasAlpha && dither.levels != nil
    var program = PointProgram()
    program.rows("dither \(dither.method), \(Int(steps) + 1) levels") { strip in
      let planes = strip.planes
      let alpha = isPremultiplied ? UnsafePointer(planes.3) : nil
      pattern.forEachPart(of: strip.count, x: strip.x, y: strip.y) { start, offsets in
        func round(_ plane: UnsafeMutablePointer<Float>) {
          DitherPattern.round(
            plane + start, count: offsets.count, offsets: offsets.baseAddress,
            notAbove: alpha.map { $0 + start }, steps: steps)
        }
        round(planes.0)
        round(planes.1)
        round(planes.2)
      }
      if roundsAlpha {
        DitherPattern.round(
          planes.3, count: strip.count, offsets: nil, notAbove: nil, steps: steps)
      }
    }
    return appending(program)
  }

  /// Returns the conversion from a band of this picture to the requested format.
  func conversion(
    to channels: Channels, _ alpha: Alpha, _ format: SampleFormat, _ dither: Dither?
  ) throws(RenderError) -> RowConversion {
    try bitmapChecked { () throws(BitmapError) in
      try RowConversion(
        from: usualChannels(for: channels), .straight, to: channels, alpha, format: format,
        width: size.width, dither: dither, onlyColors: true)
    }
  }
}

/// Pictures that are rendered in single precision, band by band, for error diffusion in row order.
struct Diffusion {
  let bands: BandRendering

  private let pictures: [Picture]
  private let dither: Dither

  /// Throws where the rendering, with results of so many bytes, would exceed the memory limit of the options.
  init(
    _ pictures: [Picture], to channels: [Channels], by dither: Dither, resultBytes: Int,
    options: RenderOptions
  ) throws(RenderError) {
    (self.pictures, self.dither) = (pictures, dither)
    let unrounded = zip(pictures, channels).map { picture, channels in
      BandedResult(
        picture, channels: picture.usualChannels(for: channels), as: .float32, alpha: .straight)
    }
    bands = try BandRendering(unrounded, besides: resultBytes, options: options)
  }

  /// Renders the pictures into surfaces, with alpha as they store it.
  func render(into surfaces: [BitmapSurface], alpha: Alpha) throws(RenderError) {
    let conversions = Mutex(
      try zip(pictures, surfaces).map { picture, surface throws(RenderError) in
        try picture.conversion(to: surface.channels, alpha, surface.format, dither)
      })
    try bands.run { picture, firstRow, band in
      conversions.withLock { conversions in
        for y in 0..<band.size.height {
          conversions[picture].convert(band, row: y, to: surfaces[picture], row: firstRow + y)
        }
      }
    }
  }
}
