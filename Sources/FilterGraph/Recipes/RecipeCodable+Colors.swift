public import ColorSpaces

// Colors, spaces and tables in recipes: names where they have one, definitions otherwise.

extension ColorSpace: RecipeCodable {
  /// On the command line: the name of a space, such as `Display P3`.
  public static var textForm: TextForm { .name("SPACE") }

  /// Reads a name, or an object with the space's definition, or one that another module reads, such as a profile.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .string(let name) = source.value else {
      let derived = try Self.derived(source)
      self = if let derived { derived } else { try Self.definition.make(source) }
      return
    }
    do throws(ColorError) { self = try ColorSpace(named: name) } catch {
      throw .unusable(at: source.path, RecipeError(error))
    }
  }

  /// Writes the name where it is sufficient, otherwise the definition.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    if (try? ColorSpace(named: name)) == self { return .string(name) }
    guard transfer.curves != nil || (try? TransferFunction(named: transfer.name)) == transfer else {
      guard let origin else { throw .unwritableSpace(name) }
      return origin.recipeValue(isGray: isGray)
    }
    return .object(try Self.definition.members(self))
  }

  /// Reads an object that another module reads, such as a profile; nil for other values.
  private static func derived(
    _ source: RecipeSource
  ) throws(RecipeDecodingError) -> ColorSpace? {
    guard case .object(let members) = source.value else { return nil }
    for member in members {
      if let reader = source.spaceReaders[member.name] { return try reader.space(source) }
      if FilterCatalog.Elsewhere.spaces.contains(member.name) {
        throw .unusable(
          at: source.path,
          .other(
            "This catalog reads no color space of a \(member.name). "
              + FilterCatalog.Elsewhere.advice))
      }
    }
    return nil
  }

  private static let definition = Declaration<ColorSpace>(
    of: "color space", Parameter("name", \.name, "the name"),
    Parameter("primaries", \.primaries, "the primaries and the white point"),
    Parameter("transfer", \.transfer, "the transfer function"),
    Parameter("gray", \.isGray, "whether the space has grays alone", default: false)
  ) { ColorSpace($0, primaries: $1, transfer: $2, isGray: $3) }
}

extension SpaceOrigin {
  /// The data in base 64, and the choice among the spaces that they define.
  fileprivate func recipeValue(isGray: Bool) -> RecipeValue {
    .object(
      [RecipeValue.Member(format, .string(Self.base64(bytes)))]
        + choices.sorted { $0.key < $1.key }.map { RecipeValue.Member($0.key, .string($0.value)) }
        + [RecipeValue.Member("gray", .bool(isGray))])
  }

  /// The bytes in base 64 (RFC 4648, 4).
  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Primaries: RecipeRecord {
  /// The chromaticities of the primaries and of the white point.
  public static let declaration = Declaration<Primaries>(
    of: "primaries", Parameter("red", \.red, "the chromaticity x, y of red"),
    Parameter("green", \.green, "the chromaticity of green"),
    Parameter("blue", \.blue, "the chromaticity of blue"),
    Parameter("white", \.white, "the chromaticity of the white point", default: .d65)
  ) { red, green, blue, white throws(RecipeError) in
    let primaries = Primaries(red: red, green: green, blue: blue, white: white)
    if let flaw = primaries.flaw { throw RecipeError(flaw) }
    return primaries
  }
}

extension Chromaticity: RecipeCodable {
  /// On the command line: chromaticities x and y, such as `0.3127,0.329`.
  public static var textForm: TextForm { .list(of: .number, count: 2, as: "X,Y") }

  /// Reads a list of x and y.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let numbers = try source.numbers(2)
    self.init(numbers[0], numbers[1])
  }

  /// Writes a list of x and y.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { try .numbers([x, y]) }
}

extension ColorPoint: RecipeCodable {
  /// On the command line: a CSS color, such as `#ff8000` or `color(display-p3 1 0.5 0)`.
  public static var textForm: TextForm { .name("COLOR") }

