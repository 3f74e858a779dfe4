/// The operations of formulas. Masks are numbers, too, of which all bits are 1 or 0.
package enum FormulaOperation: UInt8, CaseIterable, Sendable {
  /// A channel of the pixels.
  case load
  case add, subtract, multiply, divide, negate, magnitude, squareRoot, minimum, maximum
  case withSign, nearestInteger, integerBelow
  case isLess, isLessOrEqual, isEqual, isUnordered
  case and, or, exclusiveOr, select
  case exponent, significand, scale, polynomial, element, binaryLogarithm, binaryExponential
  /// `a · b + c`, rounded twice.
  case multiplyAdd
  /// A number that changes from one turn of a loop to the next, and its start.
  case variable
  /// Begins a loop, which ends where the mask `a` holds for no pixel, or after `count` turns.
  case loop
  case endOfLoop
  /// Sets the variable `a` to `b`.
  case assign
  /// Sets a channel of the pixels.
  case store
}

extension Formula {
  /// An operand of an operation.
  enum Operand: Hashable, Sendable {
    case none
    /// The bits of a constant.
    case constant(UInt64)
    /// The result of an operation that was recorded before.
    case result(Int)
  }

  /// An operation and its operands.
  struct Step: Hashable, Sendable {
    var operation: FormulaOperation
    var a = Operand.none
    var b = Operand.none
    var c = Operand.none
    /// The bits of a polynomial's coefficients, or of a table's elements.
    var coefficients: [UInt64] = []
    /// The channel of `load` and `store`, the turns of `loop`.
    var count = 0
  }

  /// Operations in order, and the three results.
  struct Recording: Sendable {
    var steps: [Step] = []
    var results: [Operand] = []
  }

  /// A number of which operations are recorded, or a constant.
  struct Value: FormulaNumber {
    let operand: Operand
    let recorder: FormulaRecorder?

    init(_ operand: Operand, _ recorder: FormulaRecorder?) {
      (self.operand, self.recorder) = (operand, recorder)
    }
  }

  /// A comparison's result that is recorded, or a constant.
  struct Mask: FormulaMask {
    let value: Value
  }
}

/// Collects the operations of a formula while its code runs.
package final class FormulaRecorder {
  private var steps: [Formula.Step] = []
  /// What was computed already.
  private var known: [Formula.Step: Int] = [:]
  /// What was computed before the loop that is being recorded: values of the loop's body are not there after it. Nil outside of loops.
  private var knownBeforeLoop: [Formula.Step: Int]?

  package init() {}

  func append(_ operation: FormulaOperation, plane: Int) -> Formula.Value {
    append(Formula.Step(operation: operation, count: plane))
  }

  /// The result of a step, which is recorded unless it was before.
  func append(_ step: Formula.Step) -> Formula.Value {
    var isShared = true
    switch step.operation {
    case .variable, .loop, .endOfLoop, .assign: isShared = false
    default: break
    }
    if isShared, let index = known[step] { return Formula.Value(.result(index), self) }
    steps.append(step)
    if isShared { known[step] = steps.count - 1 }
    return Formula.Value(.result(steps.count - 1), self)
  }

  func recording(of result: Formula.Vector) -> Formula.Recording {
    Formula.Recording(
      steps: steps, results: [result.x.operand, result.y.operand, result.z.operand])
  }

  /// Records another recording again, with `planes` in place of its channels.
  func replay(_ recording: Formula.Recording, of planes: [Formula.Value]) -> Formula.Vector {
    var values: [Formula.Value] = []
    func value(_ operand: Formula.Operand) -> Formula.Operand {
      if case .result(let index) = operand { values[index].operand } else { operand }
    }
    for step in recording.steps {
      if step.operation == .load {
        values.append(planes[step.count])
        continue
      }
      var copy = step
      (copy.a, copy.b, copy.c) = (value(step.a), value(step.b), value(step.c))
      if step.operation == .loop { openLoop() }
      if step.operation == .endOfLoop { closeLoop() }
      values.append(append(copy))
    }
    let results = recording.results.map { Formula.Value(value($0), self) }
    return [results[0], results[1], results[2]]
  }

  func beginLoop(while active: Formula.Value, atMost turns: Int) {
    openLoop()
    _ = append(Formula.Step(operation: .loop, a: active.operand, count: turns))
  }

  func endLoop(while active: Formula.Value) {
    closeLoop()
    _ = append(Formula.Step(operation: .endOfLoop, a: active.operand))
  }

  /// Begins the body of a loop, in which no other loop may begin. Package for tests.
  package func openLoop() {
    precondition(
      knownBeforeLoop == nil, "Loops of a formula cannot be nested: one counter counts turns.")
    knownBeforeLoop = known
  }

  private func closeLoop() {
    known = knownBeforeLoop ?? [:]
    knownBeforeLoop = nil
  }
}

