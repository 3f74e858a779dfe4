import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// Core Image filters whose formulas Apple documents become recipes that compute them.
@Suite struct CoreImageFormulaTests {
  /// The linear values of a pixel.
  private static let light = [0.05, 0.3, 0.7]

  private static func picture(_ light: [Double], alpha: Double = 1) -> Picture {
    let encoded = ColorPoint(light[0], light[1], light[2], in: .linearSRGB).converted(to: .sRGB)
    let samples = (0..<3).map { Float(encoded.components[$0]) } + [Float(alpha)]
    return Picture(
      Bitmap<Float>(PixelSize(1, 1), in: .sRGB, channels: .rgba) { _, _ in samples })
  }

  /// The linear values and the alpha that a filter makes of them.
  private static func result(
    _ name: String, _ parameters: [String: [Double]] = [:], images: [String: Picture] = [:],
    of picture: Picture = picture(light)
  ) throws -> [Double] {
    var filter = CoreImageFilter(name)
    for (name, values) in parameters {
      filter.parameters[name] =
        values.count == 1 ? .number(values[0]) : .array(values.map(RecipeValue.number))
    }
    for name in images.keys { filter.parameters[name] = .string(name) }
    let inputs = images.merging(["image": picture]) { $1 }
    let found = try Recipe(coreImage: [filter]).picture(inputs)
      .converted(to: .linearSRGB).render(as: Float.self)
    return (0..<4).map { Double(found[0, 0, $0]) }
  }

  private static let formulas: [(name: String, parameters: [String: [Double]], result: [Double])] =
    [
      // Grays become shades of the color.
      (
        "CIWhitePointAdjust", ["inputColor": [1, 0.6, 0.5]],
        [0.05, 0.3 * TransferFunction.sRGB.decode(0.6), 0.7 * TransferFunction.sRGB.decode(0.5)]
      ),
      ("CIColorControls", ["inputBrightness": [0.1]], [0.15, 0.4, 0.8]),
      ("CIColorControls", ["inputContrast": [1.5]], [-0.175, 0.2, 0.8]),
      ("CIColorControls", ["inputBrightness": [0.1], "inputContrast": [2]], [-0.2, 0.3, 1.1]),
      ("CILinearToSRGBToneCurve", [:], light.map { TransferFunction.sRGB.encode($0) }),
      ("CISRGBToneCurveToLinear", [:], light.map { TransferFunction.sRGB.decode($0) }),
      ("CIColorThreshold", ["inputThreshold": [0.29999]], [0, 1, 1]),
      ("CIColorThreshold", ["inputThreshold": [0.30001]], [0, 0, 1]),
      (
        "CIColorClamp",
        ["inputMinComponents": [0.1, 0, 0, 0], "inputMaxComponents": [1, 0.2, 0.9, 1]],
        [0.1, 0.2, 0.7]
      ),
      (
        "CIColorClamp",
        ["inputMinComponents": [0.5, 0.5, -2, 0], "inputMaxComponents": [0.5, 0.5, 3, 1]],
        [0.5, 0.5, 0.7]
      ),
    ]

  @Test(arguments: 0..<10) func formulasAreThoseOfApple(index: Int) throws {
    let (name, parameters, expected) = Self.formulas[index]
    let found = try Self.result(name, parameters)
    for channel in 0..<3 {
      #expect(abs(found[channel] - expected[channel]) < 2e-6, "\(found)")
    }
  }

  /// Without saturation every channel is the luminance; alpha stays.
  @Test func saturationIsAroundLuminance() throws {
    let weights = ColorSpace.sRGB.luminanceWeights
    let luminance = (0..<3).map { weights[$0] * Self.light[$0] }.reduce(0, +)
    let found = try Self.result(
      "CIColorControls", ["inputSaturation": [0]], of: Self.picture(Self.light, alpha: 0.5))
    #expect((0..<3).allSatisfy { abs(found[$0] - luminance) < 2e-6 } && found[3] == 0.5)
  }

  @Test(arguments: [
    ("CIBlendWithMask", 0.3), ("CIBlendWithRedMask", 0.05), ("CIBlendWithBlueMask", 0.7),
    ("CIBlendWithAlphaMask", 1),
  ])
  func masksCountByTheirLinearValues(name: String, expected: Double) throws {
    let found = try Self.result(
      name,
      images: [
        "inputBackgroundImage": Self.picture([0, 0, 0]), "inputMaskImage": Self.picture(Self.light),
      ], of: Self.picture([1, 1, 1]))
    #expect(abs(found[1] - expected) < 2e-6, "\(found)")
  }

  /// Those of RGB keep alpha and sum straight colors.
  @Test(arguments: [
    ("CIConvolution9Horizontal", 0.25, 1.0), ("CIConvolution9Vertical", 0.25, 1),
    ("CIConvolutionRGB9Horizontal", 0.5, 0.5), ("CIConvolutionRGB9Vertical", 0.5, 0.5),
  ])
  func linesOfNineWeights(name: String, alpha: Double, factor: Double) throws {
    let weights = (0..<9).map { $0 == 4 ? 0.5 : 0 }
    let found = try Self.result(
      name, ["inputWeights": weights], of: Self.picture(Self.light, alpha: 0.5))
    #expect(abs(found[3] - alpha) < 1e-6 && abs(found[1] - factor * 0.3) < 2e-6, "\(found)")
  }

  @Test func rangesThatFallAreRefused() throws {
    let error = #expect(throws: RecipeDecodingError.self) {
      try Self.result("CIColorClamp", ["inputMaxComponents": [1, -1, 1, 1]])
    }
    #expect(error.map { "\($0)" }?.contains("only rising ranges of colors") == true)
  }
}
