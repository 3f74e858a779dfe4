/// The relation between encoded and linear values.
public struct TransferFunction: Hashable, Sendable {
  /// The implementation of a transfer function.
  @nonexhaustive
  public indirect enum Form: Hashable, Sendable {
    /// One curve for all three channels, from encoded to linear values, and its inverse.
    case curve(decoding: Curve, encoding: Curve)
    /// Coordinates of all three channels together, as in Lab.
    case coordinates(Coordinates)
  }

  /// The name in recipes and messages, such as “PQ”.
  public let name: String
  /// The curves or coordinates that implement the function.
  public let form: Form
  /// The encoded value of white, which is linear 1 in each channel.
  ///
  /// It decodes to exactly 1, and 1 encodes to exactly this value, in double precision and in the pixels of a
  /// `Bitmap<Float>`. Nil where the two directions are no inverses of each other at white.
  public var encodedWhite: SIMD3<Double>? {
    switch white {
    case .computed(let white): white
    case .deferred(let white): white.value
    }
  }

  private let white: White
  /// The documents of the function's constants; empty for linear values, which have none, and for functions of a caller
  /// or a file.
  public private(set) var sources: [Source] = []

  /// Creates a transfer function from both directions.
  public init(_ name: String, decoding: Curve, encoding: Curve) {
    self.init(name, .curve(decoding: decoding, encoding: encoding))
  }

  private init(_ name: String, _ form: Form) {
    (self.name, self.form) = (name, form)
    white =
      switch form {
      case .curve: .computed(form.encodedWhite)
      case .coordinates: .deferred(Deferred { form.encodedWhite })
      }
  }

  /// The encoded value of white: that of coordinates is computed when it is asked for, as it compiles their formulas.
  private enum White: Sendable {
    case computed(SIMD3<Double>?)
    case deferred(Deferred<SIMD3<Double>?>)
  }

  /// Returns the function with the documents that define it, besides those that it has.
  func citing(_ sources: Source...) -> TransferFunction { citing(sources) }

  /// Returns the function with the documents that define it, besides those that it has.
  func citing(_ sources: [Source]) -> TransferFunction {
    var result = self
    result.sources = (self.sources + sources).unique
    return result
  }

  /// Creates a transfer function from its decoding curve; the encoding curve is derived.
  public init(_ name: String, decoding: PowerCurve) {
    self.init(name, decoding: .power(decoding), encoding: .power(decoding.inverse))
  }

  /// Creates a transfer function from its encoding curve, which must be nondecreasing; the decoding curve is derived.
  public init(_ name: String, encoding: SegmentedCurve) {
    self.init(name, decoding: .segmented(encoding.inverse), encoding: .segmented(encoding))
  }

  /// Creates a transfer function from its encoding curve; the decoding curve is derived.
  public init(_ name: String, encoding: RationalPowerCurve) {
    self.init(
      name, decoding: .rationalPower(encoding.inverse), encoding: .rationalPower(encoding))
  }

  /// Creates a transfer function from closures for both directions.
  public init(
    _ name: String, decoding: @escaping @Sendable (Double) -> Double,
    encoding: @escaping @Sendable (Double) -> Double
  ) {
    self.init(
      name, decoding: .function(FunctionCurve("from \(name)", decoding)),
      encoding: .function(FunctionCurve("to \(name)", encoding)))
  }

  /// Creates a transfer function from a decoding table over encoded values 0…1; the encoding curve is derived.
  ///
  /// A table of linear values 0…1 is encoded by a table, too. With other values, such as those of high dynamic range,
  /// encoding is a function, which is exact and slower.
  ///
  /// - Precondition: The table has two values or more.
  public init(_ name: String, decodingTable: [Float]) {
    let curve = SampledCurve(decodingTable)
    self.init(name, decoding: .sampled(curve), encoding: curve.inverseCurve)
  }

  /// Creates a transfer function of coordinates, whose three channels depend on each other.
  public init(_ coordinates: Coordinates) {
    self.init(coordinates.name, .coordinates(coordinates))
  }

