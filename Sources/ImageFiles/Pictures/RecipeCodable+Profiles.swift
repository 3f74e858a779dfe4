internal import ColorSpaces
public import FilterGraph
internal import Foundation
public import ICCProfiles

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
  public static let recipeCases: [RecipeCase<RenderingIntent>] = [
    RecipeCase("perceptual", .perceptual),
    RecipeCase("relative", aliases: ["relative-colorimetric"], .relativeColorimetric),
    RecipeCase("saturation", .saturation),
    RecipeCase("absolute", aliases: ["absolute-colorimetric"], .absoluteColorimetric),
  ]
}

extension FilterCatalog {
  /// The filters of FilterGraph, and those that need ICC profiles: ``SoftProof`` and ``PrintDistance``.
  public static let withProfiles: FilterCatalog = {
    var catalog = builtIn
    catalog.add(SoftProof.self, to: "Profiles")
    catalog.add(PrintDistance.self, to: "Profiles")
    return catalog
  }()
}
