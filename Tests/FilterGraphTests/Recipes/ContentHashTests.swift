import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Content hashes of operations and pixels.
@Suite struct ContentHashTests {
  private func digest(_ pieces: [some Sequence<UInt8>]) -> String {
    var hash = SHA256()
    for piece in pieces { hash.update(piece) }
    return hash.hexadecimalDigest()
  }

  /// FIPS 180-4's examples, and lengths around a block.
  @Test func sha256() {
    func hash(_ text: String) -> String { digest([text.utf8]) }
    #expect(hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hash(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Blocks are read where they lie, after the bytes that did not fill a block before.
  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 127, 128, 1000]) func piecesHashAsTheWhole(count: Int)
  {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let whole = digest([bytes])
    #expect(digest(bytes.map { [$0] }) == whole)
    // A sequence without storage.
    #expect(digest([bytes.lazy.map { $0 }]) == whole)
    for cut in Set([0, 1, 3, 63, 64, 65, count].map { min($0, count) }) {
      #expect(digest([bytes[..<cut], bytes[cut...]]) == whole, "cut after \(cut) of \(count)")
    }
  }

  @Test func hashesOfBytesAreTheirSHA256() {
    #expect(
      ContentHash(bytes: "abc".utf8).digits
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func hashesOfContents() throws {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(13, 7), channels: .rgba)
    func hash(_ bitmap: Bitmap<UInt16>, stops: Double = 1) throws -> ContentHash {
      try Picture(bitmap).exposure(stops).contentHash()
    }
    let expected = try hash(bitmap)
    #expect(try hash(bitmap.rearranged(.planar)) == expected)
    var changed = bitmap
    changed[12, 6, 3] ^= 1
    #expect(try hash(changed) != expected)
    #expect(try hash(bitmap, stops: 1.5) != expected)
    let tagged = Bitmap<UInt16>(bitmap.size, in: .displayP3, channels: .rgba) { x, y in
      (0..<4).map { bitmap[x, y, $0] }
    }
    #expect(try hash(tagged) != expected)
    let recipe = try Recipe(Picture(bitmap).exposure(1))
    #expect(try recipe.contentHash(of: ["input": Picture(bitmap)]) == expected)
    #expect(try Picture(RowsOfBitmap(bitmap)).exposure(1).contentHash() == expected)
  }

  /// Rows hash as their bitmap does, with only one of them in memory.
  @Test func rowsAreHashedOneByOne() throws {
    func check<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) throws {
      let rows = CountedRows(bitmap)
      let hash = try Picture(rows).contentHash()
      #expect(try hash == Picture(bitmap).contentHash())
      #expect(try hash == Picture(bitmap.converted(arrangement: .planar)).contentHash())
      #expect(rows.log.withLock { $0.read } == bitmap.size.height)
    }
    try check(TestPictures.codes(as: UInt8.self, PixelSize(7, 5)))
    try check(TestPictures.codes(as: UInt16.self, PixelSize(7, 5), channels: .rgba))
    try check(TestPictures.floats())
    let source = RowsOfBitmap(TestPictures.codes(as: UInt16.self, PixelSize(13, 700)))
    _ = try Picture(source).contentHash()
    #expect(source.places.all.withLock { $0.count } == 1)
  }

  /// Frames of cameras and of window systems have arbitrary values in their padding.
  @Test(arguments: [Channels.rgbx, .bgrx, Channels([.unused, .gray, .unused])])
  func unusedChannelsDoNotCount(channels: Channels) throws {
    func hash(padding: UInt16, color: UInt16, _ arrangement: Arrangement) throws -> ContentHash {
      let bitmap = Bitmap<UInt16>(PixelSize(3, 2), in: .sRGB, channels: channels) { x, y in
        channels.roles.map { $0 == .unused ? padding &* UInt16(x + 7) : color + UInt16(x + y) }
      }
      return try Picture(bitmap.rearranged(arrangement)).contentHash()
    }
    let expected = try hash(padding: 9, color: 500, .interleaved)
    #expect(try hash(padding: 9999, color: 500, .interleaved) == expected)
    #expect(try hash(padding: 77, color: 500, .planar) == expected)
    #expect(try hash(padding: 9, color: 501, .interleaved) != expected)
  }

  /// Computed from the canonical text by another implementation of SHA-256: spaces, digits and order must never change.
  @Test func hashesNeverChange() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb) { x, y in
      (0..<3).map { UInt8(9 * y + 3 * x + $0) }
    }
    let picture = Picture(bitmap).exposure(0.5).resized(to: .fit(20, 20))
    #expect(
      try Recipe(picture).contentHash.digits
        == "c3c71f03395c2bd214a73b8d910eef7beca04b10a171dbdd9c14f1a3969f25d4")
    #expect(
      try picture.contentHash().digits
        == "f1df2f9fea7abb38955f8e78d8f624137b25e63aed5d9341a0f7883aaee3260d")
  }

  /// A gamut mask ignores colors that compression may have moved out of the gamut: it depends on the error of compression, too.
  @Test func masksDependOnTheErrorOfCompression() throws {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(13, 7)).tagged(as: .displayP3)
    let plain = Picture(RowsOfBitmap(bitmap))
    var rows = RowsOfBitmap(bitmap)
    rows.compressionError = 0.1
    let lossy = Picture(rows)
    func mask(_ picture: Picture) -> Picture { picture.gamutMask(outside: .sRGB, marking: .mask) }
    let (mine, other): (Bitmap<UInt8>, Bitmap<UInt8>) = (
      try mask(plain).render(), try mask(lossy).render()
    )
    #expect(mine != other)
    #expect(try mask(plain).contentHash() != mask(lossy).contentHash())
    #expect(try mask(plain).contentHash() == mask(Picture(bitmap)).contentHash())
    // Other filters do not depend on it.
    #expect(try plain.exposure(1).contentHash() == lossy.exposure(1).contentHash())
  }

  /// Two sources of equal pixels may be reduced in different ways, or one of them not at all.
  @Test func reducedSourcesCount() throws {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(16, 8))
    func picture(_ fewer: Bitmap<UInt16>?) -> Picture {
      var rows = RowsOfBitmap(bitmap)
      rows.fewer = fewer
      return Picture(rows).reduced(toAtLeast: PixelSize(8, 4)).exposure(1)
    }
    let half = TestPictures.codes(as: UInt16.self, PixelSize(8, 4))
    var other = half
    other[7, 3, 0] ^= 1
    let whole = picture(nil)
    let hashes = try [whole, picture(half), picture(other)].map { try $0.contentHash() }
    #expect(picture(half).size == half.size && whole.size == bitmap.size)
    #expect(Set(hashes).count == 3)
    #expect(try picture(half).contentHash() == hashes[1])
    let unreduced = Picture(bitmap).reduced(toAtLeast: half.size).exposure(1)
    #expect(try unreduced.contentHash() == hashes[0])
  }

  /// Every number, word and flag of every recipe changes the hash; of recipes with long lists, a hundred or more of them.
  @Test func everyParameterChangesTheHash() throws {
    let recipes = try RecipeSamples.all.values.joined()
      .map { try $0(RecipeSamples.photo).recipe().recipe }
    let values = try recipes.map {
      try JSONDecoder().decode(RecipeValue.self, from: Data($0.json.utf8))
    }
    let words = words(in: values)
    let numbers = try changes(of: recipes, values) { _, part in
      switch part {
      case .integer(let number): [.integer(number + 1), .integer(number - 1)]
      case .number(let number): [.number(number * 1.0625), .number(number * 0.9375)]
      default: []
      }
    }
    let flags = try changes(of: recipes, values) { _, part in
      if case .bool(let flag) = part { [.bool(!flag)] } else { [] }
    }
    let otherWords = try changes(of: recipes, values) { name, part in
      if case .string = part { words[name, default: []].map { .string($0) } } else { [] }
    }
    #expect(numbers > 1000)
    #expect(flags > 5)
    #expect(otherWords > 500)
  }

  /// The words that members of each name have.
  private func words(in values: [RecipeValue]) -> [String: Set<String>] {
    var words: [String: Set<String>] = [:]
    for value in values {
      _ = value.changed { name, part in
        if case .string(let word) = part { words[name, default: []].insert(word) }
        return []
      }
    }
    return words
  }

  /// Compares the hashes of recipes with those of their valid variants, and returns the number of variants.
  private func changes(
    of recipes: [Recipe], _ values: [RecipeValue],
    _ change: (_ name: String, _ part: RecipeValue) -> [RecipeValue]
  ) throws -> Int {
    var count = 0
    for (recipe, value) in zip(recipes, values) {
      let variants = value.changed(change)
      for index in stride(from: 0, to: variants.count, by: max(1, variants.count / 100)) {
        let data = try JSONEncoder().encode(variants[index])
        guard let other = try? JSONDecoder().decode(Recipe.self, from: data),
          other.json != recipe.json
        else { continue }
        count += 1
        #expect(other.contentHash != recipe.contentHash, "\(other) has the hash of \(recipe)")
      }
    }
    return count
  }
}

/// The rows of a bitmap in order.
private struct RowsOfBitmap: RowSource {
  let bitmap: Bitmap<UInt16>
  /// The addresses that its rows were written to.
  let places = Places()

  var compressionError = 0.0
  /// The pixels that it is reduced to; nil where it cannot be.
  var fewer: Bitmap<UInt16>?

  final class Places: Sendable { let all = Mutex<Set<Int>>([]) }

  init(_ bitmap: Bitmap<UInt16>) { self.bitmap = bitmap }

  var size: PixelSize { bitmap.size }
  var space: ColorSpace { bitmap.space }
  var channels: Channels { bitmap.channels }
  var alpha: Alpha { bitmap.alpha }
  var format: SampleFormat { .uint16 }

  func makeReader() throws -> any RowReader { Reader(self) }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? { fewer.map { RowsOfBitmap($0) } }

  private final class Reader: RowReader {
    let rows: RowsOfBitmap
    var next = 0

    init(_ rows: RowsOfBitmap) { self.rows = rows }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      rows.places.all.withLock { _ = $0.insert(Int(bitPattern: row.baseAddress)) }
      rows.bitmap.row(next).withUnsafeBytes { row.copyMemory(from: $0) }
      next += 1
    }
  }
}