  /// Reads an opaque CSS color, or an object with a space and components.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .string(let text) = source.value else {
      self = try Self.definition.make(source)
      try checkLight(
        of: source,
        found: "components \(components.x), \(components.y), \(components.z) in \(space)")
      return
    }
    let color: CSSColor
    do throws(CSSColorError) { color = try CSSColor(text) } catch {
      throw .color(at: source.path, error)
    }
    guard color.alpha == 1 else {
      let alpha = color.alpha.map { "\($0)" } ?? "none"
      throw .mismatch(
        at: source.path, expected: "an opaque color",
        found: "\(quoted(text)), which has an alpha of \(alpha)")
    }
    self = ColorPoint(color)
    // Refuses what is refused in lists of components.
    for channel in 0..<3 {
      _ = try Double(recipe: RecipeSource(.number(components[channel]), at: source.path))
    }
    try checkLight(of: source, found: quotedBeginning(of: text))
  }

  /// Throws where linear light is infinite, which conversions would make NaN.
  private func checkLight(
    of source: RecipeSource, found: String
  ) throws(RecipeDecodingError) {
    guard !hasFiniteLight else { return }
    throw .mismatch(
      at: source.path, expected: "a color of finite linear light, at most 1e37 in each channel",
      found: found)
  }

  /// Whether linear light is finite in single precision, also after a conversion to other primaries.
  package var hasFiniteLight: Bool {
    let light = converted(to: .xyzD65).components
    return (0..<3).allSatisfy { abs(light[$0]) <= 1e37 }
  }

  /// Writes a CSS color where that is exact, otherwise the space and the components.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    if let css, (try? ColorPoint(css: "\(css)")) == self { return .string("\(css)") }
    return .object(try Self.definition.members(self))
  }

  private static let definition = Declaration<ColorPoint>(
    of: "color", Parameter("space", \.space, "the color space"),
    Parameter("components", \.components, "the color's values in the space")
  ) { ColorPoint($1, in: $0) }
}

extension ColorMatrix: RecipeCodable {
  /// On the command line: three rows of three numbers each.
  public static var textForm: TextForm { [SIMD3<Double>].textForm }

  /// Reads a list of three rows.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let rows = try [SIMD3<Double>](recipe: source)
    guard rows.count == 3 else {
      throw .mismatch(
        at: source.path, expected: "a list of three rows", found: "one of \(rows.count)")
    }
    self.init(rows: rows[0], rows[1], rows[2])
  }

  /// Writes a list of three rows.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { try rows.recipeValue() }
}

extension TransferFunction: RecipeCodable {
  /// On the command line: the name of a transfer function.
  public static var textForm: TextForm { .name("TRANSFER") }

  /// Reads a name, or an object with curves.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .string(let name) = source.value else {
      self = try Self.definition.make(source)
      return
    }
    do throws(ColorError) { self = try TransferFunction(named: name) } catch {
      throw .unusable(at: source.path, RecipeError(error))
    }
  }

  /// Writes the name where it is sufficient, otherwise the curves.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    if (try? TransferFunction(named: name)) == self { return .string(name) }
    if curves == nil { throw .unwritableSpace(name) }
    return .object(try Self.definition.members(self))
  }

  private static let definition = Declaration<TransferFunction>(
    of: "transfer function", Parameter("name", \.name, "the name"),
    Parameter(
      "decoding", { $0.curves?.decoding ?? .identity },
      "the curve from encoded values to linear light"),
    Parameter(
      "encoding",
      { function -> Curve? in
        function.curves.flatMap { $0.encoding == $0.decoding.inverse ? nil : $0.encoding }
      }, "the curve from linear light to encoded values; otherwise the inverse of the other")
  ) { name, decoding, encoding throws(RecipeError) in
    guard let encoding = encoding ?? decoding.inverse else {
      let reason =
        if case .cubic = decoding {
          "is a cubic curve, which"
        } else {
          "does not rise everywhere: it"
        }
      throw .other(
        "The decoding of “\(name)” \(reason) has no inverse. Give an encoding, too.")
    }
    let (black, white) = (decoding(0), decoding(1))
    guard black < white, black.isFinite, white.isFinite else {
      throw .other(
        "The decoding of “\(name)” does not rise from 0 to 1: it takes 0 to \(inWords(black)) and 1 to "
          + "\(inWords(white)). Give one of finite values that takes 1 to a larger value than 0.")
    }
    return TransferFunction(name, decoding: decoding, encoding: encoding)
  }
}

