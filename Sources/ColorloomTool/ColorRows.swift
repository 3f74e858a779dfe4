import Colorloom

/// Converts rows of three numbers or of CSS colors, those given or else those of standard input, and prints a row for each in full
/// precision.
///
/// A row that cannot be read gets a line with its number on standard error, and the others go on. Returns whether all could be.
func convertColors(_ rows: [String], from source: ColorSpace, to target: ColorSpace) -> Bool {
  var number = 0
  var allRead = true
  func convert(_ row: String) {
    number += 1
    do {
      let color =
        try components(of: row).map { ColorPoint($0, in: source) } ?? ColorPoint(css: row)
      print(text(color.converted(to: target)))
    } catch {
      allRead = false
      writeToTerminal(
        "row \(number): three numbers are needed, such as “1 0.5 0”, or a CSS color. \(error)\n")
    }
  }
  if rows.isEmpty {
    while let row = readLine() { convert(row) }
  } else {
    rows.forEach(convert)
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
