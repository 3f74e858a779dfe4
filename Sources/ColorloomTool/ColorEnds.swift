package import Colorloom
import ICCProfiles
package import ImageFiles

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
  /// The number of channels.
  var channelCount: Int {
    if case .profile(let profile) = self { profile.channelCount ?? 3 } else { 3 }
  }
}

extension Parser<RenderingIntent> {
  static var intent: Parser { recipeWord }
}

extension Retagging: FilterFile {
  package static var fileHelp: String { "Assign the color space of an ICC profile (.icc, .icm)." }
  package static var fileExtensions: [String] { ICCProfile.fileExtensions }
  /// Returns the assignment of the space of an ICC profile: `--tag display.icc`. Profiles have a size limit of their own.
  package static func filter(inFile path: String, limits _: FileLimits) throws -> Retagging {
    let profile = try ICCProfile(contentsOf: path)
    guard profile.isGray || profile.channelCount == 3, !profile.isDeviceLink else {
      throw Misuse(
        "“\(path)” is a profile of kind “\(profile.kind)”; only gray profiles and profiles of three channels can be assigned. "
          + "--assume reads a file of ink channels by it, and --to converts to it.")
    }
    return Retagging(as: try profile.colorSpace())
  }
}

extension ICCProfile {
  static let fileExtensions = ["icc", "icm"]

  /// Whether a path has the file extension of a profile.
  static func isPath(_ path: String) -> Bool { path.hasExtension(in: fileExtensions) }

  init(contentsOf path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try readBytes(at: path, limit: Self.byteLimit)
    } catch let error as ImageFileError {
      throw Misuse(readingFailure(of: path, error))
    }
    do throws(ICCProfileError) { try self.init(bytes: bytes) } catch {
      throw Failure("“\(path)” cannot be used as a profile. \(error)")
    }
  }
}

extension String {
  /// Whether this path ends with one of the extensions, in any case of letters.
  func hasExtension(in extensions: [String]) -> Bool {
    let path = lowercased()
    return extensions.contains { path.hasSuffix(".\($0)") }
  }
}
