import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Chains of Core Image filters become recipes that do the same.
@Suite struct CoreImageRecipeTests {
  /// A picture whose pixels all differ: red counts columns, green counts rows from above.
  private static func picture(_ size: PixelSize = PixelSize(12, 10)) -> Picture {
    Picture(
      Bitmap<Float>(size, in: .sRGB, channels: .rgb) { x, y in
        [0.05 + 0.05 * Float(x), 0.05 + 0.05 * Float(y), 0.3]
      })
  }

  private static func result(
    _ filters: [CoreImageFilter], _ inputs: [String: Picture]? = nil
  ) throws -> Bitmap<Float> {
    let recipe = try Recipe(coreImage: filters)
    return try recipe.picture(inputs ?? ["image": picture()]).render(as: Float.self)
  }

  private static func numbers(_ values: Double...) -> RecipeValue {
    .array(values.map(RecipeValue.number))
  }

  /// Values of parameters without defaults.
  private static let required: [String: RecipeValue] = [
    "inputRectangle": numbers(1, 2, 8, 6), "inputBackgroundImage": .string("background"),
    "inputMaskImage": .string("mask"), "inputMask": .string("mask"),
    "inputTopLeft": numbers(0, 10), "inputTopRight": numbers(12, 9),
    "inputBottomRight": numbers(11, 1), "inputBottomLeft": numbers(0, 0),
    "inputCubeData": numbers(
      0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1
    ),
    "inputSourceHeadroom": .number(4),
  ]

  /// A filter with a value for each parameter that needs one.
  private static func sample(_ name: String, of row: CoreImageRow) -> CoreImageFilter {
    var filter = CoreImageFilter(name)
    for parameter in row.parameters { filter.parameters[parameter] = required[parameter] }
    let counts = ["3X3": 9, "5X5": 25, "7X7": 49, "9Horizontal": 9, "9Vertical": 9]
    if let count = counts.first(where: { name.hasSuffix($0.key) })?.value {
      filter.parameters["inputWeights"] = .array(
        Array(repeating: .number(1 / Double(count)), count: count))
    }
    return filter
  }

  // MARK: The table

