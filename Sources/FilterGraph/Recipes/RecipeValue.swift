/// A JSON value, in recipes and in reports.
public enum RecipeValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer.
  case integer(Int)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([RecipeValue])
  /// An object. Its members keep the order in which they were written, unless a decoder of `Codable` values gives them another.
  case object([Member])

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The name, such as `sigma`.
    public var name: String
    /// The value of the member; it may contain lists and objects.
    public var value: RecipeValue

    /// Creates a member.
    public init(_ name: String, _ value: RecipeValue) { (self.name, self.value) = (name, value) }
  }
}

extension RecipeValue {
  /// As one line of JSON.
  var line: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Formatted JSON: values that do not fit a line are broken into several, except lists of numbers.
  var text: String {
    var text = ""
    write(to: &text, indentation: 0)
    return text
  }

  /// The value with the members of all objects sorted by name.
  var sorted: RecipeValue {
    switch self {
    case .array(let values): .array(values.map(\.sorted))
    case .object(let members):
      .object(
        members.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
          .map { Member($0.name, $0.value.sorted) })
    default: self
    }
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += "\(value)"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += "\(value)"
    case .string(let value): text += quoted(value)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        text += (index > 0 ? ", " : "") + quoted(member.name) + ": "
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private func write(to text: inout String, indentation: Int) {
    let line = line
    let fits = line.utf8.count + indentation <= 100
    let (inner, outer) = (
      String(repeating: " ", count: indentation + 2), String(repeating: " ", count: indentation)
    )
    switch self {
    case .array(let values) where !fits && !values.allSatisfy(\.isNumber):
      for (index, value) in values.enumerated() {
        text += (index == 0 ? "[\n" : ",\n") + inner
        value.write(to: &text, indentation: indentation + 2)
      }
      text += "\n\(outer)]"
    case .object(let members) where !fits || indentation == 0:
      for (index, member) in members.enumerated() {
        text += (index == 0 ? "{\n" : ",\n") + inner + quoted(member.name) + ": "
        member.value.write(to: &text, indentation: indentation + 2)
      }
      text += "\n\(outer)}"
    default: text += line
    }
  }

  private var isNumber: Bool {
    switch self {
    case .integer, .number: true
    default: false
    }
  }
}

/// A text as a string of JSON, and as errors quote words of recipes.
func quoted(_ text: String) -> String {
  // Texts of profiles in base 64 have up to millions of characters.
  guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
    return "\"\(text)\""
  }
  let escaped = text.unicodeScalars.map { scalar in
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case _ where scalar.value < 0x20:
      "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
    default: String(scalar)
    }
  }
  return "\"" + escaped.joined() + "\""
}

extension RecipeValue: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Name.self) {
      self = .object(
        try container.allKeys.map {
          Member($0.stringValue, try container.decode(RecipeValue.self, forKey: $0))
        })
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else {
      self = .array(try container.decode([RecipeValue].self))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    if case .object(let members) = self {
      var container = encoder.container(keyedBy: Name.self)
      for member in members { try container.encode(member.value, forKey: Name(member.name)) }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null, .object: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
