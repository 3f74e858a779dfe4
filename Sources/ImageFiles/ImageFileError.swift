public import FilterGraph
public import ICCProfiles
public import ImageBuffer

/// Why an image file cannot be read or written. The description says what is wrong and what would help.
///
/// `file` is the path, or what stands for it where there is none.
@nonexhaustive
public enum ImageFileError: Error, Hashable, Sendable {
  /// The file cannot be opened or read; `reason` is the system's.
  case cannotRead(file: String, reason: String)
  /// The bytes are not of the expected format.
  case wrongFormat(file: String, expected: String, found: String)
  /// The file ends before its picture does.
  case truncated(file: String, rows: Int, of: Int)
  /// The file contradicts itself or its checksums.
  case damaged(file: String, reason: String)
  /// The picture has more pixels than the limit.
  case tooManyPixels(file: String, PixelSize, limit: Int)
  /// The file has more bytes than the limit.
  case tooManyBytes(file: String, limit: Int)
  /// The file does not say what its numbers mean.
  case untagged(file: String)
  /// The file's ICC profile, or the one it would need, cannot be used.
  case profile(file: String, ICCProfileError)
  /// What the file says about its colors cannot be used.
  case unsupportedColor(file: String, reason: String)
  /// The format cannot hold samples of this kind.
  case unsupportedSamples(SampleFormat, format: String)
  /// The format cannot hold colors that are multiplied by their coverage.
  case premultiplied(format: String)
  /// The file cannot be written; the file that was there before, if any, is as it was.
  case cannotWrite(file: String, reason: String)
  /// The picture that was to be written cannot be rendered.
  case rendering(RenderError)
}

extension ImageFileError: CustomStringConvertible {
  /// What is wrong, with numbers, and what would help.
  public var description: String {
    let assume =
      "To read it all the same, pass the space that its numbers are in, such as assuming: .sRGB."
    return switch self {
    case .cannotRead(let file, let reason): "“\(file)” cannot be read: \(reason)."
    case .wrongFormat(let file, let expected, let found):
      "“\(file)” is no \(expected) file; it looks like \(found)."
    case .truncated(let file, let rows, let count) where rows == count:
      "“\(file)” has all its \(count) rows, but ends before its end mark. Get the file again."
    case .truncated(let file, let rows, let count):
      "“\(file)” ends after \(rows) of \(count) rows. Get the file again."
    case .damaged(let file, let reason): "“\(file)” is damaged: \(reason). Get the file again."
    case .tooManyPixels(let file, let size, let limit):
      "“\(file)” has \(size) pixels, more than the limit of \(limit). "
        + "If that is right, raise FileLimits.pixels."
    case .tooManyBytes(let file, let limit):
      "“\(file)” has more bytes than the limit of \(limit). "
        + "If that is right, raise FileLimits.bytes."
    case .untagged(let file):
      "“\(file)” does not say which color space its numbers are in. \(assume)"
    case .profile(let file, .cannotDescribe(let name, let reason)):
      "“\(file)” cannot be written. \(ICCProfileError.cannotDescribe(name, reason: reason))"
    case .profile(let file, let error):
      "The ICC profile of “\(file)” cannot be used. \(error) \(assume)"
    case .unsupportedColor(let file, let reason):
      "The color space of “\(file)” cannot be used: \(reason). \(assume)"
    case .unsupportedSamples(let samples, let format):
      "\(format) files hold whole numbers of 8 or 16 bits, not \(samples). "
        + "Render as UInt8 or UInt16 first."
    case .premultiplied(let format):
      "\(format) files hold straight alpha, and this bitmap is premultiplied. "
        + "Render with straight alpha first."
    case .cannotWrite(let file, let reason): "“\(file)” cannot be written: \(reason)."
    case .rendering(let error): "\(error)"
    }
  }
}
