public import FilterGraph
public import ImageBuffer

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension InkPicture {
  /// Renders the ink channels into a file; see ``write(to:as:samples:dither:options:writing:)``.
  @discardableResult
  public func write(
    to url: URL, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> WritingReport {
    try write(
      to: url.writtenFilePath, as: format, samples: samples, dither: dither, options: options,
      writing: writing)
  }

  /// Renders the ink channels into a file without blocking the caller.
  @discardableResult
  public func write(
    to url: URL, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> WritingReport {
    try await write(
      to: url.writtenFilePath, as: format, samples: samples, dither: dither, options: options,
      writing: writing)
  }
}
