internal import ColorSpaces
internal import FilterGraph

/// Reads decimal numbers in bytes: fast where a product of two exact numbers of double precision is the result, which is then the
/// nearest one (Clinger, “How to read floating point numbers accurately”, 1990).
enum DecimalNumber {
  /// Powers of ten that double precision holds exactly.
  private static let powers = (0...22).map { exponent in
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  /// What a word of a look file must be, in words.
  static let needed =
    "number from \(ColorTable.values.lowerBound) to \(ColorTable.values.upperBound)"

  /// Returns the number that a word is; nil for anything else, and beyond the values of a 3D LUT.
  ///
  /// Larger numbers become infinite in single precision, also in 1D LUTs and matrices.
  static func value(of word: UnsafeRawBufferPointer) -> Double? {
    let value = exactValue(of: word) ?? decimalNumber(String(decoding: word, as: UTF8.self))
    guard let value, ColorTable.values.contains(value) else { return nil }
    return value
  }

  /// Calls `body` with the index and the value of each number of a text, from the word `first` on, up to a word that is none.
  ///
  /// - Returns: How many words there are from `first` on, and the beginning of the word that is not a number.
  static func forEach(
    in text: UnsafeRawBufferPointer, from first: Int = 0, _ body: (Int, Double) -> Void
  ) -> (count: Int, wrong: String?) {
    var index = -first
    var wrong: String?
    forEachWord(of: text) { word in
      defer { index += 1 }
      guard index >= 0, wrong == nil else { return }
      if let number = value(of: word) {
        body(index, number)
      } else {
        wrong = String(decoding: word.prefix(40), as: UTF8.self)
      }
    }
    return (max(index, 0), wrong)
  }

  /// The number, where it is of the simple kind: up to 15 digits, and no large exponent.
  private static func exactValue(of word: UnsafeRawBufferPointer) -> Double? {
    var index = 0
    var isNegative = false
    if word.count > 0, word[0] == UInt8(ascii: "-") || word[0] == UInt8(ascii: "+") {
      isNegative = word[0] == UInt8(ascii: "-")
      index = 1
    }
    var (digits, mantissa, decimals) = (0, 0, 0)
    var isFraction = false
    while index < word.count {
      let byte = word[index]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if byte >= 0x30, byte <= 0x39 {
        mantissa = 10 &* mantissa &+ Int(byte &- 0x30)
        digits &+= 1
        if isFraction { decimals &+= 1 }
      } else {
        break
      }
      index &+= 1
    }
    guard (1...15).contains(digits) else { return nil }
    var exponent = -decimals
    if index < word.count {
      guard word[index] | 0x20 == UInt8(ascii: "e"),
        let stated = Int(String(decoding: word[(index + 1)...], as: UTF8.self)),
        (-999...999).contains(stated)
      else { return nil }
      exponent += stated
    }
    guard abs(exponent) < powers.count else { return nil }
    let size =
      exponent < 0 ? Double(mantissa) / powers[-exponent] : Double(mantissa) * powers[exponent]
    return isNegative ? -size : size
  }

  /// Calls `body` with each word of a text.
  private static func forEachWord(
    of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var index = 0
    while index < text.count {
      let start = index
      while index < text.count, text[index] > 0x20 { index += 1 }
      if index > start { body(UnsafeRawBufferPointer(rebasing: text[start..<index])) }
      index += 1
    }
  }
}
