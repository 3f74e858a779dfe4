import _TestSupport

/// A mutator of bytes that ignores their format.
struct ByteMutator {
  var random: SeededGenerator
  /// Intact inputs of the same format, from which blocks are copied.
  let corpus: [[UInt8]]
  /// The maximum length of a mutated input.
  static let byteLimit = 1 << 18

  /// Values at which readers of counts, sizes and floating-point numbers change their behavior.
  private static let landmarks: [UInt64] = [
    0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 63, 64, 100, 127, 128, 255, 256, 1000, 4095, 32_767,
    32_768, 65_535, 65_536, 1 << 20, 1 << 24, 0x1FFF_FFFF, 0x2000_0000, 0x3FFF_FFFF, 0x4000_0000,
    0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 32, 1 << 33, 1 << 62,
    0x7FFF_FFFF_FFFF_FFFF, .max,
    // Infinities, NaN, the largest and the smallest values in single precision; infinity and NaN in half precision.
    0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7F7F_FFFF, 1, 0x7C00, 0x7E00,
  ]

  /// Applies one to four changes anywhere in the bytes.
  mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...4, using: &random) { changeOnce(&bytes) }
    if bytes.count > Self.byteLimit { bytes.removeLast(bytes.count - Self.byteLimit) }
  }

  /// Returns true once in `count` times.
  mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  mutating func index(below count: Int) -> Int { Int.random(in: 0..<max(count, 1), using: &random) }

  mutating func landmark() -> UInt64 { Self.landmarks[index(below: Self.landmarks.count)] }

  private mutating func changeOnce(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else {
      bytes = (0..<index(below: 64)).map { _ in .random(in: 0...255, using: &random) }
      return
    }
    let place = index(below: bytes.count)
    switch index(below: 12) {
    case 0, 1: bytes[place] ^= 1 << UInt8(index(below: 8))
    case 2: bytes[place] = .random(in: 0...255, using: &random)
    case 3, 4: setWord(&bytes, at: place, to: landmark())
    case 5: addToWord(&bytes, at: place)
    case 6: bytes.removeLast(bytes.count - place)
    case 7: bytes.removeSubrange(place..<end(of: block(bytes), from: place, in: bytes))
    case 8:
      let count = min(block(bytes), bytes.count - place)
      let copy = Array(bytes[place..<place + count])
      bytes.insert(contentsOf: copy, at: index(below: bytes.count))
    case 9:
      // The beginning of this input, and the end of another one.
      let other = corpus[index(below: corpus.count)]
      bytes = Array(bytes.prefix(place)) + other.dropFirst(index(below: other.count))
    case 10:
      let filling: UInt8 = [0, 0xFF, 0x20, 0x7F][index(below: 4)]
      for index in place..<end(of: block(bytes), from: place, in: bytes) { bytes[index] = filling }
    default:
      // One block repeated.
      let copy = Array(bytes[place..<end(of: 32, from: place, in: bytes)])
      let times = 1 << index(below: 11)
      bytes.insert(contentsOf: (0..<times).flatMap { _ in copy }, at: place)
    }
  }

  private mutating func block(_ bytes: [UInt8]) -> Int {
    isOne(in: 4) ? 1 + index(below: bytes.count) : 1 + index(below: 16)
  }

  private func end(of count: Int, from start: Int, in bytes: [UInt8]) -> Int {
    min(start + count, bytes.count)
  }

  /// Writes a value as a word of 1, 2, 4 or 8 bytes in either byte order.
  mutating func setWord(_ bytes: inout [UInt8], at place: Int, to value: UInt64) {
    setWord(&bytes, at: place, count: 1 << index(below: 4), isBigEndian: isOne(in: 2), to: value)
  }

  func setWord(
    _ bytes: inout [UInt8], at place: Int, count: Int, isBigEndian: Bool, to value: UInt64
  ) {
    for offset in 0..<count where place >= 0 && place + offset < bytes.count {
      let shift = 8 * (isBigEndian ? count - 1 - offset : offset)
      bytes[place + offset] = UInt8(truncatingIfNeeded: value >> UInt64(shift))
    }
  }

  private mutating func addToWord(_ bytes: inout [UInt8], at place: Int) {
    let (count, isBigEndian) = (1 << index(below: 4), isOne(in: 2))
    guard place + count <= bytes.count else { return }
    let word = Self.word(bytes, at: place, count: count, isBigEndian: isBigEndian)
    let step = Int64.random(in: -17...17, using: &random)
    setWord(
      &bytes, at: place, count: count, isBigEndian: isBigEndian,
      to: UInt64(word) &+ UInt64(bitPattern: step))
  }

  /// The word at a position; 0 where the bytes end before it.
  static func word(_ bytes: [UInt8], at place: Int, count: Int, isBigEndian: Bool) -> UInt64 {
    guard place >= 0, place + count <= bytes.count else { return 0 }
    let word = bytes[place..<place + count]
    return (isBigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
