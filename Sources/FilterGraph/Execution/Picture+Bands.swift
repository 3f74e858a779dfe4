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
    let results = pictures.map {
      BandedResult($0, as: Sample.format, alpha: .straight, dither: dither)
    }
    try renderBands(results, options: options) { picture, firstRow, band in
      try take(picture, firstRow, Bitmap(band, in: pictures[picture].space, alpha: .straight))
    }
  }

  /// Computes several pictures together in bands of rows, each in a form of its own. A band that nobody keeps is computed into again.
  package static func renderBands(
    _ results: [BandedResult], options: RenderOptions = RenderOptions(),
    _ take:
      @escaping @Sendable (_ result: Int, _ firstRow: Int, _ band: BitmapSurface) throws -> Void
  ) throws(RenderError) {
    if results.isEmpty { return }
    try BandRendering(results, options: options).run(take)
  }

  /// Throws what computing pictures in bands would throw before the first pixel; measures nothing and reads nothing.
  package static func checkBands(
    _ results: [BandedResult], options: RenderOptions
  ) throws(RenderError) {
    if results.isEmpty { return }
    _ = try BandRendering(results, options: options.measuringNothing)
  }
}

extension RenderOptions {
  /// The same for checks before the first pixel, which compute no measured values.
  package var measuringNothing: RenderOptions {
    var options = self
    options.measures = false
    return options
  }
}

/// Pictures that will be computed together in bands, and take no more memory than they may.
package struct BandRendering {
  /// The pictures as their bands store them.
  let stored: [Picture]
  let evaluator: TiledEvaluator
  /// What is in memory besides what computing takes: bands, and what the caller keeps.
  let bytes: Int

  private let results: [BandedResult]
  private let bandsAtOnce: Int

  /// Refuses what would take more memory than the options allow. `callersBytes` is the most that whoever takes the bands holds, such as
  /// encoders.
  package init(
    _ results: [BandedResult], besides callersBytes: Int = 0, options: RenderOptions
  ) throws(RenderError) {
    self.results = results
    stored = results.map(\.storedForm)
    bandsAtOnce = 2 * options.workerLimit
    let plan = try Plan(stored, options: options)
    let sizes = results.map(\.size)
    let grid = plan.grid(sizes, options)
    var bytes = callersBytes
    for (index, result) in results.enumerated() {
      bytes += try result.byteCount(of: bandsAtOnce, height: grid.bandHeight(of: index))
    }
    evaluator = try TiledEvaluator(
      plan, sizes: sizes, inBands: true, resultBytes: bytes, options: options)
    self.bytes = bytes
  }

  /// The most bytes that are in memory at one time.
  package var peakBytes: Int { evaluator.peakBytes + bytes }

  /// Hands the bands on in their order.
  package func run(
    _ take:
      @escaping @Sendable (_ result: Int, _ firstRow: Int, _ band: BitmapSurface) throws -> Void
  ) throws(RenderError) {
    let grid = evaluator.grid
    let queue = try BandQueue(
      results, grid, capacity: bandsAtOnce, evaluator.progress, evaluator.options.handOver, take)
    // The tiles beside each other make a band; one thread computes them all.
    try evaluator.forEachGroup(holding: queue.trays) {
      worker, tray, tiles, finish throws(RenderError) in
      try tray.prepare(for: tiles.lowerBound / grid.columns, grid)
      for tile in tiles {
        try worker.render(tile, into: tray.targets)
        try finish(tile)
      }
      do { try queue.deliver(tray) } catch { throw .sink(SourceError(error)) }
    }
  }
}

/// A picture with the sample format of its bands.
package struct BandedResult: Sendable {
  private let picture: Picture
  private let channels: Channels
  private let format: SampleFormat
  private let alpha: Alpha
  private let dither: Dither?
  private let clipping: ClippingCount?

  /// Creates interleaved samples of `format`, with alpha as `alpha` says, dithered or rounded to nearest.
  ///
  /// Only a picture whose red, green and blue are equal may become gray. Samples that `format` clips are added to `clipping`.
  package init(
    _ picture: Picture, channels: Channels? = nil, as format: SampleFormat, alpha: Alpha,
    dither: Dither? = nil, counting clipping: ClippingCount? = nil
  ) {
    (self.picture, self.format, self.alpha, self.dither) = (picture, format, alpha, dither)
    self.clipping = clipping
    self.channels = channels ?? picture.usualChannels
  }

  private var isDiffused: Bool { dither?.method == .errorDiffusion }

  fileprivate var storedForm: Picture {
    let stored = picture.storedForm
    if isDiffused { return stored.counting(clipping, in: channels, format) }
    return stored.entering(
      PixelState(
        light: stored.state.light, isPremultiplied: picture.hasAlpha && alpha == .premultiplied)
    ).counting(clipping, in: channels, format).dithered(dither, for: format)
  }

  fileprivate var size: PixelSize { picture.size }

  /// A band of it as it is computed: in single precision where it is rounded afterwards.
  fileprivate func newBand(height: Int) throws(RenderError) -> BitmapSurface {
    do throws(BitmapError) {
      return try BitmapSurface(
        uninitialized: PixelSize(size.width, height), channels: computed.channels,
        format: computed.format)
    } catch {
      throw .bitmap(error)
    }
  }

  private var computed: (channels: Channels, format: SampleFormat) {
    isDiffused ? (picture.usualChannels(for: channels), .float32) : (channels, format)
  }

  /// The bytes of so many bands, and of a rounded one.
  fileprivate func byteCount(of count: Int, height: Int) throws(RenderError) -> Int {
    let band = PixelSize(size.width, height)
    let bytes = try picture.byteCount(of: band, computed.format, channels: computed.channels)
    guard isDiffused else { return count * bytes }
    return try count * bytes + picture.byteCount(of: band, format, channels: channels)
  }

  /// How bands of single precision become those that are handed on; nil where they do not, but are rounded at once.
  fileprivate func rounding(height: Int) throws(RenderError) -> BandRounding? {
    guard isDiffused else { return nil }
    let conversion = try picture.conversion(to: channels, alpha, format, dither)
    do throws(BitmapError) {
      return BandRounding(
        conversion: conversion,
        rounded: try BitmapSurface(
          uninitialized: PixelSize(size.width, height), channels: channels, format: format))
    } catch {
      throw .bitmap(error)
    }
  }
}

