internal import CPixelKernels
internal import ColorSpaces

extension LoweredProgram {
  /// Adds the operations of a formula.
  func add(_ formula: Formula) { add(formula.code) }

  /// A formula of two pixels, for ``run(_:besides:_:count:)``.
  convenience init(ofTwo code: FormulaCode) {
    self.init(PointProgram())
    add(code)
  }

  private func add(_ code: FormulaCode) {
    let operations = code.instructions.map { instruction in
      // The kernels count the operations as `FormulaOperation` does.
      cpk_operation(
        kind: Int16(instruction.operation.rawValue), target: instruction.target,
        a: instruction.a, b: instruction.b, c: instruction.c, count: instruction.count)
    }
    add(
      CPK_FORMULA,
      cpk_formula(
        operations: store(operations), constants: store(code.constants),
        count: Int32(operations.count), registers: Int32(code.registerCount)))
  }

  /// Runs the program over `count` pixels of two rows of floats: those of `second` are in planes 4 to 7.
  func run(_ first: cpk_surface, besides second: cpk_surface, _ target: cpk_surface, count: Int) {
    var second = second
    withUnsafeMutablePointer(to: &second) { second in
      var rows = cpk_rows(
        body: { context, planes, count, x, _ in
          guard let context, let planes else { return }
          let row = context.load(as: cpk_surface.self).planes
          func fill(_ plane: UnsafeMutablePointer<Float>?, _ samples: UnsafeMutableRawPointer?) {
            // Whole vectors are computed; the planes of a strip are as long.
            plane?.update(repeating: 1, count: count.wholeVectors)
            guard let samples = samples?.assumingMemoryBound(to: Float.self) else { return }
            plane?.update(from: samples + Int(x), count: count)
          }
          fill(planes[4], row.0)
          fill(planes[5], row.1)
          fill(planes[6], row.2)
          fill(planes[7], row.3)
        }, context: UnsafeMutableRawPointer(second))
      run(first, target, after: &rows, count: count)
    }
  }
}
