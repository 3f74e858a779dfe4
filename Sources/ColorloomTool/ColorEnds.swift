package import Colorloom
import Foundation
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
      if word == "-" || ICCProfile.isPath(word) {
        return .profile(try ICCProfile(contentsOf: word))
      }
      do { return try space.read([word]).map { .space($0) } } catch let error as ColorError {
        guard word.contains("/"), CodePoints(word) == nil else {
          guard CodePoints(word) == nil, StepWords.isFile(word) else { throw error }
          throw Misuse(
            "\(Tool.sentence(for: error, with: [])) There is a file “\(word)”; the path of a profile ends in .icc or .icm, or "
              + "has a folder, such as ./\(word).")
        }
        if word.isPairOfNames, !FileManager.default.fileExists(atPath: word) {
          throw Misuse(
            "\(Tool.sentence(for: error, with: [])) The file “\(beginning(of: word))” does not exist."
          )
        }
        return .profile(try ICCProfile(contentsOf: word))
      }
    }
  }
}

extension Parser<String> {
  /// The path of an ICC profile.
  static var profilePath: Parser {
    let path = pathToRead
    return Parser(
      "PROFILE", needed: "the path of an ICC profile", completion: path.completion
    ) { word in
      if !StepWords.isFile(word), (try? ColorSpace(named: word)) != nil {
        throw UnfitWord("names a color space. It needs the path of an ICC profile.")
      }
      return try path.read([word])
    }
  }
}

extension Parser<ICCProfile> {
  /// The profile at a path, which is read once, also for several files: standard input gives its bytes once.
  static var profile: Parser {
    let path = Parser<String>.profilePath
    return Parser(path.placeholders[0], needed: path.needed, completion: path.completion) {
      try path.read([$0]).map { try ICCProfile(contentsOf: $0) }
    }
  }
}

extension String {
  /// Whether it has the form of a space and a transfer function, `P3/PQ`; the path of a file in a folder may have it, too.
  fileprivate var isPairOfNames: Bool {
    let halves = split(separator: "/", omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !["", ".", "..", "~"].contains($0) }
  }
}

extension ICCTransform.Link {
  /// How many numbers a color has in a row: 1 in gray spaces, as in gray profiles.
  var channelCount: Int {
    switch self {
    case .space(let space): space.isGray ? 1 : 3
    case .profile(let profile): profile.channelCount ?? 3
    }
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
    let profile = try ICCProfile(contentsOfFileInUse: path)
    guard profile.isGray || profile.channelCount == 3, !profile.isDeviceLink else {
      throw Failure(
        "“\(path)” is a profile of kind “\(profile.kind)”; only gray profiles and profiles of three channels can be assigned. "
          + "--assume reads a file of ink channels by it, and --to converts to it.")
    }
    return Retagging(as: try profile.colorSpace())
  }
}

extension ICCProfile {
  init(contentsOf path: String) throws {
    try beginReading(path)
    try self.init(contentsOfFileInUse: path)
  }

  /// The profile in a file for which ``beginReading(_:)`` was called.
  fileprivate init(contentsOfFileInUse path: String) throws {
    let bytes: [UInt8]
    do throws(ImageFileError) {
      bytes = try bytesOfFile(at: path, limit: Self.byteLimit)
    } catch {
      throw Failure(readingFailure(of: path, error))
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
