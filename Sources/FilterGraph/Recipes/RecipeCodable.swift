internal import ColorSpaces
public import ImageBuffer

/// A type that can be a parameter in a recipe.
public protocol RecipeCodable: Sendable {
  /// The value of an omitted parameter; nil where the parameter is required.
  static var recipeDefault: Self? { get }

  /// Reads a value.
  init(recipe source: RecipeSource) throws(RecipeDecodingError)

  /// Writes the value.
  func recipeValue() throws(RecipeEncodingError) -> RecipeValue

  /// The way in which a word on the command line states a value, with a placeholder for help.
  static var textForm: TextForm { get }
}

extension RecipeCodable {
  /// Nil: the parameter is required.
  public static var recipeDefault: Self? { nil }

  /// JSON.
  public static var textForm: TextForm { .json }

  /// Reads the value of a command-line word.
  package init(word: String) throws(RecipeDecodingError) {
    guard let value = Self.textForm.value(of: word) else {
      throw .mismatch(at: "", expected: Self.textForm.placeholder, found: quoted(word))
    }
    try self.init(recipe: RecipeSource(value, at: ""))
  }
}

/// A value in a recipe that is being read, and its path.
public struct RecipeSource: Sendable {
  /// The JSON value at ``path``.
  public let value: RecipeValue
  /// The path of the value, or of the list that it is an element of.
  private let prefix: String
  /// The index of an element in its list. Lists have up to a million elements, and only errors need their paths.
  private let index: Int?
  /// The readers of color spaces that other modules define, such as those of ICC profiles.
  let spaceReaders: SpaceReaders

  private init(
    _ value: RecipeValue, at prefix: String, index: Int?, _ spaceReaders: SpaceReaders
  ) {
    (self.value, self.prefix, self.index) = (value, prefix, index)
    self.spaceReaders = spaceReaders
  }

  package init(
    _ value: RecipeValue, at path: String, readingSpaces spaceReaders: SpaceReaders = [:]
  ) {
    self.init(value, at: path, index: nil, spaceReaders)
  }

  /// The path, such as `steps[2].exposure.stops`.
  public var path: String { index.map { "\(prefix)[\($0)]" } ?? prefix }

  /// The error that something else is expected here.
  public func mismatch(expected: String) -> RecipeDecodingError {
    .mismatch(at: path, expected: expected, found: value.summary)
  }

  /// The elements of a list.
  public func elements(
    expected: String = "a list"
  ) throws(RecipeDecodingError) -> [RecipeSource] {
    guard case .array(let values) = value else { throw mismatch(expected: expected) }
    let path = path
    return values.enumerated().map { RecipeSource($1, at: path, index: $0, spaceReaders) }
  }

  /// The members of an object.
  func members(
    expected: String
  ) throws(RecipeDecodingError) -> [(name: String, source: RecipeSource)] {
    guard case .object(let members) = value else { throw mismatch(expected: expected) }
    return members.map { ($0.name, member($0.name, $0.value)) }
  }

  package func member(_ name: String, _ value: RecipeValue) -> RecipeSource {
    let path = path
    return RecipeSource(
      value, at: path.isEmpty ? name : "\(path).\(name)", readingSpaces: spaceReaders)
  }

  /// A text.
  func text(expected: String = "a text") throws(RecipeDecodingError) -> String {
    guard case .string(let text) = value else { throw mismatch(expected: expected) }
    return text
  }

  /// Reads a list of exactly `count` numbers.
  func numbers(_ count: Int) throws(RecipeDecodingError) -> [Double] {
    let expected = "a list of \(count) numbers"
    let elements = try elements(expected: expected)
    guard elements.count == count else {
      throw .mismatch(at: path, expected: expected, found: "one of \(elements.count)")
    }
    return try elements.map { element throws(RecipeDecodingError) in try Double(recipe: element) }
  }

  /// Reads a list of exactly `count` integers.
  func wholeNumbers(_ count: Int) throws(RecipeDecodingError) -> [Int] {
    let expected = "a list of \(count) whole numbers"
    let elements = try elements(expected: expected)
    guard elements.count == count else {
      throw .mismatch(at: path, expected: expected, found: "one of \(elements.count)")
    }
    return try elements.map { element throws(RecipeDecodingError) in try Int(recipe: element) }
  }
}

extension RecipeValue {
  /// A short description of the value.
  fileprivate var summary: String {
    switch self {
    case .null, .bool, .integer, .number: line
    case .string(let text): text.count > 40 ? "a long text" : line
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// A list of numbers.
  static func numbers(_ values: [Double]) throws(RecipeEncodingError) -> RecipeValue {
    .array(try values.map { value throws(RecipeEncodingError) in try value.recipeValue() })
  }

  /// Creates the shortest number that reads as the same value.
  init(_ number: Double) throws(RecipeEncodingError) {
    guard number.isFinite else { throw .notFinite(number) }
    if let whole = Int(exactly: number), abs(number) < 0x1p53,
      !(whole == 0 && number.sign == .minus)
    {
      self = .integer(whole)
    } else {
      self = .number(number)
    }
  }
}

extension Double: RecipeCodable {
  /// What recipes allow of any number.
  static let neededInRecipes = "a number of at most 3.4e38"

  /// On the command line: a number, such as `0.5`.
  public static var textForm: TextForm { .number }

  /// Reads a number, which must not be greater than single precision holds: filters compute in it.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    switch source.value {
    case .integer(let value): self = Double(value)
    case .number(let value): self = value
    default: throw source.mismatch(expected: "a number")
    }
    guard Float(self).isFinite else { throw source.mismatch(expected: Self.neededInRecipes) }
  }

