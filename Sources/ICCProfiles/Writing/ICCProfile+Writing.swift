public import ColorSpaces

extension ICCProfile {
  /// The major versions of the ICC format.
  public enum FormatVersion: Hashable, Sendable {
    /// Version 2 (ICC.1:2001), for old programs. Curves other than pure powers are stored as tables.
    case v2
    /// Version 4 (ICC.1:2022). Parametric curves are stored as such.
    case v4
  }

  /// Creates a display profile that describes `space`: a gray profile for a gray space, and with code points where
  /// H.273 has them.
  ///
  /// The bytes are reproducible; those of Display P3 are 480. A space that was read from a profile with no equivalent
  /// becomes that profile. Throws if the space has values that no profile can represent.
  ///
  /// Curves in profiles end at their largest linear value, which with PQ, HLG and camera log curves is above white; the
  /// colorants are then scaled by it. Such curves, and in version 2 all others than pure powers, are tables of 4,097
  /// entries in steps of 1/65,535 of the largest value; negative linear values become zero. So are powers with an
  /// exponent outside of 0.05…20, which readers refuse. Reading nevertheless returns named spaces exactly, because they
  /// are recognized.
  public init(
    describing space: ColorSpace, version: FormatVersion = .v4
  ) throws(ICCProfileError) {
    if let origin = space.origin {
      try self.init(bytes: origin.bytes)
      return
    }
    if space.isGray {
      try self.init(describingGraysOf: space, version: version)
      return
    }
    var writer = ProfileWriter(version: version)
    writer.addTexts(space.name)
    try writer.addWhite(of: space)
    let (decoding, light) = try space.transfer.decodingAndUnit(in: space, version)
    try writer.addColorants(of: space, light: light)
    let curve = try space.transfer.profileCurve(decoding, in: space, version, light: light)
    for tag: Signature in ["rTRC", "gTRC", "bTRC"] { writer.add(tag, curve.type, curve.body) }
    if version == .v4, let points = space.cicpForFiles {
      writer.add("cicp", "cicp", points.bytes)
    }
    try self.init(bytes: writer.bytes(colorSpace: "RGB "))
  }

  /// Creates a gray display profile of the grays of `space`. A space that was read from a gray profile with no
  /// equivalent becomes that profile.
  ///
  /// Throws if its channels share no curve, or if its linear values exceed white: gray profiles have one curve, and no
  /// colorants to scale.
  public init(
    describingGraysOf space: ColorSpace, version: FormatVersion = .v4
  ) throws(ICCProfileError) {
    // An RGB profile that the space was read from is no profile of a gray picture.
    if let origin = space.origin {
      let profile = try ICCProfile(bytes: origin.bytes)
      if profile.isGray {
        self = profile
        return
      }
    }
    let (decoding, light) = try space.transfer.decodingAndUnit(in: space, version)
    var writer = ProfileWriter(version: version)
    writer.addTexts(Self.name(ofGraysOf: space))
    try writer.addWhite(of: space)
    guard light == 1 else {
      throw .cannotDescribe(
        space.name,
        reason: "its linear values reach \(light), and gray profiles end at white, which is 1"
      )
    }
    let curve = try space.transfer.profileCurve(decoding, in: space, version, light: light)
    writer.add("kTRC", curve.type, curve.body)
    try self.init(bytes: writer.bytes(colorSpace: "GRAY"))
  }
}

extension ProfileWriter {
  /// Adds the description and the copyright, which every profile must contain and this one does not claim: one short
  /// text for both, since tags can share data.
  fileprivate mutating func addTexts(_ name: String) {
    switch version {
    case .v2:
      add("desc", "desc", asciiText(name))
      add("cprt", "text", Array("CC0\0".utf8))
    case .v4:
      add("desc", "mluc", localizedText(name))
      add("cprt", "mluc", localizedText(name))
    }
  }

  fileprivate mutating func addWhite(of space: ColorSpace) throws(ICCProfileError) {
    switch version {
    case .v2:
      // The unadapted white point; readers adapt it.
      let white = space.primaries.white.xyz
      add("wtpt", "XYZ ", try fixed([white.x, white.y, white.z], in: space).bytes)
    case .v4:
      add("wtpt", "XYZ ", connectionWhiteInFixedPoint.bytes)
      let chad = space.adaptationToConnectionWhite
      add("chad", "sf32", try fixed(chad.rows.flatMap { [$0.x, $0.y, $0.z] }, in: space).bytes)
    }
  }

