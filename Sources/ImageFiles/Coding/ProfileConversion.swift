internal import ColorSpaces
public import FilterGraph
public import ICCProfiles

/// What is kept of colors on their way through ICC profiles.
public struct ProfileRendering: Hashable, Sendable {
  /// Which of a profile's tables are used.
  public var intent: RenderingIntent
  /// Whether black becomes black (ISO 18619).
  public var blackPointCompensation: Bool

  /// By default colors that both ends have stay as they are, and white becomes white.
  public init(
    intent: RenderingIntent = .relativeColorimetric, blackPointCompensation: Bool = false
  ) {
    (self.intent, self.blackPointCompensation) = (intent, blackPointCompensation)
  }
}

extension Picture {
  /// This picture in another space, or that of a profile, by an intent.
  ///
  /// Where neither end has tables, intents differ in the white point alone: the absolute one does not adapt it. Tables are evaluated as
  /// they stand in the profiles, in single precision, as `ICCTransform` does in double precision.
  public func converted(
    to target: ICCTransform.Link, by rendering: ProfileRendering
  ) throws(ICCProfileError) -> Picture {
    let source = ICCTransform.Link(space)
    let space =
      switch target {
      case .space(let space): space
      case .profile(let profile): try profile.colorSpace(intent: rendering.intent)
      }
    guard source.hasTables || target.hasTables else {
      return rendering.intent == .absoluteColorimetric
        ? applying(UnadaptedLight(to: space)).converted(to: space) : converted(to: space)
    }
    let transform = try ICCTransform(
      from: source, to: target, intent: rendering.intent,
      blackPointCompensation: rendering.blackPointCompensation)
    return applying(ProfileConversion(from: source, to: target, by: rendering, transform))
      .tagged(as: space)
  }
}

/// The numbers of one space or profile become those of another.
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
    guard let stages = transform.program.pointProgram?.stages else {
      preconditionFailure("A conversion between spaces takes three channels to three.")
    }
    for stage in stages { program.append(stage) }
  }
}

/// Undoes in advance what a conversion to another white will do to light.
private struct UnadaptedLight: PointFilter {
  let target: ColorSpace

  init(to target: ColorSpace) { self.target = target }

  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    let lights = space.withColors.primaries
    let back = ColorMatrix.adapting(
      from: target.withColors.primaries.white, to: lights.white)
    program.append(.matrix(lights.toXYZ.inverse * back * lights.toXYZ))
  }
}
