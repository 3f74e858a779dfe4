import CAllocationCounter
import Colorloom
import Foundation
import Synchronization
import _TestSupport

/// For graphs of sequential sources, with threads delayed at every hand-over and busy cores: the peak memory of
/// rendering, and the plan's promise.
func delays() throws {
  let load = BusyThreads(count: 2)
  defer { load.end() }
  for (name, picture) in sequentialGraphs {
    for (threads, point) in [1, 2, 8].flatMap({ count in
      HandOverPoint.allCases.map { (count, $0) }
    }) {
      for inBands in [false, true] {
        var options = RenderOptions()
        (options.threads, options.tile) = (threads, PixelSize(64, 9))
        options.handOver = delay(at: point)
        let (held, promised) = try peaks(of: picture(), inBands: inBands, options)
        report(name, threads, point, inBands ? "bands" : "bitmap", held, promised)
      }
    }
  }
}

/// Graphs that read rows downwards, upwards, from several sources, with gaps, and behind caches.
private let sequentialGraphs: [(name: String, picture: @Sendable () -> Picture)] = [
  ("forwards", { rows(160).boxBlurred(radius: 2).resized(to: .exact(70, 60)) }),
  ("backwards", { rows(160).flipped().boxBlurred(radius: 2) }),
  ("across", { rows(160).turned(quarters: 1).exposure(-1) }),
  (
    "two sources",
    {
      rows(160).applying(
        Mean(extent: .union), with: [rows(130).inverted().moved(by: Offset(3, 40))])
    }
  ),
  (
    "both ways",
    { rows(160).applying(Mean(extent: .union), with: [rows(160).flipped()]) }
  ),
  (
    // The lower part is far below the upper one.
    "gap",
    {
      rows(1600).cropped(to: Region(x: 0, y: 0, width: 200, height: 60))
        .applying(
          Mean(extent: .union),
          with: [
            rows(1600).cropped(to: Region(x: 0, y: 1500, width: 200, height: 60))
              .moved(by: Offset(0, -1400))
          ])
    }
  ),
  ("gap in one source", gapInOneSource),
  (
    "small cache",
    {
      rows(160).boxBlurred(radius: 2).cached(in: PictureCache(bytes: 1 << 16, blockSide: 32))
        .boxBlurred(radius: 1)
    }
  ),
  (
    "two caches",
    {
      let cache = PictureCache(bytes: 1 << 22, blockSide: 32)
      return rows(160).boxBlurred(radius: 2).cached(in: cache).boxBlurred(radius: 3)
        .cached(in: cache).resized(to: .exact(90, 70))
    }
  ),
]

/// Two parts of one source, with unneeded rows in between.
@Sendable private func gapInOneSource() -> Picture {
  let source = rows(1600)
  return source.cropped(to: Region(x: 0, y: 0, width: 200, height: 60))
    .applying(
      Mean(extent: .union),
      with: [
        source.cropped(to: Region(x: 0, y: 1500, width: 200, height: 60))
          .moved(by: Offset(0, -1400))
      ])
}

private func rows(_ height: Int) -> Picture { Picture(Waves(size: PixelSize(200, height))) }

/// Delays every fifth thread at a hand-over by two milliseconds.
private func delay(at point: HandOverPoint) -> HandOver {
  let counted = Counted()
  return { place in
    if place == point, counted.count.add(1, ordering: .relaxed).oldValue % 5 == 0 { usleep(2000) }
  }
}

private final class Counted: Sendable { let count = Atomic(0) }

/// The peak memory of rendering a picture, and its plan's promise.
private func peaks(
  of picture: Picture, inBands: Bool, _ options: RenderOptions
) throws -> (held: Int64, promised: Int) {
  let promised = try picture.planReport(as: UInt16.self, inBands: inBands, options: options)
    .peakBytes
  reset_allocated_bytes_peak()
  let before = allocated_bytes()
  if inBands {
    try picture.renderBands(as: UInt16.self, options: options) { _, _ in }
  } else {
    _ = try picture.render(as: UInt16.self, options: options)
  }
  return (allocated_bytes_peak() - before, promised)
}

/// Threads that keep cores busy until they are stopped.
private final class BusyThreads: Sendable {
  private let isOver = Atomic(false)

  init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { while !self.isOver.load(ordering: .relaxed) {} }
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}

