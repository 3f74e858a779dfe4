internal import ImageBuffer

/// The rows of a run-length encoded BMP file, in any order.
///
/// The codes of rows follow each other from the bottom one up, and rows are delivered from the top. So all codes are read once to find
/// where blocks of rows begin, and each block is unpacked when it is needed. Pixels that the codes leave out have the palette's color 0,
/// or are black without a palette, as in Windows and most other readers; browsers show them transparent.
final class BMPRuns {
  /// The state between two codes.
  private struct Place {
    /// The next code.
    var position: Int
    /// The column of the next pixel.
    var x = 0
    /// Its row, counted from the first stored one.
    var y = 0
  }

  /// Bytes of a block that are wanted at most where it has several rows.
  private static let blockBytes = 1 << 18

  private let window: ByteWindow
  private let size: PixelSize
  /// Bits of a pixel in the codes: 4, 8 or 24.
  private let bits: Int
  private let blockRows: Int
  /// The first code of each block for which there are codes.
  private var starts: [Place]
  private let rows: MemoryBlock
  private var block = -1
  /// How many stored rows are complete: all, unless the file ends within the codes.
  private(set) var completeRows: Int

  /// Bytes of an unpacked row: an index, or three samples for each pixel.
  private static func rowBytes(_ header: BMPHeader) -> Int {
    header.size.width * (header.bits == 24 ? 3 : 1)
  }

  private static func blockRows(_ header: BMPHeader) -> Int {
    min(max(blockBytes / rowBytes(header), 1), header.size.height)
  }

  /// The peak memory in bytes. The list of blocks grows by doubling.
  static func memoryBytes(_ header: BMPHeader) -> Double {
    let blocks = Double(header.size.height) / Double(blockRows(header)) + 1
    let unpacked = Double(blockRows(header)) * Double(rowBytes(header))
    return unpacked + 3 * blocks * Double(MemoryLayout<Place>.stride) + 0x1p16
  }

  init(_ header: BMPHeader, _ bytes: ByteSource) throws(ImageFileError) {
    window = ByteWindow(bytes)
    (size, bits, blockRows) = (header.size, header.bits, Self.blockRows(header))
    rows = try MemoryBlock(byteCount: blockRows * Self.rowBytes(header), for: bytes.name)
    starts = [Place(position: header.pixelStart)]
    completeRows = size.height
    var place = starts[0]
    while let goesOn = try step(&place, isUnpacking: false) {
      guard goesOn, place.y < size.height else { return }
      while starts.count <= place.y / blockRows { starts.append(place) }
    }
    // Without an end mark, the last row may be complete nevertheless.
    completeRows = place.y + (place.x >= size.width ? 1 : 0)
  }

  /// The unpacked pixels of a row, counted from the first stored one.
  func row(_ y: Int) throws(ImageFileError) -> UnsafeRawBufferPointer {
    let wanted = y / blockRows
    if wanted != block {
      rows.bytes.initializeMemory(as: UInt8.self, repeating: 0)
      block = wanted
      if wanted < starts.count {
        var place = starts[wanted]
        let end = min((wanted + 1) * blockRows, size.height)
        while place.y < end, try step(&place, isUnpacking: true) == true {}
      }
    }
    let rowBytes = rows.bytes.count / blockRows
    let first = (y - wanted * blockRows) * rowBytes
    return UnsafeRawBufferPointer(rows[first..<first + rowBytes])
  }

  /// Interprets a code. Returns whether other codes follow; nil where the file ends.
  private func step(
    _ place: inout Place, isUnpacking: Bool
  ) throws(ImageFileError) -> Bool? {
    guard let count = try byte(&place), let value = try byte(&place) else { return nil }
    if count > 0 { return try run(Int(count), value, &place, isUnpacking) }
    switch value {
    case 0: (place.x, place.y) = (0, place.y + 1)
    case 1: return false
    case 2:
      guard let across = try byte(&place), let down = try byte(&place) else { return nil }
      (place.x, place.y) = (place.x + Int(across), place.y + Int(down))
    default: return try pixels(Int(value), &place, isUnpacking)
    }
    return true
  }

  /// A run of equal pixels: of 4 bits two that alternate, of 24 bits a color.
  private func run(
    _ count: Int, _ value: UInt8, _ place: inout Place, _ isUnpacking: Bool
  ) throws(ImageFileError) -> Bool? {
    var pixel = (value, value, value)
    if bits == 24 {
      guard let green = try byte(&place), let red = try byte(&place) else { return nil }
      (pixel.1, pixel.2) = (green, red)
    } else if bits == 4 {
      (pixel.0, pixel.1) = (value >> 4, value & 15)
    }
    if isUnpacking {
      for index in 0..<visible(count, place) {
        if bits == 24 {
          set(place, index, pixel)
        } else {
          set(place, index, index & 1 == 0 ? pixel.0 : pixel.1)
        }
      }
    }
    place.x += count
    return true
  }

  /// Pixels as they are, padded to a multiple of 2 bytes.
  private func pixels(
    _ count: Int, _ place: inout Place, _ isUnpacking: Bool
  ) throws(ImageFileError) -> Bool? {
    let byteCount = (count * bits + 7) / 8
    if isUnpacking {
      var (source, last) = (place, UInt8(0))
      for index in 0..<visible(count, place) {
        if bits == 24 {
          guard let blue = try byte(&source), let green = try byte(&source),
            let red = try byte(&source)
          else { break }
          set(place, index, (blue, green, red))
        } else {
          if bits == 8 || index & 1 == 0 {
            guard let next = try byte(&source) else { break }
            last = next
          }
          set(place, index, bits == 8 ? last : index & 1 == 0 ? last >> 4 : last & 15)
        }
      }
    }
    guard byteCount <= window.source.count - place.position else {
      place.position = window.source.count
      return nil
    }
    // The file may end with the pixels, without the padding.
    place.position = min(place.position + (byteCount + 1) / 2 * 2, window.source.count)
    place.x += count
    return true
  }

  /// How many of the next pixels are in the row. Gigabytes of codes may follow its end.
  private func visible(_ count: Int, _ place: Place) -> Int {
    max(min(count, size.width - place.x), 0)
  }

  /// Stores an index in the block.
  private func set(_ place: Place, _ index: Int, _ value: UInt8) {
    let (x, y) = (place.x + index, place.y - block * blockRows)
    rows.bytes[y * size.width + x] = value
  }

  /// Stores a color in the block.
  private func set(_ place: Place, _ index: Int, _ value: (UInt8, UInt8, UInt8)) {
    let (x, y) = (place.x + index, place.y - block * blockRows)
    let first = 3 * (y * size.width + x)
    (rows.bytes[first], rows.bytes[first + 1], rows.bytes[first + 2]) = value
  }

  private func byte(_ place: inout Place) throws(ImageFileError) -> UInt8? {
    guard place.position < window.source.count else { return nil }
    defer { place.position += 1 }
    return try window[place.position]
  }
}
