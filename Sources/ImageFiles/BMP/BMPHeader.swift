internal import ColorSpaces
internal import ICCProfiles
internal import ImageBuffer

/// The headers of a BMP file: how its pixels are stored. All numbers are little-endian.
struct BMPHeader {
  /// The coding of pixels.
  enum Coding {
    /// Rows of pixels, padded to multiples of 4 bytes.
    case rows
    /// Codes for runs of equal pixels, and for pixels that are left out (RLE4, RLE8, RLE24).
    case runs
  }

  /// Bytes of the file header, which the information header follows.
  static let fileHeaderBytes = 14
  /// Bytes of BITMAPCOREHEADER and BITMAPV5HEADER, the smallest and the largest information header.
  private static let (coreBytes, largestBytes) = (12, 124)

  let file: String
  let size: PixelSize
  /// Whether the first stored row is the top one.
  let isTopDown: Bool
  /// Bits of a stored pixel: 1, 2, 4 or 8 of a palette, 16, 24 or 32 of a color.
  let bits: Int
  let coding: Coding
  /// The bits of the channels, in pixels of 16 and 32 bits.
  private(set) var masks: BMPMasks?
  /// The palette, with `entryBytes` for a color: blue, green, red, and in all headers but BITMAPCOREHEADER an unused byte.
  let palette: Range<Int>?
  let entryBytes: Int
  /// Where the pixels begin.
  let pixelStart: Int
  /// The information header with zeros for the fields that it lacks.
  let fields: BMPFields

  /// Whether a file begins with a BMP's header. Two letters alone also begin texts.
  static func begins(_ start: [UInt8]) -> Bool {
    guard start.starts(with: "BM".utf8), start.count >= 18 else { return false }
    return isKnown(BMPFields(Array(start[fileHeaderBytes...])).headerBytes)
  }

  /// Whether an information header may have so many bytes: 12, 40, 52, 56, 108 or 124, and of OS/2 2.x 16 to 64, because it may end after
  /// any field.
  private static func isKnown(_ byteCount: Int) -> Bool {
    byteCount == coreBytes || (16...64).contains(byteCount) || [108, 124].contains(byteCount)
  }

  init(_ bytes: ByteSource) throws(ImageFileError) {
    file = bytes.name
    let start = Self.fileHeaderBytes
    let head = try bytes.array(0..<min(bytes.count, start + Self.largestBytes))
    let byteCount = BMPFields(Array(head.dropFirst(start))).headerBytes
    guard head.count >= start + min(byteCount, Self.largestBytes), Self.isKnown(byteCount) else {
      throw .damaged(
        file: file, reason: "it ends after \(bytes.count) bytes, before its header")
    }
    let isCore = byteCount == Self.coreBytes
    fields = BMPFields(Array(head.dropFirst(start)), stated: byteCount)
    bits = isCore ? fields.half(10) : fields.half(14)
    let isOS2 = isCore || byteCount <= 64 && ![40, 52, 56].contains(byteCount)
    let compression = isCore ? 0 : fields.word(16)
    let (width, height) =
      isCore ? (fields.half(4), fields.half(6)) : (fields.signed(4), fields.signed(8))
    guard width > 0, height != 0 else {
      throw .damaged(file: file, reason: "its header states \(width) × \(height) pixels")
    }
    size = PixelSize(width, abs(height))
    isTopDown = height < 0
    let kind = try BMPCompression(
      compression, bits: bits, isOS2: isOS2, headerBytes: byteCount, file: file)
    coding = kind.isRuns ? .runs : .rows
    // Masks follow a BITMAPINFOHEADER where the later headers have them as fields.
    let masksEnd = kind.maskCount > 0 ? 40 + 4 * kind.maskCount : 0
    let paletteStart = start + max(byteCount, masksEnd)
    let stated = try Self.statedPixelStart(head, behind: paletteStart, file: file)
    entryBytes = isCore ? 3 : 4
    let used = isCore ? 0 : fields.word(32)
    if bits <= 8 {
      let most = 1 << bits
      let count = used == 0 ? most : min(used, most)
      // Some writers leave out colors that no pixel has, and begin with the pixels.
      let present = stated == 0 ? count : min(count, (stated - paletteStart) / entryBytes)
      guard present > 0 else { throw .damaged(file: file, reason: "it has no palette") }
      let end = paletteStart + present * entryBytes
      guard end <= bytes.count else { throw .truncated(file: file, rows: 0, of: size.height) }
      (palette, pixelStart) = (paletteStart..<end, stated == 0 ? end : stated)
    } else {
      palette = nil
      // A palette of colors for displays that show fewer of them may follow the header.
      pixelStart = stated == 0 ? paletteStart + used * entryBytes : stated
    }
    if bits == 16 || bits == 32 {
      masks = try masks(kind, head, headerBytes: byteCount)
    }
  }

