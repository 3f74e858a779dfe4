public import ColorSpaces
public import FilterGraph
public import ImageBuffer

extension Picture {
  /// The picture in an image file, upright. The path `-` is standard input.
  ///
  /// Its header is read and checked now, its pixels when the picture is rendered, row by row; what is wrong with them is an error of
  /// the rendering.
  ///
  /// A file that does not say what its numbers mean is refused, unless `assuming` says it.
  public init(
    contentsOf path: String, assuming space: ColorSpace? = nil, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    let bytes = try FileBytes(contentsOf: path, limit: limits.bytes)
    let info = try ImageFile.opened(bytes, limits).info
    let meaning = try info.space(assuming: space, file: path)
    self = Picture(FileRows(bytes, limits, info, meaning)).oriented(info.orientation)
  }

  /// Renders this picture into an image file that says what its numbers mean. The path `-` is standard output.
  ///
  /// Reading, rendering and writing overlap, and neither picture is in memory as a whole; OpenEXR files with alpha are the exception.
  /// The file appears when it is complete: a failure leaves nothing behind, and an older file of the name as it was.
  ///
  /// - Parameters:
  ///   - path: Where the file shall be.
  ///   - format: The format; nil for the one that the path's ending names.
  ///   - samples: How to store samples; nil for the format's usual way.
  ///   - options: How to render.
  ///   - writing: What the format leaves open.
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) {
    let format = try ImageFile.format(format, ofFileNamed: path)
    let job = try EncodingJob(
      file: path, format: format, size: size, channels: hasAlpha ? .rgba : .rgb,
      samples: samples ?? format.samples[0],
      alpha: format.alpha.contains(.straight) ? .straight : .premultiplied, space: space,
      options: writing)
    try job.write { encoder throws(ImageFileError) in
      switch job.samples {
      case .uint8: try render(as: UInt8.self, job, into: encoder, options)
      case .uint16: try render(as: UInt16.self, job, into: encoder, options)
      case .float32: try render(as: Float.self, job, into: encoder, options)
      #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        case .float16: try render(as: Float16.self, job, into: encoder, options)
      #endif
      @unknown default: preconditionFailure("Pictures are not rendered to \(job.samples).")
      }
    }
  }

  private func render<Sample: PixelSample>(
    as _: Sample.Type, _ job: EncodingJob, into encoder: any ImageEncoder, _ options: RenderOptions
  ) throws(ImageFileError) {
    // The renderer hands on one band at a time.
    nonisolated(unsafe) let encoder = encoder
    @Sendable func write(_ bitmap: Bitmap<Sample>) throws(ImageFileError) {
      for y in 0..<bitmap.size.height {
        try bitmap.withUnsafeRow(y) { row throws(ImageFileError) in
          try encoder.writeRow(UnsafeRawBufferPointer(row))
        }
      }
    }
    do throws(RenderError) {
      if hasAlpha, job.alpha == .premultiplied {
        var bitmap = Bitmap<Sample>(size, in: space, channels: .rgba, alpha: .premultiplied)
        try render(into: &bitmap, options: options)
        do { try write(bitmap) } catch { throw .sink(SourceError(error)) }
      } else {
        try renderBands(as: Sample.self, options: options) { _, band in try write(band) }
      }
    } catch {
      switch error {
      case .source(let wrapped), .sink(let wrapped):
        throw wrapped.underlying as? ImageFileError ?? .rendering(error)
      default: throw .rendering(error)
      }
    }
  }
}
