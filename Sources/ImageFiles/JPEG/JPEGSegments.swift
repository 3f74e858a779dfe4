/// The segments of a JPEG file before its first scan that hold color information and metadata, parsed without libjpeg.
struct JPEGSegments {
  /// The parts of an ICC profile by number, how many there should be, and whether they contradict each other (ICC.1:2022, B.4).
  private var profileParts: [Int: [UInt8]] = [:]
  private var profilePartCount: Int?
  private var profileIsContradictory = false
  private(set) var metadata = ImageMetadata()
  /// Metadata that differs from earlier metadata of its kind, and is not read.
  private(set) var notes: [ImageFileNote] = []
  /// Image resource blocks, which may continue in the next segment.
  private var photoshop: [UInt8] = []
  /// Whether other pictures follow (CIPA DC-007, Multi-Picture Format), and where.
  private(set) var hasOtherPictures = false
  private(set) var pictures: MultiPictureIndex?
  /// The metadata of ISO 21496-1: those of a gain map, or the version alone.
  private(set) var gainMap: [UInt8]?
  /// The chroma subsampling, such as 4:2:0, and the bits of a sample.
  private(set) var storage = ""
  /// The root mean square of the steps in the coarsest quantization table; 1 for the finest possible table.
  private var coarsestQuantum = 1.0
  private var hasSubsampledChroma = false

  /// The most bytes of a segment's body.
  static let capacity = 65_533
  static let profileName = Array("ICC_PROFILE\0".utf8)
  static let exifName = Array("Exif\0\0".utf8)
  static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let photoshopName = Array("Photoshop 3.0\0".utf8)
  private static let jfifName = Array("JFIF\0".utf8)

