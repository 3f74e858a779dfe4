internal import ColorSpaces
internal import ImageBuffer

/// Crops a picture to the largest region of an aspect ratio.
struct AspectCropping: CompoundFilter, RecipeFilter {
  let ratio: AspectRatio
  let x, y: Double

  init(to ratio: AspectRatio, x: Double, y: Double) throws(RecipeError) {
    (self.ratio, self.x, self.y) = (ratio, x, y)
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    if picture.isEndless { return picture.failing(.endless) }
    let size = ratio.largestSize(in: picture.size)
    return picture.cropped(to: picture.region.part(of: size, x: x, y: y))
  }

  static let declaration = Declaration<AspectCropping>(
    "aspect-crop", "Crops a picture to the largest region of an aspect ratio.",
    keepsGray: true, swift: "picture.cropped(toAspect: 16, 9)",
    Parameter(
      "ratio", \.ratio, "the width to the height, such as 16:9 or 1.5", in: 0.001...1000,
      sample: AspectRatio(width: 16, height: 9)),
    Parameter.keptColumn(\.x), Parameter.keptRow(\.y)
  ) { ratio, x, y throws(RecipeError) in try AspectCropping(to: ratio, x: x, y: y) }.with(.moves)
}

/// The ratio of a width to a height.
struct AspectRatio: Hashable, Sendable {
  var width, height: Double

  /// Returns the size of the largest region of this ratio in `box`, in whole pixels.
  func largestSize(in box: PixelSize) -> PixelSize {
    PixelSize(
      min(box.width, scaledLength(Double(box.height), by: width / height)),
      min(box.height, scaledLength(Double(box.width), by: height / width)))
  }
}

extension AspectRatio: RecipeCodable, ParameterNumbers, NumberList {
  /// The ratio. That of two negative sides, which no recipe can state, is NaN and so out of range.
  var parameterNumbers: [Double] { [height < 0 ? .nan : width / height] }

  /// On the command line: `16:9` or `1.5`.
  static var textForm: TextForm {
    TextForm("W:H|NUMBER") { text in
      AspectRatio(text).flatMap { try? $0.recipeValue() }
    }
  }

  /// Reads `16:9` or `1.5`.
  private init?(_ text: String) {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = sides.compactMap(decimalNumber).filter { $0.isFinite && $0 >= 0 }
    guard numbers.count == sides.count, numbers.count <= 2 else { return nil }
    self.init(width: numbers[0], height: numbers.count == 2 ? numbers[1] : 1)
  }

  /// Reads a number, or a text such as `16:9`.
  init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    switch source.value {
    case .integer(let number): self.init(width: Double(number), height: 1)
    case .number(let number): self.init(width: number, height: 1)
    case .string(let text):
      if let ratio = Self(text) {
        self = ratio
        return
      }
      fallthrough
    default: throw source.mismatch(expected: "a ratio such as \"16:9\" or 1.5")
    }
  }

  /// Writes a text such as `16:9`, and a number for a height of 1.
  func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    height == 1 ? try RecipeValue(width) : .string("\(width.plainText):\(height.plainText)")
  }
}

extension Parameter where Value == Double {
  /// The parameter `x` of filters that crop or pad to a shape.
  static func keptColumn(
    _ get: @escaping @Sendable (Root) -> Double, _ meaning: String = "which part is kept"
  ) -> Parameter {
    Parameter(
      "x", get, "\(meaning): 0 the left, 0.5 the middle, 1 the right", default: 0.5, in: 0...1
    ).omittedAtDefault()
  }

  /// The parameter `y` of filters that crop or pad to a shape.
  static func keptRow(
    _ get: @escaping @Sendable (Root) -> Double, _ meaning: String = "which part is kept"
  ) -> Parameter {
    Parameter(
      "y", get, "\(meaning): 0 the top, 0.5 the middle, 1 the bottom", default: 0.5, in: 0...1
    ).omittedAtDefault()
  }
}

extension Region {
  /// Returns the region of a size that `x` and `y` place in this one: at 0 both begin at the same pixel, at 1 both end there. Larger
  /// regions begin before this one.
  func part(of size: PixelSize, x: Double, y: Double) -> Region {
    let corner =
      origin
      + Offset(
        nearestOffset(x, of: width - size.width), nearestOffset(y, of: height - size.height))
    return Region(x: corner.x, y: corner.y, width: size.width, height: size.height)
  }
}

/// Returns a fraction of an excess in whole pixels; a negative excess is to be added. Halves round toward 0, so that 0.5 puts the smaller
/// half first.
private func nearestOffset(_ fraction: Double, of excess: Int) -> Int {
  let part = (Double(excess.magnitude) * fraction - 0.5).rounded(.up)
  // Clamped so that the conversion cannot overflow.
  return excess.signum() * Int(Double.minimum(part, 0x1p62))
}

extension Picture {
  /// Returns the largest part of this picture that has an aspect ratio: `cropped(toAspect: 16, 9)`, or
  /// `cropped(toAspect: 1.5)`. The pixels keep their positions.
  ///
  /// The ratio is within 0.001…1000. The size is rounded to whole pixels.
  ///
  /// - Parameters:
  ///   - width: The width of the shape.
  ///   - height: The height of the shape, in the unit of the width.
  ///   - x: Which part is kept of a picture that is too wide: 0 the left, 0.5 the middle, 1 the right.
  ///   - y: Which part is kept of a picture that is too high: 0 the top, 0.5 the middle, 1 the bottom.
  public func cropped(
    toAspect width: Double, _ height: Double = 1, x: Double = 0.5, y: Double = 0.5
  ) -> Picture {
    applying { () throws(RecipeError) in
      try AspectCropping(to: AspectRatio(width: width, height: height), x: x, y: y)
    }
  }
}
