import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// GIF files that are truncated, damaged or hostile.
@Suite struct DamagedGIFTests {
  private static let size = PixelSize(60, 50)
  private static let noise: TestGIF = {
    var random = SeededGenerator(seed: 3)
    var frame = TestGIF.Frame(width: size.width, height: size.height) { _, _ in
      .random(in: 0...3, using: &random)
    }
    frame.transparentIndex = 0
    return TestGIF(width: size.width, height: size.height, [frame])
  }()

  private func reason(_ bytes: [UInt8], page: Int? = nil) -> String {
    do throws(ImageFileError) {
      _ = try ImageFile.read(bytes: bytes, page: page)
      return "none"
    } catch { return error.finding }
  }

  /// The rows of a truncated file are read, of interlaced ones up to the first that is missing.
  @Test(arguments: [false, true]) func rowsUpToTheEndAreRead(isInterlaced: Bool) throws {
    var gif = Self.noise
    guard case .frame(var frame) = gif.blocks[0] else { throw Failure("no frame") }
    frame.isInterlaced = isInterlaced
    gif.blocks = [.frame(frame)]
    let whole: Bitmap<UInt8> = try Picture(bytes: gif.bytes).render()
    let bytes = Array(gif.bytes.prefix(gif.bytes.count * 6 / 10))
    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    let salvage = try #require(file.salvage)
    // Of four passes, the last one holds every other row.
    #expect((isInterlaced ? 3...15 : 26...32).contains(salvage.rows))
    #expect(
      salvage.error == .truncated(file: "data", rows: salvage.rows, of: Self.size.height))
    for y in 0..<Self.size.height {
      #expect(y < salvage.rows ? read.row(y) == whole.row(y) : read.row(y).allSatisfy { $0 == 0 })
    }
    #expect(throws: salvage.error) { try ImageFile.read(bytes: bytes) }
  }

  @Test func aMissingTrailerIsTruncation() throws {
    let bytes = Self.noise.bytesBeforeTrailer
    let error = ImageFileError.truncated(file: "data", rows: 50, of: 50)
    #expect(throws: error) { try ImageFile.read(bytes: bytes) }
    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    #expect(try file.picture().render(as: UInt8.self) == Picture(bytes: Self.noise.bytes).render())
    #expect(file.salvage?.rows == 50)
    // Frames before the last one are complete.
    var animation = Self.noise
    animation.blocks += [.frame(.filled(1, width: 60, height: 50))]
    let first = Array(animation.bytes.dropLast(5))
    #expect(throws: Never.self) { try ImageFile.read(bytes: first) }
    #expect(
      "\(try ImageFile.info(bytes: first).notes)".contains(
        "the end of frame 2, where the file ends early"))
    // Of a third frame only the beginning is there, which tells nothing.
    animation.blocks += [.frame(.filled(1, width: 1, height: 1))]
    let start = animation.bytesBeforeTrailer.count - 10
    let second = Array(animation.bytes.prefix(start))
    #expect(
      "\(try ImageFile.info(bytes: second).notes)".contains(
        "what follows frame 2, where the file ends early"))
  }

  @Test func damageIsDescribed() throws {
    func file(_ frame: TestGIF.Frame, _ change: (inout TestGIF) -> Void = { _ in }) -> [UInt8] {
      var gif = TestGIF(width: 4, height: 4, [frame])
      change(&gif)
      return gif.bytes
    }
    let frame = TestGIF.Frame.filled(1, width: 4, height: 4)
    #expect(reason(file(frame)) == "none")
    #expect(reason(Array("GIF89a".utf8)).contains("ends after 6 bytes, before its header"))
    #expect(reason(file(frame) { $0.blocks = [] }).contains("has no frame"))
    #expect(
      reason(file(frame) { $0.blocks = [.bytes([9])] }).contains("is 9, which begins no block"))
    #expect(reason(file(frame) { $0.palette = nil }).contains("its frame 1 has no palette"))
    let empty = TestGIF(width: 0, height: 0, [.filled(0, width: 0, height: 3)])
    #expect(reason(empty.bytes).contains("states 0 × 0 pixels, and its first frame 0 × 3"))
    var beyond = frame
    (beyond.bits, beyond.indices[5]) = (3, 7)
    #expect(
      reason(file(beyond)).contains(
        "its frame 1 has palette indices up to 7, and its palette has 4 colors"))
    // A transparent index may be beyond the palette.
    beyond.transparentIndex = 7
    #expect(reason(file(beyond)) == "none")
    var short = frame
    short.indices.removeLast(3)
    (short.width, short.height) = (short.indices.count, 1)
    var bytes = file(short)
    let place = try #require(bytes.firstIndex(of: 0x2C))
    bytes.replaceSubrange(place + 5..<place + 9, with: 4.bytes(2) + 4.bytes(2))
    #expect(reason(bytes).contains("its frame 1 ends after 13 of 16 pixels"))
    for bits in [0, 9, 255] {
      bytes = file(frame)
      bytes[place + 10] = UInt8(bits)
      #expect(reason(bytes).contains("states indices of \(bits) bits, where 1 to 8 are possible"))
    }
    // A code that is not defined yet.
    var codes = TestGIF.BitWriter()
    for code in [4, 1, 7] { codes.add(code, 3) }
    bytes = Array(file(frame)[..<(place + 11)]) + TestGIF.subBlocks(codes.finished) + [0x3B]
    #expect(
      reason(bytes).contains("its frame 1 has the code 7 after 1 pixels, where 6 codes are defined")
    )
  }

  /// Sizes that few bytes cannot hold, and frames that clear them again and again.
  @Test func sizesBeyondTheFileAreRefused() throws {
    var bytes = TestGIF(width: 1, height: 1, [.filled(1, width: 1, height: 1)]).bytes
    let place = try #require(bytes.firstIndex(of: 0x2C))
    bytes.replaceSubrange(place + 5..<place + 9, with: 20_000.bytes(2) + 20_000.bytes(2))
    #expect(reason(bytes).contains("its frame 1 states 20000 × 20000 pixels, which"))
    var cleared = Array(bytes[(place - 8)..<(bytes.count - 1)])
    cleared[3] = 2 << 2
    // They leave the last row, so that the first frame shows.
    cleared.replaceSubrange(15..<17, with: 199.bytes(2))
    var many = TestGIF(
      width: 200, height: 200,
      [.filled(1, width: 200, height: 200), .filled(2, width: 1, height: 1)])
    many.blocks.insert(.bytes(Array([[UInt8]](repeating: cleared, count: 500).joined())), at: 1)
    #expect(
      reason(many.bytes, page: 502).contains("its frame 2 states 20000 × 199 pixels, which"))
    #expect(
      throws: ImageFileError.tooManyPixels(file: "data", Self.size, limit: 2999)
    ) { try ImageFile.info(bytes: Self.noise.bytes, limits: FileLimits(pixels: 2999)) }
  }

  @Test func limitsHold() throws {
    var gif = TestGIF(width: 1, height: 1, [.filled(1, width: 1, height: 1)])
    gif.blocks += [[Int]](repeating: [], count: 1000).map { _ in TestGIF.comment([]) }
    var limits = FileLimits()
    limits.metadataBytes = 64_000
    #expect(try ImageFile.info(bytes: gif.bytes, limits: limits).metadata.text.count == 1000)
    limits.metadataBytes -= 1
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 63_999)) {
      try ImageFile.info(bytes: gif.bytes, limits: limits)
    }
    gif.blocks = [
      .frame(.filled(1, width: 1, height: 1)), TestGIF.xmp([UInt8](repeating: 32, count: 999)),
    ]
    limits.metadataBytes = 998
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 998)) {
      try ImageFile.info(bytes: gif.bytes, limits: limits)
    }
    gif.blocks[1] = TestGIF.application("ICCRGBG1012", [UInt8](repeating: 0, count: 600))
    limits.profileBytes = 500
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: gif.bytes, limits: limits) }
    let block = Array("!\u{1}\0".utf8)
    let crowd = [[UInt8]](repeating: block, count: 1 << 18).joined()
    gif.blocks[1] = .bytes(Array(crowd))
    #expect(reason(gif.bytes).contains("has more than 262144 blocks"))
  }

  /// Every beginning of a file, and bytes changed at random, are read or refused.
  @Test func noBytesCrash() throws {
    var random = SeededGenerator(seed: 9)
    for sample in TestGIF.samples {
      let intact = sample.bytes
      for count in intact.indices {
        _ = try? ImageFile.read(bytes: Array(intact.prefix(count)), page: 1 + count % 4)
        var mutant = intact
        for _ in 0..<1 + count % 4 {
          mutant[.random(in: 0..<intact.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        var limits = FileLimits(pixels: 1 << 20)
        limits.memoryLimit = 16 << 20
        _ = try? ImageFile.read(bytes: mutant, page: 1 + count % 4, limits: limits)
      }
    }
  }
}
