import ColorSpaces
import Testing
import _TestSupport

/// CSS colors: parsing, errors with positions, and serialization.
@Suite struct CSSColorTests {
  /// Texts and their serializations. Many are from the web platform tests for CSS Color 4.
  private static let valid: [(text: String, printed: String)] = [
    // Names and codes.
    ("red", "color(srgb 1 0 0)"),
    ("  Lime\n", "color(srgb 0 1 0)"),
    ("TRANSPARENT", "color(srgb 0 0 0 / 0)"),
    ("rebeccapurple", "color(srgb 0.4 0.2 0.6)"),
    ("#f0f", "color(srgb 1 0 1)"),
    ("#F0F8", "color(srgb 1 0 1 / 0.5333333333333333)"),
    ("#336699", "color(srgb 0.2 0.4 0.6)"),
    ("#33669900", "color(srgb 0.2 0.4 0.6 / 0)"),
    // rgb(), modern and legacy syntax.
    ("rgb(255, 0, 0)", "color(srgb 1 0 0)"),
    ("rgb(51,102,153)", "color(srgb 0.2 0.4 0.6)"),
    ("rgba(51 , 102 , 153 , 50%)", "color(srgb 0.2 0.4 0.6 / 0.5)"),
    ("rgb(20%, 40%, 60%, .5)", "color(srgb 0.2 0.4 0.6 / 0.5)"),
    ("rgb(51 102 153)", "color(srgb 0.2 0.4 0.6)"),
    ("RGB(20% 102 60%/0.5)", "color(srgb 0.2 0.4 0.6 / 0.5)"),
    ("rgb(128.5 none none / none)", "color(srgb 0.503921568627451 none none / none)"),
    ("rgb(-2 3 400)", "color(srgb 0 0.011764705882352941 1)"),
    ("rgb(-20% 20% 250%)", "color(srgb 0 0.2 1)"),
    ("rgb(0 0 0 / 200)", "color(srgb 0 0 0)"),
    ("rgb(0 0 0 / -10%)", "color(srgb 0 0 0 / 0)"),
    ("rgb(1e2 2.55E+2 +0)", "color(srgb 0.39215686274509803 1 0)"),
    ("rgb(1e999 0 0)", "color(srgb 1 0 0)"),
    ("rgb(20%40%60%)", "color(srgb 0.2 0.4 0.6)"),
    ("rgb(.5.5+51)", "color(srgb 0.00196078431372549 0.00196078431372549 0.2)"),
    ("rgb(/* r */255/**/0 0/* a */) /* open", "color(srgb 1 0 0)"),
    // hsl() and hwb().
    ("hsl(120, 30%, 50%)", "hsl(120 30% 50%)"),
    ("hsla(120deg, 30%, 50%, 0.5)", "hsl(120 30% 50% / 0.5)"),
    ("hsl(120 30% 50%)", "hsl(120 30% 50%)"),
    ("hsl(120 30 50 / 50%)", "hsl(120 30% 50% / 0.5)"),
    ("hsl(none -10% 150%)", "hsl(none 0% 150%)"),
    ("hsl(-120 30% 50%)", "hsl(240 30% 50%)"),
    ("hwb(0.5turn 20% 30)", "hwb(180 20% 30%)"),
    ("hwb(100grad none 0% / none)", "hwb(90 none 0% / none)"),
    // Lab, LCh, Oklab, OkLCh.
    ("lab(20 0 10/0.5)", "lab(20 0 10 / 0.5)"),
    ("lab(400 -160 160/50%)", "lab(100 -160 160 / 0.5)"),
    ("lab(50% -100% 40%)", "lab(50 -125 50)"),
    ("lab(-40 0 0)", "lab(0 0 0)"),
    ("lab(none none none / none)", "lab(none none none / none)"),
    ("lch(10 20 380deg)", "lch(10 20 20)"),
    ("lch(10 20 -700)", "lch(10 20 20)"),
    ("lch(50% 20% 0.25turn)", "lch(50 30 90)"),
    ("lch(20 -20 0)", "lch(20 0 0)"),
    ("oklab(4 0 0.1/50%)", "oklab(1 0 0.1 / 0.5)"),
    ("oklab(40% 50% -100%)", "oklab(0.4 0.2 -0.4)"),
    ("oklch(0.1 0.2 1.5707963267948966rad)", "oklch(0.1 0.2 90)"),
    ("OKLCH(70% 50% 250)", "oklch(0.7 0.2 250)"),
    // color().
    ("color(srgb 400% 0 10/50%)", "color(srgb 4 0 10 / 0.5)"),
    ("color(srgb-linear .2 .2 25%)", "color(srgb-linear 0.2 0.2 0.25)"),
    ("color(Display-P3 1 0 0)", "color(display-p3 1 0 0)"),
    ("color(display-p3-linear 1 0 0)", "color(display-p3-linear 1 0 0)"),
    ("color(a98-rgb -200 -200 -200 / -200)", "color(a98-rgb -200 -200 -200 / 0)"),
    ("color(prophoto-rgb none none none / none)", "color(prophoto-rgb none none none / none)"),
    ("color(rec2020 10% none 0 / .5)", "color(rec2020 0.1 none 0 / 0.5)"),
    ("color(xyz .2 .2 .25)", "color(xyz-d65 0.2 0.2 0.25)"),
    ("color(xyz-d50 1 1 1)", "color(xyz-d50 1 1 1)"),
    ("color(xyz-d65 100% 1e-7 -1)", "color(xyz-d65 1 1e-07 -1)"),
  ]

