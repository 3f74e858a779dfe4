internal import ColorSpaces
internal import ImageBuffer

/// Converts between the stored bytes of a frame and a bitmap with all three components in every pixel.
///
/// Subsampled chroma is interpolated linearly, and averaged on the way back, by its siting. Where no conversion is needed,
/// ``VideoReader/copyFrame(to:)`` copies it unchanged.
struct FrameSamples {
  let format: VideoFormat
  /// The largest code of the bit depth.
  private let largest: Int
  /// Whether chroma is subsampled horizontally, or vertically.
  private let sharesColumns, sharesRows: Bool

  init(_ format: VideoFormat) {
    self.format = format
    largest = 1 << format.layout.bits - 1
    sharesColumns = format.chromaSize.width < format.size.width
    sharesRows = format.chromaSize.height < format.size.height
  }

  /// Returns the frame in `bytes` as encoded red, green and blue of `space`.
  func bitmap(
    _ bytes: UnsafeRawBufferPointer, in space: ColorSpace
  ) throws(BitmapError) -> Bitmap<UInt16> {
    var bitmap = try Bitmap<UInt16>(
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
  func store(_ bitmap: Bitmap<UInt16>, in bytes: UnsafeMutableRawBufferPointer) {
    if format.bytesPerSample == 1 {
      write(bitmap, to: bytes.assumingMemoryBound(to: UInt8.self))
    } else {
      write(bitmap, to: bytes.assumingMemoryBound(to: UInt16.self))
    }
  }

  private func read<Stored: FixedWidthInteger>(
    _ samples: UnsafeBufferPointer<Stored>, into bitmap: inout Bitmap<UInt16>
  ) {
    let (width, height) = (format.size.width, format.size.height)
    // A sample above the largest code of the bit depth is clamped.
    func sample(_ index: Int) -> Int { min(Int(Stored(littleEndian: samples[index])), largest) }
    let scale = 65_535 / Double(largest)
    if case .packedRGB = format.layout {
      for y in 0..<height {
        bitmap.withUnsafeMutableRow(y) { row in
          for x in 0..<3 * width { row[x] = nearest(sample(3 * y * width + x), scale) }
        }
      }
      return
    }
    let chroma = format.chromaSize
    for y in 0..<height {
      // The weights of rows and columns follow from the siting, in sixteenths.
      let rows = rowWeights(y)
      bitmap.withUnsafeMutableRow(y) { row in
        for x in 0..<width { row[3 * x] = nearest(sample(y * width + x), scale) }
        for plane in 1...2 {
          let start = width * height + (plane - 1) * chroma.pixelCount
          func mixed(_ x: Int) -> Int {
            rows.nearWeight * sample(start + rows.near * chroma.width + x)
              + (4 - rows.nearWeight) * sample(start + rows.far * chroma.width + x)
          }
          var (before, here) = (mixed(0), mixed(0))
          for x in 0..<chroma.width {
            let after = mixed(min(x + 1, chroma.width - 1))
            if sharesColumns {
              let isLeft = format.siting != .center
              let even = isLeft ? 4 * here : 3 * here + before
              row[6 * x + plane] = nearest(even, scale / 16)
              if 2 * x + 1 < width {
                let odd = isLeft ? 2 * (here + after) : 3 * here + after
                row[6 * x + 3 + plane] = nearest(odd, scale / 16)
              }
            } else {
              row[3 * x + plane] = nearest(4 * here, scale / 16)
            }
            (before, here) = (here, after)
          }
        }
      }
    }
  }

  /// Returns the two chroma rows around a row of pixels, and the weight of the nearer one in quarters.
  private func rowWeights(_ y: Int) -> (near: Int, far: Int, nearWeight: Int) {
    guard sharesRows else { return (y, y, 4) }
    let (near, last) = (y / 2, format.chromaSize.height - 1)
    if format.siting == .topLeft {
      return y % 2 == 0 ? (near, near, 4) : (near, min(near + 1, last), 2)
    }
    return (near, min(max(near + (y % 2 == 0 ? -1 : 1), 0), last), 3)
  }

  private func write<Stored: FixedWidthInteger>(
    _ bitmap: Bitmap<UInt16>, to samples: UnsafeMutableBufferPointer<Stored>
  ) {
    let (width, height) = (format.size.width, format.size.height)
    let scale = Double(largest) / 65_535
    func put(_ sum: Int, _ scale: Double, _ index: Int) {
      samples[index] = Stored(truncatingIfNeeded: nearest(sum, scale)).littleEndian
    }
    if case .packedRGB = format.layout {
      for y in 0..<height {
        bitmap.withUnsafeRow(y) { row in
          for x in 0..<3 * width { put(Int(row[x]), scale, 3 * y * width + x) }
        }
      }
      return
    }
    let chroma = format.chromaSize
    for y in 0..<height {
      bitmap.withUnsafeRow(y) { row in
        for x in 0..<width { put(Int(row[3 * x]), scale, y * width + x) }
      }
    }
    for y in 0..<chroma.height {
      let first = sharesRows ? 2 * y : y
      // With an odd height the last chroma row has one row of pixels.
      let below = sharesRows ? min(first + 1, height - 1) : y
      // Chroma sited on the upper row is a 1-2-1 mean of three rows; on the left column it is one of three columns.
      let above = sharesRows && format.siting == .topLeft ? max(first - 1, 0) : first
      bitmap.withUnsafeRow(above) { above in
        bitmap.withUnsafeRow(first) { own in
          bitmap.withUnsafeRow(below) { below in
            let isTop = format.siting == .topLeft
            for plane in 1...2 {
              let start = width * height + (plane - 1) * chroma.pixelCount + y * chroma.width
              // Four times the mean of the rows.
              func rows(_ x: Int) -> Int {
                let index = 3 * x + plane
                return isTop
                  ? Int(above[index]) + 2 * Int(own[index]) + Int(below[index])
                  : 2 * (Int(own[index]) + Int(below[index]))
              }
              for x in 0..<chroma.width {
                guard sharesColumns else {
                  put(rows(x), scale / 4, start + x)
                  continue
                }
                let (own, next) = (rows(2 * x), rows(min(2 * x + 1, width - 1)))
                if format.siting == .center {
                  put(own + next, scale / 8, start + x)
                } else {
                  put(rows(max(2 * x - 1, 0)) + 2 * own + next, scale / 16, start + x)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Returns the nearest integer of a weighted sum of samples.
  @inline(__always)
  private func nearest(_ sum: Int, _ scale: Double) -> UInt16 {
    UInt16(Double(sum) * scale + 0.5)
  }
}
