internal import ImageBuffer

/// The bits of the channels in pixels of 16 or 32 bits.
struct BMPMasks: CustomStringConvertible {
  let red, green, blue: BMPMask
  /// Nil for opaque pixels.
  var alpha: BMPMask?

  /// Pixels of 16 bits without masks.
  static let fiveBits = BMPMasks(0x7C00, 0x3E0, 0x1F)
  /// Pixels of 32 bits without masks, whose fourth byte is unused.
  static let eightBits = BMPMasks(0xFF0000, 0xFF00, 0xFF)

  private init(_ red: UInt32, _ green: UInt32, _ blue: UInt32) {
    (self.red, self.green, self.blue) = (BMPMask(red), BMPMask(green), BMPMask(blue))
  }

  /// Masks of red, green, blue and, where there are four, alpha, that a file states for pixels of `bits` bits. A channel without bits is 0,
  /// and alpha without bits opaque.
  init(_ stated: [Int], bits: Int, file: String) throws(ImageFileError) {
    let words = stated.map { UInt32(truncatingIfNeeded: $0 & ((1 << bits) - 1)) }
    func hexadecimal(_ word: UInt32) -> String { "0x" + String(word, radix: 16, uppercase: true) }
    let names = words.map(hexadecimal).joined(separator: ", ")
    let areContiguous = words.allSatisfy { BMPMask($0).isContiguous }
    guard areContiguous, words.prefix(3).contains(where: { $0 > 0 }) else {
      throw .damaged(
        file: file,
        reason: "its masks are \(names); each must be bits side by side, and not all be empty")
    }
    var union: UInt32 = 0
    for word in words {
      guard union & word == 0 else {
        throw .damaged(file: file, reason: "its masks \(names) overlap")
      }
      union |= word
    }
    self.init(words[0], words[1], words[2])
    if words.count > 3, words[3] > 0 { alpha = BMPMask(words[3]) }
  }

  /// All masks in the order of channels.
  var channels: [BMPMask] { [red, green, blue] + (alpha.map { [$0] } ?? []) }

  /// The samples that hold every value: 16 bits where a channel has more than 8.
  var samples: SampleFormat { channels.contains { $0.bits > 8 } ? .uint16 : .uint8 }

  /// The sample for the largest value of a channel.
  var largestSample: UInt64 { samples == .uint16 ? 65_535 : 255 }

  /// The samples of all values of each channel that has at most `tableBits` bits, in `1 << tableBits` places for a channel.
  func samplesOfValues(tableBits: Int) -> [UInt16] {
    let full = largestSample
    return channels.flatMap { mask in
      (0..<UInt32(1) << UInt32(tableBits)).map { value in
        value < 1 << UInt64(min(mask.bits, tableBits)) ? mask.sample(of: value, full: full) : 0
      }
    }
  }

  /// The bits of the channels, such as “5 + 6 + 5”.
  var description: String { channels.map { "\($0.bits)" }.joined(separator: " + ") }
}

/// The bits of a channel in a pixel.
struct BMPMask {
  let word: UInt32
  /// How far the value is from the lowest bit.
  let shift: UInt32
  /// How many bits it has.
  let bits: Int

  init(_ word: UInt32) {
    self.word = word
    shift = word == 0 ? 0 : UInt32(word.trailingZeroBitCount)
    bits = word.nonzeroBitCount
  }

  var isContiguous: Bool { word == 0 || bits == 32 || (word >> shift) & ((word >> shift) + 1) == 0 }

  /// The value of the channel in a pixel.
  func value(in pixel: UInt32) -> UInt32 { (pixel & word) >> shift }

  /// The sample of a value, scaled so that the largest value becomes `full`, and rounded.
  func sample(of value: UInt32, full: UInt64) -> UInt16 {
    let largest = (UInt64(1) << UInt64(bits)) - 1
    guard largest > 0 else { return 0 }
    return UInt16(truncatingIfNeeded: (UInt64(value) * full + largest / 2) / largest)
  }
}
