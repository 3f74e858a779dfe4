import PlatformLibc

/// What becomes of a picture whose results exist already: `--existing`.
///
/// Files appear under their names when they are complete, so that a result that exists needs no look at its content. Those that the
/// command itself wrote in an earlier attempt (``ResultsWritten``) do not count.
enum ExistingResults {
  case replace, skip, refuse

  /// Whether a picture is left out: all its results exist, and they are to be kept.
  func keeps(_ paths: [String]) -> Bool { self == .skip && paths.allSatisfy(exists) }

  /// Throws where a result exists and must not be replaced. Names the first one, and how many there are.
  func check(_ paths: [String]) throws {
    guard self == .refuse else { return }
    let present = paths.filter(exists)
    guard let first = present.first else { return }
    throw Failure(
      "“\(first)” exists already"
        + (present.count > 1
          ? ", as the first of \(present.count) of the \(paths.count) files to write" : "")
        + ". Name others, or pass --existing skip to leave such pictures out, or --existing replace."
    )
  }

  /// Reports that a picture is left out.
  func report(_ paths: [String], asJSON: Bool, in session: Session) {
    let names = paths.map { "“\($0)”" }.joined(separator: ", ")
    session.note(
      paths.count == 1
        ? "\(names) exists already, and is left as it is."
        : "\(names) exist already, and are left as they are.")
    if asJSON { session.print(json: SkippedResults(skipped: paths)) }
  }
}

/// The report of a picture that is left out.
private struct SkippedResults: Encodable { let skipped: [String] }

extension Argument {
  /// `--existing`.
  static func existing(_ path: WritableKeyPath<Target, ExistingResults>) -> Argument {
    .option(
      "--existing", .choice(["replace": .replace, "skip": .skip, "refuse": .refuse]),
      "replace results that exist already, skip pictures whose results all exist, without reading them, or refuse to begin; "
        + "default: replace", path)
  }
}

/// Whether a path leads to a file that was there before the command. Devices and pipes hold no result.
private func exists(_ path: String) -> Bool {
  if Tool.resultsWritten?.contains(path) == true { return false }
  var status = stat()
  return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}
