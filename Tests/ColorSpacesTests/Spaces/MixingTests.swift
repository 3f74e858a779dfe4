import ColorSpaces
import Testing
import _TestSupport

/// Interpolation between colors.
@Suite struct MixingTests {
  /// Mixtures by other programs; a missing component is `none`.
  private struct Row: Decodable {
    let start, end, space, hue: String
    let amount: Double
    let components: [Double?]
    let alpha: Double?
  }

  @Test func mixturesEqualTheTable() throws {
    let rows = try Fixtures.json("Tables/mixing.json", as: [Row].self)
    #expect(rows.count >= 100)
    for row in rows {
      let space = try #require(CSSColor.Space(rawValue: row.space))
      let hue = try #require(HueInterpolation(rawValue: row.hue))
      let found = try CSSColor(row.start).mixed(
        with: CSSColor(row.end), amount: row.amount, in: space, hue: hue)
      // Both sides have some twenty rounding errors, in values up to 360.
      #expect(
        isClose(found.components + [found.alpha], row.components + [row.alpha]),
        "\(row) gives \(found)")
    }
  }

  private func isClose(_ found: [Double?], _ expected: [Double?]) -> Bool {
    zip(found, expected).allSatisfy { found, expected in
      if let found, let expected { abs(found - expected) <= 1e-9 } else { found == expected }
    }
  }

  private static let spaces: [ColorSpace] = [
    .oklab, .oklch, .sRGB, .linearSRGB, .lch, .hsl, .hwb, .okhsl, .cam16JMh, .hct,
  ]
  private static let color = Generator<(Double, Double, Double)>.zip(
    .double(in: 0...1), .double(in: 0...1), .double(in: 0...1)
  ).map { ColorPoint($0.0, $0.1, $0.2, in: .sRGB) }

  @Test(arguments: spaces) func mixturesBeginAndEndAtTheirColors(_ space: ColorSpace) {
    checkProperty(
      "ends in \(space)", Self.color, Self.color, .element(of: HueInterpolation.allCases)
    ) { a, b, hue in
      let ends = [(0.0, a), (1, b)].map { amount, color in
        let end = a.mixed(with: b, amount: amount, in: space, hue: hue).converted(to: .sRGB)
        return (end.components - color.components).largest
      }
      // A round trip through the space, with hues up to 360°.
      return try requireClose(max(ends[0], ends[1]), 0, within: 1e-9)
    }
  }

  @Test(arguments: spaces) func mixingIsSymmetric(_ space: ColorSpace) {
    let back: [HueInterpolation: HueInterpolation] = [
      .shorter: .shorter, .longer: .longer, .increasing: .decreasing, .decreasing: .increasing,
    ]
    checkProperty("back and forth in \(space)", Self.color, Self.color, .double(in: 0...1)) {
      (a: ColorPoint, b: ColorPoint, amount: Double) in
      // Equal hues are a whole turn apart in either direction.
      if a == b { return true }
      return try back.allSatisfy { hue, back in
        let there = a.mixed(with: b, amount: amount, in: space, hue: hue)
        let back = b.mixed(with: a, amount: 1 - amount, in: space, hue: back)
        let difference =
          there.converted(to: .linearSRGB).components - back.converted(to: .linearSRGB).components
        return try requireClose(difference.largest, 0, within: 1e-9)
      }
    }
  }

  @Test func huesFollowTheRequestedArc() {
    let hues: [(HueInterpolation, Double, Double, Double)] = [
      (.shorter, 10, 350, -20), (.shorter, 350, 10, 20), (.shorter, 40, 60, 20),
      (.longer, 40, 60, -340), (.longer, 350, 10, -340), (.longer, 50, 50, 360),
      (.increasing, 350, 10, 20), (.increasing, 60, 40, 340), (.increasing, 50, 50, 0),
      (.decreasing, 10, 350, -20), (.decreasing, 40, 60, -340), (.shorter, -10, 370, 20),
    ]
    for (method, start, end, turn) in hues {
      #expect(method.turn(from: start, to: end) == turn, "\(method) \(start) \(end)")
    }
    checkProperty(
      "turns", .double(in: -720...720), .double(in: -720...720),
      .element(of: HueInterpolation.allCases)
    ) { start, end, method in
      let turn = method.turn(from: start, to: end)
      let allowed =
        switch method {
        case .shorter: abs(turn) <= 180
        case .longer: abs(turn) >= 180 && abs(turn) <= 360
        case .increasing: turn >= 0 && turn < 360
        case .decreasing: turn <= 0 && turn > -360
        }
      // It leads to the same hue.
      let rest = (start + turn - end).remainder(dividingBy: 360)
      return try allowed && requireClose(rest, 0, within: 1e-9)
    }
  }

  @Test func powerlessHuesTakeTheOtherColorsHue() {
    let gray = ColorPoint(0.5, 0.5, 0.5, in: .sRGB)
    let red = ColorPoint(1, 0, 0, in: .sRGB)
    let hue = red.converted(to: .oklch).components.z
    for hueInterpolation in [HueInterpolation.shorter, .increasing, .decreasing] {
      let mixed = gray.mixed(with: red, in: .oklch, hue: hueInterpolation)
      #expect(abs(mixed.components.z - hue) < 1e-12)
    }
    let grays = gray.mixed(with: ColorPoint(1, 1, 1, in: .sRGB), in: .oklch)
    #expect(grays.powerlessChannel == 2)
  }

  /// A gray that is already in the interpolation space has a hue as written, which is powerless, too (CSS Color 4, 12).
  @Test(arguments: [
    ("oklch(0.5 0 30)", "oklch(0.7 0.2 200)"), ("lch(50 0 30)", "lch(70 20 200)"),
    ("hsl(30 0% 50%)", "hsl(200 40% 50%)"), ("hwb(30 40% 60%)", "hwb(200 20% 30%)"),
    ("hwb(30 70% 80%)", "hwb(200 20% 30%)"), ("oklch(none 0 30)", "oklch(0.7 0.2 200)"),
  ])
  func writtenHuesOfGraysArePowerless(gray: String, color: String) throws {
    let (gray, color) = (try CSSColor(gray), try CSSColor(color))
    let space = gray.space
    let channel = try #require(ColorPoint(gray).powerlessChannel)
    for mixed in [gray.mixed(with: color, in: space), color.mixed(with: gray, in: space)] {
      #expect(abs(try #require(mixed.components[channel]) - 200) < 1e-9, "\(mixed)")
    }
    let sibling = ColorPoint(gray).mixed(with: ColorPoint(color), in: space.colorSpace)
    #expect(abs(sibling.components[channel] - 200) < 1e-9)
    // Two grays have no hue.
    #expect(gray.mixed(with: gray, in: space).components[channel] == nil)
  }

  /// A missing chroma takes the other color's value, with which the hue means something.
  @Test func huesBesideMissingChromaAreKept() throws {
    let mixed = try CSSColor("oklch(0.5 none 30)").mixed(
      with: CSSColor("oklch(0.7 0.2 50)"), in: .oklch)
    #expect(mixed.components[1] == 0.2)
    #expect(abs(try #require(mixed.components[2]) - 40) < 1e-9)
  }

  @Test func linearMixtureIsTheMean() {
    let yellow = ColorPoint(1, 1, 0, in: .sRGB)
    let blue = ColorPoint(0, 0, 1, in: .sRGB)
    let gray = yellow.mixed(with: blue, in: .linearSRGB)
    // One rounding error of the conversion to linear light.
    #expect((gray.components - 0.5).largest < 1e-15)
    #expect(yellow.mixed(with: blue, amount: 0.25).space == .oklab)
  }

  // MARK: Contrast

  @Test func theContrastOfTheGuidelines() throws {
    func contrast(_ a: String, _ b: String) throws -> Double {
      try ColorPoint(css: a).wcag21Contrast(with: ColorPoint(css: b))
    }
    #expect(abs(try contrast("white", "black") - 21) < 1e-12)
    #expect(try contrast("red", "red") == 1)
    // The lightest gray that passes for text on white, and the next one, by published tables: 4.54 and 4.48.
    #expect(abs(try contrast("#767676", "white") - 4.54) < 0.005)
    #expect(abs(try contrast("#777777", "white") - 4.48) < 0.005)
    checkProperty("contrast", Self.color, Self.color) { a, b in
      let contrast = a.wcag21Contrast(with: b)
      return contrast == b.wcag21Contrast(with: a) && contrast >= 1 && contrast <= 21.000_001
        && a.lightnessContrast(with: b) == b.lightnessContrast(with: a)
    }
    let (white, black) = (ColorPoint(1, 1, 1, in: .sRGB), ColorPoint(0, 0, 0, in: .sRGB))
    #expect(abs(white.lightnessContrast(with: black) - 100) < 1e-12)
  }

  // MARK: Gamut

  @Test func colorsAreInTheirGamut() {
    let red = ColorPoint(1, 0, 0, in: .displayP3)
    #expect(red.isInside(.displayP3) && red.isInside(.lab))
    #expect(!red.isInside(.sRGB) && !red.isInside(.hsl))
    #expect(red.isInside(.sRGB, tolerance: 0.3))
    for gray in ColorSpace.all where gray.isGray {
      #expect(!red.isInside(gray) && red.isInside(gray, tolerance: 2), "\(gray)")
      #expect(ColorPoint(0.5, 0.5, 0.5, in: .displayP3).isInside(gray), "\(gray)")
      #expect(!ColorPoint(1.1, 1.1, 1.1, in: .displayP3).isInside(gray), "\(gray)")
      #expect(!ColorPoint(.nan, 0.5, 0.5, in: .sRGB).isInside(gray), "\(gray)")
    }
    let orange = ColorPoint(1, 0.5, 0, in: .sRGB)
    #expect(orange.isInside(.displayP3) && orange.isInside(.rec2020) && orange.isInside(.hsl))
    // With any slope of the curve at black.
    checkProperty("there and back", Self.color, .element(of: ColorSpace.named)) {
      (color: ColorPoint, space: ColorSpace) in
      let stored = ColorPoint(color.components, in: space)
      return stored.isInside(space) && stored.converted(to: .lab).isInside(space)
    }
  }

  // MARK: Missing components

  /// Two missing opponents are analogous to missing chroma and hue, and vice versa (CSS Color 4, 12.2).
  @Test func missingComponentsAreCarriedOver() throws {
    let lab = try CSSColor("lab(50 none none)").mixed(
      with: CSSColor("oklch(0.7 0.2 120)"), amount: 0.25, in: .oklch)
    #expect(lab.components[1] == 0.2 && lab.components[2] == 120)
    let lch = try CSSColor("lch(50 none none)").mixed(
      with: CSSColor("oklab(0.7 0.1 -0.1)"), amount: 0.25, in: .oklab)
    #expect(lch.components[1] == 0.1 && lch.components[2] == -0.1)
    let both = try CSSColor("oklch(0.5 none none / none)").mixed(
      with: CSSColor("oklch(none none none / none)"), in: .oklch)
    #expect("\(both)" == "oklch(0.5 none none / none)")
  }

  /// Neither missing components nor extreme values cause a NaN: tiny alphas, infinities, missing alpha.
  @Test func mixturesAreFiniteOrMissing() throws {
    let colors = try [
      "rgb(none 20 30)", "rgb(10 20 30 / 1e-310)", "rgb(10 20 30 / 0)", "rgb(10 20 30 / none)",
      "color(srgb calc(infinity) calc(-infinity) calc(NaN))", "hsl(none none none / none)",
      "oklch(none 0 none)", "lab(calc(infinity) calc(-infinity) none / 5e-324)", "transparent",
    ].map { try CSSColor($0) }
    for first in colors {
      for second in colors {
        for space in CSSColor.Space.allCases {
          for amount in [0, 0.5, 1, -0.25, 1.25] {
            let mixed = first.mixed(with: second, amount: amount, in: space)
            // CSSColor would replace NaN by 0; channels that are finite on both sides stay between or near them.
            #expect(mixed.components.allSatisfy { $0?.isFinite != false }, "\(first), \(second)")
            #expect(mixed.alpha.map((0...1).contains) != false)
          }
        }
      }
    }
    // A premultiplied color with an alpha near 0 is still that color.
    let faint = try CSSColor("color(srgb 0.25 0.5 0.75 / 1e-310)")
    let same = faint.mixed(with: faint, in: .sRGB)
    for (number, expected) in zip(same.components, [0.25, 0.5, 0.75]) {
      // Subnormal values have a dozen digits less.
      #expect(abs((number ?? .nan) - expected) <= 1e-9)
    }
  }

  @Test func missingNumbersOfColorPointsAreNaN() {
    let start = ColorPoint(.nan, 0.25, .nan, in: .sRGB)
    let end = ColorPoint(0.5, 0.75, .nan, in: .sRGB)
    let mixed = start.mixed(with: end, in: .sRGB).components
    #expect(mixed.x == 0.5 && mixed.y == 0.5 && mixed.z.isNaN)
    let turned = ColorPoint(0.5, 0.1, .nan, in: .oklch)
      .mixed(with: ColorPoint(0.7, 0.1, 200, in: .oklch), in: .oklch).components
    #expect(turned.z == 200)
  }
}
