internal import CCodecSupport
internal import ColorSpaces
internal import ImageBuffer

/// Converts between the stored bytes of a frame and a bitmap with all three components in every pixel.
///
/// Subsampled chroma is interpolated linearly, and averaged on the way back, by its siting. Where no conversion is needed,
/// ``VideoReader/copyFrame(to:)`` copies it unchanged.
struct FrameSamples {
  let format: VideoFormat
  /// Where the samples of each component lie.
  let components: [VideoFormat.Component]
  /// The channel of the bitmap for each component. With the identity matrix, luma is green, Cb is blue and Cr is red (Rec. ITU-T H.273,
  /// table 4).
  let channels: [Int]
  /// The largest code of the bit depth, and how many bits stand below a code.
  private let largest, shift: Int

  init(_ format: VideoFormat) {
    self.format = format
    components = format.components
    channels = format.matrix == .identity && !format.layout.isRGB ? [1, 2, 0] : [0, 1, 2]
    (largest, shift) = (1 << format.layout.bits - 1, format.shift)
  }

  /// Returns the frame in `bytes` as encoded red, green and blue of `space`.
  func bitmap<Sample: FrameSample>(
    _ bytes: UnsafeRawBufferPointer, in space: ColorSpace
  ) throws(BitmapError) -> Bitmap<Sample> {
    var bitmap = try Bitmap<Sample>(
      uninitialized: format.size, in: format.space(of: space), channels: .rgb, alpha: .straight,
      arrangement: .interleaved)
    for y in 0..<format.size.height {
      let rows = readRows(y, of: bytes)
      bitmap.withUnsafeMutableRow(y) { Sample.read(rows, coding, into: $0) }
    }
    return bitmap
  }

  /// Stores a bitmap as a frame.
  func store<Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, in bytes: UnsafeMutableRawBufferPointer
  ) {
    let isPlanar = bitmap.arrangement == .planar
    for (channel, component) in zip(channels, components) {
      let (plane, first) = isPlanar ? (channel, 0) : (0, channel)
      for y in 0..<component.size.height {
        let (above, own, below) = averagedRows(y, of: component)
        bitmap.withUnsafeRow(above, plane: plane) { above in
          bitmap.withUnsafeRow(own, plane: plane) { own in
            bitmap.withUnsafeRow(below, plane: plane) { below in
              guard let above = above.baseAddress, let own = own.baseAddress,
                let below = below.baseAddress
              else { return }
              Sample.write(
                PixelRows(
                  above: above + first, own: own + first, below: below + first,
                  step: isPlanar ? 1 : 3, width: format.size.width),
                to: writtenRow(y, of: component, in: bytes), coding)
            }
          }
        }
      }
    }
  }

  /// Returns the code of a sample; one above the largest code of the bit depth is clamped.
  @inline(__always)
  func code<Stored: FixedWidthInteger>(_ sample: Stored) -> Int {
    min(Int(Stored(littleEndian: sample)) >> shift, largest)
  }

  /// Returns the sample of a code.
  @inline(__always)
  func stored<Stored: FixedWidthInteger>(_ code: Int) -> Stored {
    Stored(truncatingIfNeeded: code << shift).littleEndian
  }

  private var coding: frame_coding {
    frame_coding(
      bytes_per_sample: CInt(format.bytesPerSample), shift: CInt(shift), largest: Int32(largest))
  }
}