/// For so many concurrent asynchronous renderings: the maximum number of threads of the program, and the cores.
func concurrent(renderings: Int) throws {
  let source = Picture(Ramp(), in: .displayP3).cropped(to: Region(PixelSize(300, 200)))
  let most = Mutex(Result { try numberInStatus("Threads") })
  var options = RenderOptions()
  options.tile = PixelSize(64, 64)
  options.progress = { _ in
    let count = Result { try numberInStatus("Threads") }
    most.withLock { most in most = most.flatMap { most in count.map { max(most, $0) } } }
  }
  let chosen = options
  let done = DispatchSemaphore(value: 0)
  let failures = Mutex(0)
  Task.detached {
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<renderings {
        group.addTask {
          let picture = source.exposure(Double(index) / 400).boxBlurred(radius: 2)
          let bitmap: Bitmap<Float>? = try? await picture.renderInBackground(options: chosen)
          return bitmap != nil
        }
      }
      for await isRendered in group where !isRendered { failures.withLock { $0 += 1 } }
    }
    done.signal()
  }
  done.wait()
  report(
    renderings, failures.withLock(\.self), try most.withLock(\.self).get(),
    ProcessInfo.processInfo.activeProcessorCount)
}

/// The resident bytes that remain after many concurrent renderings were freed, and their maximum.
func returned() throws {
  // The first rendering creates permanent tables.
  try renderTogether(threads: 2)
  let before = try residentBytes("VmRSS")
  var most = 0
  for _ in 0..<3 { most = max(most, try renderTogether(threads: 32)) }
  report(try residentBytes("VmRSS") - before, most - before)
}

/// Renders on so many threads, which all keep their results until the last one is done. Returns the resident bytes at
/// that time.
@discardableResult
private func renderTogether(threads: Int) throws -> Int {
  let source = Picture(Ramp(), in: .displayP3).cropped(to: Region(PixelSize(400, 300)))
  let (done, gone) = (DispatchGroup(), DispatchGroup())
  let mayEnd = DispatchSemaphore(value: 0)
  for _ in 0..<threads {
    done.enter()
    gone.enter()
    Thread.detachNewThread {
      var options = RenderOptions()
      (options.threads, options.tile) = (1, PixelSize(400, 300))
      var bitmap: Bitmap<Float>? = try? source.boxBlurred(radius: 2).render(options: options)
      done.leave()
      withExtendedLifetime(bitmap) { mayEnd.wait() }
      // Freed before the remaining memory is measured, not when the system next runs this thread.
      bitmap = nil
      gone.leave()
    }
  }
  done.wait()
  let resident = try residentBytes("VmRSS")
  for _ in 0..<threads { mayEnd.signal() }
  gone.wait()
  // A thread frees its memory when it ends.
  for _ in 0..<100 where try numberInStatus("Threads") > threads / 2 { usleep(10_000) }
  return resident
}

/// Whether a rendering that lost a thread to a short one gets it back: “rejoined” or “alone”.
func cores() throws {
  // More tiles than a thread computes while the short rendering takes its tenth of a second.
  let picture = Picture(Meeting(), in: .sRGB).cropped(to: Region(PixelSize(512, 64)))
  var options = RenderOptions()
  options.tile = PixelSize(1, 1)
  _ = try picture.render(as: UInt8.self, options: options)
  report(Meeting.state.withLock(\.hasRejoined) ? "rejoined" : "alone")
}

/// A painter whose first tile starts a short rendering while the other threads continue, and whose later tiles wait for
/// each other.
private struct Meeting: Painter {
  static let state = Mutex(State())

  struct State {
    var inside = 0
    var (isShort, wasShort, hasRejoined) = (false, false, false)
  }

  func pixel(x: Int, y: Int) -> SIMD4<Double> { SIMD4(0, 0, 0, 1) }

  func render(into output: Tile) {
    output[output.region.x, output.region.y] = [0, 0, 0, 1]
    let beginsShort = Self.state.withLock { state in
      state.inside += 1
      if state.wasShort, state.inside > 1 { state.hasRejoined = true }
      if state.inside == 1 || state.isShort { return false }
      state.isShort = true
      return true
    }
    if beginsShort {
      // While this exists, two renderings share the cores.
      let short = Picture(Pause(), in: .sRGB).cropped(to: Region(PixelSize(1, 1)))
      _ = try? short.render(as: UInt8.self)
      Self.state.withLock { $0.wasShort = true }
    } else {
      // The first tile waits for a second one. Those after the short rendering wait briefly, since a single thread only
      // checks between tiles whether it must share.
      for attempt in 0..<10_000 {
        let mayGo = Self.state.withLock { state in
          state.wasShort ? state.hasRejoined || attempt >= 20 : state.isShort
        }
        if mayGo { break }
        usleep(1000)
      }
    }
    Self.state.withLock { $0.inside -= 1 }
  }

  /// Takes a tenth of a second.
  private struct Pause: Painter {
    func pixel(x: Int, y: Int) -> SIMD4<Double> {
      usleep(100_000)
      return SIMD4(0, 0, 0, 1)
    }
  }
}
