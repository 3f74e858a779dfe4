public import ColorSpaces

/// A filter with a name in recipes.
///
/// ``RecipeRecord/declaration`` says the name and the parameters. Filters of other packages are added to a ``FilterCatalog``.
public protocol RecipeFilter: RecipeRecord {
  /// The allowed number of input pictures.
  static var recipeInputs: ClosedRange<Int> { get }

  /// Returns the filter applied to pictures.
  func picture(of inputs: [Picture]) -> Picture
}

extension RecipeFilter {
  var declaredName: String { Self.declaration.name }
  /// The parameters of the declaration.
  var declaredParameters: [ParameterDescription] { Self.declaration.parameters }
  /// Whether gray pictures stay gray.
  package var keepsGray: Bool { Self.declaration.keepsGray(self) }

  /// Throws where a parameter is out of range, or for fewer pictures than the filter reads.
  func check(inputs count: Int) throws(RecipeError) {
    try Self.declaration.check(self)
    if count < Self.recipeInputs.lowerBound { throw unallowed(inputs: count) }
  }

  /// Throws for a number of pictures that a step of a recipe may not have.
  func checkAsStep(inputs count: Int) throws(RecipeError) {
    if !Self.recipeInputs.contains(count) { throw unallowed(inputs: count) }
  }

  private func unallowed(inputs count: Int) -> RecipeError {
    let allowed = Self.recipeInputs
    return .parameter(
      "The number of pictures of \(spaced(declaredName))", value: Double(count),
      allowed: Double(allowed.lowerBound)...Double(allowed.upperBound))
  }
}

extension RecipeFilter where Self: PointFilter {
  /// The picture alone: a point filter has one input.
  public static var recipeInputs: ClosedRange<Int> { 1...1 }

  /// Returns the filtered picture.
  public func picture(of inputs: [Picture]) -> Picture { inputs[0].applying(self) }
}

extension RecipeFilter where Self: AreaFilter {
  /// The picture alone: an area filter has one input.
  public static var recipeInputs: ClosedRange<Int> { 1...1 }

  /// Returns the filtered picture.
  public func picture(of inputs: [Picture]) -> Picture { inputs[0].applying(self) }
}

extension RecipeFilter where Self: BlendFilter {
  /// Two inputs.
  public static var recipeInputs: ClosedRange<Int> { 2...2 }

  /// Returns the blend of both pictures.
  public func picture(of inputs: [Picture]) -> Picture {
    inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

extension RecipeFilter where Self: AreaBlendFilter {
  /// Two inputs.
  public static var recipeInputs: ClosedRange<Int> { 2...2 }

  /// Returns the first picture, filtered with the second.
  public func picture(of inputs: [Picture]) -> Picture {
    inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

extension RecipeFilter where Self: CompoundFilter {
  /// The picture alone, unless the filter states other inputs.
  public static var recipeInputs: ClosedRange<Int> { 1...1 }

  /// Returns the filtered picture.
  public func picture(of inputs: [Picture]) -> Picture {
    inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

/// A painter and a color space: a picture without inputs, as recipes have it.
public struct Painting<Subject: Painter>: Hashable, Sendable {
  /// The painter of the pixels.
  public var painter: Subject
  /// The color space of the painted channels.
  public var space: ColorSpace

  /// Creates a painting.
  public init(_ painter: Subject, in space: ColorSpace) {
    (self.painter, self.space) = (painter, space)
  }
}

/// A painter with a name in recipes.
public protocol RecipePainter: Painter {
  /// The declaration of the name and the parameters, including the color space.
  static var declaration: Declaration<Painting<Self>> { get }
}

extension Declaration {
  /// Throws if a parameter of `painter` is out of range. Initializers of painters call it last.
  public func check<Subject: Painter>(
    _ painter: Subject
  ) throws(RecipeError) where Root == Painting<Subject> {
    // No range depends on the color space.
    try check(Painting(painter, in: .sRGB))
  }
}

/// A painter of values in a space of its own, from which a recipe's picture is converted.
protocol ConvertedPainter: RecipePainter {
  /// The space of the painted values.
  var paintedSpace: ColorSpace { get }
}

extension Painting: RecipeCodable, RecipeRecord, RecipeFilter where Subject: RecipePainter {
  /// The declaration of the painter.
  public static var declaration: Declaration<Painting> { Subject.declaration }

  /// No inputs.
  public static var recipeInputs: ClosedRange<Int> { 0...0 }

  /// Returns the painted picture.
  public func picture(of inputs: [Picture]) -> Picture {
    guard let own = (painter as? any ConvertedPainter)?.paintedSpace, own != space else {
      return Picture(painter, in: space)
    }
    return Picture(painter, in: own).converted(to: space)
  }
}
