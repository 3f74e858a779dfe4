import Foundation

/// Returns a value as one line of JSON with sorted keys. NaN and infinity, which JSON lacks, become strings.
func jsonLine(_ value: any Encodable) -> String {
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

/// Decodes a value from JSON.
func decoded<Value: Decodable>(_ type: Value.Type, fromJSON text: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(text.utf8))
}

extension SIMD3 {
  /// The components as a list, for reports and transforms.
  var array: [Scalar] { [x, y, z] }
}
