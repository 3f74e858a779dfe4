import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

/// The cache of transforms, which hostile profiles must not fill.
@Suite struct ContentCacheTests {
  /// So many bytes count as no more than an eighth of the cache, with what each entry counts.
  private static let limit = 1 << 20
  private static let eighth = limit / 8 - (16 << 10)

  @Test func valuesAreBoundedInBytes() {
    let cache = ContentCache<Int, Int>(byteLimit: Self.limit)
    for index in 0..<100 {
      cache.insert(index, for: index, byteCount: Self.eighth)
      #expect(cache.byteCount <= Self.limit)
    }
    #expect(cache.byteCount == Self.limit)
    #expect((0..<100).filter { cache.value(for: $0) != nil } == Array(92..<100))
  }

  @Test func smallValuesAreBoundedInNumber() {
    let cache = ContentCache<Int, Int>(byteLimit: Self.limit)
    for index in 0..<1000 { cache.insert(index, for: index, byteCount: 0) }
    #expect((0..<1000).count { cache.value(for: $0) != nil } == Self.limit / (16 << 10))
  }

  /// A server's own profile stays, however many profiles of uploads come.
  @Test func whatIsUsedStays() {
    let cache = ContentCache<Int, Int>(byteLimit: Self.limit)
    cache.insert(7, for: -1, byteCount: Self.eighth)
    for index in 0..<100 {
      cache.insert(index, for: index, byteCount: Self.eighth)
      #expect(cache.value(for: -1) == 7)
    }
  }

  @Test func largeValuesAreNotKept() {
    let cache = ContentCache<Int, Int>(byteLimit: Self.limit)
    cache.insert(1, for: 1, byteCount: Self.eighth)
    cache.insert(2, for: 2, byteCount: Self.limit / 4)
    #expect(cache.value(for: 1) == 1 && cache.value(for: 2) == nil)
  }

  @Test func replacedValuesCountOnce() {
    let cache = ContentCache<Int, Int>(byteLimit: Self.limit)
    for value in 0..<20 { cache.insert(value, for: 0, byteCount: Self.eighth) }
    #expect(cache.byteCount == Self.limit / 8 && cache.value(for: 0) == 19)
  }

  /// Profiles that differ in a byte, each with a table of 64³ points in one direction.
  @Test func transformsOfManyProfilesAreBoundedInBytes() throws {
    let cache = ICCTransform.Cache(byteLimit: ICCTransform.cacheByteLimit)
    for number in 0..<12 as Range<UInt8> {
      var profile = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
      // A table of three linear curves, a grid of black, and three linear curves again.
      let line: [UInt8] = [0, 0, 0xFF, 0xFF]
      var table = Array("mft2".utf8) + [0, 0, 0, 0, 3, 3, 64, 0]
      table += (0..<9).flatMap { ParsedProfile.bytes($0 % 4 == 0 ? 65_536 : 0) } + [0, 2, 0, 2]
      table += line + line + line + [number, 0]
      table += [UInt8](repeating: 0, count: 2 * (3 * 64 * 64 * 64 - 1)) + line + line + line
      profile.tags["A2B0"] = table
      profile.tags["A2B1"] = nil
      let transform = try ICCTransform(
        [.profile(ICCProfile(bytes: profile.bytes)), .space(.lab)], intent: .perceptual,
        cache: cache)
      #expect(transform.program.byteCount >= 2 * 3 * 64 * 64 * 64)
      #expect(cache.byteCount <= ICCTransform.cacheByteLimit)
    }
    // One profile and its table take more than 3 MB, so that the last ones are there.
    #expect(cache.byteCount > 3 << 20)
  }
}
