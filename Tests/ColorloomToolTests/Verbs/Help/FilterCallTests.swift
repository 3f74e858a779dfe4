import Colorloom
import ColorloomTool
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// The values that occur in the calls of `colorloom filters`. They are those of the declarations' samples.
struct FilterCalls {
  let picture: Picture
  var other, mask: Picture
  let places: Bitmap<Float>
  let profile: ICCProfile
  let white = ColorPoint(1, 1, 1, in: .sRGB)
  let black = ColorPoint(0, 0, 0, in: .sRGB)
  let red = ColorPoint(1, 0, 0, in: .sRGB)
  let green = ColorPoint(0, 1, 0, in: .sRGB)
  let blue = ColorPoint(0, 0, 1, in: .sRGB)

  init() throws {
    let size = PixelSize(40, 30)
    picture = Picture(TestPictures.floats(size))
    other = picture.exposure(1)
    mask = picture.inverted()
    places = Bitmap(PixelSize(4, 3), in: .linearSRGB, channels: .grayAlpha) { x, y in
      [Float(35 - 10 * x), Float(5 + 10 * y)]
    }
    profile = try ICCProfile(describing: .sGray)
  }
}

/// The Swift calls in `colorloom filters` and in the filter reference.
@Suite struct FilterCallTests {
  /// The filters that a method of a picture applies.
  static let entries = FilterCatalog.withProfiles.entries.filter { !$0.swiftCall.isEmpty }

  /// The filters that are parts of others, which methods apply. Only recipes name them.
  private static let parts: Set = [
    "negative-development", "composite", "blend-by-linear-mask",
    "linear-alpha-mask", "dissolve-by-mask", "resample", "transform-from", "mix-blurs",
    "unsharp-mask",
  ]

  /// Filters whose call has other parameters than the sample: the counts of a diagram are measured on the picture.
  private static let measured: Set = ["chromaticity-diagram"]

  @Test func onlyPartsOfOtherFiltersHaveNoCall() {
    let without = FilterCatalog.withProfiles.entries.filter(\.swiftCall.isEmpty).map(\.name)
    #expect(Set(without) == Self.parts)
  }

