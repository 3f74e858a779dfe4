import Foundation
import ImageFiles
import PlatformLibc

/// What a path leads to: a file, or the pictures in a folder.
struct PictureListing {
  private let path: String
  /// The file itself, or the pictures in the folder by their names; those in its folders follow, where these are listed, too.
  private(set) var files: [String] = []
  /// The pictures and folders to read whose names are not UTF-8: no word can name them, nor the files that they become.
  private(set) var undecodable: [UndecodableName] = []
  private var leftOut: PicturesLeftOut
  /// Why pictures are missing.
  private var failure: Failure?

  /// The endings of picture formats, of which a build may lack some, and no build has the last ones.
  static let pictureEndings = Set(
    ImageFileFormat.readable.flatMap(\.fileExtensions)
      + FormatTrait.all.flatMap(\.fileExtensions) + ["ico", "jp2", "psd", "tga"])

  /// Whether a name in a folder is that of a picture to read. Camera raw files are left out: a JPEG of each often lies beside it.
  private static func isPicture(_ name: String) -> Bool {
    ImageFileFormat(ofFileNamed: name) != nil || ImageFileFormat.readOnly(ofFileNamed: name) == .gif
  }

  /// The endings of names that are those of pictures to read, for sentences.
  private static let endings = (ImageFileFormat.all + [.gif]).flatMap(\.fileExtensions)
    .map { ".\($0)" }.joined(separator: ", ")

  /// Returns the pictures at each path. Throws where a folder cannot be read or holds no picture that can, and where the name of a picture
  /// is not UTF-8, unless `reportsNames` says that the caller reports these (``undecodable``) and goes on with the others.
  static func at(
    _ paths: [String], recursive: Bool = false, reportsNames: Bool = false
  ) throws -> [PictureListing] {
    try paths.map { path in
      let listing = try PictureListing(path, recursive: recursive)
      if let failure = listing.failure { throw failure }
      if let name = listing.undecodable.first, !reportsNames || listing.files.isEmpty {
        throw Failure(undecodable: name)
      }
      return listing
    }
  }

  /// Returns the pictures at each path. A folder that cannot be read and a name that is not UTF-8 are reported and do not stop the others;
  /// the command then ends as failed.
  static func readableFiles(
    at paths: [String], in session: Session
  ) throws -> (files: [String], failed: [FailedFile]) {
    var (files, failed): ([String], [FailedFile]) = ([], [])
    for path in paths {
      do {
        let listing = try PictureListing(path, recursive: false)
        files += listing.files
        listing.noteFilesLeftOut(in: session)
        failed += listing.reportedNames(in: session)
        if let failure = listing.failure { throw failure }
      } catch let failure as Failure {
        failed.append(FailedFile(file: path, error: failure, in: session))
        session.fail("\(failure)")
      }
    }
    return (files, failed)
  }

  /// Lists what a path leads to. Throws where a folder cannot be read.
  private init(_ path: String, recursive: Bool) throws {
    if path == "-" {
      throw Misuse("“-” cannot be one of several pictures. Name files or folders.")
    }
    self.path = path
    leftOut = PicturesLeftOut(isRecursive: recursive)
    guard isFolder(path) else {
      files = [path]
      return
    }
    try add(folder: path, recursive: recursive)
    if files.isEmpty, undecodable.isEmpty {
      let sentences = leftOut.sentences(advising: nil).map { " \($0)" }.joined()
      failure = Failure(
        "The folder “\(path)” holds no picture: no name of a file there ends in one of \(Self.endings).\(sentences)"
      )
    }
  }

  /// Adds the pictures in a folder, and then those in its folders, if these are listed, too: without links, which may lead in a circle.
  private mutating func add(folder: String, recursive: Bool) throws {
    let base = folder.hasSuffix("/") ? folder : "\(folder)/"
    let (names, others) = try namesOfFiles(in: folder)
    for name in others { add(undecodable: name, in: base, recursive: recursive) }
    var folders: [String] = []
    for name in names {
      let path = base + name
      if isFolder(path) {
        folders.append(path)
      } else if !Self.isPicture(name) {
        leftOut.add(ending: URL(filePath: name).pathExtension.lowercased())
      } else if isPipe(path) {
        leftOut.pipes.append(path)
      } else {
        files.append(path)
      }
    }
    for path in folders {
      if recursive, !isLink(path) {
        try add(folder: path, recursive: true)
      } else {
        leftOut.folderCount += 1
      }
    }
  }

  /// Adds a picture whose name is not UTF-8, or a folder whose pictures are to be read, too.
  private mutating func add(undecodable name: [UInt8], in base: String, recursive: Bool) {
    let path = base + escapingInvalidUTF8(name)
    let bytes = Array(base.utf8) + name
    if fileKind(at: bytes, following: true) == S_IFDIR {
      if recursive, fileKind(at: bytes, following: false) == S_IFDIR {
        undecodable.append(UndecodableName(path: path, isFolder: true))
      } else {
        leftOut.folderCount += 1
      }
    } else if Self.isPicture(path) {
      undecodable.append(UndecodableName(path: path, isFolder: false))
    }
  }

