import Foundation

/// Any JSON, for what is only passed on.
enum JSONValue: Codable, Sendable {
  case null
  case bool(Bool)
  /// Apart from other numbers, so that long ones keep their digits.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

/// A value as a line of JSON, its keys in alphabetical order; numbers that JSON does not have are words.
func jsonLine(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  do {
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  } catch {
    preconditionFailure("A report cannot be written as JSON: \(error)")
  }
}

/// The value that a text of JSON means.
func decoded<Value: Decodable>(_ type: Value.Type, fromJSON text: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(text.utf8))
}
