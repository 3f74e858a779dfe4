internal import ColorSpaces
internal import Dispatch
public import ImageBuffer
internal import Synchronization

extension Picture {
  /// Computes the picture in bands of rows from top to bottom, for encoders that take them in order.
  ///
  /// No more bands are in memory than are being computed or waiting for their turn. `take` is called with the first row of each
  /// band and its pixels, by one thread at a time; what it throws ends the rendering.
  public func renderBands<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, options: RenderOptions = RenderOptions(),
    _ take: @escaping @Sendable (_ firstRow: Int, _ band: Bitmap<Sample>) throws -> Void
  ) throws(RenderError) {
    try Picture.renderBands([self], options: options) { (_, row, band: Bitmap<Sample>) in
      try take(row, band)
    }
  }

  /// Computes several pictures together in bands of rows, each from top to bottom: what they have in common is computed once,
  /// and read once.
  public static func renderBands<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type = Sample.self,
    options: RenderOptions = RenderOptions(),
    _ take:
      @escaping @Sendable (_ picture: Int, _ firstRow: Int, _ band: Bitmap<Sample>) throws -> Void
  ) throws(RenderError) {
    if pictures.isEmpty { return }
    let plan = try Plan(pictures.map(\.storedForm), options: options)
    let tile = options.tile ?? plan.preferredTile
    let sizes = pictures.map(\.size)
    let bandsAtOnce = 2 * max(options.threads ?? activeProcessorCount, 1)
    let height = min(tile.height, sizes[0].height)
    let bandBytes = pictures.map { picture in
      let rows = (picture.size.height * height + sizes[0].height - 1) / sizes[0].height + 1
      return picture.byteCount(of: PixelSize(picture.size.width, rows), as: Sample.self)
    }
    let evaluator = try TiledEvaluator(
      plan, sizes: sizes, tile: PixelSize(sizes[0].width, tile.height),
      resultBytes: bandsAtOnce * bandBytes.reduce(0, +), options: options)
    let grid = evaluator.grid
    let queue = BandQueue<Sample>(room: bandsAtOnce, take)
    try evaluator.forEachTile(waitForRoom: queue.waitForRoom, onFailure: queue.abandon) {
      worker, index throws(RenderError) in
      let regions = pictures.indices.map { grid.region(of: index, result: $0) }
      var bands = pictures.indices.map { result in
        regions[result].height > 0
          ? queue.band(PixelSize(sizes[result].width, regions[result].height), pictures[result])
          : nil
      }
      let targets = bands.indices.map { result in
        bands[result]?.uniqueSurface().asRows(from: regions[result].y)
      }
      try worker.render(index, into: targets)
      do { try queue.deliver(index, Array(zip(regions.map(\.y), bands))) } catch {
        throw .sink(SourceError(error))
      }
    }
  }
}

/// Hands bands on in their order, whatever the order in which they are done.
private final class BandQueue<Sample: PixelSample>: Sendable {
  typealias Bands = [(firstRow: Int, band: Bitmap<Sample>?)]

  private let take: @Sendable (Int, Int, Bitmap<Sample>) throws -> Void
  // A tile is taken when there is room for its bands until their turn comes. Tiles are taken in order, so the one whose turn is next
  // has room. A thread that finds no tile left keeps the room of one; there is room for two of each thread.
  private let room = DispatchSemaphore(value: 0)
  private let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var waiting: [Int: Bands] = [:]
    var next = 0
    var isDelivering = false
    var isAbandoned = false
    var spare: [Bitmap<Sample>] = []
  }

  init(
    room capacity: Int, _ take: @escaping @Sendable (Int, Int, Bitmap<Sample>) throws -> Void
  ) {
    (self.capacity, self.take) = (capacity, take)
    for _ in 0..<capacity { room.signal() }
  }

  func waitForRoom() { room.wait() }

  /// Nobody waits any more: some tile failed, and those after it will never have their turn.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    for _ in 0..<capacity { room.signal() }
  }

  /// A bitmap for a band, one that was handed on before if there is one of its kind.
  func band(_ size: PixelSize, _ picture: Picture) -> Bitmap<Sample> {
    let channels: Channels = picture.hasAlpha ? .rgba : .rgb
    let spare = state.withLock { state in
      state.spare.firstIndex {
        $0.size == size && $0.channels == channels && $0.space == picture.space
      }.map { state.spare.remove(at: $0) }
    }
    return spare
      ?? Bitmap(
        uninitialized: size, in: picture.space, channels: channels, alpha: .straight,
        arrangement: .interleaved)
  }

  /// Hands on a tile's bands, and all that wait for them, unless somebody else is doing that.
  func deliver(_ index: Int, _ bands: Bands) throws {
    var current = state.withLock { state in
      state.waiting[index] = bands
      return state.isDelivering ? nil : begin(&state)
    }
    while let bands = current {
      for (picture, (firstRow, band)) in bands.enumerated() {
        if let band { try take(picture, firstRow, band) }
      }
      current = state.withLock { state in
        if state.spare.count < bands.count { state.spare += bands.compactMap(\.band) }
        state.next += 1
        return begin(&state)
      }
      room.signal()
    }
  }

  private func begin(_ state: inout State) -> Bands? {
    let bands = state.isAbandoned ? nil : state.waiting.removeValue(forKey: state.next)
    state.isDelivering = bands != nil
    return bands
  }
}
