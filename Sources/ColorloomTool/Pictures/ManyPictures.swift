import Colorloom
import Foundation
import ImageFiles

/// The options for processing several pictures at once: the pattern of output paths, whether folders are created, and what becomes of
/// results that exist.
struct ManyPictures {
  /// The pattern of the output paths; nil for one picture.
  private(set) var pattern: String?
  private var makesFolders = false
  /// Also that of a single picture.
  private(set) var existing = ExistingResults.replace
  /// Whether folders in folders are read, too.
  private(set) var isRecursive = false

  static var arguments: [Argument<ManyPictures>] {
    Argument.under(
      "Many pictures",
      [
        .option(
          "--out", .path.named("PATTERN"),
          "where each of many pictures goes, such as “small/{name}.webp”: {name} and {ext} are those of its source, {ext} is png for "
            + "GIF and camera raw files, {folder} is where the source lies, without “..” behind other text, {number} counts from 1; "
            + "or a folder, such as “small/”; with --make-folders, a name without {…} and without an ending is a folder, too, unless --format is given",
          \.pattern),
        .flag("--make-folders", "create folders that are missing", \.makesFolders),
        .flag(
          "--recursive",
          "also read the pictures in the folders of a folder; {folder} keeps them apart",
          \.isRecursive
        ).needing("--out"),
        .existing(\.existing),
      ])
  }

  /// One of many pictures: a file, or a part of one, and where it goes.
  struct Item {
    let input: String
    /// The index of the part; nil for a whole file.
    let part: Int?
    let output: String
  }

  /// What became of many pictures.
  struct Results {
    let items: [Item]
    /// The results of the items, written now or earlier; nil where one failed.
    let paths: [String?]
    fileprivate let files: [WrittenFile]
    fileprivate let failed: [FailedFile]
    /// The pictures whose results existed; nil where these are replaced.
    fileprivate let existing: [ExistingFile]?
    /// The number of pictures, those whose names cannot be used included.
    fileprivate let count: Int
  }

  /// A picture whose result existed.
  fileprivate struct ExistingFile: Encodable {
    let source, output: String
  }

  fileprivate struct Report: Encodable {
    let files: [WrittenFile]
    let failed: [FailedFile]
    let existing: [ExistingFile]?
    /// The outputs in `existing`, as earlier versions report them.
    let skipped: [String]?
    let roll: RollReport?
    let sheet: WrittenFile?
  }

  private struct PlansReport: Encodable {
    let files: [PlannedFiles.File]
    let failed: [FailedFile]
    let existing: [ExistingFile]?
    let skipped: [String]?
  }

  /// Processes each picture of some files and folders, except those whose results are kept. A failed one does not stop the others; the
  /// command then ends as failed.
  func run(
    _ items: [Item], of listings: [PictureListing], sheet: String?, in session: Session,
    showingPlans: Bool, _ work: @escaping (Item, Session) throws -> WrittenFile?
  ) throws -> Results {
    try checkFolders(
      of: items.map(\.output) + (sheet.map { [$0] } ?? []), onlyPlanned: showingPlans)
    for listing in listings { listing.noteFilesLeftOut(in: session) }
    let kept = items.indices.filter { existing.keeps([items[$0].output]) }
    let open = Set(items.indices).subtracting(kept).sorted()
    let results = forEachFile(
      of: open.map { items[$0].input }, "writing", in: session, alone: showingPlans
    ) { index, _, session in
      let item = items[open[index]]
      var file = try work(item, session)
      file?.notes = session.notes
      file?.output = item.output
      return file
    }
    var files: [WrittenFile] = []
    var failed = listings.flatMap { $0.reportedNames(in: session) }
    let count = items.count + failed.count
    var paths: [String?] = items.map(\.output)
    for (index, result) in zip(open, results) {
      do {
        guard let file = try result.get() else { continue }
        files.append(file)
        Tool.resultsWritten?.add(items[index].output)
      } catch {
        paths[index] = nil
        var file = FailedFile(file: items[index].input, error: error, in: session)
        (file.source, file.output) = (items[index].input, items[index].output)
        failed.append(file)
      }
    }
    return Results(
      items: items, paths: paths, files: files, failed: failed,
      existing: existing == .skip
        ? kept.map { ExistingFile(source: items[$0].input, output: items[$0].output) } : nil,
      count: count)
  }

  /// Says what became of many pictures.
  func report(
    _ results: Results, roll: RollReport?, sheet: WrittenFile?, asJSON: Bool, in session: Session
  ) {
    if asJSON {
      session.print(
        json: Report(
          files: results.files, failed: results.failed, existing: results.existing,
          skipped: results.existing?.map(\.output), roll: roll, sheet: sheet))
    } else if !session.settings.isQuiet {
      let kept = results.existing?.count ?? 0
      let presence = kept == 0 ? "" : kept == 1 ? ", 1 was there" : ", \(kept) were there"
      let failures = results.failed.isEmpty ? "" : ", \(results.failed.count) failed"
      session.print(
        "\(results.files.count) of \(results.count) pictures written\(presence)\(failures)")
    }
  }

  /// Reports the plans of many pictures. Without JSON, they were printed when they were made.
  func report(
    _ plans: PlannedFiles, of results: Results, asJSON: Bool, in session: Session
  ) {
    guard asJSON else { return }
    session.print(
      json: PlansReport(
        files: results.paths.compactMap { path in path.flatMap { plans[$0] } },
        failed: results.failed, existing: results.existing,
        skipped: results.existing?.map(\.output)))
  }

  // MARK: Names

