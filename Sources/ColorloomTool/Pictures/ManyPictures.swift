import Colorloom
import Dispatch
import Foundation
import ImageFiles
import Synchronization

/// The options for processing several pictures at once: the pattern of output paths, and whether folders are created.
struct ManyPictures {
  /// The pattern of the output paths; nil for one picture.
  private(set) var pattern: String?
  private var makesFolders = false

  static var arguments: [Argument<ManyPictures>] {
    Argument.under(
      "Many pictures",
      [
        .option(
          "--out", .path.named("PATTERN"),
          "where each of many pictures goes, such as “small/{name}.webp”: {name} and {ext} are those of its source, {folder} is where that "
            + "lies, {number} counts from 1; or a folder", \.pattern),
        .flag("--make-folders", "create folders that are missing", \.makesFolders),
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
    /// What was written of each item; nil where it failed.
    let files: [WrittenFile?]
    fileprivate let failed: [FailedFile]
  }

  fileprivate struct Report: Encodable {
    let files: [WrittenFile]
    let failed: [FailedFile]
    let roll: RollReport?
    let sheet: WrittenFile?
  }

  /// Processes each picture. A failed one does not stop the others; the command then ends as failed.
  func run(
    _ items: [Item], sheet: String?, in session: Session, showingPlans: Bool,
    _ work: @escaping (Item, Session) throws -> WrittenFile?
  ) throws -> Results {
    try checkFolders(
      of: items.map(\.output) + (sheet.map { [$0] } ?? []), onlyPlanned: showingPlans)
    let results = Self.forEach(of: items.map(\.input), "writing", in: session, alone: showingPlans)
    {
      index, _, session in
      var file = try work(items[index], session)
      file?.notes = session.notes
      return file
    }
    var (files, failed) = ([WrittenFile?](), [FailedFile]())
    for (item, result) in zip(items, results) {
      do { files.append(try result.get()) } catch {
        files.append(nil)
        failed.append(FailedFile(file: item.input, error: error, in: session))
      }
    }
    return Results(items: items, files: files, failed: failed)
  }

  /// Says what became of many pictures.
  func report(
    _ results: Results, roll: RollReport?, sheet: WrittenFile?, asJSON: Bool, in session: Session
  ) {
    let files = results.files.compactMap { $0 }
    if asJSON {
      session.print(
        json: Report(files: files, failed: results.failed, roll: roll, sheet: sheet))
    } else if !session.settings.isQuiet {
      let failures = results.failed.isEmpty ? "" : ", \(results.failed.count) failed"
      session.print("\(files.count) of \(results.items.count) pictures written\(failures)")
    }
  }

  /// Processes many files, as many at once as there are threads, within the memory budget of the command. Files that do not fit into
  /// a share of the budget are processed alone afterwards. Failures are reported as they occur, and the command ends as failed.
  static func forEach<Value: Sendable>(
    of inputs: [String], _ doing: String, in session: Session, alone: Bool = false,
    reportsFailures: Bool = true,
    _ work: @escaping (_ index: Int, _ input: String, _ session: Session) throws -> Value
  ) -> [Result<Value, any Error>] {
    let progress = session.progressLine()
    nonisolated(unsafe) let work = work
    let (settings, console) = (session.settings, session.console)
    // Threads do not inherit it.
    let isJobOfBatch = Tool.isJobOfBatch
    let results = Mutex([Int: (value: Result<Value, any Error>, notes: [String])]())

    /// Works on one file within some of the memory and threads; returns whether more of them would be of no help.
    @Sendable func attempt(_ index: Int, _ settings: Settings, isLast: Bool) -> Bool {
      let one = Session(settings, console.forOneOfMany { progress.clear() })
      let result = Result {
        try Tool.$isJobOfBatch.withValue(isJobOfBatch) { try work(index, inputs[index], one) }
      }
      if case .failure(let error) = result, !isLast, isTooMuchMemory(error) { return false }
      let done = results.withLock { results in
        results[index] = (result, one.notes)
        return results.count
      }
      progress.report(doing, "\(done) of \(inputs.count) pictures")(
        Double(done) / Double(inputs.count))
      if case .failure(let error) = result, reportsFailures {
        progress.clear()
        let name = "“\(inputs[index])”"
        let sentence = Tool.sentence(for: error, with: settings.options)
        console.complain(sentence.contains(name) ? sentence : "\(name): \(sentence)")
      }
      return true
    }

    let workers = alone ? 1 : min(settings.threadCount, inputs.count)
    let share = settings.share(of: workers)
    let next = Mutex(0)
    let tooLarge = Mutex<[Int]>([])
    let group = DispatchGroup()
    for _ in 0..<workers {
      DispatchQueue(label: "colorloom.many").async(group: group) {
        while true {
          let index = next.withLock { next in
            defer { next += 1 }
            return next
          }
          guard index < inputs.count else { return }
          if !attempt(index, share, isLast: workers == 1) {
            tooLarge.withLock { $0.append(index) }
          }
        }
      }
    }
    group.wait()
    for index in tooLarge.withLock({ $0.sorted() }) {
      _ = attempt(index, settings, isLast: true)
    }
    progress.clear()
    let all = results.withLock { $0 }
    return inputs.indices.compactMap { index in
      guard let one = all[index] else { return nil }
      session.add(notes: one.notes)
      if reportsFailures, case .failure = one.value { session.fail() }
      return one.value
    }
  }

  /// Files themselves, and the pictures in folders by their names.
  static func files(at paths: [String]) throws -> [String] {
    try paths.flatMap { try files(at: $0) }
  }

  /// The same, but a folder that cannot be read does not stop the others: it is reported, and the command ends as failed.
  static func readableFiles(
    at paths: [String], in session: Session
  ) throws -> (files: [String], failed: [FailedFile]) {
    var (files, failed): ([String], [FailedFile]) = ([], [])
    for path in paths {
      do { files += try Self.files(at: path) } catch let failure as Failure {
        failed.append(FailedFile(file: path, error: failure, in: session))
        session.fail("\(failure)")
      }
    }
    return (files, failed)
  }

  private static func files(at path: String) throws -> [String] {
    if path == "-" {
      throw Misuse("“-” cannot be one of several pictures. Name files or folders.")
    }
    guard isFolder(path) else { return [path] }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
      throw Failure("The folder “\(path)” cannot be read: \(systemReason(for: error)).")
    }
    let base = path.hasSuffix("/") ? path : "\(path)/"
    let files = names.filter { !$0.hasPrefix(".") && ImageFileFormat(ofFileNamed: $0) != nil }
      .map { base + $0 }.filter { !isFolder($0) }
    if files.isEmpty {
      throw Failure(
        "The folder “\(path)” holds no picture: no name there ends in one of \(ImageFileFormat.endings)."
      )
    }
    return files
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  // MARK: Names

  /// The pictures with the files that they become, each another one, and none that is read or in use otherwise.
  func items(_ paths: [String], parts: Int, _ uses: inout FileUses) throws -> [Item] {
    guard var pattern else { return [] }
    if pattern == "-" {
      throw Misuse(
        "“--out -” cannot hold several pictures. Name files, such as “small/{name}.png”.")
    }
    if pattern.hasSuffix("/") || Self.isFolder(pattern) {
      pattern += (pattern.hasSuffix("/") ? "" : "/") + "{name}.{ext}"
    }
    let inputs = try Self.files(at: paths).flatMap { path in
      parts == 0 ? [(path: path, part: nil)] : (0..<parts).map { (path: path, part: Optional($0)) }
    }
    let digits = "\(inputs.count)".count
    return try inputs.enumerated().map { index, item in
      let (input, number) = (item.path, "\(index + 1)")
      let output = try Self.name(
        pattern, input, part: item.part,
        number: String(repeating: "0", count: digits - number.count) + number)
      if let other = uses.addResult(input, at: output) {
        throw Misuse(
          "“\(other)” and “\(input)” would both be written to “\(output)”. Let --out tell them apart by {name}, "
            + "{ext}, {folder} or {number}.")
      }
      if let source = uses.source(at: output) {
        throw Misuse(
          "“\(output)” would replace “\(source)”, which is read. Let --out name another folder, or other names."
        )
      }
      return Item(input: input, part: item.part, output: output)
    }
  }

  private static func name(
    _ pattern: String, _ input: String, part: Int?, number: String
  ) throws -> String {
    let url = URL(filePath: input)
    let suffix = part.map { "-\($0 + 1)" } ?? ""
    let folder = input.lastIndex(of: "/").map { String(input[..<$0]) } ?? "."
    let parts = [
      "name": url.deletingPathExtension().lastPathComponent + suffix, "ext": url.pathExtension,
      "folder": folder.isEmpty ? "/" : folder, "number": number,
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

  // MARK: Folders

  /// Throws where a file's folder is missing, unless folders are to be made. For a plan none is made.
  func checkFolders(of paths: [String], onlyPlanned: Bool) throws {
    var checked: Set<String> = []
    for path in paths where path != "-" {
      guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { continue }
      let folder = String(path[..<slash])
      guard checked.insert(folder).inserted, !Self.isFolder(folder) else { continue }
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
    guard makesFolders, path != "-", !Self.isFolder(folder.path) else { return path }
    while !Self.isFolder(folder.path), folder.path != "/" { folder.deleteLastPathComponent() }
    return folder.appending(path: url.lastPathComponent).path
  }
}

/// Whether less work at once would have helped.
private func isTooMuchMemory(_ error: any Error) -> Bool {
  switch error {
  case ImageFileError.tooMuchMemory, ImageFileError.rendering(.tooMuchMemory),
    RenderError.tooMuchMemory:
    true
  default: false
  }
}

extension Settings {
  fileprivate var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The same settings for one of several commands that run at once.
  fileprivate func share(of workers: Int) -> Settings {
    if workers < 2 { return self }
    var share = self
    share.threads = max(threadCount / workers, 1)
    share.memory = (memory ?? Self.defaultMemory) / workers
    return share
  }
}

extension Console {
  /// The same, without input and progress; `prepare` is called before each line.
  fileprivate func forOneOfMany(_ prepare: @escaping @Sendable () -> Void) -> Console {
    Console(
      nextLine: { nil }, print: print, printJSON: printJSON,
      complain: { line in
        prepare()
        complain(line)
      }, flush: flush, ownsStreams: false, isWatched: false)
  }
}
