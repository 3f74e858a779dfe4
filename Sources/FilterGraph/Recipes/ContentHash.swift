internal import ColorSpaces
internal import ImageBuffer

/// A number that stands for a picture before it is rendered, or for a recipe: the SHA-256 of what is done, and to which pixels.
///
/// It is the same on every machine and in every run. Pictures of one hash are equal bit for bit.
public struct ContentHash: Hashable, Sendable {
  /// The 64 hexadecimal digits.
  public let digits: String

  /// The hash of bytes, such as those of a file: their SHA-256. Equal files are the same picture, so it is a key without decoding.
  public init(bytes: some Sequence<UInt8>) {
    var hash = SHA256()
    hash.update(bytes)
    self.init(hash)
  }

  fileprivate init(_ hash: SHA256) { digits = hash.hexadecimalDigest() }
}

extension ContentHash: CustomStringConvertible {
  /// The 64 hexadecimal digits.
  public var description: String { digits }
}

extension Recipe {
  /// The hash of what the recipe does. What it calls its steps and inputs does not matter.
  public var contentHash: ContentHash {
    var hash = SHA256()
    hash.update(content)
    return ContentHash(hash)
  }

  /// The hash of what the recipe makes of pictures: of its own steps, and of theirs and their pixels.
  public func contentHash(
    of inputs: [String: Picture] = [:]
  ) throws -> ContentHash {
    try ContentHash(of: try results(of: inputs), named: outputs)
  }
}

extension Picture {
  /// The hash of what is done to make this picture, and of the pixels that it is made from. A source of rows is read for it.
  public func contentHash() throws -> ContentHash { try ContentHash(of: [self], named: []) }
}

extension ContentHash {
  fileprivate init(of pictures: [Picture], named names: [String]) throws {
    let (recipe, sources) = try Recipe.withSources(of: pictures, named: names)
    var hash = SHA256()
    hash.update(recipe.content)
    for source in sources { hash.update(.string(try source.picture.node.contentDigest())) }
    self.init(hash)
  }
}

extension SHA256 {
  fileprivate mutating func update(_ value: RecipeValue) {
    update(value.line.utf8)
    update([0x0A])
  }
}

extension Node {
  /// The hash of a source: its size, form and space, and its samples row by row, however they lie in memory.
  fileprivate func contentDigest() throws -> String {
    if let bitmap {
      let surface = bitmap.surface
      return try contentDigest(bitmap.size, bitmap.format, bitmap.channels, bitmap.alpha) {
        surface.copy(row: $0, to: $1)
      }
    }
    guard let source = rowSource else { preconditionFailure("Only sources begin a recipe.") }
    let reader = try source.makeReader()
    if let inks = source.inkProgram.map(InkRows.init) {
      // The colors, because the same inks are others on another paper.
      var stored = [UInt8](repeating: 0, count: source.size.width * 4 * source.format.byteCount)
      return try contentDigest(source.size, .float32, .rgb, .straight) { _, row in
        try stored.withUnsafeMutableBytes { stored in
          try reader.readRow(into: stored)
          inks.convert(UnsafeRawBufferPointer(stored), source.format, to: row)
        }
      }
    }
    return try contentDigest(source.size, source.format, source.channels, source.alpha) {
      try reader.readRow(into: $1)
    }
  }

  /// One row is in memory at a time, its samples side by side.
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
      }
      hash.update(line)
    }
    return hash.hexadecimalDigest()
  }
}

extension BitmapSurface {
  /// Copies the samples of a row, all of a pixel side by side.
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
  /// Turns the bytes of each sample around.
  fileprivate func reverseSamples(of byteCount: Int) {
    for start in stride(from: 0, to: count, by: byteCount) {
      self[start..<start + byteCount].reverse()
    }
  }
}
