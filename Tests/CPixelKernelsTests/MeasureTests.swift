import CPixelKernels
import ColorSpaces
import Testing

/// Measures of two pictures have the bits of their definitions, on every instruction set.
@Suite struct MeasureTests {
  private static let formulas: [ColorDifference] = [
    .cie76, .cie94(), .cie94(.textiles), .ciede2000(), .ciede2000(kL: 2), .cmc(), .cmc(l: 1, c: 1),
    .hyAB, .ok, .itp, .jz, .cam16, .din99o,
  ]

  /// Coordinates of standards and samples with their alphas: equal, opposite and gray colors, edge cases, and any others.
  private static func planes(_ count: Int) -> [[Float]] {
    var random = SplitMix64(7)
    let special: [Float] = [
      0, -0.0, 50, 1, -1, 25, 1e-30, 0x1p-140, 1e20, .infinity, -.infinity, .nan,
    ]
    var planes = [[Float]](repeating: [], count: 8)
    for index in 0..<count {
      for plane in 0..<8 {
        let range: ClosedRange<Float> =
          plane % 4 == 0 ? 0...100 : plane % 4 == 3 ? 0...1 : -120...120
        var value = Float.random(in: range, using: &random)
        if random.next() % 12 == 0 { value = special[Int(random.next() % 12)] }
        if plane >= 4, index % 7 < 3 { value = planes[plane - 4][index] }
        if plane >= 4, index % 7 == 1 { value = -value }
        if plane >= 4, index % 7 == 2 { value *= 1.0001 }
        planes[plane].append(value)
      }
    }
    return planes
  }

  private static func isSame(_ a: Float, _ b: Float) -> Bool {
    a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
  }

  @Test(arguments: Kernels.available, formulas) func differencesHaveTheBitsOfSwift(
    kernels: Kernels, formula: ColorDifference
  ) {
    let count = 3000
    let planes = Self.planes(count)
    let code = FormulaCode.differenceMap(by: formula)
    let program = Program()
    let rows = planes.map { program.keep($0) }
    // The strip gets the samples of the second picture.
    let addSamples = cpk_rows(
      body: { context, planes, count, x, _ in
        let rows = context?.assumingMemoryBound(to: UnsafeMutablePointer<Float>.self)
        for plane in 4..<8 {
          guard let rows, let target = planes?[plane] else { continue }
          target.update(from: rows[plane] + Int(x), count: count)
        }
      }, context: UnsafeMutableRawPointer(program.keep(rows)))
    let operations = code.instructions.map {
      cpk_operation(
        kind: Int16($0.operation.rawValue), target: $0.target, a: $0.a, b: $0.b, c: $0.c,
        count: $0.count)
    }
    let differences = cpk_formula(
      operations: UnsafePointer(program.keep(operations)),
      constants: UnsafePointer(program.keep(code.constants)), count: Int32(operations.count),
      registers: Int32(code.registerCount))
    program.add(CPK_ROWS, [addSamples]).add(CPK_FORMULA, [differences])
    func surface(_ rows: [UnsafeMutablePointer<Float>]) -> cpk_surface {
      cpk_surface(
        planes: (
          UnsafeMutableRawPointer(rows[0]), UnsafeMutableRawPointer(rows[1]),
          UnsafeMutableRawPointer(rows[2]), UnsafeMutableRawPointer(rows[3])
        ), format: Int32(CPK_F32), step: 1, streams: false)
    }
    var source = surface(rows)
    let results = (0..<4).map { _ in program.keep([Float](repeating: -1, count: count)) }
    var target = surface(results)
    kernels.table.run(&source, &target, program.stages, program.stages.count, count, 0, 0)
    for index in 0..<count {
      let pixel = planes.map { Double($0[index]) }
      let difference = formula(
        SIMD3(pixel[0], pixel[1], pixel[2]), SIMD3(pixel[4], pixel[5], pixel[6]))
      let expected = Float(difference / 100 * max(pixel[3], pixel[7]))
      for result in results.prefix(3) where !Self.isSame(result[index], expected) {
        Issue.record("\(kernels.name): \(formula) of \(pixel) is \(result[index])")
      }
    }
  }

  /// The similarity of a window by its moments, in the order that the kernel's declaration gives.
  private static func similarity(_ a: [[Float]], _ b: [[Float]], _ weights: [Double]) -> Float {
    typealias Moments = (a: Double, b: Double, aa: Double, bb: Double, ab: Double)
    let middle = weights.count / 2
    let columns = weights.indices.map { x -> Moments in
      var column: Moments = (0, 0, 0, 0, 0)
      for (k, weight) in weights.enumerated() {
        let (da, db) = (
          Double(a[k][x]) - Double(a[middle][x]), Double(b[k][x]) - Double(b[middle][x])
        )
        column.a += weight * da
        column.b += weight * db
        column.aa += weight * (da * da)
        column.bb += weight * (db * db)
        column.ab += weight * (da * db)
      }
      column.aa -= column.a * column.a
      column.bb -= column.b * column.b
      column.ab -= column.a * column.b
      column.a += Double(a[middle][x])
      column.b += Double(b[middle][x])
      return column
    }
    var window: Moments = (0, 0, 0, 0, 0)
    for (column, weight) in zip(columns, weights) {
      window.a += weight * column.a
      window.b += weight * column.b
    }
    for (column, weight) in zip(columns, weights) {
      let (da, db) = (column.a - window.a, column.b - window.b)
      window.aa += weight * (column.aa + da * da)
      window.bb += weight * (column.bb + db * db)
      window.ab += weight * (column.ab + da * db)
    }
    let (alike, together) = (2 * window.a * window.b + 0.0001, 2 * window.ab + 0.0009)
    let brightness = window.a * window.a + window.b * window.b + 0.0001
    return Float((alike / brightness) * (together / (window.aa + window.bb + 0.0009)))
  }

  /// All widths up to some vectors. Rows end where the memory ends, and nothing is written after the last window.
  @Test(arguments: Kernels.available) func similaritiesHaveTheBitsOfTheirDefinition(
    kernels: Kernels
  ) {
    let weights = (-5...5).map { 1 / Double(40 + $0 * $0) }
    var random = SplitMix64(3)
    for count in 1...40 {
      func rows() -> [[Float]] {
        weights.map { _ in
          (0..<count + 10).map { _ in
            random.next() % 200 == 0 ? .nan : Float.random(in: -0.2...1.2, using: &random)
          }
        }
      }
      let (a, b) = (rows(), rows())
      let program = Program()
      let pointers = [a, b].map { $0.map { UnsafePointer?(UnsafePointer(program.keep($0))) } }
      let scratch = program.keep(
        [Float](
          repeating: .nan, count: kernels.table.similarity_scratch(weights.count, count)))
      var results = [Float](repeating: -7, count: count + 1)
      var how = cpk_similarity(
        weights: UnsafePointer(program.keep(weights)), side: weights.count, c1: 0.0001, c2: 0.0009)
      kernels.table.similarities(&how, &results, pointers[0], pointers[1], count, scratch)
      #expect(results[count] == -7)
      for x in 0..<count {
        let expected = Self.similarity(
          a.map { Array($0[x...]) }, b.map { Array($0[x...]) }, weights)
        #expect(Self.isSame(results[x], expected), "window \(x) of \(count)")
      }
    }
  }
}
