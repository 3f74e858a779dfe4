import ColorSpaces
import Testing
import _TestSupport

/// One-dimensional lookup tables with linear interpolation.
@Suite struct SampledCurveTests {
  /// Tables that increase strictly from 0 to 1, with steps that differ by a factor of up to 100.
  private static let rising = Generator<[Float]>.array(of: .float(in: 0.01...1), count: 1...60)
    .map { steps -> [Float] in
      let total = steps.reduce(0) { $0 + Double($1) }
      var sum = 0.0
      let values = steps.map { step in
        sum += Double(step)
        return Float(sum / total)
      }
      return [0] + values
    }

  @Test func tableIsExactAtItsGridPoints() {
    checkProperty("f(i/(n−1)) = table[i]", Self.rising) { table in
      let curve = SampledCurve(table)
      return table.indices.allSatisfy { index in
        let x = Double(index) / Double(table.count - 1)
        // i/(n−1)·(n−1) may differ from i by an ulp, which the table's step multiplies.
        return abs(curve(x) - Double(table[index])) <= Double(table.count) * Double.ulpOfOne
      }
    }
  }

  @Test func tableIsLinearBetweenGridPoints() {
    let curve = SampledCurve([0, 0.5, 0.25, 1])
    #expect(curve(0.5) == 0.375)
    #expect(SampledCurve([0, 1])(0.3) == 0.3)
    #expect(SampledCurve([1, 0])(0.25) == 0.75)
  }

  @Test func increasingTableGivesAnIncreasingCurve() {
    checkProperty(
      "x ≤ y: f(x) ≤ f(y)", Self.rising, .double(in: -1...2), .double(in: -1...2)
    ) { table, a, b in
      let curve = SampledCurve(table)
      // Interpolation up to a table's value may miss it by an ulp of 1.
      return curve(min(a, b)) <= curve(max(a, b)) + Double.ulpOfOne
    }
  }

  @Test func inputsOutsideTakeTheEndValues() {
    let curve = SampledCurve([0.25, 0.5, 0.75])
    #expect(curve(1.5) == 0.75)
    #expect(curve(.infinity) == 0.75)
    #expect(curve(-0.5) == 0.25)
    #expect(curve(-.infinity) == 0.25)
    #expect(curve(.nan).isNaN)
  }

  @Test func inverseIsExactAtItsGridPoints() {
    checkProperty("f(f⁻¹(k/65536)) = k/65536", Self.rising, cases: 20) { table in
      let curve = SampledCurve(table)
      let inverse = curve.inverse()
      guard inverse.values.count == 65_537 else { throw Failure("\(inverse.values.count) values") }
      let steepest = zip(table, table.dropFirst()).map { Double($1 - $0) }.max() ?? 0
      return try stride(from: 0, through: 65_536, by: 97).allSatisfy { step in
        let y = Double(step) / 65_536
        // The inverse's values are floats in 0…1 with an error of half an ulp or 2⁻²⁵, which the curve's slope
        // multiplies.
        return try requireClose(
          curve(inverse(y)), y, within: 1e-15 + steepest * Double(table.count - 1) * 0x1p-25)
      }
    }
  }

  @Test func inverseErrorIsAtMostAStep() {
    checkProperty(
      "f(f⁻¹(y)) = y", Self.rising, .array(of: .double(in: 0...1), count: 50...50), cases: 50
    ) { table, inputs in
      let curve = SampledCurve(table)
      let inverse = curve.inverse()
      let steepest = zip(table, table.dropFirst()).map { Double($1 - $0) }.max() ?? 0
      return try inputs.allSatisfy { y in
        // Both are increasing, so values between two grid points of the inverse map to values in between; rounding as
        // above.
        try requireClose(
          curve(inverse(y)), y, within: 1 / 65_536 + steepest * Double(table.count - 1) * 0x1p-25)
      }
    }
  }

  @Test func inverseOfAnIncreasingTableIsIncreasing() {
    checkProperty("f⁻¹ is sorted", Self.rising, cases: 50) { table in
      let values = SampledCurve(table).inverse(count: 1025).values
      return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
    }
  }

