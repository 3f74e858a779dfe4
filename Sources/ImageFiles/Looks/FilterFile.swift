public import FilterGraph

/// A filter that a file of another program can hold: a look, or the curves of a film.
public protocol FilterFile: RecipeFilter {
  /// What a step does that names such a file, as a sentence of help; by default “Read the filter from a file.”
  static var fileHelp: String { get }
  /// The extensions of files that a step names by their path alone: `--tag display.icc`. Other files need “@” before the path. None by
  /// default.
  static var fileExtensions: [String] { get }
  /// The parameters that a step may state beside the file: `--lut grades.ccc,id=shot2`. None by default.
  static var fileParameters: [ParameterDescription] { get }
  /// Returns the filter in a file, of the format that its name ends with.
  static func filter(inFile path: String, limits: FileLimits) throws -> Self
  /// Returns the filter in a file by the parameters beside it, an object of ``fileParameters``.
  ///
  /// Sets `choice` where the file holds several filters and the parameters name none of them: to words that say which one it is. By default
  /// no file holds several.
  static func filter(
    inFile path: String, parameters: RecipeSource, limits: FileLimits, choice: inout String?
  ) throws -> Self
}

extension FilterFile {
  /// “Read the filter from a file.”
  public static var fileHelp: String { "Read the filter from a file." }
  /// None.
  public static var fileExtensions: [String] { [] }
  /// None.
  public static var fileParameters: [ParameterDescription] { [] }
  /// Returns ``filter(inFile:limits:)``.
  public static func filter(
    inFile path: String, parameters: RecipeSource, limits: FileLimits, choice: inout String?
  ) throws -> Self {
    _ = try FileAlone(recipe: parameters)
    return try filter(inFile: path, limits: limits)
  }
}

/// The parameters beside a file that takes none: reading any throws.
private struct FileAlone: RecipeRecord {
  static let declaration = Declaration<FileAlone>(of: "file") { FileAlone() }
}

extension CurveDevelopment: FilterFile {
  /// “Apply the curves in a text file.”
  public static var fileHelp: String { "Apply the curves in a text file." }
  /// Returns the curves in a text file.
  public static func filter(inFile path: String, limits: FileLimits) throws -> CurveDevelopment {
    var limits = limits
    limits.bytes = min(limits.bytes, 1 << 20)
    return try CurveDevelopment(contentsOf: path, limits: limits)
  }
}
