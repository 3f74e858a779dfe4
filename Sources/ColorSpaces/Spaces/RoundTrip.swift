/// The error of encoded colors after a conversion to another space and back, with its proof.
public struct RoundTrip: Hashable, Sendable {
  /// The sample format of the intermediate space.
  @nonexhaustive
  public enum Samples: Hashable, Sendable {
    /// Unsigned integers of so many bits; out-of-gamut colors are clipped.
    case uint8, uint10, uint12, uint16
    /// IEEE 754 half precision, also below 0 and above 1.
    case half
    /// IEEE 754 single precision.
    case float
  }

  /// The way a ``RoundTrip/bound`` was established.
  @nonexhaustive
  public enum Proof: Hashable, Sendable {
    /// Interval arithmetic over the rounding of the samples, through the matrix: an upper bound that the true error may
    /// stay below. Between spaces with the same primaries, every code of a channel is tried. It relies on nothing about
    /// the curves but that they do not decrease.
    case interval
    /// Every color was tried; so many of them changed.
    case exhaustive(changed: Int)
  }

  /// A color and its result after the round trip, in codes.
  public struct Example: Hashable, Sendable {
    /// The original codes and the returned ones.
    public let codes, returned: SIMD3<Int>
    /// The largest difference of a channel, in codes.
    public var error: Int {
      let step = returned &- codes
      return max(abs(step.x), abs(step.y), abs(step.z))
    }
  }

  /// The space of the codes, and the intermediate space.
  public let space, via: ColorSpace
  /// The bits of a code; the largest code encodes 1.
  public let bits: Int
  /// The sample format of the intermediate space.
  public let samples: Samples
  /// The maximum error of any channel of any color, in codes.
  public let bound: Int
  /// The way the bound was established.
  public let proof: Proof
  /// The worst color that was found; nil where none changed or none was tried.
  public let worst: Example?

  /// Whether every color is returned unchanged.
  public var isLossless: Bool { bound == 0 }
}

extension RoundTrip: CustomStringConvertible {
  /// The result as a sentence.
  public var description: String {
    let what = "\(bits)-bit \(space) via \(samples) \(via)"
    if isLossless { return "\(what) is lossless: every color comes back unchanged." }
    var text = "\(what) changes channels by at most \(bound) code\(bound == 1 ? "" : "s")"
    if let worst { text += "; \(list(worst.codes)) becomes \(list(worst.returned))" }
    if case .exhaustive(let changed) = proof {
      text += "; \(changed) \(changed == 1 ? "color changes" : "colors change")"
    }
    return text + "."
  }

  private func list(_ codes: SIMD3<Int>) -> String { "(\(codes.x), \(codes.y), \(codes.z))" }
}

extension ColorSpace {
  /// Measures the round trip of this space's colors, in codes of `bits` bits, through another space.
  ///
  /// Curves must be increasing. Where the interval proof does not guarantee a lossless round trip, all colors of codes
  /// up to 8 bits are tried; for deeper codes the combinations of 32 codes per channel, to find an example. Of a gray
  /// space, the colors are its grays, which are all tried. Through a gray space, other colors become the gray of their
  /// luminance.
  ///
  /// - Precondition: Codes have 1 to 16 bits.
  public func roundTrip(
    bits: Int = 8, via other: ColorSpace, samples: RoundTrip.Samples
  ) -> RoundTrip {
    precondition(
      (1...16).contains(bits), "Round trips are told for codes of 1 to 16 bits; got \(bits).")
    let trip = Trip(bits: bits, from: self, via: other, samples: samples)
    let bound = trip.bound
    if bound > 0, bits <= 8 || isGray {
      return exhausted(trip, bits: bits, via: other, samples: samples)
    }
    let spread = (0..<32).map { $0 * ((1 << bits) - 1) / 31 }
    return RoundTrip(
      space: self, via: other, bits: bits, samples: samples, bound: bound, proof: .interval,
      worst: bound == 0 ? nil : trip.tried(spread).worst)
  }

  /// Measures the round trip with every color tried, also where a bound is proven without. For tests.
  package func exhaustiveRoundTrip(
    bits: Int, via other: ColorSpace, samples: RoundTrip.Samples
  ) -> RoundTrip {
    exhausted(
      Trip(bits: bits, from: self, via: other, samples: samples), bits: bits, via: other,
      samples: samples)
  }

  /// The result of trying every color with the tables of `trip`.
  private func exhausted(
    _ trip: Trip, bits: Int, via other: ColorSpace, samples: RoundTrip.Samples
  ) -> RoundTrip {
    let (worst, changed) = trip.tried(Array(0..<1 << bits))
    return RoundTrip(
      space: self, via: other, bits: bits, samples: samples, bound: worst?.error ?? 0,
      proof: .exhaustive(changed: changed), worst: worst)
  }
}

/// The tables of a round trip.
private struct Trip {
  private let codes: Rounding
  private let way: Way
  private let there, back: ColorMatrix
  /// The matrix that exact samples would have for the whole round trip: the projection on luminance through a gray
  /// space, the identity otherwise.
  private let projection: ColorMatrix
  /// Whether the colors have three equal codes.
  private let areGrays: Bool

