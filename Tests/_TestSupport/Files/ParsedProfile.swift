/// The tags of a profile, parsed independently of the code under test, for inspection and modification.
package struct ParsedProfile {
  package var header: [UInt8]
  package var tags: [String: [UInt8]]

  /// Creates a profile with the header fields that readers check first.
  package init(version: UInt8, profileClass: String, space: String, connection: String) {
    header = [UInt8](repeating: 0, count: 128)
    tags = [:]
    header[8] = version
    for (offset, letters) in [(12, profileClass), (16, space), (20, connection), (36, "acsp")] {
      header.replaceSubrange(offset..<offset + 4, with: Array(letters.utf8))
    }
  }

  package init(_ bytes: [UInt8]) {
    header = Array(bytes.prefix(128))
    tags = [:]
    for index in 0..<Self.integer(bytes, 128) {
      let entry = 132 + 12 * index
      let (offset, size) = (Self.integer(bytes, entry + 4), Self.integer(bytes, entry + 8))
      let name = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
      tags[name] = Array(bytes[offset..<offset + size])
    }
  }

  /// The profile's bytes, with tags sorted and none shared.
  package var bytes: [UInt8] {
    var table = Self.bytes(tags.count)
    var data: [UInt8] = []
    for (name, content) in tags.sorted(by: { $0.key < $1.key }) {
      let offset = 132 + 12 * tags.count + data.count
      table += Array(name.utf8) + Self.bytes(offset) + Self.bytes(content.count)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    return Self.bytes(128 + table.count + data.count) + header.dropFirst(4) + table + data
  }

  /// The 32-bit integers after a tag's type.
  package func integers(in tag: String) -> [Int] {
    let content = tags[tag] ?? []
    return stride(from: 8, to: content.count, by: 4).map {
      Int(Int32(truncatingIfNeeded: Self.integer(content, $0)))
    }
  }

  package static func bytes(_ number: Int) -> [UInt8] {
    number.bytes(4, isBigEndian: true)
  }

  private static func integer(_ bytes: [UInt8], _ offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension ParsedProfile {
  /// The bytes of a `curv` tag.
  package static func table(_ values: [UInt16]) -> [UInt8] {
    Array("curv".utf8) + [0, 0, 0, 0] + bytes(values.count)
      + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  package mutating func setCurves(_ curve: [UInt8]) {
    for tag in ["rTRC", "gTRC", "bTRC"] { tags[tag] = curve }
  }
}
