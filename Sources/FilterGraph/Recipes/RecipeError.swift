public import ColorSpaces
public import ImageBuffer

/// An error in a parameter of a picture or a filter. The description names the invalid value and the allowed ones.
@nonexhaustive
public indirect enum RecipeError: Error, Hashable, Sendable {
  /// A color space, a transfer function or a curve cannot be used.
  case color(ColorError)
  /// The requested picture has no pixels.
  case emptySize(width: Int, height: Int)
  /// The requested picture has more pixels than the limit.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A part of the picture would lie more than `limit` pixels away from (0, 0), in any direction.
  case tooFar(region: String, limit: Int)
  /// All pixels of a picture of infinite extent were requested.
  case endless
  /// The region to crop to is outside of the picture.
  case regionOutside(Region, picture: Region)
  /// The requested pixel is outside of the picture.
  case outside(x: Int, y: Int, of: String)
  /// The transform is not invertible, or would show a part of the picture from behind.
  case noWayBack
  /// The rows of a convolution kernel differ in length, or have an even length or an even number.
  case unevenTable(rows: [Int])
  /// A parameter is out of range.
  case parameter(String, value: Double, allowed: ClosedRange<Double>)
  /// The channels of the source, a bitmap or rows, are not colors.
  case notLight(channels: String)
  /// A filter was used where only point filters and conversions are allowed.
  case notPointwise
  /// The picture is not a Hald image.
  case haldSize(width: Int, height: Int)
  /// The film base is not brighter than the tone that becomes white, or that tone is black.
  case filmTones(base: SIMD3<Double>, white: SIMD3<Double>)
  /// The step at this place of a recipe, such as `steps[2].crop`, cannot be rendered.
  case step(at: String, RecipeError)
  /// Another error, in a sentence.
  case other(String)
}

extension RecipeError {
  /// Creates a filter's error from the error of a color, curve or table among its parameters.
  ///
  /// A parameter out of range becomes a ``parameter(_:value:allowed:)`` of the filter; other errors become
  /// ``color(_:)``.
  public init(_ error: ColorError) {
    if case .parameter(let name, let value, let allowed) = error {
      self = .parameter(name, value: value, allowed: allowed)
    } else {
      self = .color(error)
    }
  }
}

/// Returns the result of `make`, and rethrows its error as that of a filter.
func recipeChecked<Value>(_ make: () throws(ColorError) -> Value) throws(RecipeError) -> Value {
  do throws(ColorError) { return try make() } catch { throw RecipeError(error) }
}

extension RecipeError: CustomStringConvertible {
  /// What is wrong, and what is allowed.
  public var description: String { advice.map { "\(finding) \($0)" } ?? finding }

  /// A remedy in terms of the library.
  package var advice: String? {
    switch self {
    case .tooManyPixels: "Make a smaller picture, or raise RenderOptions.pixelLimit."
    case .endless: "Crop it to a region first: .cropped(to:)."
    case .notLight:
      "Pick channels of a bitmap with converted(channels:), or convert ink channels by their profile with ICCTransform."
    case .step(_, let error): error.advice
    default: nil
    }
  }

  /// What is wrong, and what is allowed: the description without the advice that names Swift symbols.
  package var finding: String {
    switch self {
    case .color(let error):
      return "\(error)"
    case .emptySize(let width, let height):
      return "A picture needs at least one pixel; \(width) × \(height) has none. "
        + "Ask for a width and a height from 1 up."
    case .tooManyPixels(let width, let height, let limit):
      return "\(width) × \(height) is more than the limit of \(limit) pixels."
    case .tooFar(let region, let limit):
      return
        "A picture of \(region) reaches too far: pictures lie within \(limit) pixels of (0, 0) in "
        + "each direction. Ask for fewer pixels, or for a place that is nearer."
    case .endless:
      return "The picture goes on in all directions."
    case .regionOutside(let region, let picture):
      return "The region \(region) to crop to lies outside of the picture, which is \(picture)."
    case .outside(let x, let y, let region):
      return "Pixel (\(x), \(y)) lies outside of the picture, which is \(region)."
    case .noWayBack:
      return "The transform takes several points to one, or shows some of the picture from behind. "
        + "Name corners of a convex shape, in the order upper left, upper right, lower right, lower "
        + "left, and factors that are not 0."
    case .unevenTable(let rows):
      return
        "A table of weights has an odd number of rows, each of the same odd length; got "
        + (rows.isEmpty
          ? "no rows." : "rows of \(rows.map(String.init).joined(separator: ", ")).")
    case .parameter(let name, let value, let allowed):
      return "\(ColorError.parameter(name, value: value, allowed: allowed))"
    case .notLight(let channels):
      return
        "A picture is made of gray or of red, green and blue, perhaps with alpha; this source has "
        + "\(channels)."
    case .notPointwise:
      return
        "Only point filters and conversions between color spaces fit into a 3D LUT, or may follow a "
        + "measurement in applying(measuring:). Apply other filters before or after."
    case .haldSize(let width, let height):
      return
        "A Hald image is as wide as high, a cube of 2 to 11: 8, 27, 64 … 1331 pixels; this one "
        + "is \(width) × \(height)."
    case .filmTones(let base, let white):
      return
        "In each channel of a negative the base must be brighter than the white tone, and the white "
        + "tone brighter than 0; got base \(list(base)), white \(list(white)). Is this a negative, "
        + "with unexposed film in it?"
    case .step(let path, let error):
      return "\(path): \(error.finding)"
    case .other(let sentence):
      return sentence
    }
  }
}

private func list(_ v: SIMD3<Double>) -> String { "\(v.x), \(v.y), \(v.z)" }
