import _TestSupport

/// OpenEXR files of kinds that the writer under test does not create: any channels and types, windows, bottom-up rows.
///
/// Rows are uncompressed, so that this file alone determines the bytes.
struct TestEXR {
  /// 0 for integers, 1 for half, 2 for single precision.
  typealias Channel = (name: String, type: Int)

  var width = 5, height = 4, left = 0, top = 0
  /// Sorted by name.
  var channels: [Channel] = [("B", 1), ("G", 1), ("R", 1)]
  /// The channels of which 2 × 2 pixels share a sample.
  var subsampled: Set<String> = []
  /// The display window; nil for the data window.
  var display: [Int]?
  var isDecreasing = false
  var pixelAspectRatio: Float = 1
  /// 0 for none.
  var whiteLuminance: Float = 0
  /// The compression in the header; the chunks are always as large as their pixels, and so not packed.
  var compression = 0
  var rowsPerChunk = 1
  /// The tile size in the header; nil for rows.
  var statedTile: (width: Int, height: Int)?
  /// How many bytes a chunk lacks at its end.
  var missingBytes = 0
  /// Attributes beside those that describe the pixels.
  var attributes: [(name: String, type: String, content: [UInt8])] = []
  var value: (_ x: Int, _ y: Int, _ channel: String) -> Float

  var bytes: [UInt8] {
    let file = header
    let chunks = stride(from: 0, to: height, by: rowsPerChunk).map { first -> [UInt8] in
      let samples = (first..<min(first + rowsPerChunk, height)).flatMap { y in
        channels.flatMap { name, type -> [UInt8] in
          let step = subsampled.contains(name) ? 2 : 1
          guard y % step == 0 else { return [] }
          return stride(from: 0, to: width, by: step).flatMap { sample(value($0, y, name), type) }
        }
      }
      let stored = samples.dropLast(missingBytes)
      return integer(top + first) + integer(stored.count) + stored
    }
    // The table is in the order of rows, wherever they are stored.
    var places = [Int](repeating: 0, count: chunks.count)
    var end = file.count + 8 * chunks.count
    var body: [UInt8] = []
    for index in isDecreasing ? chunks.indices.reversed() : Array(chunks.indices) {
      places[index] = end
      end += chunks[index].count
      body += chunks[index]
    }
    return file + places.flatMap { integer($0) + integer(0) } + body
  }

  /// The bytes before the table of rows.
  var header: [UInt8] {
    let window = [left, top, left + width - 1, top + height - 1]
    let list: [UInt8] = channels.flatMap { name, type -> [UInt8] in
      let step = subsampled.contains(name) ? 2 : 1
      return text(name) + integer(type) + integer(0) + integer(step) + integer(step)
    }
    let one = integer(Int(Float(1).bitPattern))
    var file: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, statedTile == nil ? 0 : 2, 0, 0]
    var attributes: [(String, String, [UInt8])] = [
      ("channels", "chlist", list + [0]), ("compression", "compression", [UInt8(compression)]),
      ("dataWindow", "box2i", window.flatMap(integer)),
      ("displayWindow", "box2i", (display ?? window).flatMap(integer)),
      ("lineOrder", "lineOrder", [isDecreasing ? 1 : 0]),
      ("pixelAspectRatio", "float", integer(Int(pixelAspectRatio.bitPattern))),
      ("screenWindowCenter", "v2f", integer(0) + integer(0)), ("screenWindowWidth", "float", one),
    ]
    if whiteLuminance > 0 {
      attributes.append(("whiteLuminance", "float", integer(Int(whiteLuminance.bitPattern))))
    }
    if let statedTile {
      let sides = integer(statedTile.width) + integer(statedTile.height)
      attributes.append(("tiles", "tiledesc", sides + [0]))
    }
    for (name, type, content) in attributes + self.attributes {
      file += text(name) + text(type) + integer(content.count) + content
    }
    return file + [0]
  }

  private func sample(_ value: Float, _ type: Int) -> [UInt8] {
    switch type {
    case 0: integer(Int(value))
    case 1: Array(integer(Int(Float16(value).bitPattern)).prefix(2))
    default: integer(Int(value.bitPattern))
    }
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private func integer(_ number: Int) -> [UInt8] { number.bytes(4) }
}
