/// The operations of a formula with registers assigned, as the kernels read them.
package struct FormulaCode: Sendable {
  /// An operation. Operands from 0 up are registers, those below 0 the constants 0, 1, 2… as −1, −2, −3…
  package struct Instruction: Sendable {
    package var operation: FormulaOperation
    package var target: Int16 = 0
    package var a: Int32 = 0
    package var b: Int32 = 0
    package var c: Int32 = 0
    /// The channel of `load` and `store`, the most turns of `loop`, the coefficients of `polynomial` and the elements of `element`, the
    /// first of which is the constant ~b. `c` is where a loop goes on: after its end, or at its beginning.
    package var count: Int32 = 0
  }

  package private(set) var instructions: [Instruction] = []
  package private(set) var constants: [Double] = []
  package private(set) var registerCount = 0

  init(_ recording: Formula.Recording) {
    let recording = recording.withoutDeadSteps.withMultiplyAdds
    var pool = ConstantPool()
    var registers = RegisterFile(recording)
    var loopStart: Int?
    for (index, step) in recording.steps.enumerated() {
      var instruction = Instruction(operation: step.operation, count: Int32(step.count))
      func place(_ operand: Formula.Operand) -> Int32 {
        switch operand {
        case .none: 0
        case .constant(let bits): ~Int32(pool.index(of: [bits]))
        case .result(let index): Int32(registers.register(of: index))
        }
      }
      (instruction.a, instruction.b, instruction.c) = (place(step.a), place(step.b), place(step.c))
      if step.operation == .polynomial || step.operation == .element {
        instruction.b = ~Int32(pool.index(of: step.coefficients))
        instruction.count = Int32(step.coefficients.count)
      }
      if step.operation == .loop { loopStart = index }
      if step.operation == .endOfLoop, let begin = loopStart {
        instruction.c = Int32(begin)
        instructions[begin].c = Int32(index + 1)
      }
      registers.release(after: index)
      if step.operation.hasResult { instruction.target = Int16(registers.allocate(for: index)) }
      instructions.append(instruction)
      // A result that nobody reads needs its register for this operation only.
      registers.releaseUnread(index)
    }
    for (channel, result) in recording.results.enumerated() {
      var store = Instruction(operation: .store, count: Int32(channel))
      switch result {
      case .none: preconditionFailure("A formula has three results.")
      case .constant(let bits): store.a = ~Int32(pool.index(of: [bits]))
      case .result(let index): store.a = Int32(registers.register(of: index))
      }
      instructions.append(store)
    }
    constants = pool.bits.map { Double(bitPattern: $0) }
    registerCount = max(1, registers.count)
    precondition(
      registerCount <= 256, "A formula has at most 256 registers; this one needs \(registerCount).")
  }

  /// The results for one color.
  func run(_ color: SIMD3<Double>, alpha: Double) -> SIMD3<Double> {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: registerCount) { registers in
      registers.initialize(repeating: 0)
      var result = color
      var turns = 0
      var position = 0
      func number(_ operand: Int32) -> Double {
        operand < 0 ? constants[Int(~operand)] : registers[Int(operand)]
      }
      while position < instructions.count {
        let instruction = instructions[position]
        position += 1
        let target = Int(instruction.target)
        switch instruction.operation {
        case .load:
          registers[target] = instruction.count == 3 ? alpha : color[Int(instruction.count)]
        case .store: result[Int(instruction.count)] = number(instruction.a)
        case .assign: registers[Int(instruction.a)] = number(instruction.b)
        case .loop:
          if turns == Int(instruction.count) || number(instruction.a).bitPattern == 0 {
            turns = 0
            position = Int(instruction.c)
          } else {
            turns += 1
          }
        case .endOfLoop: position = Int(instruction.c)
        case .polynomial, .element:
          let first = Int(~instruction.b)
          registers[target] = instruction.operation.value(
            number(instruction.a), 0, 0,
            coefficients: constants[first..<first + Int(instruction.count)])
        default:
          registers[target] = instruction.operation.value(
            number(instruction.a), number(instruction.b), number(instruction.c), coefficients: [])
        }
      }
      return result
    }
  }
}

extension FormulaOperation {
  fileprivate var hasResult: Bool {
    switch self {
    case .loop, .endOfLoop, .assign, .store: false
    default: true
    }
  }
}

/// The constants of a formula, each once.
private struct ConstantPool {
  private(set) var bits: [UInt64] = []
  private var known: [[UInt64]: Int] = [:]