  /// Writes the number, which must be finite and not greater than single precision holds.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    guard !isFinite || Float(self).isFinite else {
      throw .unwritable("Recipes hold numbers of at most 3.4e38; a parameter is \(self).")
    }
    return try RecipeValue(self)
  }
}

extension Float: RecipeCodable {
  /// On the command line: a number, such as `0.5`.
  public static var textForm: TextForm { .number }

  /// Reads a number.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    self = Float(try Double(recipe: source))
  }

  /// Writes the number.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    // The shortest digits of the single-precision number, which almost always read as the same number.
    let short = Double(description) ?? Double(self)
    return try RecipeValue(Float(short) == self ? short : Double(self))
  }
}

extension Int: RecipeCodable {
  /// On the command line: an integer, such as `3`.
  public static var textForm: TextForm { .wholeNumber }

  /// Reads an integer, also one that is written as `20.0` or `2e1`.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    switch source.value {
    case .integer(let value): self = value
    case .number(let value) where value == value.rounded():
      guard let whole = Int(exactly: value) else {
        throw source.mismatch(expected: "a whole number from \(Int.min) to \(Int.max)")
      }
      self = whole
    default: throw source.mismatch(expected: "a whole number")
    }
  }

  /// Writes the integer.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { .integer(self) }
}

extension UInt64: RecipeCodable {
  /// On the command line: an integer, such as `3`.
  public static var textForm: TextForm { .unsignedNumber }

  /// Reads an integer; a negative one has the same bit pattern. Those from 2⁶³ on are texts of their digits, because numbers of JSON are
  /// signed integers or doubles here.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    switch source.value {
    case .string(let digits):
      guard let value = UInt64(digits) else {
        throw source.mismatch(expected: "a whole number up to \(UInt64.max)")
      }
      self = value
    case .number(let value) where value >= 0x1p63 && value == value.rounded():
      throw source.mismatch(
        expected: "a whole number up to \(Int.max), or the digits of a greater one as a text")
    default: self.init(truncatingIfNeeded: try Int(recipe: source))
    }
  }

  /// Writes the signed integer of the same bit pattern, on which content hashes depend. In the JSON of a recipe, a parameter is what was
  /// given: a number, or from 2⁶³ on the text of its digits.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    .integer(Int(truncatingIfNeeded: self))
  }
}

extension RecipeValue {
  /// The value as JSON, where it stands for an unsigned integer: from 2⁶³ on, the text of its digits.
  var unsigned: RecipeValue {
    guard case .integer(let value) = self, value < 0 else { return self }
    return .string("\(UInt64(truncatingIfNeeded: value))")
  }
}

extension Bool: RecipeCodable {
  /// On the command line: `yes` or `no`; `true` and `false` are read too.
  public static var textForm: TextForm {
    TextForm("yes|no", choices: ["yes", "no"]) { text in
      ["yes", "true"].contains(text)
        ? .bool(true) : ["no", "false"].contains(text) ? .bool(false) : nil
    }
  }

  /// Reads `true` or `false`.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .bool(let value) = source.value else {
      throw source.mismatch(expected: "true or false")
    }
    self = value
  }

  /// Writes `true` or `false`.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { .bool(self) }
}

extension String: RecipeCodable {
  /// On the command line: the word itself.
  public static var textForm: TextForm { .text }

  /// Reads a string.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) { self = try source.text() }

  /// Writes the string.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { .string(self) }
}

extension Array: RecipeCodable where Element: RecipeCodable {
  /// On the command line: the elements, separated by commas, spaces or semicolons, depending on the elements' own form.
  public static var textForm: TextForm {
    // Elements with commas or signs of their own are separated by spaces: 0,0 0.5,0.4 1,1. Lists of such lists are
    // separated by semicolons.
    let element = Element.textForm
    let separator: Character =
      element.placeholder.contains(" ")
      ? ";" : element.placeholder.contains { ",@".contains($0) } ? " " : ","
    return .list(
      of: element, separator: separator, as: "\(element.placeholder)\(separator)…")
  }

  /// Reads a list.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    var elements: [Element] = []
    for element in try source.elements() { elements.append(try Element(recipe: element)) }
    self = elements
  }

  /// Writes a list.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    .array(try map { element throws(RecipeEncodingError) in try element.recipeValue() })
  }
}

extension Optional: RecipeCodable where Wrapped: RecipeCodable {
  /// On the command line: the form of the wrapped value, or `null`.
  public static var textForm: TextForm { Wrapped.textForm.orNull }