  init(bits: Int, from space: ColorSpace, via other: ColorSpace, samples: RoundTrip.Samples) {
    guard let curve = space.transfer.curves, let otherCurve = other.transfer.curves else {
      preconditionFailure(
        "Round trips are told for spaces with a curve for each channel, not \(space) via \(other).")
    }
    (there, back) = (space.matrix(to: other), other.matrix(to: space))
    projection = other.isGray && !space.isGray ? back * there : .identity
    areGrays = space.isGray
    let codes = Rounding(
      wholeNumbers(bits: bits), decode: curve.decoding, encode: curve.encoding)
    let ranges = there.rows.map { range(of: $0, codes.range) }
    let all = ranges.reduce(ranges[0]) {
      min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
    }
    self.codes = codes
    way = Way(
      samples, decode: otherCurve.decoding, encode: otherCurve.encoding, for: all,
      resolution: codes.smallestStep / 16)
  }

  /// The maximum error of a channel, in codes.
  var bound: Int {
    if there == .identity {
      return codes.lights.enumerated().map { code, light in
        abs(codes.index(of: way.rounded(light)) - code)
      }.max() ?? 0
    }
    let misses = there.rows.map { way.farthest(in: range(of: $0, codes.range)) }
    return zip(back.rows, projection.rows).enumerated().map { channel, rows in
      let (row, projected) = rows
      // The constant covers the rounding errors of double precision.
      let miss = (0..<3).reduce(1e-14) { $0 + abs(row[$1]) * misses[$1] }
      var others = projected
      others[channel] = 0
      let shift = range(of: others, codes.range)
      return codes.lights.enumerated().map { code, light in
        let kept = projected[channel] * light
        return max(
          codes.index(of: kept + shift.upperBound + miss) - code,
          code - codes.index(of: kept + shift.lowerBound - miss))
      }.max() ?? 0
    }.max() ?? 0
  }

  /// Tries the colors whose channels are in `list`, in a gray space its grays of these codes: the worst of them, and how
  /// many change.
  func tried(_ list: [Int]) -> (worst: RoundTrip.Example?, changed: Int) {
    let reds = codes.lights.map { there.column0 * $0 }
    let greens = codes.lights.map { there.column1 * $0 }
    let blues = codes.lights.map { there.column2 * $0 }
    var worst: RoundTrip.Example?
    var changed = 0
    for red in list {
      for green in areGrays ? [red] : list {
        let yellow = reds[red] + greens[green]
        for blue in areGrays ? [red] : list {
          let sent = yellow + blues[blue]
          let light = back * SIMD3(way.rounded(sent.x), way.rounded(sent.y), way.rounded(sent.z))
          if codes.rounds(light.x, to: red), codes.rounds(light.y, to: green),
            codes.rounds(light.z, to: blue)
          {
            continue
          }
          let example = RoundTrip.Example(
            codes: [red, green, blue],
            returned: [
              codes.index(of: light.x), codes.index(of: light.y), codes.index(of: light.z),
            ])
          if example.error > 0 { changed += 1 }
          if example.error > worst?.error ?? 0 { worst = example }
        }
      }
    }
    return (worst, changed)
  }
}

/// The rounding of a linear channel in the intermediate space.
private enum Way {
  case table(Rounding)
  /// Single precision through a curve, and the maximum error of the linear value.
  case float(decode: Curve, encode: Curve, farthest: Double)

  init(
    _ samples: RoundTrip.Samples, decode: Curve, encode: Curve, for lights: ClosedRange<Double>,
    resolution: Double
  ) {
    func table(_ stored: [Double]) -> Way {
      .table(Rounding(stored, decode: decode, encode: encode))
    }
    self =
      switch samples {
      case .uint8: table(wholeNumbers(bits: 8))
      case .uint10: table(wholeNumbers(bits: 10))
      case .uint12: table(wholeNumbers(bits: 12))
      case .uint16: table(wholeNumbers(bits: 16))
      case .half:
        table(halfNumbers(in: encode(lights.lowerBound)...encode(lights.upperBound)))
      case .float:
        .float(
          decode: decode, encode: encode,
          farthest: Self.farthestFloat(
            in: lights, decode: decode, encode: encode, resolution: resolution))
      }
  }

  /// An upper bound of the distance of any linear value in `lights` from that of its single-precision encoded value.
  ///
  /// Encoding, rounding and decoding do not decrease, so between two linear values a < b, what comes back lies between what
  /// comes back of a and of b. It is farther from a value between them by at most b − a than at one of the two. `resolution`
  /// is that width, unless it would take more than 2²⁴ intervals.
  private static func farthestFloat(
    in lights: ClosedRange<Double>, decode: Curve, encode: Curve, resolution: Double
  ) -> Double {
    let width = lights.upperBound - lights.lowerBound
    let count = Int(min(max((width / resolution).rounded(.up), 0x1p12), 0x1p24))
    let step = width / Double(count)
    let farthest = (0...count).reduce(0.0) { farthest, index in
      let light = lights.lowerBound + Double(index) * step
      return max(farthest, abs(decode(Double(Float(encode(light)))) - light))
    }
    // The second term covers the rounding errors of double precision, which may disturb the order by some ulps.
    return farthest + step + 1e-14 * max(abs(lights.lowerBound), abs(lights.upperBound))
  }

