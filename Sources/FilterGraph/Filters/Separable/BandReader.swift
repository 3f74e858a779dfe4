internal import CPixelKernels
internal import ImageBuffer

/// The rows of a step that is computed in bands while a reduction reads them.
///
/// A worker of its own computes them, with buffers for a band and its halo. One band is kept.
final class BandReader: SequentialRows {
  private let worker: Worker
  private let bands: InputBands
  private var region = Region(x: 0, y: 0, width: 0, height: 0)
  private var tile: Tile?
  /// Why rows are missing. Whoever reads rows cannot throw, and gets other ones then.
  private var failure: RenderError?

  init(_ bands: InputBands, worker: Worker) { (self.bands, self.worker) = (bands, worker) }

  /// Begins with the first band of a region that is not empty.
  func start(_ region: Region) throws(RenderError) {
    (self.region, tile, failure) = (region, nil, nil)
    try read(region.y)
  }

  /// Throws where rows were missing since ``start(_:)``.
  func finish() throws(RenderError) {
    if let failure { throw failure }
  }

  var areComputedOnReading: Bool { true }

  /// A row of the region, from column `x` on, until the next one is asked for.
  func row(_ y: Int, from x: Int) -> cpk_surface {
    if failure == nil, tile?.region.rows.contains(y) != true {
      do throws(RenderError) {
        try read(y)
      } catch {
        failure = error
      }
    }
    guard let tile else { preconditionFailure("Bands were read before the first was computed.") }
    return tile.surface(
      min(max(y, tile.region.y), tile.region.rows.upperBound - 1), from: x)
  }

  private func read(_ y: Int) throws(RenderError) {
    tile = try worker.tile(of: bands.source, bands.band(with: y, of: region))
  }
}
