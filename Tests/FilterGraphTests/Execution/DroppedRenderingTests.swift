import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Renderings whose copies are released before they end.
@Suite struct DroppedRenderingTests {
  fileprivate static let picture = Picture(Ramp(), in: .displayP3)
    .cropped(to: Region(PixelSize(30, 20))).exposure(1).converted(to: .sRGB)

  /// Holds the first tile of a rendering until it is released.
  private final class FirstTile: Sendable {
    private let state = Mutex((tiles: 0, isReleased: false))
    private let (begun, isBegun) = AsyncStream.makeStream(of: Void.self)

    var tiles: Int { state.withLock { $0.tiles } }

    /// Starts a rendering of one tile per pixel, and waits for its first tile.
    func begin() async -> Rendering<UInt8> {
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(1, 1), 1)
      options.progress = { [self] _ in
        state.withLock { $0.tiles += 1 }
        isBegun.yield()
        while !state.withLock({ $0.isReleased }) { Thread.sleep(forTimeInterval: 0.001) }
      }
      let rendering = DroppedRenderingTests.picture.startRendering(as: UInt8.self, options: options)
      for await _ in begun { break }
      return rendering
    }

    func release() { state.withLock { $0.isReleased = true } }
  }

  @Test(.endsDeadlocks) func aRenderingThatNothingHoldsIsCancelledWithinATile() async {
    let first = FirstTile()
    let progress = await first.begin().progress
    first.release()
    for await _ in progress {}
    #expect(first.tiles == 1)
  }

  @Test(.endsDeadlocks) func aCopyKeepsTheRenderingGoing() async throws {
    let first = FirstTile()
    let rendering = await first.begin()
    var copies = [rendering, rendering]
    copies.removeFirst()
    first.release()
    #expect(try await copies[0].bitmap == Self.picture.render(as: UInt8.self))
    #expect(first.tiles == 30 * 20)
  }

  /// Waiting for the bitmap holds the rendering, also one without a name.
  @Test func waitingKeepsTheRenderingGoing() async throws {
    let expected = try Self.picture.render(as: UInt8.self)
    for _ in 0..<20 {
      #expect(try await Self.picture.startRendering(as: UInt8.self).bitmap == expected)
    }
  }
}
