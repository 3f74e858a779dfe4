import Colorloom

final class CurveVerb: Verb {
  static let name = "curve"
  static let summary = "encode or decode numbers with a transfer function, one per row"
  static let discussion = """
    Decoding goes from encoded to linear values, encoding the other way. Without numbers, or with “-” in their place, they are \
    read from standard input.

    The transfer functions are \(TransferFunction.named.map(\.name).joined(separator: "; ")).
    """
  static let example = "colorloom curve slog3 encode 0.18 1"
  static var arguments: [Argument<CurveVerb>] {
    [
      .positional(.transferFunction, "the transfer function", \.function),
      .positional(.choice(["encode": true, "decode": false]), "the direction", \.encodes),
      .flag("--json", "print the numbers as a JSON object", \.printsJSON),
      .rest(.text.named("NUMBER"), "a number", \.rows),
    ]
  }

  var function = TransferFunction.linear
  var encodes = false
  var printsJSON = false
  var rows: [String] = []

  func run(in session: Session) throws {
    guard function.curves != nil else {
      throw Misuse("\(function.name) joins three channels; “colorloom color” converts them.")
    }
    try session.convertRows(rows, toJSON: printsJSON) { row in
      let words = row.split(whereSeparator: \.isWhitespace)
      guard words.count == 1, let number = decimalNumber(words[0]) else {
        throw Misuse("A number is needed, not “\(row)”.")
      }
      guard number.isFinite else { throw Misuse("“\(words[0])” is no finite number.") }
      return [encodes ? function.encode(number) : function.decode(number)]
    }
  }
}
