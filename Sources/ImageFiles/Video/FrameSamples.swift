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
  private let channels: [Int]
  /// The largest code of the bit depth, and how many bits stand below a code.
  private let largest, shift: Int
  /// Whether chroma is subsampled vertically.
  private let sharesRows: Bool

  init(_ format: VideoFormat) {
    self.format = format
    components = format.components
    channels = format.matrix == .identity && !format.layout.isRGB ? [1, 2, 0] : [0, 1, 2]
    (largest, shift) = (1 << format.layout.bits - 1, format.shift)
    sharesRows = format.layout.chroma == .quarter
  }

  /// Returns the frame in `bytes` as encoded red, green and blue of `space`.
  func bitmap<Sample: FrameSample>(
    _ bytes: UnsafeRawBufferPointer, in space: ColorSpace
  ) throws(BitmapError) -> Bitmap<Sample> {
    var bitmap = try Bitmap<Sample>(
      uninitialized: format.size, in: format.space(of: space), channels: .rgb, alpha: .straight,
      arrangement: .interleaved)
    if format.bytesPerSample == 1 {
      read(bytes.assumingMemoryBound(to: UInt8.self), into: &bitmap)
    } else {
      read(bytes.assumingMemoryBound(to: UInt16.self), into: &bitmap)
    }
    return bitmap
  }

  /// Stores a bitmap as a frame.
  func store<Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, in bytes: UnsafeMutableRawBufferPointer
  ) {
    if format.bytesPerSample == 1 {
      write(bitmap, to: bytes.assumingMemoryBound(to: UInt8.self))
    } else {
      write(bitmap, to: bytes.assumingMemoryBound(to: UInt16.self))
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

  private func read<Stored: FixedWidthInteger, Sample: FrameSample>(
    _ samples: UnsafeBufferPointer<Stored>, into bitmap: inout Bitmap<Sample>
  ) {
    let (width, scale) = (format.size.width, Sample.one / Double(largest))
    let neutral = Sample(nearest: Double(1 << (format.layout.bits - 1)) * scale)
    for y in 0..<format.size.height {
      bitmap.withUnsafeMutableRow(y) { row in
        for (channel, component) in zip(channels, components) {
          guard component.size == format.size else {
            interpolate(samples, component, y, into: row, channel)
            continue
          }
          let start = component.start + y * component.stride
          for x in 0..<width {
            let code = Double(code(samples[start + x * component.step]))
            row[3 * x + channel] = Sample(nearest: code * scale)
          }
        }
        // Gray has no chroma: zero, which is the middle of the codes.
        for channel in channels.dropFirst(components.count) {
          for x in 0..<width { row[3 * x + channel] = neutral }
        }
      }
    }
  }

  /// Reads a row of pixels of a subsampled component.
  private func interpolate<Stored: FixedWidthInteger, Sample: FrameSample>(
    _ samples: UnsafeBufferPointer<Stored>, _ chroma: VideoFormat.Component, _ y: Int,
    into row: UnsafeMutableBufferPointer<Sample>, _ channel: Int
  ) {
    let scale = Sample.one / Double(largest) / 16
    // The weights of rows and columns follow from the siting, in sixteenths.
    let rows = rowWeights(y, last: chroma.size.height - 1)
    let near = chroma.start + rows.near * chroma.stride
    let far = chroma.start + rows.far * chroma.stride
    func mixed(_ x: Int) -> Int {
      rows.nearWeight * code(samples[near + x * chroma.step])
        + (4 - rows.nearWeight) * code(samples[far + x * chroma.step])
    }
    let (isCentered, width) = (format.siting == .center, format.size.width)
    var (before, here) = (mixed(0), mixed(0))
    for x in 0..<chroma.size.width {
      let after = mixed(min(x + 1, chroma.size.width - 1))
      let even = isCentered ? 3 * here + before : 4 * here
      row[6 * x + channel] = Sample(nearest: Double(even) * scale)
      if 2 * x + 1 < width {
        let odd = isCentered ? 3 * here + after : 2 * (here + after)
        row[6 * x + 3 + channel] = Sample(nearest: Double(odd) * scale)
      }
      (before, here) = (here, after)
    }
  }

  /// Returns the two chroma rows around a row of pixels, and the weight of the nearer one in quarters.
  private func rowWeights(_ y: Int, last: Int) -> (near: Int, far: Int, nearWeight: Int) {
    guard sharesRows else { return (y, y, 4) }
    let near = y / 2
    if format.siting == .topLeft {
      return y % 2 == 0 ? (near, near, 4) : (near, min(near + 1, last), 2)
    }
    return (near, min(max(near + (y % 2 == 0 ? -1 : 1), 0), last), 3)
  }

  private func write<Stored: FixedWidthInteger, Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, to samples: UnsafeMutableBufferPointer<Stored>
  ) {
    let scale = Double(largest) / Sample.one
    for (channel, component) in zip(channels, components) {
      for y in 0..<component.size.height {
        let start = component.start + y * component.stride
        guard component.size == format.size else {
          average(bitmap, channel, y) { x, sum in
            samples[start + x * component.step] = stored(Int(sum * scale / 16 + 0.5))
          }
          continue
        }
        bitmap.withUnsafeRow(y) { row in
          for x in 0..<component.size.width {
            let code = Int(row[3 * x + channel].number * scale + 0.5)
            samples[start + x * component.step] = stored(code)
          }
        }
      }
    }
  }

  /// Passes 16 times the mean of each sample's pixels in a row of a subsampled component to a closure.
  private func average<Sample: FrameSample>(
    _ bitmap: Bitmap<Sample>, _ channel: Int, _ y: Int, put: (Int, Double) -> Void
  ) {
    let (width, height) = (format.size.width, format.size.height)
    let first = sharesRows ? 2 * y : y
    // With an odd height the last chroma row has one row of pixels.
    let below = sharesRows ? min(first + 1, height - 1) : y
    // Chroma sited on the upper row is a 1-2-1 mean of three rows; on the left column it is one of three columns.
    let isTop = format.siting == .topLeft
    let above = sharesRows && isTop ? max(first - 1, 0) : first
    bitmap.withUnsafeRow(above) { above in
      bitmap.withUnsafeRow(first) { own in
        bitmap.withUnsafeRow(below) { below in
          // Four times the mean of the rows.
          func rows(_ x: Int) -> Double {
            let index = 3 * x + channel
            return isTop
              ? above[index].number + 2 * own[index].number + below[index].number
              : 2 * (own[index].number + below[index].number)
          }
          for x in 0..<(width + 1) / 2 {
            let (own, next) = (rows(2 * x), rows(min(2 * x + 1, width - 1)))
            put(
              x,
              format.siting == .center
                ? 2 * (own + next) : rows(max(2 * x - 1, 0)) + 2 * own + next)
          }
        }
      }
    }
  }
}

/// A sample of the bitmap of a frame.
protocol FrameSample: PixelSample {
  /// The number that stands for an encoded value of 1.
  static var one: Double { get }
  /// The number of a sample, clamped to 0…``one``; 0 for NaN.
  var number: Double { get }
  /// The sample nearest to a number of 0 to ``one``.
  init(nearest number: Double)
}

extension UInt16: FrameSample {
  static var one: Double { 65_535 }
  var number: Double { Double(self) }
  init(nearest number: Double) { self = UInt16(number + 0.5) }
}

extension Float: FrameSample {
  static var one: Double { 1 }
  var number: Double { self > 0 ? Double(min(self, 1)) : 0 }
  init(nearest number: Double) { self = Float(number) }
}
