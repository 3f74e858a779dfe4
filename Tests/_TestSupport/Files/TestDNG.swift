/// DNG files with known levels, matrix and white, as linear colors or as a mosaic (DNG 1.4).
package struct TestDNG {
  package var width = 64, height = 48
  /// Whether each pixel has one color only: red and green over green and blue.
  package var isMosaic = false
  /// The black levels: of red, green and blue, or of the four places of the mosaic.
  package var black = [256, 256, 256, 256]
  package var white = 16_000
  /// From XYZ to the camera, in ten thousandths, row by row; empty for none.
  package var matrix = [8000, -2000, -1000, -4000, 12_000, 2000, -500, 1500, 6000]
  /// The camera's values of white, in ten thousandths; empty for none.
  package var neutral = [5000, 10_000, 8000]
  /// The orientation of EXIF.
  package var orientation = 1
  /// A stored value; of a mosaic, that of the color at the place.
  package var sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int

  /// Creates a file.
  package init(
    isMosaic: Bool = false, sample: @escaping (_ x: Int, _ y: Int, _ channel: Int) -> Int
  ) {
    (self.isMosaic, self.sample) = (isMosaic, sample)
  }

  /// The color at a place of the mosaic.
  package static func color(x: Int, y: Int) -> Int { x % 2 + y % 2 }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let channels = isMosaic ? 1 : 3
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels {
          pixels += sample(x, y, isMosaic ? Self.color(x: x, y: y) : channel).bytes(2)
        }
      }
    }
    let (byte, ascii, short, long, rational, signedRational) = (1, 2, 3, 4, 5, 10)
    var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []
    func add(_ tag: Int, _ type: Int, _ values: [Int], over: Int = 1) {
      let value = values.flatMap { value in
        switch type {
        case 1, 2: [UInt8(value)]
        case 3: value.bytes(2)
        case 4: value.bytes(4)
        default: value.bytes(4) + over.bytes(4)
        }
      }
      entries.append((tag, type, values.count, value))
    }
    func add(_ tag: Int, _ text: String) { add(tag, ascii, text.utf8.map(Int.init) + [0]) }
    add(254, long, [0])
    add(256, long, [width])
    add(257, long, [height])
    add(258, short, [Int](repeating: 16, count: channels))
    add(259, short, [1])
    // A color filter array, or linear colors.
    add(262, short, [isMosaic ? 32_803 : 34_892])
    add(271, "Test")
    add(272, "Camera")
    add(273, long, [8])
    add(274, short, [orientation])
    add(277, short, [channels])
    add(278, long, [height])
    add(279, long, [pixels.count])
    add(284, short, [1])
    if isMosaic {
      add(33_421, short, [2, 2])
      add(33_422, byte, [0, 1, 1, 2])
    }
    add(50_706, byte, [1, 4, 0, 0])
    add(50_707, byte, [1, 1, 0, 0])
    add(50_708, "Test Camera")
    if isMosaic {
      add(50_710, byte, [0, 1, 2])
      add(50_711, short, [1])
    }
    add(50_713, short, isMosaic ? [2, 2] : [1, 1])
    add(50_714, rational, Array(black.prefix(isMosaic ? 4 : 3)))
    add(50_717, long, [Int](repeating: white, count: channels))
    if !matrix.isEmpty { add(50_721, signedRational, matrix, over: 10_000) }
    if !neutral.isEmpty { add(50_728, rational, neutral, over: 10_000) }
    // D65.
    add(50_778, short, [21])

    let file = Array("II".utf8) + 42.bytes(2) + (8 + pixels.count).bytes(4) + pixels
    let after = file.count + 2 + 12 * entries.count + 4
    var (directory, outside) = (entries.count.bytes(2), [UInt8]())
    for entry in entries {
      directory += entry.tag.bytes(2) + entry.type.bytes(2) + entry.count.bytes(4)
      if entry.value.count <= 4 {
        directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        directory += (after + outside.count).bytes(4)
        outside += entry.value
        if outside.count % 2 == 1 { outside.append(0) }
      }
    }
    return file + directory + 0.bytes(4) + outside
  }
}
