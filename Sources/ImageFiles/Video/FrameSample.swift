internal import CCodecSupport
internal import ImageBuffer

/// A sample of the bitmap of a frame.
protocol FrameSample: PixelSample {
  /// The number that stands for an encoded value of 1.
  static var one: Double { get }
  /// Reads a row of interleaved pixels from the components of their channels.
  static func read(
    _ rows: [frame_read_row], _ coding: frame_coding, into pixels: UnsafeMutableBufferPointer<Self>)
  /// Writes a row of a component from a channel of pixels. Numbers count as clamped to 0…``one``, and NaN as 0.
  static func write(_ pixels: PixelRows<Self>, to row: frame_write_row, _ coding: frame_coding)
}

/// A channel of the rows of pixels that are averaged for a row of a frame.
struct PixelRows<Sample: FrameSample> {
  let above, own, below: UnsafePointer<Sample>
  /// The distance of two pixels, counted in samples, and how many there are.
  let step, width: Int
}

extension UInt16: FrameSample {
  static var one: Double { 65_535 }

  static func read(
    _ rows: [frame_read_row], _ coding: frame_coding,
    into pixels: UnsafeMutableBufferPointer<UInt16>
  ) {
    frame_read_u16(
      rows, coding, pixels.count / 3, one / Double(coding.largest), pixels.baseAddress)
  }

  static func write(
    _ pixels: PixelRows<UInt16>, to row: frame_write_row, _ coding: frame_coding
  ) {
    frame_write_u16(
      row, coding, pixels.width, Double(coding.largest) / one, pixels.step, pixels.above,
      pixels.own, pixels.below)
  }
}

extension Float: FrameSample {
  static var one: Double { 1 }

  static func read(
    _ rows: [frame_read_row], _ coding: frame_coding,
    into pixels: UnsafeMutableBufferPointer<Float>
  ) {
    frame_read_f32(
      rows, coding, pixels.count / 3, one / Double(coding.largest), pixels.baseAddress)
  }

  static func write(_ pixels: PixelRows<Float>, to row: frame_write_row, _ coding: frame_coding) {
    frame_write_f32(
      row, coding, pixels.width, Double(coding.largest) / one, pixels.step, pixels.above,
      pixels.own, pixels.below)
  }
}
