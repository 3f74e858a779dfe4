/// EXIF data as cameras write it: a main directory, one of the camera, and one of interoperability.
struct TestEXIF {
  var isBigEndian = true
  var orientation: Int?
  var colorSpace: Int?
  var interoperability: String?
  /// White and lights, in thousandths, and the exponent.
  var white: [Int]?, lights: [Int]?, gamma: Int?

  private typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  var bytes: [UInt8] {
    var result = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    var main: [Entry] = []
    if let orientation { main.append((0x0112, 3, 1, number(orientation, 2))) }
    if let white { main.append(fractions(0x013E, white)) }
    if let lights { main.append(fractions(0x013F, lights)) }
    var camera: [Entry] = []
    if let colorSpace { camera.append((0xA001, 3, 1, number(colorSpace, 2))) }
    if let gamma { camera.append(fractions(0xA500, [gamma])) }
    var interoperable: [Entry] = []
    if let interoperability {
      interoperable.append((1, 2, 4, Array(interoperability.utf8) + [0]))
    }
    // Each directory knows where the next one is, once its own size is known.
    let cameraStart = 8 + size(main, links: 1)
    main.append((0x8769, 4, 1, number(cameraStart, 4)))
    camera.append((0xA005, 4, 1, number(cameraStart + size(camera, links: 1), 4)))
    for directory in [main, camera, interoperable] {
      result += encoded(directory, at: result.count)
    }
    return result
  }

  private func size(_ entries: [Entry], links: Int) -> Int {
    2 + 12 * (entries.count + links) + 4
      + entries.reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
  }

  private func encoded(_ entries: [Entry], at start: Int) -> [UInt8] {
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
    return directory + number(0, 4) + values
  }

  private func fractions(_ tag: Int, _ thousandths: [Int]) -> Entry {
    (tag, 5, thousandths.count, thousandths.flatMap { number($0, 4) + number(1000, 4) })
  }

  private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
