public import FilterGraph
public import ImageBuffer

extension InkPicture {
  /// Renders the ink channels into a file without blocking the caller; cancelling the task ends it within one tile, and leaves no file.
  /// See ``write(to:as:samples:dither:options:writing:)`` for the parameters.
  @discardableResult
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> WritingReport {
    try await inTurn(options) { options throws(ImageFileError) in
      try write(
        to: path, as: format, samples: samples, dither: dither, options: options, writing: writing)
    }
  }

  /// Renders the ink channels into the bytes of a file without blocking the caller; cancelling the task ends it within one tile. See
  /// ``encoded(as:samples:dither:options:writing:)`` for the parameters.
  public func encoded(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> [UInt8] {
    try await encodedWithReport(
      as: format, samples: samples, dither: dither, options: options, writing: writing
    ).bytes
  }

  /// Renders the ink channels into the bytes of a file without blocking the caller, and reports clipped samples and omitted metadata.
  /// Cancelling the task ends it within one tile. See ``encodedWithReport(as:samples:dither:options:writing:)``.
  public func encodedWithReport(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> (bytes: [UInt8], report: WritingReport) {
    try await inTurn(options) { options throws(ImageFileError) in
      try encodedWithReport(
        as: format, samples: samples, dither: dither, options: options, writing: writing)
    }
  }
}
