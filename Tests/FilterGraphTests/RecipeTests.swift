import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Pictures become recipes and recipes pictures.
@Suite struct RecipeTests {
  // MARK: There and back

  /// A picture through JSON and back: the same plan, the same bits.
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
    let (first, second) = (shown(picture), shown(again))
    let difference = try second.render(as: Float.self).firstDifference(
      from: first.render(as: Float.self))
    #expect(difference == nil, comment)
  }

  private func shown(_ picture: Picture) -> Picture {
    picture.isEndless ? picture.cropped(to: Region(x: -3, y: -2, width: 37, height: 19)) : picture
  }

  private let decoder: RecipeDecoder = {
    var decoder = RecipeDecoder()
    decoder.register(Mean.self)
    decoder.register(SquareMean.self)
    decoder.register(Ramp.self)
    return decoder
  }()

  @Test func randomGraphs() throws {
    for seed in 2000..<2300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let picture = RandomGraph.picture(depth: 5, using: &generator)
      try checkRoundTrip(picture, "seed \(seed)")
    }
  }

  @Test(arguments: RecipeSamples.all.keys.sorted())
  func everyFilter(name: String) throws {
    for make in RecipeSamples.all[name] ?? [] {
      let picture = make(RecipeSamples.photo)
      try checkRoundTrip(picture)
      let steps = try picture.recipe().recipe.json
      #expect(steps.contains("\"\(name)\""), "\(steps)")
    }
  }

  @Test func noFilterIsLeftOut() {
    #expect(RecipeSamples.all.keys.sorted() == RecipeDecoder().filterNames)
  }

  /// Every public filter declares its form in its own file.
  @Test func everyFilterHasAName() throws {
    let sources = Fixtures.url("../Sources/FilterGraph")
    let list = try String(
      contentsOf: sources.appending(path: "Recipes/RecipeDecoder+Filters.swift"), encoding: .utf8)
    let kinds = ["PointFilter", "AreaFilter", "BlendFilter", "Painter"]
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix("public struct ") {
        let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard words.count == 4, kinds.contains(words[3]) else { continue }
        count += 1
        let kind = words[3] == "Painter" ? "RecipePainter" : "RecipeFilter"
        #expect(text.contains("extension \(words[2]): \(kind) {"), "\(words[2])")
        let entry = words[3] == "Painter" ? "Painting<\(words[2])>.self" : "\(words[2]).self"
        #expect(list.contains(" \(entry)"), "\(entry)")
      }
    }
    #expect(count > 50)
  }

  @Test func spacesAndCurvesByDefinition() throws {
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

  @Test func whatIsSharedStaysShared() throws {
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

  /// What changes nothing for one picture may change another one.
  @Test func whatIsAskedForIsKept() throws {
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
    let white = try Levels.Channel(white: 0.9)
    let expected = photo.exposure(0.5).converted(to: .displayP3).inverted()
      .levels(red: try Levels.Channel(black: 0.1), green: white, blue: white).toneCurve(curve)
      .resized(to: .fit(20, 20), by: .catmullRom).applying(GamutFit(mapping: .softKnee()))
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

  @Test func paintersNeedNoInput() throws {
    let recipe = try Recipe(
      json: #"{"version": 1, "steps": [{"color-bars": {"size": [64, 8], "in": "sRGB"}}]}"#)
    #expect(recipe.inputs.isEmpty)
    let bars = Picture.colorBars(in: .sRGB, size: PixelSize(64, 8))
    #expect(try recipe.picture().plan == bars.plan)
    #expect(try Recipe(bars) == recipe)
  }

  @Test func codable() throws {
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

  // MARK: Errors

  static let damaged: [(json: String, sentence: String)] = [
    (#"{"version": 1, "steps": [}"#, "Line 1, column 26: a value is needed."),
    ("{\n  \"version\": 01}", "Line 2, column 14: \"01\" is no value; texts stand in quotes."),
    (#"{"version": 1, "version": 1}"#, "Line 1, column 25: the name \"version\" occurs twice."),
    (#"["#, "Line 1, column 2: the text ends in the middle."),
    (#"["a\q"]"#, "Line 1, column 6: no such escape."),
    (
      String(repeating: "[", count: 200),
      "Line 1, column 101: values are nested more than 100 deep."
    ),
    ("[]", "expected an object with a version and steps, found a list."),
    (#"{"steps": []}"#, "\"version\" is missing."),
    (#"{"version": 2, "steps": []}"#, "version: the recipe has version 2; version 1 is read here."),
    (#"{"version": "1", "steps": []}"#, "version: expected a whole number, found \"1\"."),
    (#"{"version": 1}"#, "\"steps\" is missing."),
    (
      #"{"version": 1, "step": []}"#,
      "there is no part of a recipe \"step\". Did you mean \"steps\"? Near it are \"version\" and \"inputs\"."
    ),
    (
      step(#"{"exposre": {"stops": 1}}"#),
      "steps[0]: there is no filter \"exposre\". Did you mean \"exposure\"? Near it are \"store\" and \"composite\"."
    ),
    (
      step(#""invert", {"resize": {}}"#), "steps[1].resize: \"to\" is missing."
    ),
    (
      step(#""invert", "invert", {"exposure": {"stops": "two"}}"#),
      "steps[2].exposure.stops: expected a number, found \"two\"."
    ),
    (
      step(#"{"exposure": {"stop": 1}}"#),
      "steps[0].exposure: there is no parameter \"stop\". There is \"stops\"."
    ),
    (step(#"{"sobel": {"x": 1}}"#), "steps[0].sobel: there is no parameter \"x\". It takes none."),
    (
      step(#"{"exposure": 1}"#), "steps[0].exposure: expected an object of parameters, found 1."
    ),
    (
      step(#"{"exposure": {"stops": 1}, "invert": {}}"#),
      "steps[0]: expected one filter, found \"exposure\" and \"invert\"."
    ),
    (step("7"), "steps[0]: expected a filter such as {\"exposure\": {\"stops\": 1}}, found 7."),
    (
      step(#"{"vibrance": {"amount": 40}}"#),
      "steps[0].vibrance: A vibrance must lie in -1.0…8.0; got 40.0."
    ),
    (
      step(#"{"median": {"radius": 51}}"#),
      "steps[0].median.radius: expected a number in 0…50, found 51."
    ),
    (
      step(#"{"invert": {"meaning": "density"}}"#),
      "steps[0].invert.meaning: expected an object of \"density\" and its value, found \"density\"."
    ),
    (
      step(#"{"invert": {"meaning": {"stored": 1}}}"#),
      "steps[0].invert.meaning: expected \"stored\" alone, found an object."
    ),
    (
      step(#"{"invert": {"meaning": {"density": true}}}"#),
      "steps[0].invert.meaning.density: expected a number, found true."
    ),
    (
      step(#"{"morphology": {"operation": "dilat", "radius": 1}}"#),
      "steps[0].morphology.operation: there is no choice \"dilat\". Did you mean \"dilate\"? Near it are \"erode\"."
    ),
    (
      step(#"{"convert": {"to": "Display P4"}}"#),
      "steps[0].convert.to: No color space is called “Display P4”. Did you mean “Display P3”? Near it are “Display P3 PQ” and “Display P3 HLG”. ColorSpace.all has all names."
    ),
    (
      step(#"{"resize": {"to": {"fit": [0, 4]}}}"#),
      "steps[0].resize.to.fit: A picture needs at least one pixel; 0 × 4 has none. Ask for a width and a height from 1 up."
    ),
    (
      step(#"{"crop": {"to": [1, 2, 3]}}"#),
      "steps[0].crop.to: expected a list of 4 whole numbers, found one of 3."
    ),
    (
      step(#"{"tone-curves": {"all": {"points": [[0, 0], [0, 1]]}}}"#),
      "steps[0].tone-curves.all: The x of curve points must rise from each to the next: point 2 has 0.0, the one before it 0.0. Sort the points by x, each x once."
    ),
    (
      step(#"{"resize": {"to": {"fit": [4, 4]}, "kernel": "lanczos"}}"#),
      "steps[0].resize.kernel: there is no kernel \"lanczos\". Did you mean \"Lanczos 2\"? Near it are \"Lanczos 3\" and \"Lanczos 4\"."
    ),
    (
      step(#"{"from": "mask", "invert": {}}"#),
      "steps[0].from: there is no input or earlier step \"mask\". There is \"input\"."
    ),
    (
      step(#"{"layer": {}}"#), "steps[0]: \"layer\" takes 2 pictures, found 1."
    ),
    (
      step(#"{"from": "input", "noise": {"seed": 1, "in": "sRGB"}}"#),
      "steps[0].from: \"noise\" takes no picture, found 1."
    ),
    (
      step(#"{"name": "a", "invert": {}}, {"name": "a", "invert": {}}"#),
      "steps[1].name: the name \"a\" is taken already."
    ),
    (
      #"{"version": 1, "inputs": ["a", "a"], "steps": []}"#,
      "inputs[1]: the name \"a\" is taken already."
    ),
    (
      #"{"version": 1, "steps": ["invert"], "outputs": {"x": "y"}}"#,
      "outputs.x: there is no input or earlier step \"y\". There is \"input\"."
    ),
    (#"{"version": 1, "inputs": [], "steps": []}"#, "\"inputs\" is missing."),
    (#"{"version": 1, "steps": [], "outputs": {}}"#, "outputs: expected a name, found none."),
    (
      step(#"{"solid-color": {"color": "reddish", "in": "sRGB"}}"#),
      "steps[0].solid-color.color: \(CSSColorProblem.of("reddish"))"
    ),
  ]

  private static func step(_ steps: String) -> String { #"{"version": 1, "steps": [\#(steps)]}"# }

  @Test(arguments: damaged.indices) func damage(index: Int) throws {
    let (json, sentence) = Self.damaged[index]
    do {
      _ = try Recipe(json: json)
      Issue.record("\(json) was read")
    } catch {
      #expect("\(error)" == sentence)
    }
  }

  /// Whatever a byte becomes, there is a recipe or an error with a sentence.
  @Test func mutations() throws {
    let json = Array(try Recipe(RecipeSamples.photo.exposure(1).resized(to: .fit(9, 9))).json.utf8)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3000 {
      var bytes = json
      bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
      do throws(RecipeDecodingError) {
        _ = try Recipe(json: String(decoding: bytes, as: UTF8.self))
      } catch {
        #expect("\(error)".hasSuffix(".") || "\(error)".contains("names."))
      }
    }
    for count in json.indices {
      #expect(throws: RecipeDecodingError.self) {
        try Recipe(json: String(decoding: json[..<min(count, json.count - 2)], as: UTF8.self))
      }
    }
  }

  /// Whatever number stands in a recipe, there is a picture or an error with a sentence, and no trap.
  @Test(arguments: RecipeSamples.all.keys.sorted())
  func wildNumbers(name: String) throws {
    var options = RenderOptions()
    (options.memoryLimit, options.pixelLimit) = (1 << 24, 10_000)
    for make in RecipeSamples.all[name] ?? [] {
      let (recipe, inputs) = try make(RecipeSamples.photo).recipe()
      let value = try JSONDecoder().decode(RecipeValue.self, from: Data(recipe.json.utf8))
      for changed in value.wild.prefix(200) {
        let data = try JSONEncoder().encode(changed)
        guard let other = try? JSONDecoder().decode(Recipe.self, from: data) else { continue }
        let picture = shown(try other.picture(inputs))
        do {
          let bitmap: Bitmap<Float> = try picture.render(options: options)
          #expect(bitmap.size == picture.size)
        } catch {
          #expect("\(error)".hasSuffix(".") || "\(error)".hasSuffix("?"))
        }
      }
    }
  }

  @Test func binding() throws {
    let photo = RecipeSamples.photo
    let recipe = try Recipe(photo.exposure(1), inputs: ["photo": photo])
    func sentence(_ inputs: [String: Picture], _ output: String? = nil) -> String {
      do throws(RecipeBindingError) {
        _ = try recipe.picture(inputs, output: output)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(sentence([:]) == "The recipe needs a picture for \"photo\". It takes \"photo\".")
    #expect(
      sentence(["photo": photo, "mask": photo])
        == "The recipe takes no picture called \"mask\". It takes \"photo\".")
    #expect(
      sentence(["photo": photo], "wide")
        == "The recipe has one result, without a name; \"wide\" is none.")
  }

  @Test func whatHasNoName() throws {
    let measured = RecipeSamples.photo.applying(measuring: Statistics(), in: .linear) { _ in
      Exposure(stops: 1)
    }
    for picture in [
      measured, RecipeSamples.photo.applying(Unnamed()),
      RecipeSamples.photo.converted(
        to: ColorSpace("odd", primaries: .p3, transfer: ColorSpace.oklch.transfer)),
      RecipeSamples.photo.exposure(.infinity), RecipeSamples.photo.vibrance(100),
    ] {
      #expect(throws: RecipeEncodingError.self) { try Recipe(picture) }
    }
    do throws(RecipeEncodingError) {
      _ = try Recipe(RecipeSamples.photo.applying(Unnamed()))
    } catch {
      #expect(
        "\(error)"
          == "“Unnamed()” has no name in recipes. Let its type conform to RecipeFilter.")
    }
  }

  // MARK: Hashes

  /// FIPS 180-4's examples, and lengths around a block.
  @Test func sha256() {
    func hash(_ text: String) -> String {
      var hash = SHA256()
      hash.update(text.utf8)
      return hash.hexadecimalDigest()
    }
    #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hash(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func hashesOfContents() throws {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(13, 7), channels: .rgba)
    func hash(_ bitmap: Bitmap<UInt16>, stops: Double = 1) throws -> ContentHash {
      try Picture(bitmap).exposure(stops).contentHash()
    }
    let expected = try hash(bitmap)
    #expect(try hash(bitmap.rearranged(.planar)) == expected)
    var changed = bitmap
    changed[12, 6, 3] ^= 1
    #expect(try hash(changed) != expected)
    #expect(try hash(bitmap, stops: 1.5) != expected)
    let tagged = Bitmap<UInt16>(bitmap.size, in: .displayP3, channels: .rgba) { x, y in
      (0..<4).map { bitmap[x, y, $0] }
    }
    #expect(try hash(tagged) != expected)
    let recipe = try Recipe(Picture(bitmap).exposure(1))
    #expect(try recipe.contentHash(of: ["input": Picture(bitmap)]) == expected)
    #expect(try Picture(RowsOfBitmap(bitmap)).exposure(1).contentHash() == expected)
  }

  /// Computed from the canonical text by another implementation of SHA-256: spaces, digits and order are for ever.
  @Test func hashesStay() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb) { x, y in
      (0..<3).map { UInt8(9 * y + 3 * x + $0) }
    }
    let picture = Picture(bitmap).exposure(0.5).resized(to: .fit(20, 20))
    #expect(
      try Recipe(picture).contentHash.digits
        == "c3c71f03395c2bd214a73b8d910eef7beca04b10a171dbdd9c14f1a3969f25d4")
    #expect(
      try picture.contentHash().digits
        == "f1df2f9fea7abb38955f8e78d8f624137b25e63aed5d9341a0f7883aaee3260d")
  }

  /// Every number, word and switch of every recipe counts.
  @Test func everyParameterCounts() throws {
    for name in RecipeSamples.all.keys.sorted() {
      for make in RecipeSamples.all[name] ?? [] {
        let recipe = try make(RecipeSamples.photo).recipe().recipe
        let value = try JSONDecoder().decode(RecipeValue.self, from: Data(recipe.json.utf8))
        var count = 0
        for changed in value.neighbours {
          let data = try JSONEncoder().encode(changed)
          guard let other = try? JSONDecoder().decode(Recipe.self, from: data) else { continue }
          count += 1
          #expect(other.contentHash != recipe.contentHash, "\(other) has the hash of \(recipe)")
          if count == 40 { break }
        }
      }
    }
  }
}

/// What is wrong with a color, in the words of its reader.
private enum CSSColorProblem {
  static func of(_ text: String) -> String {
    do throws(CSSColorError) {
      return "\(try ColorPoint(css: text))"
    } catch {
      return "\(error)"
    }
  }
}

extension RecipeValue {
  /// The same value with one number or switch a little different, for each of them.
  fileprivate var neighbours: [RecipeValue] {
    changed { value in
      switch value {
      case .integer(let value): [.integer(value + 1), .integer(value - 1)]
      case .number(let value): [.number(value * 1.0625), .number(value * 0.9375)]
      case .bool(let value): [.bool(!value)]
      default: []
      }
    }
  }

  /// The same value with one number far off, for each of them.
  fileprivate var wild: [RecipeValue] {
    changed { value in
      switch value {
      case .integer, .number:
        [
          .integer(0), .integer(-1), .integer(1 << 31), .integer(.max), .number(1e300),
          .number(-1e300), .number(1e-300), .number(0.1),
        ]
      default: []
      }
    }
  }

  private func changed(_ change: (RecipeValue) -> [RecipeValue]) -> [RecipeValue] {
    switch self {
    case .null, .bool, .integer, .number, .string: change(self)
    case .array(let values):
      values.indices.flatMap { index in
        values[index].changed(change).map { value in
          var values = values
          values[index] = value
          return .array(values)
        }
      }
    case .object(let members):
      members.indices.filter { members[$0].name != "version" }.flatMap { index in
        members[index].value.changed(change).map { value in
          var members = members
          members[index].value = value
          return .object(members)
        }
      }
    @unknown default: []
    }
  }
}

/// A filter without a name in recipes.
private struct Unnamed: PointFilter {
  var domain: PixelDomain { .encoded }
  func describe(to program: inout PointProgram, in space: ColorSpace) { program.affine(offset: 1) }
}

/// A bitmap's rows, one after the other.
private struct RowsOfBitmap: RowSource {
  let bitmap: Bitmap<UInt16>

  init(_ bitmap: Bitmap<UInt16>) { self.bitmap = bitmap }

  var size: PixelSize { bitmap.size }
  var space: ColorSpace { bitmap.space }
  var channels: Channels { bitmap.channels }
  var alpha: Alpha { bitmap.alpha }
  var format: SampleFormat { .uint16 }

  func makeReader() throws -> any RowReader { Reader(bitmap) }

  private final class Reader: RowReader {
    let bitmap: Bitmap<UInt16>
    var next = 0

    init(_ bitmap: Bitmap<UInt16>) { self.bitmap = bitmap }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      bitmap.row(next).withUnsafeBytes { row.copyMemory(from: $0) }
      next += 1
    }
  }
}