  /// Returns where the pixels begin, as the file header says; 0 where it says nothing.
  private static func statedPixelStart(
    _ head: [UInt8], behind header: Int, file: String
  ) throws(ImageFileError) -> Int {
    let stated = head[10..<14].number(isBigEndian: false)
    guard stated == 0 || stated >= header else {
      throw .damaged(
        file: file,
        reason: "its pixels begin at byte \(stated), within its header of \(header) bytes")
    }
    return stated
  }

  /// The masks that are stated, or those of pixels without.
  private func masks(
    _ kind: BMPCompression, _ head: [UInt8], headerBytes: Int
  ) throws(ImageFileError) -> BMPMasks {
    guard kind.maskCount > 0 else { return bits == 16 ? .fiveBits : .eightBits }
    let first = Self.fileHeaderBytes + 40
    // The fourth one is a field from BITMAPV3INFOHEADER on, and follows a smaller header only for BI_ALPHABITFIELDS.
    let count = headerBytes >= 56 ? 4 : kind.maskCount
    guard head.count >= first + 4 * count else {
      throw .truncated(file: file, rows: 0, of: size.height)
    }
    let stated = (0..<count).map { index in
      head[first + 4 * index..<first + 4 * index + 4].number(isBigEndian: false)
    }
    return try BMPMasks(stated, bits: bits, file: file)
  }

  /// The bytes of the pixels of a row, without padding.
  var rowBytes: Int { (size.width * bits + 7) / 8 }
  /// The bytes from one row to the next.
  var stride: Int { (size.width * bits + 31) / 32 * 4 }

  /// How many rows of pixels a file of so many bytes holds. The padding of the last one may be missing.
  func presentRows(of byteCount: Int) -> Int {
    let available = max(byteCount - pixelStart, 0)
    return available < rowBytes
      ? 0 : min(size.height, (available - rowBytes) / stride + 1)
  }

  /// Leaves out the alpha mask of a file in which it is 0 everywhere.
  mutating func ignoreAlpha() { masks?.alpha = nil }
}

/// The fields of an information header, at their offsets in it.
struct BMPFields {
  private let bytes: [UInt8]

  /// Takes the fields of a header that states `byteCount` bytes, or only its length.
  init(_ bytes: [UInt8], stated byteCount: Int = 4) {
    let known = bytes.prefix(byteCount)
    self.bytes = Array(known) + [UInt8](repeating: 0, count: max(128 - known.count, 0))
  }

  var headerBytes: Int { word(0) }

  /// An unsigned number of 16 bits.
  func half(_ offset: Int) -> Int { bytes.littleEndian16(at: offset) }

  /// An unsigned number of 32 bits.
  func word(_ offset: Int) -> Int {
    bytes[offset..<offset + 4].number(isBigEndian: false)
  }

  /// A signed number of 32 bits.
  func signed(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: word(offset))) }
}

/// The compression that a header states, with the pixels that it is for.
private struct BMPCompression {
  let isRuns: Bool
  /// How many masks there are.
  let maskCount: Int

  private static let kinds = [4: "JPEG", 5: "PNG"]

  init(
    _ number: Int, bits: Int, isOS2: Bool, headerBytes: Int, file: String
  ) throws(ImageFileError) {
    // OS/2 2.x numbers its own methods from 3, also with a header of 40 bytes.
    let mayBeOS2 = isOS2 || headerBytes == 40
    switch (number, bits) {
    case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): (isRuns, maskCount) = (false, 0)
    case (1, 8), (2, 4): (isRuns, maskCount) = (true, 0)
    case (4, 24) where mayBeOS2: (isRuns, maskCount) = (true, 0)
    case (3, 16) where !isOS2, (3, 32) where !isOS2: (isRuns, maskCount) = (false, 3)
    case (6, 16) where !isOS2, (6, 32) where !isOS2: (isRuns, maskCount) = (false, 4)
    case (3, 1) where mayBeOS2:
      throw .unsupportedStorage(
        file: file, reason: "it is compressed by a fax code of OS/2 (Huffman 1D)")
    case (4, _), (5, _):
      throw .unsupportedStorage(
        file: file,
        reason: "it wraps a \(Self.kinds[number] ?? "") file, as printer drivers take it; "
          + "extract that file from it")
    case (11...13, _):
      throw .unsupportedStorage(file: file, reason: "its pixels are of CMYK, without a profile")
    case (0, 64):
      throw .unsupportedStorage(file: file, reason: "its pixels have 64 bits")
    default:
      throw .damaged(
        file: file, reason: "its header states compression \(number) for pixels of \(bits) bits")
    }
  }
}
