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
    as _: Sample.Type = Sample.self, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(),
    _ take: @escaping @Sendable (_ firstRow: Int, _ band: Bitmap<Sample>) throws -> Void
  ) throws(RenderError) {
    try Picture.renderBands([self], dither: dither, options: options) {
      (_, row, band: Bitmap<Sample>) in
      try take(row, band)
    }
  }

  /// Computes several pictures together in bands of rows, each from top to bottom: what they have in common is computed once,
  /// and read once.
  public static func renderBands<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type = Sample.self, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(),
    _ take:
      @escaping @Sendable (_ picture: Int, _ firstRow: Int, _ band: Bitmap<Sample>) throws -> Void
  ) throws(RenderError) {
    if let dither, dither.method == .errorDiffusion {
      return try diffuseBands(pictures, dither, options, take)
    }
    try renderBands(
      pictures.map { $0.storedForm.dithered(dither, for: Sample.format) }, options: options,
      byteCount: { picture, size throws(RenderError) in
        try pictures[picture].byteCount(of: size, Sample.format)
      },
      newBand: { picture, size throws(RenderError) in
        try pictures[picture].newBitmap(of: size) as Bitmap<Sample>
      },
      surface: { $0.uniqueSurface() }, take)
  }

  /// Computes several pictures together in bands of rows, each in a form of its own. Nobody may keep a band that is handed on.
  package static func renderBands(
    _ results: [BandedResult], options: RenderOptions = RenderOptions(),
    _ take:
      @escaping @Sendable (_ result: Int, _ firstRow: Int, _ band: BitmapSurface) throws -> Void
  ) throws(RenderError) {
    let conversions = Mutex(
      try results.map { result throws(RenderError) in try result.conversion })
    try renderBands(
      results.map(\.storedForm), options: options,
      byteCount: { result, size throws(RenderError) in try results[result].byteCount(of: size) },
      newBand: { result, size throws(RenderError) in try results[result].newBand(size) },
      surface: { $0.surface }
    ) { result, firstRow, band in
      let band = try conversions.withLock { conversions in
        try results[result].finished(band, &conversions[result])
      }
      try take(result, firstRow, band.surface)
    }
  }

  private static func renderBands<Band: Sendable>(
    _ stored: [Picture], options: RenderOptions,
    byteCount: (_ picture: Int, _ size: PixelSize) throws(RenderError) -> Int,
    newBand: @escaping @Sendable (_ picture: Int, _ size: PixelSize) throws(RenderError) -> Band,
    surface: @escaping @Sendable (inout Band) -> BitmapSurface,
    _ take: @escaping @Sendable (_ picture: Int, _ firstRow: Int, _ band: Band) throws -> Void
  ) throws(RenderError) {
    if stored.isEmpty { return }
    let plan = try Plan(stored, options: options)
    let tile = options.tile ?? plan.preferredTile(workers: options.workerLimit)
    let sizes = stored.map(\.size)
    let bandsAtOnce = 2 * options.workerLimit
    let height = min(tile.height, sizes[0].height)
    var bandBytes = 0
    for (picture, size) in sizes.enumerated() {
      let rows = (size.height * height + sizes[0].height - 1) / sizes[0].height + 1
      bandBytes += try byteCount(picture, PixelSize(size.width, rows))
    }
    let evaluator = try TiledEvaluator(
      plan, sizes: sizes, tile: tile, resultBytes: bandsAtOnce * bandBytes, options: options)
    let grid = evaluator.grid
    let queue = BandQueue<Band>(room: bandsAtOnce, take)
    // The tiles beside each other make a band; one thread computes them all.
    try evaluator.forEachGroup(
      of: grid.columns, waitForRoom: queue.waitForRoom, onFailure: queue.abandon
    ) { worker, tiles, finish throws(RenderError) in
      let regions = sizes.indices.map { grid.region(of: tiles.lowerBound, result: $0) }
      var bands: [BandQueue<Band>.Part] = []
      for (result, region) in regions.enumerated() {
        let size = PixelSize(sizes[result].width, region.height)
        var band = queue.spare(result, size)
        if band == nil, region.height > 0 { band = try newBand(result, size) }
        bands.append(BandQueue.Part(size: size, firstRow: region.y, band: band))
      }
      let targets = bands.indices.map { result -> BitmapSurface? in
        bands[result].surface(surface)?.asRows(from: regions[result].y)
      }
      for tile in tiles {
        try worker.render(tile, into: targets)
        try finish(tile)
      }
      do { try queue.deliver(tiles.lowerBound / grid.columns, bands) } catch {
        throw .sink(SourceError(error))
      }
    }
  }
}

