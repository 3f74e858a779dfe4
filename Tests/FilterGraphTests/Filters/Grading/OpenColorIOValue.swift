/// A parameter of an OpenColorIO transform: a number, several numbers, or a word.
enum OpenColorIOValue: Decodable {
  case number(Double), numbers([Double]), word(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let numbers = try? container.decode([Double].self) {
      self = .numbers(numbers)
    } else {
      self = .word(try container.decode(String.self))
    }
  }

  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var numbers: [Double]? { if case .numbers(let values) = self { values } else { nil } }
  var vector: SIMD4<Double>? { numbers.map { SIMD4($0) } }
  var channels: SIMD3<Double>? { number.map(SIMD3.init(repeating:)) }
}
