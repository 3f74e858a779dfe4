public import ColorSpaces
public import FilterGraph
public import ImageBuffer

/// The gain map of a file: a small picture of the gain that leads from the base picture to one of another dynamic range (ISO 21496-1;
/// Ultra HDR).
public struct ImageFileGainMap: Hashable, Sendable {
  /// A standard by which a file describes its gain map.
  @nonexhaustive
  public enum Standard: String, Hashable, Sendable {
    /// The binary metadata of ISO 21496-1.
    case iso21496 = "ISO 21496-1"
    /// The XMP properties of Ultra HDR and of Adobe's gain map specification.
    case ultraHDR = "Ultra HDR"
  }

  /// The size of the stored gain map, before orientation is applied.
  public let size: PixelSize
  /// The channels of the gain map: gray or RGB.
  public let channels: Channels
  /// What the values of the gain map mean, at the full headroom.
  public let gain: GainMap
  /// The standards by which the file describes it. The first one counts.
  public let standards: [Standard]
  /// The space in which the gain is applied; nil for that of the base picture.
  public let space: ColorSpace?

  let place: Place
  /// The header of the gain map as a picture.
  var info: ImageFileInfo { header.info }
  private let header: Header

  /// Where a gain map is in a file.
  enum Place: Hashable {
    /// A file of its own within the file.
    case bytes(Range<Int>)
    /// A picture of an HEIF file.
    case item(UInt32)
  }

  /// A file's header contains that of its gain map, so that one of them must be elsewhere.
  private final class Header: Sendable {
    let info: ImageFileInfo

    init(_ info: ImageFileInfo) { self.info = info }
  }

  /// Creates a gain map of a picture within the file.
  ///
  /// - Parameter space: The space in which the gain is applied, where that is not the base picture's; nil where the file states none that
  ///   can be read. A gray map with equal gains is then applied in the base picture's space, which gives the same colors if both spaces
  ///   have the same white point.
  init(
    _ info: ImageFileInfo, at place: Place, _ description: GainMapDescription,
    by standards: [Standard], space: ColorSpace?
  ) throws(GainMapDamage) {
    guard info.inks == nil else { throw GainMapDamage(reason: "it has ink channels") }
    let isEqualInChannels = info.channels.isGray && description.gain.isEqualInChannels
    guard description.usesBaseSpace || space != nil || isEqualInChannels else {
      throw GainMapDamage(
        reason: "its gain is applied in a color space that the file does not state")
    }
    (size, channels, self.place) = (info.storedSize, info.channels, place)
    (gain, header, self.standards) = (description.gain, Header(info), standards)
    self.space = description.usesBaseSpace ? nil : space
  }

  /// Whether the properties agree, and the place in the file.
  public static func == (a: ImageFileGainMap, b: ImageFileGainMap) -> Bool {
    a.size == b.size && a.channels == b.channels && a.gain == b.gain && a.standards == b.standards
      && a.space == b.space && a.place == b.place
  }

  /// Hashes the properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(gain)
    hasher.combine(place)
  }
}

extension ImageFileGainMap: CustomStringConvertible {
  /// A few words, such as “160 × 120 pixels, gray, 0…2.5 stops, headroom 0…2.5 stops (ISO 21496-1, Ultra HDR)”.
  public var description: String {
    let names = standards.map(\.rawValue).joined(separator: ", ")
    return
      "\(size) pixels, \(channels), \(gain.least.min())…\(gain.greatest.max()) stops, headroom "
      + "\(gain.baseHeadroom)…\(gain.alternateHeadroom) stops (\(names))"
  }
}

extension JPEGSegments {
  /// Finds the gain map among the other pictures of the file, and notes pictures that are not read. A damaged gain map is a note, because
  /// the base picture can be read without it.
  func gainMap(in job: DecodingJob) -> (found: ImageFileGainMap?, notes: [ImageFileNote]) {
    let others = Array((pictures?.pictures ?? []).dropFirst())
    let unread = [ImageFileNote.unread("the other pictures of a Multi-Picture Format file")]
    guard job.findsGainMap else { return (nil, []) }
    var (reason, notes) = (nil as String?, [ImageFileNote]())
    for picture in others {
      let (end, overflow) = picture.start.addingReportingOverflow(picture.count)
      guard picture.count > 4, !overflow, end <= job.bytes.count else {
        reason =
          "the file's index states \(picture.count) bytes from \(picture.start) on, and the file has "
          + "\(job.bytes.count)"
        continue
      }
      do {
        guard let found = try ImageFileGainMap(picture.start..<end, of: job, noting: &notes)
        else { continue }
        return (found, notes + (others.count > 1 ? unread : []))
      } catch {
        reason = GainMapDamage(error).reason
      }
    }
    guard announcesGainMap else { return (nil, hasOtherPictures ? unread : []) }
    return (
      nil,
      [
        .unusableGainMap(
          reason: reason ?? "the file announces it, and no picture of the file is one")
      ]
    )
  }

  /// Whether the base picture's metadata says that there is a gain map.
  private var announcesGainMap: Bool {
    gainMap != nil || metadata.xmp.map { XMP($0).unreadParts.contains(XMP.gainMapPart) } ?? false
  }
}

extension ImageFileGainMap {
  /// Reads the header of a picture within a file; returns nil where that picture is no gain map.
  ///
  /// A picture may have two descriptions. That of ISO 21496-1 counts; one that is damaged, or of an unknown version, does not count beside
  /// one that can be used. A note names the other one where it is damaged or differs.
  fileprivate init?(
    _ range: Range<Int>, of job: DecodingJob, noting notes: inout [ImageFileNote]
  ) throws {
    let bytes = ByteSource(range, of: job.bytes)
    guard try bytes.array(0..<3) == [0xFF, 0xD8, 0xFF] else { return nil }
    let segments = try JPEGSegments(bytes, limits: job.limits)
    var descriptions: [(standard: Standard, description: GainMapDescription)] = []
    var damages: [(standard: Standard, damage: GainMapDamage)] = []
    func add(
      _ standard: Standard, _ bytes: [UInt8]?,
      _ parsed: ([UInt8]) throws(GainMapDamage) -> GainMapDescription?
    ) {
      guard let bytes else { return }
      do throws(GainMapDamage) {
        if let description = try parsed(bytes) { descriptions.append((standard, description)) }
      } catch {
        damages.append((standard, error))
      }
    }
    add(.iso21496, segments.gainMap) { (bytes) throws(GainMapDamage) in
      try GainMapDescription(iso: bytes)
    }
    add(.ultraHDR, segments.metadata.xmp) { (bytes) throws(GainMapDamage) in
      try GainMapDescription(xmp: bytes)
    }
    guard let (standard, description) = descriptions.first else {
      if let (_, damage) = damages.first { throw damage }
      return nil
    }
    let info = try DecodingJob(bytes: bytes, limits: job.limits, findsGainMap: false).decoder.info
    let space: ColorSpace? = if case .space(let space, _) = info.color { space } else { nil }
    try self.init(
      info, at: .bytes(range), description, by: descriptions.map(\.standard), space: space)
    for (other, damage) in damages {
      notes.append(.unread("the \(other.rawValue) description of its gain map: \(damage.reason)"))
    }
    for (other, found) in descriptions.dropFirst() where !found.gain.isClose(to: description.gain) {
      notes.append(
        .unread(
          "the \(other.rawValue) description of its gain map, which differs from that of "
            + "\(standard.rawValue)"))
    }
  }
}
