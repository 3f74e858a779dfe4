import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import _TestSupport

/// Pictures that each file format holds without a loss of color.
enum FormatPictures {
  static let size = PixelSize(220, 190)

  /// A picture in Display P3, linear for formats of floats.
  static func picture(for format: ImageFileFormat) -> Picture {
    let isWhole = format.samples[0] == .uint16 || format.samples[0] == .uint8
    return Picture(
      TestPictures.codes(as: UInt16.self, size, in: .displayP3, channels: .rgb)
    ).converted(to: isWhole ? .displayP3 : .linearDisplayP3)
  }
}
