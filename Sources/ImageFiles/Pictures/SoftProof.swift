public import ColorSpaces
public import FilterGraph
public import ICCProfiles

/// Simulates on a screen how a press or a printer reproduces a picture.
///
/// Colors are converted to the ink channels of the printer's profile and back, which shows what is out of its gamut, and what its lookup
/// tables make of the rest, before anything is printed. The profile's own tables are evaluated for each pixel. Colors out of the gamut
/// of ``space`` are clipped to it.
///
/// A profile of primaries and curves clips each of its channels to 0…1, and one with code points that define its color space proofs that
/// space, as conversions do.
public struct SoftProof: PointFilter {
  /// The rendition of the paper's white.
  @nonexhaustive
  public enum Appearance: String, Hashable, Sendable, CaseIterable {
    /// For eyes adapted to the paper: media white is shown as white, and black is as light as the ink makes it.
    case adapted
    /// For a comparison beside the screen: media white keeps the color of the paper.
    case paper
  }

  /// The profile of the printer, which must convert in both directions.
  public let profile: ICCProfile
  /// The rendering intent of the conversion to the printer.
  public let intent: RenderingIntent
  /// Whether black point compensation is applied in the conversion to the printer.
  public let blackPointCompensation: Bool
  /// The rendition of the paper's white.
  public let appearance: Appearance
  /// The color space of the proof; colors out of its gamut are clipped.
  public let space: ColorSpace
  private let program: PointProgram

  /// A proof by a profile with any number of ink or color channels.
  public init(
    on profile: ICCProfile, intent: RenderingIntent = .relativeColorimetric,
    blackPointCompensation: Bool = true, appearance: Appearance = .adapted,
    in space: ColorSpace = .displayP3
  ) throws(ICCProfileError) {
    (self.profile, self.intent, self.appearance) = (profile, intent, appearance)
    (self.blackPointCompensation, self.space) = (blackPointCompensation, space)
    program = try PrintedColors(
      profile, intent, blackPointCompensation: blackPointCompensation, appearance,
      in: space.linear
    ).program
  }

  /// Linear light, which the filter itself converts to the profile's space and back.
  public var domain: PixelDomain { .linear }

  /// Converts to the proofed space, makes a round trip through the profile, and converts to the picture's space again.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.matrix(space.matrix(to: self.space)))
    program.append(.clamp(0...1))
    for stage in self.program.stages { program.append(stage) }
    program.append(.matrix(self.space.matrix(to: space)))
  }
}

extension SoftProof {
  /// Whether both are of the same profile, by the same parameters.
  public static func == (a: SoftProof, b: SoftProof) -> Bool {
    (a.profile, a.intent, a.blackPointCompensation, a.appearance, a.space)
      == (b.profile, b.intent, b.blackPointCompensation, b.appearance, b.space)
  }

  /// Hashes the profile and the parameters.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(profile)
    hasher.combine(intent)
    hasher.combine(blackPointCompensation)
    hasher.combine(appearance)
    hasher.combine(space)
  }
}

extension SoftProof: CustomStringConvertible {
  /// A name for plans and messages, with the profile and the intent.
  public var description: String { "proof of “\(profile)”, \(intent)" }
}

/// Maps the CIEDE2000 distance of each color from its nearest print: a linear value of 1 is a distance of 100.
public struct PrintDistance: PointFilter {
  /// The profile of the printer.
  public let profile: ICCProfile
  /// The space of the colors that are measured; others are clipped to it.
  public let space: ColorSpace

  private let table: ColorTable

  /// Creates a map of the distances of a space's colors from a printer's.
  public init(on profile: ICCProfile, in space: ColorSpace = .displayP3) throws(ICCProfileError) {
    (self.profile, self.space) = (profile, space)
    let way = try PrintedColors(
      profile, .relativeColorimetric, blackPointCompensation: false, .adapted, in: space)
    table = try way.table { color, printed in
      let difference = ColorDifference.ciede2000()(
        ColorPoint(color, in: space), ColorPoint(printed, in: space))
      return SIMD3(repeating: difference / 100)
    }
  }

  /// Linear light, which the filter itself encodes in the table's space.
  public var domain: PixelDomain { .linear }

  /// Appends the conversion to the profile's space and the lookup table.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.matrix(space.matrix(to: self.space)))
    program.append(.encode(self.space.transfer))
    program.append(.table(table))
  }
}

