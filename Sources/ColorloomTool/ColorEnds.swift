import Colorloom
import Foundation
import ICCProfiles

extension Parser<ICCTransform.Link> {
  /// A named space, or a profile by its path.
  static var spaceOrProfile: Parser {
    let space = Parser<ColorSpace>.space
    return Parser(
      "SPACE", needed: "the name of a color space, or the path of an ICC profile",
      completion: space.completion
    ) { word in
      let isPath =
        ICCProfile.isPath(word)
        || word.contains("/") && CodePoints(word) == nil && (try? ColorSpace(named: word)) == nil
      return isPath
        ? .profile(try ICCProfile(contentsOf: word)) : try space.read([word]).map { .space($0) }
    }
  }
}

extension ICCTransform.Link {
  /// How many numbers a color has.
  var channelCount: Int {
    if case .profile(let profile) = self { profile.channelCount ?? 3 } else { 3 }
  }
}

extension Parser<RenderingIntent> {
  static var intent: Parser {
    .choice([
      "perceptual": .perceptual, "relative|relative-colorimetric": .relativeColorimetric,
      "saturation": .saturation, "absolute|absolute-colorimetric": .absoluteColorimetric,
    ])
  }
}

extension ICCProfile {
  /// Whether a path ends as those of profiles do.
  static func isPath(_ path: String) -> Bool {
    [".icc", ".icm"].contains { path.lowercased().hasSuffix($0) }
  }

  init(contentsOf path: String) throws {
    let bytes: Data?
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      // One byte more than allowed, so that too much is noticed and no more is read.
      bytes = try file.read(upToCount: Self.byteLimit + 1)
    } catch {
      throw Misuse("“\(path)” cannot be read as an ICC profile: \(error.localizedDescription)")
    }
    try self.init(bytes: [UInt8](bytes ?? Data()))
  }
}