/// A picture, and how bands of it shall be stored.
package struct BandedResult: Sendable {
  private let picture: Picture
  private let channels: Channels
  private let format: SampleFormat
  private let alpha: Alpha
  private let dither: Dither?

  /// Interleaved samples of `format`, coverage stored as `alpha` says, numbers rounded by a dither or to the nearest.
  ///
  /// Only a picture whose red, green and blue are equal may become gray.
  package init(
    _ picture: Picture, channels: Channels? = nil, as format: SampleFormat, alpha: Alpha,
    dither: Dither? = nil
  ) {
    (self.picture, self.format, self.alpha, self.dither) = (picture, format, alpha, dither)
    self.channels = channels ?? picture.usualChannels
  }

  private var isDiffused: Bool { dither?.method == .errorDiffusion }

  fileprivate var storedForm: Picture {
    let stored = picture.storedForm
    if isDiffused { return stored }
    return stored.entering(
      PixelState(
        light: stored.state.light, isPremultiplied: picture.hasAlpha && alpha == .premultiplied)
    ).dithered(dither, for: format)
  }

  fileprivate func newBand(_ size: PixelSize) throws(RenderError) -> AnyBitmap {
    try isDiffused
      ? picture.newBand(size, picture.usualChannels(for: channels), .float32, .straight)
      : picture.newBand(size, channels, format, alpha)
  }

  fileprivate func byteCount(of size: PixelSize) throws(RenderError) -> Int {
    let finished = try picture.byteCount(of: size, format, channels: channels)
    guard isDiffused else { return finished }
    let unrounded = picture.usualChannels(for: channels)
    return try finished + picture.byteCount(of: size, .float32, channels: unrounded)
  }

  /// How bands of single precision become those that are handed on; nil where they do not, but are rounded at once.
  fileprivate var conversion: RowConversion? {
    get throws(RenderError) {
      guard isDiffused else { return nil }
      return try picture.conversion(to: channels, alpha, format, dither)
    }
  }

  /// A band as it is handed on.
  fileprivate func finished(
    _ band: AnyBitmap, _ conversion: inout RowConversion?
  ) throws(RenderError) -> AnyBitmap {
    if conversion == nil { return band }
    let rounded = try picture.newBand(band.size, channels, format, alpha)
    for y in 0..<band.size.height {
      conversion?.convert(band.surface, row: y, to: rounded.surface, row: y)
    }
    return rounded
  }
}

/// Hands bands on in their order, whatever the order in which they are done.
private final class BandQueue<Band: Sendable>: Sendable {
  /// A band of one of the pictures.
  struct Part {
    let size: PixelSize
    let firstRow: Int
    /// Nil where the picture has no row there.
    var band: Band?

    mutating func surface(_ surface: (inout Band) -> BitmapSurface) -> BitmapSurface? {
      guard var band else { return nil }
      // Whoever writes to a band must be the only one who holds it.
      self.band = nil
      defer { self.band = band }
      return surface(&band)
    }
  }

  private let take: @Sendable (Int, Int, Band) throws -> Void
  // A tile is taken when there is room for its bands until their turn comes. Tiles are taken in order, so the one whose turn is next
  // has room. A thread that finds no tile left keeps the room of one; there is room for two of each thread.
  private let room = DispatchSemaphore(value: 0)
  private let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var waiting: [Int: [Part]] = [:]
    var next = 0
    var isDelivering = false
    var isAbandoned = false
    var spare: [(picture: Int, part: Part)] = []
  }

  init(room capacity: Int, _ take: @escaping @Sendable (Int, Int, Band) throws -> Void) {
    (self.capacity, self.take) = (capacity, take)
    for _ in 0..<capacity { room.signal() }
  }

  func waitForRoom() { room.wait() }

  /// Nobody waits any more: some tile failed, and those after it will never have their turn.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    for _ in 0..<capacity { room.signal() }
  }

  /// A band of a picture that was handed on before, if there is one of that size.
  func spare(_ picture: Int, _ size: PixelSize) -> Band? {
    state.withLock { state in
      state.spare.firstIndex { $0.picture == picture && $0.part.size == size }
        .flatMap { state.spare.remove(at: $0).part.band }
    }
  }

  /// Hands on a tile's bands, and all that wait for them, unless somebody else is doing that.
  func deliver(_ index: Int, _ parts: [Part]) throws {
    var current = state.withLock { state in
      state.waiting[index] = parts
      return state.isDelivering ? nil : begin(&state)
    }
    while let parts = current {
      for (picture, part) in parts.enumerated() {
        if let band = part.band { try take(picture, part.firstRow, band) }
      }
      current = state.withLock { state in
        if state.spare.count < parts.count {
          state.spare += parts.enumerated().map { ($0.offset, $0.element) }
        }
        state.next += 1
        return begin(&state)
      }
      room.signal()
    }
  }

  private func begin(_ state: inout State) -> [Part]? {
    let parts = state.isAbandoned ? nil : state.waiting.removeValue(forKey: state.next)
    state.isDelivering = parts != nil
    return parts
  }
}
