internal import ColorSpaces

/// Assembles the bytes of a profile, reproducibly.
struct ProfileWriter {
  let version: ICCProfile.FormatVersion
  private var tags: [(Signature, [UInt8])] = []

  init(version: ICCProfile.FormatVersion) { self.version = version }

  /// Adds a tag. Tags with equal bytes share them.
  mutating func add(_ tag: Signature, _ type: Signature, _ body: [UInt8]) {
    tags.append((tag, type.rawValue.bigEndianBytes + [0, 0, 0, 0] + body))
  }

  func bytes(colorSpace: Signature) -> [UInt8] {
    var table: [UInt8] = []
    var data: [UInt8] = []
    var offsets: [[UInt8]: Int] = [:]
    let dataStart = ProfileLayout.smallestByteCount + 12 * tags.count
    for (tag, content) in tags {
      let offset = offsets[content] ?? dataStart + data.count
      if offsets.updateValue(offset, forKey: content) == nil {
        data += content
        // Tags are aligned to 4 bytes (ICC.1:2022, 7.3.1).
        data += [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
      }
      table += tag.rawValue.bigEndianBytes
      table += UInt32(offset).bigEndianBytes + UInt32(content.count).bigEndianBytes
    }
    let header = header(byteCount: dataStart + data.count, colorSpace: colorSpace)
    var bytes = header + UInt32(tags.count).bigEndianBytes + table + data
    if version == .v4 {
      bytes.replaceSubrange(
        ICCProfile.identifierRange, with: ICCProfile.identifier(of: bytes))
    }
    return bytes
  }

  /// Writes the header (ICC.1:2022, 7.2). Fields not named here are zero.
  private func header(byteCount: Int, colorSpace: Signature) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    func put(_ bytes: [UInt8], at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(UInt32(byteCount).bigEndianBytes, at: 0)
    switch version {
    case .v2: put([2, 0x40], at: 8)
    case .v4:
      // The cicp tag requires version 4.4; older readers understand everything else.
      let hasCodePoints = tags.contains { $0.0 == "cicp" }
      put([4, hasCodePoints ? 0x40 : 0x30], at: 8)
    }
    put(Signature("mntr").rawValue.bigEndianBytes, at: 12)
    put(colorSpace.rawValue.bigEndianBytes, at: 16)
    put(Signature("XYZ ").rawValue.bigEndianBytes, at: 20)
    // A fixed date, so that the bytes are reproducible.
    put([2026, 1, 1, 0, 0, 0].flatMap { UInt16($0).bigEndianBytes }, at: 24)
    put(Signature("acsp").rawValue.bigEndianBytes, at: 36)
    put(connectionWhiteInFixedPoint.flatMap(\.bigEndianBytes), at: 68)
    return header
  }
}

/// The PCS white in steps of 1/65,536.
let connectionWhiteInFixedPoint: [Int32] = [0xF6D6, 0x1_0000, 0xD32D]

extension FixedWidthInteger {
  /// The bytes in big-endian order.
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension Int32 {
  /// Creates an `s15Fixed16Number`; nil if the value is out of range.
  init?(s15Fixed16 x: Double) {
    let scaled = (x * 65_536).rounded()
    guard scaled.isFinite, abs(scaled) <= Double(Int32.max) else { return nil }
    self.init(scaled)
  }
}
