import Colorloom
import ImageFiles

final class InfoVerb: Verb {
  static let name = "info"
  static let summary = "print size, samples and color space of files, one line each"
  static let example = "colorloom info photo.png"
  static var arguments: [Argument<InfoVerb>] {
    [
      .positional(.path, "the picture; only its header is read", \.path),
      .rest(.path.named("MORE"), "further pictures or folders", \.more),
      .page(\.page),
      .layerName(\.layer),
      .flag("--json", "print the header as a JSON object per file", \.printsJSON),
    ]
  }

  var path = ""
  var more: [String] = []
  var page: Int?
  var layer: String?
  var printsJSON = false

  func run(in session: Session) throws {
    if more.isEmpty, !isFolder(path) { return try tell(path, in: session) }
    // One unreadable file does not stop the others.
    let (files, failed) = try PictureListing.readableFiles(at: [path] + more, in: session)
    if printsJSON { for folder in failed { print(folder, in: session) } }
    for path in files {
      // Notes of one file, or of a folder, are not those of others.
      do { try tell(path, in: Session(session.settings, session.console)) } catch {
        session.fail(session.sentence(for: error))
        if printsJSON { print(FailedFile(file: path, error: error, in: session), in: session) }
      }
    }
  }

  /// Prints the report of a file that cannot be read, without the notes of the command.
  private func print(_ failed: FailedFile, in session: Session) {
    Session(session.settings, session.console).print(json: failed)
  }

  private func tell(_ path: String, in session: Session) throws {
    let info = try info(of: path, in: session)
    if printsJSON { return session.print(json: FileReport(info, of: path)) }
    session.print(
      "\(path): \(info.size) pixels, \(info.storedChannels), \(info.storedSamples), \(info.colorSummary)"
        + (info.pages.count > 1 ? ", \(info.pages)" : "")
        + (info.animation.map { " (\($0))" } ?? "")
        + (info.layer.map { ", of “\($0)”" } ?? "")
        + (info.layers.isEmpty ? "" : ", layers: \(listed(info.layers.map(\.name), most: 12))")
        + (info.partNames.isEmpty ? "" : ", parts: \(listed(info.partNames, most: 12))")
        + (info.gainMap.map { ", gain map: \($0)" } ?? "")
        + (info.metadata.statesLocation ? ", location in the metadata" : "")
        + (info.metadata.authorship.map { ", \($0)" } ?? ""))
  }
}

extension InfoVerb {
  /// Returns the header. Where a file holds named layers only, that of a layer, since it lists all of them; not from a pipe, which is read
  /// once.
  private func info(of path: String, in session: Session) throws -> ImageFileInfo {
    do { return try session.open(path, page: page, layer: layer).info } catch {
      guard case .noSuchLayer(_, nil, let channels, _) = error as? ImageFileError,
        !isPipe(path), let name = ChannelLayers(ofChannels: channels).example,
        let info = try? session.open(path, page: page, layer: name).info
      else { throw error }
      session.note(
        "“\(path)” has no colors outside of layers; this is “\(name)”. Choose another layer by --layer-name."
      )
      return info
    }
  }
}

/// The report of a file's header.
struct FileReport: NotingReport {
  let file, format, storage: String
  let width, height: Int
  let channels, samples, stated: String
  /// The color space by its name, or the profile of ink channels, as the report of a written file has it; nil where none can be used.
  let space: String?
  /// The part of the file that states the space, or the rule of its format.
  let statedBy: String?
  /// The names of the ink channels, where the file holds some.
  let inks: [String]?
  let profile: String?
  let orientation: String
  let metadata: Metadata
  let page, pages: Int
  /// The timing of an animation.
  let animation: Animation?
  /// The layer, the channel or the extra sample that was chosen.
  let layer: String?
  /// What --layer-name takes.
  let layers: [Layer]
  /// The names of the parts of an OpenEXR file with several, which --layer-name takes, too.
  let parts: [String]?
  let gainMap: GainMapReport?
  /// Warnings about how the file was interpreted.
  let notes: [String]

  /// How long the frame and all frames are shown, and how often the animation is repeated; nil for without an end.
  struct Animation: Encodable {
    let frameSeconds, seconds: Double
    let repetitions: Int?
    /// The same in words.
    var summary: String { timing.description }
    private let timing: ImageAnimation

    private enum CodingKeys: CodingKey { case frameSeconds, seconds, repetitions }

    init(_ timing: ImageAnimation) {
      (frameSeconds, seconds) = (timing.frameDuration, timing.duration)
      (repetitions, self.timing) = (timing.repetitions, timing)
    }
  }

