/// OpenEXR files of kinds that the writer under test does not create: any channels and types, windows, bottom-up rows, several parts.
///
/// Rows are uncompressed, so that this file alone determines the bytes.
package struct TestEXR {
  /// 0 for integers, 1 for half, 2 for single precision.
  package typealias Channel = (name: String, type: Int)

  package var width = 5, height = 4, left = 0, top = 0
  /// Sorted by name.
  package var channels: [Channel]
  /// The channels of which 2 × 2 pixels share a sample.
  package var subsampled: Set<String> = []
  /// The display window; nil for the data window.
  package var display: [Int]?
  package var isDecreasing = false
  package var pixelAspectRatio: Float = 1
  /// 0 for none.
  package var whiteLuminance: Float = 0
  /// The compression in the header; the chunks are always as large as their pixels, and so not packed.
  package var compression = 0
  package var rowsPerChunk = 1
  /// The tile size in the header; nil for rows.
  package var statedTile: (width: Int, height: Int)?
  /// How many bytes a chunk lacks at its end.
  package var missingBytes = 0
  /// Attributes beside those that describe the pixels.
  package var attributes: [(name: String, type: String, content: [UInt8])] = []
  /// The type of a part in its header, such as “deepscanline”.
  package var partType = "scanlineimage"
  package var value: (_ x: Int, _ y: Int, _ channel: String) -> Float

  package init(
    width: Int = 5, height: Int = 4, channels: [Channel] = [("B", 1), ("G", 1), ("R", 1)],
    value: @escaping (_ x: Int, _ y: Int, _ channel: String) -> Float
  ) {
    (self.width, self.height, self.channels, self.value) = (width, height, channels, value)
  }

  /// The file.
  package var bytes: [UInt8] { Self.withTables([self], header, of: nil) }

  /// The bytes before the table of rows.
  package var header: [UInt8] {
    Self.start(statedTile == nil ? 0 : 2) + header(besides: [])
  }

  /// Returns a file of several parts, each with a name.
  package static func parts(_ parts: [(name: String, part: TestEXR)]) -> [UInt8] {
    let headers = parts.flatMap { name, part -> [UInt8] in
      part.header(besides: [
        ("chunkCount", "int", integer(part.chunks.count)), ("name", "string", Array(name.utf8)),
        ("type", "string", Array(part.partType.utf8)),
      ])
    }
    // The flag of files of several parts; an empty header ends the list.
    return withTables(parts.map(\.part), start(0x10) + headers + [0], of: parts.count)
  }

  /// Appends the tables and the chunks of parts to their headers. Chunks of one of several parts begin with its number.
  private static func withTables(
    _ parts: [TestEXR], _ headers: [UInt8], of count: Int?
  ) -> [UInt8] {
    var end = headers.count + 8 * parts.map(\.chunks.count).reduce(0, +)
    var (tables, body): ([UInt8], [UInt8]) = ([], [])
    for (number, part) in parts.enumerated() {
      let chunks = part.chunks.map { count == nil ? $0 : integer(number) + $0 }
      // The table is in the order of rows, wherever they are stored.
      var places = [Int](repeating: 0, count: chunks.count)
      for index in part.isDecreasing ? chunks.indices.reversed() : Array(chunks.indices) {
        places[index] = end
        end += chunks[index].count
        body += chunks[index]
      }
      tables += places.flatMap { integer($0) + integer(0) }
    }
    return headers + tables + body
  }

  /// The rows, each with its number and its size.
  private var chunks: [[UInt8]] {
    stride(from: 0, to: height, by: rowsPerChunk).map { first -> [UInt8] in
      let samples = (first..<min(first + rowsPerChunk, height)).flatMap { y in
        channels.flatMap { name, type -> [UInt8] in
          let step = subsampled.contains(name) ? 2 : 1
          guard y % step == 0 else { return [] }
          return stride(from: 0, to: width, by: step).flatMap { sample(value($0, y, name), type) }
        }
      }
      let stored = samples.dropLast(missingBytes)
      return Self.integer(top + first) + Self.integer(stored.count) + stored
    }
  }

  /// The magic number, the version and the flags.
  private static func start(_ flags: UInt8) -> [UInt8] {
    [0x76, 0x2F, 0x31, 0x01, 2, flags, 0, 0]
  }

  private func header(besides others: [(String, String, [UInt8])]) -> [UInt8] {
    let window = [left, top, left + width - 1, top + height - 1]
    let list: [UInt8] = channels.flatMap { name, type -> [UInt8] in
      let step = Self.integer(subsampled.contains(name) ? 2 : 1)
      return Self.text(name) + Self.integer(type) + Self.integer(0) + step + step
    }
    let one = Self.integer(Int(Float(1).bitPattern))
    var attributes: [(String, String, [UInt8])] = [
      ("channels", "chlist", list + [0]), ("compression", "compression", [UInt8(compression)]),
      ("dataWindow", "box2i", window.flatMap(Self.integer)),
      ("displayWindow", "box2i", (display ?? window).flatMap(Self.integer)),
      ("lineOrder", "lineOrder", [isDecreasing ? 1 : 0]),
      ("pixelAspectRatio", "float", Self.integer(Int(pixelAspectRatio.bitPattern))),
      ("screenWindowCenter", "v2f", Self.integer(0) + Self.integer(0)),
      ("screenWindowWidth", "float", one),
    ]
    if whiteLuminance > 0 {
      attributes.append(
        ("whiteLuminance", "float", Self.integer(Int(whiteLuminance.bitPattern))))
    }
    if let statedTile {
      let sides = Self.integer(statedTile.width) + Self.integer(statedTile.height)
      attributes.append(("tiles", "tiledesc", sides + [0]))
    }
    let header = (attributes + self.attributes + others).flatMap { name, type, content -> [UInt8] in
      Self.text(name) + Self.text(type) + Self.integer(content.count) + content
    }
    return header + [0]
  }

  private func sample(_ value: Float, _ type: Int) -> [UInt8] {
    switch type {
    case 0: Self.integer(Int(value))
    case 1: Array(Self.integer(Int(Float16(value).bitPattern)).prefix(2))
    default: Self.integer(Int(value.bitPattern))
    }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private static func integer(_ number: Int) -> [UInt8] { number.bytes(4) }
}
