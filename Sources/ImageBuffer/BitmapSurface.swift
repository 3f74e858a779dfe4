package import CPixelKernels

/// Where a bitmap's samples lie, with the sample type as a value: generic at the edge, concrete at the core.
package struct BitmapSurface: @unchecked Sendable {
  // Sendable because the evaluator's workers write to disjoint regions of it.
  let owner: AnyObject
  let base: UnsafeMutableRawPointer?
  package let size: PixelSize
  package let channels: Channels
  package let format: SampleFormat
  package let arrangement: Arrangement
  let bytesPerRow: Int

  package init(
    owner: AnyObject, base: UnsafeMutableRawPointer?, size: PixelSize, channels: Channels,
    format: SampleFormat, arrangement: Arrangement, bytesPerRow: Int
  ) {
    (self.owner, self.base, self.size, self.channels) = (owner, base, size, channels)
    (self.format, self.arrangement, self.bytesPerRow) = (format, arrangement, bytesPerRow)
  }

  /// The same samples as those of a larger picture of which these are the rows from `y` on.
  package func asRows(from y: Int) -> BitmapSurface {
    BitmapSurface(
      owner: owner, base: base.map { $0 - y * bytesPerRow }, size: size, channels: channels,
      format: format, arrangement: arrangement, bytesPerRow: bytesPerRow)
  }

  /// The row `y` from column `x` on, as the kernels see it.
  package func row(_ y: Int, from x: Int) -> cpk_surface {
    let planes = channels.planeOfChannel
    let step = arrangement == .interleaved ? channels.count : 1
    func sample(_ plane: Int?) -> UnsafeMutableRawPointer? {
      guard let plane else { return nil }
      let offset =
        arrangement == .interleaved
        ? y * bytesPerRow + (x * step + plane) * format.byteCount
        : (plane * size.height + y) * bytesPerRow + x * format.byteCount
      return base.map { $0 + offset }
    }
    return cpk_surface(
      planes: (
        sample(planes.red), sample(planes.green), sample(planes.blue), sample(planes.alpha)
      ),
      format: format.kernelFormat, step: Int32(step))
  }

  /// Where planar floats lie, for reading them in place: strides in floats. Nil for every other form.
  package var planarFloats: (base: UnsafeMutablePointer<Float>, row: Int, plane: Int)? {
    guard arrangement == .planar, format == .float32, let base else { return nil }
    let row = bytesPerRow / MemoryLayout<Float>.stride
    return (base.assumingMemoryBound(to: Float.self), row, row * size.height)
  }
}
