internal import ImageBuffer

extension ImageMetadata.Resolution {
  /// The length of an inch in centimetres.
  private static let inch = 2.54

  /// A resolution that a file states; nil for numbers that state nothing, such as square pixels without a unit.
  init?(_ horizontal: Double, _ vertical: Double, unit: Unit) {
    guard horizontal.isFinite, vertical.isFinite, horizontal > 0, vertical > 0,
      unit != .none || horizontal != vertical
    else { return nil }
    self.init(horizontal: horizontal, vertical: vertical, unit: unit)
  }

  /// A resolution with the number that TIFF has for its unit (TIFF 6.0, ResolutionUnit).
  init?(_ horizontal: Double, _ vertical: Double, tiffUnit: Int) {
    self.init(
      horizontal, vertical, unit: tiffUnit == 2 ? .inch : tiffUnit == 3 ? .centimetre : .none)
  }

  /// Returns the resolution of the upright picture for that of the stored one, or the other way round.
  func oriented(by orientation: Orientation) -> ImageMetadata.Resolution {
    orientation.exchangesAxes
      ? ImageMetadata.Resolution(horizontal: vertical, vertical: horizontal, unit: unit) : self
  }

  /// The positive integer of a type that is nearest to a number; nil where that is 0, negative, or beyond the type.
  private func count<Whole: FixedWidthInteger>(_ value: Double, _: Whole.Type) -> Whole? {
    Whole(exactly: value.rounded()).flatMap { $0 > 0 ? $0 : nil }
  }

  private func counts(per target: Unit) -> [Double] {
    let factor =
      unit == .inch && target == .centimetre
      ? 1 / Self.inch : unit == .centimetre && target == .inch ? Self.inch : 1
    return [horizontal * factor, vertical * factor]
  }

  /// The unit and the two fractions of TIFF and EXIF fields; nil where the numbers are out of their range.
  var tiffFields: (across: (Int, Int), down: (Int, Int), unit: Int)? {
    func fraction(_ value: Double) -> (Int, Int)? {
      let denominator =
        [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].first { denominator in
          let scaled = value * Double(denominator)
          return abs(scaled - scaled.rounded()) < 1e-9 * scaled || scaled > 4e8
        } ?? 1_000_000
      return count(value * Double(denominator), UInt32.self).map { (Int($0), denominator) }
    }
    guard let across = fraction(horizontal), let down = fraction(vertical) else { return nil }
    return (across, down, unit == .inch ? 2 : unit == .centimetre ? 3 : 1)
  }

  /// The unit and whole numbers of a JFIF segment (Rec. ITU-T T.871): those of inches or centimetres, whichever are nearer; nil where the
  /// numbers are out of its range.
  var jfifDensity: (unit: UInt8, across: UInt16, down: UInt16)? {
    let (kind, counts) = unit == .none ? (0, jfifRatio) : jfifCounts
    guard let across = count(counts[0], UInt16.self), let down = count(counts[1], UInt16.self)
    else { return nil }
    return (kind, across, down)
  }

  /// Whether a JFIF segment states the resolution within 0.1 %. The 2835 pixels per meter that PNG files have for 72 dpi are 72 dpi.
  var fitsJFIF: Bool {
    jfifDensity != nil && (unit == .none || Self.roundingError(jfifCounts.1) <= 1e-3)
  }

  /// The numbers of an aspect ratio, scaled unless they are whole, so that their ratio stays.
  private var jfifRatio: [Double] {
    let (limit, counts) = (Double(UInt16.max), [horizontal, vertical])
    if counts.allSatisfy({ $0 == $0.rounded() && $0 <= limit }) { return counts }
    let largest = max(horizontal, vertical)
    let scale = min(limit / largest, max(1, 1000 / largest))
    return counts.map { $0 * scale }
  }

  /// The unit of a JFIF segment and the counts on it.
  private var jfifCounts: (UInt8, [Double]) {
    let (inches, centimetres) = (counts(per: .inch), counts(per: .centimetre))
    let usesInches =
      Self.roundingError(inches) <= Self.roundingError(centimetres)
      && (inches.max() ?? 0) <= Double(UInt16.max)
    return usesInches ? (1, inches) : (2, centimetres)
  }

  /// The largest relative error of the nearest whole numbers.
  private static func roundingError(_ counts: [Double]) -> Double {
    counts.map { abs($0.rounded() / $0 - 1) }.max() ?? 0
  }

  /// The body of a pHYs chunk: pixels per metre, or of no unit (PNG, third edition, 11.3.4.3); nil where the numbers are out of its
  /// range.
  var pngDensity: [UInt8]? {
    var counts = unit == .none ? [horizontal, vertical] : counts(per: .centimetre).map { $0 * 100 }
    if unit == .none, counts.contains(where: { $0 != $0.rounded() }) {
      counts = counts.map { $0 * 1000 }
    }
    // PNG's integers have 31 bits.
    let whole = counts.compactMap { count($0, Int32.self) }
    guard whole.count == 2 else { return nil }
    return bigEndianBytes(whole.map { UInt32($0) }) + [unit == .none ? 0 : 1]
  }

  /// The pixels per metre in the header of a BMP file; nil for an aspect ratio without a unit, and for numbers out of its range.
  var bmpDensity: (across: Int, down: Int)? {
    guard unit != .none else { return nil }
    let counts = counts(per: .centimetre).compactMap { count($0 * 100, Int32.self) }
    return counts.count == 2 ? (Int(counts[0]), Int(counts[1])) : nil
  }

  /// The resolution in the body of a pHYs chunk.
  init?(pngDensity body: [UInt8]) {
    guard body.count == 9 else { return nil }
    let counts = [Double(body.bigEndian32(at: 0)), Double(body.bigEndian32(at: 4))]
    let isMetre = body[8] == 1
    self.init(
      isMetre ? counts[0] / 100 : counts[0], isMetre ? counts[1] / 100 : counts[1],
      unit: isMetre ? .centimetre : .none)
  }
}
