/// What a recipe asks for and cannot have. The description says what is wrong and what would be right.
@nonexhaustive
public enum RecipeError: Error, Hashable, Sendable {
  /// No color space goes by this name.
  case unknownColorSpace(String, nearest: [String])
  /// No transfer function goes by this name.
  case unknownTransferFunction(String, nearest: [String])
  /// Code points of H.273 name no color space that can be used here.
  case unusableCodePoints(CodePoints, reason: String)
  /// A curve has too few or too many points.
  case curvePointCount(Int, allowed: ClosedRange<Int>)
  /// A curve's point lies left of, or on, the one before it.
  case curvePointsOutOfOrder(index: Int, x: Double, previous: Double)
  /// A curve's point is infinite or not a number.
  case curvePointNotFinite(index: Int, x: Double, y: Double)
  /// A picture without pixels was asked for.
  case emptySize(width: Int, height: Int)
  /// A picture with more pixels than the limit was asked for.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Some of a picture would lie more than `limit` pixels away from (0, 0), to the right or left, above or below.
  case tooFar(region: String, limit: Int)
  /// All pixels were asked for of a picture that has no end.
  case endless
  /// A pixel was asked for that lies outside of the picture.
  case outside(x: Int, y: Int, of: String)
  /// A transform takes several points to one, or shows some of the picture from behind.
  case noWayBack
  /// The rows of a table of weights have other lengths than one odd number, or are not odd in number.
  case unevenTable(rows: [Int])
  /// A parameter lies outside of what the filter can do.
  case parameter(String, value: Double, allowed: ClosedRange<Double>)
  /// A bitmap holds something else than light, of which pictures are made.
  case notLight(channels: String)
  /// A recipe that should change each pixel by itself looks at others.
  case notPointwise
  /// A picture is no Hald image.
  case haldSize(width: Int, height: Int)
  /// A film's base is not brighter than the tone that becomes white, or that tone is black.
  case filmTones(base: SIMD3<Double>, white: SIMD3<Double>)
  /// Something that only the filter knows of, in a sentence.
  case other(String)
}

extension RecipeError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .unknownColorSpace(let name, let nearest):
      return unknown("color space", name, nearest) + "ColorSpace.all has all names."
    case .unknownTransferFunction(let name, let nearest):
      return unknown("transfer function", name, nearest) + "TransferFunction.named has all names."
    case .unusableCodePoints(let points, let reason):
      return "Code points \(points) name no color space: \(reason)."
    case .curvePointCount(let count, let allowed):
      return "A curve takes \(allowed.lowerBound) to \(allowed.upperBound) points; got \(count)."
    case .curvePointsOutOfOrder(let index, let x, let previous):
      return "The x of curve points must rise from each to the next: point \(index + 1) has \(x), "
        + "the one before it \(previous). Sort the points by x, each x once."
    case .curvePointNotFinite(let index, let x, let y):
      return "Curve points must be finite numbers: point \(index + 1) is (\(x), \(y))."
    case .emptySize(let width, let height):
      return "A picture needs at least one pixel; \(width) × \(height) has none. "
        + "Ask for a width and a height from 1 up."
    case .tooManyPixels(let width, let height, let limit):
      return "\(width) × \(height) is more than the limit of \(limit) pixels. "
        + "Ask for less, or raise the limit in the render options."
    case .tooFar(let region, let limit):
      return
        "A picture of \(region) reaches too far: pictures lie within \(limit) pixels of (0, 0) in "
        + "each direction. Ask for fewer pixels, or for a place that is nearer."
    case .endless:
      return "The picture goes on in all directions. Crop it to a region first: .cropped(to:)."
    case .outside(let x, let y, let region):
      return "Pixel (\(x), \(y)) lies outside of the picture, which is \(region)."
    case .noWayBack:
      return "The transform takes several points to one, or shows some of the picture from behind. "
        + "Name corners of a convex shape, in the order upper left, upper right, lower right, lower "
        + "left, and factors that are not 0."
    case .unevenTable(let rows):
      return
        "A table of weights has an odd number of rows, each of the same odd length; got rows of "
        + "\(rows.map(String.init).joined(separator: ", "))."
    case .parameter(let name, let value, let allowed):
      return "\(name) must lie in \(plain(allowed.lowerBound))…\(plain(allowed.upperBound)); "
        + "got \(plain(value))."
    case .notLight(let channels):
      return
        "A picture is made of gray or of red, green and blue, perhaps with alpha; this bitmap has "
        + "\(channels). Pick channels with bitmap.converted(channels:), or convert inks by their "
        + "profile with ICCTransform."
    case .notPointwise:
      return
        "Only what changes each pixel by itself can be baked into a table; this recipe resizes, "
        + "blends, measures or depends on places. Bake the parts before and after that."
    case .haldSize(let width, let height):
      return
        "A Hald image is as wide as high, a cube of 2 to 11: 8, 27, 64 … 1331 pixels; this one "
        + "is \(width) × \(height)."
    case .filmTones(let base, let white):
      return
        "In each channel of a negative the base must be brighter than the white tone, and the white "
        + "tone brighter than 0; got base \(list(base)), white \(list(white)). Is this a negative, "
        + "with unexposed film in it?"
    case .other(let sentence):
      return sentence
    }
  }
}

private func unknown(_ kind: String, _ name: String, _ nearest: [String]) -> String {
  let quoted = nearest.map { "“\($0)”" }
  return "No \(kind) is called “\(name)”. Did you mean \(quoted.first ?? "another one")? "
    + (quoted.count > 1 ? "Near it are \(quoted.dropFirst().joined(separator: " and ")). " : "")
}

/// A number without a fraction of zero.
private func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}

private func list(_ v: SIMD3<Double>) -> String { "\(v.x), \(v.y), \(v.z)" }