  /// The decoding and encoding curve; nil for coordinates.
  public var curves: (decoding: Curve, encoding: Curve)? {
    if case .curve(let decoding, let encoding) = form { (decoding, encoding) } else { nil }
  }

  /// Returns the linear value for an encoded value. Traps for coordinates, whose channels depend on each other.
  public func decode(_ x: Double) -> Double {
    let light = curveOfOneChannel.decoding(x)
    // Where the curve is mirrored below zero, so is white.
    guard let white = encodedWhite?.x, abs(x) == abs(white),
      abs(abs(light) - 1) < Self.roundingOfWhite
    else { return light }
    return light.rounded()
  }

  /// Returns the encoded value for a linear value. Traps for coordinates, whose channels depend on each other.
  public func encode(_ x: Double) -> Double {
    let number = curveOfOneChannel.encoding(x)
    guard abs(x) == 1, let white = encodedWhite?.x,
      abs(abs(number) - abs(white)) < Self.roundingOfWhite
    else { return number }
    return number < 0 ? -abs(white) : abs(white)
  }

  /// The maximum error of white from rounding, in either direction.
  fileprivate static let roundingOfWhite = 1e-9

  private var curveOfOneChannel: (decoding: Curve, encoding: Curve) {
    guard let curves else {
      preconditionFailure("\(name) has no curve for one channel; decode all three together.")
    }
    return curves
  }

  /// Returns the linear values of a color.
  public func decode(_ v: SIMD3<Double>) -> SIMD3<Double> {
    switch form {
    case .curve: SIMD3(decode(v.x), decode(v.y), decode(v.z))
    case .coordinates(let coordinates): v == encodedWhite ? .one : coordinates.decoding(v)
    }
  }

  /// Returns the encoded values of a color.
  public func encode(_ v: SIMD3<Double>) -> SIMD3<Double> {
    switch form {
    case .curve: SIMD3(encode(v.x), encode(v.y), encode(v.z))
    case .coordinates(let coordinates):
      if v == .one, let encodedWhite { encodedWhite } else { coordinates.encoding(v) }
    }
  }

  /// Returns the encoded values of colors, those of coordinates by one run of their program.
  func encode(_ colors: [SIMD3<Double>]) -> [SIMD3<Double>] {
    guard case .coordinates(let coordinates) = form else { return colors.map(encode) }
    return zip(colors, coordinates.encoding(colors)).map { color, encoded in
      color == .one ? encodedWhite ?? encoded : encoded
    }
  }

  /// Whether encoded values equal linear values.
  public var isLinear: Bool { curves?.decoding == .identity }

  /// Returns the same function with another policy for negative values.
  public func belowZero(_ policy: NegativePolicy) -> TransferFunction {
    func changed(_ curve: Curve) -> Curve {
      switch curve {
      case .power(var curve):
        curve.belowZero = policy
        return .power(curve)
      case .sampled(var curve):
        curve.belowZero = policy
        return .sampled(curve)
      case .segmented(var curve):
        curve.belowZero = policy
        return .segmented(curve)
      case .rationalPower(var curve):
        curve.belowZero = policy
        return .rationalPower(curve)
      case .identity, .cubic, .function: return curve
      }
    }
    guard let curves else { return self }
    let decoding = changed(curves.decoding)
    var encoding = changed(curves.encoding)
    // Functions have no policy: the one that was derived from the table is derived again.
    if case .function = encoding, case .sampled(let old) = curves.decoding,
      encoding == old.inverseCurve, case .sampled(let new) = decoding
    {
      encoding = new.inverseCurve
    }
    return TransferFunction(name, decoding: decoding, encoding: encoding).citing(sources)
  }

  /// Returns whether two functions agree within `tolerance` of encoded values 0…1, whatever their names.
  public func isInterchangeable(
    with other: TransferFunction, within tolerance: Double = 1e-5
  ) -> Bool {
    if form == other.form { return true }
    guard curves != nil, other.curves != nil else { return false }
    return (0...256).allSatisfy { step in
      let x = Double(step) / 256
      // The comparison is in encoded values, where a step has about the same visibility everywhere.
      return abs(other.encode(decode(x)) - x) <= tolerance
        && abs(encode(other.decode(x)) - x) <= tolerance
    }
  }
}