  @Test func everyRowBecomesARecipeThatRuns() throws {
    let pictures = ["image", "background", "mask"].map { ($0, Self.picture()) }
    for row in CoreImageRow.all {
      for name in row.names {
        let filters = [
          Self.sample(name, of: row),
          CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(0, 0, 1, 1)]),
        ]
        if ["CIAreaAverage", "CIAreaHistogram", "CIDither"].contains(name) {
          #expect(throws: RecipeDecodingError.self) { try Recipe(coreImage: filters) }
          continue
        }
        // Some results, such as a crop, do not cover the corner.
        let recipe = try Recipe(coreImage: name == "CICrop" ? [filters[0]] : filters)
        let inputs = pictures.filter { recipe.inputs.contains($0.0) }
        let picture = try recipe.picture(Dictionary(uniqueKeysWithValues: inputs))
        _ = try picture.render(as: Float.self)
      }
    }
  }

  /// The guide's table equals the declarations. COLORLOOM_RECORD=1 writes it.
  @Test func theGuideListsEveryRow() throws {
    let url = Fixtures.url("../Documentation/Guides/ComingFrom.md").standardizedFileURL
    let guide = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(guide.range(of: "| CIFilter |"))
    let end = try #require(guide.range(of: "\n\n", range: start.lowerBound..<guide.endIndex))
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      let table = String(CoreImageRow.table.dropLast())
      try guide.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: table)
        .write(to: url, atomically: true, encoding: .utf8)
      return
    }
    #expect(guide[start.lowerBound..<end.lowerBound] + "\n" == CoreImageRow.table)
  }

  /// A transparent cube, such as Apple's recipe for a chroma key makes one, leads to the step that has its effect.
  @Test func transparentCubesLeadToTheChromaKey() throws {
    guard case .array(var entries)? = Self.required["inputCubeData"] else {
      Issue.record("no cube")
      return
    }
    entries[3] = .number(0)
    let filter = CoreImageFilter("CIColorCube", ["inputCubeData": .array(entries)])
    let error = #expect(throws: RecipeDecodingError.self) { try Self.result([filter]) }
    #expect(error.map { "\($0)" }?.contains("The step “chroma-key” replaces") == true)
  }

  // MARK: Inputs

  /// The background is read before `image` by a compositing filter, and after it behind another filter.
  @Test(arguments: [
    #"[{"CISourceInCompositing": {"inputBackgroundImage": "back"}}]"#,
    #"[{"CIExposureAdjust": {}}, {"CISourceInCompositing": {"inputBackgroundImage": "back"}}]"#,
  ])
  func imageIsTheFirstInput(chain: String) throws {
    let recipe = try Recipe(json: #"{"version": 1, "coreImage": "# + chain + "}")
    #expect(recipe.inputs == ["image", "back"])
  }

  @Test func otherInputsFollowInTheOrderOfReading() throws {
    let filters = [
      CoreImageFilter("CISourceOverCompositing", ["inputBackgroundImage": .string("z")]),
      CoreImageFilter(
        "CIBlendWithMask",
        ["inputBackgroundImage": .string("b"), "inputMaskImage": .string("a")]),
    ]
    #expect(try Recipe(coreImage: filters).inputs == ["image", "z", "b", "a"])
  }

  private static let over =
    #""coreImage": [{"CISourceOverCompositing": {"inputBackgroundImage": "back"}}]"#

  /// A listed input that no filter reads is an input, too, as beside `"steps"`.
  @Test func listedInputsHaveTheirOrder() throws {
    let recipe = try Recipe(
      json: #"{"version": 1, "inputs": ["back", "image", "more"], "# + Self.over + "}")
    #expect(recipe.inputs == ["back", "image", "more"])
    let pictures = ["image": Self.picture().exposure(1), "back": Self.picture()]
    let found = try recipe.picture(pictures.merging(["more": Self.picture()]) { $1 })
      .render(as: Float.self)
    let expected = try Recipe(json: #"{"version": 1, "# + Self.over + "}").picture(pictures)
      .render(as: Float.self)
    #expect(found == expected)
  }

  @Test(arguments: [
    (#"["image"]"#, over, #"there is no input or earlier filter "back""#),
    (#"["back"]"#, over, #"there is no input or earlier filter "image""#),
    (#"["image", "back", "image"]"#, over, #"inputs[2]: the name "image" is taken already."#),
    (#"["image", 1]"#, over, "inputs[1]: expected a name"),
    (
      #"["image", "soft"]"#, #""coreImage": [{"name": "soft", "CIGaussianBlur": {}}]"#,
      #"coreImage[0].name: the name "soft" is taken already."#
    ),
  ])
  func damagedListsOfInputsAreRefused(list: String, chain: String, sentence: String) throws {
    let error = #expect(throws: RecipeDecodingError.self) {
      try Recipe(json: #"{"version": 1, "inputs": "# + list + ", " + chain + "}")
    }
    let text = try #require(error).description
    #expect(text.contains(sentence), "\(text)")
  }

  // MARK: Pixels

  /// The filters whose defaults change nothing in Core Image.
  @Test(arguments: [
    "CIAffineTransform", "CIColorClamp", "CIColorControls", "CIColorMatrix", "CIExposureAdjust",
    "CIGammaAdjust", "CIHueAdjust", "CIStraightenFilter", "CITemperatureAndTint", "CIToneCurve",
    "CIVibrance", "CIWhitePointAdjust",
  ])
  func defaultsAreTheIdentity(name: String) throws {
    let found = try Self.result([CoreImageFilter(name)])
    let expected = try Self.picture().render(as: Float.self)
    try #require(found.size == expected.size)
    for y in 0..<expected.size.height {
      for x in 0..<expected.size.width {
        for channel in 0..<3 {
          #expect(abs(found[x, y, channel] - expected[x, y, channel]) < 1e-5)
        }
      }
    }
  }

  private static func balance(_ neutral: RecipeValue, _ target: RecipeValue) -> CoreImageFilter {
    CoreImageFilter(
      "CITemperatureAndTint", ["inputNeutral": neutral, "inputTargetNeutral": target])
  }

  @Test func equalNeutralsAddNoStep() throws {
    let filter = Self.balance(Self.numbers(3200, 10), Self.numbers(3200, 10))
    let found = try Recipe(coreImage: [filter])
    let same = try Recipe(json: #"{"version": 1, "coreImage": []}"#)
    #expect(found.inputs == ["image"])
    #expect(found.json == same.json)
  }

  /// A result of an identity has the name of its label.
  @Test func identitiesHaveLabels() throws {
    let found = try Self.result([
      CoreImageFilter("CITemperatureAndTint", label: "same"),
      CoreImageFilter("CIExposureAdjust", ["inputEV": .number(2)]),
      CoreImageFilter("CIExposureAdjust", ["inputImage": .string("same")]),
    ])
    #expect(try found == Self.picture().exposure(0).render(as: Float.self))
  }

  /// The result of an identity is the image that it names, not that of the step before it.
  @Test(arguments: ["bright", "image"]) func identitiesEndChains(of name: String) throws {
    var last = CoreImageFilter("CITemperatureAndTint")
    last.parameters["inputImage"] = .string(name)
    let filters = [
      CoreImageFilter("CIExposureAdjust", ["inputEV": .number(1)], label: "bright"),
      CoreImageFilter("CIColorInvert"), last,
    ]
    let recipe = try Recipe(coreImage: filters)
    #expect(try Recipe(json: recipe.json) == recipe)
    let expected = Self.picture().exposure(name == "image" ? 0 : 1)
    #expect(try Self.result(filters) == expected.render(as: Float.self))
  }

  /// What has the color of the neutral gets that of the target, at the same luminance.
  @Test(arguments: [
    ([3200.0, 0.0], [6500.0, 0.0]), ([6500, 0], [4000, 0]), ([5000, 12], [9000, -7]),
  ])
  func neutralsBecomeTargets(neutral: [Double], target: [Double]) throws {
    func color(_ light: [Double]) throws -> ColorPoint {
      let white = try ColorTemperature(kelvin: light[0], duv: light[1] / 3000).chromaticity
      return ColorPoint(white.xyz * 0.2, in: .xyzD65).converted(to: .sRGB)
    }
    func values(_ light: [Double]) throws -> [Float] {
      let components = try color(light).components
      return (0..<3).map { Float(components[$0]) }
    }
    let before = try values(neutral)
    let picture = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: .sRGB, channels: .rgb) { _, _ in before })
    let filter = Self.balance(
      .array(neutral.map(RecipeValue.number)), .array(target.map(RecipeValue.number)))
    let found = try Self.result([filter], ["image": picture])
    let after = try values(target)
    #expect((0..<3).allSatisfy { abs(found[0, 0, $0] - after[$0]) < 1e-5 })
  }

  @Test func exposureIsTheSameStep() throws {
    let found = try Self.result([CoreImageFilter("CIExposureAdjust", ["inputEV": .number(1)])])
    let expected = try Self.picture().exposure(1).render(as: Float.self)
    #expect(found == expected)
  }

  @Test func croppedRectanglesCountFromBelow() throws {
    let found = try Self.result([
      CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(2, 0, 3, 1)])
    ])
    let expected = try Self.picture().cropped(to: Region(x: 2, y: 9, width: 3, height: 1))
      .render(as: Float.self)
    #expect(found == expected)
  }

  /// Coordinates stay those of Core Image after a crop: the second rectangle is one of the whole picture, too.
  @Test func cropsOfCropsKeepTheirCoordinates() throws {
    let found = try Self.result([
      CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(2, 3, 6, 5)]),
      CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(4, 4, 2, 2)]),
    ])
    let expected = try Self.picture().cropped(to: Region(x: 4, y: 4, width: 2, height: 2))
      .render(as: Float.self)
    #expect(found == expected)
  }

  /// Up by two rows and right by one: the lower left corner of the picture is at (1, 2).
  @Test func translationsGoUp() throws {
    let found = try Self.result([
      CoreImageFilter("CIAffineTransform", ["inputTransform": Self.numbers(1, 0, 0, 1, 1, 2)]),
      CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(1, 2, 1, 1)]),
    ])
    let corner = try Self.picture().cropped(to: Region(x: 0, y: 9, width: 1, height: 1))
      .render(as: Float.self)
    for channel in 0..<3 {
      // Resampling at whole pixels rounds at most once more than reading.
      #expect(abs(found[0, 0, channel] - corner[0, 0, channel]) < 1e-6)
    }
  }

  @Test func layersMeetAtTheLowerLeftCorner() throws {
    let layer = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: .sRGB, channels: .rgb) { _, _ in [1, 0, 0] })
    let found = try Self.result(
      [
        CoreImageFilter(
          "CISourceOverCompositing", ["inputBackgroundImage": .string("background")])
      ], ["image": layer, "background": Self.picture()])
    #expect(found.size == PixelSize(12, 10))
    #expect(found[0, 9, 0] == 1 && found[1, 8, 0] == 1)
    #expect(found[0, 7, 0] < 1 && found[2, 9, 0] < 1 && found[0, 0, 0] < 1)
  }

  @Test func gradientsRunUpwards() throws {
    let found = try Self.result(
      [
        CoreImageFilter(
          "CILinearGradient",
          [
            "inputPoint0": Self.numbers(0, 0), "inputPoint1": Self.numbers(0, 8),
            "inputColor0": Self.numbers(0, 0, 0), "inputColor1": Self.numbers(1, 1, 1),
          ]),
        CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(0, 0, 2, 8)]),
      ], [:])
    #expect(found[0, 7, 1] < found[0, 4, 1] && found[0, 4, 1] < found[0, 0, 1])
  }

  private static let colored: [(color: RecipeValue, expected: ColorPoint)] = [
    (.string("red"), ColorPoint(1, 0, 0, in: .sRGB)),
    (numbers(0.6, 0.45, 0.3), ColorPoint(0.6, 0.45, 0.3, in: .sRGB)),
    (numbers(0.6, 0.45, 0.3, 1), ColorPoint(0.6, 0.45, 0.3, in: .sRGB)),
  ]

  /// White, whose luminance is 1, becomes the color.
  @Test(arguments: 0..<3)
  func monochromeTakesListsAndCSSColors(index: Int) throws {
    let (color, expected) = Self.colored[index]
    let white = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: .sRGB, channels: .rgb) { _, _ in [1, 1, 1] })
    let found = try Self.result(
      [CoreImageFilter("CIColorMonochrome", ["inputColor": color])], ["image": white])
    for channel in 0..<3 {
      #expect(abs(Double(found[0, 0, channel]) - expected.components[channel]) < 1e-5)
    }
  }

  /// Core Image's defaults: squares and stripes of 80 pixels around (150, 150), where *y* points up.
  @Test(arguments: ["CICheckerboardGenerator", "CIStripesGenerator"])
  func patternsBeginAtTheCenter(name: String) throws {
    let found = try Self.result(
      [
        CoreImageFilter(name),
        CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(0, 0, 300, 300)]),
      ], [:])
    func isWhite(_ x: Int, _ y: Int) -> Bool { found[x, 299 - y, 1] > 0.5 }
    let edges = (1..<300).filter { isWhite($0, 150) != isWhite($0 - 1, 150) }
    #expect(edges == [70, 150, 230])
    #expect(isWhite(150, 150) && !isWhite(149, 150))
    let rows = (1..<300).filter { isWhite(150, $0) != isWhite(150, $0 - 1) }
    #expect(rows == (name == "CIStripesGenerator" ? [] : [70, 150, 230]))
  }

  @Test func labelsNameEarlierResults() throws {
    let found = try Self.result([
      CoreImageFilter("CIColorInvert", label: "inverted"),
      CoreImageFilter("CIExposureAdjust", ["inputImage": .string("image"), "inputEV": .number(1)]),
      CoreImageFilter("CIAdditionCompositing", ["inputBackgroundImage": .string("inverted")]),
    ])
    let picture = Self.picture()
    let sum = try picture.exposure(1).composited(
      onto: picture.inverted(.light), operator: .plusLighter
    )
    .render(as: Float.self)
    #expect(found == sum)
  }

  /// Steps take names that no input has, also of those that are read later.
  @Test func inputsMayHaveNamesOfSteps() throws {
    func blended(_ first: String, _ second: String, _ third: String) throws -> Bitmap<Float> {
      let light = Self.picture().exposure(-1)
      return try Self.result(
        [
          CoreImageFilter(
            "CIAdditionCompositing",
            ["inputImage": .string(first), "inputBackgroundImage": .string(second)]),
          CoreImageFilter("CIMultiplyBlendMode", ["inputBackgroundImage": .string(third)]),
        ], [first: light, second: Self.picture(), third: light])
    }
    let found = try blended("core-image-1", "core-image-3", "core-image-4")
    #expect(try found == blended("a", "b", "c"))
  }

  // MARK: JSON and errors

  @Test func recipesHoldChainsOfCoreImage() throws {
    let json =
      #"{"version": 1, "coreImage": [{"CIExposureAdjust": {"inputEV": 0.5}}, {"CICrop": {"inputRectangle": [0, 0, 4, 4]}}]}"#
    let filters = [
      CoreImageFilter("CIExposureAdjust", ["inputEV": .number(0.5)]),
      CoreImageFilter("CICrop", ["inputRectangle": Self.numbers(0, 0, 4, 4)]),
    ]
    #expect(try Recipe(json: json) == Recipe(coreImage: filters))
  }

  private static let damaged: [(json: String, sentence: String)] = [
    (
      #"[{"CIExposureAjust": {}}]"#,
      "coreImage[0]: there is no Core Image filter with a counterpart \"CIExposureAjust\". Did you mean \"CIExposureAdjust\"?"
    ),
    (
      #"[{"CIExposureAdjust": {"inputEv": 1}}]"#,
      "coreImage[0].CIExposureAdjust: there is no parameter of CIExposureAdjust \"inputEv\". Did you mean \"inputEV\"?"
    ),
    (
      #"["CIExposureAdjust"]"#,
      "coreImage[0]: expected a filter such as {\"CIExposureAdjust\": {\"inputEV\": 1}}, found \"CIExposureAdjust\"."
    ),
    (
      #"[{"CIColorInvert": {}}, {"CIMorphologyRectangleMaximum": {"inputWidth": 4, "inputHeight": 4}}]"#,
      "coreImage[1].CIMorphologyRectangleMaximum: the rectangle is 4 × 4; only squares of odd sides have a counterpart."
    ),
    (
      #"[{"CIDither": {}}]"#,
      "coreImage[0].CIDither: dither belongs to rounding and is no filter; here render(as:dither:), write(to:dither:)."
    ),
    (
      #"[{"CIConvolution3X3": {"inputWeights": [1, 2]}}]"#,
      "coreImage[0].CIConvolution3X3.inputWeights: expected a list of 9 numbers"
    ),
    (
      #"[{"CIStripesGenerator": {"inputCenter": [0.5, 0]}}]"#,
      "coreImage[0].CIStripesGenerator: inputCenter is [0.5, 0.0]; only whole pixels have a counterpart."
    ),
    (
      #"[{"CIColorMonochrome": {"inputColor": "nored"}}]"#,
      "coreImage[0].CIColorMonochrome.inputColor: “nored” is not a CSS color"
    ),
    (
      #"[{"CIGuidedFilter": {"inputEpsilon": -1}}]"#,
      "coreImage[0].CIGuidedFilter: inputEpsilon is -1.0; only numbers from 0 up have a counterpart."
    ),
    (#"[{"CICrop": {}}]"#, "coreImage[0].CICrop: \"inputRectangle\" is missing."),
    (#"[{"CIGammaAdjust": {"inputPower": 100}}]"#, "coreImage[0].CIGammaAdjust.gamma"),
    (
      #"[{"CITemperatureAndTint": {"inputTargetNeutral": [200, 0]}}]"#,
      "coreImage[0].CITemperatureAndTint.inputTargetNeutral: "
    ),
  ]

  @Test(arguments: 0..<12)
  func errorsNameTheFilterAndTheCause(index: Int) throws {
    let (json, sentence) = Self.damaged[index]
    let error = #expect(throws: RecipeDecodingError.self) {
      try Recipe(json: #"{"version": 1, "coreImage": "# + json + "}")
    }
    let text = try #require(error).description
    #expect(text.hasPrefix(sentence), "\(text)")
  }

  @Test func stepsBesideCoreImageAreRefused() {
    #expect(throws: RecipeDecodingError.self) {
      try Recipe(json: #"{"version": 1, "coreImage": [], "steps": ["invert"]}"#)
    }
  }
}
