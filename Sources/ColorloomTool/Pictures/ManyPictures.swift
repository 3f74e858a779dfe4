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

  /// Processes each picture of the files and folders at some paths. A failed one does not stop the others; the command then ends as
  /// failed.
  func run(
    _ items: [Item], of paths: [String], sheet: String?, in session: Session, showingPlans: Bool,
    _ work: @escaping (Item, Session) throws -> WrittenFile?
  ) throws -> Results {
    try checkFolders(
      of: items.map(\.output) + (sheet.map { [$0] } ?? []), onlyPlanned: showingPlans)
    for path in paths { try Self.listing(of: path).noteFilesLeftOut(in: session) }
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
      do {
        let listing = try listing(of: path)
        files += listing.files
        listing.noteFilesLeftOut(in: session)
        if let failure = listing.failure { throw failure }
      } catch let failure as Failure {
        failed.append(FailedFile(file: path, error: failure, in: session))
        session.fail("\(failure)")
      }
    }
    return (files, failed)
  }

  /// The endings of picture formats, of which a build may lack some, and no build has the last ones.
  static let pictureEndings = Set(
    ImageFileFormat.all.flatMap(\.fileExtensions) + FormatTrait.all.flatMap(\.fileExtensions)
      + ["bmp", "gif", "ico", "jp2", "psd", "tga"])

  /// What a path leads to: a file, or the pictures in a folder.
  private struct Listing {
    let path: String
    let files: [String]
    /// The endings of pictures that are left out because of their format.
    var endingsLeftOut: [String] = []
    /// Why pictures are missing.
    var failure: Failure?

    /// Notes how many pictures are left out because of their format.
    func noteFilesLeftOut(in session: Session) {
      let endings = endingsLeftOut
      if endings.isEmpty { return }
      let counts = Dictionary(grouping: endings) { $0 }.sorted { $0.key < $1.key }
        .map { "\($0.value.count) .\($0.key)" }
      session.note(
        "“\(path)”: \(endings.count) \(endings.count == 1 ? "file is" : "files are") left out, of formats that are not "
          + "read from folders here: \(counts.joined(separator: ", ")).")
    }
  }

  private static func files(at path: String) throws -> [String] {
    let listing = try listing(of: path)
    if let failure = listing.failure { throw failure }
    return listing.files
  }

  private static func listing(of path: String) throws -> Listing {
    if path == "-" {
      throw Misuse("“-” cannot be one of several pictures. Name files or folders.")
    }
    guard isFolder(path) else { return Listing(path: path, files: [path]) }
    let base = path.hasSuffix("/") ? path : "\(path)/"
    let (names, others) = try names(in: path)
    let files = names.filter { ImageFileFormat(ofFileNamed: $0) != nil }
      .map { base + $0 }.filter { !isFolder($0) }
    var listing = Listing(path: path, files: files)
    listing.endingsLeftOut = names.filter { name in
      ImageFileFormat(ofFileNamed: name) == nil && !isFolder(base + name)
    }.map { URL(filePath: $0).pathExtension.lowercased() }.filter(pictureEndings.contains)
    let pictures = others.filter { ImageFileFormat(ofFileNamed: $0) != nil }
    if let first = pictures.first {
      let further = pictures.count > 1 ? " and \(pictures.count - 1) more" : ""
      listing.failure = Failure(
        "The folder “\(path)” holds pictures whose names are not UTF-8: “\(first)”\(further). Rename them."
      )
    } else if files.isEmpty {
      listing.failure = Failure(
        "The folder “\(path)” holds no picture: no name there ends in one of \(ImageFileFormat.endings)."
      )
    }
    return listing
  }

  /// The sorted names in a folder, without those that begin with a period; apart from them, those that are not UTF-8, escaped.
  private static func names(in folder: String) throws -> (names: [String], others: [String]) {
    var (names, others): ([String], [String]) = ([], [])
    do {
      for bytes in try namesInFolder(folder) where bytes.first != UInt8(ascii: ".") {
        if let name = String(validating: bytes, as: UTF8.self) {
          names.append(name)
        } else {
          others.append(escapingInvalidUTF8(bytes))
        }
      }
    } catch ImageFileError.cannotRead(_, let reason) {
      throw Failure("The folder “\(folder)” cannot be read: \(reason).")
    }
    return (names.sorted(), others.sorted())
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  // MARK: Names

  /// The files with those that they become, each another one, and none that is read or in use otherwise.
  func items(_ files: [String], parts: Int, _ uses: inout FileUses) throws -> [Item] {
    guard var pattern else { return [] }
    if pattern == "-" {
      throw Misuse(
        "“--out -” cannot hold several pictures. Name files, such as “small/{name}.png”.")
    }
    if pattern.hasSuffix("/") || Self.isFolder(pattern) {
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
  /// The same, without input and progress; `prepare` is called before each line of standard error.
  fileprivate func forOneOfMany(_ prepare: @escaping @Sendable () -> Void) -> Console {
    Console(
      nextInput: { nil }, print: printText, printJSON: printJSON,
      complain: { line in
        prepare()
        complain(line)
      }, flush: flush, ownsStreams: false, isWatched: false)
  }
}
