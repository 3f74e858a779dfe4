@_exported public import ColorloomTesting
public import FilterGraph
public import Testing

/// The conformance kit for Swift Testing: one line in a test checks all laws of a filter.
extension FilterLaws {
  /// Checks a point filter.
  public static func check<Filter: PointFilter>(
    _ filter: Filter, identity: Filter? = nil, tolerance: Double = 4e-6,
    except: Set<FilterLaw> = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(
      violations(of: filter, identity: identity, tolerance: tolerance, except: except),
      sourceLocation)
  }

  /// Checks an area filter.
  public static func check<Filter: AreaFilter>(
    _ filter: Filter, identity: Filter? = nil, tolerance: Double = 4e-6,
    except: Set<FilterLaw> = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(
      violations(of: filter, identity: identity, tolerance: tolerance, except: except),
      sourceLocation)
  }

  /// Checks a blend filter of `inputs` pictures.
  public static func check<Filter: BlendFilter>(
    _ filter: Filter, inputs: Int = 2, tolerance: Double = 4e-6, except: Set<FilterLaw> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(
      violations(of: filter, inputs: inputs, tolerance: tolerance, except: except), sourceLocation)
  }

  /// Checks an area filter of `inputs` pictures.
  public static func check<Filter: AreaBlendFilter>(
    _ filter: Filter, inputs: Int = 2, tolerance: Double = 4e-6, except: Set<FilterLaw> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(
      violations(of: filter, inputs: inputs, tolerance: tolerance, except: except), sourceLocation)
  }

  /// Checks a painter.
  public static func check<Filter: Painter>(
    _ painter: Filter, tolerance: Double = 4e-6, except: Set<FilterLaw> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(violations(of: painter, tolerance: tolerance, except: except), sourceLocation)
  }

  private static func record(_ violations: [FilterViolation], _ location: SourceLocation) {
    for violation in violations {
      Issue.record("\(violation.law.rawValue): \(violation)", sourceLocation: location)
    }
  }
}
