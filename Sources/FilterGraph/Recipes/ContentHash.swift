internal import ColorSpaces
internal import ImageBuffer

/// The SHA-256 of a picture before it is rendered, or of a recipe: of the operations and of the sources' pixels.
///
/// It is the same on every machine and in every run. Pictures with equal hashes are equal bit for bit: the pixels of a source that was
/// reduced count, too, and for gamut masks the precision of samples.
///
/// Coded, as for a log or a database, it is an object of its digits: `{"sha256": "9f86d081…"}`.
public struct ContentHash: Hashable, Sendable, Codable {
  /// The SHA-256 as 64 hexadecimal digits.
  package var digits: String { sha256.text }

  private let sha256: HashDigits

  /// Creates the hash of bytes, such as those of a file: their SHA-256.
  ///
  /// Equal files hold equal pictures, so the hash of a file is a cache key that needs no decoding.
  public init(bytes: some Sequence<UInt8>) {
    var hash = SHA256()
    hash.update(bytes)
    self.init(hash)
  }

  fileprivate init(_ hash: SHA256) { sha256 = HashDigits(text: hash.hexadecimalDigest()) }
}

/// The 64 lowercase hexadecimal digits of a SHA-256, which are checked when they are decoded.
private struct HashDigits: Hashable, Sendable {
  let text: String
}

extension HashDigits: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try container.decode(String.self)
    guard text.utf8.count == 64, text.utf8.allSatisfy(Array("0123456789abcdef".utf8).contains)
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "A SHA-256 has 64 digits of 0 to 9 and a to f.")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ContentHash: CustomStringConvertible {
  /// The SHA-256 as 64 hexadecimal digits.
  public var description: String { digits }
}

extension Recipe {
  /// The hash of the recipe's operations, independent of the names of its steps and inputs.
  public var contentHash: ContentHash {
    var hash = SHA256()
    hash.update(content)
    return ContentHash(hash)
  }

  /// The hash of the recipe applied to pictures: of its steps, and of the pictures' own steps and pixels.
  public func contentHash(
    of inputs: [String: Picture] = [:]
  ) throws -> ContentHash {
    try ContentHash(of: try results(of: inputs), named: outputs)
  }
}

extension Picture {
  /// The hash of the picture's operations and of its sources' pixels. It reads row sources.
  public func contentHash() throws -> ContentHash { try ContentHash(of: [self], named: []) }
}

extension ContentHash {
  fileprivate init(of pictures: [Picture], named names: [String]) throws {
    let (recipe, sources) = try Recipe.withSources(of: pictures, named: names)
    let nodes = sources.map(\.picture.node)
    var hash = SHA256()
    hash.update(recipe.content)
    for node in nodes + Self.reducedSources(of: pictures, besides: nodes) {
      hash.update(.string(try node.contentDigest()))
    }
    if recipe.dependsOnPrecision {
      for node in nodes { if let precision = node.statedPrecision { hash.update(precision) } }
    }
    self.init(hash)
  }

  /// The reduced sources that pictures are made of, in post-order.
  ///
  /// Whether a source is reduced, and to which pixels, is up to its decoder: the recipe and the pixels of the whole source do not say it.
  private static func reducedSources(of pictures: [Picture], besides sources: [Node]) -> [Node] {
    var visited: Set<ObjectIdentifier> = []
    let known = Set(sources.map { ObjectIdentifier($0) })
    var found: [Node] = []
    for picture in pictures {
      visitUpwards(
        to: picture.node, isVisited: { visited.contains(ObjectIdentifier($0)) }, inputs: \.inputs
      ) { node in
        visited.insert(ObjectIdentifier(node))
        if node.rowSource != nil, !known.contains(ObjectIdentifier(node)) { found.append(node) }
      }
    }
    return found
  }
}

extension Recipe {
  /// Whether a step depends on the precision of the sources besides their pixels.
  fileprivate var dependsOnPrecision: Bool {
    steps.contains { $0.filter is any PrecisionDependent }
  }
}

