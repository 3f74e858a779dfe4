public import ColorSpaces

/// A filter with a name in recipes.
///
/// ``RecipeRecord/declaration`` says the name and the parameters. Filters of other packages are added to a ``FilterCatalog``.
public protocol RecipeFilter: RecipeRecord {
  /// How many pictures it takes.
  static var recipeInputs: ClosedRange<Int> { get }

  /// The picture it makes of those.
  func picture(of inputs: [Picture]) -> Picture
}

extension RecipeFilter {
  var declaredName: String { Self.declaration.name }
}

extension RecipeFilter where Self: PointFilter {
  /// One.
  public static var recipeInputs: ClosedRange<Int> { 1...1 }

  /// The picture, filtered.
  public func picture(of inputs: [Picture]) -> Picture { inputs[0].applying(self) }
}

extension RecipeFilter where Self: AreaFilter {
  /// One.
  public static var recipeInputs: ClosedRange<Int> { 1...1 }

  /// The picture, filtered.
  public func picture(of inputs: [Picture]) -> Picture { inputs[0].applying(self) }
}

extension RecipeFilter where Self: BlendFilter {
  /// Two.
  public static var recipeInputs: ClosedRange<Int> { 2...2 }

  /// The pictures, blended.
  public func picture(of inputs: [Picture]) -> Picture {
    inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

extension RecipeFilter where Self: AreaBlendFilter {
  /// Two.
  public static var recipeInputs: ClosedRange<Int> { 2...2 }

  /// The first picture, filtered.
  public func picture(of inputs: [Picture]) -> Picture {
    inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

/// A filter that is made of others.
///
/// In recipes it is one step, whatever it is made of for the pictures at hand.
public protocol CompoundFilter: Hashable, Sendable {
  /// The picture it makes of one picture and perhaps others.
  func picture(of picture: Picture, with others: [Picture]) -> Picture
}

extension RecipeFilter where Self: CompoundFilter {
  /// One.
  public static var recipeInputs: ClosedRange<Int> { 1...1 }

  /// The picture, filtered.
  public func picture(of inputs: [Picture]) -> Picture {
    inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

/// What a painter paints, and in which space: a picture out of nothing, as recipes have it.
public struct Painting<Subject: Painter>: Hashable, Sendable {
  /// What paints.
  public var painter: Subject
  /// The space whose lights it paints with.
  public var space: ColorSpace

  /// A painting of a painter with the lights of a space.
  public init(_ painter: Subject, in space: ColorSpace) {
    (self.painter, self.space) = (painter, space)
  }
}

/// A painter with a name in recipes.
public protocol RecipePainter: Painter {
  /// The name and the parameters in recipes, the space among them.
  static var declaration: Declaration<Painting<Self>> { get }
}

extension Declaration {
  /// Throws where a parameter of `painter` lies outside of its range. Initializers of painters end with it.
  public func check<Subject: Painter>(
    _ painter: Subject
  ) throws(RecipeError) where Root == Painting<Subject> {
    // No range depends on the space.
    try check(Painting(painter, in: .sRGB))
  }
}

extension Painting: RecipeCodable, RecipeRecord, RecipeFilter where Subject: RecipePainter {
  /// The name and the parameters of the painter.
  public static var declaration: Declaration<Painting> { Subject.declaration }

  /// None.
  public static var recipeInputs: ClosedRange<Int> { 0...0 }

  /// The painting.
  public func picture(of inputs: [Picture]) -> Picture { Picture(painter, in: space) }
}
