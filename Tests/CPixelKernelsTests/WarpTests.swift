import CPixelKernels
import Foundation
import Testing

/// Transforms and remaps against their definition, written out in scalar code: every bit, on every instruction set.
@Suite struct WarpTests {
  /// A kernel's shape and the table of its weights.
  struct Weights: Sendable, CustomTestStringConvertible {
    let name: String
    let reach: Double
    let table: [Float]
    /// The weights of all pixels around a place; empty where the kernels have no use for them.
    let phases: [Float]

    var testDescription: String { name }
    /// Beyond this entry all are zero.
    var last: Double { Double(table.count - 2) }

    init(_ name: String, reach: Double, _ shape: ((Double) -> Double)?) {
      (self.name, self.reach) = (name, reach)
      let density = Double(CPK_WARP_DENSITY)
      table =
        shape.map { shape in
          (0..<Int(reach * density) + 3).map { index in
            let distance = Double(index) / density
            return distance < reach ? Float(shape(distance)) : 0
          }
        } ?? []
      let (table, steps, half) = (table, Int(density), Int(reach))
      phases =
        table.isEmpty || reach > 3 || reach != reach.rounded()
        ? []
        : (0...steps).flatMap { phase in
          (0..<(half + 1) / 2 * 4).map { tap in
            let place =
              tap < half ? phase + steps * (half - 1 - tap) : steps * (tap - half + 1) - phase
            return tap < 2 * half ? table[place] : 0
          }
        }
    }

    func callAsFunction(_ x: Double) -> Float {
      if table.isEmpty { return 1 }
      let position = abs(x) * Double(CPK_WARP_DENSITY)
      guard position < last else { return 0 }
      let index = Int(position)
      return table[index] + (table[index + 1] - table[index]) * Float(position - Double(index))
    }

    static let all = [
      Weights("flat", reach: 0.5, nil), Weights("triangle", reach: 1) { 1 - $0 },
      Weights("cubic", reach: 2) {
        $0 < 1 ? 1 + $0 * $0 * (1.5 * $0 - 2.5) : 2 + $0 * (-4 + $0 * (2.5 - 0.5 * $0))
      },
      Weights("of five pixels", reach: 2.5) { (2.5 - $0) / 2.5 - 0.2 },
      Weights("of six pixels", reach: 3) { cos($0) / (1 + $0) },
      Weights("wide", reach: 7) { cos(3 * $0) / (1 + $0) },
    ]
  }

  /// Pixels from (-3, 5) on.
  private struct Picture {
    let width: Int, height: Int
    let left = -3, top = 5
    let pixels: [Float]

    init(_ width: Int, _ height: Int, isWild: Bool) {
      (self.width, self.height) = (width, height)
      var random = SplitMix64(61)
      pixels =
        isWild
        ? mixed(4 * width * height, seed: 62)
        : (0..<4 * width * height).map { _ in Float.random(in: -0.5...1.5, using: &random) }
    }

    func nearest(_ x: Int, _ y: Int) -> SIMD4<Float> {
      let column = min(max(x - left, 0), width - 1), row = min(max(y - top, 0), height - 1)
      let first = 4 * (row * width + column)
      return SIMD4(pixels[first], pixels[first + 1], pixels[first + 2], pixels[first + 3])
    }

    /// The value at a place, tap by tap.
    func value(
      at place: SIMD2<Double>, scale: SIMD2<Double>, by weights: Weights
    ) -> SIMD4<Float> {
      func taps(_ axis: Int) -> (first: Int, weights: [Float]) {
        func held(_ value: Double) -> Int { Int((value + 0x1p-24).rounded(.down)) }
        let reach = weights.reach * scale[axis]
        let first = held(place[axis] - reach + 0.5)
        let end = max(held(place[axis] + reach + 0.5), first + 1)
        return (
          first, (first..<end).map { weights((Double($0) + 0.5 - place[axis]) / scale[axis]) }
        )
      }
      let (columns, rows) = (taps(0), taps(1))
      var used = columns.weights.indices
      while let first = used.first, columns.weights[first] == 0 { used.removeFirst() }
      while let last = used.last, columns.weights[last] == 0 { used.removeLast() }
      var sum = SIMD4<Float>.zero
      for (row, weight) in rows.weights.enumerated() where weight != 0 {
        var line = SIMD4<Float>.zero
        for column in used {
          let pixel = nearest(columns.first + column, rows.first + row)
          line += pixel * columns.weights[column]
        }
        sum += line * weight
      }
      return sum / (columns.weights.reduce(0, +) * rows.weights.reduce(0, +))
    }