extension TransferFunction {
  /// Whether names and forms agree; the other properties follow from them.
  public static func == (a: TransferFunction, b: TransferFunction) -> Bool {
    a.name == b.name && a.form == b.form
  }

  /// Hashes the name and the form.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(form)
  }
}

extension TransferFunction.Form {
  /// The encoded value of white, rounded to the decimal number it stands for: 1, 0.75 with HLG, Lab's 100, 0 and 0.
  fileprivate var encodedWhite: SIMD3<Double>? {
    let (encoded, decoded): (SIMD3<Double>, SIMD3<Double>)
    switch self {
    case .curve(let decoding, let encoding):
      encoded = SIMD3(repeating: encoding(1))
      decoded = SIMD3(repeating: decoding(encoded.x))
    case .coordinates(let coordinates):
      encoded = coordinates.encoding(.one)
      decoded = coordinates.decoding(encoded)
    }
    // Clamped curves, and tables in files whose directions are no inverses, have no such value.
    guard all((decoded - .one).magnitudes .< TransferFunction.roundingOfWhite) else { return nil }
    let size = max(1, encoded.magnitudes.max())
    // The slope of PQ and its relatives amplifies rounding; 5·10⁻¹⁴ is the largest error of any space.
    let decimal = (encoded * 1e9).rounded(.toNearestOrEven) / 1e9
    var white = encoded.replacing(
      with: decimal, where: (decimal - encoded).magnitudes .<= 1e-12 * size)
    if case .coordinates(let coordinates) = self, let hue = coordinates.hue,
      hue.isNegligible(in: white)
    {
      white[hue.channel] = 0
    }
    return white
  }
}

extension SIMD where Scalar == Double {
  /// The absolute value of each component.
  @inlinable package var magnitudes: Self { replacing(with: -self, where: self .< 0) }
}

extension TransferFunction {
  /// The identity: encoded values are linear.
  public static let linear = TransferFunction("linear", decoding: .identity, encoding: .identity)

  /// IEC 61966-2-1, with its printed thresholds in both directions.
  public static let sRGB = TransferFunction(
    "sRGB",
    decoding: .power(
      PowerCurve(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)),
    encoding: .power(
      PowerCurve(
        scale: 1.055, exponent: 1 / 2.4, offset: -0.055, slope: 12.92, threshold: 0.0031308))
  ).citing(Source("IEC 61966-2-1", edition: "1999"))

  /// The OETF of Rec. ITU-R BT.709 and BT.2020, with the constants that make it continuous (BT.2020, table 4, note).
  public static let rec709 = TransferFunction(
    "Rec. 709",
    decoding: PowerCurve(
      scale: 1 / power(1.099_296_826_809_44, 1 / 0.45),
      shift: 0.099_296_826_809_44, exponent: 1 / 0.45, slope: 1 / 4.5,
      threshold: 4.5 * 0.018_053_968_510_807)
  ).citing(.bt709("item 1.2"), .bt2020("table 4"))

  /// ROMM RGB (ISO 22028-2): gamma 1.8 with a linear toe of slope 1/16.
  public static let proPhoto = TransferFunction(
    "ProPhoto", decoding: PowerCurve(exponent: 1.8, slope: 1.0 / 16, threshold: 1.0 / 32)
  ).citing(.romm)

  /// A pure power.
  ///
  /// - Precondition: The exponent is finite and positive.
  public static func gamma(_ exponent: Double) -> TransferFunction {
    precondition(
      exponent > 0 && exponent.isFinite, "An exponent is finite and positive; got \(exponent).")
    return TransferFunction("gamma \(exponent)", decoding: PowerCurve(exponent: exponent))
  }
}

extension TransferFunction: CustomStringConvertible {
  /// The name of the function, such as “PQ”.
  public var description: String { name }
}
