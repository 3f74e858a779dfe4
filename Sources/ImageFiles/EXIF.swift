internal import ColorSpaces
internal import ImageBuffer

/// What of a camera's EXIF data a pixel depends on (CIPA DC-008, Exif 3.0). Damaged data says nothing.
struct EXIF {
  private(set) var bytes: [UInt8]
  private let isBigEndian: Bool
  /// Where entries of tags begin.
  private var main: [Int: Int] = [:]
  private var camera: [Int: Int] = [:]
  private var interoperability: [Int: Int] = [:]

  private enum Tag {
    static let orientation = 0x0112, white = 0x013E, primaries = 0x013F, camera = 0x8769
    static let colorSpace = 0xA001, interoperability = 0xA005, gamma = 0xA500
    static let interoperabilityIndex = 1
  }
  private enum ColorSpaceTag { static let sRGB = 1, adobeRGB = 2, uncalibrated = 0xFFFF }

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8, bytes.starts(with: "II*\0".utf8) || bytes.starts(with: "MM\0*".utf8)
    else { return nil }
    self.bytes = bytes
    isBigEndian = bytes[0] == UInt8(ascii: "M")
    main = entries(ofDirectoryAt: number(at: 4, byteCount: 4))
    camera = directory(Tag.camera, in: main)
    interoperability = directory(Tag.interoperability, in: camera)
  }

  var orientation: Orientation? { whole(Tag.orientation, in: main).flatMap(Orientation.init) }

  /// The space that cameras mean: sRGB, or Adobe RGB by the rules of DCF 2.0 (CIPA DC-009, 3.1.2: index R03), or another one by its
  /// lights.
  var space: ColorSpace? {
    switch whole(Tag.colorSpace, in: camera) {
    case ColorSpaceTag.sRGB: return .sRGB
    // Not in the standard, but written by cameras.
    case ColorSpaceTag.adobeRGB: return .adobeRGB
    case ColorSpaceTag.uncalibrated:
      return interoperabilityIndex == "R03" ? .adobeRGB : spaceOfLights
    default: return nil
    }
  }

  private var interoperabilityIndex: String? {
    guard let entry = interoperability[Tag.interoperabilityIndex],
      number(at: entry + 4, byteCount: 4) == 4
    else { return nil }
    return String(decoding: bytes[entry + 8..<entry + 11], as: UTF8.self)
  }

  private var spaceOfLights: ColorSpace? {
    guard let white = fractions(Tag.white, 2, in: main),
      let lights = fractions(Tag.primaries, 6, in: main),
      let gamma = fractions(Tag.gamma, 1, in: camera)
    else { return nil }
    return .ofChromaticities("EXIF", white: white, lights: lights, exponent: gamma[0])
  }

  /// The same data for a picture that is upright, and in sRGB or another space.
  func describing(_ space: ColorSpace?) -> [UInt8] {
    var copy = self
    copy.replace(Tag.orientation, in: main, with: Orientation.upright.rawValue)
    let isSRGB = space.map { $0.isInterchangeable(with: .sRGB) } ?? false
    copy.replace(
      Tag.colorSpace, in: camera,
      with: isSRGB ? ColorSpaceTag.sRGB : ColorSpaceTag.uncalibrated)
    return copy.bytes
  }

  // The TIFF structure: entries of 12 bytes, each a tag, a type, a count, and a value or where it is.

  private func number(at position: Int, byteCount: Int) -> Int {
    guard position >= 0, position + byteCount <= bytes.count else { return 0 }
    let part = bytes[position..<position + byteCount]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func entries(ofDirectoryAt start: Int) -> [Int: Int] {
    guard start >= 8, start + 2 <= bytes.count else { return [:] }
    var entries: [Int: Int] = [:]
    for index in 0..<number(at: start, byteCount: 2) {
      let entry = start + 2 + 12 * index
      guard entry + 12 <= bytes.count else { break }
      entries[number(at: entry, byteCount: 2)] = entry
    }
    return entries
  }

  private func directory(_ tag: Int, in directory: [Int: Int]) -> [Int: Int] {
    directory[tag].map { entries(ofDirectoryAt: number(at: $0 + 8, byteCount: 4)) } ?? [:]
  }

  private static let shortType = 3, longType = 4, fractionType = 5

  private func whole(_ tag: Int, in directory: [Int: Int]) -> Int? {
    guard let entry = directory[tag] else { return nil }
    switch number(at: entry + 2, byteCount: 2) {
    case Self.shortType: return number(at: entry + 8, byteCount: 2)
    case Self.longType: return number(at: entry + 8, byteCount: 4)
    default: return nil
    }
  }

  private func fractions(_ tag: Int, _ count: Int, in directory: [Int: Int]) -> [Double]? {
    guard let entry = directory[tag], number(at: entry + 2, byteCount: 2) == Self.fractionType,
      number(at: entry + 4, byteCount: 4) == count
    else { return nil }
    let start = number(at: entry + 8, byteCount: 4)
    guard start + 8 * count <= bytes.count else { return nil }
    return (0..<count).map {
      let position = start + 8 * $0
      return Double(number(at: position, byteCount: 4))
        / Double(number(at: position + 4, byteCount: 4))
    }
  }

  private mutating func replace(_ tag: Int, in directory: [Int: Int], with value: Int) {
    guard let entry = directory[tag], number(at: entry + 2, byteCount: 2) == Self.shortType else {
      return
    }
    let (high, low) = (UInt8(value >> 8), UInt8(value & 0xFF))
    bytes.replaceSubrange(entry + 8..<entry + 10, with: isBigEndian ? [high, low] : [low, high])
  }
}
