import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Conversion between pictures and recipes.
@Suite struct RecipeTests {
  // MARK: Round trips

  /// Checks that a picture has the same plan and the same bits after a round trip through JSON.
  private func checkRoundTrip(_ picture: Picture, _ comment: Comment? = nil) throws {
    let (recipe, inputs) = try picture.recipe()
    let read = try decoder.recipe(json: recipe.json)
    #expect(read == recipe, comment)
    #expect(read.json == recipe.json, comment)
    #expect(read.contentHash == recipe.contentHash, comment)
    let again = try read.picture(inputs)
    #expect(again.plan == picture.plan, comment)
    #expect(again.region == picture.region, comment)
    #expect(try again.contentHash() == picture.contentHash(), comment)
    let (first, second) = (picture.piece, again.piece)
    let difference = try second.render(as: Float.self).firstDifference(
      from: first.render(as: Float.self))
    #expect(difference == nil, comment)
  }

  private let decoder: RecipeDecoder = {
    var decoder = RecipeDecoder()
    decoder.catalog.add(Mean.self)
    decoder.catalog.add(SquareMean.self)
    decoder.catalog.add(Ramp.self)
    return decoder
  }()

  @Test func randomGraphsRoundTrip() throws {
    for seed in 2000..<2300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let picture = RandomGraph.picture(depth: 5, using: &generator)
      try checkRoundTrip(picture, "seed \(seed)")
    }
  }

  @Test(arguments: RecipeSamples.all.keys.sorted())
  func everyFilterRoundTrips(name: String) throws {
    for make in RecipeSamples.all[name] ?? [] {
      let picture = make(RecipeSamples.photo)
      try checkRoundTrip(picture)
      let steps = try picture.recipe().recipe.json
      #expect(steps.contains("\"\(name)\""), "\(steps)")
    }
  }

  /// Recipes of earlier versions, in the words that they have for filters.
  @Test(arguments: [
    ("print", "paper-curve"), ("cover", "alpha-mask"), ("coverage-mask", "linear-alpha-mask"),
    ("dissolve-by-die", "dissolve-by-mask"), ("mask-blend", "blend-by-linear-mask"),
    ("variable-blur", "mix-blurs"),
  ])
  func formerNamesAreRead(former: String, name: String) throws {
    let make = try #require(RecipeSamples.all[name]?.first)
    let recipe = try make(RecipeSamples.photo).recipe().recipe
    let old = recipe.json.replacing("\"\(name)\"", with: "\"\(former)\"")
    #expect(old != recipe.json)
    #expect(try Recipe(json: old) == recipe)
    // Other aliases are words of the command line alone.
    #expect(throws: RecipeDecodingError.self) {
      try Recipe(json: old.replacing("\"\(former)\"", with: "\"paper\""))
    }
  }

  /// Recipes of earlier versions, in the words that they have for values and parameters, and values with names of their own.
  @Test(arguments: [
    (#"{"invert": {"meaning": "stored"}}"#, #"{"invert": {"meaning": "encoded"}}"#),
    (
      #"{"grading-curves": {"bypass-logarithm": true}}"#,
      #"{"grading-curves": {"bypasses-logarithm": true}}"#
    ),
    (
      #"{"look": {"steps": [{"hueAdjustedCurves": ["identity", "identity", "identity"]}]}}"#,
      #"{"look": {"steps": [{"hue-adjusted-curves": ["identity", "identity", "identity"]}]}}"#
    ),
    (#"{"aces-output": {"version": "v13"}}"#, #"{"aces-output": {"version": "1.3"}}"#),
    (
      #"{"from": ["input", "input"], "difference-map": {"by": "94-textiles"}}"#,
      #"{"from": ["input", "input"], "difference-map": {"by": {"cie94": [2, 0.048, 0.014]}}}"#
    ),
  ])
  func formerWordsAreRead(former: String, present: String) throws {
    func recipe(_ step: String) throws -> Recipe {
      try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#)
    }
    #expect(try recipe(former) == recipe(present))
    #expect(try recipe(former).json == recipe(present).json)
  }

  @Test func everyFilterHasASample() {
    let names = Set(FilterCatalog.builtIn.names)
    #expect(RecipeSamples.all.keys.allSatisfy(names.contains))
    // Filters without a sample in their declaration have one in RecipeSamples.
    for entry in FilterCatalog.builtIn.entries where entry.sample == nil {
      #expect(RecipeSamples.all[entry.name] != nil, "\(entry.name)")
    }
  }

  /// Every filter that can be named has a declaration in its own file, itself or as the compound that applies it.
  @Test func everyFilterHasADeclaration() throws {
    let sources = Fixtures.url("../Sources/FilterGraph")
    let list = try String(
      contentsOf: sources.appending(path: "Recipes/FilterCatalog+BuiltIn.swift"), encoding: .utf8)
    let kinds = ["PointFilter", "AreaFilter", "BlendFilter", "Painter"]
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n")
      where line.hasPrefix("package struct ") || line.hasPrefix("public struct ") {
        let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard words.count == 4, kinds.contains(words[3]) else { continue }
        count += 1
        let kind = words[3] == "Painter" ? "RecipePainter" : "RecipeFilter"
        let isDeclared = text.contains("extension \(words[2]): \(kind) {")
        let compound = "\(words[2])Compound"
        #expect(
          isDeclared || text.contains("struct \(compound): CompoundFilter, RecipeFilter {"),
          "\(words[2])")
        let name = isDeclared ? words[2] : compound
        let entry = words[3] == "Painter" ? "Painting<\(name)>.self" : "\(name).self"
        #expect(list.contains(" \(entry)") || list.contains("[\(entry)"), "\(entry)")
      }
    }
    #expect(count > 50)
  }

  @Test func spacesAndCurvesRoundTripByDefinition() throws {
    let spaces =
      ColorSpace.all + [
        ColorSpace.sRGB.linear, ColorSpace.adobeRGB.linear,
        ColorSpace("mine", primaries: .p3, transfer: .gamma(1.9)),
        ColorSpace("gray", primaries: .rec709, transfer: .sLog3, isGray: true),
        ColorSpace("sRGB", primaries: .p3, transfer: .pq),
        ColorSpace(
          "table", primaries: .rec2020,
          transfer: TransferFunction("table", decodingTable: [0, 0.1, 0.4, 1])),
        ColorSpace(
          "clamped", primaries: .rec2020, transfer: TransferFunction.sRGB.belowZero(.clamped)),
      ]
    for space in spaces {
      let read = try RecipeDecoder().recipe(
        json: Recipe(RecipeSamples.photo.converted(to: space)).json)
      #expect(try read.picture(["input": RecipeSamples.photo]).space == space)
    }
  }

  // MARK: Sharing

  @Test func sharedStepsStayShared() throws {
    let soft = RecipeSamples.photo.exposure(0.5).blurred(sigma: 2)
    let picture = soft.composited(onto: soft.inverted())
    let (recipe, inputs) = try picture.recipe()
    #expect(recipe.json.components(separatedBy: "gaussian-blur\":").count == 2)
    #expect(try recipe.picture(inputs).plan == picture.plan)
  }

  @Test func severalResults() throws {
    let photo = RecipeSamples.photo
    let print = photo.contrast(1.2)
    let outputs = [
      "wide": print.fitted(into: .displayP3), "narrow": print.fitted(into: .sRGB), "raw": photo,
    ]
    let recipe = try Recipe(outputs: outputs, inputs: ["photo": photo])
    #expect(recipe.inputs == ["photo"])
    #expect(recipe.outputs == ["narrow", "raw", "wide"])
    let read = try Recipe(json: recipe.json)
    #expect(read == recipe)
    let pictures = try read.pictures(["photo": photo])
    for (name, picture) in outputs {
      #expect(pictures[name]?.plan == picture.plan)
      #expect(try read.picture(["photo": photo], output: name).plan == picture.plan)
    }
  }

  /// Unnamed sources get the names that are free.
  @Test func manySourcesGetNames() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB)
    let pictures = (0..<50_000).map { _ in Picture(bitmap) }
    let names = (100_000..<150_000).map(String.init)
    let recipe = try Recipe(
      outputs: Dictionary(uniqueKeysWithValues: zip(names, pictures)),
      inputs: ["input-2": pictures[7]])
    #expect(recipe.inputs.prefix(3) == ["input", "input-3", "input-4"])
    #expect(recipe.inputs[7] == "input-2" && recipe.inputs.last == "input-50000")
  }

  @Test func stepsOfOneFilterGetNumbers() throws {
    let photo = RecipeSamples.photo
    let steps = (1...4).map { photo.exposure(Double($0) / 4) }
    let picture = steps.dropFirst().reduce(steps[0]) { $1.composited(onto: $0) }
    let recipe = try Recipe(picture)
    for name in ["exposure", "exposure-2", "exposure-3"] {
      #expect(recipe.json.contains(#""name": "\#(name)""#), "\(name)")
    }
    #expect(try Recipe(json: recipe.json) == recipe)
  }

  /// A step that is the identity for one picture may change another one.
  @Test func identityStepsAreKept() throws {
    let photo = RecipeSamples.photo
    let other = Picture(TestPictures.floats(PixelSize(50, 20), in: .rec2020))
    let recipe = try Recipe(photo.converted(to: photo.space).resized(to: .fit(41, 23)))
    let result = try recipe.picture(["input": other])
    #expect(result.space == photo.space)
    #expect(result.size == PixelSize(41, 16))
  }

  // MARK: By hand

  @Test func stepsInARow() throws {
    let recipe = try Recipe(
      json: """
        {
          "version": 1,
          "inputs": ["photo"],
          "steps": [
            {"exposure": {"stops": 0.5}},
            {"convert": {"to": "display-p3"}},
            "invert",
            {"levels": {"red": {"black": 0.1}, "all": {"white": 0.9}}},
            {"tone-curves": {"all": {"points": [[0, 0], [0.5, 0.6], [1, 1]]}}},
            {"resize": {"to": {"fit": [20, 20]}, "kernel": "catmull-rom"}},
            {"gamut-fit": {"by": "soft-knee"}}
          ]
        }
        """)
    let photo = RecipeSamples.photo
    let curve = try CubicCurve(through: [[0, 0], [0.5, 0.6], [1, 1]])
    let white = try ChannelLevels(white: 0.9)
    let expected = photo.exposure(0.5).converted(to: .displayP3).inverted()
      .levels(red: try ChannelLevels(black: 0.1), green: white, blue: white).toneCurve(curve)
      .resized(to: .fit(20, 20), by: .catmullRom).applying(try GamutFit(mapping: .softKnee()))
    let picture = try recipe.picture(["photo": photo])
    #expect(picture.plan == expected.plan)
    #expect(try recipe == Recipe(expected, inputs: ["photo": photo]))
  }

  @Test func stepsThatNameOthers() throws {
    let recipe = try Recipe(
      json: """
        {"version": 1, "inputs": ["photo", "mask"], "steps": [
          {"name": "soft", "gaussian-blur": {"sigma": 3}},
          {"from": ["photo", "soft", "mask"], "blend-by-mask": {"channel": "green"}},
          {"name": "small", "resize": {"to": {"scaled": 0.5}}},
          {"name": "sky", "solid-color": {"color": "skyblue", "in": "sRGB"}},
          {"from": ["sky", "small"], "layer": {"mode": "multiply"}},
          {"name": "end", "crop": {"to": [0, 0, 9, 7]}}
        ], "outputs": {"all": "end", "soft": "soft"}}
        """)
    let photo = RecipeSamples.photo
    let mask = Picture(TestPictures.floats(PixelSize(41, 23), seed: 7))
    let sky = Picture.constant(try ColorPoint(css: "skyblue"), in: .sRGB)
    let expected = photo.blended(with: photo.blurred(sigma: 3), mask: mask, channel: .green)
      .resized(to: .scaled(by: 0.5)).composited(onto: sky, by: .multiply)
      .cropped(to: Region(x: 0, y: 0, width: 9, height: 7))
    let pictures = try recipe.pictures(["photo": photo, "mask": mask])
    #expect(pictures["all"]?.plan == expected.plan)
    #expect(pictures["soft"]?.plan == photo.blurred(sigma: 3).plan)
    #expect(try Recipe(json: recipe.json) == recipe)
  }

  @Test func resultWithoutANameIsNotGivenByName() throws {
    let photo = RecipeSamples.photo
    let recipe = try Recipe(photo.exposure(1), inputs: ["photo": photo])
    let error = #expect(throws: RecipeBindingError.unnamedResult) {
      try recipe.pictures(["photo": photo])
    }
    #expect(
      error.map { "\($0)" }
        == "The recipe has one result, without a name. Get it by picture(_:).")
  }

  @Test func paintersNeedNoInput() throws {
    let recipe = try Recipe(
      json: #"{"version": 1, "steps": [{"color-bars": {"size": [64, 8], "in": "sRGB"}}]}"#)
    #expect(recipe.inputs.isEmpty)
    let bars = Picture.colorBars(in: .sRGB, size: PixelSize(64, 8))
    #expect(try recipe.picture().plan == bars.plan)
    #expect(try Recipe(bars) == recipe)
  }

  /// JSON has one type of number, and some writers add a fraction or an exponent to each.
  @Test func wholeNumbersMayHaveFractionsAndExponents() throws {
    let recipe = try Recipe(
      json: #"{"version": 1.0, "steps": [{"crop": {"to": [0, -0.0, 2.0e1, 10]}}]}"#)
    #expect(
      try recipe == Recipe(json: #"{"version": 1, "steps": [{"crop": {"to": [0, 0, 20, 10]}}]}"#))
  }

  @Test func recipesAreCodable() throws {
    var generator = SeededGenerator(seed: 2024)
    let recipe = try RandomGraph.picture(depth: 5, using: &generator).recipe().recipe
    let reader = JSONDecoder()
    if let key = CodingUserInfoKey.recipeDecoder { reader.userInfo[key] = decoder }
    let data = try JSONEncoder().encode(["recipe": recipe])
    #expect(try reader.decode([String: Recipe].self, from: data) == ["recipe": recipe])
    #expect(throws: (any Error).self) {
      try reader.decode(Recipe.self, from: Data(#"{"version": 9}"#.utf8))
    }
  }
}