  /// Nil for an omitted parameter.
  public static var recipeDefault: Wrapped?? { .some(nil) }

  /// Reads a value, or `null`.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    self = source.value == .null ? nil : try Wrapped(recipe: source)
  }

  /// Writes the value, or `null`.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    switch self {
    case .some(let value): try value.recipeValue()
    case nil: .null
    }
  }
}

extension SIMD2: RecipeCodable where Scalar == Double {
  /// On the command line: two numbers, such as `0.5,1`.
  public static var textForm: TextForm { .list(of: .number, count: 2, as: "X,Y") }

  /// Reads a list of two numbers.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    self.init(try source.numbers(2))
  }

  /// Writes a list of two numbers.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { try .numbers([x, y]) }
}

extension SIMD3: RecipeCodable where Scalar: RecipeCodable {
  /// On the command line: three numbers, such as `1,0.5,0`.
  public static var textForm: TextForm {
    // Three integers are indices, other numbers are channels.
    .list(of: Scalar.textForm, count: 3, as: Scalar.self == Int.self ? "A,B,C" : "R,G,B")
  }

  /// Reads a list of three numbers.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let elements = try source.elements(expected: "a list of 3 numbers")
    guard elements.count == 3 else {
      throw .mismatch(
        at: source.path, expected: "a list of 3 numbers", found: "one of \(elements.count)")
    }
    self.init(
      try Scalar(recipe: elements[0]), try Scalar(recipe: elements[1]),
      try Scalar(recipe: elements[2]))
  }

  /// Writes a list of three numbers.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    .array([try x.recipeValue(), try y.recipeValue(), try z.recipeValue()])
  }
}

extension SIMD4: RecipeCodable where Scalar == Double {
  /// On the command line: four numbers, such as `1,0.5,0,1`: three channels, then all of them.
  public static var textForm: TextForm { .list(of: .number, count: 4, as: "R,G,B,ALL") }

  /// Reads a list of four numbers.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    self.init(try source.numbers(4))
  }

  /// Writes a list of four numbers.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    try .numbers([x, y, z, w])
  }
}

extension PixelSize: RecipeCodable {
  /// On the command line: a width and a height, such as `800x600`.
  public static var textForm: TextForm { .size }

  /// Reads a list of a positive width and height.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let sides = try source.wholeNumbers(2)
    guard sides.allSatisfy({ $0 > 0 }) else {
      throw .unusable(at: source.path, .emptySize(width: sides[0], height: sides[1]))
    }
    guard sides.allSatisfy({ $0 <= Self.longestSide }) else {
      throw .mismatch(
        at: source.path, expected: "a width and a height of at most \(Self.longestSide)",
        found: "\(sides[0]) × \(sides[1])")
    }
    self.init(sides[0], sides[1])
  }

  /// Writes a list of width and height.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    guard max(width, height) <= Self.longestSide else {
      throw .unwritable(
        "Recipes hold widths and heights of at most \(Self.longestSide); a parameter is \(width) × \(height)."
      )
    }
    return .array([.integer(width), .integer(height)])
  }

  private static let longestSide = 1 << 30
}

/// The first of these coordinates with which sums and products of regions may overflow.
func uncountable(_ numbers: [Int]) -> Int? {
  numbers.first { !(-1 << 31...1 << 31).contains($0) }
}

/// Throws where a coordinate that is read may make sums and products of regions overflow.
private func checkCountable(_ numbers: [Int], at path: String) throws(RecipeDecodingError) {
  if let number = uncountable(numbers) {
    throw .mismatch(at: path, expected: "whole numbers of at most 2³¹", found: "\(number)")
  }
}

/// Returns the list of coordinates, and throws where it could not be read.
private func list(ofCountable numbers: [Int]) throws(RecipeEncodingError) -> RecipeValue {
  if let number = uncountable(numbers) {
    throw .unwritable(
      "Recipes hold places and sizes of at most 2³¹ pixels; a parameter is \(number).")
  }
  return .array(numbers.map { .integer($0) })
}

extension Offset: RecipeCodable {
  /// On the command line: columns and rows, such as `10,-20`.
  public static var textForm: TextForm { .list(of: .wholeNumber, count: 2, as: "X,Y") }

  /// Reads a list of columns and rows.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let steps = try source.wholeNumbers(2)
    try checkCountable(steps, at: source.path)
    self.init(steps[0], steps[1])
  }

  /// Writes a list of columns and rows.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    try list(ofCountable: [x, y])
  }
}

extension Region: RecipeCodable {
  /// On the command line: a position and a size, such as `10,20,800x600`.
  public static var textForm: TextForm { .region }

  /// Reads a list of the left column, the top row, the width and the height.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let numbers = try source.wholeNumbers(4)
    try checkCountable(numbers, at: source.path)
    guard numbers[2] >= 0, numbers[3] >= 0 else {
      throw .unusable(at: source.path, .emptySize(width: numbers[2], height: numbers[3]))
    }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Writes a list of the left column, the top row, the width and the height.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    try list(ofCountable: [x, y, width, height])
  }
}