  /// Notes which pictures and folders in the folder are left out.
  func noteFilesLeftOut(in session: Session) {
    let hasOption = session.settings.options.contains("--recursive")
    for sentence in leftOut.sentences(advising: hasOption ? "--recursive" : nil) {
      session.note("“\(path)”: \(sentence)")
    }
  }

  /// Reports the names that are not UTF-8 as failures, which stop nothing.
  func reportedNames(in session: Session) -> [FailedFile] {
    undecodable.map { name in
      let failure = Failure(undecodable: name)
      session.fail("\(failure)")
      return FailedFile(file: name.path, error: failure, in: session)
    }
  }
}

/// A picture, or a folder of pictures, whose name is not UTF-8.
struct UndecodableName {
  /// The path, with the bytes that are not UTF-8 escaped.
  let path: String
  let isFolder: Bool
}

extension Failure {
  /// The failure of reading a file or a folder whose name is not UTF-8.
  fileprivate init(undecodable name: UndecodableName) {
    self.init(
      name.isFolder
        ? "“\(name.path)” is a folder name that is not UTF-8, so that its pictures cannot be read. Rename the folder."
        : "“\(name.path)” is a name that is not UTF-8. Rename the file.")
  }
}

/// What is in a folder beside the pictures that are read.
private struct PicturesLeftOut {
  /// The endings of pictures of other formats.
  private var endings: [String] = []
  /// The paths of pipes, sockets and devices with names of pictures: reading a pipe that nobody writes to would never end.
  var pipes: [String] = []
  /// The number of folders, or of links to folders where other folders are listed.
  var folderCount = 0
  let isRecursive: Bool

  init(isRecursive: Bool) { self.isRecursive = isRecursive }

  mutating func add(ending: String) {
    if PictureListing.pictureEndings.contains(ending) { endings.append(ending) }
  }

  /// Returns a sentence for each kind of what is left out. `option` lists folders in the folder, too, if the verb has it.
  func sentences(advising option: String?) -> [String] {
    var sentences: [String] = []
    if !endings.isEmpty {
      let counts = Dictionary(grouping: endings) { $0 }.sorted { $0.key < $1.key }
        .map { "\($0.value.count) .\($0.key)" }
      sentences.append(
        "\(endings.count) \(endings.count == 1 ? "file is" : "files are") left out, of formats that are not "
          + "read from folders here: \(counts.joined(separator: ", ")).")
    }
    if let first = pipes.first {
      let further = pipes.count > 1 ? " and \(pipes.count - 1) more are" : " is"
      sentences.append("“\(first)”\(further) left out: only regular files are read from folders.")
    }
    if folderCount > 0 {
      let (thing, verb) = folderCount == 1 ? ("folder", "is") : ("folders", "are")
      let advice = option.map { " Pass \($0) to read the pictures in folders, too." } ?? ""
      sentences.append(
        isRecursive
          ? "\(folderCount) \(folderCount == 1 ? "link to a" : "links to") \(thing) in it \(verb) left out."
          : "\(folderCount) \(thing) in it \(verb) left out.\(advice)")
    }
    return sentences
  }
}

func isFolder(_ path: String) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    && isFolder.boolValue
}

private func isLink(_ path: String) -> Bool {
  (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
}

/// The kind of a file at a path of bytes, such as `S_IFDIR`, which may be that of the file that a link leads to; nil where there is none.
private func fileKind(at path: [UInt8], following: Bool) -> mode_t? {
  let path = path.map { CChar(bitPattern: $0) } + [0]
  var status = stat()
  let isKnown = following ? stat(path, &status) == 0 : lstat(path, &status) == 0
  return isKnown ? status.st_mode & S_IFMT : nil
}

/// The sorted names in a folder, without those that begin with a period; apart from them, the bytes of those that are not UTF-8.
private func namesOfFiles(in folder: String) throws -> (names: [String], others: [[UInt8]]) {
  let all: [[UInt8]]
  do { all = try namesInFolder(folder) } catch {
    guard case .cannotRead(_, let reason) = error else { throw error }
    throw Failure("The folder “\(folder)” cannot be read: \(reason).")
  }
  var (names, others): ([String], [[UInt8]]) = ([], [])
  for bytes in all where bytes.first != UInt8(ascii: ".") {
    if let name = String(validating: bytes, as: UTF8.self) {
      names.append(name)
    } else {
      others.append(bytes)
    }
  }
  return (names.sorted(), others.sorted { $0.lexicographicallyPrecedes($1) })
}