extension SHA256 {
  fileprivate mutating func update(_ value: RecipeValue) {
    update(value.line.utf8)
    update([0x0A])
  }
}

extension Node {
  /// The hash of a source: its size, format and color space, and its samples row by row, independent of the memory
  /// layout and of the values of unused channels.
  fileprivate func contentDigest() throws -> String {
    if let bitmap {
      let surface = bitmap.surface
      return try contentDigest(bitmap.size, bitmap.format, bitmap.channels, bitmap.alpha) {
        surface.copy(row: $0, to: $1)
      }
    }
    guard let source = rowSource else { preconditionFailure("Only sources begin a recipe.") }
    let reader = try source.makeReader()
    if let inks = source.inkProgram.map({ InkRows($0, source.format) }) {
      // The converted colors, because the same CMYK values have other colors under another profile.
      var stored = [UInt8](repeating: 0, count: source.size.width * 4 * source.format.byteCount)
      return try contentDigest(source.size, .float32, .rgb, .straight) { _, row in
        try stored.withUnsafeMutableBytes { stored in
          try reader.readRow(into: stored)
          inks.convert(UnsafeRawBufferPointer(stored), to: row)
        }
      }
    }
    return try contentDigest(source.size, source.format, source.channels, source.alpha) {
      try reader.readRow(into: $1)
    }
  }

  /// The precision of a source's samples, where its format does not state it; otherwise nil.
  fileprivate var statedPrecision: RecipeValue? {
    guard let sampled = samplePrecision, precision != nil || sampled.compressionError != 0 else {
      return nil
    }
    let errors = sampled.channelErrors.map { [$0.x, $0.y, $0.z] } ?? []
    return .array(
      [.string("\(sampled.format)"), .bool(sampled.isPremultiplied)]
        + ([sampled.compressionError] + errors).map(RecipeValue.number))
  }

  /// Hashes one row at a time, with interleaved samples.
  private func contentDigest(
    _ size: PixelSize, _ format: SampleFormat, _ channels: Channels, _ alpha: Alpha,
    read: (_ y: Int, _ row: UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> String {
    var hash = SHA256()
    hash.update(
      .array([
        .integer(size.width), .integer(size.height), .string("\(format)"), .string("\(channels)"),
        .string("\(alpha)"), try space.recipeValue().sorted,
      ]))
    var line = [UInt8](repeating: 0, count: size.width * channels.count * format.byteCount)
    for y in 0..<size.height {
      try line.withUnsafeMutableBytes { row in
        try read(y, row)
        if 1.littleEndian != 1 { row.reverseSamples(of: format.byteCount) }
        for (plane, role) in channels.roles.enumerated() where role == .unused {
          row.clear(plane, of: channels.count, sampleBytes: format.byteCount)
        }
      }
      hash.update(line)
    }
    return hash.hexadecimalDigest()
  }
}

extension BitmapSurface {
  /// Copies the samples of a row, interleaved.
  fileprivate func copy(row y: Int, to target: UnsafeMutableRawBufferPointer) {
    if arrangement == .interleaved { return target.copyMemory(from: .init(bytes(ofRow: y))) }
    for plane in 0..<channels.count {
      let row = bytes(ofRow: y, plane: plane)
      for byte in row.indices {
        let (x, part) = byte.quotientAndRemainder(dividingBy: format.byteCount)
        target[(x * channels.count + plane) * format.byteCount + part] = row[byte]
      }
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Sets one of the interleaved channels to 0. The padding of camera and window system frames is arbitrary.
  fileprivate func clear(_ channel: Int, of count: Int, sampleBytes: Int) {
    for pixel in stride(from: 0, to: self.count, by: count * sampleBytes) {
      let first = pixel + channel * sampleBytes
      for byte in first..<first + sampleBytes { self[byte] = 0 }
    }
  }

  /// Reverses the byte order of each sample.
  fileprivate func reverseSamples(of byteCount: Int) {
    for start in stride(from: 0, to: count, by: byteCount) {
      self[start..<start + byteCount].reverse()
    }
  }
}
