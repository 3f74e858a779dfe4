import Colorloom
import ImageFiles

/// What becomes of gain maps: --gain-maps. Where the option is not given, a gain map is kept as far as it can be.
enum GainMapUse: Hashable {
  case drop, hdr, map, add

  static let help =
    "drop the gain map, read the HDR picture or the map itself, or add a gain map from the result to the HDR picture "
    + "that is read to the written file (JPEG, HEIF, AVIF); default: keep it where steps only move and resize pixels"

  /// Whether the picture that is read is not the base picture.
  var readsMap: Bool { self == .hdr || self == .map }

  /// Returns the HDR picture or the gain map of a file.
  func picture(
    of file: OpenedImageFile, at path: String, assuming assumption: ColorSpace?, isUpright: Bool
  ) throws -> Picture {
    let picture =
      self == .map
      ? file.gainMap(isUpright: isUpright)?.picture
      : try file.hdrPicture(assuming: assumption, isUpright: isUpright)
    guard let picture else {
      let isDamaged = file.info.notes.contains {
        if case .unusableGainMap = $0 { true } else { false }
      }
      throw Misuse(
        isDamaged
          ? "The gain map of “\(path)” cannot be used. Leave out --gain-maps to read its base picture."
          : "“\(path)” has no gain map. Leave out --gain-maps.")
    }
    return picture
  }
}

extension Session {
  /// Reports that a file's gain map is not passed on. The reason ends a sentence.
  func noteOmittedGainMap(of path: String, because reason: String) {
    note("The gain map of “\(path)” is left out, because \(reason).")
  }
}

extension FileOption {
  /// `--gain-maps add`.
  static var addingGainMap: FileOption {
    FileOption(words: "--gain-maps add", files: "JPEG, HEIF and AVIF files") {
      $0.format.holdsGainMaps
    }
  }
}

extension Parser<GainMapUse> {
  static var gainMapUse: Parser<GainMapUse> {
    .choice(["drop": .drop, "hdr": .hdr, "map": .map, "add": .add])
  }
}

/// The report of a file's gain map.
struct GainMapReport: Encodable {
  /// All of it in words.
  let summary: String
  let width, height: Int
  let channels: String
  /// The standards that describe it.
  let standards: [String]
  /// The range of gains in stops, by channel, and the headroom of both renditions.
  let least, greatest: [Double]
  let baseHeadroom, alternateHeadroom: Double

  init(_ map: ImageFileGainMap) {
    (width, height, channels) = (map.size.width, map.size.height, "\(map.channels)")
    summary = "\(map)"
    standards = map.standards.map(\.rawValue)
    (least, greatest) = ((0..<3).map { map.gain.least[$0] }, (0..<3).map { map.gain.greatest[$0] })
    (baseHeadroom, alternateHeadroom) = (map.gain.baseHeadroom, map.gain.alternateHeadroom)
  }
}
