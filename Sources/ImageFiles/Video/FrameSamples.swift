internal import ColorSpaces
internal import ImageBuffer

/// Between the stored bytes of a frame and a bitmap in which every pixel has all three samples.
///
/// Differences that pixels share are interpolated linearly, and averaged on the way back.
struct FrameSamples {
  let format: VideoFormat
  /// The largest number of the bits.
  private let largest: Int

  init(_ format: VideoFormat) {
    self.format = format
    largest = 1 << format.layout.bits - 1
  }

  /// The frame in `bytes`, in whose place the format's space of `space` is meant.
  func bitmap(_ bytes: UnsafeRawBufferPointer, in space: ColorSpace) -> Bitmap<UInt16> {
    var bitmap = Bitmap<UInt16>(format.size, in: format.space(of: space), channels: .rgb)
    let (size, chroma) = (format.size, format.chromaSize)
    guard case .planes = format.layout else {
      for y in 0..<size.height {
        bitmap.withUnsafeMutableRow(y) { row in
          for x in row.indices { row[x] = filled(sample(bytes, y * 3 * size.width + x)) }
        }
      }
      return bitmap
    }
    let sharesColumns = chroma.width < size.width
    let sharesRows = chroma.height < size.height
    var mixed = [Int](repeating: 0, count: chroma.width)
    for y in 0..<size.height {
      let rows = taps(y, of: chroma.height, isShared: sharesRows, .center)
      bitmap.withUnsafeMutableRow(y) { row in
        for x in 0..<size.width { row[3 * x] = filled(sample(bytes, y * size.width + x)) }
        for plane in 0..<2 {
          let start = size.pixelCount + plane * chroma.pixelCount
          for x in mixed.indices {
            mixed[x] =
              rows.weight * sample(bytes, start + rows.first * chroma.width + x)
              + (4 - rows.weight) * sample(bytes, start + rows.second * chroma.width + x)
          }
          for x in 0..<size.width {
            let columns = taps(x, of: chroma.width, isShared: sharesColumns, format.siting)
            let sum =
              columns.weight * mixed[columns.first] + (4 - columns.weight) * mixed[columns.second]
            row[3 * x + 1 + plane] = filled(sum, parts: 16)
          }
        }
      }
    }
    return bitmap
  }

  /// Stores a bitmap as a frame.
  func store(_ bitmap: Bitmap<UInt16>, in bytes: UnsafeMutableRawBufferPointer) {
    let (size, chroma) = (format.size, format.chromaSize)
    guard case .planes = format.layout else {
      for y in 0..<size.height {
        bitmap.withUnsafeRow(y) { row in
          for x in row.indices { put(row[x], parts: 1, bytes, y * 3 * size.width + x) }
        }
      }
      return
    }
    let sharesColumns = chroma.width < size.width
    let sharesRows = chroma.height < size.height
    var sums = [[Int]](repeating: [Int](repeating: 0, count: size.width), count: 2)
    for y in 0..<size.height {
      bitmap.withUnsafeRow(y) { row in
        for x in 0..<size.width {
          put(row[3 * x], parts: 1, bytes, y * size.width + x)
          for plane in 0..<2 {
            let value = Int(row[3 * x + 1 + plane])
            sums[plane][x] = sharesRows && y % 2 == 1 ? sums[plane][x] + value : value
          }
        }
      }
      // The last row of an odd number has nothing to share with.
      let isAlone = sharesRows && y % 2 == 0
      if isAlone, y < size.height - 1 { continue }
      let parts = sharesRows && !isAlone ? 2 : 1
      for plane in 0..<2 {
        let start =
          size.pixelCount + plane * chroma.pixelCount
          + (sharesRows ? y / 2 : y) * chroma.width
        for x in 0..<chroma.width {
          let (sum, columns) = sharesColumns ? shared(sums[plane], x) : (sums[plane][x], 1)
          put(sum, parts: parts * columns, bytes, start + x)
        }
      }
    }
  }

  /// Which two of the shared samples lie around a pixel, and how many quarters the first one counts.
  @inline(__always)
  private func taps(
    _ position: Int, of count: Int, isShared: Bool, _ siting: VideoFormat.Siting
  ) -> (first: Int, second: Int, weight: Int) {
    guard isShared else { return (position, position, 4) }
    let own = position / 2
    let isSecond = position % 2 == 1
    switch siting {
    case .left: return (own, isSecond ? min(own + 1, count - 1) : own, isSecond ? 2 : 4)
    case .center:
      return (own, isSecond ? min(own + 1, count - 1) : max(own - 1, 0), 3)
    }
  }

  /// The weighted sum of what pixels have of a sample that they share, and the sum of the weights.
  private func shared(_ row: [Int], _ x: Int) -> (sum: Int, weights: Int) {
    let last = row.count - 1
    let (own, next) = (row[2 * x], row[min(2 * x + 1, last)])
    switch format.siting {
    case .center: return (own + next, 2)
    case .left: return (row[max(2 * x - 1, 0)] + 2 * own + next, 4)
    }
  }

  private func sample(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
    format.bytesPerSample == 1
      ? Int(bytes[index])
      : min(
        Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))),
        largest)
  }

  /// A sample, or a sum of so many, as part of 65,535.
  private func filled(_ sum: Int, parts: Int = 1) -> UInt16 {
    let most = largest * parts
    return UInt16((sum * 65_535 + most / 2) / most)
  }

  private func put(
    _ sum: some BinaryInteger, parts: Int, _ bytes: UnsafeMutableRawBufferPointer, _ index: Int
  ) {
    let most = 65_535 * parts
    let sample = (Int(sum) * largest + most / 2) / most
    if format.bytesPerSample == 1 {
      bytes[index] = UInt8(sample)
    } else {
      bytes.storeBytes(
        of: UInt16(sample).littleEndian, toByteOffset: 2 * index, as: UInt16.self)
    }
  }
}
