internal import CCodecSupport
internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// Converts between the stored bytes of a frame and a bitmap with all three components in every pixel.
///
/// Subsampled chroma is interpolated linearly, and averaged on the way back, by its siting. Where no conversion is needed,
/// ``VideoReader/copyFrame(to:)`` copies it unchanged. Rows are independent and converted on the threads of a rendering, whose number
/// changes no sample.
struct FrameSamples {
  let format: VideoFormat
  /// Where the samples of each component lie.
  let components: [VideoFormat.Component]
  /// The channel of the bitmap for each component. With the identity matrix, luma is green, Cb is blue and Cr is red (Rec. ITU-T H.273,
  /// table 4).
  let channels: [Int]

  init(_ format: VideoFormat) {
    self.format = format
    components = format.components
    channels = format.matrix == .identity && !format.layout.isRGB ? [1, 2, 0] : [0, 1, 2]
  }

  /// Returns a bitmap for red, green and blue of `space`, whose samples are still to be read.
  func newBitmap<Sample: FrameSample>(in space: ColorSpace) throws(BitmapError) -> Bitmap<Sample> {
    try Bitmap(
      uninitialized: format.size, in: format.space(of: space), channels: .rgb, alpha: .straight,
      arrangement: .interleaved)
  }

  /// Reads the frame in `bytes` into a bitmap that ``newBitmap(in:)`` returned.
  func read<Sample: FrameSample>(
    _ bytes: UnsafeRawBufferPointer, into bitmap: inout Bitmap<Sample>, options: RenderOptions
  ) {
    let (bytesPerRow, samplesPerRow) = (bitmap.bytesPerRow, 3 * format.size.width)
    bitmap.withUnsafeMutableRow(0) { first in
      guard let first = first.baseAddress else { return }
      // Bands write disjoint rows, and nothing writes the samples of the frame.
      nonisolated(unsafe) let (bytes, start) = (bytes, UnsafeMutableRawPointer(first))
      options.forEachBand(of: format.size) { rows in
        for y in rows {
          let row = (start + y * bytesPerRow).assumingMemoryBound(to: Sample.self)
          Sample.read(
            readRows(y, of: bytes), coding,
            into: UnsafeMutableBufferPointer(start: row, count: samplesPerRow))
        }
      }
    }
  }

  /// Stores a bitmap as a frame.
  func store<Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, in bytes: UnsafeMutableRawBufferPointer, options: RenderOptions
  ) {
    // Bands write disjoint rows.
    nonisolated(unsafe) let bytes = bytes
    for (channel, component) in zip(channels, components) {
      options.forEachBand(of: component.size) { rows in
        for y in rows { store(bitmap, channel, in: y, of: component, in: bytes) }
      }
    }
  }

  /// Stores a channel of a bitmap in a row of a component.
  private func store<Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, _ channel: Int, in y: Int, of component: VideoFormat.Component,
    in bytes: UnsafeMutableRawBufferPointer
  ) {
    let isPlanar = bitmap.arrangement == .planar
    let (plane, first) = isPlanar ? (channel, 0) : (0, channel)
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

  /// How the samples of the frame are stored.
  var coding: frame_coding {
    frame_coding(
      bytes_per_sample: CInt(format.bytesPerSample), shift: CInt(format.shift),
      largest: Int32(1 << format.layout.bits - 1))
  }
}
