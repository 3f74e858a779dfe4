/// Why a profile cannot be read, used or written. The description says what is wrong and what would help.
@nonexhaustive
public enum ICCProfileError: Error, Hashable, Sendable {
  /// Fewer bytes than the smallest profile has.
  case tooShort(byteCount: Int)
  /// More bytes than the limit.
  case tooLarge(byteCount: Int, limit: Int)
  /// The header states more bytes than there are.
  case truncated(stated: Int, present: Int)
  /// The bytes are something else; `found` stands where profiles say “acsp”.
  case notAProfile(found: String)
  /// The tag table states no tags, or more than the limit.
  case tagCount(Int, limit: Int)
  /// A tag contradicts the rest of the file or itself.
  case malformedTag(String, reason: String)
  /// A tag that the profile's kind requires is not there.
  case missingTag(String)
  /// The profile is well made, but of a kind that cannot be used here.
  case unsupported(String)
  /// Little CMS, or what holds the profile, refuses it for the reason given.
  case refused(String)
  /// The color space has numbers that no profile can hold.
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
      "The profile has \(count) bytes, more than the limit of \(limit). "
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
    case .cannotDescribe(let name, let reason):
      "No ICC profile can hold the color space “\(name)”: \(reason). "
        + "Convert to a named space such as Display P3 first."
    }
  }
}
