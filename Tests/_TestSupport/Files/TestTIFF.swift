/// TIFF files of kinds that the writer under test does not create: planes, tiles, small depths, palettes, Lab, either
/// byte order, BigTIFF.
///
/// The data is uncompressed, so that this file alone determines the bytes.
package struct TestTIFF {
  package var width = 5, height = 4
  package var bits = 8, samplesPerPixel = 3
  /// 1 for unsigned and 2 for signed integers, 3 for floats.
  package var sampleFormat = 1
  /// 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK, 6 YCbCr, 8 CIELAB, 9 ICC Lab.
  package var kind = 2
  package var isBigEndian = false, isBig = false, isPlanar = false
  package var rowsPerStrip = 3
  /// Width and height of tiles, multiples of 16; nil for strips.
  package var tile: (width: Int, height: Int)?
  /// Integers by tag.
  package var shorts: [Int: [Int]] = [:]
  /// Bytes by tag.
  package var blobs: [Int: [UInt8]] = [:]
  /// Tags of fields that are left out.
  package var omittedTags: Set<Int> = []
  /// The compression in the directory; the strips or tiles replace those of `sample`.
  package var packing = 1
  package var cellsInstead: [[UInt8]]?
  /// Returns the bits of a stored sample.
  package var sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int

  /// Creates a file, by default a small RGB one.
  package init(
    width: Int = 5, height: Int = 4, bits: Int = 8, samplesPerPixel: Int = 3,
    sampleFormat: Int = 1, kind: Int = 2, isBigEndian: Bool = false, isBig: Bool = false,
    sample: @escaping (_ x: Int, _ y: Int, _ channel: Int) -> Int
  ) {
    (self.width, self.height, self.bits) = (width, height, bits)
    (self.samplesPerPixel, self.sampleFormat, self.kind) = (samplesPerPixel, sampleFormat, kind)
    (self.isBigEndian, self.isBig, self.sample) = (isBigEndian, isBig, sample)
  }

  /// The file in either byte order, interleaved and in planes, in strips and in tiles.
  package var arrangements: [TestTIFF] {
    [false, true].flatMap { isBigEndian in
      [false, true].flatMap { isPlanar in
        [nil, (width: 16, height: 16)].map { tile in
          var file = self
          (file.isBigEndian, file.isPlanar, file.tile) = (isBigEndian, isPlanar, tile)
          return file
        }
      }
    }
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let offsetBytes = isBig ? 8 : 4
    var file = Array((isBigEndian ? "MM" : "II").utf8) + number(isBig ? 43 : 42, 2)
    if isBig { file += number(8, 2) + number(0, 2) }
    let cells = cellsInstead ?? self.cells
    // The cells follow the header, then the directory, then the values that do not fit into it.
    var offsets: [Int] = []
    var body: [UInt8] = []
    let start = file.count + offsetBytes
    for cell in cells {
      offsets.append(start + body.count)
      body += cell
    }
    if body.count % 2 == 1 { body.append(0) }
    file += number(start + body.count, offsetBytes) + body

    let longType = isBig ? 16 : 4
    let longBytes = isBig ? 8 : 4
    var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []
    func add(_ tag: Int, _ values: [Int]) {
      entries.append((tag, 3, values.count, values.flatMap { number($0, 2) }))
    }
    func addLongs(_ tag: Int, _ values: [Int]) {
      entries.append((tag, longType, values.count, values.flatMap { number($0, longBytes) }))
    }
    add(256, [width])
    add(257, [height])
    add(258, [Int](repeating: bits, count: samplesPerPixel))
    add(259, [packing])
    add(262, [kind])
    add(277, [samplesPerPixel])
    add(284, [isPlanar ? 2 : 1])
    add(339, [Int](repeating: sampleFormat, count: samplesPerPixel))
    if let tile {
      add(322, [tile.width])
      add(323, [tile.height])
      addLongs(324, offsets)
      addLongs(325, cells.map(\.count))
    } else {
      addLongs(273, offsets)
      add(278, [rowsPerStrip])
      addLongs(279, cells.map(\.count))
    }
    for (tag, values) in shorts { add(tag, values) }
    for (tag, value) in blobs { entries.append((tag, 7, value.count, value)) }
    entries.removeAll { omittedTags.contains($0.tag) }
    entries.sort { $0.tag < $1.tag }

    let entryBytes = isBig ? 20 : 12
    let countBytes = isBig ? 8 : 2
    let afterDirectory = file.count + countBytes + entries.count * entryBytes + offsetBytes
    var directory = number(entries.count, countBytes)
    var outside: [UInt8] = []
    for entry in entries {
      directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, offsetBytes)
      if entry.value.count <= offsetBytes {
        directory += entry.value + [UInt8](repeating: 0, count: offsetBytes - entry.value.count)
      } else {
        directory += number(afterDirectory + outside.count, offsetBytes)
        outside += entry.value
      }
    }
    return file + directory + number(0, offsetBytes) + outside
  }

  private var cells: [[UInt8]] {
    let planes = isPlanar ? Array(0..<samplesPerPixel).map { [$0] } : [Array(0..<samplesPerPixel)]
    let size = tile ?? (width, rowsPerStrip)
    return planes.flatMap { channels in
      stride(from: 0, to: height, by: size.height).flatMap { top in
        stride(from: 0, to: width, by: size.width).map { left in
          // The last strip is shorter; tiles are not.
          let rows = tile == nil ? min(size.height, height - top) : size.height
          return (top..<top + rows).flatMap { y in
            packed(
              (left..<left + size.width).flatMap { x in
                channels.map { x < width && y < height ? sample(x, y, $0) : 0 }
              })
          }
        }
      }
    }
  }

  private func packed(_ samples: [Int]) -> [UInt8] {
    if bits % 8 == 0 { return samples.flatMap { number($0, bits / 8) } }
    let all = samples.flatMap { sample in (0..<bits).reversed().map { sample >> $0 & 1 } }
    return stride(from: 0, to: all.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 << 1 | UInt8(start + $1 < all.count ? all[start + $1] : 0) }
    }
  }

  private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    value.bytes(byteCount, isBigEndian: isBigEndian)
  }
}
