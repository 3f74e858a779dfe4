internal import ColorSpaces

/// The translation of a chain of Core Image filters into steps of a recipe.
///
/// Core Image's coordinates count from below. A filter for which that matters reads its images mirrored, so that rows count as there; no
/// size is needed for that, and one reflection before the result undoes it.
struct CoreImageTranslation {
  /// A picture.
  struct Image {
    /// The name of a step or of an input.
    let name: String
    /// Whether rows count from below; nil where that makes no difference.
    fileprivate(set) var isMirrored: Bool?
  }

  /// The steps so far, each with the path of the filter that it belongs to.
  private(set) var steps: [RecipeSource] = []
  /// The name of the step that makes the result. It is not the last step where the last filter changes nothing and names an earlier image.
  private(set) var result = ""
  /// The names of the inputs that filters read: `image`, if it is one of them, then the others in the order in which they are first read.
  ///
  /// `image` comes first because the order of reading depends on how a filter is translated.
  var inputs: [String] {
    readInputs.filter { $0 == Self.main } + readInputs.filter { $0 != Self.main }
  }
  /// The input that the first filter reads unless it names another image.
  private static let main = "image"
  /// The names of the inputs that the recipe lists; nil where it lists none.
  private let listed: [String]?
  /// The names of the inputs, in the order in which they are first read.
  private var readInputs: [String] = []
  /// The texts of the chain, among them the names of all inputs: no step has such a name.
  private let texts: Set<String>
  /// The number in the name of the last step.
  private var lastNumber = 0
  private var images: [String: Image] = [:]
  private var current: Image?
  /// The filter that is being translated.
  private var filter = RecipeSource(.null, at: "")
  private var name = ""
  private var parameters: [(name: String, source: RecipeSource)] = []

  /// Translates a list of filters.
  ///
  /// - Parameters:
  ///   - filters: The filters.
  ///   - inputs: The list of the inputs' names, in their order; nil for ``inputs`` in the order described there.
  init(_ filters: RecipeSource, inputs: RecipeSource?) throws(RecipeDecodingError) {
    listed = try inputs.map { source throws(RecipeDecodingError) in
      var names: [String] = []
      for element in try source.elements(expected: "a list of names") {
        names.append(try element.text(expected: "a name"))
      }
      return names
    }
    texts = Set(filters.value.texts + (listed ?? []))
    for element in try filters.elements(expected: "a list of Core Image filters") {
      try read(element)
    }
    parameters = []
    result = try image("inputImage", mirrored: false).name
  }

  private mutating func read(_ element: RecipeSource) throws(RecipeDecodingError) {
    let expected = "a filter such as {\"CIExposureAdjust\": {\"inputEV\": 1}}"
    var members = try element.members(expected: expected)
    let label = members.firstIndex { $0.name == "name" }.map { members.remove(at: $0).source }
    guard members.count == 1 else { throw element.mismatch(expected: expected) }
    (name, filter) = members[0]
    parameters = try filter.members(expected: "an object of parameters")
    guard let row = CoreImageRow.all.first(where: { $0.names.contains(name) }) else {
      throw .unknown(
        at: element.path, kind: "Core Image filter with a counterpart", name: name,
        known: namesNearest(to: name, among: CoreImageRow.all.flatMap(\.names)))
    }
    let known = ["inputImage"] + row.parameters
    for parameter in parameters where !known.contains(parameter.name) {
      throw .unknown(
        at: filter.path, kind: "parameter of \(name)", name: parameter.name,
        known: namesNearest(to: parameter.name, among: known))
    }
    try row.translate(&self)
    if let label, let current {
      let text = try label.text(expected: "a name")
      let isInput = listed?.contains(text) ?? false
      guard images.updateValue(current, forKey: text) == nil, !isInput else {
        throw .duplicate(at: label.path, name: text)
      }
    }
  }

  /// The error that this filter, or a value of its parameters, has no counterpart.
  func unmapped(_ reason: String) -> RecipeDecodingError { .unmapped(at: filter.path, reason) }
  /// The error that the value of a parameter is out of range.
  func unusable(_ name: String, _ error: RecipeError) -> RecipeDecodingError {
    .unusable(at: source(name)?.path ?? filter.path, error)
  }
  /// The name of the filter.
  var filterName: String { name }
}

// MARK: Parameters
extension CoreImageTranslation {
  private func source(_ name: String) -> RecipeSource? {
    parameters.first { $0.name == name }?.source
  }

  /// A number; required where it has no default.
  func number(
    _ name: String, default value: Double? = nil
  ) throws(RecipeDecodingError) -> Double {
    if let source = source(name) { return try Double(recipe: source) }
    guard let value else { throw .missing(at: filter.path, name: name) }
    return value
  }

  /// A whole number.
  func integer(_ name: String, default value: Int) throws(RecipeDecodingError) -> Int {
    let number = try number(name, default: Double(value))
    guard let whole = Int(exactly: number) else {
      throw unmapped("\(name) is \(number); only whole numbers of pixels have a counterpart")
    }
    return whole
  }

  /// A vector; required where it has no default.
  func vector(
    _ name: String, _ count: Int, default value: [Double]? = nil
  ) throws(RecipeDecodingError) -> [Double] {
    guard let source = source(name) else {
      guard let value else { throw .missing(at: filter.path, name: name) }
      return value
    }
    return try source.numbers(count)
  }

