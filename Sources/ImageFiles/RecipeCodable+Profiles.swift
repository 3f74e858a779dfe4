internal import ColorSpaces
public import FilterGraph
internal import Foundation
public import ICCProfiles

extension ICCProfile: RecipeCodable {
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
  /// The words for it in recipes.
  public static let recipeCases: [RecipeCase<RenderingIntent>] = [
    RecipeCase("perceptual", .perceptual), RecipeCase("relative", .relativeColorimetric),
    RecipeCase("saturation", .saturation), RecipeCase("absolute", .absoluteColorimetric),
  ]
}

extension RecipeDecoder {
  /// A decoder that knows the filters of this package that need profiles, too: ``SoftProof`` and ``PrintDistance``.
  public static var withProofs: RecipeDecoder {
    var decoder = RecipeDecoder()
    decoder.register(SoftProof.self)
    decoder.register(PrintDistance.self)
    return decoder
  }
}
