public import ColorSpaces
public import ImageBuffer
internal import Synchronization

extension Picture {
  /// The first pixel, row by row from the top, whose color `gamut` cannot hold; nil where it holds them all.
  ///
  /// The scan ends in the band of rows where it finds one, and what comes below is neither read nor computed. So it tells whether a
  /// picture needs more than sRGB at all, mostly for a small part of the price of rendering it. Fully transparent pixels do not count.
  ///
  /// - Parameters:
  ///   - gamut: The space whose gamut is asked about.
  ///   - tolerance: How far beyond 0…1, in linear light, a channel must lie to count as outside; nil for farther than the precision
  ///     of the picture's sources explains (``sourcePrecisions``).
  ///   - options: How to render.
  public func firstPixel(
    outside gamut: ColorSpace, tolerance: Double? = nil, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Offset? {
    let boundary = GamutBoundary(of: gamut, from: space, tolerance, .light, sourcePrecisions)
    let found = Mutex<Offset?>(nil)
    let corner = region.origin
    do throws(RenderError) {
      try converted(to: space.linear).renderBands(as: Float.self, options: options) {
        firstRow, band in
        let channels = band.channels.count
        for y in 0..<band.size.height {
          let column = band.withUnsafeRow(y) { row in
            (0..<band.size.width).first { x in
              let start = x * channels
              let alpha = channels == 3 ? 1 : row[start + 3]
              let light = SIMD3(row[start], row[start + 1], row[start + 2])
              return alpha > 0 && boundary.excludes(light, alpha: alpha)
            }
          }
          if let column {
            found.withLock { $0 = corner + Offset(column, firstRow + y) }
            throw Found()
          }
        }
      }
    } catch {
      guard case .sink(let reason) = error, reason.underlying is Found else { throw error }
    }
    return found.withLock { $0 }
  }

  private struct Found: Error {}
}