  /// A layer, a channel or an extra sample, and the file's names of its channels.
  struct Layer: Encodable {
    let name: String
    let channels: [String]
  }

  /// The sizes of metadata in bytes, and luminance in candelas per square meter.
  struct Metadata: Encodable {
    let exifBytes, xmpBytes, iptcBytes, photoshopBytes: Int?
    /// Whether EXIF, XMP or IPTC state a location.
    let statesLocation: Bool
    /// The copyright notice, and the names of those who made the picture.
    let copyright: String?
    let creators: [String]?
    let text: [String: String]
    /// Horizontal and vertical, in pixels per inch; nil without a unit.
    let pixelsPerInch: [Double]?
    let contentLight: [Double]?
    let masteringLuminance: [Double]?

    init(_ metadata: ImageMetadata) {
      (exifBytes, xmpBytes) = (metadata.exif?.count, metadata.xmp?.count)
      (iptcBytes, photoshopBytes) = (metadata.iptc?.count, metadata.photoshop?.count)
      statesLocation = metadata.statesLocation
      copyright = metadata.copyright
      creators = metadata.creators.isEmpty ? nil : metadata.creators
      text = Dictionary(metadata.text.map { ($0.keyword, $0.value) }) { "\($0)\n\($1)" }
      pixelsPerInch = metadata.resolution?.pixelsPerInch
      contentLight = metadata.contentLight.map { [$0.maximum, $0.frameAverage] }
      masteringLuminance = metadata.masteringDisplay.map {
        [$0.luminance.lowerBound, $0.luminance.upperBound]
      }
    }
  }

  init(_ info: ImageFileInfo, of path: String) {
    (file, format, storage) = (path, info.format.name, info.storage)
    (width, height) = (info.size.width, info.size.height)
    (channels, samples) = (info.storedChannels, "\(info.storedSamples)")
    (stated, inks) = (info.colorSummary, info.inks?.names)
    (space, statedBy) = info.spaceAndStatement
    profile = info.profile.map { "\($0)" }
    orientation = "\(info.orientation)"
    metadata = Metadata(info.metadata)
    (page, pages, layer) = (info.pages.number, info.pages.count, info.layer)
    layers = info.layers.map { Layer(name: $0.name, channels: $0.channels) }
    parts = info.partNames.isEmpty ? nil : info.partNames
    animation = info.animation.map(Animation.init)
    gainMap = info.gainMap.map(GainMapReport.init)
    notes = info.notes.filter { !$0.repeatsStatedColor }.map { "\($0)" }
  }
}

extension ImageMetadata {
  /// The copyright notice and the creators in one line; nil where neither is stated.
  fileprivate var authorship: String? {
    func inOneLine(_ text: String) -> String {
      beginning(of: text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
    let notice = copyright.map { "copyright “\(inOneLine($0))”" }
    let names = creators.isEmpty ? nil : "by \(listed(creators.map(inOneLine)))"
    let parts = [notice, names].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension ImageMetadata.Resolution {
  /// Horizontal and vertical; nil without a unit.
  fileprivate var pixelsPerInch: [Double]? {
    switch unit {
    case .inch: [horizontal, vertical]
    case .centimetre: [horizontal * 2.54, vertical * 2.54]
    default: nil
    }
  }
}

extension ImageFileInfo {
  /// The channels of the stored pixels: the ink channels of the file, or those that reading gives.
  fileprivate var storedChannels: String { inks.map { "\($0)" } ?? "\(channels)" }

  /// The name of the color space, or of the profile of ink channels, and the word for what states it; nil for what is not stated or cannot
  /// be used.
  fileprivate var spaceAndStatement: (space: String?, statedBy: String?) {
    if holdsInks {
      if case .unusable = color { return (nil, nil) }
      return (profile.map { "\($0)" }, profile.map { _ in ColorStatement.profile.rawValue })
    }
    guard case .space(let space, let statement) = color else { return (nil, nil) }
    return (space.name, statement.rawValue)
  }

  /// The color space in words; of ink channels, that of the profile.
  fileprivate var colorSummary: String {
    guard holdsInks else { return color.summary }
    if let profile { return "“\(profile)” by its ICC profile" }
    if case .unusable = color { return color.summary }
    return "no profile"
  }
}

extension StatedColor {
  /// Whether the file states a color space that can be used.
  var isUsable: Bool {
    if case .space = self { true } else { false }
  }

  /// A few words, such as “Display P3 by its ICC profile”.
  var summary: String {
    switch self {
    case .space(let space, let statement): "\(space) \(statement)"
    case .unusable(let error): "a color space that cannot be used (\(error.finding))"
    case .unstated: "no color space"
    @unknown default: "\(self)"
    }
  }
}
