internal import ImageBuffer

extension ImageFileFormat {
  /// Arrays of NumPy: rows, columns and, for more than one channel, channels; without a color space.
  public static let numpy: ImageFileFormat = ImageFileFormat(
    "NumPy", fileExtensions: ["npy"], mimeTypes: [],
    samples: [.float32, .float16, .uint16, .uint8], statesColor: false, holdsProfiles: false,
    metadata: [],
    // A header, and a row in the file's order of bytes.
    encoderBytes: { 0x1p12 + $0.rowBytes },
    recognizes: { $0.starts(with: magic) },
    decoder: { job throws(ImageFileError) in
      let (layout, description) = try layout(of: job.bytes)
      let notes: [ImageFileNote] =
        layout.encoding == .float64
        ? [.unread("the bits of its samples of 64 bits that single precision does not hold")] : []
      return try RawDecoder(
        job.bytes, layout, format: .numpy, storage: description, notes: notes)
    },
    encoder: { job, sink throws(ImageFileError) in
      let shape =
        job.channels == .gray
        ? "\(job.size.height), \(job.size.width)"
        : "\(job.size.height), \(job.size.width), \(job.channels.count)"
      let kind = types.first { $0.value == job.samples }?.key ?? ""
      let order = job.samples.byteCount == 1 ? "|" : "<"
      let text = "{'descr': '\(order)\(kind)', 'fortran_order': False, 'shape': (\(shape)), }"
      // The samples begin at a multiple of 64 bytes, and the line before them has an end.
      let start = (magic.count + 4 + text.utf8.count + 1 + 63) / 64 * 64
      let length = start - magic.count - 4
      let line = text + String(repeating: " ", count: length - text.utf8.count - 1) + "\n"
      let header = magic + [1, 0, UInt8(length & 255), UInt8(length >> 8)] + Array(line.utf8)
      return try RawEncoder(job, sink, header: header, isBigEndian: false)
    })

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  private static let types: [String: SampleFormat] = [
    "u1": .uint8, "u2": .uint16, "f2": .float16, "f4": .float32,
  ]
  /// Types that are converted while they are read. Float64 is NumPy's default, which arithmetic and `random` yield.
  private static let converted: [String: (RawEncoding, SampleFormat)] = [
    "f8": (.float64, .float32), "b1": (.bool, .uint8),
  ]

  /// A version, the header's length, and a dictionary in Python syntax (NumPy, “The .npy format”).
  private static func layout(
    of bytes: ByteSource
  ) throws(ImageFileError) -> (layout: RawLayout, description: String) {
    let beginning = try bytes.array(0..<min(bytes.count, magic.count + 1))
    let lengthBytes = beginning.last == 1 ? 2 : 4
    let start = magic.count + 2 + lengthBytes
    guard bytes.count >= start else {
      throw .damaged(file: bytes.name, reason: "it ends after \(bytes.count) bytes, in its header")
    }
    let length = try bytes.array(start - lengthBytes..<start).number(isBigEndian: false)
    guard length <= 1 << 16, start + length <= bytes.count else {
      throw .damaged(file: bytes.name, reason: "its header states a length of \(length) bytes")
    }
    let text = String(decoding: try bytes.array(start..<start + length), as: UTF8.self)
    let type = text.value(of: "descr").trimmed("'\"")
    let shape = text.value(of: "shape").wholeNumbers ?? []
    let kind = String(type.dropFirst())
    let conversion = converted[kind]
    guard let samples = types[kind] ?? conversion?.1, shape.count == 2 || shape.count == 3,
      shape.allSatisfy({ $0 > 0 }),
      let channels = Channels(count: shape.count == 3 ? shape[2] : 1),
      text.value(of: "fortran_order") == "False"
    else {
      throw .unsupportedStorage(
        file: bytes.name,
        reason: "pictures are arrays of b1, u1, u2, f2, f4 or f8 with the shape (rows, columns) or "
          + "(rows, columns, 1 to 4 channels) in C order; this one is “\(text.trimmed(" \n"))”")
    }
    let layout = RawLayout(
      start: start + length, size: PixelSize(shape[1], shape[0]), channels: channels,
      samples: samples, isBigEndian: type.hasPrefix(">"), encoding: conversion?.0)
    return (layout, "array of \(type)")
  }
}

extension String {
  /// What stands after a key of a dictionary in Python syntax, up to the comma that ends it.
  fileprivate func value(of key: String) -> String {
    guard let range = firstRange(of: "'\(key)':") else { return "" }
    let rest = self[range.upperBound...].drop { $0 == " " }
    let end = rest.first == "(" ? rest.firstIndex(of: ")") : rest.firstIndex { ",}".contains($0) }
    return String(rest[..<(end ?? rest.endIndex)])
  }

  /// The whole numbers of a Python tuple without its closing parenthesis; nil if an element is not a whole number.
  fileprivate var wholeNumbers: [Int]? {
    guard first == "(" else { return nil }
    var words = dropFirst().split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0).trimmed(" ") }
    // A comma may follow the last number.
    if words.last == "" { words.removeLast() }
    // Python 2 writes 4L for 4.
    let numbers = words.compactMap { Int($0.hasSuffix("L") ? String($0.dropLast()) : $0) }
    return numbers.count == words.count ? numbers : nil
  }

  fileprivate func trimmed(_ characters: String) -> String {
    String(
      drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
  }
}
