internal import ColorSpaces

/// The form of a value as one command-line word: `0.18`, `800x600`, `0,0 0.5,0.4 1,1`.
public struct TextForm: Sendable {
  /// The placeholder in help.
  package private(set) var placeholder: String
  /// The allowed words; empty where others are possible.
  package let choices: [String]
  /// The words that a choice begins with; a colon ends those that need a value.
  package private(set) var names: [String] = []
  /// Alternative words for some of the choices.
  package private(set) var aliases: [String] = []
  /// Reads a word as a recipe's value; nil for an invalid word.
  private(set) var read: @Sendable (String) -> RecipeValue?

  /// The same form, and `null` for the absence of a value.
  var orNull: TextForm {
    var form = self
    form.read = { [read] word in word == "null" ? .null : read(word) }
    return form
  }

  /// Returns the same form with another placeholder.
  func showing(_ placeholder: String) -> TextForm {
    var form = self
    form.placeholder = placeholder
    return form
  }

  /// Returns the recipe's value of a word; nil for an invalid word.
  package func value(of word: String) -> RecipeValue? { read(word) }

  /// Creates a form with a placeholder. `read` returns nil for invalid words.
  public init(
    _ placeholder: String, choices: [String] = [],
    read: @escaping @Sendable (String) -> RecipeValue?
  ) {
    (self.placeholder, self.choices, self.read) = (placeholder, choices, read)
  }

  /// Returns the word for a value; nil where only a JSON file could express it.
  package func word(for value: RecipeValue) -> String? {
    Self.words(for: value).first { read($0) == value }
  }

  /// Candidate words for a value, the most readable first.
  private static func words(for value: RecipeValue) -> [String] {
    switch value {
    case .null: []
    case .bool(let value): [value ? "yes" : "no"]
    case .integer, .number: [value.line]
    case .string(let text): [text]
    case .array(let values):
      regions(values) + listWords(values) + [value.line]
    case .object(let members):
      members.flatMap { words(for: $0.value) } + members.flatMap(namedWords)
        + leadingWords(members) + [value.line]
    }
  }

  private static func listWords(_ values: [RecipeValue]) -> [String] {
    ["x", ",", " "].map { joined(values, by: $0) }
  }

  /// The words of the values between separators; lists within the list have commas.
  private static func joined(_ values: [RecipeValue], by separator: String) -> String {
    values.compactMap { value in
      if case .array(let inner) = value { joined(inner, by: ",") } else { words(for: value).first }
    }.joined(separator: separator)
  }

  /// The values of the first members between separators, for forms that fill in the others.
  private static func leadingWords(_ members: [RecipeValue.Member]) -> [String] {
    members.indices.dropFirst().flatMap { listWords(members[...$0].map(\.value)) }
  }

  private static func namedWords(_ member: RecipeValue.Member) -> [String] {
    words(for: member.value).map { "\(member.name):\($0)" }
  }

  private static func regions(_ values: [RecipeValue]) -> [String] {
    let numbers = values.map(\.line)
    return numbers.count == 4 ? ["\(numbers[0]),\(numbers[1]),\(numbers[2])x\(numbers[3])"] : []
  }

  /// JSON, for values that no word expresses.
  package static let json = TextForm("JSON") { try? RecipeValue(json: $0) }

  static let number = TextForm("NUMBER") { text in
    guard let number = decimalNumber(text), number.isFinite else { return nil }
    return try? RecipeValue(number)
  }

  static let wholeNumber = TextForm("N") { Int($0).map { .integer($0) } }

  /// An integer, or one of 64 bits without a sign, which is a text from 2⁶³ on.
  static let unsignedNumber = TextForm("N") { word in
    if let value = Int(word) { return .integer(value) }
    return UInt64(word).map { .string("\($0)") }
  }

  static let text = TextForm("TEXT") { .string($0) }

  /// A name, or a definition in JSON.
  static func name(_ placeholder: String) -> TextForm {
    TextForm(placeholder) { $0.hasPrefix("{") ? json.read($0) : .string($0) }
  }

