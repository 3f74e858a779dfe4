import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Errors in recipes name the position and the cause.
@Suite struct RecipeErrorTests {
  static let damaged: [(json: String, sentence: String)] = [
    (#"{"version": 1, "steps": [}"#, "Line 1, column 26: a value is needed."),
    ("{\n  \"version\": 01}", "Line 2, column 14: \"01\" is no value; texts stand in quotes."),
    (#"{"version": 1, "version": 1}"#, "Line 1, column 25: the name \"version\" occurs twice."),
    (#"["#, "Line 1, column 2: the text ends in the middle."),
    (#"["a\q"]"#, "Line 1, column 6: no such escape."),
    (#"["\u+041"]"#, "Line 1, column 5: an escape needs four hexadecimal digits."),
    (#"["\ud83d\n\ude00"]"#, "Line 1, column 9: half a character is escaped."),
    (#"["\ud83d\nde00"]"#, "Line 1, column 9: half a character is escaped."),
    (
      String(repeating: "[", count: 200),
      "Line 1, column 101: values are nested more than 100 deep."
    ),
    ("[]", "expected an object with a version and steps, found a list."),
    (#"{"steps": []}"#, "\"version\" is missing."),
    (#"{"version": 2, "steps": []}"#, "version: the recipe has version 2; version 1 is read here."),
    (#"{"version": "1", "steps": []}"#, "version: expected a whole number, found \"1\"."),
    (#"{"version": 1.5, "steps": []}"#, "version: expected a whole number, found 1.5."),
    (#"{"version": 1}"#, "\"steps\" is missing."),
    (
      #"{"version": 1, "step": []}"#,
      "there is no part of a recipe \"step\". Did you mean \"steps\"?"
    ),
    (
      step(#"{"exposre": {"stops": 1}}"#),
      "steps[0]: there is no filter \"exposre\". Did you mean \"exposure\"?"
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
      "steps[0].vibrance.amount: expected a number in -1…8, found 40."
    ),
    (
      step(#"{"lift-gamma-gain": {"gain": [1, 0, 1]}}"#),
      "steps[0].lift-gamma-gain.gain: expected a number in 0.1…10, found 0."
    ),
    (
      step(#"{"invert": {"meaning": {"density": -1}}}"#),
      "steps[0].invert.meaning: expected a number in 0…10, found -1."
    ),
    (
      step(#"{"color-bars": {"level": 5, "size": [8, 4]}}"#),
      "steps[0].color-bars.level: expected a number in 0…1, found 5."
    ),
    (
      step(#"{"sharpen": {"sigma": 1, "amount": 1, "threshold": -1}}"#),
      "steps[0].sharpen.threshold: expected a number in 0…1000000, found -1."
    ),
    (
      step(#"{"median": {"radius": 51}}"#),
      "steps[0].median.radius: expected a whole number in 0…50, found 51."
    ),
    (
      step(#"{"invert": {"meaning": "density"}}"#),
      "steps[0].invert.meaning: expected an object of \"density\" and its value, found \"density\"."
    ),
    (
      step(#"{"invert": {"meaning": {"encoded": 1}}}"#),
      "steps[0].invert.meaning: expected \"encoded\" alone, found an object."
    ),
    (
      step(#"{"invert": {"meaning": {"density": true}}}"#),
      "steps[0].invert.meaning.density: expected a number, found true."
    ),
    (
      step(#"{"morphology": {"operation": "dilat", "radius": 1}}"#),
      "steps[0].morphology.operation: there is no choice \"dilat\". Did you mean \"dilate\"?"
    ),
    (
      step(#"{"convert": {"to": "Display P4"}}"#),
      "steps[0].convert.to: No color space is called “Display P4”. Did you mean “Display P3”? Near it is “Display P3 PQ”. ColorSpace.all has all names."
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
    (
      #"{"version": 1, "inputs": [], "steps": []}"#,
      "expected a step or the name of an input, found none of either."
    ),
    (#"{"version": 1, "steps": [], "outputs": {}}"#, "outputs: expected a name, found none."),
    (
      conversion(primaries: #""red": [0.3, 0.3], "green": [0.3, 0.3], "blue": [0.3, 0.3]"#),
      "steps[0].convert.to.primaries: Primaries (0.3, 0.3), (0.3, 0.3) and (0.3, 0.3) with white point (0.3127, 0.329) define no color space: they lie on a line, and must be corners of a triangle."
    ),
    (
      conversion(primaries: #""red": [0.64, -1e30], "green": [0.3, 0.6], "blue": [0.15, 0.06]"#),
      "steps[0].convert.to.primaries: Primaries (0.64, -1e+30), (0.3, 0.6) and (0.15, 0.06) with white point (0.3127, 0.329) define no color space: coordinates must lie in -1000…1000."
    ),
    (
      step(
        #"{"white-balance": {"light": {"chromaticity": [0.4, 0.4]}, "by": {"name": "z", "sensors": [[1, 1, 1], [1, 1, 1], [1, 1, 1]]}}}"#
      ),
      "steps[0].white-balance.by: The sensors of a chromatic adaptation must have an inverse; those of “z” have none. Give three rows of which none is a mixture of the others."
    ),
    (
      conversion(transfer: #"{"cubic": {"points": [[0, 0], [1, 1]]}}"#),
      "steps[0].convert.to.transfer: The decoding of “t” is a cubic curve, which has no inverse. Give an encoding, too."
    ),
    (
      conversion(
        transfer:
          #"{"segmented": {"segments": [{"shape": "line"}, {"shape": "line", "start": 0, "slope": -1}, {"shape": "line", "start": 1, "slope": -1}]}}"#
      ),
      "steps[0].convert.to.transfer: The decoding of “t” does not rise everywhere: it has no inverse. Give an encoding, too."
    ),
    (
      conversion(transfer: #"{"power": {"exponent": -1, "scale": 0}}"#),
      "steps[0].convert.to.transfer: The decoding of “t” does not rise everywhere: it has no inverse. Give an encoding, too."
    ),
    (
      step(#"{"gamut-fit": {"by": {"soft-knee": 1}}}"#),
      "steps[0].gamut-fit.by.soft-knee: The threshold of a soft knee must be 0 or more and below 1; got 1."
    ),
    (
      conversion(transfer: #"{"sampled": {"values": [1]}}"#),
      "steps[0].convert.to.transfer.decoding.sampled: A curve takes 2 points or more; got 1."
    ),
    (
      step(#"{"solid-color": {"color": "reddish", "in": "sRGB"}}"#),
      "steps[0].solid-color.color: \(CSSColorProblem.of("reddish"))"
    ),
    (
      step(#"{"blur": {"sigma": 1}}"#),
      "steps[0]: expected \"gaussian-blur\", the filter's name in recipes, found its alias \"blur\"."
    ),
    (step(#""qqqqqq""#), "steps[0]: there is no filter \"qqqqqq\"."),
    (
      step("\"\(String(repeating: "q", count: 100_000))\""),
      "steps[0]: there is no filter \"\(String(repeating: "q", count: 40))…\"."
    ),
    (
      step(#"{"convolution": {"rows": []}}"#),
      "steps[0].convolution: A table of weights has an odd number of rows, each of the same odd length; got no rows."
    ),
    (
      step(#"{"morphology": {"operation": "junk", "radius": 1}}"#),
      "steps[0].morphology.operation: there is no choice \"junk\". There are \"dilate\", \"erode\"."
    ),
    (
      step(#"{"morphology": {"operation": "", "radius": 1}}"#),
      "steps[0].morphology.operation: there is no choice \"\". There are \"dilate\", \"erode\"."
    ),
    (
      step(#"{"exposure": {"stops": 200}}"#),
      "steps[0].exposure.stops: expected a number in -100…100, found 200."
    ),
    (
      step(#"{"saturation": {"factor": 1e39}}"#),
      "steps[0].saturation.factor: expected a number of at most 3.4e38, found 1e+39."
    ),
    (
      step(#"{"white-balance": {"light": {"chromaticity": [0.3127, 0]}}}"#),
      "steps[0].white-balance: The y of an illuminant must lie in 1e-06…1; got 0."
    ),
    (
      step(#"{"crop": {"to": [0, 0, -3, 4]}}"#),
      "steps[0].crop.to: A picture needs at least one pixel; -3 × 4 has none. Ask for a width and a height from 1 up."
    ),
    (
      step(#"{"move": {"by": [9007199254740993, 0]}}"#),
      "steps[0].move.by: expected whole numbers of at most 2³¹, found 9007199254740993."
    ),
  ]

  /// Weights that divide differences are not 0.
  @Test(arguments: ["cmc:0,1", "cmc:2,-1", "cie94:0,0.045,0.015", "ciede2000:1,0,1"])
  func weightsOfDifferencesAreChecked(word: String) throws {
    #expect(throws: RecipeDecodingError.self) { try ColorDifference(word: word) }
    #expect(throws: Never.self) {
      try ColorDifference(word: word.replacing("0,", with: "1,").replacing("-1", with: "1"))
    }
  }

  private static func step(_ steps: String) -> String { #"{"version": 1, "steps": [\#(steps)]}"# }

  private static func conversion(transfer decoding: String) -> String {
    let primaries =
      #"{"red": [0.64, 0.33], "green": [0.3, 0.6], "blue": [0.15, 0.06]}"#
    return step(
      #"{"convert": {"to": {"name": "x", "primaries": \#(primaries), "transfer": {"name": "t", "decoding": \#(decoding)}}}}"#
    )
  }

  private static func conversion(primaries: String) -> String {
    step(
      #"{"convert": {"to": {"name": "x", "primaries": {\#(primaries)}, "transfer": "sRGB"}}}"#)
  }

  @Test(arguments: damaged.indices) func damage(index: Int) throws {
    let (json, sentence) = Self.damaged[index]
    do {
      _ = try Recipe(json: json)
      Issue.record("\(json) was read")
    } catch {
      #expect("\(error)" == sentence)
    }
  }

  /// With any byte changed, there is a recipe or an error with a message.
  @Test func mutatedRecipesParseOrThrow() throws {
    let json = Array(try Recipe(RecipeSamples.photo.exposure(1).resized(to: .fit(9, 9))).json.utf8)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3000 {
      var bytes = json
      bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
      do throws(RecipeDecodingError) {
        _ = try Recipe(json: String(decoding: bytes, as: UTF8.self))
      } catch {
        #expect(["?", "."].contains("\(error)".suffix(1)) || "\(error)".contains("names."))
      }
    }
    for count in json.indices {
      #expect(throws: RecipeDecodingError.self) {
        try Recipe(json: String(decoding: json[..<min(count, json.count - 2)], as: UTF8.self))
      }
    }
  }

  /// With any number in a recipe, there is a picture or an error with a message, and no trap.
  @Test(arguments: RecipeSamples.all.keys.sorted())
  func extremeNumbersRenderOrThrow(name: String) throws {
    var options = RenderOptions()
    (options.memoryLimit, options.pixelLimit) = (1 << 24, 10_000)
    for make in RecipeSamples.all[name] ?? [] {
      let (recipe, inputs) = try make(RecipeSamples.photo).recipe()
      let value = try JSONDecoder().decode(RecipeValue.self, from: Data(recipe.json.utf8))
      // The unchanged recipe is read: the refusals below are for changed numbers.
      #expect(try JSONDecoder().decode(Recipe.self, from: JSONEncoder().encode(value)) == recipe)
      for changed in value.wild.prefix(200) {
        let data = try JSONEncoder().encode(changed)
        guard let other = try? JSONDecoder().decode(Recipe.self, from: data) else { continue }
        let picture = try other.picture(inputs).piece
        do {
          let bitmap: Bitmap<Float> = try picture.render(options: options)
          #expect(bitmap.size == picture.size)
        } catch {
          #expect("\(error)".hasSuffix(".") || "\(error)".hasSuffix("?"))
        }
      }
    }
  }

  /// The same for chains of steps: a valid result of one step may be too large for the next.
  @Test func extremeNumbersInChainsRenderOrThrow() throws {
    var options = RenderOptions()
    (options.memoryLimit, options.pixelLimit) = (1 << 24, 10_000)
    var generator = SeededGenerator(seed: 11)
    let names = RecipeSamples.all.keys.sorted()
    var (rendered, refused) = (0, 0)
    for _ in 0..<300 {
      let chain = (0..<4).reduce(RecipeSamples.photo) { picture, _ in
        let makers = RecipeSamples.all[names.randomElement(using: &generator) ?? ""] ?? []
        return makers.randomElement(using: &generator)?(picture) ?? picture
      }
      guard let (recipe, inputs) = try? chain.recipe() else { continue }
      var other = recipe
      // Two extreme numbers; most are refused at once.
      for _ in 0..<2 {
        let value = try JSONDecoder().decode(RecipeValue.self, from: Data(other.json.utf8))
        for changed in value.ordered.wild.shuffled(using: &generator).prefix(8) {
          let data = try JSONEncoder().encode(changed)
          guard let wild = try? JSONDecoder().decode(Recipe.self, from: data) else { continue }
          other = wild
          break
        }
      }
      let picture = try other.picture(inputs).piece
      do {
        let bitmap: Bitmap<Float> = try picture.render(options: options)
        #expect(bitmap.size == picture.size)
        rendered += 1
      } catch {
        #expect("\(error)".hasSuffix(".") || "\(error)".hasSuffix("?"))
        refused += 1
      }
    }
    #expect(rendered > 10 && refused > 10, "\(rendered) rendered, \(refused) refused")
  }

  /// Steps that enlarge or move repeatedly end at the limits of pictures.
  @Test func repeatedEnlargementsEndAtTheLimits() throws {
    let photo = RecipeSamples.photo
    func problem(_ steps: String...) throws -> String {
      let recipe = try Recipe(json: Self.step(steps.joined(separator: ", ")))
      let picture = try recipe.picture(["input": photo])
      do throws(RenderError) {
        _ = try picture.render(as: UInt8.self)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let enlarge = #"{"resize": {"to": {"scaled": 1000000}}}"#
    #expect(
      try problem(enlarge, enlarge, enlarge, enlarge)
        == "steps[1].resize: A picture of 41000000000000 × 23000000000000 at (0, 0) reaches too far: pictures lie within 1073741824 pixels of (0, 0) in each direction. Ask for fewer pixels, or for a place that is nearer."
    )
    let fill = #"{"resize": {"to": {"fill": [1073741824, 1073741824]}}}"#
    #expect(try problem(fill, enlarge, fill).contains("reaches too far"))
    let move = #"{"move": {"by": [-1073741000, 0]}}"#
    #expect(try problem(move) == "")
    #expect(try problem(move, move).contains("41 × 23 at (-2147482000, 0) reaches too far"))
    #expect(try problem(move, #"{"extend": {"by": "wrapped"}}"#, move, move).contains("too far"))
    #expect(
      try problem(#"{"pad": {"to": [0, 0, 1073741824, 1073741824]}}"#, #"{"sobel": {}}"#)
        .contains("more than the limit"))
    for far in [Int.min, .max] {
      for picture in [
        photo.moved(by: Offset(far, far)).moved(by: Offset(far, far)),
        photo.padded(to: Region(x: far, y: far, width: .max, height: .max)),
        photo.resized(to: .exact(.max, .max)), photo.resized(to: .fill(.max, .max)),
        Picture(Ramp(), in: .sRGB).moved(by: Offset(far, 0)).cropped(to: photo.region),
      ] {
        #expect(throws: RenderError.self) { try picture.blurred(sigma: 1).render(as: UInt8.self) }
      }
    }
    let right = photo.cropped(to: Region(x: 10, y: 0, width: .max, height: 5))
    #expect(right.region == Region(x: 10, y: 0, width: 31, height: 5))
    #expect(try right.render(as: UInt8.self).size == PixelSize(31, 5))
  }

  @Test func tooManySteps() throws {
    func recipe(_ count: Int) -> String {
      Self.step(Array(repeating: #""invert""#, count: count).joined(separator: ", "))
    }
    var decoder = RecipeDecoder()
    #expect(throws: RecipeDecodingError.tooManySteps(at: "steps", 1001, limit: 1000)) {
      try decoder.recipe(json: recipe(1001))
    }
    decoder.stepLimit = 3
    do throws(RecipeDecodingError) {
      _ = try decoder.recipe(json: recipe(4))
    } catch {
      #expect(
        "\(error)"
          == "steps: there are 4 steps; at most 3 are read. Make recipes of fewer steps, one after the other, or raise the decoder's stepLimit."
      )
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
    #expect(throws: RecipeBindingError.unknownOutput(nil, outputs: [])) {
      try Recipe(outputs: [:]).picture()
    }
    #expect(try Recipe(outputs: [:]).pictures().isEmpty)
    #expect(
      sentence(["photo": photo], "wide")
        == "The recipe has one result, without a name; \"wide\" is none.")
  }

  @Test func unnamedFiltersCannotBeWritten() throws {
    let measured = RecipeSamples.photo.applying(measuring: Statistics(), in: .linear) {
      _, picture in
      picture.exposure(1)
    }
    for picture in [
      measured, RecipeSamples.photo.applying(Unnamed()),
      RecipeSamples.photo.converted(
        to: ColorSpace("odd", primaries: .p3, transfer: ColorSpace.oklch.transfer)),
      RecipeSamples.photo.exposure(.infinity), RecipeSamples.photo.vibrance(100),
      // A recipe with more pictures than the filter declares could not be read.
      RecipeSamples.photo.applying(
        Mean(extent: .first), with: [RecipeSamples.photo, RecipeSamples.photo]),
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
}

/// The parser's error for a CSS color.
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
  /// The value with its members sorted by name: decoders find them in an order that varies between runs.
  fileprivate var ordered: RecipeValue {
    switch self {
    case .object(let members):
      .object(members.sorted { $0.name < $1.name }.map { Member($0.name, $0.value.ordered) })
    case .array(let values): .array(values.map(\.ordered))
    default: self
    }
  }

  /// Variants of the value with one number replaced by an extreme one.
  fileprivate var wild: [RecipeValue] {
    changed { _, part in
      switch part {
      case .integer, .number:
        [
          .integer(0), .integer(-1), .integer(1 << 31), .integer(.max), .number(1e300),
          .number(-1e300), .number(1e-300), .number(0.1),
        ]
      default: []
      }
    }
  }
}

/// A filter without a name in recipes.
private struct Unnamed: PointFilter {
  var domain: PixelDomain { .encoded }
  func describe(to program: inout PointProgram, in space: ColorSpace) { program.affine(offset: 1) }
}
