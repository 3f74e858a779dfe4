import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// The accuracy of the curves of every named space in single precision: the table in Documentation/Accuracy.md.
///
/// The kernels give the same bits everywhere, and the inputs are fixed, so that every machine computes the same table.
/// After an intended change of a curve, COLORLOOM_RECORD=1 writes it.
@Suite struct AccuracyTableTests {
  private static let file = Fixtures.url("../Documentation/Accuracy.md").standardizedFileURL

  private static let spaces = ColorSpace.all.filter { $0.transfer.curves != nil }

  /// The largest errors of one direction of a curve.
  private struct Errors {
    /// In units of the last place of the exact value, over all inputs.
    var units = 0.0
    /// The same for values from 2⁻⁶ up.
    var unitsOfLargeValues = 0.0
    /// As an absolute difference.
    var difference = 0.0

    mutating func add(_ value: Float, _ exact: Double) {
      let error = abs(Double(value) - exact)
      let ulps = error / Double(Float(exact).ulp)
      units = larger(units, ulps)
      difference = larger(difference, error)
      if abs(exact) >= 0x1p-6 { unitsOfLargeValues = larger(unitsOfLargeValues, ulps) }
    }

    /// The documented bounds: a quarter more ulp than measured and half more of the difference, rounded up, since other
    /// inputs may have slightly larger errors.
    var columns: [String] {
      // More than 16 ulp mean that the curve crosses zero, where cancellation leaves few digits.
      [bound(units, limit: 16), bound(unitsOfLargeValues, limit: .infinity), differenceBound]
    }

    private func bound(_ units: Double, limit: Double) -> String {
      let bound = (units * 1.25 * 2).rounded(.up) / 2
      return bound > limit ? "–" : bound == 0 ? "0" : "\(bound)"
    }

    private var differenceBound: String {
      if difference == 0 { return "0" }
      if !difference.isFinite { return "∞" }
      // The maximum is at the brightest values, of which there are few inputs.
      let nanos = difference * 1.5 * 1e9
      let step = nanos < 100 ? 1.0 : 10
      return "\(Int((nanos / step).rounded(.up) * step))"
    }
  }

