import _TestSupport

/// PNG files of kinds that the writer under test does not create: small depths, palettes, interlacing, any filters,
/// unusual chunks.
///
/// The data is uncompressed, so that this file alone determines the bytes.
struct TestPNG {
  var width = 5, height = 4
  var bitDepth = 8, colorType = 2
  var isInterlaced = false
  /// The filters of rows, used cyclically.
  var filters = [0]
  /// The sizes of the first IDAT chunks; one more contains the rest.
  var dataSizes: [Int] = []
  /// Whether the Adler-32 at the end of the data is wrong.
  var hasWrongCheck = false
  /// Chunks between the header and the pixels.
  var chunks: [(name: String, body: [UInt8])] = [("sRGB", [0])]
  /// The samples of a pixel.
  var pixel: (_ x: Int, _ y: Int) -> [Int]

  var bytes: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header = Self.bigEndian(width) + Self.bigEndian(height)
    bytes += Self.chunk(
      "IHDR", header + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0])
    for chunk in chunks { bytes += Self.chunk(chunk.name, chunk.body) }
    var stream = Zlib.stored(rows)
    if hasWrongCheck { stream[stream.count - 1] ^= 1 }
    var data = stream[...]
    for size in dataSizes {
      bytes += Self.chunk("IDAT", Array(data.prefix(size)))
      data = data.dropFirst(size)
    }
    bytes += Self.chunk("IDAT", Array(data))
    return bytes + Self.chunk("IEND", [])
  }

  /// The filtered rows: of the picture, or of Adam7's seven passes.
  private var rows: [UInt8] {
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    return (isInterlaced ? passes : [(0, 0, 1, 1)]).flatMap { x0, y0, dx, dy -> [UInt8] in
      guard x0 < width else { return [] }
      var above: [UInt8] = []
      return stride(from: y0, to: height, by: dy).enumerated().flatMap { index, y in
        let row = packed(stride(from: x0, to: width, by: dx).flatMap { pixel($0, y) })
        defer { above = row }
        return filtered(row, below: above, by: filters[index % filters.count])
      }
    }
  }

  /// The differences of a row from its prediction (PNG, clause 9).
  private func filtered(_ row: [UInt8], below above: [UInt8], by filter: Int) -> [UInt8] {
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    let pixel = max(samples * bitDepth / 8, 1)
    return [UInt8(filter)]
      + row.indices.map { index in
        let left = index < pixel ? 0 : Int(row[index - pixel])
        let up = above.isEmpty ? 0 : Int(above[index])
        let corner = index < pixel || above.isEmpty ? 0 : Int(above[index - pixel])
        let guess = [0, left, up, (left + up) / 2, Self.nearest(left, up, corner)][filter]
        return row[index] &- UInt8(guess)
      }
  }

  /// Paeth's predictor.
  private static func nearest(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let distances = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
    if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? up : corner
  }

  private func packed(_ samples: [Int]) -> [UInt8] {
    let bits = samples.flatMap { sample in
      (0..<bitDepth).reversed().map { UInt8(truncatingIfNeeded: sample >> $0 & 1) }
    }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
    }
  }

  static func bigEndian(_ number: Int) -> [UInt8] {
    number.bytes(4, isBigEndian: true)
  }

  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    TestAPNG.chunk(name, body)
  }
}