    func withWarp(
      _ weights: Weights, widens: Bool, _ body: (inout cpk_warp) -> Void
    ) {
      weights.table.withUnsafeBufferPointer { table in
        weights.phases.withUnsafeBufferPointer { phases in
          pixels.withUnsafeBufferPointer { pixels in
            var warp = cpk_warp()
            warp.weights = table.isEmpty ? nil : table.baseAddress
            warp.phases = phases.isEmpty ? nil : phases.baseAddress
            (warp.last, warp.reach, warp.widens) = (weights.last, weights.reach, widens)
            (warp.pixels, warp.stride) = (pixels.baseAddress, 4 * width)
            warp.first = (Double(left), Double(top))
            warp.end = (Double(left + width), Double(top + height))
            body(&warp)
          }
        }
      }
    }
  }

  /// A matrix from the result to the picture.
  struct Matrix: Sendable, CustomTestStringConvertible {
    let name: String
    let rows: [SIMD3<Double>]

    var testDescription: String { name }
    var isAffine: Bool { rows[2] == [0, 0, 1] }

    func product(_ row: Int, _ point: SIMD2<Double>) -> Double {
      rows[row].x * point.x + rows[row].y * point.y + rows[row].z
    }

    func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double>? {
      let w = product(2, point)
      return w > 1e-9 ? SIMD2(product(0, point), product(1, point)) / w : nil
    }

    func stretch(_ point: SIMD2<Double>) -> SIMD2<Double> {
      let w = product(2, point)
      func step(_ axis: Int) -> Double {
        let x = rows[axis].x * w - rows[2].x * product(axis, point)
        let y = rows[axis].y * w - rows[2].y * product(axis, point)
        return (x * x + y * y).squareRoot()
      }
      return SIMD2(step(0), step(1)) / (w * w)
    }

    static let all = [
      Matrix(name: "half a pixel aside", rows: [[1, 0, 0.5], [0, 1, 0], [0, 0, 1]]),
      Matrix(
        name: "rotation", rows: [[0.978, 0.208, -4.1], [-0.208, 0.978, 9.3], [0, 0, 1]]),
      Matrix(
        name: "hardly reduced rotation",
        rows: [[0.8, 0.6.nextUp, -2], [-0.6.nextUp, 0.8.nextUp, 12], [0, 0, 1]]),
      Matrix(name: "reduction", rows: [[2.5, 0.4, -9], [-1.1, 3.2, 2], [0, 0, 1]]),
      Matrix(name: "great reduction", rows: [[40, 0, -9], [0, 18, 2], [0, 0, 1]]),
      Matrix(name: "point", rows: [[0, 0, 2], [0, 0, 9], [0, 0, 1]]),
      Matrix(name: "far away", rows: [[1, 0, 1e12], [0, 1, -1e80], [0, 0, 1]]),
      Matrix(
        name: "perspective", rows: [[1.1, 0.2, -3], [-0.1, 1.3, 4], [-0.011, 0.009, 1]]),
      Matrix(name: "horizon", rows: [[1, 0, -3], [0, 1, 4], [-0.08, 0.05, 1]]),
    ]
  }

  /// Runs a kernel into a row of planes, and returns the pixels. Nothing beyond the row is written.
  private func row(
    _ count: Int, planes: Int, _ body: (inout cpk_surface) -> Void
  ) -> [Float] {
    let row = Row(.f32, planes == 4 ? .planar : .planarOpaque, count, guarded: true)
    row.fill([-7])
    let guards = Array(row.canonical[row.floats.count...])
    var surface = row.surface
    body(&surface)
    #expect(Array(row.canonical[row.floats.count...]) == guards)
    return row.floats
  }

