import Foundation
import ImageFiles

/// What a path leads to: a file, or the pictures in a folder.
struct PictureListing {
  private let path: String
  /// The file itself, or the pictures in the folder by their names.
  let files: [String]
  /// The endings of pictures that are left out because of their format.
  private var endingsLeftOut: [String] = []
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

  /// Returns the pictures at each path. Throws where a folder cannot be read, or pictures of it are missing.
  static func at(_ paths: [String]) throws -> [PictureListing] {
    try paths.map { path in
      let listing = try PictureListing(path)
      if let failure = listing.failure { throw failure }
      return listing
    }
  }

  /// Returns the pictures at each path. A folder that cannot be read is reported and does not stop the others; the command then ends as
  /// failed.
  static func readableFiles(
    at paths: [String], in session: Session
  ) throws -> (files: [String], failed: [FailedFile]) {
    var (files, failed): ([String], [FailedFile]) = ([], [])
    for path in paths {
      do {
        let listing = try PictureListing(path)
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

  /// Lists what a path leads to. Throws where a folder cannot be read.
  private init(_ path: String) throws {
    if path == "-" {
      throw Misuse("“-” cannot be one of several pictures. Name files or folders.")
    }
    self.path = path
    guard isFolder(path) else {
      files = [path]
      return
    }
    let base = path.hasSuffix("/") ? path : "\(path)/"
    let (names, others) = try namesOfFiles(in: path)
    files = names.filter(Self.isPicture).map { base + $0 }.filter { !isFolder($0) }
    endingsLeftOut = names.filter { name in
      !Self.isPicture(name) && !isFolder(base + name)
    }.map { URL(filePath: $0).pathExtension.lowercased() }.filter(Self.pictureEndings.contains)
    let pictures = others.filter(Self.isPicture)
    if let first = pictures.first {
      let further = pictures.count > 1 ? " and \(pictures.count - 1) more" : ""
      failure = Failure(
        "The folder “\(path)” holds pictures whose names are not UTF-8: “\(first)”\(further). Rename them."
      )
    } else if files.isEmpty {
      failure = Failure(
        "The folder “\(path)” holds no picture: no name there ends in one of \(Self.endings)."
      )
    }
  }

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

func isFolder(_ path: String) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    && isFolder.boolValue
}

/// The sorted names in a folder, without those that begin with a period; apart from them, those that are not UTF-8, escaped.
private func namesOfFiles(in folder: String) throws -> (names: [String], others: [String]) {
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
