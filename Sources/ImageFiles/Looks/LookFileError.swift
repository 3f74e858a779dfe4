public import FilterGraph

/// An error of reading or writing a LUT or a color decision list. The description says what is wrong and what would help.
@nonexhaustive
public indirect enum LookFileError: Error, Hashable, Sendable {
  /// The file cannot be opened, read or written.
  case file(ImageFileError)
  /// The file extension is unknown.
  case unknownEnding(file: String, known: [String])
  /// A line does not follow the format. Lines count from 1.
  case line(file: String, number: Int, reason: String)
  /// The file ends too early, or lacks required data.
  case incomplete(file: String, reason: String)
  /// The file requires a feature that is not supported.
  case unsupported(file: String, reason: String)
  /// A value in the file is out of range.
  case parameter(file: String, RecipeError)
  /// The format cannot hold the look.
  case cannotHold(file: String, reason: String)
}

extension LookFileError: CustomStringConvertible {
  /// The problem and a remedy.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .unknownEnding(let file, let known):
      "“\(file)” has the file extension of no look format. Known extensions are: "
        + "\(known.joined(separator: ", "))."
    case .line(let file, let number, let reason):
      "Line \(number) of “\(file)” cannot be read: \(sentence(reason))"
    case .incomplete(let file, let reason): "“\(file)” is incomplete: \(sentence(reason))"
    case .unsupported(let file, let reason): "“\(file)” cannot be used: \(sentence(reason))"
    case .parameter(let file, let error): "“\(file)” cannot be used. \(error)"
    case .cannotHold(let file, let reason): "“\(file)” cannot be written: \(sentence(reason))"
    }
  }

  /// Returns a reason with a full stop, which other errors have already.
  private func sentence(_ reason: String) -> String {
    reason.hasSuffix(".") ? reason : reason + "."
  }
}
