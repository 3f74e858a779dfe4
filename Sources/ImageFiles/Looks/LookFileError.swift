public import FilterGraph

/// Why a file of tables or color decisions cannot be read or written. The description says what is wrong and what would help.
@nonexhaustive
public enum LookFileError: Error, Hashable, Sendable {
  /// The file cannot be opened, read or written.
  case file(ImageFileError)
  /// The file's name ends in no way that is known.
  case unknownEnding(file: String, known: [String])
  /// A line is not what the format has there; lines count from 1.
  case line(file: String, number: Int, reason: String)
  /// The file ends too early, or says too little.
  case incomplete(file: String, reason: String)
  /// The file asks for something that is not done here.
  case unsupported(file: String, reason: String)
  /// A number of the file cannot be used.
  case parameter(file: String, RecipeError)
  /// The format cannot hold the look.
  case cannotHold(file: String, reason: String)
}

extension LookFileError: CustomStringConvertible {
  /// What is wrong, and what would help.
  public var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .unknownEnding(let file, let known):
      "“\(file)” is of no format that is known by its ending. Known are: "
        + "\(known.joined(separator: ", "))."
    case .line(let file, let number, let reason):
      "Line \(number) of “\(file)” cannot be read: \(reason)."
    case .incomplete(let file, let reason): "“\(file)” is incomplete: \(reason)."
    case .unsupported(let file, let reason): "“\(file)” cannot be used: \(reason)."
    case .parameter(let file, let error): "“\(file)” cannot be used. \(error)"
    case .cannotHold(let file, let reason): "“\(file)” cannot be written: \(reason)."
    }
  }
}
