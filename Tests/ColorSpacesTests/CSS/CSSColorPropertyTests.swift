import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Properties of every CSS color and every text.
@Suite struct CSSColorPropertyTests {
  /// Colors in spaces whose components CSS does not clamp.
  private static let color: Generator<CSSColor> = {
    let number = Generator<Double>.adversarialDouble()
    let numbers = Generator<[Double]>.array(of: number, count: 4...4)
    let missing = Generator<[Bool]>.array(of: .element(of: [false, false, true]), count: 4...4)
    return Generator<(CSSColor.Space, [Double], [Bool])>
      .zip(.element(of: CSSColor.Space.allCases), numbers, missing)
      .map { space, numbers, missing in
        var v = zip(numbers, missing).map { $1 ? nil : $0 }
        func confine(_ index: Int, _ range: ClosedRange<Double>) {
          v[index] = v[index].map { min(max($0, range.lowerBound), range.upperBound) }
        }
        func turn(_ index: Int) {
          v[index] = v[index].map { abs($0).truncatingRemainder(dividingBy: 360) }
        }
        switch space {
        case .lab: confine(0, 0...100)
        case .oklab: confine(0, 0...1)
        case .lch, .oklch:
          confine(0, space == .lch ? 0...100 : 0...1)
          confine(1, 0 ... .infinity)
          turn(2)
        case .hsl:
          turn(0)
          confine(1, 0 ... .infinity)
        case .hwb: turn(0)
        default: break
        }
        confine(3, 0...1)
        return CSSColor(space, v[0], v[1], v[2], alpha: v[3])
      }
  }()

  @Test func serializationRoundTrips() {
    checkProperty("parse(print(x)) = x", Self.color, cases: 5000) { color in
      let again = try CSSColor("\(color)")
      if again == color { return true }
      throw Failure("\(color) became \(again)")
    }
  }

  private static let pieces = [
    "rgb(", "rgba(", "hsl(", "hwb(", "lab(", "lch(", "oklab(", "oklch(", "color(", "srgb", "xyz",
    "display-p3", "none", "red", "#", "abc", " ", "  ", ",", "/", ")", "1", "-1", "0.5", ".5",
    "100%",
    "1e3", "1e999", "deg", "turn", "rad", "/*", "*/", "é", "\u{0}", "+", "-", "e", "\\", "\"",
  ]

  /// A color that is parsed serializes to a text that parses to the same color; any other text is an error with a
  /// position.
  private func holds(for text: String) throws -> Bool {
    let color: CSSColor
    do { color = try CSSColor(text) } catch {
      return (1...text.count + 1).contains(error.position) && !error.description.isEmpty
    }
    return try CSSColor("\(color)") == color
  }

  @Test func anySequenceOfTokensIsParsedOrRefused() {
    let texts = Generator<[String]>.array(of: .element(of: Self.pieces), count: 0...14)
    checkProperty("pieces", texts.map { $0.joined() }, cases: 20_000) { try holds(for: $0) }
  }

  @Test func anyBytesAreParsedOrRefused() {
    let bytes = Generator<[Int]>.array(of: .int(in: 0...255), count: 0...40)
    checkProperty("bytes", bytes, cases: 20_000) { bytes in
      try holds(for: String(decoding: bytes.map(UInt8.init), as: UTF8.self))
    }
  }

  @Test func mutatedTextsAreParsedOrRefused() {
    let texts = [
      "rgb(51, 102, 153, .5)", "hsl(120deg 30% 50% / none)", "color(display-p3 1 0.5 -1e-3)",
      "oklch(70% 0.1 0.25turn)", "#336699cc", "rebeccapurple",
    ]
    let index = Generator<Int>.int(in: 0...28)
    checkProperty("one byte", .element(of: texts), index, .int(in: 0...255), cases: 20_000) {
      var bytes = Array($0.utf8)
      bytes[$1 % bytes.count] = UInt8($2)
      return try holds(for: String(decoding: bytes, as: UTF8.self))
    }
  }

  // MARK: hsl() and hwb()

  private static let rgb = Generator<(Double, Double, Double)>.zip(
    .double(in: -0.5...1.5), .double(in: -0.5...1.5), .double(in: -0.5...1.5)
  ).map { SIMD3($0.0, $0.1, $0.2) }

  @Test func hslRoundTrips() {
    checkProperty("hsl", Self.rgb, cases: 5000) { rgb in
      let lightness = (rgb.min() + rgb.max()) / 2
      // HSL distinguishes no colors near white and black, and loses digits there.
      let reach = min(abs(lightness), abs(1 - lightness))
      if reach < 1e-3 { return true }
      let hsl = CSSColor.hsl(sRGB: rgb)
      let error = (CSSColor.sRGB(hsl: hsl) - rgb).largest
      return hsl.y >= 0 && (0..<360).contains(hsl.x) && error <= 1e-14 / reach
    }
  }

  @Test func hwbRoundTrips() {
    checkProperty("hwb", Self.rgb, cases: 5000) { rgb in
      let hwb = CSSColor.hwb(sRGB: rgb)
      return (CSSColor.sRGB(hwb: hwb) - rgb).largest <= 1e-14
    }
    #expect(CSSColor.sRGB(hwb: [77, 60, 60]) == [0.5, 0.5, 0.5])
    #expect(CSSColor.sRGB(hwb: [77, 0, 100]) == .zero)
  }

  @Test func hslAndHwbConvertToSRGB() throws {
    // From the web platform tests: rgb(89, 166, 89) and rgb(153, 128, 77).
    let green = try CSSColor("hsl(120 30% 50% / 0.25)").withoutHue
    #expect(green.space == .sRGB && green.alpha == 0.25)
    #expect((green.values - [0.35, 0.65, 0.35]).largest < 1e-15)
    let brown = try CSSColor("hwb(40 30% 40%)").withoutHue
    #expect((brown.values - [0.6, 0.5, 0.3]).largest < 1e-15)
    let lab = try CSSColor("lab(1 2 none)")
    #expect(lab.withoutHue == lab)
    #expect(CSSColor.sRGB(hsl: [-240, 100, 50]) == CSSColor.sRGB(hsl: [120, 100, 50]))
  }

  @Test(SharedReference.whenPresent) func everyColorOfTheReference() throws {
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: "perceptual.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    var (colors, saturated) = (0, 0)
    for sample in try #require(json["samples"] as? [[String: Any]]) {
      let rgb = SIMD3(try #require(sample["srgb"] as? [Double]))
      // The reference writes hues of grays as NaN, which JSON does not have; those samples are skipped.
      guard rgb.min() >= 0, rgb.max() <= 1, let hsl = sample["hsl"] as? [Double],
        let hwb = sample["hwb"] as? [Double]
      else { continue }
      colors += 1
      let percent = SIMD3(1.0, 100, 100)
      // Hues of near-grays have few digits, so red, green and blue are compared.
      #expect((CSSColor.sRGB(hsl: SIMD3(hsl) * percent) - rgb).largest <= 1e-9)
      #expect((CSSColor.sRGB(hwb: SIMD3(hwb) * percent) - rgb).largest <= 1e-9)
      let spread = rgb.max() - rgb.min()
      guard spread > 1e-3, rgb.min() > 1e-3, rgb.max() < 0.999 else { continue }
      saturated += 1
      #expect((CSSColor.hsl(sRGB: rgb) - SIMD3(hsl) * percent).largest <= 1e-9 / spread)
      #expect((CSSColor.hwb(sRGB: rgb) - SIMD3(hwb) * percent).largest <= 1e-9 / spread)
    }
    #expect(colors > 100 && saturated > 100)
  }
}
