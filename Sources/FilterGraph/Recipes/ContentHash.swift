internal import ColorSpaces
internal import ImageBuffer

/// A number that stands for a picture before it is rendered, or for a recipe: the SHA-256 of what is done, and to which pixels.
///
/// It is the same on every machine and in every run. Pictures of one hash are equal bit for bit.
public struct ContentHash: Hashable, Sendable {
  /// The 64 hexadecimal digits.
  public let digits: String

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
    switch kind {
    case .source(let bitmap): try bitmap.contentDigest()
    case .rows(let source): try source.bitmap().contentDigest()
    default: preconditionFailure("Only sources begin a recipe.")
    }
  }
}

extension AnyBitmap {
  fileprivate func contentDigest() throws(RecipeEncodingError) -> String {
    switch self {
    case .uint8(let bitmap): try bitmap.contentDigest { $0 }
    case .uint16(let bitmap): try bitmap.contentDigest { $0.littleEndian }
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      case .float16(let bitmap): try bitmap.contentDigest { $0.bitPattern.littleEndian }
    #endif
    case .float32(let bitmap): try bitmap.contentDigest { $0.bitPattern.littleEndian }
    @unknown default: preconditionFailure("There are no bitmaps of \(format) samples here.")
    }
  }
}

extension Bitmap {
  fileprivate func contentDigest<Bits: FixedWidthInteger & BitwiseCopyable>(
    _ bits: (Sample) -> Bits
  ) throws(RecipeEncodingError) -> String {
    var hash = SHA256()
    hash.update(
      .array([
        .integer(size.width), .integer(size.height), .string("\(Sample.format)"),
        .string("\(channels)"), .string("\(alpha)"), try space.recipeValue().sorted,
      ]))
    let count = channels.count
    var line = [Bits](repeating: 0, count: size.width * count)
    for y in 0..<size.height {
      let planes = arrangement == .interleaved ? 1 : count
      for plane in 0..<planes {
        withUnsafeRow(y, plane: plane) { row in
          for (index, sample) in row.enumerated() { line[index * planes + plane] = bits(sample) }
        }
      }
      line.withUnsafeBytes { hash.update($0) }
    }
    return hash.hexadecimalDigest()
  }
}
