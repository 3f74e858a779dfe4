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

  /// Whether two numbers can be stored.
  private var isUsable: Bool {
    horizontal.isFinite && vertical.isFinite && horizontal > 0 && vertical > 0
  }

  private func counts(per target: Unit) -> [Double] {
    let factor =
      unit == .inch && target == .centimetre
      ? 1 / Self.inch : unit == .centimetre && target == .inch ? Self.inch : 1
    return [horizontal * factor, vertical * factor]
  }

  /// The unit and the two fractions of TIFF and EXIF fields; nil where the numbers are none that they hold.
  var tiffFields: (across: (Int, Int), down: (Int, Int), unit: Int)? {
    guard isUsable, max(horizontal, vertical) < 4e9 else { return nil }
    func fraction(_ value: Double) -> (Int, Int) {
      let denominator =
        [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].first { denominator in
          let scaled = value * Double(denominator)
          return abs(scaled - scaled.rounded()) < 1e-9 * scaled || scaled > 4e8
        } ?? 1_000_000
      return (max(Int((value * Double(denominator)).rounded()), 1), denominator)
    }
    return (
      fraction(horizontal), fraction(vertical), unit == .inch ? 2 : unit == .centimetre ? 3 : 1
    )
  }

  /// The unit and whole numbers of a JFIF segment (Rec. ITU-T T.871): those of inches or centimetres, whichever are nearer.
  var jfifDensity: (unit: UInt8, across: UInt16, down: UInt16)? {
    guard isUsable else { return nil }
    let limit = 65_535.0
    if unit == .none {
      let scale = min(limit / max(horizontal, vertical), max(1, 1000 / max(horizontal, vertical)))
      // Of numbers near the smallest, no ratio is left.
      guard scale.isFinite else { return nil }
      let isWhole = [horizontal, vertical].allSatisfy { $0 == $0.rounded() && $0 <= limit }
      let (x, y) = isWhole ? (horizontal, vertical) : (horizontal * scale, vertical * scale)
      return (0, UInt16(max(x.rounded(), 1)), UInt16(max(y.rounded(), 1)))
    }
    func error(_ counts: [Double]) -> Double {
      counts.map { abs(max($0.rounded(), 1) / $0 - 1) }.max() ?? 0
    }
    let (inches, centimetres) = (counts(per: .inch), counts(per: .centimetre))
    let usesInches = error(inches) <= error(centimetres) && (inches.max() ?? 0) <= limit
    let counts = usesInches ? inches : centimetres
    guard (counts.max() ?? 0) <= limit else { return nil }
    return (
      usesInches ? 1 : 2, UInt16(max(counts[0].rounded(), 1)), UInt16(max(counts[1].rounded(), 1))
    )
  }

  /// The body of a pHYs chunk: pixels per metre, or of no unit (PNG, third edition, 11.3.4.3).
  var pngDensity: [UInt8]? {
    guard isUsable else { return nil }
    var counts = unit == .none ? [horizontal, vertical] : counts(per: .centimetre).map { $0 * 100 }
    if unit == .none, counts.contains(where: { $0 != $0.rounded() }) {
      counts = counts.map { $0 * 1000 }
    }
    guard (counts.max() ?? 0) < Double(Int32.max) else { return nil }
    return bigEndianBytes(counts.map { UInt32(max($0.rounded(), 1)) }) + [unit == .none ? 0 : 1]
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
