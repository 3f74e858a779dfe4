/// Returns text for an element or an attribute of XML or HTML: markup is escaped, also where a combining mark follows it, and what
/// XML 1.0 does not allow, such as control characters, is left out.
package func xmlEscaped(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;".unicodeScalars
    case "<": result += "&lt;".unicodeScalars
    case ">": result += "&gt;".unicodeScalars
    case "\"": result += "&quot;".unicodeScalars
    case "\t", "\n", "\r": result.append(scalar)
    case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
    default: result.append(scalar)
    }
  }
  return String(result)
}
