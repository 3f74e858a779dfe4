public import ColorSpaces
public import FilterGraph
public import ImageBuffer

extension Picture {
  /// The picture in an image file, upright. Its pixels are read now, and checked. The path `-` is standard input.
  ///
  /// A file that does not say what its numbers mean is refused, unless `assuming` says it.
  public init(
    contentsOf path: String, assuming space: ColorSpace? = nil, limits: FileLimits = FileLimits(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) {
    self.init(try ImageFile.read(path, assuming: space, limits: limits, progress: progress))
  }

  /// Renders this picture into an image file that says what its numbers mean. The path `-` is standard output.
  ///
  /// The file appears when it is complete: a failure leaves nothing behind, and an older file of the name as it was.
  ///
  /// - Parameters:
  ///   - path: Where the file shall be.
  ///   - format: The format; nil for the one that the path's ending names.
  ///   - samples: How to store samples; nil for the format's usual way.
  ///   - options: How to render.
  ///   - writing: What the format leaves open.
  ///   - progress: Told about the writing; the rendering before it reports to the options.
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) {
    let format = try ImageFile.format(format, ofFileNamed: path)
    let samples = samples ?? format.samples[0]
    // Known before the work of rendering.
    try format.checkSamples(samples)
    try ImageFile.write(
      rendered(
        as: samples, alpha: format.alpha.contains(.straight) ? .straight : .premultiplied, options),
      to: path, as: format, options: writing, progress: progress)
  }

  private func rendered(
    as samples: SampleFormat, alpha: Alpha, _ options: RenderOptions
  ) throws(ImageFileError) -> AnyBitmap {
    do throws(RenderError) {
      switch samples {
      case .uint8: return .uint8(try rendered(alpha, options))
      case .uint16: return .uint16(try rendered(alpha, options))
      case .float32: return .float32(try rendered(alpha, options))
      #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        case .float16: return .float16(try rendered(alpha, options))
      #endif
      @unknown default: preconditionFailure("Pictures are not rendered to \(samples).")
      }
    } catch {
      throw .rendering(error)
    }
  }

  private func rendered<Sample: PixelSample>(
    _ alpha: Alpha, _ options: RenderOptions
  ) throws(RenderError) -> Bitmap<Sample> {
    if alpha == .straight || !hasAlpha { return try render(options: options) }
    var bitmap = Bitmap<Sample>(size, in: space, channels: .rgba, alpha: alpha)
    try render(into: &bitmap, options: options)
    return bitmap
  }
}
