internal import CPixelKernels
package import ColorSpaces
package import ImageBuffer

/// A source with rows of CMYK values, and the program that converts them to RGB.
///
/// For pictures it is a source of three channels in single precision. The program runs per tile, fused with the first
/// steps, and so on all worker threads.
package protocol InkSource: RowSource {
  /// The program from the samples of a row, in memory order, to the channels of ``RowSource/space``.
  var colors: PointProgram { get }
}

extension RowSource {
  /// The program from a row's samples to a pixel's channels; nil where the samples already are the channels.
  var inkProgram: PointProgram? { (self as? any InkSource)?.colors }

  /// The channels of a pixel after the conversion, and the sample format that states their precision.
  var pixelSamples: (channels: Channels, format: SampleFormat) {
    inkProgram == nil ? (channels, format) : (.rgb, .float32)
  }

  /// Whether a picture can have this source.
  var isOfPictures: Bool {
    channels.areOfPictures || inkProgram != nil && channels == .cmyk
  }
}

/// A converter of CMYK rows to RGB rows in single precision.
package final class InkRows: Sendable {
  private let program: LoweredProgram

  /// Creates a converter that runs `program` over four channels.
  package init(_ program: PointProgram) { self.program = LoweredProgram(program) }

  /// Converts a row of interleaved CMYK samples to a row of three channels.
  package func convert(
    _ inks: UnsafeRawBufferPointer, _ format: SampleFormat, to row: UnsafeMutableRawBufferPointer
  ) {
    let count = min(inks.count / (4 * format.byteCount), row.count / 12)
    // The kernels only read from a source.
    let source = surface(
      UnsafeMutableRawPointer(mutating: inks.baseAddress), format, channels: 4)
    program.run(
      source, surface(row.baseAddress, .float32, channels: 3), count: count, x: 0, y: 0)
  }

  private func surface(
    _ base: UnsafeMutableRawPointer?, _ format: SampleFormat, channels: Int
  ) -> cpk_surface {
    func plane(_ channel: Int) -> UnsafeMutableRawPointer? {
      channel < channels ? base.map { $0 + channel * format.byteCount } : nil
    }
    return cpk_surface(
      planes: (plane(0), plane(1), plane(2), plane(3)), format: format.kernelFormat,
      step: Int32(channels))
  }
}