  @Test func inverseOfADecreasingTableIsDecreasing() {
    checkProperty("f falls", Self.rising, .double(in: 0...1), cases: 50) { table, y in
      let curve = SampledCurve(table.reversed())
      let inverse = curve.inverse(count: 4097)
      let steepest = zip(table, table.dropFirst()).map { Double($1 - $0) }.max() ?? 0
      guard zip(inverse.values, inverse.values.dropFirst()).allSatisfy({ $0 >= $1 }) else {
        throw Failure("the inverse rises somewhere")
      }
      // One step of the inverse, and its rounding error times the slope.
      return try requireClose(
        curve(inverse(y)), y, within: 1.0 / 4096 + steepest * Double(table.count - 1) * 0x1p-24)
    }
  }

  @Test func inverseOfAFlatPartIsItsMiddle() {
    // Flat at ½ from 1/4 to 3/4, at 0 up to 2/4, at 1 from 2/4 on.
    #expect(SampledCurve([0, 0.5, 0.5, 0.5, 1]).inverse(count: 5)(0.5) == 0.5)
    #expect(SampledCurve([0, 0, 0, 0.5, 1]).inverse(count: 5)(0) == 0.25)
    #expect(SampledCurve([0, 0.5, 1, 1, 1]).inverse(count: 5)(1) == 0.75)
    #expect(SampledCurve([1, 0.5, 0.5, 0.5, 0]).inverse(count: 5)(0.5) == 0.5)
  }

  @Test func unreachedValuesInvertToTheNearestEnd() {
    let inverse = SampledCurve([0.25, 0.5, 0.75]).inverse(count: 9)
    #expect(inverse(0) == 0)
    #expect(inverse(0.25) == 0)
    #expect(inverse(0.5) == 0.5)
    #expect(inverse(1) == 1)
  }

  @Test func transferFunctionFromATableRoundTrips() {
    let table = (0...1023).map { Float(power(Double($0) / 1023, 2.2)) }
    let transfer = TransferFunction("table", decodingTable: table)
    checkProperty("encode(decode(x)) = x", .double(in: 0.01...1)) { x in
      // One step of the inverse table, 1/65536 of linear 1, over the smallest slope above 0.01, 2.2 · 0.01^1.2.
      try requireClose(transfer.encode(transfer.decode(x)), x, within: 1 / 65_536 / 0.0087)
    }
  }

  /// A table beyond 0…1 is inverted exactly, over all of its values.
  @Test func transferFunctionFromABrightTableRoundTrips() {
    let bright = TransferFunction("bright", decodingTable: [0, 1, 4])
    #expect(bright.encode(2.5) == 0.75 && bright.encode(4) == 1 && bright.encode(5) == 1)
    #expect(bright.encode(-1) == 0 && bright.encode(.infinity) == 1 && bright.encode(.nan).isNaN)
    #expect(bright.encodedWhite == [0.5, 0.5, 0.5])
    let signed = TransferFunction("signed", decodingTable: [-1, 0, 1])
    #expect(signed.encode(-0.5) == 0.25 && signed.encode(-2) == 0 && signed.encode(0.5) == 0.75)
    let falling = TransferFunction("falling", decodingTable: [4, 1, 1, 0])
    #expect(falling.encode(4) == 0 && falling.encode(1) == 0.5 && falling.encode(0) == 1)
    // Where values fall, the first position of a value counts.
    let dip = TransferFunction("dip", decodingTable: [0, 2, 1, 4])
    #expect(abs(dip.encode(1.5) - 0.25) <= 1e-15 && dip.encode(4) == 1)
    checkProperty("encode(decode(x)) = x", Self.rising, .double(in: 0...1)) { table, x in
      let transfer = TransferFunction("table", decodingTable: table.map { 100 * $0 - 1 })
      // The smallest of up to 60 steps is a 6000th of all.
      return try requireClose(transfer.encode(transfer.decode(x)), x, within: 1e-10)
    }
  }

  /// Functions of one name are equal, so each table has another one.
  @Test func encodingsOfBrightTablesDiffer() throws {
    func encoding(_ table: [Float]) throws -> Curve {
      try #require(TransferFunction("table", decodingTable: table).curves).encoding
    }
    #expect(try encoding([0, 1, 4]) == encoding([0, 1, 4]))
    #expect(try encoding([0, 1, 4]) != encoding([0, 2, 4]))
  }

  @Test func tableOfOneValueIsRefused() async {
    await #expect(processExitsWith: .failure) { _ = SampledCurve([0.5]) }
    await #expect(processExitsWith: .failure) { _ = TransferFunction("", decodingTable: []) }
    await #expect(processExitsWith: .failure) { _ = SampledCurve([0, 1]).inverse(count: 1) }
  }
}
