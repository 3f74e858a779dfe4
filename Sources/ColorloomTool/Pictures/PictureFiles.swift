import Colorloom
import ImageFiles
import PlatformLibc

extension Session {
  /// Opens the picture in a file that --page does not apply to. Reports on standard error where its color space is that of `assumption`.
  func picture(
    at path: String, layer: String? = nil, assuming assumption: Assumption?
  ) throws -> Picture {
    try pictureInWindow(at: path, layer: layer, assuming: assumption).picture
  }

  /// The same, with its data window. `takesPage` says whether --page, if the verb has it, is for this file.
  func pictureInWindow(
    at path: String, page: Int? = nil, layer: String? = nil, assuming assumption: Assumption?,
    takesPage: Bool = false
  ) throws -> PictureInWindow {
    let file = try open(path, page: page, layer: layer, assuming: assumption)
    return (
      try picture(
        in: file, at: path, assuming: assumption, page: page, takesPage: takesPage),
      DataWindow(of: file.info, at: path)
    )
  }

  /// Returns the picture that a step takes beside the one it changes. That of standard input is opened once, although a step is applied
  /// to every frame of a video.
  func pictureOfStep(
    at path: String, assuming assumption: Assumption?
  ) throws -> PictureInWindow {
    if let known = pictureOfStandardInput, known.path == path { return known.picture }
    let picture = try pictureInWindow(at: path, assuming: assumption)
    if isStandardInput(path) { pictureOfStandardInput = (path, picture) }
    return picture
  }

  /// Opens a file and reads its header.
  func open(
    _ path: String, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assuming assumption: Assumption? = nil,
    salvaging: Bool = false
  ) throws -> OpenedImageFile {
    try beginReadingInput(path)
    return try OpenedImageFile(
      path, page: page, layer: layer, inks: inks, assumingInks: assumption?.inks,
      salvaging: salvaging, limits: settings.fileLimits)
  }

  func picture(
    in file: OpenedImageFile, at path: String, assuming assumption: Assumption?,
    isUpright: Bool = true, page: Int? = nil, takesPage: Bool = true, gainMap: GainMapUse? = nil
  ) throws -> Picture {
    try report(file, at: path, assuming: assumption, page: page, takesPage: takesPage)
    if let gainMap, gainMap.readsMap {
      return try gainMap.picture(
        of: file, at: path, assuming: assumption?.space, isUpright: isUpright)
    }
    return try file.picture(assuming: assumption?.space, isUpright: isUpright)
  }

  /// Checks an assumption about a file, and reports it and the file's notes. `readsAllLayers` says that what is not read of a layer, such as
  /// other channels, is read of another one.
  func report(
    _ file: OpenedImageFile, at path: String, assuming assumption: Assumption?, page: Int?,
    takesPage: Bool = true, readsAllLayers: Bool = false
  ) throws {
    try assumption?.check(of: file, at: path)
    tellAssumption(assumption, of: file, at: path)
    for note in file.info.notes where !note.repeatsStatedColor {
      if readsAllLayers, case .unread = note { continue }
      tell(note, of: path, page: page, takesPage: takesPage)
    }
  }

  /// Reports a note of reading on standard error. Other pages are not reported where a page was requested. `takesPage` says whether --page,
  /// if the verb has it, is for this file.
  func tell(
    _ note: ImageFileNote, of path: String, page: Int?, takesPage: Bool = true
  ) {
    guard case .otherPages = note else { return self.note("“\(path)”: \(note)") }
    if page != nil { return }
    let advice =
      takesPage && settings.options.contains("--page")
      ? " Choose another one by --page."
      : " “colorloom convert --page” writes another one to a file."
    self.note("“\(path)”: \(note)\(advice)")
  }

  /// Reports on standard error the metadata and samples that a new file lost.
  func tell(_ report: WritingReport, of path: String) {
    for note in report.notes { self.note("“\(path)”: \(note)") }
    if report.clippedSamples > 0 { note("“\(path)”: \(report.clipping).") }
  }