  fileprivate mutating func addColorants(
    of space: ColorSpace, light: Double
  ) throws(ICCProfileError) {
    let colorants = space.adaptationToConnectionWhite * space.primaries.toXYZ
    // The conditions of the reader.
    guard ICCProfile.areUsable(colorants), ICCProfile.isPlausible(white: space.primaries.white.xyz)
    else {
      throw .cannotDescribe(
        space.name, reason: "its primaries or its white point are too far from real colors")
    }
    let rows = colorants.rows
    var columns: [[Int32]] = [[], [], []]
    for (row, white) in zip(rows, connectionWhiteInFixedPoint) {
      var numbers = try fixed([row.x * light, row.y * light, row.z * light], in: space)
      // Rounded so that the colorants sum to the white point exactly: grays stay neutral in every reader.
      let largest = (0..<3).max { numbers[$0] < numbers[$1] } ?? 0
      let others = (0..<3).filter { $0 != largest }.reduce(Int64(0)) { $0 + Int64(numbers[$1]) }
      let brightest = Int64((Double(white) * light).rounded())
      guard let mended = Int32(exactly: brightest - others) else {
        throw .cannotDescribe(space.name, reason: "its primaries are too far from real colors")
      }
      numbers[largest] = mended
      for index in 0..<3 { columns[index].append(numbers[index]) }
    }
    for (tag, column) in zip(["rXYZ", "gXYZ", "bXYZ"] as [Signature], columns) {
      add(tag, "XYZ ", column.bytes)
    }
  }
}

extension ColorSpace {
  fileprivate var adaptationToConnectionWhite: ColorMatrix {
    .adapting(from: primaries.white, to: Chromaticity(xyz: connectionWhite))
  }
}

extension TransferFunction {
  /// The number of entries of a table for a curve that is neither a power nor a table.
  private static let tableCount = 4097

  /// Returns the decoding curve and the linear value that a profile's curve encodes as 1: white, or the largest value of
  /// a table that exceeds it. Parametric curves need no scaling.
  fileprivate func decodingAndUnit(
    in space: ColorSpace, _ version: ICCProfile.FormatVersion
  ) throws(ICCProfileError) -> (decoding: Curve, light: Double) {
    guard let decoding = curves?.decoding else {
      throw .cannotDescribe(
        space.name, reason: "its values are not RGB with one curve for all channels")
    }
    if case .power(let curve) = decoding, version == .v4, curve.isParametric {
      return (decoding, 1)
    }
    let light = decode(1)
    return (decoding, light > ICCProfile.brightestWhite ? light : 1)
  }

  /// Returns the tag of the decoding curve, for linear values in units of `light`.
  fileprivate func profileCurve(
    _ decoding: Curve, in space: ColorSpace, _ version: ICCProfile.FormatVersion, light: Double
  ) throws(ICCProfileError) -> (type: Signature, body: [UInt8]) {
    switch decoding {
    case .identity: return ("curv", UInt32(0).bigEndianBytes)
    case .power(let curve) where version == .v4 && curve.isParametric:
      return ("para", try curve.parameters(in: space))
    case .power(let curve)
    where light == 1 && curve.isPlain && curve.exponent.isMultiple(of: 1.0 / 256)
      && ParametricCurve.exponents.contains(curve.exponent):
      return ("curv", UInt32(1).bigEndianBytes + UInt16(curve.exponent * 256).bigEndianBytes)
    case .sampled(let curve) where curve.values.count <= 32_767:
      // Little CMS rejects tables with more entries.
      return ("curv", try table(curve.values.map { Double($0) / light }, in: space))
    default:
      let steps = Self.tableCount - 1
      let values = (0...steps).map { decode(Double($0) / Double(steps)) / light }
      return ("curv", try table(values, in: space))
    }
  }

