internal import ColorSpaces
public import ImageBuffer

/// Fills a region with a picture: pads it where the region is larger, and crops it where the region is smaller.
struct Padding: CompoundFilter, RecipeFilter {
  let extent: PaddingExtent
  let edges: Edges

  init(_ extent: PaddingExtent, edges: Edges) throws(RecipeError) {
    (self.extent, self.edges) = (extent, edges)
    try Self.declaration.check(self)
    try extent.check()
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    guard let region = extent.region(around: picture) else { return picture.failing(.endless) }
    return picture.window(on: region, edges: edges)
  }

  static let declaration = Declaration<Padding>(
    "pad", "Adds pixels around a picture so that it fills a region or a size, or has a border.",
    keepsGray: true, swift: "picture.padded(to: Region(x: -4, y: -3, width: 48, height: 36))",
    Parameter.paddingTarget(\.extent.target), Parameter.border(\.extent.border),
    Parameter("edges", \.edges, "what the added pixels show", default: .clear),
    Parameter.keptColumn(\.extent.x, PaddingExtent.place),
    Parameter.keptRow(\.extent.y, PaddingExtent.place)
  ) { target, border, edges, x, y throws(RecipeError) in
    try Padding(PaddingExtent(target, border: border, x: x, y: y), edges: edges)
  }.with(.moves)
}

/// The region that a padded picture fills: a region or a size, or that of the picture with a border.
struct PaddingExtent: Hashable, Sendable {
  var target: PaddingTarget?
  var border: Border?
  /// Where the picture lies in a size: 0 left or top, 1 right or bottom.
  var x, y: Double

  init(_ target: PaddingTarget?, border: Border? = nil, x: Double = 0.5, y: Double = 0.5) {
    (self.target, self.border, self.x, self.y) = (target, border, x, y)
  }

  /// The meaning of `x` and `y`.
  static let place = "where the picture lies in a size"

  /// Throws unless there is one of a target and a border, the target has pixels, and only a size has a place for the picture.
  func check() throws(RecipeError) {
    guard (target == nil) != (border == nil) else {
      throw .other(
        "Padding needs one of “to”, the region or the size to fill, and “by”, the width of a border; "
          + "it has \(target == nil ? "neither" : "both").")
    }
    switch target {
    case .size(let size): return try size.checkNotEmpty()
    case .region(let region): try region.size.checkNotEmpty()
    case nil: break
    }
    guard x == 0.5, y == 0.5 else {
      throw .other(
        "The x \(x.plainText) and y \(y.plainText) of padding choose where the picture lies in a size, and "
          + "there is no size. Leave both at 0.5, or pad to a size.")
    }
  }

  /// Returns the region to fill; nil where that takes the size of a picture of infinite extent.
  func region(around picture: Picture) -> Region? {
    if case .region(let region) = target { return region }
    if picture.isEndless { return nil }
    if case .size(let size) = target { return picture.region.part(of: size, x: x, y: y) }
    return border.map { picture.region.expanded(by: PixelSize($0.x, $0.y)) }
  }
}

/// The region, or the size, that a padded picture fills.
enum PaddingTarget: Hashable, Sendable {
  case region(Region)
  case size(PixelSize)
}

extension PaddingTarget: RecipeCodable {
  /// On the command line: a region such as `-4,-3,48x36`, or a size such as `800x600`.
  static var textForm: TextForm {
    TextForm("X,Y,WxH|WxH") { TextForm.region.value(of: $0) ?? TextForm.size.value(of: $0) }
  }

  /// Reads the list of a region, or that of a size.
  init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .array(let sides) = source.value, [2, 4].contains(sides.count) else {
      throw source.mismatch(
        expected: "a list of 4 whole numbers for a region, or of 2 for a size")
    }
    self =
      sides.count == 2
      ? .size(try PixelSize(recipe: source)) : .region(try Region(recipe: source))
  }

  /// Writes the list of a region or of a size.
  func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    switch self {
    case .region(let region): try region.recipeValue()
    case .size(let size): try size.recipeValue()
    }
  }
}

/// The width of a border at the left and the right, `x`, and at the top and the bottom, `y`.
struct Border: Hashable, Sendable {
  var x, y: Int
}

extension Border: RecipeCodable, ParameterNumbers, NumberList {
  var parameterNumbers: [Double] { [Double(x), Double(y)] }

  /// On the command line: `20` or `20,10`.
  static var textForm: TextForm {
    TextForm("N|X,Y") { TextForm.wholeNumber.value(of: $0) ?? Offset.textForm.value(of: $0) }
  }

  /// Reads a whole number, or a list of two.
  init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    if case .array = source.value {
      let widths = try source.wholeNumbers(2)
      self.init(x: widths[0], y: widths[1])
    } else {
      let width = try Int(recipe: source)
      self.init(x: width, y: width)
    }
  }

  /// Writes a whole number for equal widths, and a list of two for others.
  func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    x == y ? .integer(x) : .array([.integer(x), .integer(y)])
  }
}

extension Parameter where Value == PaddingTarget? {
  /// The parameter `to` of filters that pad.
  static func paddingTarget(_ get: @escaping @Sendable (Root) -> Value) -> Parameter {
    Parameter(
      "to", get, "the region to fill: left, top, width and height; or a size, which x and y place",
      unit: "pixels", sample: .region(Region(x: -4, y: -3, width: 48, height: 36))
    ).unless("by")
  }
}

extension Parameter where Value == Border? {
  /// The parameter `by` of filters that pad.
  static func border(_ get: @escaping @Sendable (Root) -> Value) -> Parameter {
    Parameter(
      "by", get,
      "the width of a border, instead of to; of two, the first is at the left and the right",
      unit: "pixels", in: 0...Double(1 << 30))
  }
}

extension Picture {
  /// Returns this picture padded to fill `region`; where the region is smaller, it is cropped.
  public func padded(to region: Region, edges: Edges = .clear) -> Picture {
    applying { () throws(RecipeError) in
      try Padding(PaddingExtent(.region(region)), edges: edges)
    }
  }

  /// Returns this picture padded to a size; where the size is smaller, it is cropped. The pixels keep their positions.
  ///
  /// - Parameters:
  ///   - size: The size of the result.
  ///   - edges: What the added pixels show.
  ///   - x: Where the picture lies in the width: 0 at the left, 0.5 in the middle, 1 at the right.
  ///   - y: Where the picture lies in the height: 0 at the top, 0.5 in the middle, 1 at the bottom.
  public func padded(
    to size: PixelSize, edges: Edges = .clear, x: Double = 0.5, y: Double = 0.5
  ) -> Picture {
    applying { () throws(RecipeError) in
      try Padding(PaddingExtent(.size(size), x: x, y: y), edges: edges)
    }
  }

  /// Returns this picture with a border of `x` pixels at the left and the right, and of `y` pixels, by default as many, at the top and the
  /// bottom. The pixels keep their positions.
  public func padded(by x: Int, _ y: Int? = nil, edges: Edges = .clear) -> Picture {
    applying { () throws(RecipeError) in
      try Padding(PaddingExtent(nil, border: Border(x: x, y: y ?? x)), edges: edges)
    }
  }
}
