import ColorSpaces
import Testing
import _TestSupport

/// Color spaces whose coordinates depend on all three channels.
@Suite struct CoordinateTests {
  /// Colors in the coordinates of many spaces, computed by other programs; see the tables' README. A powerless hue is
  /// missing.
  private typealias Row = [String: [Double?]]

  private static let spaces: [(key: String, space: ColorSpace)] = [
    ("xyz-d50", .xyzD50), ("lab", .lab), ("lch", .lch), ("lab-d65", .labD65),
    ("lch-d65", .lchD65), ("luv", .luv), ("lchuv", .lchuv), ("oklab", .oklab), ("oklch", .oklch),
    ("jzazbz", .jzazbz), ("jzczhz", .jzczhz), ("ictcp", .ictcp), ("hsl", .hsl), ("hsv", .hsv),
    ("hwb", .hwb), ("xyy", .xyY),
  ]

  @Test func coordinatesEqualTheReferenceTable() throws {
    let rows = try Fixtures.json("Tables/coordinates.json", as: [Row].self)
    #expect(rows.count > 20)
    for row in rows {
      let xyz = try #require(row["xyz"]).map { $0 ?? 0 }
      let color = ColorPoint(SIMD3(xyz), in: .xyzD65)
      let isGray = color.converted(to: .lch).components.y < 1e-4
      for (key, space) in Self.spaces {
        let expected = try #require(row[key])
        let components = color.converted(to: space).components
        for channel in 0..<3 {
          guard let value = expected[channel] else { continue }
          var error = abs(components[channel] - value)
          // Hues wrap around, and grays have none.
          let isHue = channel == 0 ? key.hasPrefix("h") : channel == 2 && key.contains("ch")
          if isHue || key.contains("czh") && channel == 2 {
            error = isGray ? 0 : min(error, 360 - error)
          }
          // The table's own tolerance: 1e-9 of the channel's scale.
          #expect(error <= 1e-9 * max(1, abs(value)), "\(key) of \(xyz)")
        }
      }
    }
  }

  @Test(arguments: CoordinateTests.spaces.map(\.space) + [.xyzD65])
  func coordinatesRoundTrip(through space: ColorSpace) {
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty(
      "sRGB → \(space) → sRGB", .zip(channel, channel, channel), cases: 500
    ) { r, g, b in
      let color = ColorPoint(r, g, b, in: .linearSRGB)
      let back = color.converted(to: space).converted(to: .linearSRGB).components
      // PQ's exponent of 79 and its inverse amplify rounding by 10⁴; the others by 100.
      return try requireClose((back - color.components).largest, 0, within: 2e-12)
    }
  }

  @Test func whiteAndGray() {
    for lab in [ColorSpace.lab, .labD65] {
      let white = ColorPoint(1, 1, 1, in: .sRGB).converted(to: lab).components
      #expect((white - [100, 0, 0]).largest < 1e-12)
    }
    let gray = ColorPoint(0.5, 0.5, 0.5, in: .sRGB).converted(to: .oklch).components
    #expect(gray.y < 1e-7)
  }

  @Test func hueOfGrayIsPowerless() {
    let gray = ColorPoint(0.5, 0.5, 0.5, in: .sRGB)
    let red = ColorPoint(1, 0, 0, in: .sRGB)
    for (space, channel) in [
      (ColorSpace.oklch, 2), (.lch, 2), (.lchuv, 2), (.hsl, 0), (.hsv, 0), (.hwb, 0), (.okhsl, 0),
      (.hsluv, 0), (.hpluv, 0), (.okhsv, 0), (.oklrch, 2), (.lch99o, 2), (.lchD65, 2), (.jzczhz, 2),
      (.cam16JMh, 2), (.hct, 0), (.zcamJMh, 2),
      (.cam16JMh(under: ViewingConditions(adaptingLuminance: 20, surround: .dark)), 2),
    ] {
      for level in [0, 1e-3, 0.02, 0.18, 0.75, 1, 3] {
        let gray = ColorPoint(level, level, level, in: .sRGB).converted(to: space)
        #expect(gray.powerlessChannel == channel, "\(level) in \(space)")
      }
      // One 16-bit code off gray is enough for a hue.
      let tinted = ColorPoint(0.5, 0.5, 0.5 + 0x1p-13, in: .sRGB).converted(to: space)
      #expect(tinted.powerlessChannel == nil, "\(space)")
      #expect(gray.converted(to: space).powerlessChannel == channel, "\(space)")
      #expect(red.converted(to: space).powerlessChannel == nil, "\(space)")
    }
    #expect(gray.converted(to: .oklab).powerlessChannel == nil)
  }

  /// In appearance models white has a small chroma. Interpolation still begins at exactly the first color.
  @Test(arguments: [ColorSpace.cam16JMh, .hct, .zcamJMh, .jzczhz])
  func mixturesOfGraysBeginAtTheFirstColor(in space: ColorSpace) {
    let (white, red) = (ColorPoint(1, 1, 1, in: .sRGB), ColorPoint(1, 0, 0, in: .sRGB))
    let start = white.mixed(with: red, amount: 0, in: space).converted(to: .sRGB).components
    #expect((start - .one).largest <= 1e-12, "\(space)")
  }

  @Test func coordinatesHaveNoCurveOfOneChannel() {
    #expect(TransferFunction.sRGB.curves != nil)
    #expect(ColorSpace.lab.transfer.curves == nil)
    #expect(!ColorSpace.lab.transfer.isLinear)
    #expect(!ColorSpace.lab.isInterchangeable(with: .lch))
  }

  @Test(arguments: [
    ("p3", ColorSpace.displayP3), ("kCGColorSpaceExtendedDisplayP3", .displayP3),
    ("a98-rgb", .adobeRGB), ("prophoto-rgb", .proPhoto), ("xyz", .xyzD65), ("OKLCH", .oklch),
    ("display-p3-linear", .linearDisplayP3), ("Linear Adobe RGB", .adobeRGB.linear),
    ("rec2020-linear", .linearRec2020), ("lin_ap1_scene", .acescg), ("lab-d65", .labD65),
  ])
  func namesAndAliases(name: String, space: ColorSpace) throws {
    #expect(try ColorSpace(named: name) == space)
  }

  @Test func namesAreUnique() throws {
    for space in ColorSpace.all {
      for name in [space.name] + space.aliases {
        #expect(try ColorSpace(named: name) == space, "\(name)")
      }
    }
  }
}
