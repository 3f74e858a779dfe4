import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Animated PNG files that are truncated, damaged or hostile.
@Suite struct DamagedAPNGTests {
  private func reason(_ bytes: [UInt8], page: Int?, _ limits: FileLimits = FileLimits()) -> String {
    do throws(ImageFileError) {
      _ = try ImageFile.read(bytes: bytes, page: page, limits: limits)
      return "none"
    } catch { return error.finding }
  }

  private static let gray = TestAPNG.Frame.filled([90, 90, 90, 255], width: 6, height: 8)

  @Test func damageIsDescribed() throws {
    let intact = TestAPNG(width: 6, height: 8, [Self.gray, Self.gray, Self.gray])
    func reason(page: Int = 2, _ change: (inout TestAPNG) -> Void) -> String {
      var file = intact
      change(&file)
      return self.reason(file.bytes, page: page)
    }
    #expect(reason { _ in } == "none")
    #expect(
      reason { $0.frames[1].x = 1 }.contains(
        "its frame 2 has 6 × 8 pixels at (1, 0), and the picture 6 × 8"))
    #expect(reason { $0.frames[1].height = 0 }.contains("its frame 2 has 6 × 0 pixels"))
    #expect(reason { $0.frames[1].data.removeLast(30) }.contains("its frame 2: libpng says"))
    #expect(reason { $0.frames[1].data = [] }.contains("its frame 2: libpng says"))
    // More frames than the file has.
    #expect(reason(page: 4) { $0.statedCount = 9 }.contains("no frame 4; the last one is 3"))
    // Those behind the stated number do not count.
    #expect(reason(page: 3) { $0.statedCount = 2 }.contains("no frame 3; the last one is 2"))
    // The picture is read nevertheless, with a note.
    var file = intact
    file.frames[1].x = 1
    #expect(self.reason(file.bytes, page: nil) == "none")
    #expect(
      "\(try ImageFile.info(bytes: file.bytes).notes)".contains("its animation behind frame 1"))
  }

  @Test func checksumsAndSequenceAreChecked() throws {
    let file = TestAPNG(width: 6, height: 8, [Self.gray, Self.gray, Self.gray])
    let bytes = file.bytes
    let data = try #require(bytes.firstRange(of: Array("fdAT".utf8)))
    var damaged = bytes
    damaged[data.upperBound + 10] ^= 1
    #expect(
      reason(damaged, page: 2).contains("the checksum of a chunk “fdAT” of its frame 2 is wrong"))
    // The frame is damaged that the third one lies on, but for what hides it.
    #expect(reason(damaged, page: 3) == "none")
    damaged = bytes
    damaged[data.upperBound + 3] ^= 1
    #expect(reason(damaged, page: 3).contains("does not have the number 2 in the sequence"))
    let control = try #require(bytes.lastRange(of: Array("fcTL".utf8)))
    damaged = bytes
    damaged[control.upperBound + 24] = 1
    #expect(reason(damaged, page: 3).contains("the checksum of its chunk “fcTL” is wrong"))
  }

  /// Rows above the damage are read, with those of the frames below.
  @Test func rowsOfTruncatedFramesAreSalvaged() throws {
    var frame = TestAPNG.Frame.filled([200, 0, 0, 255], y: 2, width: 6, height: 5)
    frame.firstChunk = 60
    let whole = TestAPNG(width: 6, height: 8, [Self.gray, frame]).bytes
    // The second chunk is cut off: of rows of 25 bytes, the first two are there behind 7 bytes of headers.
    let bytes = Array(whole.dropLast(40))
    let file = try OpenedImageFile(bytes: bytes, page: 2, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    let salvage = try #require(file.salvage)
    #expect((2...4).contains(salvage.rows))
    #expect(salvage.error == .truncated(file: "data", rows: salvage.rows, of: 8))
    #expect(read[0, 1, 0] == 90)
    #expect(throws: salvage.error) { try ImageFile.read(bytes: bytes, page: 2) }
    #expect(
      "\(try ImageFile.info(bytes: bytes).notes)".contains(
        "the end of frame 2, or what follows it, where the file ends early"))
    var other = TestAPNG(width: 6, height: 8, [Self.gray, Self.gray])
    other.statedCount = 3
    #expect(
      reason(other.bytes.dropLast(12), page: 3).contains("it ends behind frame 2 of its animation"))
  }

  /// Bytes that are changed at random, with checksums that fit, are read or refused.
  @Test func noBytesCrash() throws {
    var random = SeededGenerator(seed: 5)
    var limits = FileLimits(pixels: 1 << 20)
    limits.memoryLimit = 16 << 20
    for sample in TestAPNG.samples {
      let intact = sample.bytes
      for count in intact.indices {
        let page = 1 + count % 5
        _ = try? ImageFile.read(bytes: Array(intact.prefix(count)), page: page, limits: limits)
        var mutant = sample
        let index = count % mutant.frames.count
        let place = Int.random(in: 0..<mutant.frames[index].data.count, using: &random)
        switch count % 4 {
        case 0: mutant.frames[index].data[place] = .random(in: 0...255, using: &random)
        case 1: mutant.frames[index].width = .random(in: 0...20, using: &random)
        case 2: mutant.frames[index].y = .random(in: 0...12, using: &random)
        default: mutant.frames[index].firstChunk = place
        }
        _ = try? ImageFile.read(bytes: mutant.bytes, page: page, limits: limits)
      }
    }
  }
}
