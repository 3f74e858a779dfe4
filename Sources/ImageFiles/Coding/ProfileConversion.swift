internal import ColorSpaces
public import FilterGraph
public import ICCProfiles

/// The options of a conversion through ICC profiles.
public struct ProfileRendering: Hashable, Sendable {
  /// The rendering intent of conversions through profiles that have tables for several intents.
  public var intent: RenderingIntent
  /// Whether black point compensation (ISO 18619) is applied.
  public var blackPointCompensation: Bool

  /// Creates options; by default relative colorimetric, which keeps in-gamut colors and maps white to white.
  public init(
    intent: RenderingIntent = .relativeColorimetric, blackPointCompensation: Bool = false
  ) {
    (self.intent, self.blackPointCompensation) = (intent, blackPointCompensation)
  }
}

extension Picture {
  /// Returns this picture converted to another space, or to that of a profile, with a rendering intent.
  ///
  /// Where neither side has lookup tables, intents differ in the white point alone: the absolute one does not adapt it. That of a matrix profile
  /// is what its `chad` or, in version 2, its `wtpt` states, also for displays; `ICCTransform` takes viewers of version 2 displays to be adapted
  /// to it. Lookup tables are evaluated directly, in single precision, as `ICCTransform` does in double precision.
  public func converted(
    to target: ICCTransform.Link, by rendering: ProfileRendering
  ) throws(ICCProfileError) -> Picture {
    let step = ConversionByProfile(to: target, by: rendering)
    let source = ICCTransform.Link(space)
    let target = try target.definedByCodePoints
    let space =
      switch target {
      case .space(let space): space
      case .profile(let profile): try profile.colorSpace(intent: rendering.intent)
      }
    guard source.hasTables || target.hasTables else {
      guard rendering.intent == .absoluteColorimetric else { return converted(to: space) }
      return applying(UnadaptedLight(to: space)).converted(to: space).recorded(step, of: [self])
    }
    let transform = try ICCTransform(
      from: source, to: target, intent: rendering.intent,
      blackPointCompensation: rendering.blackPointCompensation)
    return applying(ProfileConversion(from: source, to: target, by: rendering, transform))
      .tagged(as: space).recorded(step, of: [self])
  }
}

/// Converts the values of one space or profile to those of another.
private struct ProfileConversion: PointFilter, CustomStringConvertible {
  private let source, target: ICCTransform.Link
  private let rendering: ProfileRendering
  private let transform: ICCTransform

  init(
    from source: ICCTransform.Link, to target: ICCTransform.Link, by rendering: ProfileRendering,
    _ transform: ICCTransform
  ) {
    (self.source, self.target, self.rendering) = (source, target, rendering)
    self.transform = transform
  }

  var domain: PixelDomain { .encoded }

  var description: String { "to “\(target)”, \(rendering.intent)" }

  static func == (a: Self, b: Self) -> Bool {
    (a.source, a.target, a.rendering) == (b.source, b.target, b.rendering)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(target)
    hasher.combine(rendering)
  }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    for stage in transform.pixelProgram.pointProgram.stages { program.append(stage) }
  }
}

/// Cancels in advance the chromatic adaptation of a later conversion to another white point.
private struct UnadaptedLight: PointFilter {
  let target: ColorSpace

  init(to target: ColorSpace) { self.target = target }

  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    let primaries = space.withColors.primaries
    let back = ColorMatrix.adapting(
      from: target.withColors.primaries.white, to: primaries.white)
    program.append(.matrix(primaries.toXYZ.inverse * back * primaries.toXYZ))
  }
}
