import FilterGraph
import ImageBuffer
import Synchronization
import Testing

/// Work on bands of rows outside of a plan.
@Suite struct RowBandTests {
  private static let sizes = [
    PixelSize(1, 1), PixelSize(7, 100_000), PixelSize(1920, 1080), PixelSize(40_000, 3),
    PixelSize(1 << 20, 1), PixelSize(32_768, 65),
  ]

  /// Every row belongs to one band, and no more threads work than the options allow.
  @Test(arguments: sizes, [1, 2, 3, 8, nil] as [Int?])
  func bandsAreAllRowsOnce(size: PixelSize, threads: Int?) {
    var options = RenderOptions()
    options.threads = threads
    let working = Atomic(0)
    let most = Atomic(0)
    let bands = Mutex<[Range<Int>]>([])
    options.forEachBand(of: size) { rows in
      most.max(working.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      bands.withLock { $0.append(rows) }
      working.subtract(1, ordering: .relaxed)
    }
    let sorted = bands.withLock(\.self).sorted { $0.lowerBound < $1.lowerBound }
    #expect(sorted.flatMap { Array($0) } == Array(0..<size.height))
    #expect(sorted.allSatisfy { !$0.isEmpty })
    if let threads { #expect(most.load(ordering: .relaxed) <= threads) }
  }

  /// A small picture takes no other thread; a large one has work for many.
  @Test func bandsAreWorthAThread() {
    func count(_ size: PixelSize) -> Int {
      let count = Atomic(0)
      RenderOptions().forEachBand(of: size) { _ in count.add(1, ordering: .relaxed) }
      return count.load(ordering: .relaxed)
    }
    #expect(count(PixelSize(160, 90)) == 1)
    #expect(count(PixelSize(1920, 1080)) > 32)
  }
}
