/// The segments of a JPEG file before its first scan that say what its colors mean, read without libjpeg.
struct JPEGSegments {
  /// The parts of an ICC profile by number, how many there should be, and whether they contradict each other (ICC.1:2022, B.4).
  private var profileParts: [Int: [UInt8]] = [:]
  private var profilePartCount: Int?
  private var profileIsContradictory = false
  private(set) var metadata = ImageMetadata()
  /// How often chroma is sampled, as people write it, and the bits of a sample.
  private(set) var storage = ""

  static let profileName = Array("ICC_PROFILE\0".utf8)
  static let exifName = Array("Exif\0\0".utf8)
  static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  private enum Marker {
    static let start: UInt8 = 0xD8, end: UInt8 = 0xD9, scan: UInt8 = 0xDA
    static let app1: UInt8 = 0xE1, app2: UInt8 = 0xE2
    static func isFrame(_ marker: UInt8) -> Bool {
      (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
    /// Those that no length follows.
    static func standsAlone(_ marker: UInt8) -> Bool {
      (0xD0...0xD8).contains(marker) || marker == 1
    }
  }

  /// What stands there. Damage is left for libjpeg to find.
  init(_ bytes: ByteSource, limits: FileLimits) throws(ImageFileError) {
    let window = ByteWindow(bytes)
    var (position, kept) = (2, 0)
    while position + 4 <= bytes.count {
      // Segments may have any number of 255s between them.
      let marker = try window[position + 1]
      guard try window[position] == 0xFF, marker != 0xFF else {
        position += 1
        continue
      }
      position += 2
      if Marker.standsAlone(marker) { continue }
      if marker == Marker.scan || marker == Marker.end { return }
      let length = Int(try window[position]) << 8 | Int(try window[position + 1])
      guard length >= 2, position + length <= bytes.count else { return }
      let body = try bytes.array(position + 2..<position + length)
      position += length
      if marker == Marker.app1 || marker == Marker.app2 {
        kept += body.count
        guard kept <= limits.metadataBytes else {
          throw .tooMuchMetadata(file: bytes.name, limit: limits.metadataBytes)
        }
        keep(body, marker)
      } else if Marker.isFrame(marker) {
        describe(frame: body, marker)
      }
    }
  }

  private mutating func keep(_ body: [UInt8], _ marker: UInt8) {
    if marker == Marker.app2, body.starts(with: Self.profileName), body.count >= 14 {
      let (number, count) = (Int(body[12]), Int(body[13]))
      let part = Array(body[14...])
      // The same part twice is harmless; two parts of one number are not.
      if let known = profileParts[number], known != part { profileIsContradictory = true }
      if let known = profilePartCount, known != count { profileIsContradictory = true }
      profileParts[number] = part
      profilePartCount = count
    } else if marker == Marker.app1, body.starts(with: Self.exifName), metadata.exif == nil {
      metadata.exif = Array(body.dropFirst(Self.exifName.count))
    } else if marker == Marker.app1, body.starts(with: Self.xmpName), metadata.xmp == nil {
      metadata.xmp = Array(body.dropFirst(Self.xmpName.count))
    }
  }

  /// Bits, rows, columns, and of each component its name, how often it is sampled, and its table.
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
    let names: [[UInt8]: String] = [
      [1, 1]: "4:4:4", [2, 1]: "4:2:2", [2, 2]: "4:2:0", [1, 2]: "4:4:0", [4, 1]: "4:1:1",
    ]
    storage += ", chroma \(names[step] ?? "1 of \(step[0]) × \(step[1])")"
  }

  /// The profile's bytes; nil where there is none, or not all of it.
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
