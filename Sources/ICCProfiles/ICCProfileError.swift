/// An error in reading, using or writing a profile. The description states what is wrong and what would be right.
@nonexhaustive
public indirect enum ICCProfileError: Error, Hashable, Sendable {
  /// The data is shorter than the smallest profile.
  case tooShort(byteCount: Int)
  /// The data is longer than the limit; `byteCount` is nil where it was not unpacked to its end.
  case tooLarge(byteCount: Int?, limit: Int)
  /// The header states a size larger than the data.
  case truncated(stated: Int, present: Int)
  /// The data is not a profile; `found` is in the place of the signature “acsp”.
  case notAProfile(found: String)
  /// The tag table has no tags, or more than the limit.
  case tagCount(Int, limit: Int)
  /// A tag contradicts the rest of the file or itself.
  case malformedTag(String, reason: String)
  /// A tag that the profile's class requires is missing.
  case missingTag(String)
  /// The profile is valid, but of an unsupported kind.
  case unsupported(String)
  /// Little CMS, or the container of the profile, rejects it for the reason given.
  case refused(String)
  /// Parsing the profile takes more memory than a file's reader allows.
  case tooMuchMemory(limit: Int)
  /// The color space has values that no profile can represent.
  case cannotDescribe(String, reason: String)
}

extension ICCProfileError: CustomStringConvertible {
  /// What is wrong, with numbers, and what would help.
  public var description: String {
    switch self {
    case .tooShort(let count):
      "A profile has at least \(ProfileLayout.smallestByteCount) bytes; this one has \(count). "
        + "It was probably cut off: get it again from its source."
    case .tooLarge(let count, let limit):
      "The profile has \(count.map { "\($0) bytes, " } ?? "")more than the limit of \(limit)\(count == nil ? " bytes" : ""). "
        + "Profiles of RGB spaces have a few thousand: is this the right file?"
    case .truncated(let stated, let present):
      "The profile's header states \(stated) bytes, but only \(present) are there. "
        + "Get the profile again from its source."
    case .notAProfile(let found):
      "This is no ICC profile: at byte 36 stands “\(found)” where a profile has “acsp”."
    case .tagCount(let count, let limit):
      "The profile states \(count) tags; 1 to \(limit) are allowed. It is damaged or hostile."
    case .malformedTag(let tag, let reason):
      "The profile's tag “\(tag)” cannot be used: \(reason). Make or get the profile anew."
    case .missingTag(let tag):
      "The profile has no tag “\(tag)”, which its kind requires. Make or get the profile anew."
    case .unsupported(let sentence): sentence
    case .refused(let message):
      "The profile cannot be read: \(message). Get it again from its source."
    case .tooMuchMemory(let limit):
      "Parsing the profile takes more than the limit of \(limit) bytes of memory."
    case .cannotDescribe(let name, let reason):
      "No ICC profile can hold the color space “\(name)”: \(reason). "
        + "Convert to an RGB space such as Display P3 first."
    }
  }
}
