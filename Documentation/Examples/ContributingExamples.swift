import Colorloom
import Testing
import _TestSupport

/// Maps luminance to a ramp between a shadow tone and a highlight tone.
struct Duotone: PointFilter {
  var shadow, light: SIMD3<Float>

  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    let weights = SIMD3<Float>(space.luminanceWeights)
    let (shadow, span) = (shadow, light - shadow)
    program.rows("duotone") { strip in
      for i in strip.indices {
        let tone = (SIMD3(strip.red[i], strip.green[i], strip.blue[i]) * weights).sum()
        strip.red[i] = shadow.x + span.x * tone
        strip.green[i] = shadow.y + span.y * tone
        strip.blue[i] = shadow.z + span.z * tone
      }
    }
  }
}

extension Duotone: RecipeFilter {
  static let declaration = Declaration<Duotone>(
    "duotone", "Replaces colors by a ramp between two tones.",
    Parameter("shadow", \.shadow, "the tone of black", in: 0...1, sample: [0.1, 0, 0.2]),
    Parameter("light", \.light, "the tone of white", in: 0...1, sample: [1, 0.9, 0.6])
  ) { Duotone(shadow: $0, light: $1) }
}

/// Mixes a color into each pixel by its luminance.
struct ToneTint: PointFilter {
  enum Tones: String, Hashable, CaseIterable, RecipeChoice { case shadows, highlights }

  let color: ColorPoint
  let tones: Tones
  let amount: Double

  init(_ color: ColorPoint, in tones: Tones, amount: Double) throws(RecipeError) {
    (self.color, self.tones, self.amount) = (color, tones, amount)
    try Self.declaration.check(self)
  }

  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    let (weights, tint) = (space.luminanceWeights, color.converted(to: space.linear).components)
    let (tones, amount) = (tones, amount / 100)
    program.append(
      .map("tone tint") { color in
        let luminance = (color * weights).sum()
        return color + (tint - color) * amount * (tones == .shadows ? 1 - luminance : luminance)
      })
  }
}

extension ToneTint: RecipeFilter {
  static let declaration = Declaration<ToneTint>(
    "tone-tint", "Mixes a color into shadows or highlights.",
    Parameter(
      "color", \.color, "the color that is mixed in", sample: ColorPoint(1, 0.6, 0.2, in: .sRGB)),
    Parameter("in", \.tones, "the tones that get it", default: .shadows),
    Parameter("amount", \.amount, "the amount", unit: "percent", default: 20, in: 0...100)
  ) { color, tones, amount throws(RecipeError) in
    try ToneTint(color, in: tones, amount: amount)
  }
}

extension Picture {
  /// Returns this picture as a ramp between two tones.
  func duotone(shadow: SIMD3<Float>, light: SIMD3<Float>) -> Picture {
    applying(Duotone(shadow: shadow, light: light))
  }
}

/// The mean of a square of pixels.
struct BoxBlur: AreaFilter {
  var radius: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: radius)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for row in y - radius...y + radius {
      for column in x - radius...x + radius { sum += read(column, row) }
    }
    return sum / Double((2 * radius + 1) * (2 * radius + 1))
  }
}

extension BoxBlur {
  func render(into output: Tile, from input: Tile, with preparation: Void) {
    let side = 2 * radius + 1
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        var result = output.mutableRow(y, plane: plane)
        for x in result.indices {
          var sum: Float = 0
          for row in y - radius...y + radius {
            // The input's row begins `radius` columns before that of the output.
            let values = input.row(row, plane: plane)
            for column in x..<x + side { sum += values[column] }
          }
          result[x] = sum / Float(side * side)
        }
      }
    }
  }
}

/// The maximum of two pictures, channel by channel.
struct Lighten: BlendFilter {
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    pointwiseMax(inputs[0], inputs[1])
  }
}

/// Displaces each pixel to the left or right by the red channel of a map.
struct Displace: AreaBlendFilter {
  var distance: Int

  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region {
    // A pixel needs the map at its own position, and the picture at both positions that the map can select.
    input == 0 ? output.expanded(by: distance) : output
  }

  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (_ input: Int, _ x: Int, _ y: Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(0, x + (read(1, x, y).x > 0.5 ? distance : -distance), y)
  }
}

/// Black and white squares of 2^exponent pixels a side.
struct Checker: Painter {
  var exponent: Int

  func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let isWhite = (x >> exponent) & 1 == (y >> exponent) & 1
    return isWhite ? SIMD4(1, 1, 1, 1) : SIMD4(0, 0, 0, 1)
  }
}

extension Checker: RecipePainter {
  static let declaration = Declaration<Painting<Checker>>(
    "squares", "Paints black and white squares.", keepsGray: true,
    Parameter(
      "exponent", \.painter.exponent, "the logarithm of a side in pixels, to the base 2",
      default: 3, in: 0...12),
    Parameter("space", \.space, "the color space", default: .sRGB)
  ) { Painting(Checker(exponent: $0), in: $1) }
}

/// The filters of the contributors' guide, checked by the laws that it names.
@Suite struct ContributingExamples {
  @Test func pointFilter() throws {
    FilterLaws.check(Duotone(shadow: [0.1, 0, 0.2], light: [1, 0.9, 0.6]))
    let violations = FilterLaws.violations(of: Duotone(shadow: .zero, light: .one))
    #expect(violations.isEmpty, "\(violations)")
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    #expect(photo.duotone(shadow: .zero, light: .one).plan.hasSuffix("duotone"))
  }

  @Test func catalog() throws {
    var catalog = FilterCatalog.builtIn
    catalog.add(Duotone.self)
    let decoder = RecipeDecoder(catalog: catalog)
    #expect(decoder.catalog["duotone"]?.subject == .others)
  }

  /// With the public declarations only: a checked initializer, a choice, a painter, and parameters as words of a tool.
  @Test func filtersOfAnotherPackage() throws {
    var catalog = FilterCatalog.builtIn
    catalog.add(ToneTint.self)
    catalog.add(Checker.self)
    for name in ["tone-tint", "squares"] {
      #expect(FilterLaws.violations(of: try #require(catalog[name])).isEmpty)
    }
    let decoder = RecipeDecoder(catalog: catalog)
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    let (name, parameters) = ("tone-tint", #"{"color": "orange", "in": "highlights"}"#)
    let step = try decoder.recipe(json: #"{"version": 1, "steps": [{"\#(name)": \#(parameters)}]}"#)
    let tinted = try step.picture(["input": photo])
    let filter = try ToneTint(ColorPoint(css: "orange"), in: .highlights, amount: 20)
    #expect(try tinted.render(as: UInt8.self) == photo.applying(filter).render(as: UInt8.self))
    #expect(throws: RecipeError.self) {
      try ToneTint(ColorPoint(1, 1, 1, in: .sRGB), in: .shadows, amount: 101)
    }
  }

  @Test func areaFilter() throws {
    FilterLaws.check(BoxBlur(radius: 2))
  }

  @Test func blendFilter() throws {
    FilterLaws.check(Lighten())
  }

  @Test func areaBlendFilter() throws {
    FilterLaws.check(Displace(distance: 2))
  }

  @Test func painter() throws {
    FilterLaws.check(Checker(exponent: 3))
  }
}
