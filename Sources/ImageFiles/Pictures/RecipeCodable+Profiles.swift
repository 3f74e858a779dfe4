internal import ColorSpaces
public import FilterGraph
internal import Foundation
public import ICCProfiles

extension ICCProfile {
  /// The extensions of files that are profiles.
  package static let fileExtensions = ["icc", "icm"]

  /// Whether a path has the extension of a profile, in any case of letters.
  package static func isPath(_ path: String) -> Bool {
    let path = path.lowercased()
    return fileExtensions.contains { path.hasSuffix(".\($0)") }
  }
}

extension ICCProfile: RecipeCodable {
  /// The path of a profile.
  public static var textForm: TextForm {
    TextForm("PROFILE.icc") { path in
      let bytes = try? ByteSource(contentsOf: path, limit: byteLimit).array()
      return bytes.map { .string(Data($0).base64EncodedString()) }
    }
  }

  /// A profile's bytes in base 64.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .string(let text) = source.value, let bytes = Data(base64Encoded: text) else {
      throw source.mismatch(expected: "the bytes of an ICC profile in base 64")
    }
    do throws(ICCProfileError) { self = try ICCProfile(bytes: Array(bytes)) } catch {
      throw .unusable(at: source.path, .other("\(error)"))
    }
  }

  /// The profile's bytes in base 64.
  public func recipeValue() -> RecipeValue { .string(Data(bytes).base64EncodedString()) }
}

extension RenderingIntent: RecipeChoice {
  /// The names of the intents; “colorimetric” may follow.
  public static let recipeCases: [RecipeCase<RenderingIntent>] = allCases.map { intent in
    let word = "\(intent)".replacing(" ", with: "-")
    return RecipeCase(intent.name, aliases: word == intent.name ? [] : [word], intent)
  }
}

/// A color space by a profile, as recipes have it: `{"profile": "AAA…", "intent": "relative"}`.
private struct SpaceOfProfile: RecipeRecord, SpaceReader {
  let profile: ICCProfile
  /// The intent of the profile's tables; nil for that of its header.
  let intent: RenderingIntent?
  /// Whether the space has grays alone; nil for what the profile says.
  let isGray: Bool?

  static let declaration = Declaration<SpaceOfProfile>(
    of: "color space of a profile", Parameter(ICCProfile.originFormat, \.profile, "the profile"),
    Parameter("intent", \.intent, "the rendering intent of its lookup tables"),
    Parameter("gray", \.isGray, "whether the space has grays alone")
  ) { SpaceOfProfile(profile: $0, intent: $1, isGray: $2) }

  /// Reads a space. Its profile may describe none, such as one of ink channels.
  static func space(_ source: RecipeSource) throws(RecipeDecodingError) -> ColorSpace {
    let read = try SpaceOfProfile(recipe: source)
    let space: ColorSpace
    do throws(ICCProfileError) { space = try read.profile.colorSpace(intent: read.intent) } catch {
      throw .unusable(at: source.path, .other("\(error)"))
    }
    switch read.isGray {
    case false?: return space.withColors
    case true? where !space.isGray:
      throw .unusable(
        at: source.path, .other("“\(read.profile)” is not a gray profile. Leave “gray” out."))
    default: return space
    }
  }
}

extension FilterCatalog {
  /// The filters of FilterGraph, and what needs ICC profiles: ``SoftProof``, ``PrintDistance``, conversions by a rendering intent
  /// (``Picture/converted(to:by:)``), and color spaces that profiles define.
  public static let withProfiles: FilterCatalog = {
    var catalog = builtIn
    catalog.add(ConversionByProfile.self, to: "Profiles")
    catalog.add(SoftProof.self, to: "Profiles")
    catalog.add(PrintDistance.self, to: "Profiles")
    catalog.spaceReaders[ICCProfile.originFormat] = SpaceOfProfile.self
    return catalog
  }()
}