  /// The files with those that they become, each another one, and none that is read or in use otherwise.
  func items(
    _ files: [String], parts: Int, hasFormat: Bool, _ uses: inout FileUses
  ) throws -> [Item] {
    guard var pattern else { return [] }
    if pattern == "-" {
      throw Misuse(
        "“--out -” cannot hold several pictures. Name files, such as “small/{name}.png”.")
    }
    if isFolderForAll(pattern, hasFormat: hasFormat) {
      pattern += (pattern.hasSuffix("/") ? "" : "/") + "{name}.{ext}"
    }
    let indices: [Int?] = parts == 0 ? [nil] : Array(0..<parts)
    let inputs = files.flatMap { path in indices.map { (path: path, part: $0) } }
    let digits = "\(inputs.count)".count
    return try inputs.enumerated().map { index, item in
      let (input, number) = (item.path, "\(index + 1)")
      let output = try Self.name(
        pattern, input, part: item.part,
        number: String(repeating: "0", count: digits - number.count) + number)
      if let other = uses.addResult(input, at: output) {
        guard other != input || item.part != nil else {
          throw Misuse(
            "“\(input)” is named twice, and would be written to “\(output)” twice. Name it once; a folder stands for the "
              + "pictures in it.")
        }
        // Those of files that are only read have {ext} in common with PNG files.
        let ending = [other, input].allSatisfy(Self.isWritable) ? "{ext}, " : ""
        throw Misuse(
          "“\(other)” and “\(input)” would both be written to “\(output)”. Let --out tell them apart by {name}, "
            + "\(ending){folder} or {number}, or end in “/” to name a folder.")
      }
      if let source = uses.source(at: output) {
        throw Misuse(
          "“\(output)” would replace “\(source)”, which is read. Let --out name another folder, or other names."
        )
      }
      return Item(input: input, part: item.part, output: output)
    }
  }

  /// Whether --out names a folder: one that exists or ends in “/”, or one to create, without a placeholder and an ending. With
  /// --format, or where a file exists, such a name is that of a file.
  private func isFolderForAll(_ pattern: String, hasFormat: Bool) -> Bool {
    if pattern.hasSuffix("/") || isFolder(pattern) { return true }
    return makesFolders && !hasFormat && !pattern.contains("{")
      && URL(filePath: pattern).pathExtension.isEmpty
      && !FileManager.default.fileExists(atPath: pattern)
  }

  private static func isWritable(_ input: String) -> Bool {
    ImageFileFormat.readOnly(ofFileNamed: input) == nil
  }

  private static func name(
    _ pattern: String, _ input: String, part: Int?, number: String
  ) throws -> String {
    let url = URL(filePath: input)
    let suffix = part.map { "-\($0 + 1)" } ?? ""
    let parts = [
      "name": url.deletingPathExtension().lastPathComponent + suffix,
      "ext": isWritable(input) ? url.pathExtension : "png",
      "folder": folder(of: input, isInside: !pattern.hasPrefix("{folder}")), "number": number,
    ]
    var (name, rest) = ("", pattern[...])
    while let start = rest.firstIndex(of: "{") {
      name += rest[..<start]
      guard let end = rest[start...].firstIndex(of: "}") else {
        throw Misuse("“--out \(pattern)” has a “{” without “}”.")
      }
      let word = String(rest[rest.index(after: start)..<end])
      guard let part = parts[word] else {
        throw Misuse(
          "“--out” has no placeholder {\(word)}.\(didYouMean(word, among: parts.keys.sorted())) Use {name}, {ext}, "
            + "{folder} or {number}.")
      }
      name += part
      rest = rest[rest.index(after: end)...]
    }
    return name + rest
  }

  /// Returns the folder of a source in a pattern: as it is at the pattern's beginning. Otherwise it is inside of what the pattern begins
  /// with, and has no “..” that leads out of there.
  private static func folder(of input: String, isInside: Bool) -> String {
    let folder = input.lastIndex(of: "/").map { String(input[..<$0]) } ?? "."
    guard isInside else { return folder.isEmpty ? "/" : folder }
    var parts: [Substring] = []
    for part in folder.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if !parts.isEmpty {
        parts.removeLast()
      }
    }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  // MARK: Folders

  /// Throws where a file's folder is missing, unless folders are to be made. For a plan none is made.
  func checkFolders(of paths: [String], onlyPlanned: Bool) throws {
    var checked: Set<String> = []
    for path in paths where path != "-" {
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { continue }
      let folder = String(path[..<slash])
      guard checked.insert(folder).inserted, !isFolder(folder) else { continue }
      guard !FileManager.default.fileExists(atPath: folder) else {
        throw Failure("“\(path)” cannot be written: “\(folder)” is no folder.")
      }
      guard makesFolders else {
        throw Failure(
          "“\(path)” cannot be written: the folder “\(folder)” does not exist. Create it, or pass --make-folders."
        )
      }
      if onlyPlanned { continue }
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw Failure("The folder “\(folder)” cannot be made: \(systemReason(for: error)).")
      }
    }
  }
}

extension ManyPictures {
  /// Returns a path by which a plan can check a file whose folders would be made: that of its name in the nearest folder there is.
  func pathToCheck(_ path: String) -> String {
    let url = URL(filePath: path)
    var folder = url.deletingLastPathComponent()
    guard makesFolders, path != "-", !isFolder(folder.path) else { return path }
    while !isFolder(folder.path), folder.path != "/" { folder.deleteLastPathComponent() }
    return folder.appending(path: url.lastPathComponent).path
  }
}
