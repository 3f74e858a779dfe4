/// Streams of LZMA2 in the .xz format, independent of the library under test.
public enum XZ {
  /// Returns a stream of blocks that hold their bytes unpacked, each with the code of a dictionary's size (The .xz file format 1.1.0).
  public static func stored(_ blocks: [(dictionary: UInt8, bytes: [UInt8])]) -> [UInt8] {
    let flags: [UInt8] = [0, 0]
    var stream = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0] + checked(flags)
    var index: [UInt8] = [0] + variable(blocks.count)
    for block in blocks {
      let header = checked([2, 0, 0x21, 1, block.dictionary, 0, 0, 0])
      let body = lzma2(block.bytes)
      stream += padded(header + body)
      index += variable(header.count + body.count) + variable(block.bytes.count)
    }
    index = checked(padded(index))
    let ending = UInt32(index.count / 4 - 1).bytes(4) + flags
    return stream + index + Checksum.crc32(ending).bytes(4) + ending + Array("YZ".utf8)
  }

  private static func lzma2(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      let part = bytes[start..<min(start + 1 << 16, bytes.count)]
      let count = part.count - 1
      stream += [start == 0 ? 1 : 2, UInt8(count >> 8), UInt8(count & 255)]
      stream += part
    }
    return stream + [0]
  }

  private static func checked(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Checksum.crc32(bytes).bytes(4)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
  }

  private static func variable(_ number: Int) -> [UInt8] {
    number < 128
      ? [UInt8(number)] : [UInt8(number & 127) | 128] + variable(number >> 7)
  }
}

/// Zstandard frames, independent of the library under test.
public enum Zstandard {
  /// Returns a frame that holds bytes unpacked and states a window by its code (RFC 8878, 3.1.1.1.2).
  public static func stored(_ bytes: [UInt8], window: UInt8) -> [UInt8] {
    let largest = 1 << 10
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, window]
    for start in stride(from: 0, to: bytes.count, by: largest) {
      let part = bytes[start..<min(start + largest, bytes.count)]
      let isLast = start + largest >= bytes.count
      let header = part.count << 3 | (isLast ? 1 : 0)
      frame += [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16 & 255)]
      frame += part
    }
    return frame
  }
}
