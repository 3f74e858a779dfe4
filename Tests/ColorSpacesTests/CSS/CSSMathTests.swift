import ColorSpaces
import Testing
import _TestSupport

/// Math functions in CSS colors (CSS Values 4, 10).
@Suite struct CSSMathTests {
  @Test(arguments: [
    // Arithmetic.
    ("calc(1 + 2 * 3)", 7.0), ("calc((1 + 2) * 3)", 9), ("calc(10 / 4 - 1)", 1.5),
    ("calc(2 * (3 + (4 - 5)))", 4), ("calc(-2 - -3)", 1), ("calc( 8/2/2 )", 2), ("CALC(3)", 3),
    ("calc(calc(1 + 1) * calc(2))", 4), ("calc(/* one */ 1 /* and */ + /* two */ 2)", 3),
    ("calc(1e2 + .5)", 100.5), ("calc(3*-1)", -3),
    // Constants.
    ("calc(2 * pi)", 2 * Double.pi), ("calc(e)", 2.718281828459045),
    ("calc(-1 * -infinity / infinity)", 0),
    ("calc(NaN)", 0), ("calc(0 / 0)", 0), ("calc(1 / infinity)", 0),
    // Comparison, rounding, steps.
    ("min(3, 1, 2)", 1), ("max(3, 1 + 4, 2)", 5), ("clamp(1, 7, 5)", 5), ("clamp(6, 7, 5)", 6),
    ("clamp(none, -7, 5)", -7), ("clamp(1, 700, none)", 700), ("abs(-3.5)", 3.5), ("sign(-8)", -1),
    ("round(2.5)", 3), ("round(-2.5)", -2), ("round(up, 2.1)", 3), ("round(down, -2.1)", -3),
    ("round(to-zero, -2.9)", -2), ("round(7, 5)", 5), ("round(nearest, 8, 5)", 10),
    ("round(0.49999999999999994)", 0), ("calc(round(4503599627370497) - 4503599627370496)", 1),
    ("round(up, -2.1, -1)", -2), ("round(1e300, 1e-300)", 1e300), ("round(5, 0)", 0),
    ("mod(18, 5)", 3), ("mod(-18, 5)", 2), ("mod(18, -5)", -2), ("rem(-18, 5)", -3),
    // Functions; the values are from Python's math module.
    ("sin(90deg)", 1), ("sin(pi / 6)", 0.5), ("cos(60deg)", 0.5), ("tan(45deg)", 1),
    ("cos(0.5turn)", -1), ("sin(100grad)", 1), ("pow(2, 10)", 1024), ("pow(-2, 3)", -8),
    ("pow(2, -0.5)", 0.7071067811865476), ("sqrt(2)", 1.4142135623730951), ("hypot(3, 4)", 5),
    ("hypot(2, 3, 6)", 7), ("hypot(1e200, 1e200)", 1.4142135623730951e200),
    ("calc(hypot(3e-200, 4e-200) * 1e200)", 5), ("hypot(0, -0)", 0), ("log(e)", 1),
    ("log(8, 2)", 3), ("exp(1)", 2.718281828459045), ("log(10)", 2.302585092994046),
    ("calc(asin(1) / 1deg)", 90), ("calc(acos(0.5) / 1deg)", 60),
    ("calc(atan(1) / 1deg)", 45), ("calc(atan2(-1, -1) / 1deg)", -135),
    ("calc(atan2(infinity, infinity) / 1deg)", 45),
    ("calc(atan2(-infinity, infinity) / 1deg)", -45),
    ("calc(atan2(infinity, -infinity) / 1deg)", 135),
    ("calc(atan2(-infinity, -infinity) / 1deg)", -135),
    ("calc(atan2(infinity, -3) / 1deg)", 90), ("calc(atan2(3, -infinity) / 1deg)", 180),
    ("calc(atan2(0, -0) / 1deg)", 180), ("calc(atan2(-0, -1) / 1deg)", -180),
    ("calc(atan2(-0, 1) / 1deg)", 0),
    ("calc(atan2(1deg, 1deg) / 1deg)", 45), ("calc(50% / 10%)", 5), ("calc(1turn / 1deg)", 360),
  ])
  func numbers(_ text: String, _ expected: Double) throws {
    // A channel that CSS does not clamp.
    let color = try CSSColor("color(xyz \(text) 0 0)")
    // Roots, powers and logarithms have errors of a few ulp.
    #expect(
      abs((color.components[0] ?? .nan) - expected) <= 1e-14 * max(1, abs(expected)), "\(color)")
  }

  /// The multiples of an infinite step are zeros and infinities, which become the largest numbers (CSS Values 4, 10.3.1 and 10.9.1).
  @Test func infiniteArguments() throws {
    let most = Double.greatestFiniteMagnitude
    let cases: [(text: String, expected: Double)] = [
      ("round(5, infinity)", 0), ("round(-5, -infinity)", 0), ("round(to-zero, 5, infinity)", 0),
      ("round(up, 5, infinity)", most), ("round(up, 0, infinity)", 0),
      ("round(up, -5, infinity)", 0), ("round(down, -5, infinity)", -most),
      ("round(down, 5, infinity)", 0), ("round(infinity, 5)", most),
      ("round(down, -infinity, 5)", -most), ("round(up, infinity, infinity)", 0),
      // Zeros keep their sign.
      ("calc(1 / round(5, infinity))", most), ("calc(1 / round(-5, infinity))", -most),
      ("calc(1 / round(up, -5, infinity))", -most), ("calc(1 / round(-0.3))", -most),
      ("mod(5, infinity)", 5), ("mod(-5, -infinity)", -5), ("mod(-5, infinity)", 0),
      ("mod(5, -infinity)", 0), ("rem(-5, infinity)", -5), ("hypot(-infinity, 1)", most),
      // Infinite exponents are even.
      ("pow(-2, infinity)", most), ("pow(-2, -infinity)", 0),
      ("calc(1 / pow(-0.5, infinity))", most), ("pow(-1, infinity)", 0),
    ]
    for (text, expected) in cases { try numbers(text, expected) }
  }

  @Test(arguments: [
    ("rgb(calc(255) calc(100% / 4) 0)", "color(srgb 1 0.25 0)"),
    ("rgb(calc(51 * 2), calc(50 + 1), 0, calc(0.25 * 2))", "color(srgb 0.4 0.2 0 / 0.5)"),
    ("rgb(calc(100%), calc(20% * 2), 0%)", "color(srgb 1 0.4 0)"),
    ("hsl(calc(1turn / 4) calc(25% * 2) calc(50%))", "hsl(90 50% 50%)"),
    ("hsl(calc(100grad + 90deg) 10% 20%)", "hsl(180 10% 20%)"),
    ("hsl(calc(60 + 60) 10% 20%)", "hsl(120 10% 20%)"),
    ("hwb(calc(-90deg) 10% 20%)", "hwb(270 10% 20%)"),
    ("hsl(calc(infinity * 1deg) 10% 20%)", "hsl(0 10% 20%)"),
    ("lab(calc(50 * 3) calc(-infinity) calc(0 / 0))", "lab(100 -1.7976931348623157e+308 0)"),
    ("oklch(calc(70%) calc(0.1) calc(0.5turn) / calc(1 / 4))", "oklch(0.7 0.1 180 / 0.25)"),
    ("lch(50% min(20%, 30%) max(10deg, 0.5turn))", "lch(50 30 180)"),
    ("oklab(0.5 none calc(0.1 - 0.2))", "oklab(0.5 none -0.1)"),
    ("color(display-p3 calc(1 / 3 * 3) 0 calc(50% + 25%))", "color(display-p3 1 0 0.75)"),
    // Comments, and constructs that the end of the text closes.
    ("rgb(/* red */255/**/0/**/0/* of three */)/* end */", "color(srgb 1 0 0)"),
    ("rgb(255 0 0", "color(srgb 1 0 0)"), ("rgb(255, 0, 0, 50%", "color(srgb 1 0 0 / 0.5)"),
    ("hsl(120 10% calc(2 * (5% + 5%", "hsl(120 10% 20%)"),
    ("color(srgb 1 0 0 / none", "color(srgb 1 0 0 / none)"),
    ("red /* and so on", "color(srgb 1 0 0)"),
  ])
  func colors(_ text: String, as printed: String) throws {
    let color = try CSSColor(text)
    #expect("\(color)" == printed)
  }

  /// A dimension is a calculation of one term.
  @Test(arguments: [
    "123456.7turn", "-98765.4grad", "1e30deg", "12345.678rad", "-1e-20turn", "1e308turn",
    "1e400grad",
  ])
  func anglesEqualTheirCalculations(angle: String) throws {
    let color = try CSSColor("hsl(\(angle) 50% 50%)")
    #expect(try color == CSSColor("hsl(calc(\(angle)) 50% 50%)"), "\(color)")
    #expect(color.components[0].map { 0 <= $0 && $0 < 360 } == true, "\(color)")
  }

  /// Invalid math functions, and the position of the error in each.
  @Test(arguments: [
    ("rgb(calc() 2 3)", 10), ("rgb(calc(1 +2) 2 3)", 12), ("rgb(calc(1+2) 2 3)", 11),
    ("rgb(calc(1 -(2)) 2 3)", 12), ("rgb(calc(1 +/**/2) 2 3)", 12), ("rgb(calc(1 2) 2 3)", 12),
    ("rgb(calc(1 + 2%) 2 3)", 12), ("rgb(calc(1deg) 2 3)", 5), ("rgb(calc(2% * 2%) 2 3)", 5),
    ("rgb(calc(none) 2 3)", 10), ("rgb(calc(1px) 2 3)", 10), ("hsl(calc(10%) 2% 3%)", 5),
    ("rgb(calc(1), calc(2%), 3)", 14), ("rgb(1, 2, calc(none))", 16), ("rgb(pow(2) 0 0)", 10),
    ("rgb(pow(1%, 2) 0 0)", 5), ("rgb(min() 0 0)", 9), ("rgb(min(1, 2%) 0 0)", 5),
    ("rgb(sin(1%) 0 0)", 5), ("rgb(round(sideways, 1) 0 0)", 11), ("rgb(round(1, 2, 3) 0 0)", 15),
    ("rgb(round(1, 2%) 0 0)", 5), ("rgb(foo(1) 0 0)", 5), ("calc(1)", 1), ("rgb(calc(1)) 0 0)", 12),
    ("rgb(clamp(1, 2) 0 0)", 15), ("rgb(calc(1 + ) 0 0)", 14), ("rgb(calc(* 2) 0 0)", 10),
    ("lab(calc(50 * (1 + 0.5", 23),
  ])
  func invalidMathIsRefusedWithItsPosition(_ text: String, at position: Int) {
    do {
      let color = try CSSColor(text)
      Issue.record("\(text) is read as \(color)")
    } catch {
      #expect(error.position == position, "\(error)")
    }
  }

  /// CSS requires 32 levels; far deeper texts must not overflow the stack.
  @Test func nestingHasALimit() throws {
    func nested(_ levels: Int) -> String {
      "rgb(calc" + String(repeating: "(", count: levels) + "7"
        + String(repeating: ")", count: levels)
        + " 0 0)"
    }
    #expect(try CSSColor(nested(32)) == CSSColor("rgb(7 0 0)"))
    let error = try #require(throws: CSSColorError.self) { try CSSColor(nested(100_000)) }
    #expect("\(error)".contains("at most 64 calculations"), "\(error)")
  }

  /// Every text is parsed or refused, without a crash.
  @Test func anyTextIsParsedOrRefused() {
    let pieces = [
      "calc(", "min(", "clamp(", "round(", "rgb(", "hsl(", ")", "(", "1", "-2e308", "30%",
      "0.5turn",
      " + ", " - ", "*", "/", ",", " ", "none", "infinity", "nan", "pi", "up", "/*", "*/", "é",
    ]
    let text = Generator<[String]>.array(of: .element(of: pieces), count: 1...24)
    checkProperty("any text", text, cases: 5000) { parts in
      let color = try? CSSColor("rgb(" + parts.joined())
      // Components are never NaN or infinite.
      return color?.components.allSatisfy { $0?.isFinite != false } != false
    }
  }
}