extension SoftProof: RecipeFilter {
  /// The declaration of `soft-proof`.
  public static let declaration = Declaration<SoftProof>(
    "soft-proof", "Shows a picture as a printer will reproduce it, by its ICC profile.",
    swift: "try picture.softProof(on: profile)",
    Parameter("on", \.profile, "the printer's ICC profile", sample: sampleProfile),
    Parameter(
      "intent", \.intent, "the rendering intent of the conversion to the printer",
      default: .relativeColorimetric),
    Parameter(
      "compensates-black", \.blackPointCompensation, "whether black point compensation is applied",
      default: true),
    Parameter(
      "appearance", \.appearance, "whether paper shows as white, or with its own color",
      default: .adapted),
    Parameter(
      "in", \.space, "the space whose colors are proofed; others are clipped to it",
      default: .displayP3)
  ) { profile, intent, compensatesBlack, appearance, space throws(RecipeError) in
    do throws(ICCProfileError) {
      return try SoftProof(
        on: profile, intent: intent, blackPointCompensation: compensatesBlack,
        appearance: appearance, in: space)
    } catch {
      throw .other("\(error)")
    }
  }
}

extension SoftProof.Appearance: RecipeChoice {}

/// A printer for black and white.
private let sampleProfile = try? ICCProfile(describing: .sGray)

extension PrintDistance: RecipeFilter {
  /// The declaration of `print-distance`.
  public static let declaration = Declaration<PrintDistance>(
    "print-distance",
    "Maps the CIEDE2000 difference of colors from their prints; 1 is a difference of 100.",
    swift: "try picture.applying(PrintDistance(on: profile))",
    Parameter("on", \.profile, "the printer's ICC profile", sample: sampleProfile),
    Parameter(
      "in", \.space, "the space whose colors are compared; others are clipped to it",
      default: .displayP3)
  ) { profile, space throws(RecipeError) in
    do throws(ICCProfileError) {
      return try PrintDistance(on: profile, in: space)
    } catch {
      throw .other("\(error)")
    }
  }
}

extension PrintDistance: CustomStringConvertible {
  /// A name for plans and messages, with the profile.
  public var description: String { "distance from “\(profile)”" }
}

extension Picture {
  /// Returns this picture as the printer of `profile` reproduces it.
  ///
  /// - Parameters:
  ///   - profile: The profile of the printer, which must convert in both directions.
  ///   - intent: The rendering intent of the conversion to the printer.
  ///   - blackPointCompensation: Whether that conversion applies black point compensation; by default it does.
  ///   - appearance: The rendition of the paper's white.
  ///   - warning: A color that replaces every pixel that the printer misses by more than `tolerance`; nil replaces none.
  ///   - tolerance: A color difference (CIEDE2000).
  public func softProof(
    on profile: ICCProfile, intent: RenderingIntent = .relativeColorimetric,
    blackPointCompensation: Bool = true, appearance: SoftProof.Appearance = .adapted,
    warning: ColorPoint? = nil, tolerance: Double = 5
  ) throws(ICCProfileError) -> Picture {
    let proof = applying(
      try SoftProof(
        on: profile, intent: intent, blackPointCompensation: blackPointCompensation,
        appearance: appearance))
    guard let warning else { return proof }
    let mask = applying(try PrintDistance(on: profile)).threshold(level: tolerance / 100)
    return proof.blended(with: .constant(warning, in: space.withColors), mask: mask)
  }
}

/// Returns the printed color of single colors.
private struct PrintedColors {
  private let there, back: ICCTransform
  /// Whether nothing else limits the values of the profile to 0…1.
  private let clips: Bool

  init(
    _ profile: ICCProfile, _ intent: RenderingIntent, blackPointCompensation: Bool,
    _ appearance: SoftProof.Appearance, in space: ColorSpace
  ) throws(ICCProfileError) {
    let device = try ICCTransform.Link.profile(profile).definedByCodePoints
    there = try ICCTransform(
      from: .space(space), to: device, intent: intent,
      blackPointCompensation: blackPointCompensation)
    back = try ICCTransform(
      from: device, to: .space(space),
      intent: appearance == .paper ? .absoluteColorimetric : .relativeColorimetric)
    // A gray profile needs no clamp: colors in 0…1 have grays in 0…1.
    clips = !device.hasTables && there.outputCount == 3
  }

  /// The same as stages, from three channels to three. Tables limit ink channels to 0…1 by themselves.
  var program: PointProgram {
    if clips {
      return PointProgram(
        there.program.pointProgram.stages + [.clamp(0...1)] + back.program.pointProgram.stages)
    }
    return ChannelProgram(there.program.stages + back.program.stages, inputCount: 3, outputCount: 3)
      .pointProgram
  }

  func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    // Ink channels are limited to 0…1.
    let amounts = there([color.x, color.y, color.z]).map { min(max($0, 0), 1) }
    let printed = back(amounts)
    return SIMD3(printed[0], printed[1], printed[2])
  }

  /// Returns a lookup table of a function of colors and their prints.
  func table(
    _ value: (_ color: SIMD3<Double>, _ printed: SIMD3<Double>) -> SIMD3<Double>
  ) throws(ICCProfileError) -> ColorTable {
    do throws(ColorError) {
      return try ColorTable(size: Self.size) { value($0, self($0)) }
    } catch {
      throw .unsupported("The profile's LUTs give colors that are not finite: \(error)")
    }
  }

  private static let size = 33
}
