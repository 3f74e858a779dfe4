public import ColorSpaces
public import ImageBuffer
internal import Synchronization

extension Picture {
  /// Finds the first pixel, row by row from the top, that is outside of `gamut`; nil if all are in gamut.
  ///
  /// The scan ends in the band of rows that contains the pixel; rows below are neither read nor computed. Whether a
  /// picture needs more than sRGB is therefore known, in most cases, for a small part of the cost of rendering it.
  /// Fully transparent pixels are ignored. Gamuts of spaces with PQ and HLG reach to the signal 1, others to white.
  ///
  /// - Parameters:
  ///   - gamut: The color space whose gamut is tested.
  ///   - tolerance: The distance below 0 or above the brightest signal of `gamut`, in linear light, at which a channel
  ///     counts as out of gamut; nil for the precision of the picture's sources (``sourcePrecisions``).
  ///   - options: How to render.
  public func firstPixel(
    outside gamut: ColorSpace, tolerance: Double? = nil, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Offset? {
    do throws(RecipeError) { try GamutBoundary.check(tolerance, of: [gamut]) } catch {
      throw .recipe(error)
    }
    let boundary = GamutBoundary(of: gamut, from: space, tolerance, .light, sourcePrecisions)
    let found = Mutex<Offset?>(nil)
    let corner = region.origin
    do throws(RenderError) {
      try converted(to: space.linear).renderBands(as: Float.self, options: options) {
        firstRow, band in
        let channels = band.channels.count
        for y in 0..<band.size.height {
          let column = band.withUnsafeRow(y) {
            boundary.firstPixel(outsideIn: $0, channels: channels)
          }
          guard let column else { continue }
          found.withLock { $0 = corner + Offset(column, firstRow + y) }
          throw Found()
        }
      }
    } catch {
      guard case .sink(let reason) = error, reason.underlying is Found else { throw error }
    }
    return found.withLock { $0 }
  }

  private struct Found: Error {}
}

extension GamutBoundary {
  /// Returns the column of the first visible pixel of a row that is out of gamut.
  fileprivate func firstPixel(
    outsideIn row: UnsafeBufferPointer<Float>, channels: Int
  ) -> Int? {
    guard let pixels = PixelRow(row, channels: channels) else { return nil }
    var first: Int?
    judge(pixels) { x, isOutside in
      if first == nil && isOutside && pixels.alpha(x) > 0 { first = x }
    }
    return first
  }
}
