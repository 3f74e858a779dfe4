internal import ColorSpaces
internal import Dispatch
public import ImageBuffer
internal import Synchronization

extension Picture {
  /// Renders the picture in bands of rows from top to bottom, for encoders that take them in order.
  ///
  /// Only the bands that are being computed or wait for delivery are in memory. `take` is called with the first row of each band and its
  /// pixels, by one thread at a time. An error that it throws ends the rendering.
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

  /// Renders several pictures together in bands of rows, each from top to bottom: shared steps are evaluated once, and shared sources are
  /// read once.
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

  /// Renders several pictures together in bands of rows, each in its own format. The buffer of a band is reused if the caller does not keep
  /// it.
  package static func renderBands(
    _ results: [BandedResult], options: RenderOptions = RenderOptions(),
    _ take:
      @escaping @Sendable (_ result: Int, _ firstRow: Int, _ band: BitmapSurface) throws -> Void
  ) throws(RenderError) {
    if results.isEmpty { return }
    try BandRendering(results, options: options).run(take)
  }

  /// Throws the error with which rendering in bands would fail before the first pixel. Measures nothing and reads nothing.
  package static func checkBands(
    _ results: [BandedResult], options: RenderOptions
  ) throws(RenderError) {
    if results.isEmpty { return }
    _ = try BandRendering(results, options: options.measuringNothing)
  }
}

/// A rendering of several pictures in bands, within a memory limit.
package struct BandRendering {
  /// The pictures as their bands store them.
  let stored: [Picture]
  let evaluator: TiledEvaluator

  private let results: [BandedResult]

  /// Throws where the rendering would exceed the memory limit of the options. `callersBytes` is the most that the consumer of the bands
  /// holds, such as encoders, besides `rowBytes` for each row of two bands, where rows of a result wait for those of others.
  package init(
    _ results: [BandedResult], besides callersBytes: Int = 0, keepingRowsOf rowBytes: Int = 0,
    options: RenderOptions
  ) throws(RenderError) {
    self.results = results
    stored = results.map(\.storedForm)
    let sizes = results.map(\.size)
    evaluator = try TiledEvaluator(
      Plan(stored, options: options), sizes: sizes, options: options
    ) { grid throws(RenderError) in
      let rows = sizes.indices.map { min(sizes[$0].height, 2 * grid.bandHeight(of: $0)) }.max() ?? 0
      let callersBytes = Double(callersBytes) + Double(rows) * Double(rowBytes)
      var (bandBytes, resultBytes) = (0, Int(min(callersBytes, 0x1p60)))
      for (index, result) in results.enumerated() {
        let bytes = try result.byteCounts(height: grid.bandHeight(of: index))
        bandBytes = bandBytes.addingSaturated(bytes.band)
        resultBytes = resultBytes.addingSaturated(bytes.rounded)
      }
      return TiledEvaluator.ResultBytes(whole: resultBytes, band: bandBytes)
    }
  }

  /// The peak memory in bytes, with the bands and what the caller holds.
  package var peakBytes: Int { evaluator.peakBytes.addingSaturated(evaluator.resultBytes) }

  /// Delivers the bands in order.
  package func run(
    _ take:
      @escaping @Sendable (_ result: Int, _ firstRow: Int, _ band: BitmapSurface) throws -> Void
  ) throws(RenderError) {
    let grid = evaluator.grid
    let queue = try BandQueue(
      results, grid, capacity: evaluator.bandsAtOnce, evaluator.progress,
      evaluator.options.handOver, take)
    // The tiles of one row of tiles form a band; one thread computes them all.
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
  let picture: Picture
  let channels: Channels
  let format: SampleFormat
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
    let stored = picture.countingEncoding(clipping, in: channels, format).storedForm
    if isDiffused { return stored.counting(clipping, in: channels, format) }
    return stored.entering(
      PixelState(
        light: stored.state.light, isPremultiplied: picture.hasAlpha && alpha == .premultiplied)
    ).counting(clipping, in: channels, format).dithered(dither, for: format)
  }

  fileprivate var size: PixelSize { picture.size }

  /// A new buffer for a band; in single precision where error diffusion rounds it afterwards.
  fileprivate func newBand(height: Int) throws(RenderError) -> BitmapSurface {
    try bitmapChecked { () throws(BitmapError) in
      try BitmapSurface(
        uninitialized: PixelSize(size.width, height), channels: computed.channels,
        format: computed.format)
    }
  }

  private var computed: (channels: Channels, format: SampleFormat) {
    isDiffused ? (picture.usualChannels(for: channels), .float32) : (channels, format)
  }

  /// The bytes of a band, and of the one that is rounded before delivery; 0 where the evaluator rounds.
  fileprivate func byteCounts(height: Int) throws(RenderError) -> (band: Int, rounded: Int) {
    let band = PixelSize(size.width, height)
    return try bitmapChecked { () throws(BitmapError) in
      (
        try computed.format.layoutByteCount(of: band, computed.channels, .interleaved),
        isDiffused ? try format.layoutByteCount(of: band, channels, .interleaved) : 0
      )
    }
  }

  /// The rounding of single-precision bands before delivery; nil where the evaluator rounds.
  fileprivate func rounding(height: Int) throws(RenderError) -> BandRounding? {
    guard isDiffused else { return nil }
    let conversion = try picture.conversion(to: channels, alpha, format, dither)
    let rounded = try bitmapChecked { () throws(BitmapError) in
      try BitmapSurface(
        uninitialized: PixelSize(size.width, height), channels: channels, format: format)
    }
    return BandRounding(conversion: conversion, rounded: rounded)
  }
}

