/// Photoshop image resource blocks (Adobe Photoshop File Formats Specification, “Image Resources Section”).
package struct PhotoshopResources {
  /// Blocks that are dropped: they are outdated by writing, or held elsewhere: thumbnails, profiles, EXIF, XMP.
  private static let dropped: Set = [1033, 1036, 1039, 1041, 1058, 1059, 1060]
  private static let iptcIdentifier = 1028
  /// Resolution, which has a place of its own.
  private static let resolutionIdentifier = 1005
  /// The names of the channels beside the colors, one byte or two per character.
  private static let namesIdentifier = 1006
  private static let unicodeNamesIdentifier = 1045
  /// The most names that are read, as many as a pixel of a TIFF file has samples: a name takes more memory than its byte of a hostile file.
  private static let mostNames = 65_535
  /// The copyright flag, and the URL of the copyright.
  private static let copyrightIdentifiers: Set = [1034, 1035]

  /// IPTC-IIM datasets.
  private(set) var iptc: [UInt8]?
  /// All blocks that are passed on as they are.
  private(set) var others: [UInt8] = []
  /// Those of the copyright that state something; nil where there are none.
  private(set) var copyright: [UInt8]?
  /// The names of the channels beside the colors, alpha among them; empty where none are listed.
  package private(set) var channelNames: [String] = []
  /// Whether all bytes are blocks, or zeros after the last one.
  private(set) var isWhole = false

  package init(_ bytes: [UInt8]) {
    var position = 0
    while bytes.count - position >= 12,
      ["8BIM", "MeSa", "PHUT", "AgHg", "DCSR"].contains(
        String(decoding: bytes[position..<position + 4], as: UTF8.self))
    {
      let identifier = bytes.bigEndian16(at: position + 4)
      // A name with its length before it, of an even number of bytes together.
      let name = 1 + Int(bytes[position + 6])
      let start = position + 6 + name + name % 2 + 4
      guard start <= bytes.count else { return }
      let count = Int(bytes.bigEndian32(at: start - 4))
      guard count <= bytes.count - start else { return }
      let end = min(start + count + count % 2, bytes.count)
      if identifier == Self.namesIdentifier, channelNames.isEmpty {
        channelNames = Self.texts(in: bytes[start..<start + count])
      } else if identifier == Self.unicodeNamesIdentifier {
        channelNames = Self.unicodeTexts(in: Array(bytes[start..<start + count]))
      }
      if identifier == Self.iptcIdentifier {
        if count > 0 { iptc = iptc ?? Array(bytes[start..<start + count]) }
      } else if !Self.dropped.contains(identifier), identifier != Self.resolutionIdentifier {
        let block = bytes[position..<end] + [UInt8](repeating: 0, count: (end - position) % 2)
        others += block
        if Self.copyrightIdentifiers.contains(identifier),
          bytes[start..<start + count].contains(where: { $0 != 0 })
        {
          copyright = (copyright ?? []) + block
        }
      }
      position = end
    }
    isWhole = bytes[position...].allSatisfy { $0 == 0 }
  }

  /// Texts with their length in a byte before each.
  private static func texts(in bytes: ArraySlice<UInt8>) -> [String] {
    var (texts, rest): ([String], ArraySlice<UInt8>) = ([], bytes)
    while texts.count < mostNames, let count = rest.popFirst(), count <= rest.count {
      texts.append(String(decoding: rest.prefix(Int(count)), as: UTF8.self))
      rest = rest.dropFirst(Int(count))
    }
    return texts
  }

  /// Texts of UTF-16 with their length in 32 bits before each, and zeros at the end of some.
  private static func unicodeTexts(in bytes: [UInt8]) -> [String] {
    var (texts, position): ([String], Int) = ([], 0)
    while texts.count < mostNames, bytes.count - position >= 4 {
      let count = Int(bytes.bigEndian32(at: position))
      position += 4
      guard count <= (bytes.count - position) / 2 else { break }
      let units = (0..<count).map { UInt16(bytes.bigEndian16(at: position + 2 * $0)) }
      texts.append(String(decoding: units.filter { $0 != 0 }, as: UTF16.self))
      position += 2 * count
    }
    return texts
  }

  /// The blocks of metadata, those of IPTC among them where asked for; empty where there are none.
  static func bytes(of metadata: ImageMetadata, withIPTC: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    if withIPTC, let iptc = metadata.iptc {
      bytes = Array("8BIM".utf8) + [4, 4, 0, 0] + bigEndianBytes([UInt32(clamping: iptc.count)])
      bytes += iptc + [UInt8](repeating: 0, count: iptc.count % 2)
    }
    // Resource blocks from a caller are filtered again, because they may hold a thumbnail.
    return bytes + (metadata.photoshop.map { PhotoshopResources($0).others } ?? [])
  }

  /// Takes both kinds, unless they are there already.
  func fill(_ metadata: inout ImageMetadata) {
    metadata.iptc = metadata.iptc ?? iptc
    metadata.photoshop = metadata.photoshop ?? (others.isEmpty ? nil : others)
  }
}