  private enum Marker {
    static let end: UInt8 = 0xD9, scan: UInt8 = 0xDA
    static let app0: UInt8 = 0xE0, app1: UInt8 = 0xE1, app2: UInt8 = 0xE2
    static let app13: UInt8 = 0xED, comment: UInt8 = 0xFE, quantization: UInt8 = 0xDB
    /// The markers of segments that are kept.
    static let metadata: Set = [app0, app1, app2, app13, comment]
    static func isFrame(_ marker: UInt8) -> Bool {
      (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
    /// Whether a marker has no length field.
    static func standsAlone(_ marker: UInt8) -> Bool {
      (0xD0...0xD8).contains(marker) || marker == 1
    }
  }

  /// Parses the segments. Damage is left for libjpeg to report.
  init(_ bytes: ByteSource, limits: FileLimits) throws(ImageFileError) {
    let window = ByteWindow(bytes)
    var (position, kept) = (2, 0)
    while position + 4 <= bytes.count {
      // Any number of fill bytes 0xFF may precede a marker, whose second byte is never 0 (Rec. ITU-T T.81, B.1.1.2).
      let marker = try window[position + 1]
      guard try window[position] == 0xFF, marker != 0xFF, marker != 0 else {
        position += 1
        continue
      }
      position += 2
      if Marker.standsAlone(marker) { continue }
      if marker == Marker.scan || marker == Marker.end { break }
      let length = try window.number(2, at: position, isBigEndian: true)
      guard length >= 2, position + length <= bytes.count else { break }
      let body = try bytes.array(position + 2..<position + length)
      position += length
      if Marker.metadata.contains(marker) {
        // Comments may be empty, and take memory nevertheless.
        kept += body.count + ImageMetadata.bytesPerText
        guard kept <= limits.metadataBytes else {
          throw .tooMuchMetadata(file: bytes.name, limit: limits.metadataBytes)
        }
        keep(body, marker, at: position - body.count)
      } else if marker == Marker.quantization {
        measure(quantization: body)
      } else if Marker.isFrame(marker) {
        describe(frame: body, marker)
      }
    }
    PhotoshopResources(photoshop).fill(&metadata)
    // Cameras and editors keep that of EXIF; JFIF segments often have a fixed one. A length counts before a mere ratio.
    let stated = [metadata.exif.flatMap(EXIF.init)?.resolution, metadata.resolution]
      .compactMap(\.self)
    metadata.resolution = stated.first { $0.unit != .none } ?? stated.first
  }

  /// Takes metadata that a file should have once; another one, unless it is the same, is noted.
  private mutating func keep(
    _ bytes: ArraySlice<UInt8>, as place: WritableKeyPath<ImageMetadata, [UInt8]?>, _ name: String
  ) {
    guard let known = metadata[keyPath: place] else {
      metadata[keyPath: place] = Array(bytes)
      return
    }
    let note = ImageFileNote.unread(name)
    if !known.elementsEqual(bytes), !notes.contains(note) { notes.append(note) }
  }

  private mutating func keep(_ body: [UInt8], _ marker: UInt8, at position: Int) {
    if marker == Marker.app2, body.starts(with: Self.profileName), body.count >= 14 {
      let (number, count) = (Int(body[12]), Int(body[13]))
      let part = Array(body[14...])
      // A repeated part is harmless; two different parts of one number are not.
      if let known = profileParts[number], known != part { profileIsContradictory = true }
      if let known = profilePartCount, known != count { profileIsContradictory = true }
      profileParts[number] = part
      profilePartCount = count
    } else if marker == Marker.app1, body.starts(with: Self.exifName) {
      keep(body.dropFirst(Self.exifName.count), as: \.exif, "a second EXIF segment")
    } else if marker == Marker.app1, body.starts(with: Self.xmpName) {
      keep(body.dropFirst(Self.xmpName.count), as: \.xmp, "a second XMP packet")
    } else if marker == Marker.app13, body.starts(with: Self.photoshopName) {
      photoshop += body.dropFirst(Self.photoshopName.count)
    } else if marker == Marker.app0, body.starts(with: Self.jfifName), body.count >= 12 {
      let units: [UInt8: ImageMetadata.Resolution.Unit] = [0: .none, 1: .inch, 2: .centimetre]
      metadata.resolution = units[body[7]].flatMap {
        ImageMetadata.Resolution(
          Double(body[8]) * 256 + Double(body[9]), Double(body[10]) * 256 + Double(body[11]),
          unit: $0)
      }
    } else if marker == Marker.app2, body.starts(with: MultiPictureIndex.name) {
      hasOtherPictures = true
      let name = MultiPictureIndex.name.count
      pictures = pictures ?? MultiPictureIndex(Array(body[name...]), at: position + name)
    } else if marker == Marker.app2, body.starts(with: GainMapDescription.segmentName) {
      gainMap = gainMap ?? Array(body.dropFirst(GainMapDescription.segmentName.count))
    } else if marker == Marker.comment {
      // The standard names no encoding.
      let text = String(utf8OrLatin1: body.prefix { $0 != 0 })
      metadata.text.append(.init(keyword: ImageMetadata.commentKeyword, value: text))
    }
  }

  /// Parses a frame header: bits, height, width, and the sampling factors and quantization table of each component.
  private mutating func describe(frame body: [UInt8], _ marker: UInt8) {
    guard body.count >= 6, body.count >= 6 + 3 * Int(body[5]) else { return }
    let sampling = (0..<Int(body[5])).map { component in
      let both = body[7 + 3 * component]
      return [both >> 4, both & 15]
    }
    let kinds: [UInt8: String] = [0xC0: "baseline", 0xC1: "sequential", 0xC2: "progressive"]
    storage = "\(kinds[marker] ?? "frame \(marker - 0xC0)"), \(sampling.count) components"
    guard sampling.count == 3, sampling[1] == sampling[2], !sampling[1].contains(0) else { return }
    let step = [sampling[0][0] / sampling[1][0], sampling[0][1] / sampling[1][1]]
    hasSubsampledChroma = step != [1, 1]
    let names: [[UInt8]: String] = [
      [1, 1]: "4:4:4", [2, 1]: "4:2:2", [2, 2]: "4:2:0", [1, 2]: "4:4:0", [4, 1]: "4:1:1",
    ]
    storage += ", chroma \(names[step] ?? "1 of \(step[0]) × \(step[1])")"
  }

  /// Parses quantization tables: 64 steps of one or two bytes, each table behind a byte with its precision and number (Rec. ITU-T T.81,
  /// B.2.4.1).
  private mutating func measure(quantization body: [UInt8]) {
    var rest = body[...]
    while let kind = rest.popFirst() {
      let width = kind >> 4 == 0 ? 1 : 2
      guard rest.count >= 64 * width else { return }
      let bytes = Array(rest.prefix(64 * width))
      let squares = (0..<64).map { index in
        let step = bytes[index * width..<(index + 1) * width].reduce(0) { $0 * 256 + Double($1) }
        return step * step
      }
      coarsestQuantum = max(coarsestQuantum, (squares.reduce(0, +) / 64).squareRoot())
      rest = rest.dropFirst(64 * width)
    }
  }

  /// An estimate of the largest error of a sample by quantization and chroma subsampling, with 255 as 1.
  ///
  /// The strict bound, half a step for all 64 coefficients, is wider than any gamut. The estimate was measured on photographs instead, with
  /// colors of sRGB stored in Display P3, Rec. 2020 and Adobe RGB. At qualities 50, 75, 90, 95 and 100 the farthest color was 27, 25, 16,
  /// 14 and 4 codes outside of sRGB; after doubling the saturation it was 38, 43, 23, 17 and 4. 6 · √(step) gives 57, 40, 26, 18 and 6.
  /// Chroma subsampling moves colors at edges by up to 25 codes at any quality. With an estimate of more than 40 codes, the reds of Display
  /// P3 would no longer count as wide gamut.
  var compressionError: Double {
    let quantization = 6 * coarsestQuantum.squareRoot()
    return min(max(quantization, hasSubsampledChroma ? 25 : 0), 40) / 255
  }

  /// The profile's bytes; nil where there is no profile, a failure where some of its parts are missing or contradictory.
  var profile: Result<[UInt8], Damage>? {
    guard let count = profilePartCount else { return nil }
    let parts = (1...max(count, 1)).compactMap { profileParts[$0] }
    guard parts.count == count, parts.count == profileParts.count, !profileIsContradictory else {
      return .failure(
        Damage(
          reason: "the file has \(parts.count) of the \(count) segments of its ICC profile"
            + (profileIsContradictory ? ", which contradict each other" : "")))
    }
    return .success(Array(parts.joined()))
  }

  struct Damage: Error { let reason: String }
}
