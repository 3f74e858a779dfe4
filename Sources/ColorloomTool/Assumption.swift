import ColorSpaces
import ICCProfiles

/// What the values of a file mean that does not say it: a color space, or amounts of the inks of a profile.
enum Assumption: CustomStringConvertible {
  case space(ColorSpace)
  case inks(ICCProfile)

  var space: ColorSpace? { if case .space(let space) = self { space } else { nil } }
  var inks: ICCProfile? { if case .inks(let profile) = self { profile } else { nil } }

  var description: String {
    switch self {
    case .space(let space): space.description
    case .inks(let profile): "inks of “\(profile)”"
    }
  }
}

extension Parser<Assumption> {
  /// A space by its name or its profile, or the profile of a press.
  static var assumption: Parser {
    let end = Parser<ICCTransform.Link>.spaceOrProfile
    return Parser("SPACE", needed: end.needed, completion: end.completion) { word in
      switch try end.read([word]) {
      case nil: nil
      case .space(let space): .space(space)
      case .profile(let profile) where profile.isOfInks: .inks(profile)
      case .profile(let profile): .space(try profile.colorSpace())
      }
    }
  }
}
