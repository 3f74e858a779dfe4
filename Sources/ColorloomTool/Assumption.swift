import ColorSpaces
import ICCProfiles

/// The assumed meaning of an untagged file's values: a color space, or the ink channels of a profile.
enum Assumption: CustomStringConvertible {
  case space(ColorSpace)
  case inks(ICCProfile)

  var space: ColorSpace? { if case .space(let space) = self { space } else { nil } }
  var inks: ICCProfile? { if case .inks(let profile) = self { profile } else { nil } }

  var description: String {
    switch self {
    case .space(let space): space.description
    case .inks(let profile): "ink channels of “\(profile)”"
    }
  }
}

extension Parser<Assumption> {
  /// Parses the name of a space, or the path of a profile of a space or a press.
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
