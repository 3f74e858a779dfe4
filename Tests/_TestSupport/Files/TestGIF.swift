/// GIF files: any frames, palettes and extensions, packed by an encoder of this file alone.
package struct TestGIF: Sendable {
  /// A part of the file behind its header.
  package enum Block: Sendable {
    case frame(Frame)
    case bytes([UInt8])
  }

  /// A picture, with the graphic control extension before it.
  package struct Frame: Sendable {
    package var x = 0, y = 0, width, height: Int
    /// Three bytes for each color; nil for the file's.
    package var palette: [UInt8]?
    package var isInterlaced = false
    package var disposal = 0
    /// In hundredths of a second.
    package var delay = 0
    package var transparentIndex: Int?
    /// The bits of an index.
    package var bits = 2
    /// Whether a full table of codes is kept, instead of being cleared.
    package var keepsTable = false
    package var indices: [UInt8]

    package init(
      x: Int = 0, y: Int = 0, width: Int, height: Int, indices: (_ x: Int, _ y: Int) -> Int
    ) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      self.indices = (0..<width * height).map { UInt8(indices($0 % width, $0 / width)) }
    }

    /// A frame of one index.
    package static func filled(
      _ index: Int, x: Int = 0, y: Int = 0, width: Int, height: Int, disposal: Int = 0,
      transparentIndex: Int? = nil
    ) -> Frame {
      var frame = Frame(x: x, y: y, width: width, height: height) { _, _ in index }
      (frame.disposal, frame.transparentIndex) = (disposal, transparentIndex)
      return frame
    }
  }

  package var width: Int, height: Int
  package var signature = "GIF89a"
  /// Three bytes for each color; nil for none.
  package var palette: [UInt8]? = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
  /// The aspect ratio of a pixel, as the header has it; 0 for none.
  package var pixelShape: UInt8 = 0
  package var blocks: [Block]

  package init(width: Int, height: Int, _ frames: [Frame]) {
    (self.width, self.height, blocks) = (width, height, frames.map(Block.frame))
  }

  /// The file.
  package var bytes: [UInt8] { bytesBeforeTrailer + [0x3B] }

  package var bytesBeforeTrailer: [UInt8] {
    var bytes = Array(signature.utf8) + width.bytes(2) + height.bytes(2)
    bytes += [Self.flags(of: palette), 0, pixelShape] + (palette ?? [])
    for block in blocks {
      switch block {
      case .frame(let frame): bytes += Self.bytes(of: frame)
      case .bytes(let others): bytes += others
      }
    }
    return bytes
  }

  /// The flag of a palette, and the bits of its size.
  private static func flags(of palette: [UInt8]?) -> UInt8 {
    palette.map { 0x80 | UInt8(($0.count / 3).trailingZeroBitCount - 1) } ?? 0
  }

  private static func bytes(of frame: Frame) -> [UInt8] {
    let flags = UInt8(frame.disposal << 2 | (frame.transparentIndex == nil ? 0 : 1))
    let control =
      [0x21, 0xF9, 4, flags] + frame.delay.bytes(2) + [UInt8(frame.transparentIndex ?? 0), 0]
    let place = [frame.x, frame.y, frame.width, frame.height].flatMap { $0.bytes(2) }
    let kind = Self.flags(of: frame.palette) | (frame.isInterlaced ? 0x40 : 0)
    let rows = Self.rows(frame.height, isInterlaced: frame.isInterlaced)
    let indices = rows.flatMap { frame.indices[$0 * frame.width..<($0 + 1) * frame.width] }
    let packed = Self.packed(indices, bits: frame.bits, keepsTable: frame.keepsTable)
    return control + [0x2C] + place + [kind] + (frame.palette ?? []) + [UInt8(frame.bits)]
      + subBlocks(packed)
  }

  /// The rows in the order of the file.
  package static func rows(_ height: Int, isInterlaced: Bool) -> [Int] {
    let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    return passes.flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }

  /// Returns bytes in sub-blocks of at most 255, with the end mark.
  package static func subBlocks(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 255).flatMap { start in
      let part = bytes[start..<min(start + 255, bytes.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  /// An application extension with content in sub-blocks.
  package static func application(_ name: String, _ content: [UInt8]) -> Block {
    .bytes([0x21, 0xFF, 11] + Array(name.utf8) + subBlocks(content))
  }

  /// A number of repetitions, 0 for without an end.
  package static func repetitions(_ count: Int) -> Block {
    application("NETSCAPE2.0", [1] + count.bytes(2))
  }

  /// XMP, which is not in sub-blocks, and the mark behind it.
  package static func xmp(_ packet: [UInt8]) -> Block {
    let mark = [1] + (0...255).reversed().map { UInt8($0) } + [0]
    return .bytes([0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + mark)
  }

  package static func comment(_ text: [UInt8]) -> Block { .bytes([0x21, 0xFE] + subBlocks(text)) }

  /// Returns indices packed by LZW (GIF89a, appendix F).
  package static func packed(_ indices: [UInt8], bits: Int, keepsTable: Bool) -> [UInt8] {
    let clear = 1 << bits
    var (writer, width, next) = (BitWriter(), bits + 1, clear + 2)
    // Codes by the code that they prolong, and the index that they add.
    var table: [Int: Int] = [:]
    writer.add(clear, width)
    var known: Int?
    for index in indices.map(Int.init) {
      guard let prefix = known else {
        known = index
        continue
      }
      if let longer = table[prefix << 8 | index] {
        known = longer
        continue
      }
      writer.add(prefix, width)
      if next < 4096 {
        table[prefix << 8 | index] = next
        next += 1
        if next - 1 == 1 << width, width < 12 { width += 1 }
      } else if !keepsTable {
        writer.add(clear, width)
        (table, width, next) = ([:], bits + 1, clear + 2)
      }
      known = index
    }
    if let known {
      writer.add(known, width)
      if next == 1 << width, width < 12 { width += 1 }
    }
    writer.add(clear + 1, width)
    return writer.finished
  }

  /// Codes of any width, the lowest bit first.
  package struct BitWriter {
    private var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)

    package init() {}

    package mutating func add(_ code: Int, _ width: Int) {
      bits |= code << count
      count += width
      while count >= 8 {
        bytes.append(UInt8(bits & 255))
        (bits, count) = (bits >> 8, count - 8)
      }
    }

    package var finished: [UInt8] { count > 0 ? bytes + [UInt8(bits & 255)] : bytes }
  }

  /// Files of every kind: rows in order and interlaced, with and without transparency, animations, and what is beside frames.
  package static var samples: [TestGIF] {
    var still = TestGIF(width: 20, height: 13, [Frame(width: 20, height: 13) { ($0 + $1) & 3 }])
    still.signature = "GIF87a"
    var interlaced = Frame(width: 11, height: 19) { ($0 * $1) & 255 }
    (interlaced.isInterlaced, interlaced.bits) = (true, 8)
    interlaced.palette = (0..<768).map { UInt8($0 & 255) }
    var animation = TestGIF(
      width: 12, height: 9,
      [
        .filled(1, width: 12, height: 9, disposal: 1),
        .filled(2, x: 3, y: 2, width: 5, height: 4, disposal: 2),
        .filled(3, x: 6, y: 1, width: 6, height: 8, disposal: 3, transparentIndex: 0),
        Frame(x: 1, y: 1, width: 9, height: 7) { ($0 ^ $1) & 3 },
      ])
    animation.pixelShape = 60
    animation.blocks.insert(repetitions(3), at: 0)
    animation.blocks.insert(comment(Array("a comment".utf8)), at: 2)
    animation.blocks.append(xmp(Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)))
    return [still, TestGIF(width: 11, height: 19, [interlaced]), animation]
  }
}