// Formulas run once, to be recorded. What records is not copied into each of them: it was a tenth of the module's machine code.
extension Formula.Value {
  init(_ constant: Double) { self.init(.constant(constant.bitPattern), nil) }
  init(floatLiteral value: Double) { self.init(value) }
  init(integerLiteral value: Int) { self.init(Double(value)) }

  /// The number, if it is constant.
  var constant: Double? {
    if case .constant(let bits) = operand { Double(bitPattern: bits) } else { nil }
  }

  /// Records an operation, or computes it if all it is of is constant.
  @inline(never)
  private static func of(
    _ operation: FormulaOperation, _ a: Self, _ b: Self? = nil, _ c: Self? = nil,
    coefficients: [Double] = []
  ) -> Self {
    guard let recorder = a.recorder ?? b?.recorder ?? c?.recorder else {
      return Self(
        operation.value(
          a.constant ?? 0, b?.constant ?? 0, c?.constant ?? 0, coefficients: coefficients[...]))
    }
    return recorder.append(
      Formula.Step(
        operation: operation, a: a.operand, b: b?.operand ?? .none, c: c?.operand ?? .none,
        coefficients: coefficients.map(\.bitPattern)))
  }

  static func + (a: Self, b: Self) -> Self { of(.add, a, b) }
  static func - (a: Self, b: Self) -> Self { of(.subtract, a, b) }

  @inline(never)
  static func * (a: Self, b: Self) -> Self {
    if a.constant == 1 { return b }
    return b.constant == 1 ? a : of(.multiply, a, b)
  }

  @inline(never)
  static func / (a: Self, b: Self) -> Self {
    if let b = b.constant {
      if b == 1 { return a }
      // The reciprocal of a power of two is exact.
      if b.binarySignificand == 1, abs(b.binaryExponent) < 1000 { return a * Self(1 / b) }
    }
    return of(.divide, a, b)
  }

  static prefix func - (a: Self) -> Self { of(.negate, a) }

  @_disfavoredOverload
  static func + (a: Double, b: Self) -> Self { Self(a) + b }
  @_disfavoredOverload
  static func - (a: Double, b: Self) -> Self { Self(a) - b }
  @_disfavoredOverload
  static func * (a: Double, b: Self) -> Self { Self(a) * b }
  @_disfavoredOverload
  static func / (a: Double, b: Self) -> Self { Self(a) / b }
  @_disfavoredOverload
  static func + (a: Self, b: Double) -> Self { a + Self(b) }
  @_disfavoredOverload
  static func - (a: Self, b: Double) -> Self { a - Self(b) }
  @_disfavoredOverload
  static func * (a: Self, b: Double) -> Self { a * Self(b) }
  @_disfavoredOverload
  static func / (a: Self, b: Double) -> Self { a / Self(b) }

  static func .< (a: Self, b: Self) -> Formula.Mask { Formula.Mask(value: of(.isLess, a, b)) }

  static func .<= (a: Self, b: Self) -> Formula.Mask {
    Formula.Mask(value: of(.isLessOrEqual, a, b))
  }

  static func .== (a: Self, b: Self) -> Formula.Mask {
    Formula.Mask(value: of(.isEqual, a, b))
  }

  static func isUnordered(_ a: Self, _ b: Self) -> Formula.Mask {
    Formula.Mask(value: of(.isUnordered, a, b))
  }

  @inline(never)
  static func select(_ mask: Formula.Mask, _ a: Self, _ b: Self) -> Self {
    if let constant = mask.value.constant { return constant.bitPattern == 0 ? b : a }
    return a.operand == b.operand ? a : of(.select, mask.value, a, b)
  }

  var magnitude: Self { .of(.magnitude, self) }
  func squareRoot() -> Self { .of(.squareRoot, self) }
  func atMost(_ bound: Self) -> Self { .of(.minimum, self, bound) }
  func atLeast(_ bound: Self) -> Self { .of(.maximum, self, bound) }
  func withSign(of other: Self) -> Self { .of(.withSign, self, other) }
  var nearestInteger: Self { .of(.nearestInteger, self) }
  var integerBelow: Self { .of(.integerBelow, self) }
  var binaryExponent: Self { .of(.exponent, self) }
  var binarySignificand: Self { .of(.significand, self) }
  func scaled(byPowerOfTwo exponent: Self) -> Self { .of(.scale, self, exponent) }