/// Rounds bands in order, reusing one buffer unless the caller keeps it.
private struct BandRounding {
  var conversion: RowConversion
  var rounded: BitmapSurface

  mutating func round(_ band: BitmapSurface) throws(BitmapError) -> BitmapSurface {
    try rounded.renewIfShared()
    for y in 0..<band.size.height { conversion.convert(band, row: y, to: rounded, row: y) }
    return rounded.prefix(band.size.height)
  }
}

/// The buffers of one band of each result, used by one thread at a time.
private final class Tray: @unchecked Sendable {
  // Sendable because one thread at a time owns a tray.

  /// The index of the band.
  private(set) var index = 0
  private(set) var bands: [BitmapSurface] = []
  /// The surface in which the evaluator stores each result; nil where the result has no row in this band.
  private(set) var targets: [BitmapSurface?] = []

  init(_ results: [BandedResult], _ grid: TileGrid) throws(RenderError) {
    for (index, result) in results.enumerated() {
      bands.append(try result.newBand(height: grid.bandHeight(of: index)))
      targets.append(nil)
    }
  }

  /// Prepares the buffers for a band. A buffer that the caller still keeps is replaced by a new one.
  func prepare(for index: Int, _ grid: TileGrid) throws(RenderError) {
    self.index = index
    for result in bands.indices {
      targets[result] = nil
      try bitmapChecked { () throws(BitmapError) in try bands[result].renewIfShared() }
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
  /// Used only by the thread that delivers.
  private let roundings: Mutex<[BandRounding?]>

  private struct State {
    /// Completed trays, each at its index modulo the capacity.
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

  /// Delivers a completed tray's bands and the completed ones that follow, unless another thread is delivering.
  func deliver(_ tray: Tray) throws {
    var current = state.withLock { state in
      state.waiting[tray.index % capacity] = tray
      return state.isDelivering ? nil : begin(&state)
    }
    while let tray = current {
      // If this throws, the queue remains in the delivering state, so that no more bands are delivered.
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
    for (result, band) in tray.bands.enumerated() {
      let rows = grid.rows(ofBand: tray.index, result: result)
      if rows.isEmpty { continue }
      let computed = band.prefix(rows.count)
      // No lock is held while the caller's code runs.
      let rounded = try roundings.withLock { try $0[result]?.round(computed) }
      try take(result, rows.lowerBound, rounded ?? computed)
    }
  }
}
