internal import ColorSpaces
public import ImageBuffer

/// A picture that shows whether wide color survives: three marks that can only be seen where it does.
///
/// Side by side lie fields of Display P3's reddest red, greenest green and bluest blue, each with a mark of sRGB's own. Whatever
/// holds pictures in sRGB makes field and mark the same. Three grays below tell whether tones were changed too. After a canary went
/// through a pipeline, ``Verdict`` says what happened.
public struct Canary: Painter {
  private let width, height: Int
  private let fields, marks, grays: [SIMD4<Double>]

  /// A canary of the given size.
  public init(size: PixelSize) {
    (width, height) = (size.width, size.height)
    fields = Self.colors(of: .displayP3)
    marks = Self.colors(of: .sRGB)
    grays = Self.grays
  }

  /// What it fills.
  public var size: PixelSize? { PixelSize(width, height) }

  /// As Display P3 stores it.
  public var domain: PixelDomain { .encoded }

  /// A field, the diamond in the middle of it, or the gray below.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let across = 3 * (Double(x) + 0.5) / Double(width)
    let field = min(Int(across), 2)
    let down = (Double(y) + 0.5) / Double(height) / Self.heightOfFields
    if down >= 1 { return grays[field] }
    let (dx, dy) = (across - Double(field) - 0.5, down - 0.5)
    return abs(dx) + abs(dy) < Self.reach ? marks[field] : fields[field]
  }

  /// The part of the height that fields have; grays have the rest.
  private static let heightOfFields = 0.75

  /// From the middle of a mark to its corners, in widths and heights of a field.
  private static let reach = 0.35

  /// Shadow, middle and light, as Display P3 stores them.
  private static let grays = [0.25, 0.5, 0.75].map { SIMD4($0, $0, $0, 1) }

  /// Red, green and blue of a space, as Display P3 stores them.
  private static func colors(of space: ColorSpace) -> [SIMD4<Double>] {
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map {
      SIMD4(ColorPoint($0, in: space).converted(to: .displayP3).components, 1)
    }
  }
}

extension Canary: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "canary" }
}

extension Canary: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<Canary>>(
    "canary", RecipeField("size") { PixelSize($0.painter.width, $0.painter.height) },
    RecipeField("in", \.space, default: .displayP3)
  ) { Painting(Canary(size: $0), in: $1) }
}

extension Canary {
  /// What became of a canary.
  @nonexhaustive
  public enum Fate: String, Hashable, Sendable, CaseIterable {
    /// Its colors are as they were painted.
    case intact
    /// The numbers are those of a wide space still, but nothing says so any more.
    case profileDropped
    /// It was converted to a space that cannot hold it, and nothing says to which.
    case convertedAndUntagged
    /// The marks cannot be seen: something held the picture in sRGB.
    case clipped
    /// A tone curve changed the grays, and held the colors in sRGB.
    case toneCurveClamped
    /// The numbers of Display P3 were taken for those of another space: a profile was assigned where colors should be converted.
    case mistagged
    /// The colors were converted twice.
    case convertedTwice
    /// The channels are in another order.
    case channelsSwapped
    /// The marks can be seen, but the colors are others: something changed them on the way.
    case changed
  }

  /// What was found in a picture that once was a canary.
  public struct Verdict: Hashable, Sendable {
    /// What became of it.
    public let fate: Fate
    /// How far marks and fields of red, green and blue are apart, by CIEDE2000.
    public let contrasts: SIMD3<Double>
    /// How far they were when painted.
    public let paintedContrasts: SIMD3<Double>
  }