  /// A required list of numbers of any count.
  func list(_ name: String) throws(RecipeDecodingError) -> [Double] {
    guard let source = source(name) else { throw .missing(at: filter.path, name: name) }
    var numbers: [Double] = []
    for element in try source.elements(expected: "a list of numbers") {
      numbers.append(try Double(recipe: element))
    }
    return numbers
  }

  /// A text.
  func text(_ name: String, default value: String) throws(RecipeDecodingError) -> String {
    if let source = source(name) { return try source.text() }
    return value
  }

  /// A color, as recipes have it.
  func color(_ name: String, default value: String) throws(RecipeDecodingError) -> RecipeValue {
    guard let source = source(name) else { return .string(value) }
    if case .string = source.value { return source.value }
    let values = try list(name)
    guard (3...4).contains(values.count) else {
      throw source.mismatch(expected: "a list of 3 or 4 numbers")
    }
    let alpha = values.count == 4 ? " / \(values[3])" : ""
    return .string("color(srgb \(values[0]) \(values[1]) \(values[2])\(alpha))")
  }

  /// A color, to compute with.
  func colorPoint(_ name: String, default value: String) throws(RecipeDecodingError) -> ColorPoint {
    let color = try color(name, default: value)
    return try ColorPoint(recipe: RecipeSource(color, at: source(name)?.path ?? filter.path))
  }

  /// Throws unless a parameter is left out or has the one value that has a counterpart.
  func require(_ name: String, _ value: Double) throws(RecipeDecodingError) {
    let found = try number(name, default: value)
    guard found == value else {
      throw unmapped("\(name) is \(found); only \(value) has a counterpart")
    }
  }
}

// MARK: Images and steps
extension CoreImageTranslation {
  /// The image of a parameter, or the current one, with rows in the wanted order; nil accepts either.
  mutating func image(
    _ name: String, mirrored wanted: Bool? = nil
  ) throws(RecipeDecodingError) -> Image {
    var found: Image
    if let source = source(name) {
      found = try image(named: source.text(expected: "the name of an image"), at: source.path)
    } else if name == "inputImage" {
      if let current {
        found = current
      } else {
        found = try image(named: Self.main, at: filter.path)
      }
    } else {
      throw .missing(at: filter.path, name: name)
    }
    if let wanted, let mirrored = found.isMirrored, wanted != mirrored {
      found = Image(
        name: step("orient", [("to", .string("flipped"))], [found.name]), isMirrored: wanted)
    }
    return found
  }

  private mutating func image(
    named name: String, at path: String
  ) throws(RecipeDecodingError) -> Image {
    if let image = images[name] { return image }
    if let listed, !listed.contains(name) {
      throw .unknown(
        at: path, kind: "input or earlier filter", name: name,
        known: namesNearest(to: name, among: Set(listed).union(images.keys).sorted()))
    }
    readInputs.append(name)
    let image = Image(name: step("convert", [("to", .string("sRGB"))], [name]), isMirrored: false)
    images[name] = image
    return image
  }

  /// Adds a step to the current image.
  mutating func add(
    _ step: String, _ parameters: [(String, RecipeValue)]
  ) throws(RecipeDecodingError) {
    try add(step, parameters, to: [image("inputImage")])
  }

  /// Uses the filter's input image as its result, for filters whose values change nothing.
  mutating func addNothing() throws(RecipeDecodingError) {
    current = try image("inputImage")
  }

  /// Adds a step that reads images, whose result becomes the current image with rows in the order of the first one.
  mutating func add(_ filter: String, _ parameters: [(String, RecipeValue)], to images: [Image]) {
    let order = images.lazy.compactMap(\.isMirrored).first
    current = Image(name: step(filter, parameters, images.map(\.name)), isMirrored: order)
    // The steps of one filter follow each other, whatever `inputImage` names.
    self.parameters.removeAll { $0.name == "inputImage" }
  }

  /// Adds a generator, whose rows are painted as Core Image counts them; `isSymmetric` where no row differs from another.
  mutating func generate(
    _ filter: String, _ parameters: [(String, RecipeValue)], isSymmetric: Bool = false
  ) {
    add(filter, parameters, to: [])
    current?.isMirrored = isSymmetric ? nil : true
  }

  private mutating func step(
    _ filter: String, _ parameters: [(String, RecipeValue)], _ images: [String]
  ) -> String {
    var name: String
    repeat {
      lastNumber += 1
      name = "core-image-\(lastNumber)"
    } while texts.contains(name)
    var members = [RecipeValue.Member("name", .string(name))]
    if !images.isEmpty {
      members.append(RecipeValue.Member("from", .array(images.map(RecipeValue.string))))
    }
    let values = parameters.map { RecipeValue.Member($0.0, $0.1) }
    members.append(RecipeValue.Member(filter, .object(values)))
    steps.append(RecipeSource(.object(members), at: self.filter.path))
    return name
  }
}

extension RecipeValue {
  /// A list of numbers, also of those that JSON cannot hold: the filter refuses them later.
  static func list(_ values: [Double]) -> RecipeValue { .array(values.map(RecipeValue.number)) }

  /// A list of lists of numbers.
  static func rows(_ rows: [[Double]]) -> RecipeValue { .array(rows.map(RecipeValue.list)) }

  /// All texts in the value, without the names of members.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let values): values.flatMap(\.texts)
    case .object(let members): members.flatMap(\.value.texts)
    case .null, .bool, .integer, .number: []
    }
  }

  /// An object with one member.
  static func member(_ name: String, _ value: RecipeValue) -> RecipeValue {
    .object([Member(name, value)])
  }
}
