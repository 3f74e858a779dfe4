import Colorloom
import Synchronization

/// The plans of many pictures, which one report lists by their files.
final class PlannedFiles: Sendable {
  /// The plan of writing a file, and the notes on it.
  struct File: Encodable, Sendable {
    let source, output: String
    /// The source, as earlier versions report it.
    let file: String
    let plan: RecipeValue
    var notes: [String] = []

    init(of source: String, to output: String, _ plan: RecipeValue) {
      (self.source, self.output, file, self.plan) = (source, output, source, plan)
    }
  }

  private let files = Mutex([String: File]())

  /// Adds the plan of a file by its output path. A plan that was made before is replaced.
  func add(_ file: File) { files.withLock { $0[file.output] = file } }

  /// States the notes on the file with an output path.
  func set(_ notes: [String], of output: String) {
    files.withLock { $0[output]?.notes = notes }
  }

  /// Returns the plan of writing to a path; nil where none was made.
  subscript(output: String) -> File? { files.withLock { $0[output] } }
}
