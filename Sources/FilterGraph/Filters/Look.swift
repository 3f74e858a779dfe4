public import ColorSpaces

/// A look: what a table of colors, or a chain of tables and curves out of a file, makes of stored numbers.
///
/// It knows nothing of color spaces. Convert a picture to the space that the look was made for first, and ``Picture/tagged(as:)`` the
/// one that comes out, if it is another.
public struct Look: PointFilter {
  /// One step of a look.
  @nonexhaustive
  public enum Step: Hashable, Sendable {
    /// `channel · scale + offset`.
    case affine(scale: SIMD3<Double>, offset: SIMD3<Double>)
    /// Mixes the channels.
    case matrix(ColorMatrix)
    /// A curve for each channel.
    case curves(Curve, Curve, Curve)
    /// A table of colors.
    case table(ColorTable)
    /// Numbers held in a range.
    case clamp(ClosedRange<Double>)
    /// A color decision list.
    case decisions(ColorDecisions)
  }

  /// What people call it.
  public var title: String
  /// What it does, in order.
  public var steps: [Step]

  /// A look of these steps; without any, it changes nothing.
  public init(title: String = "", steps: [Step] = []) {
    (self.title, self.steps) = (title, steps)
  }

  /// A look that is one table.
  public init(_ table: ColorTable, title: String = "") {
    self.init(title: title, steps: [.table(table)])
  }

  /// As stored.
  public var domain: PixelDomain { .encoded }

  /// One step after the other.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    for step in steps {
      switch step {
      case .affine(let scale, let offset): program.append(.affine(scale: scale, offset: offset))
      case .matrix(let matrix): program.append(.matrix(matrix))
      case .curves(let red, let green, let blue):
        program.append(.curves("curves of a look", red, green, blue))
      case .table(let table): program.append(.table(table))
      case .clamp(let range): program.append(.clamp(range))
      case .decisions(let decisions): decisions.describe(to: &program, in: space)
      }
    }
  }

  /// What becomes of one color, in double precision.
  public func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var program = PointProgram()
    describe(to: &program, in: .sRGB)
    return program(color)
  }
}

extension Picture {
  /// This picture with a look applied to its stored numbers.
  public func look(_ look: Look) -> Picture { applying(look) }
}
