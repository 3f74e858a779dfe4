public import ColorSpaces

/// An error in the text of a recipe. The description states where it is, what is wrong, and what would be right.
@nonexhaustive
public indirect enum RecipeDecodingError: Error, Hashable, Sendable {
  /// The text is not JSON.
  case notJSON(line: Int, column: Int, String)
  /// The recipe has an unsupported version.
  case version(Int, readable: ClosedRange<Int>)
  /// A value has the wrong type.
  case mismatch(at: String, expected: String, found: String)
  /// A required member is missing.
  case missing(at: String, name: String)
  /// There is no filter, parameter, choice or step of this name; `known` are the valid names, the nearest first.
  case unknown(at: String, kind: String, name: String, known: [String])
  /// The recipe has more steps than the decoder allows.
  case tooManySteps(at: String, Int, limit: Int)
  /// A name occurs twice.
  case duplicate(at: String, name: String)
  /// A filter has the wrong number of inputs.
  case inputCount(at: String, filter: String, needed: ClosedRange<Int>, found: Int)
  /// A filter cannot be created from its parameters.
  case unusable(at: String, RecipeError)
  /// A CSS color cannot be parsed.
  case color(at: String, CSSColorError)
  /// The filter cannot be written as a recipe again.
  case unwritable(at: String, RecipeEncodingError)
  /// A Core Image filter, or a value of its parameters, has no counterpart here, for this reason.
  case unmapped(at: String, String)
}

extension RecipeDecodingError: CustomStringConvertible {
  /// Where it is wrong, what, and what would be right.
  public var description: String {
    switch self {
    case .notJSON(let line, let column, let problem):
      return "Line \(line), column \(column): \(problem)."
    case .version(let version, let readable):
      let versions =
        readable.count == 1
        ? "version \(readable.lowerBound) is"
        : "versions \(readable.lowerBound) to \(readable.upperBound) are"
      return "version: the recipe has version \(version); \(versions) read here."
    case .mismatch(let path, let expected, let found):
      return "\(place(path))expected \(expected), found \(found)."
    case .missing(let path, let name):
      return "\(place(path))\(quoted(name)) is missing."
    case .unknown(let path, "filter", let name, let known)
    where FilterCatalog.Elsewhere.filters.contains(name) && !known.contains(name):
      return "\(place(path))the filter \(quoted(name)) is not in this catalog. "
        + FilterCatalog.Elsewhere.advice
    case .unknown(let path, let kind, let name, let known):
      return "\(place(path))there is no \(kind) \(quotedBeginning(of: name))."
        + hint(for: name, known)
    case .tooManySteps(let path, let count, let limit):
      return
        "\(place(path))there are \(count) steps; at most \(limit) are read. Make recipes of fewer "
        + "steps, one after the other, or raise the decoder's stepLimit."
    case .duplicate(let path, let name):
      return "\(place(path))the name \(quotedBeginning(of: name)) is taken already."
    case .inputCount(let path, let filter, let needed, let found):
      let count =
        needed.upperBound == .max
        ? "\(needed.lowerBound) pictures or more"
        : needed.count > 1
          ? "\(needed.lowerBound) to \(needed.upperBound) pictures"
          : needed.lowerBound == 0
            ? "no picture" : needed.lowerBound == 1 ? "1 picture" : "\(needed.lowerBound) pictures"
      return "\(place(path))\(quoted(filter)) takes \(count), found \(found)."
    case .unusable(let path, let error): return "\(place(path))\(error)"
    case .color(let path, let error): return "\(place(path))\(error)"
    case .unwritable(let path, let error): return "\(place(path))\(error)"
    case .unmapped(let path, let reason): return "\(place(path))\(reason)."
    }
  }

  /// The nearest name and others that are near, all of them where they are few, and nothing otherwise.
  private func hint(for name: String, _ known: [String]) -> String {
    guard let nearest = known.first else { return " It takes none." }
    if known.count == 1 { return " There is \(quoted(nearest))." }
    guard isNear(name, nearest) else {
      return known.count > 30
        ? "" : " There are \(known.sorted().map(quoted).joined(separator: ", "))."
    }
    let others = known.dropFirst().prefix(2).filter { isNear(name, $0) }.map(quoted)
    return " Did you mean \(quoted(nearest))?"
      + (others.isEmpty
        ? "" : " Near it \(others.count > 1 ? "are" : "is") \(others.joined(separator: " and ")).")
  }
}

/// Whether a name may be a misspelling or the beginning of another one.
private func isNear(_ name: String, _ other: String) -> Bool {
  // The edit distance takes time in proportion to the length of the name, which a file may make arbitrary.
  guard !name.isEmpty, name.utf8.count <= 2 * other.utf8.count else { return false }
  let (name, other) = (NameTable<String>.key(name), NameTable<String>.key(other))
  return other.hasPrefix(name) && !name.isEmpty
    || misspellingDistance(of: name, from: other) != nil
}

/// The quoted beginning of a name or word of a recipe, whose length is up to the file.
func quotedBeginning(of name: String) -> String {
  quoted(name.count > 40 ? "\(name.prefix(40))…" : name)
}

private func place(_ path: String) -> String { path.isEmpty ? "" : "\(path): " }

/// An error that prevents writing a picture as a recipe.
@nonexhaustive
public indirect enum RecipeEncodingError: Error, Hashable, Sendable {
  /// The picture's own operations contain an error, or a closure.
  case recipe(RecipeError)
  /// A filter has no name in recipes.
  case unnamed(String)
  /// A parameter is infinite or NaN.
  case notFinite(Double)
  /// A color space consists of closures and has no name.
  case unwritableSpace(String)
  /// A parameter has a value that recipes cannot hold, for this reason.
  case unwritable(String)
}

extension RecipeEncodingError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .recipe(let error): error.description
    case .unnamed(let filter):
      "“\(filter)” has no name in recipes. Let its type conform to RecipeFilter."
    case .notFinite(let number):
      "Recipes hold finite numbers; a parameter is \(inWords(number))."
    case .unwritableSpace(let space):
      "The color space “\(space)” has no name that recipes know, and is made of functions that cannot "
        + "be written down. Convert to a named space before and after."
    case .unwritable(let reason): reason
    }
  }
}

/// An error in applying a recipe to pictures.
@nonexhaustive
public indirect enum RecipeBindingError: Error, Hashable, Sendable {
  /// A picture for one of the recipe's inputs is missing.
  case missingInput(String, inputs: [String])
  /// A picture was given for an input that the recipe does not have.
  case unknownInput(String, inputs: [String])
  /// The recipe has no result of this name; nil where a name is required.
  case unknownOutput(String?, outputs: [String])
  /// All results were asked for by name, and the recipe has one result without a name.
  case unnamedResult
}

extension RecipeBindingError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .missingInput(let name, let inputs):
      return "The recipe needs a picture for \(quoted(name)). It takes \(list(inputs))."
    case .unknownInput(let name, let inputs):
      return "The recipe takes no picture called \(quoted(name)). It takes \(list(inputs))."
    case .unknownOutput(let name?, let outputs):
      return outputs.isEmpty
        ? "The recipe has one result, without a name; \(quoted(name)) is none."
        : "The recipe has no result called \(quoted(name)). It has \(list(outputs))."
    case .unknownOutput(nil, let outputs):
      return outputs.isEmpty
        ? "The recipe has no result. Create it from one picture or more."
        : "The recipe has several results. Name one of \(list(outputs))."
    case .unnamedResult:
      return "The recipe has one result, without a name. Get it by picture(_:)."
    }
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map(quoted).joined(separator: ", ")
  }
}
