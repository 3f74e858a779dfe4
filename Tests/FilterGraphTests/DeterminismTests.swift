import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// The same pixels for every tile size, number of threads, arrangement and instruction set: one hash for each filter.
///
/// The hashes stand in a file, so that other machines and other kernels (COLORLOOM_ISA) are held to the same ones. After a filter's
/// numbers changed on purpose, COLORLOOM_RECORD=1 writes the file again.
@Suite struct DeterminismTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/PixelHashes.txt").standardized

  @Test func everyFilterHasOneHash() throws {
    let source = TestPictures.codes(as: UInt16.self, PixelSize(61, 43), channels: .rgba)
    let planar = TestPictures.floats(PixelSize(61, 43), channels: .rgb, arrangement: .planar)
    var lines: [String] = []
    for (kind, source) in [("rgba", Picture(source)), ("rgb", Picture(planar))] {
      for (name, picture) in try EveryFilter.pictures(of: source) {
        lines.append("\(kind) \(name): \(try onlyHash(of: picture, named: name))")
      }
    }
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let recorded = Set(try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n"))
    for line in lines where !recorded.contains(Substring(line)) {
      Issue.record("not in \(Self.file.lastPathComponent): \(line)")
    }
  }

  private func onlyHash(of picture: Picture, named name: String) throws -> String {
    var hashes: Set<String> = []
    for tile in [PixelSize(16, 16), PixelSize(64, 64), PixelSize(128, 128), picture.size] {
      for threads in [1, 2, 4, 8] {
        for arrangement in [Arrangement.interleaved, .planar] {
          var options = RenderOptions()
          (options.tile, options.threads) = (tile, threads)
          let bitmap: Bitmap<Float> = try picture.render(
            arrangement: arrangement, options: options)
          hashes.insert(bitmap.hash)
        }
      }
    }
    #expect(hashes.count == 1, "\(name) has \(hashes.count) results")
    return hashes.sorted().joined(separator: " ")
  }
}

extension Bitmap where Sample == Float {
  /// A hash of all bits, every NaN alike, wherever the samples lie.
  fileprivate var hash: String {
    var hash = SHA256()
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<channels.count {
          let value = self[x, y, channel]
          let bits = (value.isNaN ? Float.nan : value).bitPattern
          withUnsafeBytes(of: bits.littleEndian) { hash.update($0) }
        }
      }
    }
    return hash.hexadecimalDigest()
  }
}