/// Rounds bands in their order, all into the same memory unless somebody keeps it.
private struct BandRounding {
  var conversion: RowConversion
  var rounded: BitmapSurface

  mutating func round(_ band: BitmapSurface) throws(BitmapError) -> BitmapSurface {
    try rounded.renewIfShared()
    for y in 0..<band.size.height { conversion.convert(band, row: y, to: rounded, row: y) }
    return rounded.prefix(band.size.height)
  }
}

/// A band of each result, side by side, in the hands of one thread at a time.
private final class Tray: @unchecked Sendable {
  // Sendable because nobody else has it meanwhile.

  /// Which of the bands of each result.
  private(set) var index = 0
  private(set) var bands: [BitmapSurface] = []
  /// Where the evaluator stores each result; nil where it has no row there.
  private(set) var targets: [BitmapSurface?] = []

  init(_ results: [BandedResult], _ grid: TileGrid) throws(RenderError) {
    for (index, result) in results.enumerated() {
      bands.append(try result.newBand(height: grid.bandHeight(of: index)))
      targets.append(nil)
    }
  }

  /// Chooses the bands, in memory that nobody else keeps.
  func prepare(for index: Int, _ grid: TileGrid) throws(RenderError) {
    self.index = index
    for result in bands.indices {
      targets[result] = nil
      do throws(BitmapError) { try bands[result].renewIfShared() } catch { throw .bitmap(error) }
      let rows = grid.rows(ofBand: index, result: result)
      if !rows.isEmpty { targets[result] = bands[result].asRows(from: rows.lowerBound) }
    }
  }
}

/// Delivers bands in order, although threads complete them in any order.
///
/// Each band needs a tray, and the number of trays is limited. A thread takes a tray before it takes tiles, and tiles are taken in order,
/// so the next bands to be delivered always have a tray: threads cannot deadlock on trays that hold completed bands.
private final class BandQueue: Sendable {
  let trays: BufferPool<Tray>

  private let grid: TileGrid
  private let take: @Sendable (Int, Int, BitmapSurface) throws -> Void
  private let progress: ProgressReport
  private let handOver: HandOver?
  private let capacity: Int
  private let state: Mutex<State>
  /// For whoever hands on.
  private let roundings: Mutex<[BandRounding?]>

  private struct State {
    /// Trays that are done, each at its index modulo the capacity.
    var waiting: [Tray?]
    var next = 0
    var isDelivering = false
  }

  init(
    _ results: [BandedResult], _ grid: TileGrid, capacity: Int, _ progress: ProgressReport,
    _ handOver: HandOver?,
    _ take: @escaping @Sendable (Int, Int, BitmapSurface) throws -> Void
  ) throws(RenderError) {
    (self.grid, self.capacity, self.handOver) = (grid, capacity, handOver)
    (self.progress, self.take) = (progress, take)
    trays = BufferPool(capacity: capacity) { () throws(RenderError) in try Tray(results, grid) }
    state = Mutex(State(waiting: [Tray?](repeating: nil, count: capacity)))
    var roundings: [BandRounding?] = []
    for (index, result) in results.enumerated() {
      roundings.append(try result.rounding(height: grid.bandHeight(of: index)))
    }
    self.roundings = Mutex(roundings)
  }

  /// Hands on a tray's bands, and all that wait for them, unless somebody else is doing that.
  func deliver(_ tray: Tray) throws {
    var current = state.withLock { state in
      state.waiting[tray.index % capacity] = tray
      return state.isDelivering ? nil : begin(&state)
    }
    while let tray = current {
      // Where this throws, the queue remains delivering, so that nothing is handed on any more.
      try handOn(tray)
      progress.finish(grid.columns)
      handOver?(.bandsDelivered)
      current = state.withLock { state in
        state.next += 1
        return begin(&state)
      }
      trays.giveBack(tray)
    }
  }

  private func begin(_ state: inout State) -> Tray? {
    let index = state.next % capacity
    let tray = state.waiting[index]
    state.waiting[index] = nil
    state.isDelivering = tray != nil
    return tray
  }

  private func handOn(_ tray: Tray) throws {
    try roundings.withLock { roundings in
      for (result, band) in tray.bands.enumerated() {
        let rows = grid.rows(ofBand: tray.index, result: result)
        if rows.isEmpty { continue }
        let computed = band.prefix(rows.count)
        try take(result, rows.lowerBound, roundings[result]?.round(computed) ?? computed)
      }
    }
  }
}