  @Test(arguments: valid) func validTextIsParsedAndSerialized(_ text: String, as printed: String)
    throws
  {
    let color = try CSSColor(text)
    #expect("\(color)" == printed)
    #expect(try CSSColor(printed) == color)
    #expect(try CSSColor(" \t\r\n\u{C}/* */\(text.uppercased())\n") == color)
  }

  /// Texts that are not colors, and the position of the error in each.
  private static let invalid: [(text: String, position: Int)] = [
    ("", 1), ("   ", 4), ("reddish", 1), ("currentcolor", 1), ("blac\u{212A}", 1), ("red blue", 5),
    ("#", 1), ("#ff", 1), ("#fffff", 1), ("#fffffffff", 1), ("#ggg", 1), ("#+12", 1), ("# fff", 1),
    ("fff", 1), ("12", 1), ("rgb", 1), ("rgb (1 2 3)", 1), ("rgb(", 5), ("rgb()", 5),
    ("rgb(1 2)", 8), ("rgb(1 2 3 4", 11), ("rgb(1 2 3 4)", 11), ("rgb(1 2 3))", 11),
    ("rgb(1 2 3 /)", 12), ("rgb(1 2 3 / 4 5)", 15), ("rgb(1 2 3 / 1 5)", 15), ("rgb(1 2 3, 4)", 10),
    ("rgb(1, 2 3)", 10),
    ("rgb(1, 2, 3 / 4)", 13), ("rgb(1, 2, 3,)", 13), ("rgb(1, 2, 3, 4, 5)", 15),
    ("rgb(1, 2%, 3)", 8), ("rgb(1%, 2%, 3)", 13), ("rgb(1, 2, none)", 11),
    ("rgb(none, 2, 3)", 9), ("rgb(1, 2, 3, none)", 14), ("rgb(1deg 2 3)", 5), ("rgb(1px 2 3)", 5),
    ("rgb(1. 2 3)", 6), ("rgb(1none 2 3)", 5), ("rgb(red 2 3)", 5), ("rgb(blur(1) 2 3)", 5),
    ("rgb(from red r g b)", 5), ("hsl(120, 30, 50%)", 10), ("hsl(10% 20% 30%)", 5),
    ("hsl(120 30% 40deg)", 13), ("hwb(120, 30%, 50%)", 8), ("hwb(1e3px 0 0)", 5),
    ("lab(1, 2, 3)", 6),
    ("lch(1 2 3%)", 9), ("lch(1 2 3%)", 9), ("oklab(1 2 3deg)", 11), ("cmyk(1 2 3 4)", 1),
    ("color(1 2 3)", 7), ("color(srgb, 1, 2, 3)", 11), ("color(srgb 1 2)", 15),
    ("color(srgb 0 0 0 0)", 18), ("color(srgb 0deg 0% 0)", 12), ("color(lab 1 2 3)", 7),
    ("color(--mine 1 2 3)", 7), ("é", 1), ("rgb(1 2 é)", 9), ("🟥🟥 red", 1), ("red 🟥", 5),
  ]

