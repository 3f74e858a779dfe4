import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Layers: operators, blend modes, masks, channels.
@Suite struct CompositeTests {
  private struct Table: Decodable {
    var inputs: [Input]
    var outputs: [String: [[Double]]]

    struct Input: Decodable {
      var source, backdrop: SIMD4<Double>

      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        source = SIMD4(try list.decode(SIMD3<Double>.self), try list.decode(Double.self))
        backdrop = SIMD4(try list.decode(SIMD3<Double>.self), try list.decode(Double.self))
      }
    }
  }

  private static let names: [String: Composite] = {
    var names: [String: Composite] = [
      "clear": Composite(.clear), "copy": Composite(.source), "destination": Composite(.backdrop),
      "source-over": Composite(.sourceOver), "destination-over": Composite(.backdropOver),
      "source-in": Composite(.sourceIn), "destination-in": Composite(.backdropIn),
      "source-out": Composite(.sourceOut), "destination-out": Composite(.backdropOut),
      "source-atop": Composite(.sourceAtop), "destination-atop": Composite(.backdropAtop),
      "xor": Composite(.exclusiveOr), "plus-lighter": Composite(.plusLighter),
      "color-dodge": Composite(mode: .colorDodge), "color-burn": Composite(mode: .colorBurn),
      "hard-light": Composite(mode: .hardLight), "soft-light": Composite(mode: .softLight),
    ]
    for mode in BlendMode.allCases { names[mode.rawValue] = Composite(mode: mode) }
    return names
  }()

  /// Every operator and every mode of the standard, against values computed by other programs; see the tables' README.
  @Test func operatorsAndModesEqualTheTable() throws {
    let table = try Fixtures.json("Tables/blend.json", as: Table.self)
    #expect(table.outputs.count == 29)
    for (name, outputs) in table.outputs {
      let filter = try #require(Self.names[name], "no filter is called \(name)")
      for (input, expected) in zip(table.inputs, outputs) {
        let (source, backdrop) = (premultiplied(input.source), premultiplied(input.backdrop))
        let result = filter.pixel([backdrop, source])
        let rendered = try render(filter, backdrop: input.backdrop, source: input.source)
        for channel in 0..<4 {
          // The standard clamps sums of colors; here they are unclamped.
          let clamped = filter.operator == .plusLighter ? min(result[channel], 1) : result[channel]
          // The documented errors of the table in double and single precision.
          #expect(abs(clamped - expected[channel]) <= 1e-14, "\(name) of \(input)")
          // Saturation and hue are discontinuous where two channels are nearly equal; the table has no such colors in
          // single precision.
          #expect(abs(rendered[channel] - result[channel]) <= 1e-6, "\(name) of \(input)")
        }
      }
    }
  }

  private struct Codes: Decodable {
    var backdrop, source: [SIMD3<Double>]
    var outputs: [String: [SIMD3<Double>]]
  }

  /// Modes against another program, including those that the standard lacks.
  @Test func modesEqualAnotherProgram() throws {
    let table = try Fixtures.json("Tables/blend_codes.json", as: Codes.self)
    #expect(table.outputs.count == 19)
    for (name, outputs) in table.outputs {
      let mode = try #require(BlendMode(rawValue: name))
      for (index, expected) in outputs.enumerated() {
        let (backdrop, source) = (table.backdrop[index] / 65_535, table.source[index] / 65_535)
        let result = Composite(mode: mode).pixel([SIMD4(backdrop, 1), SIMD4(source, 1)])
        for channel in 0..<3 {
          // It rounds to a code and clamps it.
          let code = 65_535 * min(max(result[channel], 0), 1)
          #expect(abs(code - expected[channel]) <= 0.5001, "\(name) of pair \(index)")
        }
      }
    }
  }

  private func premultiplied(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
    var result = pixel * pixel.w
    result.w = pixel.w
    return result
  }

  /// One pixel through the graph, premultiplied.
  private func render(
    _ filter: Composite, backdrop: SIMD4<Double>, source: SIMD4<Double>
  ) throws -> SIMD4<Double> {
    let pictures = [backdrop, source].map { pixel in
      Picture(
        Bitmap<Float>(PixelSize(1, 1), in: .linearSRGB) { _, _ in
          (0..<4).map { Float(pixel[$0]) }
        })
    }
    let result = try pictures[0].applying(filter, with: [pictures[1]]).render(as: Float.self)
    let alpha = result.channels == .rgba ? Double(result[0, 0, 3]) : 1
    return SIMD4(
      Double(result[0, 0, 0]) * alpha, Double(result[0, 0, 1]) * alpha,
      Double(result[0, 0, 2]) * alpha, alpha)
  }

  /// What the note of the blend modes says of colors beyond 0…1, in double and single precision.
  @Test(arguments: BlendMode.allCases) func colorsBeyondTheRangeFollowTheNote(mode: BlendMode)
    throws
  {
    let colors: [SIMD3<Double>] = [
      [-0.5, 0.25, 1.5], [2, 0.5, -1], [0.2, 0.9, 3], [-2, -1, 0.25], [5, 4, 3], [0.25, 0.5, 0.75],
    ]
    func luminosity(_ color: SIMD3<Double>) -> Double { (color * SIMD3(0.3, 0.59, 0.11)).sum() }
    let (filter, range) = (Composite(mode: mode), -1e-12...1 + 1e-12)
    var isBeyond = false
    for backdrop in colors {
      for source in colors {
        let pair = [SIMD4(backdrop, 1), SIMD4(source, 1)]
        let result = filter.pixel(pair)
        let rendered = try render(filter, backdrop: pair[0], source: pair[1])
        for channel in 0..<4 {
          let error = abs(rendered[channel] - result[channel])
          #expect(error <= 1e-6 * max(1, abs(result[channel])), "\(backdrop), \(source)")
        }
        let color = SIMD3(result.x, result.y, result.z)
        let isInside = range.contains(color.min()) && range.contains(color.max())
        switch mode {
        case .colorDodge, .colorBurn, .vividLight: #expect(isInside, "\(backdrop), \(source)")
        case .hardMix: #expect((0..<3).allSatisfy { color[$0] == 0 || color[$0] == 1 })
        case .hue, .saturation, .color, .luminosity:
          let kept = luminosity(mode == .luminosity ? source : backdrop)
          #expect(abs(luminosity(color) - kept) <= 1e-12, "\(backdrop), \(source)")
          let isGray = color.max() - color.min() <= 1e-12
          #expect((0...1).contains(kept) ? isInside : isGray, "\(backdrop), \(source)")
        default: isBeyond = isBeyond || !isInside
        }
      }
    }
    let clamping: Set<BlendMode> = [
      .colorDodge, .colorBurn, .vividLight, .hardMix, .hue, .saturation, .color, .luminosity,
    ]
    #expect(isBeyond != clamping.contains(mode))
  }

  /// The modes of image editors: formulas of two values, computed by hand.
  @Test func furtherModesEqualTheirFormulas() {
    func mixed(_ mode: BlendMode, _ backdrop: Double, _ source: Double) -> Double {
      Composite(mode: mode).pixel([
        SIMD4(backdrop, backdrop, backdrop, 1), SIMD4(source, source, source, 1),
      ]).x
    }
    // Dark and light halves of sources that are binary fractions: exact.
    #expect(mixed(.linearBurn, 0.5, 0.75) == 0.25)
    #expect(mixed(.linearDodge, 0.5, 0.75) == 1.25)
    #expect(mixed(.linearLight, 0.5, 0.75) == 1)
    #expect(mixed(.linearLight, 0.5, 0.25) == 0)
    #expect(mixed(.vividLight, 0.25, 0.75) == 0.5)
    #expect(mixed(.vividLight, 0.75, 0.25) == 0.5)
    #expect(mixed(.pinLight, 0.75, 0.25) == 0.5)
    #expect(mixed(.pinLight, 0.75, 0.75) == 0.75)
    #expect(mixed(.pinLight, 0.25, 0.75) == 0.5)
    #expect(mixed(.hardMix, 0.25, 0.75) == 1)
    #expect(mixed(.hardMix, 0.25, 0.5) == 0)
    #expect(mixed(.subtract, 0.25, 0.75) == -0.5)
    #expect(mixed(.divide, 0.25, 0.5) == 0.5)
    #expect(mixed(.divide, 0.25, 0) == 1)
  }

  /// Half of white over black is ½ in linear light, or ½ in encoded values.
  @Test func spaceDeterminesTheMixture() throws {
    let black = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: .displayP3, channels: .rgb) { _, _ in [0, 0, 0] })
    let veil = Picture(Bitmap<Float>(PixelSize(1, 1), in: .sRGB) { _, _ in [1, 1, 1, 0.5] })
    let light = try veil.composited(onto: black).render(as: Float.self)
    let numbers = try veil.composited(onto: black, in: .sRGB).render(as: Float.self)
    #expect(light.space == .displayP3)
    #expect(light.channels == .rgb)
    // The sRGB encoding of linear ½ (IEC 61966-2-1); 10⁻⁶ for a curve and a matrix in single precision.
    #expect(abs(light[0, 0, 0] - 0.735_356_98) <= 1e-6)
    #expect(abs(numbers[0, 0, 1] - 0.5) <= 1e-6)
  }

  /// A result that is opaque for all inputs has no alpha channel.
  @Test func opacityIsKnownInAdvance() {
    #expect(!Composite(.sourceOver).hasAlpha([false, true]))
    #expect(!Composite(.sourceOver).hasAlpha([true, false]))
    #expect(Composite(.sourceOver).hasAlpha([true, true]))
    #expect(Composite(.exclusiveOr).hasAlpha([false, false]))
    #expect(Composite(.sourceIn).hasAlpha([false, true]))
    #expect(!Composite(.sourceAtop).hasAlpha([false, true]))
    #expect(Composite(.sourceAtop).hasAlpha([true, false]))
    #expect(!Composite(.plusLighter).hasAlpha([true, false]))
  }

  /// A mask of ½ is half of each in linear light; 0 and 1 are exact.
  @Test func maskedPictures() throws {
    let size = PixelSize(3, 1)
    let below = Picture(
      Bitmap<Float>(size, in: .linearSRGB, channels: .rgb) { _, _ in [0.25, 0, 1] })
    let above = Picture(
      Bitmap<Float>(size, in: .linearSRGB, channels: .rgb) { _, _ in [0.75, 1, 3] })
    let mask = Picture(
      Bitmap<Float>(size, in: .sRGB, channels: .gray) { x, _ in [Float(x) / 2] })
    let blended = try below.blended(with: above, mask: mask).render(as: Float.self)
    for channel in 0..<3 {
      let ends = [[Float(0.25), 0.75], [0, 1], [1, 3]][channel]
      #expect(blended[0, 0, channel] == ends[0])
      #expect(blended[1, 0, channel] == (ends[0] + ends[1]) / 2)
      #expect(blended[2, 0, channel] == ends[1])
    }
    let covered = try below.alphaMasked(by: mask).render(as: Float.self)
    #expect((0..<3).map { covered[$0, 0, 3] } == [0, 0.5, 1])
    #expect(covered[1, 0, 0] == 0.25)
  }

  /// The fraction of replaced pixels is as requested, no pixel is mixed, and those of a smaller amount are a subset.
  @Test func dissolvedPictures() throws {
    let size = PixelSize(256, 256)
    let black = Picture(Bitmap<UInt8>(size, in: .sRGB, channels: .rgb) { _, _ in [0, 0, 0] })
    let white = Picture(
      Bitmap<UInt8>(size, in: .sRGB, channels: .rgb) { _, _ in [255, 255, 255] })
    let some = try black.dissolved(into: white, amount: 0.3).render(as: UInt8.self)
    let more = try black.dissolved(into: white, amount: 0.6).render(as: UInt8.self)
    var count = 0
    for y in 0..<256 {
      for x in 0..<256 {
        #expect([0, 255].contains(some[x, y, 0]))
        #expect(some[x, y, 0] <= more[x, y, 0])
        if some[x, y, 0] == 255 { count += 1 }
      }
    }
    // 65,536 trials: four standard deviations, √(n p q) = 117 each.
    #expect(abs(Double(count) - 0.3 * 65536) < 4 * 117)
    let none = try black.dissolved(into: white, amount: 0).render(as: UInt8.self)
    #expect(none == (try black.render(as: UInt8.self)))
    let all = try black.dissolved(into: white, amount: 1).render(as: UInt8.self)
    #expect(all == (try white.render(as: UInt8.self)))
    for amount in [-0.1, 2] {
      #expect(
        throws: RenderError.recipe(
          .parameter("The amount of dissolve", value: amount, allowed: 0...1))
      ) {
        try black.dissolved(into: white, amount: amount).render(as: UInt8.self)
      }
    }
  }

  /// Noise is SplitMix64 of SplitMix64 of SplitMix64 of the seed, and the row, and the column; the generator equals that of
  /// its authors.
  @Test func noiseIsSplitMix64() throws {
    // The first outputs of Vigna's splitmix64.c from the state 1234567.
    var published = SeededGenerator(seed: 1_234_567)
    let first: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
    ]
    for number in first { #expect(published.next() == number) }
    func mixed(_ state: UInt64) -> UInt64 {
      var generator = SeededGenerator(seed: state)
      return generator.next()
    }
    let noise = try Picture.noise(seed: 1_234_567, isGray: false, in: .linearSRGB)
      .cropped(to: Region(x: -1, y: 0, width: 9, height: 3)).render(as: Float.self)
    for (x, y) in [(0, 0), (7, 0), (-1, 0), (5, 2)] {
      let row = mixed(first[0] &+ UInt64(y))
      let pixel = mixed(row &+ UInt64(truncatingIfNeeded: x))
      for channel in 0..<3 {
        // The upper 24 bits as a fraction.
        let expected = Float(mixed(pixel &+ UInt64(channel)) >> 40) / 16_777_216
        #expect(noise[x + 1, y, channel] == expected, "(\(x), \(y))")
      }
    }
  }

  /// Noise depends on the position alone, and is uniformly distributed.
  @Test func noiseIsAFunctionOfThePosition() throws {
    let noise = Picture.noise(seed: 7, isGray: false, in: .linearSRGB)
    let one = try noise.cropped(to: Region(x: 0, y: 0, width: 300, height: 300))
      .render(as: Float.self)
    let other = try noise.cropped(to: Region(x: 13, y: -5, width: 300, height: 300))
      .render(as: Float.self)
    #expect(one[20, 7, 1] == other[7, 12, 1])
    let again = try Picture.noise(seed: 8, in: .linearSRGB)
      .cropped(to: Region(x: 0, y: 0, width: 300, height: 300)).render(as: Float.self)
    #expect(one[0, 0, 0] != again[0, 0, 0])
    for channel in 0..<3 {
      var (sum, neighbors) = (0.0, 0.0)
      for y in 0..<300 {
        for x in 0..<299 {
          let value = Double(one[x, y, channel])
          #expect((0..<1).contains(value))
          sum += value
          neighbors += (value - 0.5) * (Double(one[x + 1, y, channel]) - 0.5)
        }
      }
      // n = 89,700: the mean's standard deviation is 1/√(12 n) = 0.00096, that of the covariance 1/(12 √n) = 0.00028.
      // The bounds are five of them.
      #expect(abs(sum / 89_700 - 0.5) < 0.005)
      #expect(abs(neighbors / 89_700) < 0.0014)
    }
  }

  /// Transparent pixels mix with the background in linear light; the result is opaque and as large as the picture.
  @Test func flatteningMixesWithTheBackground() throws {
    let source = Bitmap<Float>(PixelSize(3, 2), in: .linearSRGB) { x, _ in
      [1, 0.5, 0, Float(x) / 2]
    }
    let ground = ColorPoint(0, 0.5, 0.25, in: .linearSRGB)
    let picture = Picture(source).moved(by: Offset(7, -2))
    let flat = picture.flattened(onto: ground)
    #expect(flat.region == picture.region)
    #expect(!flat.hasAlpha)
    let pixels = try flat.render(as: Float.self)
    #expect((0..<3).map { pixels[0, 1, $0] } == [0, 0.5, 0.25])
    #expect((0..<3).map { pixels[1, 1, $0] } == [0.5, 0.5, 0.125])
    #expect((0..<3).map { pixels[2, 1, $0] } == [1, 0.5, 0])
  }

  private func layered(
    _ layer: Picture, onto backdrop: Picture, _ parameters: String
  ) throws -> Picture {
    let recipe = try Recipe(
      json: """
        {"version": 1, "inputs": ["backdrop", "layer"],
        "steps": [{"from": ["backdrop", "layer"], "layer": {\(parameters)}}]}
        """)
    return try recipe.picture(["backdrop": backdrop, "layer": layer])
  }

  /// Positions count from the corner of the backdrop, wherever both pictures are.
  @Test func layersLieAtAPositionOfTheBackdrop() throws {
    let backdrop = Picture(TestPictures.floats(PixelSize(6, 5), seed: 1)).moved(by: Offset(3, -2))
    let layer = Picture(TestPictures.floats(PixelSize(2, 2), seed: 2)).moved(by: Offset(50, 60))
    let placed = try layered(layer, onto: backdrop, #""at": [4, 3]"#)
    let expected = layer.placed(at: Offset(7, 1)).composited(onto: backdrop)
    #expect(placed.region == backdrop.region)
    #expect(try placed.render(as: Float.self) == expected.render(as: Float.self))
    let unplaced = try layered(layer, onto: backdrop, "")
    #expect(unplaced.region == layer.composited(onto: backdrop).region)
  }

  /// Fractions are of the room beside the layer, and offsets count from there.
  @Test(arguments: [
    (#""x": 0"#, 3, -2), (#""y": 0"#, 3, -2), (#""x": 1"#, 7, -2), (#""y": 1"#, 3, 1),
    (#""x": 1, "y": 1"#, 7, 1), (#""x": 0.5, "y": 0.5"#, 5, -1),
    (#""x": 1, "y": 1, "at": [-2, -1]"#, 5, 0), (#""x": 0.25, "at": [0, 2]"#, 4, 0),
  ])
  func layersLieAtFractionsOfTheBackdrop(parameters: String, x: Int, y: Int) throws {
    let backdrop = Picture(TestPictures.floats(PixelSize(6, 5), seed: 1)).moved(by: Offset(3, -2))
    let layer = Picture(TestPictures.floats(PixelSize(2, 2), seed: 2)).moved(by: Offset(50, 60))
    let placed = try layered(layer, onto: backdrop, parameters)
    let expected = layer.placed(at: Offset(x, y)).composited(onto: backdrop)
    #expect(placed.region == backdrop.region)
    #expect(try placed.render(as: Float.self) == expected.render(as: Float.self))
  }

  /// The method has the parameters of recipes.
  @Test func methodsPlaceAndFadeLayers() throws {
    let backdrop = Picture(TestPictures.floats(PixelSize(6, 5), seed: 1)).moved(by: Offset(3, -2))
    let layer = Picture(TestPictures.floats(PixelSize(2, 2), seed: 2)).moved(by: Offset(50, 60))
    for (parameters, expected) in [
      (#""at": [4, 3]"#, layer.composited(onto: backdrop, at: Offset(4, 3))),
      (#""x": 1"#, layer.composited(onto: backdrop, x: 1)),
      (#""y": 1"#, layer.composited(onto: backdrop, y: 1)),
      (
        #""mode": "multiply", "at": [-1, 2], "x": 0.25, "y": 0, "opacity": 0.5"#,
        layer.composited(
          onto: backdrop, by: .multiply, at: Offset(-1, 2), x: 0.25, y: 0, opacity: 0.5)
      ),
    ] {
      let placed = try layered(layer, onto: backdrop, parameters)
      #expect(placed.region == expected.region, "\(parameters)")
      #expect(try placed.contentHash() == expected.contentHash(), "\(parameters)")
    }
    #expect(
      layer.composited(onto: backdrop, opacity: 1.5).failure
        == .parameter("The opacity of layer", value: 1.5, allowed: 0...1))
  }

  /// A layer that is larger than the backdrop hangs over on both sides of its middle.
  @Test func largerLayersHangOver() throws {
    let backdrop = Picture(TestPictures.floats(PixelSize(2, 2), seed: 1))
    let layer = Picture(TestPictures.floats(PixelSize(6, 4), seed: 2))
    let middle = try layered(layer, onto: backdrop, #""x": 0.5, "y": 0.5"#)
    #expect(middle.region == Region(x: -2, y: -1, width: 6, height: 4))
    let corner = try layered(layer, onto: backdrop, #""x": 1, "y": 1"#)
    #expect(corner.region == Region(x: -4, y: -2, width: 6, height: 4))
  }

  @Test func fractionsNeedEdges() throws {
    let finite = Picture(TestPictures.floats(PixelSize(2, 2), seed: 1))
    let endless = finite.extended(by: .mirrored)
    let refusal = RecipeError.step(at: "steps[0].layer", .endless)
    #expect(try layered(finite, onto: endless, #""x": 0"#).failure == refusal)
    #expect(try layered(endless, onto: finite, #""x": 1"#).failure == refusal)
    #expect(try layered(finite, onto: endless, #""at": [1, 1]"#).failure == nil)
    for x in ["-0.1", "1.1"] {
      #expect(throws: (any Error).self) { try layered(finite, onto: finite, #""x": \#(x)"#) }
    }
  }

  @Test func opacityMultipliesTheAlphaOfLayers() throws {
    func picture(_ pixel: [Float]) -> Picture {
      Picture(Bitmap<Float>(PixelSize(2, 2), in: .linearSRGB) { _, _ in pixel })
    }
    let (backdrop, layer) = (picture([0, 0.5, 1, 1]), picture([1, 0.5, 0, 0.5]))
    for (opacity, alpha) in [(0, 0), (0.5, 0.25), (1, 0.5)] as [(Double, Float)] {
      let pixels = try layered(layer, onto: backdrop, #""opacity": \#(opacity)"#)
        .render(as: Float.self)
      let found = (0..<4).map { pixels[1, 1, $0] }
      for (value, expected) in zip(found, [alpha, 0.5, 1 - alpha, 1]) {
        #expect(abs(value - expected) < 1e-6, "\(opacity): \(found)")
      }
    }
    #expect(
      try layered(layer, onto: backdrop, #""opacity": 1"#).plan
        == layer.composited(onto: backdrop).plan)
    let half = try layered(layer, onto: backdrop, #""opacity": 0.5"#)
    #expect(half.plan.contains("mix of four channels") && !half.plan.contains("mask"))
    for opacity in ["-0.1", "1.1"] {
      #expect(throws: (any Error).self) {
        try layered(layer, onto: backdrop, #""opacity": \#(opacity)"#)
      }
    }
  }

  /// Around the picture there is the color; the picture itself keeps its alpha.
  @Test func paddingWithAColor() throws {
    let source = Bitmap<Float>(PixelSize(2, 2), in: .linearSRGB) { x, y in
      [1, 0.5, 0, x == 0 ? 0 : 0.5]
    }
    let color = ColorPoint(0.25, 0.5, 0.75, in: .linearSRGB)
    let picture = Picture(source)
    let framed = try picture.padded(to: Region(x: -1, y: 1, width: 4, height: 3), with: color)
      .render(as: Float.self)
    func pixel(_ x: Int, _ y: Int) -> [Float] { (0..<4).map { framed[x, y, $0] } }
    #expect(pixel(0, 0) == [0.25, 0.5, 0.75, 1])
    #expect(pixel(1, 0)[3] == 0)
    #expect(pixel(2, 0) == [1, 0.5, 0, 0.5])
    #expect(pixel(2, 1) == [0.25, 0.5, 0.75, 1])
    #expect(
      picture.padded(to: Region(x: 0, y: 0, width: 1, height: 1), with: color).region
        == Region(x: 0, y: 0, width: 1, height: 1))
    let opaque = Picture.constant(color, in: .sRGB).cropped(
      to: Region(x: 0, y: 0, width: 2, height: 2))
    #expect(!opaque.padded(to: Region(x: -1, y: 0, width: 9, height: 2), with: color).hasAlpha)
    #expect(
      try picture.padded(to: Region(x: 9, y: 9, width: 2, height: 2), with: color)
        .render(as: Float.self)[1, 1, 2] == 0.75)
  }
}