extension Curve {
  /// The inverse that transfer functions derive; nil where they derive none.
  fileprivate var inverse: Curve? {
    switch self {
    case .identity: .identity
    case .power(let curve): curve.hasInverse ? .power(curve.inverse) : nil
    case .sampled(let curve): curve.inverseCurve
    case .segmented(let curve): curve.hasInverse ? .segmented(curve.inverse) : nil
    case .rationalPower(let curve): .rationalPower(curve.inverse)
    case .cubic, .function: nil
    @unknown default: nil
    }
  }
}

extension ColorTable: RecipeRecord {
  /// The values of the grid points and the box that they fill.
  public static let declaration = Declaration<ColorTable>(
    of: "color table", Parameter("size", \.size, "the grid points along each axis", in: sizes),
    Parameter("entries", \.entries, "red, green and blue of each grid point, red changing fastest"),
    Parameter("lowest", \.lowest, "the input of the first grid point", default: .zero),
    Parameter("highest", \.highest, "the input of the last grid point", default: .one),
    Parameter(
      "interpolation", \.interpolation, "how colors between grid points are interpolated",
      default: .tetrahedral)
  ) { size, entries, lowest, highest, interpolation throws(RecipeError) in
    let count = Double(3 * size * size * size)
    try checked("The number of a table's channels", Double(entries.count), in: count...count)
    return try recipeChecked { () throws(ColorError) in
      try ColorTable(
        size: size, entries: entries, lowest: lowest, highest: highest,
        interpolation: interpolation)
    }
  }
}

extension ColorTable.Interpolation: RecipeChoice {
  /// The names of interpolations of 3D LUTs: `tetrahedral` or `trilinear`.
  public static let recipeCases: [RecipeCase<ColorTable.Interpolation>] = [
    RecipeCase("tetrahedral", .tetrahedral), RecipeCase("trilinear", .trilinear),
  ]
}

extension ChromaticAdaptation: RecipeCodable {
  /// A name, or a definition in JSON.
  public static var textForm: TextForm { .name("MODEL") }

  /// Reads a name, or an object with sensors.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .string(let name) = source.value else {
      self = try Self.definition.make(source)
      return
    }
    let models = NameTable(Self.named.map { (names: [$0.name], value: $0) })
    guard let model = models[NameTable<ChromaticAdaptation>.key(name)] else {
      throw .unknown(
        at: source.path, kind: "chromatic adaptation", name: name,
        known: namesNearest(to: name, among: Self.named.map(\.name)))
    }
    self = model
  }

  /// Writes the name where it is sufficient, otherwise the sensors.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    Self.named.contains(self) ? .string(name) : .object(try Self.definition.members(self))
  }

  private static let definition = Declaration<ChromaticAdaptation>(
    of: "chromatic adaptation", Parameter("name", \.name, "the name"),
    Parameter("sensors", \.sensors, "the matrix from XYZ to the responses of the cones")
  ) { name, sensors throws(RecipeError) in
    guard sensors.isWellConditioned else {
      throw .other(
        "The sensors of a chromatic adaptation must have an inverse; those of “\(name)” have none. "
          + "Give three rows of which none is a mixture of the others.")
    }
    return ChromaticAdaptation(name, sensors: sensors)
  }
}