  @Test(arguments: invalid) func invalidTextIsRefusedWithItsPosition(
    _ text: String, at position: Int
  ) {
    do {
      let color = try CSSColor(text)
      Issue.record("read as \(color)")
    } catch {
      #expect(error.position == position, "\(error)")
      #expect(error.text == text)
    }
  }

  @Test func errorsAreSentences() {
    func message(_ text: String) -> String? {
      do { return "\(try CSSColor(text))" } catch { return "\(error)" }
    }
    #expect(
      message("rgb(1 2)")
        == "“rgb(1 2)” is not a CSS color: character 8 should be a number, a percentage or “none”, "
        + "but “)” is there.")
    #expect(
      message("rgb(1, 2%, 3)")
        == "“rgb(1, 2%, 3)” is not a CSS color: character 8 should be a number without a percent "
        + "sign, but “2%” is there.")
    #expect(
      message("lch(1 2 3%)")
        == "“lch(1 2 3%)” is not a CSS color: character 9 should be an angle in deg, grad, rad or "
        + "turn, a number of degrees or “none”, but “3%” is there.")
    #expect(
      message("lab(1 2 3]")
        == "“lab(1 2 3]” is not a CSS color: character 10 should be “/” or “)”, but “]” is there."
    )
    #expect(
      message(String(repeating: "no", count: 5000))?.count ?? .max < 300)
  }

  @Test func componentsAreKeptAsWritten() throws {
    let color = try CSSColor("oklch(70% none 250deg / 25%)")
    #expect(color.space == .oklch)
    #expect(color.components == [0.7, nil, 250])
    #expect(color.values == [0.7, 0, 250])
    #expect(color.alpha == 0.25)
    #expect(try CSSColor("rgb(1 2 3 / none)").alpha == nil)
    #expect(try CSSColor("#abc") == CSSColor("rgb(170 187 204)"))
  }

  @Test func namesEqualTheirHexadecimalCodes() throws {
    let codes = [
      "aliceblue": "#f0f8ff", "black": "#000", "cyan": "#0ff", "darkslategray": "#2f4f4f",
      "fuchsia": "#f0f", "gray": "#808080", "green": "#008000", "lightgoldenrodyellow": "#fafad2",
      "maroon": "#800000", "mediumpurple": "#9370db", "palevioletred": "#db7093",
      "purple": "#800080", "rebeccapurple": "#639", "white": "#fff", "yellowgreen": "#9acd32",
    ]
    for (name, code) in codes { #expect(try CSSColor(name) == CSSColor(code), "\(name)") }
    for shade in ["", "dark", "darkslate", "dim", "light", "lightslate", "slate"] {
      #expect(try CSSColor("\(shade)gray") == CSSColor("\(shade)grey"))
    }
  }

  @Test func everySpaceSerializesByItsName() throws {
    for space in CSSColor.Space.allCases {
      let color = CSSColor(space, 0.5, nil, 0.25, alpha: nil)
      #expect("\(color)".contains(space.rawValue))
      #expect(try CSSColor("\(color)") == color)
    }
  }

  @Test func alphaIsClamped() {
    #expect(CSSColor(.sRGB, 0, 0, 0, alpha: 2).alpha == 1)
    #expect(CSSColor(.sRGB, 0, 0, 0, alpha: -.infinity).alpha == 0)
    let mixed = CSSColor(.sRGB, 0.5, 0.5, 0.5, alpha: 2).mixed(
      with: CSSColor(.sRGB, 0.5, 0.5, 0.5), in: .sRGB)
    #expect(mixed == CSSColor(.sRGB, 0.5, 0.5, 0.5))
  }

  @Test func nanDoesNotReachTheSerialization() {
    let color = CSSColor(.sRGB, .nan, .infinity, -.infinity, alpha: .nan)
    #expect(
      "\(color)"
        == "color(srgb 0 1.7976931348623157e+308 -1.7976931348623157e+308 / 0)")
  }
}
