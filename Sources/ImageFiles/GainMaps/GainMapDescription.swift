internal import FilterGraph

/// A gain map's description in a file, which cannot be used.
struct GainMapDamage: Error {
  /// The end of a sentence, without its period.
  let reason: String

  init(reason: String) { self.reason = reason }

  /// The damage that another error describes.
  init(_ error: any Error) {
    if let damage = error as? GainMapDamage {
      self = damage
      return
    }
    let text = (error as? ImageFileError)?.finding ?? "\(error)"
    reason = text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

/// The description of a gain map, and whether the gain is applied in the color space of the base picture. Otherwise it is applied in the
/// space of the alternate picture, which the gain map's profile states.
struct GainMapDescription: Hashable {
  var gain: GainMap
  var usesBaseSpace = true

  /// Creates a description at the full headroom, if the numbers are those of a gain map.
  init(
    least: SIMD3<Double>, greatest: SIMD3<Double>, gamma: SIMD3<Double>,
    baseOffset: SIMD3<Double>, alternateOffset: SIMD3<Double>, baseHeadroom: Double,
    alternateHeadroom: Double, usesBaseSpace: Bool = true
  ) throws(GainMapDamage) {
    for channel in 0..<3 where least[channel] > greatest[channel] {
      throw GainMapDamage(
        reason:
          "its least gain of \(least[channel]) stops is above its greatest of \(greatest[channel])")
    }
    do throws(RecipeError) {
      gain = try GainMap(
        least: least, greatest: greatest, gamma: gamma, baseOffset: baseOffset,
        alternateOffset: alternateOffset, baseHeadroom: baseHeadroom,
        alternateHeadroom: alternateHeadroom,
        displayHeadroom: max(baseHeadroom, alternateHeadroom))
    } catch {
      throw GainMapDamage(error)
    }
    self.usesBaseSpace = usesBaseSpace
  }

  init(_ gain: GainMap, usesBaseSpace: Bool) {
    (self.gain, self.usesBaseSpace) = (gain, usesBaseSpace)
  }
}

/// The binary metadata of ISO 21496-1:2025, clause 5.2: a version, flags, and fractions of 32-bit numbers, all big-endian.
extension GainMapDescription {
  /// The name of the segment APP2. The base picture's segment holds the version alone.
  static let segmentName = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
  /// The lowest version that a reader must know, and that of the writer.
  static let version: [UInt8] = [0, 0, 0, 0]

  private enum Flag {
    static let hasChannels: UInt8 = 1 << 7, usesBaseSpace: UInt8 = 1 << 6
    /// Of drafts, which libultrahdr reads and writes still.
    static let hasCommonDenominator: UInt8 = 1 << 3
  }

  /// Reads the bytes behind the segment's name.
  init(iso bytes: [UInt8]) throws(GainMapDamage) {
    guard bytes.count >= 5 else {
      throw GainMapDamage(reason: "its ISO 21496-1 metadata ends after \(bytes.count) bytes")
    }
    let lowest = bytes.bigEndian16(at: 0)
    guard lowest == 0 else {
      throw GainMapDamage(
        reason: "its ISO 21496-1 metadata needs a reader of version \(lowest); this one reads 0")
    }
    var numbers = Fractions(bytes: bytes[5...])
    let flags = bytes[4]
    if flags & Flag.hasCommonDenominator != 0 { numbers.denominator = try numbers.number() }
    let (base, alternate) = (try numbers.unsigned(), try numbers.unsigned())
    let count = flags & Flag.hasChannels != 0 ? 3 : 1
    var channels: [[Double]] = []
    for _ in 0..<count {
      channels.append([
        try numbers.signed(), try numbers.signed(), try numbers.unsigned(), try numbers.signed(),
        try numbers.signed(),
      ])
    }
    func vector(_ index: Int) -> SIMD3<Double> {
      SIMD3((0..<3).map { channels[min($0, count - 1)][index] })
    }
    try self.init(
      least: vector(0), greatest: vector(1), gamma: vector(2), baseOffset: vector(3),
      alternateOffset: vector(4), baseHeadroom: base, alternateHeadroom: alternate,
      usesBaseSpace: flags & Flag.usesBaseSpace != 0)
  }

  /// The bytes behind the segment's name.
  var iso: [UInt8] {
    let channels = gain.isEqualInChannels ? [0] : [0, 1, 2]
    let flags =
      (channels.count == 3 ? Flag.hasChannels : 0) | (usesBaseSpace ? Flag.usesBaseSpace : 0)
    var numbers = [Fraction(gain.baseHeadroom), Fraction(gain.alternateHeadroom)]
    for channel in channels {
      numbers += [
        Fraction(gain.least[channel]), Fraction(gain.greatest[channel]),
        Fraction(gain.gamma[channel]), Fraction(gain.baseOffset[channel]),
        Fraction(gain.alternateOffset[channel]),
      ]
    }
    return Self.version + [flags]
      + bigEndianBytes(
        numbers.flatMap { [UInt32(bitPattern: $0.numerator), $0.denominator] })
  }

  /// The nearest fraction of 32-bit numbers, found by continued fractions. Decimal numbers and powers of two come back unchanged.
  struct Fraction: Hashable {
    let numerator: Int32
    let denominator: UInt32

    init(_ value: Double) {
      let target = abs(value)
      var (before, last) = ((n: 0.0, d: 1.0), (n: 1.0, d: 0.0))
      var rest = target
      // Each step at least doubles the denominator in two, so that 32 bits are full after 64.
      for _ in 0..<64 {
        let whole = rest.rounded(.down)
        let next = (n: whole * last.n + before.n, d: whole * last.d + before.d)
        guard next.n <= Double(Int32.max), next.d <= Double(UInt32.max) else { break }
        (before, last) = (last, next)
        if last.n / last.d == target || rest == whole { break }
        rest = 1 / (rest - whole)
      }
      numerator = Int32(value < 0 ? -last.n : last.n)
      denominator = UInt32(max(last.d, 1))
    }
  }

  /// Takes numbers from the bytes in order.
  private struct Fractions {
    var bytes: ArraySlice<UInt8>
    /// The denominator of all numbers, where they share one.
    var denominator: UInt32?

    mutating func number() throws(GainMapDamage) -> UInt32 {
      guard bytes.count >= 4 else {
        throw GainMapDamage(reason: "its ISO 21496-1 metadata ends too early")
      }
      defer { bytes = bytes.dropFirst(4) }
      return UInt32(truncatingIfNeeded: bytes.prefix(4).number(isBigEndian: true))
    }

    mutating func unsigned() throws(GainMapDamage) -> Double {
      try fraction(Double(number()))
    }

    mutating func signed() throws(GainMapDamage) -> Double {
      try fraction(Double(Int32(bitPattern: number())))
    }

    private mutating func fraction(_ numerator: Double) throws(GainMapDamage) -> Double {
      let below = if let denominator { denominator } else { try number() }
      guard below != 0 else {
        throw GainMapDamage(
          reason: "its ISO 21496-1 metadata has a fraction with a denominator of 0")
      }
      return numerator / Double(below)
    }
  }
}

extension GainMap {
  /// Returns whether all values of two descriptions differ by at most 0.001, which rounding explains.
  func isClose(to other: GainMap) -> Bool {
    func values(_ map: GainMap) -> [Double] {
      [map.baseHeadroom, map.alternateHeadroom]
        + [map.least, map.greatest, map.gamma, map.baseOffset, map.alternateOffset]
        .flatMap { [$0.x, $0.y, $0.z] }
    }
    return zip(values(self), values(other)).allSatisfy { abs($0 - $1) <= 0.001 }
  }

  /// Whether red, green and blue have the same gain.
  var isEqualInChannels: Bool {
    [least, greatest, gamma, baseOffset, alternateOffset].allSatisfy { (number: SIMD3<Double>) in
      number.x == number.y && number.y == number.z
    }
  }
}
