/// A change of all three channels together, as a list of operations on numbers in double precision.
///
/// The pixel kernels run the list over vectors of pixels; ``callAsFunction(_:alpha:)`` runs it for one color, with the same bits. A
/// formula is written as code over `Value`, which records what it computes: shared subexpressions once, constants folded. These numbers
/// stay in this module: their operators would slow the checking of every expression with literals down, wherever they are seen.
///
/// The code is recorded and compiled at first use: named spaces have many formulas, of which a command runs few.
public struct Formula: Sendable {
  /// The text of the formula in plans, such as “BT.2446 method C”; formulas of one name are equal.
  public let name: String
  private let recorded: Deferred<Recording>
  private let compiled: Deferred<FormulaCode>

  /// Three values that are being recorded.
  typealias Vector = FormulaVector<Value>

  /// Records what `body` computes of red, green and blue.
  init(_ name: String, _ body: @escaping @Sendable (Vector) -> Vector) {
    self.init(name, withAlpha: { color, _ in body(color) })
  }

  /// Records what `body` computes of red, green, blue and alpha.
  init(_ name: String, withAlpha body: @escaping @Sendable (Vector, Value) -> Vector) {
    let recorded = Deferred {
      let recorder = FormulaRecorder()
      let planes = (0..<4).map { recorder.append(.load, plane: $0) }
      return recorder.recording(of: body([planes[0], planes[1], planes[2]], planes[3]))
    }
    (self.name, self.recorded) = (name, recorded)
    compiled = Deferred { FormulaCode(recorded.value) }
  }

  /// What was recorded, for formulas that contain this one.
  var recording: Recording { recorded.value }

  /// The operations with registers assigned.
  package var code: FormulaCode { compiled.value }

  /// Whether the formula has been recorded, and whether it has been compiled.
  package var isReady: (recording: Bool, code: Bool) { (recorded.isComputed, compiled.isComputed) }

  /// The same formula, where a NaN in one channel makes all three NaN: comparisons would take it for black or gray.
  package var keepingNaN: Formula {
    Formula(
      name,
      withAlpha: { color, alpha in
        .select(color.hasNaN, Vector(repeating: Value(.nan)), self(color, alpha: alpha))
      })
  }

  /// Adds the operations of this formula to those that are being recorded.
  func callAsFunction(_ color: Vector, alpha: Value) -> Vector {
    guard let recorder = [color.x, color.y, color.z].lazy.compactMap(\.recorder).first else {
      preconditionFailure("The formula \(name) is applied to constants while one is recorded.")
    }
    return recorder.replay(recording, of: [color.x, color.y, color.z, alpha])
  }

  /// The formula's value for one color.
  public func callAsFunction(_ color: SIMD3<Double>, alpha: Double = 1) -> SIMD3<Double> {
    code.run(color, alpha: alpha)
  }
}

extension PointProgram.Stage {
  /// A formula as a stage.
  static func formula(
    _ name: String, _ body: @escaping @Sendable (Formula.Vector) -> Formula.Vector
  ) -> Self {
    .formula(Formula(name, body))
  }
}

extension PointProgram {
  /// The program's value, as a part of a formula. Only for stages that formulas can express.
  func callAsFunction(_ color: Formula.Vector) -> Formula.Vector {
    stages.reduce(color) { color, stage in
      switch stage {
      case .affine(let scale, let offset):
        return color * Formula.Vector(scale) + Formula.Vector(offset)
      case .matrix(let matrix): return matrix * color
      case .curves(_, let red, let green, let blue):
        return [red.value(at: color.x), green.value(at: color.y), blue.value(at: color.z)]
      case .clamp(let range):
        return color.clamped(to: range)
      case .formula(let formula): return formula(color, alpha: 1)
      case .polar: return polarized(color)
      case .encode(let transfer):
        if case .coordinates(let coordinates) = transfer.form { return coordinates.encoding(color) }
      default: break
      }
      preconditionFailure("A formula cannot contain the stage \(stage).")
    }
  }
}

extension Formula {
  /// Records a curve for each channel: curves that formulas can express.
  package init(_ name: String, curves: [Curve]) {
    self.init(name) { color in
      [curves[0].value(at: color.x), curves[1].value(at: color.y), curves[2].value(at: color.z)]
    }
  }
}

extension Curve {
  /// Whether a formula can express the curve: all but functions.
  package var isFormula: Bool {
    if case .function = self { false } else { true }
  }

  /// The curve's value at `x`, for curves that formulas can express.
  func value<Number: FormulaNumber>(at x: Number) -> Number {
    switch self {
    case .identity: x
    case .power(let curve): curve.value(at: x)
    case .cubic(let curve): curve.value(at: x)
    case .sampled(let curve): curve.value(at: x)
    case .segmented(let curve): curve.value(at: x)
    case .rationalPower(let curve): curve.value(at: x)
    case .function: preconditionFailure("A formula cannot contain the curve \(self).")
    }
  }
}