  /// Zero, floats of every binade from 2⁻²⁴ to 1, and 1; then many more from 2⁻⁵ to 2⁻², where many curves have their
  /// break and, above it, their largest errors in ulp. 35,000 in all.
  private static let inputs: [Float] = {
    let binades = (-24..<0).flatMap { exponent -> [Float] in
      let count = exponent < -12 ? 64 : 768
      // Irregular steps, which do not only hit the ends of binades.
      return (0..<count).map { step in
        let part = (Float(step) * 0.618_034).truncatingRemainder(dividingBy: 1)
        return Float(sign: .plus, exponent: exponent, significand: 1 + part)
      }
    }
    let breaks = (-5..<(-2)).flatMap { exponent -> [Float] in
      (0..<8192).map { step in
        // Float would repeat itself after so many steps.
        let part = (Double(step) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return Float(sign: .plus, exponent: exponent, significand: Float(1 + part))
      }
    }
    return [0] + binades + [1] + breaks
  }()

  private static func errors(
    from source: ColorSpace, to target: ColorSpace, _ exact: (Double) -> Double
  ) throws -> Errors {
    let count = (inputs.count + 2) / 3
    let row = Bitmap<Float>(PixelSize(count, 1), in: source, channels: .rgb) { x, _ in
      (0..<3).map { inputs[min(3 * x + $0, inputs.count - 1)] }
    }
    let converted = try Picture(row).converted(to: target).render(as: Float.self)
    var errors = Errors()
    for (x, value) in zip(row.row(0), converted.row(0)) { errors.add(value, exact(Double(x))) }
    return errors
  }

  private static func table() throws -> String {
    var known: [TransferFunction: [String]] = [:]
    var lines: [String] = []
    for space in spaces {
      let cells: [String]
      if let columns = known[space.transfer] {
        cells = columns
      } else if space.transfer.isLinear {
        cells = ["0", "0", "0", "0", "0", "0"]
      } else {
        cells =
          try errors(from: space, to: space.linear, space.transfer.decode).columns
          + errors(from: space.linear, to: space, space.transfer.encode).columns
      }
      known[space.transfer] = cells
      lines.append("| \(space) | \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let head = """
    | space | decoding, ulp | from 2⁻⁶ up, ulp | ·10⁻⁹ | encoding, ulp | from 2⁻⁶ up, ulp | ·10⁻⁹ |
    |---|---|---|---|---|---|---|

    """

  @Test func documentedBoundsEqualTheKernels() throws {
    let table = try Self.table()
    var document = try String(contentsOf: Self.file, encoding: .utf8)
    let start = try #require(document.range(of: Self.head)).upperBound
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      document.replaceSubrange(start..., with: table)
      try document.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let documented = document[start...].split(separator: "\n")
    for (found, written) in zip(table.split(separator: "\n"), documented) {
      #expect(found == written)
    }
    #expect(documented.count == Self.spaces.count)
  }

  /// The largest errors that a dense search found, in the narrow ranges that an even sampling misses.
  @Test func worstInputsStayWithinTheDocumentedBounds() throws {
    let (space, inputs) = (ColorSpace.sRGB, [0.082_425_34, 0.083_108_53, 0.083_267_26] as [Float])
    let document = try String(contentsOf: Self.file, encoding: .utf8)
    let line = try #require(document.split(separator: "\n").first { $0.hasPrefix("| \(space) |") })
    let cell = line.split(separator: "|")[1].trimmingCharacters(in: .whitespaces)
    let row = Bitmap<Float>(PixelSize(1, 1), in: space, channels: .rgb) { _, _ in inputs }
    let converted = try Picture(row).converted(to: space.linear).render(as: Float.self)
    var errors = Errors()
    for (x, value) in zip(row.row(0), converted.row(0)) {
      errors.add(value, space.transfer.decode(Double(x)))
    }
    let bound = try #require(Double(cell))
    #expect(errors.units <= bound)
  }

  /// Inputs other than those of the table stay within its bounds, and within 1.1 times its differences: even steps, as
  /// in AccuracyTests, and scattered ones.
  @Test func otherInputsStayWithinTheDocumentedBounds() throws {
    let document = try String(contentsOf: Self.file, encoding: .utf8)
    let start = try #require(document.range(of: Self.head)).upperBound
    var bounds: [Substring: [Substring]] = [:]
    for line in document[start...].split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " }.prefix { _ in true } }
        .map { $0.last == " " ? $0.dropLast() : $0 }
      bounds[cells[0]] = Array(cells.dropFirst())
    }
    var seen: Set<TransferFunction> = []
    // Half of them in even steps, half in multiples of the plastic number, which never repeat.
    let inputs = (0..<3 * 2048).map { index -> Float in
      let scattered = Float((Double(index) * 0.754_877_666).truncatingRemainder(dividingBy: 1))
      return index % 2 == 0 ? Float(index) / 6143 : scattered
    }
    for space in Self.spaces where !space.transfer.isLinear && seen.insert(space.transfer).inserted
    {
      let cells = try #require(bounds[Substring(space.name)], "\(space)")
      for (source, target, exact, column) in [
        (space, space.linear, space.transfer.decode, 0),
        (space.linear, space, space.transfer.encode, 3),
      ] as [(ColorSpace, ColorSpace, (Double) -> Double, Int)] {
        let row = Bitmap<Float>(PixelSize(2048, 1), in: source, channels: .rgb) { x, _ in
          Array(inputs[3 * x..<3 * x + 3])
        }
        let converted = try Picture(row).converted(to: target).render(as: Float.self)
        let (units, large) = (Double(cells[column]), try #require(Double(cells[column + 1])))
        let difference = try #require(Double(cells[column + 2])) * 1e-9
        for (x, value) in zip(row.row(0), converted.row(0)) {
          let expected = exact(Double(x))
          let error = abs(Double(value) - expected)
          let ulps = error / Double(Float(expected).ulp)
          let isWithin =
            error <= 1.1 * difference && ulps <= units ?? .infinity
            && (abs(expected) < 0x1p-6 || ulps <= large)
          if !isWithin {
            Issue.record("\(source) → \(target) at \(x): \(value) is \(ulps) ulp from \(expected)")
            break
          }
        }
      }
    }
  }
}
