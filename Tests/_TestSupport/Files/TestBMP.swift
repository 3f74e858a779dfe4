/// BMP files with any header, masks, palette and codes.
package struct TestBMP: Sendable {
  package var width: Int, height: Int, bits: Int
  /// Bytes of the information header: 12, 16…64, 108 or 124.
  package var headerBytes = 40
  package var compression = 0
  package var isTopDown = false
  /// The masks of red, green, blue and alpha: fields of the header, or behind it where it has none.
  package var masks: [Int] = []
  /// Red, green and blue of each color.
  package var palette: [[UInt8]] = []
  /// Numbers of 32 bits at offsets in the information header.
  package var fields: [Int: Int] = [:]
  /// Where the file header says that the pixels begin; nil for where they do.
  package var statedStart: Int?
  /// The codes of the pixels, instead of rows.
  package var codes: [UInt8]?
  /// What follows the pixels.
  package var ending: [UInt8] = []
  /// The values of the pixels, the top row first.
  package var rows: [[Int]]

  package init(
    width: Int, height: Int, bits: Int, value: (_ x: Int, _ y: Int) -> Int = { _, _ in 0 }
  ) {
    (self.width, self.height, self.bits) = (width, height, bits)
    rows = (0..<height).map { y in (0..<width).map { x in value(x, y) } }
  }

  /// The place of the pixels in the file.
  package var pixelStart: Int { header(offset: 0).count }

  /// The file.
  package var bytes: [UInt8] {
    header(offset: statedStart ?? pixelStart) + (codes ?? packedRows) + ending
  }

  private func header(offset: Int) -> [UInt8] {
    var header = headerBytes.bytes(4)
    if headerBytes == 12 {
      header += width.bytes(2) + height.bytes(2) + 1.bytes(2) + bits.bytes(2)
    } else {
      header += width.bytes(4) + (isTopDown ? -height : height).bytes(4) + 1.bytes(2)
      header += bits.bytes(2) + compression.bytes(4)
      header += [UInt8](repeating: 0, count: 20)
      // Fields of the header from the second one on, else numbers behind it.
      header += masks.flatMap { $0.bytes(4) }
      header += [UInt8](repeating: 0, count: max(headerBytes - header.count, 0))
      if masks.isEmpty || headerBytes >= 56 { header = Array(header.prefix(headerBytes)) }
    }
    for (place, value) in fields { header.replaceSubrange(place..<place + 4, with: value.bytes(4)) }
    header += palette.flatMap { $0.reversed() + (headerBytes == 12 ? [] : [0x77]) }
    return Array("BM".utf8) + 0.bytes(8) + offset.bytes(4) + header
  }

  /// The rows in stored order, each padded to a multiple of 4 bytes.
  private var packedRows: [UInt8] {
    (isTopDown ? rows : rows.reversed()).flatMap { row -> [UInt8] in
      var packed: [UInt8] = []
      if bits >= 8 {
        packed = row.flatMap { $0.bytes(bits / 8) }
      } else {
        for start in stride(from: 0, to: row.count, by: 8 / bits) {
          let part = row[start..<min(start + 8 / bits, row.count)]
          let value = part.reduce(0) { $0 << bits | $1 }
          packed.append(UInt8(value << (bits * (8 / bits - part.count))))
        }
      }
      return packed + [UInt8](repeating: 0xEE, count: (4 - packed.count % 4) % 4)
    }
  }
}

extension TestBMP {
  /// A palette of as many colors as an index has.
  package static func colors(_ bits: Int) -> [[UInt8]] {
    let last = (1 << bits) - 1
    return (0...last).map { index -> [UInt8] in
      [UInt8(index * 255 / last), UInt8(index), UInt8(255 - index)]
    }
  }

  /// A file of each coding, with each header.
  package static var samples: [TestBMP] {
    var files: [TestBMP] = []
    for bits in [1, 2, 4, 8, 16, 24, 32] {
      for headerBytes in [12, 16, 40, 56, 64, 108, 124] {
        var file = TestBMP(width: 9, height: 5, bits: bits) { x, y in
          (0x1234_5678 * (x + 9 * y + 1)) & ((1 << bits) - 1)
        }
        file.headerBytes = headerBytes
        file.isTopDown = headerBytes == 56
        if bits <= 8 { file.palette = colors(bits) }
        files.append(file)
        guard bits == 16 || bits == 32, [40, 56, 124].contains(headerBytes) else { continue }
        file.compression = 3
        file.masks = bits == 16 ? [0xF00, 0xF0, 0xF] : [0x3FF, 0xF_FC00, 0xFF0_0000]
        if headerBytes > 40 { file.masks.append(bits == 16 ? 0xF000 : 0xF000_0000) }
        files.append(file)
      }
    }
    for (bits, compression, codes) in [
      (8, 1, [3, 7, 0, 4, 1, 2, 3, 4, 0, 0, 0, 2, 2, 1, 5, 9, 0, 1]),
      (4, 2, [5, 0x12, 0, 3, 0x34, 0x50, 0, 0, 0, 2, 1, 1, 4, 0x99, 0, 1]),
      (24, 4, [3, 1, 2, 3, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1]),
    ] as [(Int, Int, [UInt8])] {
      var file = TestBMP(width: 9, height: 4, bits: bits)
      (file.compression, file.codes) = (compression, codes)
      if bits == 24 { file.headerBytes = 64 } else { file.palette = colors(bits) }
      files.append(file)
    }
    return files
  }
}
