import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Every transfer function with the kernels of this machine, against double precision.
@Suite struct TransferKernelTests {
  private static let functions =
    TransferFunction.named + [.bt1886(black: 0.001), .pq(white: 203), .hlg(whiteSignal: 0.75)]
    + [TransferFunction.hlg, .pq].flatMap {
      [$0.belowZero(.mirrored), $0.belowZero(.passedThrough)]
    }

  /// Four ulp of the value or, in segments that subtract, of the subtrahend: the precision limit of single precision.
  /// For a logarithm the unit is its scale, the increase when its argument doubles.
  ///
  /// Powers are tested up to 8.
  @Test(arguments: functions)
  func decodingIsWithinFourULP(_ transfer: TransferFunction) throws {
    let space = ColorSpace("tested", primaries: .rec709, transfer: transfer)
    try expectExact(transfer, \.decoding, from: space, to: space.linear, Self.values(upTo: 8))
  }

  @Test(arguments: functions)
  func encodingIsWithinFourULP(_ transfer: TransferFunction) throws {
    let space = ColorSpace("tested", primaries: .rec709, transfer: transfer)
    try expectExact(transfer, \.encoding, from: space.linear, to: space, Self.values(upTo: 0x1p17))
  }

  /// From camera log to a display and back: all channels, with a matrix in between.
  @Test(arguments: functions)
  func conversionsAgreeWithDoublePrecision(_ transfer: TransferFunction) throws {
    let space = ColorSpace("tested", primaries: .rec2020, transfer: transfer)
    for (source, target) in [(space, ColorSpace.sRGB), (.sRGB, space)] {
      let size = PixelSize(64, 64)
      let colors = Bitmap<Float>(size, in: source, channels: .rgb) { x, y in
        [Float(x) / 63, Float(y) / 63, Float((x * 7 + y * 3) % 64) / 63]
      }
      let result = try Picture(colors).converted(to: target).render(as: Float.self)
      let exact = PointProgram(converting: source, to: target)
      for y in 0..<64 {
        for (color, found) in zip(pixels(colors, y), pixels(result, y)) {
          let expected = exact(color)
          let (light, foundLight) = (
            target.transfer.decode(expected), target.transfer.decode(found)
          )
          let brightest = (0..<3).map { abs(light[$0]) }.reduce(0, max)
          for channel in 0..<3 {
            // Two curves of 4 ulp and a matrix: 10⁻⁶ of the brightest channel, or of the encoded value, whichever is
            // larger; curves are steepest at black.
            let near =
              abs(found[channel] - expected[channel]) <= 1e-6 * (1 + abs(expected[channel]))
            let nearInLight = abs(foundLight[channel] - light[channel]) <= 2e-6 * brightest
            #expect(near || nearInLight, "\(color) gives \(found), not \(expected)")
          }
        }
      }
    }
  }

  private func pixels(_ bitmap: Bitmap<Float>, _ y: Int) -> [SIMD3<Double>] {
    let row = bitmap.row(y).map(Double.init)
    return stride(from: 0, to: row.count, by: 3).map { SIMD3(row[$0], row[$0 + 1], row[$0 + 2]) }
  }

  @Test(arguments: functions)
  func nanAndInfinityArePropagated(_ transfer: TransferFunction) throws {
    let space = ColorSpace("tested", primaries: .rec709, transfer: transfer)
    let row: [Float] = [.nan, 0.5, 0, .infinity, -.infinity, .leastNonzeroMagnitude]
    for (source, target, curve) in [
      (space, space.linear, transfer.curves?.decoding),
      (space.linear, space, transfer.curves?.encoding),
    ] {
      let curve = try #require(curve)
      let bitmap = Bitmap<Float>(PixelSize(2, 1), in: source, channels: .rgb) { x, _ in
        Array(row[3 * x..<3 * x + 3])
      }
      let result = try Picture(bitmap).converted(to: target).render(as: Float.self).row(0)
      #expect(result[0].isNaN)
      for (x, value) in zip(row, result).dropFirst() {
        let expected = Float(curve(Double(x)))
        // Doubles have a larger range than floats; what overflows here may be finite there, but never the reverse.
        #expect(
          value == expected || abs(value - expected) <= 1e-6
            || (value.isInfinite && value.sign == expected.sign && abs(expected) > 1e30),
          "\(x): \(value) is not \(expected)")
      }
    }
  }

  /// Values of all magnitudes and both signs, dense between −¼ and 1¼.
  private static func values(upTo limit: Float) -> [Float] {
    var values = (0..<60_000).map { Float($0) / 40_000 - 0.25 }
    for pattern in stride(from: Float(0x1p-30).bitPattern, through: limit.bitPattern, by: 7013) {
      values += [Float(bitPattern: pattern), -Float(bitPattern: pattern)]
    }
    return values + [Float](repeating: 0, count: 3 - values.count % 3)
  }

  private func expectExact(
    _ transfer: TransferFunction, _ direction: KeyPath<(decoding: Curve, encoding: Curve), Curve>,
    from source: ColorSpace, to target: ColorSpace, _ values: [Float]
  ) throws {
    let curve = try #require(transfer.curves)[keyPath: direction]
    let bitmap = Bitmap<Float>(PixelSize(values.count / 3, 1), in: source, channels: .rgb) { x, _ in
      Array(values[3 * x..<3 * x + 3])
    }
    let result = try Picture(bitmap).converted(to: target).render(as: Float.self).row(0)
    for (x, value) in zip(values, result)
    where !curve.jumps.contains(where: { abs($0 - abs(x)) < 1e-6 }) {
      let expected = curve(Double(x))
      let unit = Double(Float(max(abs(expected), curve.subtracted)).ulp)
      let error = Float(expected) == value ? 0 : abs(Double(value) - expected) / unit
      guard error <= 4 else {
        Issue.record("\(transfer) at \(x): \(value) is \(error) ulp from \(expected)")
        return
      }
    }
  }
}

extension Curve {
  /// The largest value that the curve subtracts.
  fileprivate var subtracted: Double {
    switch self {
    case .segmented(let curve):
      curve.segments.map { segment in
        switch segment.shape {
        case .logarithm: abs(segment.scale)
        case .line: 0
        default: abs(segment.offset)
        }
      }.max() ?? 0
    case .power(let curve): max(abs(curve.offset), 1e-30)
    default: 1e-30
    }
  }

  /// The positions where the printed constants of a standard leave a gap, which rounding an input to a float may cross.
  fileprivate var jumps: [Float] {
    switch self {
    case .segmented(let curve): curve.segments.map { abs(Float($0.start)) }
    case .power(let curve): [abs(Float(curve.threshold))]
    default: []
    }
  }
}