  /// The compiler checks the calls in `FilterCalls.swift`, which must equal those of the declarations.
  /// COLORLOOM_RECORD=1 writes them.
  @Test func compiledCallsEqualTheDeclarations() throws {
    var lines = ["    switch filter {"]
    for entry in Self.entries {
      lines += ["    case \"\(entry.name)\":", "      return \(entry.swiftCall)"]
    }
    lines.append("    default: return nil")
    let file = Fixtures.url("../Tests/ColorloomToolTests/Verbs/Help/FilterCalls.swift")
      .standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "    switch filter {"))
    let end = try #require(text.range(of: "    default: return nil"))
    let generated =
      text[..<start.lowerBound] + lines.joined(separator: "\n") + text[end.upperBound...]
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      try generated.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == generated)
  }

  /// The call makes the step that the command and the recipe beside it make.
  @Test(arguments: entries.map(\.name)) func callAppliesTheSample(name: String) throws {
    let picture = try #require(try FilterCalls().picture(of: name))
    let json = try picture.recipe().recipe.json
    let step = try #require(try parameters(of: name, in: RecipeValue(json: json)), "\(json)")
    if Self.measured.contains(name) { return }
    let entry = try #require(Self.entries.first { $0.name == name })
    let sample = try entry.filter(#require(entry.sample), at: name).recipeValue()
    #expect(step == sample)
  }

  /// The call does with several pictures what the command does, in the same order, and with pictures of other sizes elsewhere.
  @Test(arguments: entries.filter { $0.inputs.upperBound > 1 }.map(\.name))
  func callsOfSeveralPicturesMakeThePixelsOfTheCommand(name: String) throws {
    var calls = try FilterCalls()
    calls.other = calls.other.resized(to: .exact(23, 17)).moved(by: Offset(9, 4))
    calls.mask = calls.mask.resized(to: .exact(31, 20)).moved(by: Offset(3, 6))
    let entry = try #require(Self.entries.first { $0.name == name })
    var inputs = [calls.picture, calls.other, calls.mask]
    if entry.inputs.lowerBound == 2 {
      inputs.remove(at: entry.swiftCall.contains("mask") ? 1 : 2)
    }
    let expected = try entry.filter(#require(entry.sample), at: name).picture(of: inputs)
    let picture = try #require(try calls.picture(of: name))
    #expect(picture.region == expected.region)
    #expect(picture.space == expected.space)
    #expect(try picture.render(as: UInt16.self) == expected.render(as: UInt16.self))
  }

  /// The types that hold the parameters of a filter, which its method takes.
  private static let holders = [
    "Canary", "CurveDevelopment", "DensityPrint", "GainMap", "HLGDisplay", "Look", "NegativeFilm",
    "PowerNegative", "PrintDistance", "ProfileRendering", "SoftProof",
  ]

  /// The parameters that are no labels of the method, and their counterparts in Swift.
  private static let saidOtherwise: [String: [String: String]] = [
    "gamut-compress": ["direction": "gamutUncompressed(by:)"],
    "levels": ["all": "the levels themselves"],
    "white-balance": ["light": "kelvin and tint, or neutral"],
    "tone-curves": [
      "all": "the curve itself", "red": "toneCurves", "green": "toneCurves", "blue": "toneCurves",
    ],
    "hlg-rendering": ["direction": "hlgSceneLight(on:white:)"],
    "develop": ["gray": "NegativeFilm.isGray"],
    "aspect-crop": ["ratio": "toAspect"],
    "orient": ["to": "the orientation itself"],
    "thumbnail": ["size": "a width and a height"],
    "transform": ["matrix": "the transform itself"],
    "remap": ["size": "the bitmap's", "columns": "its channel", "rows": "its other channel"],
    "morphology": ["operation": "dilated(by:) and eroded(by:)"],
    "mean": ["of": "columnMeans() and rowMeans()"],
    "noise": ["gray": "isGray"],
    "chromaticity-diagram": [
      "counts": "measured on the picture", "outlines": "gamuts", "in": "converted(to:)",
    ],
    "convert-by-profile": ["compensates-black": "blackPointCompensation"],
    "soft-proof": ["compensates-black": "blackPointCompensation", "in": "SoftProof(on:in:)"],
  ]

  /// Methods can say what recipes and command lines can.
  @Test(arguments: entries.map(\.name)) func parametersAreLabels(name: String) throws {
    let entry = try #require(Self.entries.first { $0.name == name })
    let api = try ["FilterGraph", "ImageFiles", "ColorSpaces"].flatMap {
      try String(
        contentsOf: Fixtures.url("../Documentation/API/\($0).txt").standardizedFileURL,
        encoding: .utf8
      ).split(separator: "\n")
    }
    let method = try #require(
      entry.swiftCall.firstMatch(of: /^(?:try )?(?:[Pp]icture|other)(?:\.(\w+))?\(/)
    ).output.1
    let start = method.map { "func \($0)(" } ?? "init("
    var declarations = api.filter {
      $0.hasPrefix("Picture: \(start)") || $0.hasPrefix("Picture: static \(start)")
    }
    #expect(!declarations.isEmpty)
    let text = entry.swiftCall + declarations.joined()
    for holder in Self.holders where try text.contains(Regex("\\b\(holder)\\b")) {
      declarations += api.filter { $0.hasPrefix("\(holder): init(") }
    }
    // A parameter may have a label and a name: “by mode: BlendMode”.
    let labels = declarations.flatMap { $0.matches(of: #/(\w+)(?: (\w+))?: /#) }.flatMap {
      [$0.output.1, $0.output.2]
    }
    let others = entry.parameters.map(\.name).filter { !labels.contains(camelCased($0)[...]) }
    #expect(Set(others) == Set((Self.saidOtherwise[name] ?? [:]).keys), "\(entry.swiftCall)")
  }

  /// Converts `base-offset` to `baseOffset`.
  private func camelCased(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized }
  }

  /// Returns the parameters of the last step of a filter in a recipe.
  private func parameters(of filter: String, in recipe: RecipeValue) -> RecipeValue? {
    guard case .object(let members) = recipe,
      case .array(let steps)? = members.first(where: { $0.name == "steps" })?.value
    else { return nil }
    return steps.reversed().lazy.compactMap { step in
      guard case .object(let members) = step else { return nil }
      return members.first { $0.name == filter }?.value
    }.first
  }

  /// Tests can call package-level API, clients cannot.
  @Test(arguments: entries.map(\.name)) func callIsPublic(name: String) throws {
    let api = try ["ColorSpaces", "FilterGraph", "ImageBuffer", "ImageFiles"].map {
      try String(
        contentsOf: Fixtures.url("../Documentation/API/\($0).txt").standardizedFileURL,
        encoding: .utf8)
    }.joined(separator: "\n")
    let call = try #require(Self.entries.first { $0.name == name }?.swiftCall)
    let method = try #require(
      call.firstMatch(of: /^(?:try )?(?:[Pp]icture|other)(?:\.(\w+))?\(/)
    ).output.1
    let declaration = method.map { "func \($0)" } ?? "init"
    #expect(
      api.contains("\nPicture: \(declaration)(")
        || api.contains("\nPicture: static \(declaration)("),
      "\(call)")
    for type in call.matches(of: /\b[A-Z]\w+/).map(\.output) where type != "Picture" {
      #expect(api.contains(try Regex("\\n(@nonexhaustive )?(struct|enum) \(type)\\b")), "\(type)")
    }
  }
}
