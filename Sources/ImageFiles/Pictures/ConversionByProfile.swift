internal import ColorSpaces
internal import FilterGraph
internal import ICCProfiles

/// Converts to a space or a profile by a rendering intent: ``Picture/converted(to:by:)`` in recipes.
///
/// Conversions between spaces without lookup tables are `convert` in recipes, except by the absolute intent.
struct ConversionByProfile: CompoundFilter, RecipeFilter {
  let target: ICCTransform.Link
  let rendering: ProfileRendering

  init(to target: ICCTransform.Link, by rendering: ProfileRendering) {
    (self.target, self.rendering) = (target, rendering)
  }

  /// Returns the converted picture. An error of the profile is one of rendering, as a recipe's errors are.
  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    do throws(ICCProfileError) { return try picture.converted(to: target, by: rendering) } catch {
      return picture.failing(.other("\(error)"))
    }
  }

  static let declaration = Declaration<ConversionByProfile>(
    "convert-by-profile", "Converts colors to a space or a profile by a rendering intent.",
    swift:
      "try picture.converted(to: .space(.proPhoto), by: ProfileRendering(intent: .absoluteColorimetric))",
    Parameter(
      "to", { ConversionTarget($0.target) }, "the color space or the ICC profile to convert to",
      sample: ConversionTarget(.space(.proPhoto))),
    Parameter(
      "intent", \.rendering.intent, "the rendering intent", default: .relativeColorimetric,
      sample: .absoluteColorimetric),
    Parameter(
      "compensates-black", \.rendering.blackPointCompensation,
      "whether black point compensation is applied, by profiles of lookup tables", default: false)
  ) { target, intent, compensatesBlack in
    ConversionByProfile(
      to: target.link,
      by: ProfileRendering(intent: intent, blackPointCompensation: compensatesBlack))
  }.with(.converts)
}

extension ConversionByProfile: CustomStringConvertible {
  /// A name for messages, with the target and the intent.
  var description: String { "to “\(target)”, \(rendering.intent)" }
}

extension ConversionByProfile: DomainStating {
  /// Encoded values, which the lookup tables of profiles convert.
  var domain: PixelDomain { .encoded }
}

/// A space or a profile in recipes: any value of a space, or `{"profile": "AAA…"}`.
private struct ConversionTarget: RecipeCodable {
  let link: ICCTransform.Link

  init(_ link: ICCTransform.Link) { self.link = link }

  /// The name of a space, or the path of a profile, which ends in `.icc` or `.icm`; `-` is standard input.
  static var textForm: TextForm {
    let (space, profile) = (ColorSpace.textForm, ICCProfile.textForm)
    return TextForm("SPACE|PROFILE.icc") { word in
      guard word == "-" || ICCProfile.isPath(word) else { return space.value(of: word) }
      return profile.value(of: word).map {
        .object([RecipeValue.Member(ICCProfile.originFormat, $0)])
      }
    }
  }

  init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    guard case .object(let members) = source.value, members.count == 1,
      members[0].name == ICCProfile.originFormat
    else {
      link = .space(try ColorSpace(recipe: source))
      return
    }
    link = .profile(try ICCProfile(recipe: source.member(members[0].name, members[0].value)))
  }

  func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    switch link {
    case .space(let space): try space.recipeValue()
    case .profile(let profile):
      .object([RecipeValue.Member(ICCProfile.originFormat, profile.recipeValue())])
    }
  }
}
