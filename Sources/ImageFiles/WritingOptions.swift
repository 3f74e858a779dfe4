/// How to write a file, where its format leaves a choice.
public struct WritingOptions: Sendable {
  /// Whether the file may leave out what its numbers mean, for formats that cannot say it.
  public var isUntagged = false
  /// What else the file shall hold. Formats that cannot hold a part of it leave that part out: no pixel depends on it.
  public var metadata = ImageMetadata()

  /// The usual choices.
  public init() {}
}
