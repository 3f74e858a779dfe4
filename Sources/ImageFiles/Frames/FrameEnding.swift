/// Why an animation has no further frame.
enum FrameEnding {
  /// The file says so, or has been read to its end.
  case end
  /// The file ends before it says so.
  case file
  case damage(String)

  /// What is not read behind the last frame.
  func note(behind count: Int) -> ImageFileNote? {
    switch self {
    case .end: nil
    case .file:
      .unread("the end of frame \(count), or what follows it, where the file ends early")
    case .damage(let reason):
      .unread("its animation\(count > 0 ? " behind frame \(count)" : ""): \(reason)")
    }
  }

  /// The error for a frame that is not among those before the end.
  func failure(forFrame wanted: Int, of count: Int, in file: String) -> ImageFileError {
    let unknown = ImageFileError.noSuchPage(file: file, wanted, ImagePages(.frame, count: count))
    guard wanted > count else { return unknown }
    return switch self {
    case .end: unknown
    case .file:
      .damaged(file: file, reason: "it ends behind frame \(count) of its animation")
    case .damage(let reason): .damaged(file: file, reason: reason)
    }
  }
}
