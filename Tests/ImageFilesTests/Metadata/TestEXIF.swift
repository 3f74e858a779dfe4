import _TestSupport

/// EXIF data as cameras write it: a main, an EXIF and an interoperability directory.
struct TestEXIF {
  var isBigEndian = true
  var orientation: Int?
  /// 3 for a 16-bit integer, as the standard has it, 4 for 32 bits.
  var orientationType = 3
  var colorSpace: Int?
  var interoperability: String?
  /// White point and primaries, in thousandths, and the exponent.
  var white: [Int]?, lights: [Int]?, gamma: Int?
  /// Width and height in the EXIF directory.
  var pixelSize: [Int]?
  /// A JPEG thumbnail in the second directory.
  var thumbnail: [UInt8]?
  var makerNote: [UInt8]?
  var maker: String?
  /// Pixels per inch, in thousandths.
  var resolution: Int?
  /// More fields of the main directory, with values in the data's byte order.
  var fields: [Entry] = []

  typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  var bytes: [UInt8] {
    var result = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    var main: [Entry] = []
    if let maker { main.append((0x010F, 2, maker.utf8.count + 1, Array(maker.utf8) + [0])) }
    if let orientation {
      let count = orientationType == 3 ? 2 : 4
      main.append((0x0112, orientationType, 1, number(orientation, count)))
    }
    if let resolution {
      main += [fractions(0x011A, [resolution]), fractions(0x011B, [resolution])]
      main.append((0x0128, 3, 1, number(2, 2)))
    }
    if let white { main.append(fractions(0x013E, white)) }
    if let lights { main.append(fractions(0x013F, lights)) }
    main += fields
    var camera: [Entry] = []
    if let makerNote { camera.append((0x927C, 7, makerNote.count, makerNote)) }
    if let colorSpace { camera.append((0xA001, 3, 1, number(colorSpace, 2))) }
    if let pixelSize {
      camera.append((0xA002, 4, 1, number(pixelSize[0], 4)))
      camera.append((0xA003, 4, 1, number(pixelSize[1], 4)))
    }
    let gammaEntry = gamma.map { fractions(0xA500, [$0]) }
    var interoperable: [Entry] = []
    if let interoperability {
      interoperable.append((1, 2, 4, Array(interoperability.utf8) + [0]))
    }
    // The offset of each directory follows from the size of the one before.
    let cameraStart = 8 + size(main, links: 1)
    main.append((0x8769, 4, 1, number(cameraStart, 4)))
    let cameraBytes = size(camera + (gammaEntry.map { [$0] } ?? []), links: 1)
    camera.append((0xA005, 4, 1, number(cameraStart + cameraBytes, 4)))
    if let gammaEntry { camera.append(gammaEntry) }
    let last = cameraStart + cameraBytes + size(interoperable, links: 0)
    main.sort { $0.tag < $1.tag }
    result += encoded(main, at: result.count, next: thumbnail == nil ? 0 : last)
    for directory in [camera, interoperable] { result += encoded(directory, at: result.count) }
    guard let thumbnail else { return result }
    let entries: [Entry] = [
      (0x0103, 3, 1, number(6, 2)), (0x0201, 4, 1, number(last + size([], links: 3), 4)),
      (0x0202, 4, 1, number(thumbnail.count, 4)),
    ]
    return result + encoded(entries, at: last) + thumbnail
  }

  private func size(_ entries: [Entry], links: Int) -> Int {
    2 + 12 * (entries.count + links) + 4
      + entries.reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
  }

  private func encoded(_ entries: [Entry], at start: Int, next: Int = 0) -> [UInt8] {
    var directory = number(entries.count, 2)
    var values: [UInt8] = []
    for entry in entries {
      directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
      if entry.value.count <= 4 {
        directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        directory += number(start + 2 + 12 * entries.count + 4 + values.count, 4)
        values += entry.value
      }
    }
    return directory + number(next, 4) + values
  }

  private func fractions(_ tag: Int, _ thousandths: [Int]) -> Entry {
    (tag, 5, thousandths.count, thousandths.flatMap { number($0, 4) + number(1000, 4) })
  }

  private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    value.bytes(byteCount, isBigEndian: isBigEndian)
  }
}
