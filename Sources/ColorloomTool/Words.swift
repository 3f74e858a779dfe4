import Colorloom

/// The words of a command line, read one after the other.
struct Words {
  private var rest: ArraySlice<String>

  init(_ words: [String]) { rest = words[...] }

  mutating func next() -> String? { rest.popFirst() }

  func expectEnd() throws {
    if let word = rest.first { throw Misuse("Nothing more was expected, but there is “\(word)”.") }
  }

  mutating func value(of option: String, _ what: String) throws -> String {
    guard let word = next() else { throw Misuse("“\(option)” needs \(what) after it.") }
    return word
  }

  mutating func number(of option: String) throws -> Double {
    let word = try value(of: option, "a number")
    guard let number = Double(word), number.isFinite else {
      throw Misuse("“\(option)” needs a number, not “\(word)”.")
    }
    return number
  }

  mutating func wholeNumber(of option: String, from least: Int) throws -> Int {
    let word = try value(of: option, "a whole number")
    guard let number = Int(word), number >= least else {
      throw Misuse("“\(option)” needs a whole number from \(least) up, not “\(word)”.")
    }
    return number
  }

  mutating func depth(of option: String) throws -> SampleFormat {
    let word = try value(of: option, "8 or 16")
    switch word {
    case "8": return .uint8
    case "16": return .uint16
    default: throw Misuse("“\(option)” is 8 or 16, not “\(word)”.")
    }
  }

  mutating func space(of option: String) throws -> ColorSpace {
    try ColorSpace(named: value(of: option, "the name of a color space"))
  }

  mutating func size(of option: String) throws -> (width: Int, height: Int) {
    let word = try value(of: option, "a size such as 2048x1365")
    let numbers = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else {
      throw Misuse("“\(option)” needs a size such as 2048x1365, not “\(word)”.")
    }
    guard width > 0, height > 0 else { throw RecipeError.emptySize(width: width, height: height) }
    return (width, height)
  }

  mutating func tone(of option: String) throws -> SIMD3<Double> {
    let word = try value(of: option, "three numbers such as 0.8,0.5,0.3")
    let numbers = word.split(separator: ",", omittingEmptySubsequences: false).compactMap {
      Double($0)
    }
    guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else {
      throw Misuse("“\(option)” needs three numbers such as 0.8,0.5,0.3, not “\(word)”.")
    }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  mutating func curve(of option: String) throws -> CubicCurve {
    let word = try value(of: option, "points such as “0,0 .5,.4 1,1”")
    let points = try word.split(separator: " ").map { point -> SIMD2<Double> in
      let numbers = point.split(separator: ",", omittingEmptySubsequences: false).map(decimal)
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
        throw Misuse("A point of a curve is two numbers such as .5,.4, not “\(point)”.")
      }
      return SIMD2(x, y)
    }
    return try CubicCurve(through: points)
  }

  /// Swift wants a digit before the point; people do not.
  private func decimal(_ text: Substring) -> Double? {
    Double(text.hasPrefix(".") ? "0" + text : String(text))
  }
}
