internal import CPNG

/// The texts of a PNG file (PNG, third edition, 11.3.3): tEXt, zTXt and iTXt, and the metadata that is stored as text.
///
/// EXIF, IPTC and Photoshop resources in hexadecimal digits (“Raw profile type …”) are no standard. ImageMagick and ExifTool write and
/// read them, and for IPTC and Photoshop resources there is no other place.
struct PNGTexts {
  private(set) var texts: [ImageMetadata.Text] = []
  /// Bytes by the kind of a raw profile, such as “iptc”.
  private var profiles: [String: [UInt8]] = [:]
  private var xmp: [UInt8]?
  /// The names of the chunks of damaged texts.
  private(set) var damagedNames: Set<String> = []
  /// How many bytes were unpacked, or tried to be.
  private(set) var unpackedCount = 0

  private static let xmpKeyword = "XML:com.adobe.xmp"
  private static let profileKeyword = "Raw profile type "
  /// Texts that are longer are packed.
  private static let longText = 1024

  /// Takes a chunk's text, where it unpacks to at most `limit` bytes; damaged ones are left out, and their names kept.
  mutating func add(_ name: String, _ body: [UInt8], limit: Int) {
    if !take(name, body, limit: limit) { damagedNames.insert(name) }
  }

  private mutating func take(_ name: String, _ body: [UInt8], limit: Int) -> Bool {
    guard let zero = body.prefix(80).firstIndex(of: 0), zero > 0 else { return false }
    let keyword = String(latin1: body[..<zero])
    var rest = body[(zero + 1)...]
    var text = ImageMetadata.Text(keyword: keyword, value: "")
    var value: [UInt8]?
    switch name {
    case "tEXt": value = Array(rest)
    case "zTXt": value = rest.first == 0 ? unpacked(rest.dropFirst(), limit: limit) : nil
    default:
      guard rest.count >= 2, let isPacked = rest.popFirst(), rest.popFirst() == 0 else {
        return false
      }
      let parts = rest.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return false }
      text.language = parts[0].isEmpty ? nil : String(decoding: parts[0], as: UTF8.self)
      text.translatedKeyword = parts[1].isEmpty ? nil : String(decoding: parts[1], as: UTF8.self)
      value = isPacked == 0 ? Array(parts[2]) : unpacked(parts[2], limit: limit)
    }
    guard let value else { return false }
    if keyword == Self.xmpKeyword {
      xmp = xmp ?? value
    } else if keyword.hasPrefix(Self.profileKeyword) {
      let kind = String(keyword.dropFirst(Self.profileKeyword.count))
      guard let profile = Self.rawProfile(value) else { return false }
      profiles[kind] = profiles[kind] ?? profile
    } else {
      text.value =
        name == "iTXt" ? String(decoding: value, as: UTF8.self) : String(latin1: value)
      texts.append(text)
    }
    return true
  }

  /// Moves the texts and the metadata in them to the properties of the metadata.
  func fill(_ metadata: inout ImageMetadata) {
    metadata.text = texts
    metadata.xmp = xmp ?? profiles["xmp"]
    metadata.exif = (profiles["exif"] ?? profiles["APP1"]).flatMap { profile in
      let name = Array("Exif\0\0".utf8)
      let bytes = profile.starts(with: name) ? Array(profile.dropFirst(name.count)) : profile
      return EXIF(bytes) == nil ? nil : bytes
    }
    for kind in ["8bim", "iptc"] {
      guard let profile = profiles[kind] else { continue }
      if profile.first == 0x1C {
        metadata.iptc = metadata.iptc ?? profile
      } else {
        PhotoshopResources(profile).fill(&metadata)
      }
    }
  }

  /// The chunks of texts, XMP, IPTC and Photoshop resources.
  static func chunks(of metadata: ImageMetadata) -> [(name: String, body: [UInt8])] {
    var chunks: [(String, [UInt8])] = []
    if let xmp = metadata.xmp {
      chunks.append(("iTXt", Array(xmpKeyword.utf8) + [0, 0, 0, 0, 0] + xmp))
    }
    let resources = PhotoshopResources.bytes(of: metadata, withIPTC: true)
    if !resources.isEmpty {
      let digits = Array("0123456789abcdef".utf8)
      var text = Array("\niptc\n\(resources.count)".utf8)
      for (index, byte) in resources.enumerated() {
        if index % 36 == 0 { text.append(UInt8(ascii: "\n")) }
        text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
      chunks.append(("zTXt", Array("\(profileKeyword)iptc".utf8) + [0, 0] + deflated(text + [10])))
    }
    for text in metadata.text {
      // Texts with other keywords or a NUL were left out with a note.
      guard let keyword = bytes(ofKeyword: text.keyword) else { continue }
      let scalars = text.value.unicodeScalars
      if text.language != nil || text.translatedKeyword != nil
        || scalars.contains(where: { $0.value > 255 })
      {
        let head = [text.language ?? "", text.translatedKeyword ?? ""].flatMap { part in
          part.utf8 + [0]
        }
        chunks.append(("iTXt", keyword + [0, 0, 0] + head + text.value.utf8))
      } else {
        let letters = scalars.map { UInt8($0.value) }
        chunks.append(
          letters.count > longText
            ? ("zTXt", keyword + [0, 0] + deflated(letters)) : ("tEXt", keyword + [0] + letters))
      }
    }
    return chunks
  }

  /// Returns the bytes of a keyword; nil where PNG does not allow it (PNG, third edition, 11.3.3.2) or reserves it for metadata.
  static func bytes(ofKeyword keyword: String) -> [UInt8]? {
    let scalars = keyword.unicodeScalars.map(\.value)
    guard (1...79).contains(scalars.count), scalars.first != 32, scalars.last != 32,
      scalars.allSatisfy({ (32...126).contains($0) || (161...255).contains($0) }),
      !scalars.contains([32, 32]),
      keyword != xmpKeyword, !keyword.hasPrefix(profileKeyword)
    else { return nil }
    return scalars.map { UInt8($0) }
  }

  /// Returns the unpacked bytes. Of more than `limit` bytes, one more than it is counted.
  private mutating func unpacked(_ packed: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    switch limit > 0 ? inflated(packed, limit: limit) : .tooLarge {
    case .bytes(let bytes):
      unpackedCount += bytes.count
      return bytes
    // Failed unpacking counts toward the limit too, so that many damaged texts cannot take more time than valid ones.
    case .damaged: unpackedCount += min(1032 * packed.count, limit)
    case .tooLarge: unpackedCount += limit + 1
    }
    return nil
  }

  /// A name, the number of bytes, and the bytes in hexadecimal digits, with white space between.
  private static func rawProfile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.drop { $0 == 10 }.split(
      separator: 10, maxSplits: 2, omittingEmptySubsequences: true)
    guard lines.count == 3,
      let count = Int(String(decoding: lines[1].filter { $0 != 32 }, as: UTF8.self)), count > 0,
      count <= lines[2].count / 2
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var high: UInt8?
    for letter in lines[2] {
      guard let digit = Character(Unicode.Scalar(letter)).hexDigitValue else { continue }
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return bytes.count >= count ? Array(bytes.prefix(count)) : nil
  }
}

/// The result of unpacking a zlib stream.
enum Inflated {
  case bytes([UInt8])
  case damaged
  /// More than the limit: a small file can hold a stream that unpacks to any length.
  case tooLarge
}

/// Unpacks a zlib stream of at most `limit` bytes.
func inflated(_ packed: ArraySlice<UInt8>, limit: Int) -> Inflated {
  var capacity = min(1 << 16, limit)
  while true {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { target, used in
      count = packed.withUnsafeBufferPointer {
        cpng_inflate($0.baseAddress, $0.count, target.baseAddress, capacity)
      }
      used = max(count, 0)
    }
    if count >= 0 { return .bytes(bytes) }
    guard count == -2 else { return .damaged }
    guard capacity < limit else { return .tooLarge }
    capacity = min(4 * capacity, limit)
  }
}

/// Packs bytes into a zlib stream.
func deflated(_ bytes: [UInt8]) -> [UInt8] {
  var count = compressBound(uLong(bytes.count))
  return [UInt8](unsafeUninitializedCapacity: Int(count)) { target, used in
    let state = compress2(target.baseAddress, &count, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
    precondition(state == Z_OK, "zlib could not pack \(bytes.count) bytes.")
    used = Int(count)
  }
}
