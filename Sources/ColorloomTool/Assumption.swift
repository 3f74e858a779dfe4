import ColorSpaces
import ICCProfiles
import ImageFiles

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

  /// Throws where a file that needs an assumption has channels of another kind, and where more memory would make it need none.
  func check(of file: OpenedImageFile, at path: String) throws {
    let info = file.info
    try info.checkProfileMemory()
    switch self {
    case .inks(let profile):
      guard !info.holdsInks, !info.color.isUsable else { return }
      throw Misuse(
        "“\(path)” states no usable color space and has the channels \(info.channels), but “\(profile)” is a profile of "
          + "\(profile.modelName). Pass a space of three channels, such as --assume sRGB.")
    case .space(let space):
      guard let inks = info.inks, info.profile == nil else { return }
      throw Misuse(
        "“\(path)” states no color space and has \(inks.count) ink channels (CMYK or n-color), but \(space) has three "
          + "channels. Pass the profile of a press, such as --assume press.icc.")
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