  func polynomial(_ coefficients: [Double]) -> Self {
    .of(.polynomial, self, coefficients: coefficients)
  }

  func element(of table: [Double]) -> Self { .of(.element, self, coefficients: table) }

  var binaryLogarithm: Self { .of(.binaryLogarithm, self) }
  var binaryExponential: Self { .of(.binaryExponential, self) }

  /// The state of a loop after its last turn, for each pixel by itself.
  ///
  /// - Precondition: `body` has no loop.
  /// - Parameters:
  ///   - state: The numbers before the first turn.
  ///   - turns: The most turns there are.
  ///   - goesOn: Whether another turn changes the state. Once it does not, the pixel's state stays.
  ///   - body: One turn.
  static func loop(
    _ state: [Self], atMost turns: Int, while goesOn: ([Self]) -> Formula.Mask,
    _ body: ([Self]) -> [Self]
  ) -> [Self] {
    let first = goesOn(state)
    guard let recorder = (state + [first.value]).lazy.compactMap(\.recorder).first else {
      preconditionFailure("A loop of a formula needs a state that is not constant.")
    }
    func variable(_ value: Self) -> Self {
      recorder.append(Formula.Step(operation: .variable, a: value.operand))
    }
    let variables = state.map(variable)
    let active = variable(first.value)
    recorder.beginLoop(while: active, atMost: turns)
    let mask = Formula.Mask(value: active)
    let merged = zip(body(variables), variables).map { select(mask, $0, $1) }
    let remaining = (mask .& goesOn(merged)).value
    for (variable, value) in zip(variables + [active], merged + [remaining])
    where variable.operand != value.operand {
      _ = recorder.append(
        Formula.Step(operation: .assign, a: variable.operand, b: value.operand))
    }
    recorder.endLoop(while: active)
    return variables
  }

  @inline(never)
  fileprivate static func bits(_ operation: FormulaOperation, _ a: Self, _ b: Self) -> Formula.Mask
  {
    Formula.Mask(value: of(operation, a, b))
  }
}

extension Formula.Mask {
  static func .& (a: Self, b: Self) -> Self { Formula.Value.bits(.and, a.value, b.value) }
  static func .| (a: Self, b: Self) -> Self { Formula.Value.bits(.or, a.value, b.value) }

  static func .^ (a: Self, b: Self) -> Self {
    Formula.Value.bits(.exclusiveOr, a.value, b.value)
  }

  static prefix func .! (a: Self) -> Self {
    Formula.Value.bits(.exclusiveOr, a.value, Formula.Value(mask(true)))
  }
}

/// A mask as a number.
private func mask(_ holds: Bool) -> Double { Double(bitPattern: holds ? .max : 0) }

extension FormulaOperation {
  /// The operation on numbers of its own, for those that have a result and no effect.
  package func value(
    _ a: Double, _ b: Double, _ c: Double, coefficients: ArraySlice<Double>
  ) -> Double {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .negate: -a
    case .magnitude: a.magnitude
    case .squareRoot: a.squareRoot()
    case .minimum: a.atMost(b)
    case .maximum: a.atLeast(b)
    case .withSign: a.withSign(of: b)
    case .nearestInteger: a.nearestInteger
    case .integerBelow: a.integerBelow
    case .isLess: mask(a < b)
    case .isLessOrEqual: mask(a <= b)
    case .isEqual: mask(a == b)
    case .isUnordered: mask(a.isNaN || b.isNaN)
    case .and: Double(bitPattern: a.bitPattern & b.bitPattern)
    case .or: Double(bitPattern: a.bitPattern | b.bitPattern)
    case .exclusiveOr: Double(bitPattern: a.bitPattern ^ b.bitPattern)
    case .select: a.bitPattern == 0 ? c : b
    case .exponent: a.binaryExponent
    case .significand: a.binarySignificand
    case .scale: a.scaled(byPowerOfTwo: b)
    case .polynomial: a.polynomial(coefficients)
    case .element: a.element(of: coefficients)
    case .binaryLogarithm: a.binaryLogarithm
    case .binaryExponential: a.binaryExponential
    case .multiplyAdd: a * b + c
    case .variable: a
    case .load, .loop, .endOfLoop, .assign, .store:
      preconditionFailure("The operation \(self) has no value of its own.")
    }
  }
}
