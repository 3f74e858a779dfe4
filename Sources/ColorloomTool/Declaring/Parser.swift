import ColorSpaces
import Colorloom
import Foundation
import ImageFiles

/// What is wrong with a word of the right form, to follow the argument and the word: “needs a width and a height of at most …”.
struct UnfitWord: Error {
  let problem: String
  init(_ problem: String) { self.problem = problem }
}

/// Parses words of the command line into a value.
struct Parser<Value> {
  /// The placeholder of each word in help.
  let placeholders: [String]
  /// The expected form, to end the sentence “… needs”.
  let needed: String
  let completion: Completion
  /// Returns the value; nil where the words have another form, or throws where an error can say more.
  let read: ([String]) throws -> Value?

  init(
    _ placeholder: String, needed: String, completion: Completion = .none,
    read: @escaping (String) throws -> Value?
  ) {
    (placeholders, self.needed, self.completion) = ([placeholder], needed, completion)
    self.read = { try read($0[0]) }
  }

  init(
    _ placeholders: [String], needed: String, read: @escaping ([String]) throws -> Value?
  ) {
    (self.placeholders, self.needed, self.read) = (placeholders, needed, read)
    completion = .none
  }

  /// The same words, shown in help as `placeholder`.
  func named(_ placeholder: String) -> Parser {
    Parser(placeholder, needed: needed, completion: completion) { try read([$0]) }
  }

  /// One of some words, each of which means a value. `"blue-noise|noise"` is read as either word, and shown as the first. Letter case and
  /// hyphens do not matter, as in recipes.
  static func choice(_ choices: KeyValuePairs<String, Value>) -> Parser {
    let words = choices.map {
      (names: $0.key.split(separator: "|").map(String.init), value: $0.value)
    }
    let names = words.map { $0.names[0] }
    let list = names.joined(separator: ", ")
    return Parser(
      names.joined(separator: "|"), needed: "one of \(list)", completion: .words(names)
    ) { word in
      words.first { $0.names.contains { isSameWord($0, word) } }?.value
    }
  }

  /// One or more such words between commas.
  var separatedByCommas: Parser<[Value]> {
    Parser<[Value]>(
      "\(placeholders[0])[,…]", needed: "\(needed), or several between commas",
      completion: completion
    ) { word in
      let words = word.split(separator: ",", omittingEmptySubsequences: false)
      let values = try words.compactMap { try read([$0.trimmingCharacters(in: .whitespaces)]) }
      return values.count == words.count ? values : nil
    }
  }

  /// The value that words mean for an argument.
  func value(of words: [String], for argument: String) throws -> Value {
    guard words.count == placeholders.count else {
      throw Misuse(of: argument, "needs \(needed) after it.")
    }
    let found = beginning(of: words.joined(separator: " "))
    let read: Value?
    do { read = try self.read(words) } catch RecipeError.emptySize {
      throw Misuse("“\(argument) \(found)” has no pixels. It needs \(needed), of at least 1 pixel.")
    } catch let word as UnfitWord {
      throw Misuse("“\(argument) \(found)” \(word.problem)")
    }
    guard let value = read else {
      throw Misuse(of: argument, "needs \(needed), not “\(found)”.\(suggestion(for: found))")
    }
    return value
  }

  private func suggestion(for word: String) -> String {
    guard case .words(let choices) = completion else { return "" }
    return didYouMean(word, among: choices)
  }
}

/// “ Did you mean …?” with the nearest of some names, such as one that begins so; nothing where none is near. Of names that are equally
/// near, it is the one whose length is nearest: “--gamu” is the beginning of “--gamut” rather than of “--gamut-fit”.
func didYouMean(_ word: String, among names: [String]) -> String {
  if word.isEmpty { return "" }
  let near = names.compactMap { name in
    distance(from: word, to: name).map { (name: name, distance: $0) }
  }
  func rank(_ name: String, _ distance: Int) -> (Int, Int) {
    (distance, abs(name.count - word.count))
  }
  guard let nearest = near.min(by: { rank($0.name, $0.distance) < rank($1.name, $1.distance) })
  else { return "" }
  return " Did you mean “\(nearest.name)”?"
}