extension GamutMapping: RecipeChoice {
  /// The cases in recipes, some with parameters.
  public static let recipeCases: [RecipeCase<GamutMapping>] = [
    RecipeCase("clipped", aliases: ["clip"], .clipped),
    RecipeCase("reduced-chroma", aliases: ["css"], .reducedChroma),
    RecipeCase("ray-traced", aliases: ["raytrace"], .rayTraced),
    RecipeCase("soft-knee", aliases: ["soft"], default: 0.8) {
      if case .softKnee(let threshold) = $0 { threshold } else { nil }
    } make: { threshold throws(RecipeError) in
      .softKnee(
        threshold: try checked(
          "The threshold of a soft knee", threshold, in: softKneeThresholds))
    },
    RecipeCase("compressed", aliases: ["compress"], default: .aces13) {
      if case .compressed(let compression) = $0 { compression } else { nil }
    } make: {
      .compressed(by: $0)
    },
  ]
}

extension GamutCompression: RecipeRecord {
  /// The threshold, the limit and the sharpness of the compression.
  public static let declaration = Declaration<GamutCompression>(
    of: "gamut compression",
    Parameter(
      "threshold", \.threshold, "the distances from gray up to which nothing changes",
      in: GamutCompression.thresholds),
    Parameter("limit", \.limit, "the distances that become 1", in: GamutCompression.limits),
    Parameter(
      "power", \.power, "how sharply the curve bends", in: GamutCompression.powers)
  ) { threshold, limit, power throws(RecipeError) in
    try recipeChecked { () throws(ColorError) in
      try GamutCompression(threshold: threshold, limit: limit, power: power)
    }
  }
}

extension ColorDifference: RecipeChoice {
  /// The cases in recipes, some with weights, and two with weights of their own.
  public static let recipeCases: [RecipeCase<ColorDifference>] = [
    RecipeCase("cie76", aliases: ["76"], .cie76),
    RecipeCase("cie94", aliases: ["94"], default: SIMD3(1, 0.045, 0.015)) {
      if case .cie94(let weights) = $0 {
        SIMD3(weights.lightness, weights.chroma, weights.hue)
      } else {
        nil
      }
    } make: { weights throws(RecipeError) in
      try weighted(
        .cie94(CIE94Weights(lightness: weights.x, chroma: weights.y, hue: weights.z)))
    }.showing("KL,K1,K2"),
    RecipeCase("ciede2000", aliases: ["2000"], default: SIMD3<Double>.one) {
      if case .ciede2000(let kL, let kC, let kH) = $0 { SIMD3(kL, kC, kH) } else { nil }
    } make: { weights throws(RecipeError) in
      try weighted(.ciede2000(kL: weights.x, kC: weights.y, kH: weights.z))
    }.showing("KL,KC,KH"),
    RecipeCase("cmc", default: SIMD2<Double>(2, 1)) {
      if case .cmc(let l, let c) = $0 { SIMD2(l, c) } else { nil }
    } make: { weights throws(RecipeError) in
      try weighted(.cmc(l: weights.x, c: weights.y))
    }.showing("L,C"),
    RecipeCase("hyab", .hyAB), RecipeCase("ok", .ok), RecipeCase("itp", .itp),
    RecipeCase("jz", .jz), RecipeCase("cam16", .cam16), RecipeCase("din99o", .din99o),
    RecipeCase("cie94-textiles", aliases: ["94-textiles"], .cie94(.textiles)),
    RecipeCase("cmc-1:1", .cmc(l: 1, c: 1)),
  ]

  /// Returns the formula if its weights are usable.
  private static func weighted(
    _ formula: ColorDifference
  ) throws(RecipeError) -> ColorDifference {
    try recipeChecked { () throws(ColorError) in try formula.checkWeights() }
    return formula
  }
}

extension PixelDomain: RecipeChoice {
  /// The names of domains, such as `linear`, in recipes and on the command line. ``any`` has none: parameters are domains in which values are
  /// mixed.
  public static let recipeCases: [RecipeCase<PixelDomain>] = [
    RecipeCase("linear", .linear),
    RecipeCase("linear-premultiplied", .linearPremultiplied), RecipeCase("encoded", .encoded),
    RecipeCase("encoded-premultiplied", .encodedPremultiplied),
    RecipeCase("perceptual", .perceptual),
  ]
}