  private func expect(
    _ expected: [SIMD4<Float>], planes: Int, _ result: [Float], _ comment: String
  ) {
    let meant = (0..<planes).flatMap { plane in expected.map { $0[plane] } }
    if bits(result) != bits(meant) { Issue.record("\(comment)") }
  }

  @Test(arguments: Matrix.all, Weights.all)
  func transformsEqualTheirDefinition(matrix: Matrix, weights: Weights) {
    for (isWild, part, planes) in [(false, false, 4), (false, true, 4), (true, true, 3)] {
      let picture = Picture(23, 17, isWild: isWild)
      let widens = weights.name != "flat"
      let (least, most) = (SIMD2(-2.0, 6), SIMD2(19.0, 21))
      let stretch = matrix.stretch(.zero)
      var transform = cpk_transform()
      let rows = matrix.rows.map { ($0.x, $0.y, $0.z) }
      transform.rows = (rows[0], rows[1], rows[2])
      (transform.is_affine, transform.has_part) = (matrix.isAffine, part)
      transform.stretch = (stretch.x, stretch.y)
      (transform.least, transform.most) = ((least.x, least.y), (most.x, most.y))
      for (y, count) in [(-1, 30), (0, 1), (3, 29), (10, 31)] {
        let x = -4
        let expected = (x..<x + count).map { x -> SIMD4<Float> in
          let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
          guard let place = matrix(center) else { return .zero }
          let stretch = matrix.stretch(center)
          var coverage: Float = 1
          if part {
            var inside = SIMD2<Double>.zero
            for axis in 0..<2 {
              let distance = min(place[axis] - least[axis], most[axis] - place[axis])
              inside[axis] = min(max(0, distance / stretch[axis] + 0.5), 1)
            }
            coverage = Float(inside.x * inside.y)
          }
          if coverage == 0 { return .zero }
          return coverage
            * picture.value(
              at: place.clamped(
                lowerBound: SIMD2(repeating: -0x1p31), upperBound: SIMD2(repeating: 0x1p31)),
              scale: widens
                ? stretch.clamped(lowerBound: .one, upperBound: SIMD2(repeating: 16)) : .one,
              by: weights)
        }
        for kernels in Kernels.available {
          picture.withWarp(weights, widens: widens) { warp in
            let result = row(count, planes: planes) {
              kernels.table.transform(&warp, &transform, &$0, count, Int64(x), Int64(y))
            }
            expect(
              expected, planes: planes, result,
              "\(kernels.name), \(matrix.name), \(weights.name), row \(y), part \(part)")
          }
        }
      }
    }
  }

  @Test(arguments: Weights.all)
  func remapsEqualTheirDefinition(weights: Weights) {
    var random = SplitMix64(63)
    let special: [Float] = [.nan, .infinity, -.infinity, 3e30, -3e30, 4.5, 5, 0, -0.0, 0x1p-133]
    for (isWild, step, count) in [(false, 1, 61), (false, 3, 3), (true, 2, 64), (true, 1, 1)] {
      let picture = Picture(19, 14, isWild: isWild)
      let places = (0..<2 * step * count).map { _ in
        random.next() % 16 == 0
          ? special[Int(random.next() % UInt64(special.count))]
          : Float.random(in: -5...22, using: &random)
      }
      let expected = (0..<count).map { index -> SIMD4<Float> in
        let place = SIMD2(Double(places[index * step]), Double(places[(count + index) * step]))
        guard place.x.isFinite, place.y.isFinite else { return .zero }
        return picture.value(
          at: place.clamped(
            lowerBound: SIMD2(repeating: -0x1p31), upperBound: SIMD2(repeating: 0x1p31)),
          scale: .one, by: weights)
      }
      for kernels in Kernels.available {
        picture.withWarp(weights, widens: true) { warp in
          let result = row(count, planes: 4) { surface in
            places.withUnsafeBufferPointer { places in
              guard let columns = places.baseAddress else { return }
              kernels.table.remap(
                &warp, columns, columns + count * step, step, &surface, count)
            }
          }
          expect(expected, planes: 4, result, "\(kernels.name), \(weights.name), step \(step)")
        }
      }
    }
  }
}