  func farthest(in range: ClosedRange<Double>) -> Double {
    switch self {
    case .table(let rounding): rounding.farthest(in: range)
    case .float(_, _, let farthest): farthest
    }
  }

  func rounded(_ light: Double) -> Double {
    switch self {
    case .table(let rounding): rounding.lights[rounding.index(of: light)]
    case .float(let decode, let encode, _): decode(Double(Float(encode(light))))
    }
  }
}

/// The linear values of a sequence of encoded values.
private struct Rounding {
  /// The linear value of each encoded value, increasing.
  let lights: [Double]
  /// The linear value from which on each encoded value is the nearest one after encoding. The last interval is
  /// unbounded.
  private let starts: [Double]
  /// The nearest encoded value at the start of each of many equal cells of linear values.
  private let cells: [Int32]
  private let scale: Double
  /// The encoded value that each one becomes when it is decoded, encoded and rounded: another one where encoding clamps
  /// linear values.
  private let settled: [Int32]

  init(_ stored: [Double], decode: Curve, encode: Curve) {
    lights = stored.map { decode($0) }
    let middles = zip(stored, stored.dropFirst()).map { ($0 + $1) / 2 }
    let edges = middles.map { decode($0) }
    starts = [-.infinity] + edges + [.infinity]
    var nearest = 0
    settled = lights.map { light in
      let value = encode(light)
      while nearest < middles.count, middles[nearest] <= value { nearest += 1 }
      return Int32(nearest)
    }
    let count = 4 * lights.count
    let scale = Double(count) / (lights[lights.count - 1] - lights[0])
    var index = 0
    cells = (0...count).map { [lights] cell in
      while index < edges.count, edges[index] <= lights[0] + Double(cell) / scale { index += 1 }
      return Int32(index)
    }
    self.scale = scale
  }

  var range: ClosedRange<Double> { lights[0]...lights[lights.count - 1] }

  /// The smallest distance of two neighboring linear values.
  var smallestStep: Double {
    zip(lights, lights.dropFirst()).reduce(range.upperBound - range.lowerBound) {
      min($0, $1.1 - $1.0)
    }
  }

  /// The index of the encoded value that `light` rounds to.
  func index(of light: Double) -> Int { Int(settled[nearest(to: light)]) }

  /// The index of the encoded value whose interval contains `light`.
  private func nearest(to light: Double) -> Int {
    let cell = (light - lights[0]) * scale
    if !(cell > 0) { return 0 }
    if cell >= Double(cells.count - 1) { return lights.count - 1 }
    var low = Int(cells[Int(cell)])
    var high = Int(cells[Int(cell) + 1])
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= light { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Whether `light` lies in the interval of this encoded value, and rounds to it.
  func rounds(_ light: Double, to index: Int) -> Bool {
    light >= starts[index] && light < starts[index + 1] && Int(settled[index]) == index
  }

  /// The maximum distance of a linear value in `range` from that of its encoded value.
  func farthest(in range: ClosedRange<Double>) -> Double {
    let rounded = settled.map { lights[Int($0)] }
    let ends = max(rounded[0] - range.lowerBound, range.upperBound - rounded[rounded.count - 1])
    return rounded.indices.dropFirst().reduce(max(ends, 0)) { farthest, index in
      max(farthest, starts[index] - rounded[index - 1], rounded[index] - starts[index])
    }
  }
}

private func wholeNumbers(bits: Int) -> [Double] {
  let last = (1 << bits) - 1
  return (0...last).map { Double($0) / Double(last) }
}

/// The half-precision values from the last one at or below the range to the first one beyond it.
private func halfNumbers(in range: ClosedRange<Double>) -> [Double] {
  let positive = (0..<0x7C00).map { code -> Double in
    let (exponent, fraction) = (code >> 10, Double(code & 0x3FF))
    return exponent == 0
      ? fraction * 0x1p-24
      : Double(sign: .plus, exponent: exponent - 25, significand: 1024 + fraction)
  }
  let all = positive.dropFirst().reversed().map { -$0 } + positive
  let first = all.lastIndex { $0 <= range.lowerBound } ?? 0
  let last = all.firstIndex { $0 >= range.upperBound } ?? all.count - 1
  return Array(all[first...last])
}

/// The minimum and maximum of a matrix row applied to values in `range`.
private func range(of row: SIMD3<Double>, _ range: ClosedRange<Double>) -> ClosedRange<Double> {
  let (a, b) = (row * range.lowerBound, row * range.upperBound)
  return pointwiseMin(a, b).sum()...pointwiseMax(a, b).sum()
}
