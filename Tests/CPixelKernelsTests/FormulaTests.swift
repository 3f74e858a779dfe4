import CPixelKernels
import ColorSpaces
import Testing

/// The kernels' interpreter of formulas has the bits of the Swift functions, on every instruction set.
@Suite struct FormulaTests {
  /// Values at which functions change their behavior, and edge cases.
  private static let wild: [Double] = [
    0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.499_999_999_999_999_94, 1.414_213_562_373_095,
    1.414_213_562_373_095_2, 3, 0.25, 2000, -2000, 1100, -1100, 1099.5, -1022.5, -1073, -1074.5,
    0x1p52, -0x1p52 + 0.5, 0x1p53, 1e300, -1e-300, 0x1p-1030, -0x1p-1074, .infinity, -.infinity,
    .nan,
    .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 1023.999, 7.0 / 8,
  ]

  private static func numbers(_ count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed)
    return (0..<count).map { _ in
      switch random.next() % 4 {
      case 0: wild[Int(random.next() % UInt64(wild.count))]
      case 1: Double(bitPattern: random.next())
      case 2: Double.random(in: -1100...1100, using: &random)
      default: Double.random(in: -2...2, using: &random)
      }
    }
  }

  /// The operations that return a value.
  private static let operations: [FormulaOperation] = FormulaOperation.allCases.filter {
    switch $0 {
    case .load, .store, .loop, .endOfLoop, .assign: false
    default: true
    }
  }

  @Test(arguments: operations) func operationsHaveTheBitsOfSwift(operation: FormulaOperation) {
    let coefficients = [0.3, -1.7, 1e-3, 12, -0.1]
    let hasTable = operation == .polynomial || operation == .element
    let count = hasTable ? coefficients.count : 0
    let numbers = Self.numbers(3000, seed: UInt64(operation.rawValue))
    for index in stride(from: 0, to: numbers.count, by: 3) {
      var (a, b, c) = (numbers[index], numbers[index + 1], numbers[index + 2])
      if operation == .select { a = Double(bitPattern: index % 2 == 0 ? 0 : .max) }
      if operation == .scale { b = b.rounded() }
      // The significand of a NaN is unspecified.
      if operation == .significand, a.isNaN { continue }
      let expected = operation.value(a, b, c, coefficients: coefficients[...])
      // Bits that differ, as one number and by its sign alone; a NaN from arithmetic is only told from numbers.
      let isMask = [.and, .or, .exclusiveOr, .select, .variable].contains(operation)
      let same: FormulaOperation = expected.isNaN && !isMask ? .isUnordered : .exclusiveOr
      let isNaN = same == .isUnordered
      func step(
        _ operation: FormulaOperation, _ target: Int16, _ a: Int32, _ b: Int32, _ c: Int32 = 0,
        count: Int = 0
      ) -> cpk_operation {
        cpk_operation(
          kind: Int16(operation.rawValue), target: target, a: a, b: b, c: c, count: Int32(count))
      }
      if [.isLess, .isLessOrEqual, .isEqual, .isUnordered].contains(operation) { c = 0 }
      // The constants 0…2 are the operands, 3 what is expected, 4 and 5 are 0 and 1, then the coefficients.
      let constants = [a, b, c, expected, 0, 1] + coefficients
      let steps = [
        step(operation, 0, -1, hasTable ? -7 : -2, -3, count: count),
        step(same, 1, 0, isNaN ? 0 : -4),
        step(.isEqual, 2, 1, -5),
        step(.select, 2, 2, -6, -5),
        step(.store, 0, 2, 0, count: 0),
        step(.withSign, 2, -6, 1),
        step(.store, 0, 2, 0, count: 1),
      ]
      let program = Program()
      program.add(
        CPK_FORMULA,
        [
          cpk_formula(
            operations: UnsafePointer(program.keep(steps)),
            constants: UnsafePointer(program.keep(constants)), count: Int32(steps.count),
            registers: 3)
        ])
      for kernels in Kernels.available {
        let row = Row(.f32, .planar, 3)
        row.fill([0])
        kernels.run(program, from: row, to: row)
        // Red is 1 where no bit but the sign differs, green is 1 where that does not; a mask's sign is set.
        let expectedRow: [Float] = isNaN ? [0, 0, 0, -1, -1, -1] : [1, 1, 1, 1, 1, 1]
        #expect(
          Array(row.floats.prefix(6)) == expectedRow,
          "\(kernels.name): \(operation) of \(a), \(b), \(c) is not \(expected)")
      }
    }
  }

  /// The formulas of all spaces, each once, of renderings, which look elements of tables up, and of curves.
  private static let formulas: [Formula] = {
    var names: Set<String> = []
    let display = ACESDisplay(.p3, peak: 500)
    let renderings: [Formula] = [
      .aces13(for: ACESDisplay(.rec709, peak: 100), unit: 100, in: .acescg),
      .aces13(for: ACESDisplay(.p3, peak: 1000), unit: 203, in: .acescg),
      .aces2(for: display, unit: 203, in: .aces2065),
      .bt2446A(from: 1000, to: 100, unit: 203, in: .sRGB),
    ]
    return renderings + [hueAdjusted].compactMap(\.self)
      + ColorSpace.all.flatMap { space -> [Formula] in
        guard case .coordinates(let coordinates) = space.transfer.form else { return [] }
        return (coordinates.decoding.stages + coordinates.encoding.stages).compactMap {
          guard case .formula(let formula) = $0 else { return nil }
          return names.insert(formula.name).inserted ? formula : nil
        }
      }
  }()

  private static let hueAdjusted: Formula? = {
    let points: [SIMD2<Double>] = (0..<12).map { i in
      let x = Double(i) / 8 - 0.2
      return SIMD2(x, x * x - 0.1)
    }
    guard let curve = try? CubicCurve(through: points) else { return nil }
    let segments = SegmentedCurve([
      .line(slope: 2), .log(base: 10, from: 0.1, slope: 3, shift: 1, scale: 2),
      .power(2.4, from: 0.5, slope: 1.1, shift: -0.2), .exponential(base: 3, from: 0.9, offset: 1),
    ])
    return .hueAdjusted("cubics and segments", .cubic(curve), .segmented(segments), .identity)
  }()

  @Test(arguments: formulas.indices) func formulasHaveTheBitsOfSwift(index: Int) {
    let formula = Self.formulas[index]
    let program = Program()
    let operations = formula.code.instructions.map {
      cpk_operation(
        kind: Int16($0.operation.rawValue), target: $0.target, a: $0.a, b: $0.b, c: $0.c,
        count: $0.count)
    }
    program.add(
      CPK_FORMULA,
      [
        cpk_formula(
          operations: UnsafePointer(program.keep(operations)),
          constants: UnsafePointer(program.keep(formula.code.constants)),
          count: Int32(operations.count), registers: Int32(formula.code.registerCount))
      ])
    let length = 300
    let scales: [Float] = [1, 100, 360]
    var planes: [[Float]] = (0..<3).map { mixed(length, seed: UInt64(index * 3 + $0)) }
    for channel in 0..<3 {
      let scale = scales[(channel + index) % 3]
      for i in stride(from: 0, to: length, by: 2) { planes[channel][i] *= scale }
    }
    let expected = (0..<length).map { i in
      SIMD3<Float>(
        formula(SIMD3(Double(planes[0][i]), Double(planes[1][i]), Double(planes[2][i]))))
    }
    for kernels in Kernels.available {
      // Every length up to a little more than a strip.
      for count in 1...length where count < 40 || count % 37 == 0 || count > 250 {
        let row = Row(.f32, .planarOpaque, count)
        row.fill(planes.flatMap { $0.prefix(count) })
        kernels.run(program, from: row, to: row)
        let wanted = (0..<3).flatMap { channel in expected.prefix(count).map { $0[channel] } }
        guard bits(row.floats) != bits(wanted) else { continue }
        let different = zip(bits(row.floats), bits(wanted)).enumerated().first { $1.0 != $1.1 }
        let place = different.map { $0.offset } ?? 0
        Issue.record(
          """
          \(formula.name) on \(kernels.name), \(count) pixels: sample \(place) is \
          \(row.floats[place]) instead of \(wanted[place])
          """)
        break
      }
    }
  }

  /// Common subexpressions of several results are evaluated once: no formula loads a channel twice.
  @Test func sharedPartsAreComputedOnce() {
    #expect(Self.formulas.count > 10)
    #expect(Self.hueAdjusted != nil)
    for formula in Self.formulas {
      let loads = formula.code.instructions.filter { $0.operation == .load }.count
      #expect(loads <= 4, "\(formula.name) has \(loads) loads.")
    }
  }
}