  /// A list of `count` values between separators.
  static func list(
    of element: TextForm, count: Int? = nil, separator: Character = ",", as placeholder: String
  ) -> TextForm {
    TextForm(placeholder) { text in
      if text.hasPrefix("[") { return json.read(text) }
      let words = words(of: text, separator: separator)
      guard !words.isEmpty, !words.contains(""), count == nil || words.count == count else {
        return nil
      }
      let values = words.compactMap(element.read)
      return values.count == words.count ? .array(values) : nil
    }
  }

  /// Splits at separators, except within brackets, as in `rgb(1, 2, 3)`. Line breaks are blanks. Several blanks separate like one, and
  /// those around other separators do not count.
  private static func words(of text: String, separator: Character) -> [String] {
    var words = [""]
    var depth = 0
    for letter in text {
      if depth == 0, letter == separator || separator == " " && letter.isWhitespace {
        words.append("")
        continue
      }
      if "([{".contains(letter) { depth += 1 } else if ")]}".contains(letter) { depth -= 1 }
      words[words.count - 1].append(letter)
    }
    return separator == " " ? words.filter { !$0.isEmpty } : words.map(trimmed)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let rest = text.drop(while: \.isWhitespace)
    return String(rest.prefix(rest.count - rest.reversed().prefix(while: \.isWhitespace).count))
  }

  /// An object of two members on both sides of an at sign: `red@0.5`. It splits at the last one.
  static func pair(
    _ first: (name: String, form: TextForm), _ second: (name: String, form: TextForm),
    as placeholder: String
  ) -> TextForm {
    TextForm(placeholder) { text in
      if text.hasPrefix("{"), text.hasSuffix("}") { return json.read(text) }
      guard let place = text.lastIndex(of: "@"),
        let left = first.form.read(String(text[..<place])),
        let right = second.form.read(String(text[text.index(after: place)...]))
      else { return nil }
      return .object([
        RecipeValue.Member(first.name, left), RecipeValue.Member(second.name, right),
      ])
    }
  }

  /// A width and a height, such as `800x600`.
  static let size = TextForm("WxH") { text in
    list(of: wholeNumber, count: 2, separator: "x", as: "").read(text)
  }

  /// A position and a size, such as `10,20,800x600`.
  static let region = TextForm("X,Y,WxH") { text in
    if text.hasPrefix("[") { return json.read(text) }
    let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      .map(trimmed)
    guard parts.count == 3, let x = Int(parts[0]), let y = Int(parts[1]) else { return nil }
    let size = size.read(parts[2]) ?? list(of: wholeNumber, count: 2, as: "").read(parts[2])
    guard case .array(let sides)? = size else { return nil }
    return .array([.integer(x), .integer(y)] + sides)
  }

  /// One of several words, some with a value after a colon: `density:2`. It is not specialized for each type of value: it
  /// runs once for each declaration.
  @_semantics("optimize.sil.specialize.generic.never")
  static func choice<Root>(_ cases: [RecipeCase<Root>]) -> TextForm {
    let words = cases.map { choice in
      choice.payload.map { "\(choice.name):\($0.placeholder)" } ?? choice.name
    }
    let placeholder = words.joined(separator: "|")
    var form = TextForm(
      placeholder, choices: cases.contains { $0.payload != nil } ? [] : words
    ) { text in
      if text.hasPrefix("{") { return json.read(text) }
      // A name may contain a colon.
      if let named = cases.first(where: { $0.isCalled(text) }) {
        return named.needsValue ? nil : .string(text)
      }
      let parts = text.split(separator: ":", maxSplits: 1).map(trimmed)
      guard parts.count == 2 else {
        return cases.allSatisfy(\.needsValue) ? nil : .string(text)
      }
      let payload = cases.first { $0.isCalled(parts[0]) }?.payload
      return payload?.read(parts[1]).map { .object([RecipeValue.Member(parts[0], $0)]) }
    }
    form.names = cases.map { $0.needsValue ? "\($0.name):" : $0.name }
    form.aliases = cases.flatMap(\.aliases)
    return form
  }
}

/// Returns the number that decimal digits state; nil for another word. Hexadecimal digits are refused, as for whole numbers.
package func decimalNumber(_ text: some StringProtocol) -> Double? {
  // `Double.init` reads a C string, and so ignores NUL and what follows.
  text.utf8.contains { $0 == 0 || $0 | 0x20 == UInt8(ascii: "x") } ? nil : Double(text)
}
