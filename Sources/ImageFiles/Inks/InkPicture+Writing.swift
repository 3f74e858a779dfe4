internal import ColorSpaces
public import FilterGraph
internal import ICCProfiles
public import ImageBuffer

extension InkPicture {
  /// Renders the ink channels into a TIFF file, or four of them into a JPEG file, with the profile in it.
  ///
  /// As with `Picture.write(to:)` reading, rendering and writing overlap, and the file appears when it is
  /// complete.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - format: The format; nil for the one of the path's file extension.
  ///   - samples: The sample format; nil for the format's default.
  ///   - dither: The dithering; nil rounds to nearest.
  ///   - options: How to render.
  ///   - writing: Options of the format. ``WritingOptions/profile`` replaces the picture's own profile.
  /// - Returns: The requested metadata that the file does not hold, and the number of clipped samples.
  @discardableResult
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> WritingReport {
    let encoding = try InkEncoding(self, job(path, format, samples, writing), dither, options)
    try encoding.job.write(encoding.render)
    return encoding.report
  }

  /// Renders the ink channels into the bytes of a TIFF file, or four of them into those of a JPEG file: the bytes that
  /// ``write(to:as:samples:dither:options:writing:)`` would write.
  ///
  /// Bytes beyond the memory that the rendering leaves of the limits in `options` and `writing` go to a temporary file without a name,
  /// where `TMPDIR` says, until the rendering ends. More of them than the limits are an error.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - samples: The sample format; nil for the format's default.
  ///   - dither: The dithering; nil rounds to nearest.
  ///   - options: How to render.
  ///   - writing: Options of the format. ``WritingOptions/profile`` replaces the picture's own profile.
  public func encoded(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> [UInt8] {
    try encodedWithReport(
      as: format, samples: samples, dither: dither, options: options, writing: writing
    ).bytes
  }

  /// Renders the ink channels into the bytes of a file, and reports clipped samples and omitted metadata.
  ///
  /// See ``encoded(as:samples:dither:options:writing:)`` for the parameters.
  public func encodedWithReport(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> (bytes: [UInt8], report: WritingReport) {
    let encoding = try InkEncoding(
      self, job("\(format) data", format, samples, writing), dither, options)
    let sink = SpillingSink(for: encoding.job, besides: encoding.rendering.peakBytes, options)
    try encoding.job.write(into: sink, encoding.render)
    return (try sink.bytes(rendered: options, writing: writing), encoding.report)
  }

  /// Throws the error with which writing would fail before the first pixel. Renders nothing and creates nothing.
  package func checkWriting(
    to path: String, as format: ImageFileFormat?, samples: SampleFormat?, dither: Dither?,
    options: RenderOptions, writing: WritingOptions
  ) throws(ImageFileError) {
    let job = try job(path, format, samples, writing)
    _ = try InkEncoding(self, job, dither, options.measuringNothing)
    try AtomicFile.check(job.file)
    _ = try job.format.encoder(job, DiscardingSink())
  }

  /// Renders all pixels into an interleaved bitmap of ink channels, CMYK or named.
  ///
  /// - Parameters:
  ///   - format: The sample format.
  ///   - dither: The dithering; nil rounds to nearest.
  ///   - options: How to render.
  public func render(
    as format: SampleFormat = .float32, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> AnyBitmap {
    let channels = ImageFileInks(names: names, format: format).channels
    let (bytes, bitmap) = try bitmapChecked { () throws(BitmapError) in
      let bytes = try format.byteCount(of: size, channels)
      let bitmap = try AnyBitmap(
        uninitialized: size, in: Self.space, channels: channels, format: format, alpha: .straight)
      return (bytes, bitmap)
    }
    let surface = bitmap.surface
    try PlateRendering(self, as: format, dither: dither, besides: bytes, options: options).run {
      y, row in
      surface.bytes(ofRow: y).copyMemory(from: row)
    }
    withExtendedLifetime(bitmap) {}
    return bitmap
  }

  private func job(
    _ path: String, _ format: ImageFileFormat?, _ samples: SampleFormat?, _ writing: WritingOptions
  ) throws(ImageFileError) -> EncodingJob {
    let format = try ImageFile.format(format, ofFileNamed: path)
    guard !hasAlpha else { throw .transparentInks(file: path, count) }
    return try EncodingJob(
      file: path, format: format, size: size, inks: InkChannels(names: names, profile: profile),
      samples: samples ?? format.samples[0], options: writing)
  }
}

/// The rendering of ink channels for a file. It is checked before the file is opened, so that a failure leaves no file.
private struct InkEncoding {
  @Boxed private(set) var job: EncodingJob
  let rendering: PlateRendering
  private let clippings: [ClippingCount]

  init(
    _ picture: InkPicture, _ job: EncodingJob, _ dither: Dither?, _ options: RenderOptions
  ) throws(ImageFileError) {
    try job.checkMemory()
    self.job = job
    clippings = picture.plates.map { _ in ClippingCount() }
    do throws(RenderError) {
      rendering = try PlateRendering(
        picture, as: job.samples, dither: dither, counting: clippings, besides: job.memoryBytes,
        options: options)
    } catch {
      throw .rendering(error)
    }
  }

  /// Renders into an encoder.
  func render(into encoder: any ImageEncoder) throws(ImageFileError) {
    // The renderer delivers one row at a time.
    nonisolated(unsafe) let encoder = encoder
    do throws(RenderError) {
      try rendering.run { _, row in try encoder.writeRow(row) }
    } catch {
      throw ImageFileError(error)
    }
  }

  /// The report on the file, once it is rendered.
  var report: WritingReport {
    WritingReport(job, clippedSamples: clippings.reduce(0) { $0 + $1.value })
  }
}

/// The ink channels of a new file.
struct InkChannels {
  let names: [String]
  let profile: ICCProfile?

  /// Whether these are CMYK, which readers assume for a file that lists no names.
  var areCMYK: Bool { names == ICCProfile.inkNames(4) }
}
