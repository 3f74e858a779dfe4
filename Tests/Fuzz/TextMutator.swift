import _TestSupport

extension ByteMutator {
  /// Numbers at which readers of text change their behavior.
  private static let words: [[UInt8]] = [
    "0", "-0", "1", "-1", "2", "3", "17", "255", "256", "257", "65535", "65536", "65537", "1000000",
    "2147483647", "2147483648", "4294967295", "9223372036854775807", "9223372036854775808",
    "99999999999999999999999", "-2147483649", "0.5", "1e-320", "1e308", "1e999", "-1e999", "nan",
    "inf", "-inf", "0x10", "1.", ".5", "+5", "1e", "", "1e-9", "0.0000001", "none", "null", "true",
  ].map { Array($0.utf8) }

  /// Mutates the words, numbers and brackets of a text.
  mutating func mutateText(_ bytes: inout [UInt8]) {
    if isOne(in: 6) { return mutate(&bytes) }
    var tokens = Self.tokens(bytes)
    let others = Self.tokens(corpus[index(below: corpus.count)])
    for _ in 0..<1 + index(below: 4) where !tokens.isEmpty {
      let place = index(below: tokens.count)
      switch index(below: 10) {
      case 0: tokens.remove(at: place)
      case 1: tokens.insert(tokens[place], at: index(below: tokens.count + 1))
      case 2: tokens.swapAt(place, index(below: tokens.count))
      case 3 where !others.isEmpty: tokens[place] = others[index(below: others.count)]
      case 4 where !others.isEmpty:
        let start = index(below: others.count)
        tokens.insert(
          contentsOf: others[start..<min(start + 1 + index(below: 30), others.count)], at: place)
      case 5:
        // Deep nesting, long words, many lines.
        let copies = [[UInt8]](repeating: tokens[place], count: 1 << index(below: 13))
        tokens.insert(contentsOf: copies, at: place)
      case 6:
        let end = min(place + 1 + index(below: 40), tokens.count)
        tokens.removeSubrange(place..<end)
      default:
        // Numbers first, since sizes and counts are numbers.
        let numbers = tokens.indices.filter { Self.startsNumber(tokens[$0]) }
        let target = numbers.isEmpty ? place : numbers[index(below: numbers.count)]
        tokens[target] = Self.words[index(below: Self.words.count)]
      }
    }
    bytes = Array(tokens.joined().prefix(Self.byteLimit))
  }

  /// Mutates the text at the start of a file, or, rarely, the samples after it.
  mutating func mutateHeader(_ bytes: inout [UInt8]) {
    let isText = { (byte: UInt8) in (0x09..<0x7F).contains(byte) }
    // NumPy files begin with bytes that are not text.
    let start = bytes.first == 0x93 ? min(10, bytes.count) : 0
    let end = bytes[start...].prefix(4096).firstIndex { !isText($0) } ?? min(bytes.count, 4096)
    guard end > start, !isOne(in: 4) else { return mutate(&bytes) }
    var header = Array(bytes[start..<end])
    mutateText(&header)
    bytes.replaceSubrange(start..<end, with: header)
  }

  private static func startsNumber(_ token: [UInt8]) -> Bool {
    guard let first = token.first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
      || (token.count > 1 && [UInt8(ascii: "-"), UInt8(ascii: ".")].contains(first))
  }

  /// Splits into runs of letters and digits, runs of blanks, and single other bytes.
  private static func tokens(_ bytes: [UInt8]) -> [[UInt8]] {
    enum Kind { case word, blank, other }
    func kind(_ byte: UInt8) -> Kind {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x5F, 0x80...: .word
      case 0x09, 0x20: .blank
      default: .other
      }
    }
    var tokens: [[UInt8]] = []
    var last = Kind.other
    for byte in bytes {
      let now = kind(byte)
      if now == last, now != .other {
        tokens[tokens.count - 1].append(byte)
      } else {
        tokens.append([byte])
      }
      last = now
    }
    return tokens
  }
}
