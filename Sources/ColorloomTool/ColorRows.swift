import Colorloom

/// Converts rows of three numbers or of CSS colors, those given or else those of standard input, and prints a row for each in full
/// precision.
///
/// A row that cannot be read gets a line with its number on standard error, and the others go on. Returns whether all could be.
func convertColors(_ rows: [String], from source: ColorSpace, to target: ColorSpace) -> Bool {
  convertRows(rows, needed: "three numbers are needed, such as “1 0.5 0”, or a CSS color") { row in
    let color = try components(of: row).map { ColorPoint($0, in: source) } ?? ColorPoint(css: row)
    return text(color.converted(to: target))
  }
}

/// Encodes or decodes rows of one number; see ``convertColors(_:from:to:)``.
func convertNumbers(
  _ rows: [String], _ function: TransferFunction, encodes: Bool
) -> Bool {
  convertRows(rows, needed: "a number is needed") { row in
    guard let number = Double(row.filter { $0 != " " }) else { throw Misuse("Got “\(row)”.") }
    return "\(encodes ? function.encode(number) : function.decode(number))"
  }
}

private func convertRows(
  _ rows: [String], needed: String, _ convert: (String) throws -> String
) -> Bool {
  var number = 0
  var allRead = true
  func handle(_ row: String) {
    number += 1
    do {
      print(try convert(row))
    } catch {
      allRead = false
      writeToTerminal("row \(number): \(needed). \(error)\n")
    }
  }
  if rows.isEmpty {
    while let row = readLine() { handle(row) }
  } else {
    rows.forEach(handle)
  }
  return allRead
}

/// Three numbers between spaces or commas; `none` is 0, as in CSS.
private func components(of row: String) -> SIMD3<Double>? {
  let words = row.split { $0 == " " || $0 == "," || $0 == "\t" }
  let numbers = words.compactMap { $0 == "none" ? 0 : Double($0) }
  guard words.count == 3, numbers.count == 3 else { return nil }
  return SIMD3(numbers[0], numbers[1], numbers[2])
}

/// The numbers with every digit that matters; a hue that means nothing is `none`.
private func text(_ color: ColorPoint) -> String {
  (0..<3).map { $0 == color.powerlessChannel ? "none" : "\(color.components[$0])" }
    .joined(separator: " ")
}