  private func table(_ values: [Double], in space: ColorSpace) throws(ICCProfileError) -> [UInt8] {
    // White may exceed 1 by rounding.
    guard values.allSatisfy({ $0 <= 1 + 1e-9 }) else {
      throw .cannotDescribe(
        space.name,
        reason: "the curve “\(name)” is not monotonic: it exceeds its last value before its end")
    }
    let entries = values.map { UInt16((min(max($0, 0), 1) * 65_535).rounded()) }
    try ChannelCurve.table(CurveTable(values: entries)).checkReadable(of: space)
    return UInt32(entries.count).bigEndianBytes + entries.flatMap(\.bigEndianBytes)
  }
}

extension ChannelCurve {
  /// Throws where the reader would refuse the curve.
  fileprivate func checkReadable(of space: ColorSpace) throws(ICCProfileError) {
    do throws(ICCProfileError) {
      try checkInvertible("rTRC")
    } catch {
      guard case .malformedTag(_, let reason) = error else { throw error }
      throw .cannotDescribe(space.name, reason: reason)
    }
  }
}

extension PowerCurve {
  /// The curve as a `parametricCurveType`: function type 0 for a pure power, 3 or 4 for one with a linear toe
  /// (ICC.1:2022, 10.18).
  fileprivate func parameters(in space: ColorSpace) throws(ICCProfileError) -> [UInt8] {
    let (function, numbers) = (parametricFunction, parametricNumbers)
    let stored = try fixed(numbers, in: space)
    try storedCurve.map(ChannelCurve.parametric)?.checkReadable(of: space)
    return UInt16(function).bigEndianBytes + [0, 0] + stored.bytes
  }

  /// Whether a parametric curve can hold the power, such as one with an exponent that readers accept.
  fileprivate var isParametric: Bool { storedCurve != nil }

  /// The parametric curve as readers see it, with parameters rounded to what profiles hold.
  private var storedCurve: ParametricCurve? {
    // Writing refuses numbers beyond the range of profiles.
    let numbers = parametricNumbers.map { x in
      Int32(s15Fixed16: x).map { Double($0) / 65_536 } ?? x
    }
    return ParametricCurve(function: parametricFunction, numbers)
  }

  /// The function type with ``parametricNumbers`` as parameters.
  private var parametricFunction: Int {
    if isPlain { 0 } else if offset == 0, intercept == 0 { 3 } else { 4 }
  }

  private var parametricNumbers: [Double] {
    let a = power(scale, 1 / exponent)
    return switch parametricFunction {
    case 0: [exponent]
    case 3: [exponent, a, a * shift, slope, threshold]
    default: [exponent, a, a * shift, slope, threshold, offset, intercept]
    }
  }

  /// Whether there is no linear toe. One that ends at zero covers zero alone, where a pure power is zero too.
  fileprivate var isPlain: Bool {
    var plain = PowerCurve(exponent: exponent)
    plain.belowZero = belowZero
    return self == plain
  }
}

extension Double {
  /// Whether this is an integer multiple of a step that fits 16 bits.
  fileprivate func isMultiple(of step: Double) -> Bool {
    let count = self / step
    return count == count.rounded() && (1...65_535).contains(count)
  }
}

/// Values as s15Fixed16Number, in steps of 1/65,536.
private func fixed(
  _ numbers: [Double], in space: ColorSpace
) throws(ICCProfileError) -> [Int32] {
  try numbers.map { x throws(ICCProfileError) in
    guard let number = Int32(s15Fixed16: x) else {
      throw .cannotDescribe(
        space.name, reason: "profiles hold numbers from −32,768 to 32,767, and it needs \(x)")
    }
    return number
  }
}

extension [Int32] {
  fileprivate var bytes: [UInt8] { flatMap(\.bigEndianBytes) }
}

/// A `multiLocalizedUnicodeType` with one text, in English.
private func localizedText(_ text: String) -> [UInt8] {
  let units = text.utf16.flatMap(\.bigEndianBytes)
  return UInt32(1).bigEndianBytes + UInt32(12).bigEndianBytes + Array("enUS".utf8)
    + UInt32(units.count).bigEndianBytes + UInt32(28).bigEndianBytes + units
}

/// A `textDescriptionType` (ICC.1:2001-04, 6.5.17) with the text in ASCII only; other characters become “?”.
private func asciiText(_ text: String) -> [UInt8] {
  let letters = text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?") } + [0]
  // Empty Unicode and Macintosh texts; the latter has a fixed size.
  return UInt32(letters.count).bigEndianBytes + letters
    + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
}