  /// The index of adjacent constants.
  mutating func index(of values: [UInt64]) -> Int {
    if let index = known[values] { return index }
    known[values] = bits.count
    bits += values
    return bits.count - values.count
  }
}

/// Assigns registers to results from where they are computed to where they are read last: a linear scan.
private struct RegisterFile {
  private(set) var count = 0
  private var registers: [Int?]
  private var free: [Int] = []
  /// The step that reads a result last.
  private var lastReaders: [Int?]
  /// The results that a step reads last, in ascending order.
  private var endings: [[Int]]

  init(_ recording: Formula.Recording) {
    registers = Array(repeating: nil, count: recording.steps.count)
    lastReaders = registers
    endings = Array(repeating: [], count: recording.steps.count + 1)
    var loopStart: Int?
    for (index, step) in recording.steps.enumerated() {
      for operand in step.operands { lastReaders[operand] = index }
      if step.operation == .loop { loopStart = index }
      if step.operation == .endOfLoop, let begin = loopStart {
        // Registers that a loop reads from outside are read again in the next iteration.
        for inside in begin...index {
          for operand in recording.steps[inside].operands where operand < begin {
            lastReaders[operand] = index
          }
        }
      }
    }
    for case .result(let index) in recording.results { lastReaders[index] = recording.steps.count }
    for (result, reader) in lastReaders.enumerated() {
      if let reader { endings[reader].append(result) }
    }
  }

  func register(of result: Int) -> Int {
    guard let register = registers[result] else {
      preconditionFailure("Result \(result) of a formula is read before it is computed.")
    }
    return register
  }

  mutating func allocate(for result: Int) -> Int {
    let register = free.popLast() ?? count
    if register == count { count += 1 }
    registers[result] = register
    return register
  }

  /// Frees the registers of what the step was the last to read.
  mutating func release(after step: Int) {
    for result in endings[step] { free.append(register(of: result)) }
  }

  mutating func releaseUnread(_ result: Int) {
    if lastReaders[result] == nil, let register = registers[result] { free.append(register) }
  }
}

extension Formula.Step {
  /// The results that the step reads.
  fileprivate var operands: [Int] {
    [a, b, c].compactMap { if case .result(let index) = $0 { index } else { nil } }
  }
}

extension Formula.Recording {
  /// Without what no result depends on. Loops stay.
  fileprivate var withoutDeadSteps: Formula.Recording {
    var isAlive = [Bool](repeating: false, count: steps.count)
    for case .result(let index) in results { isAlive[index] = true }
    for index in steps.indices.reversed() {
      if !steps[index].operation.hasResult { isAlive[index] = true }
      if isAlive[index] { for operand in steps[index].operands { isAlive[operand] = true } }
    }
    return keeping { isAlive[$0] }
  }

  /// With sums of a product that nothing else reads as one operation; it rounds as both do.
  fileprivate var withMultiplyAdds: Formula.Recording {
    var readers = [Int](repeating: 0, count: steps.count)
    for step in steps { for operand in step.operands { readers[operand] += 1 } }
    for case .result(let index) in results { readers[index] += 1 }
    var copy = self
    var isMerged = [Bool](repeating: false, count: steps.count)
    // A product before a loop is not computed inside of it, where its factors may have changed.
    var loopStart = 0
    for (index, step) in steps.enumerated() {
      if step.operation == .loop || step.operation == .endOfLoop { loopStart = index }
      guard step.operation == .add else { continue }
      for (product, other) in [(step.a, step.b), (step.b, step.a)] {
        guard case .result(let factor) = product, factor > loopStart || loopStart == 0,
          steps[factor].operation == .multiply, readers[factor] == 1
        else { continue }
        let (a, b) = (steps[factor].a, steps[factor].b)
        copy.steps[index] = Formula.Step(operation: .multiplyAdd, a: a, b: b, c: other)
        isMerged[factor] = true
        break
      }
    }
    return copy.keeping { !isMerged[$0] }
  }

  private func keeping(_ isKept: (Int) -> Bool) -> Formula.Recording {
    var places = [Int?](repeating: nil, count: steps.count)
    var copy = Formula.Recording()
    func moved(_ operand: Formula.Operand) -> Formula.Operand {
      if case .result(let index) = operand, let place = places[index] {
        .result(place)
      } else {
        operand
      }
    }
    for (index, step) in steps.enumerated() where isKept(index) {
      var step = step
      (step.a, step.b, step.c) = (moved(step.a), moved(step.b), moved(step.c))
      places[index] = copy.steps.count
      copy.steps.append(step)
    }
    copy.results = results.map(moved)
    return copy
  }
}