  /// Looks for the canary in a picture of any size and space.
  ///
  /// - Parameters:
  ///   - picture: What came out of a pipeline.
  ///   - isTagged: Whether it came with its space. Where it did not, its space here is nobody's word, and is not looked at.
  ///   - options: How to render.
  public static func check(
    _ picture: Picture, isTagged: Bool = true, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Verdict {
    let bitmap = try picture.render(as: Float.self, options: options)
    let painted = Patches(
      colors(of: .displayP3) + colors(of: .sRGB) + grays, in: .displayP3)
    let numbers = samples(of: bitmap)
    let found = Patches(numbers, in: isTagged ? picture.space : .displayP3)
    return Verdict(
      fate: isTagged ? fate(of: found, painted: painted) : fate(of: numbers, painted: painted),
      contrasts: found.contrasts, paintedContrasts: painted.contrasts)
  }

  /// What happened to numbers that came without a space.
  private static func fate(of numbers: [SIMD4<Double>], painted: Patches) -> Fate {
    let wide: [ColorSpace] = [.displayP3, .rec2020, .adobeRGB, .proPhoto]
    if wide.contains(where: { Patches(numbers, in: $0).areClose(to: painted.converted(to: $0)) }) {
      return .profileDropped
    }
    let fate = fate(of: Patches(numbers, in: .sRGB), painted: painted)
    return fate == .clipped ? .convertedAndUntagged : fate
  }

  private static func fate(of found: Patches, painted: Patches) -> Fate {
    if found.areClose(to: painted) { return .intact }
    let space = found.space
    let mistaken = [space, .sRGB, .adobeRGB, .proPhoto, .rec2020].filter { $0 != .displayP3 }
    // A half of what was painted is far above the roundings of 8 bits, and far below what gamut mapping leaves.
    if all(found.contrasts .< painted.contrasts / 2) {
      let areGraysKept =
        found.hasGrays(of: painted)
        || mistaken.contains { found.hasGrays(of: painted.read(as: $0, in: space)) }
      return areGraysKept ? .clipped : .toneCurveClamped
    }
    if mistaken.contains(where: { found.areClose(to: painted.read(as: $0, in: space)) }) {
      return .mistagged
    }
    let once = painted.converted(to: space)
    if found.areClose(to: once.read(as: .displayP3, in: space)) { return .convertedTwice }
    let orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    if orders.contains(where: { found.withChannels($0).areClose(to: once) }) {
      return .channelsSwapped
    }
    return .changed
  }

  /// The colors in the middle of the fields' upper corners, of the marks and of the grays, where neither resizing nor compression
  /// blurs them much.
  private static func samples(of bitmap: Bitmap<Float>) -> [SIMD4<Double>] {
    func sample(_ across: Double, _ down: Double) -> SIMD4<Double> {
      let (x, y) = (
        min(Int(across * Double(bitmap.size.width)), bitmap.size.width - 1),
        min(Int(down * Double(bitmap.size.height)), bitmap.size.height - 1)
      )
      return SIMD4(
        Double(bitmap[x, y, 0]), Double(bitmap[x, y, 1]), Double(bitmap[x, y, 2]), 1)
    }
    let places = [
      (across: 0.15, down: 0.15 * heightOfFields), (across: 0.5, down: 0.5 * heightOfFields),
      (across: 0.5, down: (1 + heightOfFields) / 2),
    ]
    return places.flatMap { place in
      (0..<3).map { field in sample((Double(field) + place.across) / 3, place.down) }
    }
  }
}

/// The colors of three fields, of their marks and of the grays below, as a space stores them.
private struct Patches {
  let colors: [ColorPoint]
  let space: ColorSpace

  init(_ colors: [ColorPoint], in space: ColorSpace) { (self.colors, self.space) = (colors, space) }

  init(_ numbers: [SIMD4<Double>], in space: ColorSpace) {
    self.init(
      numbers.map { ColorPoint(SIMD3($0.x, $0.y, $0.z), in: space) }, in: space)
  }

  var contrasts: SIMD3<Double> {
    SIMD3((0..<3).map { ColorDifference.ciede2000()(colors[$0], colors[$0 + 3]) })
  }

  /// Within what 8 bits and a good compression change, where numbers may or may not have been held in 0…1.
  func areClose(to others: Patches) -> Bool {
    [others, others.clamped].contains { others in
      zip(colors, others.colors).allSatisfy { ColorDifference.ciede2000()($0, $1) <= 1 }
    }
  }

  /// The same for the grays alone.
  func hasGrays(of others: Patches) -> Bool {
    zip(colors, others.colors).suffix(3).allSatisfy { ColorDifference.ciede2000()($0, $1) <= 1 }
  }

  /// The numbers taken for those of one space, and converted to another.
  func read(as mistaken: ColorSpace, in target: ColorSpace) -> Patches {
    Patches(colors.map { ColorPoint($0.components, in: mistaken) }, in: mistaken)
      .converted(to: target)
  }

  func converted(to target: ColorSpace) -> Patches {
    Patches(colors.map { $0.converted(to: target) }, in: target)
  }

  private var clamped: Patches {
    Patches(
      colors.map {
        ColorPoint($0.components.clamped(lowerBound: .zero, upperBound: .one), in: space)
      }, in: space)
  }

  /// The channels in another order.
  func withChannels(_ order: [Int]) -> Patches {
    Patches(
      colors.map { color in ColorPoint(SIMD3(order.map { color.components[$0] }), in: space) },
      in: space)
  }
}
