public import ColorSpaces
public import FilterGraph
public import ImageBuffer

extension Picture {
  /// The picture in an image file. Its pixels are read now, and checked.
  ///
  /// A file that does not say what its numbers mean is refused, unless `assuming` says it.
  public init(
    contentsOf path: String, assuming space: ColorSpace? = nil, limits: FileLimits = FileLimits(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) {
    self.init(try PNGFile.read(path, assuming: space, limits: limits, progress: progress))
  }

  /// Renders this picture into an image file that says what its numbers mean.
  ///
  /// The file appears when it is complete: a failure leaves nothing behind, and an older file of the name as it was. `progress`
  /// is told about the writing; the rendering before it reports to the options.
  public func write(
    to path: String, samples: SampleFormat = .uint16, options: RenderOptions = RenderOptions(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) {
    try PNGFile.write(rendered(as: samples, options), to: path, progress: progress)
  }

  private func rendered(
    _ options: RenderOptions, as samples: SampleFormat
  ) throws(RenderError) -> AnyBitmap {
    switch samples {
    case .uint8: .uint8(try render(options: options))
    case .uint16: .uint16(try render(options: options))
    case .float32: .float32(try render(options: options))
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      case .float16: .float16(try render(options: options))
    #endif
    @unknown default: preconditionFailure("Pictures are not rendered to \(samples).")
    }
  }

  private func rendered(
    as samples: SampleFormat, _ options: RenderOptions
  ) throws(ImageFileError) -> AnyBitmap {
    do throws(RenderError) {
      return try rendered(options, as: samples)
    } catch {
      throw .rendering(error)
    }
  }
}
