/// A piecewise curve of lines, powers, logarithms and exponentials: the form of camera log curves.
public struct SegmentedCurve: Hashable, Sendable {
  /// One piece: `scale · f(slope · x + shift) + offset` from `start` on.
  public struct Segment: Hashable, Sendable {
    /// The function f of a segment.
    @nonexhaustive
    public enum Shape: Hashable, Sendable {
      /// `f(t) = t`.
      case line
      /// `f(t) = t^exponent`, with negative `t` clamped to zero.
      case power(Double)
      /// `f(t) = log₂ t`, with `t` clamped to 2⁻¹²⁶, so that the logarithm stays finite.
      case logarithm
      /// `f(t) = 2^t`.
      case exponential
    }

    /// The function f.
    public var shape: Shape
    /// The first input of the segment; −∞ for the first segment.
    public var start: Double
    /// The inner line: `slope · x + shift`.
    public var slope, shift: Double
    /// The outer line: `scale · f + offset`.
    public var scale, offset: Double

    /// Creates a segment from its parameters.
    public init(
      _ shape: Shape, from start: Double = -.infinity, slope: Double = 1, shift: Double = 0,
      scale: Double = 1, offset: Double = 0
    ) {
      (self.shape, self.start) = (shape, start)
      (self.slope, self.shift, self.scale, self.offset) = (slope, shift, scale, offset)
    }

    /// Creates the line `slope · x + intercept`.
    public static func line(
      from start: Double = -.infinity, slope: Double, intercept: Double = 0
    ) -> Segment {
      Segment(.line, from: start, slope: slope, shift: intercept)
    }

    /// Creates a constant.
    public static func constant(_ value: Double, from start: Double = -.infinity) -> Segment {
      .line(from: start, slope: 0, intercept: value)
    }

    /// Creates `scale · (slope · x + shift)^exponent + offset`.
    public static func power(
      _ exponent: Double, from start: Double = -.infinity, slope: Double = 1, shift: Double = 0,
      scale: Double = 1, offset: Double = 0
    ) -> Segment {
      Segment(
        .power(exponent), from: start, slope: slope, shift: shift, scale: scale, offset: offset)
    }

    /// Creates `scale · log(slope · x + shift) + offset`, to any base.
    public static func log(
      base: Double, from start: Double = -.infinity, slope: Double = 1, shift: Double = 0,
      scale: Double = 1, offset: Double = 0
    ) -> Segment {
      Segment(
        .logarithm, from: start, slope: slope, shift: shift, scale: scale / log2(base),
        offset: offset)
    }

    /// Creates `scale · base^(slope · x + shift) + offset`.
    public static func exponential(
      base: Double, from start: Double = -.infinity, slope: Double = 1, shift: Double = 0,
      scale: Double = 1, offset: Double = 0
    ) -> Segment {
      let bits = log2(base)
      return Segment(
        .exponential, from: start, slope: slope * bits, shift: shift * bits, scale: scale,
        offset: offset)
    }

    /// Whether the segment is a constant.
    package var isFlat: Bool { slope == 0 || scale == 0 }

    /// The segment's value at `x`, also outside of its interval.
    package func callAsFunction(_ x: Double) -> Double { value(at: x) }

    fileprivate func value<Number: FormulaNumber>(at x: Number) -> Number {
      // 0 · ∞ would be NaN.
      let t: Number = slope == 0 ? Number(shift) : Number(slope) * x + Number(shift)
      let value: Number =
        switch shape {
        case .line: t
        case .power(let exponent):
          exponent.isNaN ? Number(.nan) : t.atLeast(0).raised(to: exponent)
        case .logarithm: t.atLeast(0x1p-126).binaryLogarithm
        case .exponential: t.binaryExponential
        }
      let line: Number = Number(scale) * value + Number(offset)
      return .select(Number.isUnordered(x, t), Number(.nan), line)
    }

    /// The inverse of the segment. It has the same form with the inner and the outer line exchanged.
    fileprivate func inverse(from start: Double) -> Segment {
      let shape: Shape =
        switch self.shape {
        case .line: .line
        case .power(let exponent): .power(1 / exponent)
        case .logarithm: .exponential
        case .exponential: .logarithm
        }
      return Segment(
        shape, from: start, slope: 1 / scale, shift: -offset / scale, scale: 1 / slope,
        offset: -shift / slope)
    }
  }

  /// The maximum number of segments.
  public static let maximumSegmentCount = 4

  /// The segments in the order of their starts.
  public let segments: [Segment]
  /// The continuation below zero. Most curves define negative values by a segment.
  public var belowZero: NegativePolicy

  /// Creates a curve of one to four segments. The first one also covers all inputs before its start.
  public init(_ segments: [Segment], belowZero: NegativePolicy = .continued) {
    precondition(
      (1...Self.maximumSegmentCount).contains(segments.count),
      "A chain has one to \(Self.maximumSegmentCount) segments; got \(segments.count).")
    precondition(
      zip(segments, segments.dropFirst()).allSatisfy { $0.start < $1.start },
      "The segments of a chain are in the order of their starts.")
    (self.segments, self.belowZero) = (segments, belowZero)
  }

  /// Returns the value at `x`, by the segment that contains it.
  public func callAsFunction(_ x: Double) -> Double {
    belowZero.apply(x) { x in
      let segment = segments.dropFirst().last { x >= $0.start } ?? segments[0]
      return segment(x)
    }
  }

  /// The value at `x` as a part of a formula.
  func value<Number: FormulaNumber>(at x: Number) -> Number {
    belowZero.apply(x) { x in
      segments.dropFirst().reduce(segments[0].value(at: x)) { value, segment in
        .select(x .>= Number(segment.start), segment.value(at: x), value)
      }
    }
  }

  /// The inverse of a nondecreasing curve. Traps where the values at the starts of the segments do not rise.
  ///
  /// A segment of the inverse begins at the value at the segment's start, so that values in a gap between two segments
  /// belong to the lower one. A flat first segment is inverted to its end, any other flat one to its start.
  public var inverse: SegmentedCurve {
    let inverses = segments.enumerated().map { index, segment -> Segment in
      let start = index == 0 ? -Double.infinity : segment(segment.start)
      guard segment.isFlat else { return segment.inverse(from: start) }
      let foot = index == 0 ? segments.dropFirst().first?.start : segment.start
      return .constant(foot ?? 0, from: start)
    }
    return SegmentedCurve(inverses, belowZero: belowZero)
  }

  /// Whether the values at the starts of the segments rise, so that ``inverse`` has its segments in order.
  package var hasInverse: Bool {
    let starts = segments.dropFirst().map { $0($0.start) }
    return starts.allSatisfy(\.isFinite) && zip(starts, starts.dropFirst()).allSatisfy(<)
  }

  /// Whether the inverse is exact for every value.
  package var isInvertible: Bool {
    guard !segments.contains(where: \.isFlat) else { return false }
    switch belowZero {
    case .mirrored, .passedThrough: return true
    case .clamped: return false
    case .continued:
      // Far below zero an exponential underflows to a constant, and logarithms and increasing powers are clamped.
      switch segments[0].shape {
      case .line: return true
      case .power, .logarithm, .exponential: return segments[0].slope < 0
      }
    }
  }
}
