internal import CPixelKernels
internal import ColorSpaces

extension LoweredProgram {
  /// Adds the operations of a formula.
  func add(_ formula: Formula) {
    let code = formula.code
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
}
