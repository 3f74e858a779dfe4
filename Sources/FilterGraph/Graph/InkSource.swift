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

/// A converter of rows of ink channels to RGB rows in single precision.
package final class InkRows: Sendable {
  private let program: LoweredProgram
  private let inkCount: Int
  private let format: SampleFormat

  /// Rows of which `program` makes three channels, from so many whose samples of a format lie side by side.
  package init(_ program: PointProgram, inkCount: Int = 4, _ format: SampleFormat) {
    (self.inkCount, self.format) = (inkCount, format)
    let first = LoweredProgram.firstPlane(ofChannels: inkCount)
    guard first > 0 else {
      self.program = LoweredProgram(program)
      return
    }
    // Surfaces have four channels; others are put into their planes here. The row's address stands for its number.
    self.program = LoweredProgram(PointProgram())
    self.program.add(planes: { planes, count, x, y in
      guard let row = UnsafeRawPointer(bitPattern: y) else { return }
      for ink in 0..<inkCount {
        guard let plane = planes[first + ink] else { return }
        format.load(row, channel: ink, of: inkCount, from: x, count: count, into: plane)
      }
    })
    self.program.add(program)
  }

  /// Fills a row of three channels from one of inks.
  package func convert(
    _ inks: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer
  ) {
    let count = min(inks.count / (inkCount * format.byteCount), row.count / 12)
    // The kernels only read from a source.
    let source = surface(
      UnsafeMutableRawPointer(mutating: inks.baseAddress), format, channels: inkCount)
    program.run(
      source, surface(row.baseAddress, .float32, channels: 3), count: count, x: 0,
      y: Int(bitPattern: inks.baseAddress))
  }

  private func surface(
    _ base: UnsafeMutableRawPointer?, _ format: SampleFormat, channels: Int
  ) -> cpk_surface {
    func plane(_ channel: Int) -> UnsafeMutableRawPointer? {
      channel < channels ? base.map { $0 + channel * format.byteCount } : nil
    }
    let hasFourth = channels == 4
    return cpk_surface(
      planes: (
        plane(0), plane(min(1, channels - 1)), plane(min(2, channels - 1)),
        hasFourth ? plane(3) : nil
      ), format: format.kernelFormat, step: Int32(channels), streams: false)
  }
}

extension SampleFormat {
  /// One channel of interleaved samples, as values whose largest code is 1.
  fileprivate func load(
    _ row: UnsafeRawPointer, channel: Int, of count: Int, from first: Int, count pixels: Int,
    into plane: UnsafeMutablePointer<Float>
  ) {
    func load<Sample: BitwiseCopyable>(_: Sample.Type, _ value: (Sample) -> Float) {
      let samples = row.assumingMemoryBound(to: Sample.self) + first * count + channel
      for pixel in 0..<pixels { plane[pixel] = value(samples[pixel * count]) }
    }
    switch self {
    case .uint8: load(UInt8.self) { Float($0) / 255 }
    case .uint16: load(UInt16.self) { Float($0) / 65_535 }
    case .float32: load(Float.self) { $0 }
    default: preconditionFailure("Inks are not stored as \(self).")
    }
  }
}