/// The edit distance of a name from a word that may be a misspelling of it, and 0 where the word is most of its beginning; nil where the
/// word cannot be meant.
private func distance(from word: String, to name: String) -> Int? {
  // Long words would take long, and are near no name.
  guard word.utf8.count <= 2 * name.utf8.count else { return nil }
  let (letters, others) = (word.filter(\.isLetter), name.filter(\.isLetter))
  if name.hasPrefix(word), letters.count >= 3, 2 * letters.count >= others.count { return 0 }
  // Short words of other letters are other words, such as “--out” and “--lut”.
  let isOtherWord =
    letters.count <= 3 && letters.count == others.count && letters.sorted() != others.sorted()
  return isOtherWord ? nil : misspellingDistance(of: word, from: name)
}

extension Parser<String> {
  static var text: Parser { Parser("TEXT", needed: "a text") { $0 } }

  static var path: Parser { Parser("FILE", needed: "a file", completion: .files) { $0 } }
}

extension Parser<Double> {
  static var number: Parser {
    Parser("NUMBER", needed: "a number") {
      decimalNumber($0).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// A number in a range of whole ends.
  static func number(in range: ClosedRange<Double>, of unit: String = "") -> Parser {
    let number = number
    let ends = "from \(range.lowerBound.plainText) to \(range.upperBound.plainText)"
    return Parser("NUMBER", needed: "a number \(ends)" + (unit.isEmpty ? "" : " \(unit)")) { word in
      try number.read([word]).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number that is not negative.
  static var numberFromZero: Parser {
    let number = number
    return Parser("NUMBER", needed: "a number from 0 up") { word in
      try number.read([word]).flatMap { $0 >= 0 ? $0 : nil }
    }
  }
}

/// The largest width, height or count: sums and products of two such numbers do not overflow.
private let greatestCount = Int(Int32.max)

extension Parser<Int> {
  static func wholeNumber(from least: Int, to most: Int = greatestCount) -> Parser {
    let range = most == .max ? "\(least) up" : "\(least) to \(most)"
    return Parser("N", needed: "a whole number from \(range)") { word in
      Int(word).flatMap { (least...most).contains($0) ? $0 : nil }
    }
  }
}

/// Memory units by suffix. Longer suffixes come first, because “kib” also ends in “b”. Single letters are powers of two, as in systemd's
/// and Docker's memory limits.
private let byteUnits: KeyValuePairs = [
  "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
  "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
  "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "b": 1,
]

extension Parser<Int> {
  /// An amount of memory: a whole number of bytes or of a unit, in any letter case.
  static var bytes: Parser {
    Parser("BYTES", needed: "a whole number of bytes from 1 up, such as 512MiB or 2GB") { word in
      let unit = byteUnits.first { word.lowercased().hasSuffix($0.key) }
      guard let count = Int(word.dropLast(unit?.key.count ?? 0)), count > 0 else { return nil }
      let (bytes, isTooMany) = count.multipliedReportingOverflow(by: unit?.value ?? 1)
      return isTooMany ? nil : bytes
    }
  }
}

/// As many whole numbers as are needed, between separators; nil where there is something else.
private func wholeNumbers(_ count: Int, in word: String, between separator: Character) -> [Int]? {
  let numbers = word.split(separator: separator, omittingEmptySubsequences: false)
    .compactMap { Int($0) }
  return numbers.count == count ? numbers : nil
}

/// Whether coordinates are near enough to 0 that sums of them and of sizes do not overflow.
private func isNear(_ coordinates: some Collection<Int>) -> Bool {
  coordinates.allSatisfy { $0.magnitude <= greatestCount }
}

/// A size that some picture can have.
private func checked(width: Int, height: Int) throws -> PixelSize {
  guard width > 0, height > 0 else { throw RecipeError.emptySize(width: width, height: height) }
  guard max(width, height) <= greatestCount else {
    throw UnfitWord("is too large. A width and a height are at most \(greatestCount).")
  }
  return PixelSize(width, height)
}

extension Parser<PixelSize> {
  static var size: Parser {
    Parser("WxH", needed: "a size such as 2048x1365") { word in
      try wholeNumbers(2, in: word, between: "x").map { try checked(width: $0[0], height: $0[1]) }
    }
  }

  /// A square, or a rectangle.
  static var box: Parser {
    Parser("N|WxH", needed: "a length such as 2048 or a size such as 2048x1365") { word in
      try size.read([Int(word) == nil ? word : "\(word)x\(word)"])
    }
  }
}

extension Parser<Offset> {
  static var position: Parser {
    Parser("X,Y", needed: "a column and a row such as 120,80") { word in
      guard let numbers = wholeNumbers(2, in: word, between: ",") else { return nil }
      guard isNear(numbers) else {
        throw UnfitWord("is too far away. A position is at most \(greatestCount) from 0.")
      }
      return Offset(numbers[0], numbers[1])
    }
  }
}

extension Parser<ImageMetadata.Resolution> {
  /// Pixels per inch in rows and columns, within the range of JFIF.
  static var pixelsPerInch: Parser {
    Parser("DPI", needed: "a number of pixels per inch from 1 to 65535") { word in
      guard let number = decimalNumber(word), (1...65_535).contains(number) else { return nil }
      return ImageMetadata.Resolution(horizontal: number, vertical: number, unit: .inch)
    }
  }
}

extension Parser<Region> {
  static var region: Parser {
    Parser("X,Y,WxH", needed: "a corner and a size such as 0,0,400x60") { word in
      // Four numbers are the form of earlier versions.
      let word = word.filter { $0 != " " }.replacing("x", with: ",")
      guard let numbers = wholeNumbers(4, in: word, between: ",") else { return nil }
      let size = try checked(width: numbers[2], height: numbers[3])
      guard isNear(numbers[..<2]) else {
        throw UnfitWord("is too far away. A corner is at most \(greatestCount) from 0.")
      }
      return Region(x: numbers[0], y: numbers[1], width: size.width, height: size.height)
    }
  }
}

extension Parser<[Region]> {
  /// Regions between semicolons, as filters have them (0,0,400x300) or as four numbers.
  static var regions: Parser {
    Parser("X,Y,WxH;…", needed: "regions such as “0,0,400x300;420,0,400x300”") { word in
      let words = word.split(separator: ";", omittingEmptySubsequences: false)
      let regions = try words.compactMap { part in
        try Parser<Region>.region.read([String(part)])
      }
      return regions.count == words.count ? regions : nil
    }
  }
}

extension Parser<ColorPoint> {
  static var color: Parser {
    Parser("COLOR", needed: "a color as style sheets write it, such as blue or #0af") { word in
      guard let color = try? CSSColor(word) else { return nil }
      try color.checkOpaque(writtenAs: word)
      let point = ColorPoint(color)
      guard point.hasFiniteLight else {
        throw UnfitWord("has infinite linear light. A color has at most 1e37 in each channel.")
      }
      return point
    }
  }
}

extension Parser<ColorSpace> {
  static var space: Parser {
    Parser("SPACE", needed: "the name of a color space", completion: .words(spaceWords)) {
      try ColorSpace(named: $0)
    }
  }
}

/// The names of all color spaces and their short aliases, made once for the several options of a verb that take one.
///
/// Lookups ignore case and punctuation, so that names can be offered without blanks: “Display-P3”, and “Rec2020” as the guides write it.
/// Not offered are aliases for the sake of other software's files, such as Core Graphics' and OpenColorIO's, and second words for linear
/// spaces.
private let spaceWords = ColorSpace.all.flatMap { space in
  let name = space.name.replacing(". ", with: "")
    .split { !$0.isLetter && !$0.isNumber && $0 != "." }.joined(separator: "-")
  let short = space.aliases.filter { alias in
    alias.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } && !alias.hasPrefix("kCG")
      && !alias.hasSuffix("-linear") && !isSameWord(alias, name)
  }
  return [name] + short
}

extension Parser<TransferFunction> {
  static var transferFunction: Parser {
    let names = TransferFunction.named.map { $0.name.filter { $0 != " " } }
    return Parser("CURVE", needed: "the name of a transfer function", completion: .words(names)) {
      try TransferFunction(named: $0)
    }
  }
}

extension Parser where Value: RecipeChoice {
  /// The words that recipes have for the value, and their aliases.
  static var recipeWord: Parser {
    let form = Value.textForm
    let words = form.placeholder.split(separator: "|").map(String.init)
    return Parser(
      form.names.joined(separator: "|"), needed: "one of \(words.joined(separator: ", "))",
      completion: .words(form.names + form.aliases)
    ) { word in
      do {
        return try Value(word: word)
      } catch RecipeDecodingError.unusable(_, let error) {
        throw Misuse("“\(word)”: \(error)")
      } catch {
        return nil
      }
    }
  }
}

extension Parser<SampleFormat> {
  static var samples: Parser { recipeWord }
}

extension Parser<DitherChoice> {
  static var dither: Parser {
    .choice([
      "ordered": .by(.ordered), "blue-noise|noise": .by(.blueNoise),
      "error-diffusion|diffusion": .by(.errorDiffusion),
      "triangular-noise|triangular": .by(.triangularNoise), "none": .toNearest,
    ])
  }
}

extension Parser<GamutMapping> {
  static var gamutMapping: Parser { recipeWord }
}

extension Parser<ResamplingKernel> {
  static var kernel: Parser {
    let list = ResamplingKernel.named.map { kernel in
      kernel.name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    return Parser(
      "KERNEL", needed: "one of \(list.joined(separator: ", "))", completion: .words(list)
    ) { ResamplingKernel(named: $0) }
  }
}

extension Parser<VideoFormat.Layout> {
  static var layout: Parser {
    let layouts = VideoFormat.Layout.named
    return Parser(
      "LAYOUT", needed: "one of \(layouts.map(\.description).joined(separator: ", "))",
      completion: .words(layouts.map(\.description))
    ) { word in layouts.first { isSameWord($0.description, word) } }
  }
}

extension Parser<ImageFileFormat> {
  static var imageFormat: Parser {
    let names = ImageFileFormat.all.map(\.fileExtensions[0])
    return Parser(
      "FORMAT", needed: "one of \(names.joined(separator: ", "))", completion: .words(names)
    ) { ImageFileFormat(named: $0) }
  }
}

extension Parser<ColorDifference> {
  static var formula: Parser {
    let words = recipeWord
    return Parser("FORMULA", needed: words.needed, completion: words.completion) {
      try words.read([$0])
    }
  }

  /// What help says about the value of an option for a formula.
  static let formulaHelp =
    ColorDifference.textForm.names.joined(separator: ", ")
    + ", or with weights “cie94:KL,K1,K2”, “ciede2000:KL,KC,KH”, “cmc:L,C”"
}

extension Parser<SIMD3<Double>> {
  static var tone: Parser {
    Parser("R,G,B", needed: "three numbers such as 0.8,0.5,0.3") { word in
      let numbers = word.split(separator: ",", omittingEmptySubsequences: false).compactMap {
        decimalNumber($0)
      }
      guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else { return nil }
      return SIMD3(numbers[0], numbers[1], numbers[2])
    }
  }

  static var transmittance: Parser {
    let numbers = tone
    return Parser("R,G,B", needed: "three numbers above 0 such as 0.8,0.5,0.3") { word in
      try numbers.read([word]).flatMap { $0.min() > 0 ? $0 : nil }
    }
  }
}

extension Parser<CubicCurve> {
  /// Points, perhaps after the name of an interpolation.
  static var points: Parser {
    Parser("POINTS", needed: "points such as “0,0 .5,.4 1,1”") { word in
      guard word.hasPrefix("@") else { return try curve(of: word, in: "") }
      let file = String(word.dropFirst())
      let text = try readText(at: file)
      // Another file helps, not another command line.
      do { return try curve(of: text, in: " in “\(file)”") } catch {
        throw Failure(Tool.sentence(for: error, with: []))
      }
    }
  }

  /// Returns the curve that a text describes; `place` follows a quotation of the text.
  private static func curve(of text: String, in place: String) throws -> CubicCurve {
    var words = text.replacing(/\s*,\s*/, with: ",").split(whereSeparator: \.isWhitespace)
    var interpolation = CubicCurve.Interpolation.natural
    if let name = words.first, name.first?.isLetter == true {
      guard let known = try? CubicCurve.Interpolation(word: String(name)) else {
        let names = CubicCurve.Interpolation.allCases.map(\.rawValue)
        throw Misuse(
          "“\(beginning(of: String(name)))”\(place) is no interpolation. Write one of "
            + "\(names.joined(separator: ", ")) before the points, or nothing for natural.")
      }
      interpolation = known
      words.removeFirst()
    }
    let points = try words.map { point -> SIMD2<Double> in
      let numbers = point.split(separator: ",", omittingEmptySubsequences: false)
        .map { decimalNumber($0) }
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
        throw Misuse(
          "A point of a curve is two numbers such as .5,.4, not “\(beginning(of: String(point)))”\(place)."
        )
      }
      return SIMD2(x, y)
    }
    return try CubicCurve(through: points, interpolation: interpolation)
  }
}

extension Parser<[CubicCurve]> {
  /// One curve for each channel.
  static var pointsOfChannels: Parser {
    let one = Parser<CubicCurve>.points
    return Parser(["RED", "GREEN", "BLUE"], needed: "three curves, each \(one.needed),") {
      try $0.map { try one.value(of: [$0], for: "A curve") }
    }
  }
}
