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
  ///   - path: Where the file shall be.
  ///   - format: The format; nil for the one that the path's ending names.
  ///   - samples: How to store values; nil for the format's usual way.
  ///   - dither: How values are rounded; nil for the nearest.
  ///   - options: How to render.
  ///   - writing: What the format leaves open. ``WritingOptions/profile`` replaces the picture's own profile.
  /// - Returns: What the file does not hold though it was asked for, and how many samples were clipped.
  @discardableResult
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> WritingReport {
    let job = try job(path, format, samples, writing)
    let clippings = plates.map { _ in ClippingCount() }
    // Before anything is opened: what cannot be rendered leaves no trace.
    let rendering = try rendering(of: job, dither, clippings, options)
    // The renderer hands on one row at a time.
    nonisolated(unsafe) let encoding = try FileEncoding(job)
    do throws(RenderError) {
      try rendering.run { _, row in try encoding.encoder.writeRow(row) }
    } catch {
      switch error {
      case .source(let wrapped), .sink(let wrapped):
        throw wrapped.underlying as? ImageFileError ?? .rendering(error)
      default: throw .rendering(error)
      }
    }
    try encoding.finish()
    try encoding.commit()
    return WritingReport(job, clippedSamples: clippings.reduce(0) { $0 + $1.value })
  }

  /// Throws what writing would refuse before the first pixel. Renders nothing and creates nothing.
  package func checkWriting(
    to path: String, as format: ImageFileFormat?, samples: SampleFormat?, dither: Dither?,
    options: RenderOptions, writing: WritingOptions
  ) throws(ImageFileError) {
    let job = try job(path, format, samples, writing)
    _ = try rendering(
      of: job, dither, plates.map { _ in ClippingCount() }, options.measuringNothing)
    try AtomicFile.check(job.file)
    _ = try job.format.encoder(job, DiscardingSink())
  }

  /// Computes all pixels: a bitmap of ink channels, CMYK or named, side by side.
  ///
  /// - Parameters:
  ///   - format: How to store values.
  ///   - dither: How values are rounded; nil for the nearest.
  ///   - options: How to render.
  public func render(
    as format: SampleFormat = .float32, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> AnyBitmap {
    let bitmap: AnyBitmap
    let bytes: Int
    do throws(BitmapError) {
      let channels = ImageFileInks(names: names, format: format).channels
      bytes = try format.byteCount(of: size, channels)
      bitmap = try AnyBitmap(
        uninitialized: size, in: Self.space, channels: channels, format: format, alpha: .straight)
    } catch {
      throw .bitmap(error)
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

  private func rendering(
    of job: EncodingJob, _ dither: Dither?, _ clippings: [ClippingCount], _ options: RenderOptions
  ) throws(ImageFileError) -> PlateRendering {
    try job.checkMemory()
    do throws(RenderError) {
      return try PlateRendering(
        self, as: job.samples, dither: dither, counting: clippings, besides: job.memoryBytes,
        options: options)
    } catch {
      throw .rendering(error)
    }
  }
}

/// The ink channels of a new file.
struct InkChannels {
  let names: [String]
  let profile: ICCProfile?

  /// Whether these are the four that readers take a file for that lists no names.
  var areCMYK: Bool { names == ICCProfile.inkNames(4) }
}

extension ImageFileFormat {
  /// How many ink channels its files can hold; nil for none.
  var inkCounts: ClosedRange<Int>? {
    switch self {
    case .tiff: 1...15
    case .jpeg: 4...4
    default: nil
    }
  }

  /// Whether its files can hold an ICC profile.
  var holdsProfiles: Bool {
    ["PNG", "JPEG", "TIFF", "WebP", "JPEG XL", "HEIF", "AVIF"].contains(name)
  }
}