  /// Reports on standard error where the color space of a file is an assumption.
  func tellAssumption(_ assumption: Assumption?, of file: OpenedImageFile, at path: String) {
    guard let assumption, file.info.holdsInks == (assumption.inks != nil) else { return }
    switch file.info.color {
    case .space(let space, let statement) where statement.isEasilyOverlooked:
      guard let assumed = assumption.space, assumed != space else { return }
      note(
        "“\(path)” is read as \(space) \(statement), so --assume has no effect: it is for files that state no color space. "
          + (settings.options.contains("--tag") ? "--tag" : "“colorloom convert --tag”")
          + " gives its values another one.")
    case .space: break
    case .unusable(let error):
      note(
        "\(error.finding) “\(path)” is taken for \(assumption) instead, as --assume says.")
    default: note("“\(path)” is taken for \(assumption), as --assume says.")
    }
  }

  /// Records that the command reads standard input, if a path leads there, and refuses that for a job in a batch.
  func beginReadingInput(_ path: String) throws {
    try refuseForeignStream(path, STDIN_FILENO)
    try takeStandardInput(as: path)
  }

  /// Refuses “-”, and other paths to a standard stream, for a job in a batch: standard input and output belong to the process.
  func refuseForeignStream(_ path: String, _ descriptor: Int32) throws {
    guard !console.ownsStreams, path == "-" || isPath(path, ofStream: descriptor) else { return }
    throw Misuse(onForeignStream: path)
  }
}

extension ColorStatement {
  /// Whether users may take a file for one that states no color space: OpenEXR files hold no profile, and numbers have no name.
  fileprivate var isEasilyOverlooked: Bool {
    switch self {
    case .formatRule, .chromaticities, .colorInteropID: true
    default: false
    }
  }
}

/// Damage of a file below intact rows, which --salvage reads.
struct SalvageableDamage: Error { let error: any Error }

/// The report of a written file.
struct WrittenFile: NotingReport {
  let file: String
  /// The file that it was made of, where that is one.
  var source: String?
  /// The same as `file`, in a report on many: the lists there have it under one name.
  var output: String?
  /// The name of the picture in its recipe.
  var name: String?
  let width, height: Int
  let space: String
  /// The names of its ink channels, where it holds some.
  var inks: [String]?
  /// How many pixels of its source are out of a gamut, where they were counted.
  var pixelsOutside: Int?
  /// How far out of gamut a color had to be to be counted.
  var tolerance: String?
  /// The film that it was developed as.
  var film: FilmReport?
  /// Its quality, where --max-bytes chose it.
  var quality: Int?
  /// How many samples the file's format clipped.
  let clippedSamples: Int
  /// The requested metadata that the file does not hold; of one of many files, all notes on it and its source.
  var notes: [String]
  /// The pictures that could not be read, where it is a sheet of many.
  var failed: [FailedFile]?

  init(_ written: PictureFile, _ report: WritingReport) {
    file = written.path
    (clippedSamples, notes) = (report.clippedSamples, report.notes.map { "\($0)" })
    quality = written.writing.qualitySearch?.result?.quality
    (width, height) = (written.picture.size.width, written.picture.size.height)
    space = written.picture.space.name
  }
}

extension Picture {
  /// The default tolerance of out-of-gamut colors, in words.
  var precisionInWords: String { sourcePrecisions.map(\.description).joined(separator: ", ") }
}

/// The report of a file that could not be read or written.
struct FailedFile: Encodable {
  /// The file that could not be read, or the source of the one that could not be written.
  let file: String
  /// The same where it has an output, which is not written.
  var source, output: String?
  let error: String

  init(file: String, error: any Error, in session: Session) {
    (self.file, self.error) = (file, session.sentence(for: error))
  }
}

extension WritingReport {
  /// The number of clipped samples and their percentage.
  fileprivate var clipping: String {
    let part = Double(clippedSamples) / Double(max(sampleCount, 1))
    // In single precision, those of layers in half precision.
    let fate =
      samples == .float16 || samples == .float32
      ? "beyond ±65504 and are infinite in half precision" : "outside 0…1 and are clipped"
    return "\(clippedSamples) of \(sampleCount) samples (\(percent(part)) %) were \(fate)"
  }
}
