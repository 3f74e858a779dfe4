package import CPixelKernels

/// The layout of a bitmap's samples, with the sample type as a value: code above is generic, kernels below are
/// concrete.
package struct BitmapSurface: @unchecked Sendable {
  // Sendable because the evaluator's workers write to disjoint regions.
  /// Retains the memory: a bitmap's storage, which tells whether it is shared, or wrapped memory.
  private(set) var storage: PixelStorage?
  private let owner: AnyObject?
  private(set) var base: UnsafeMutableRawPointer?
  package private(set) var size: PixelSize
  package let channels: Channels
  package let format: SampleFormat
  package let arrangement: Arrangement
  let bytesPerRow, bytesPerPlane: Int

  package init(
    owner: AnyObject, base: UnsafeMutableRawPointer?, size: PixelSize, channels: Channels,
    format: SampleFormat, arrangement: Arrangement, bytesPerRow: Int, bytesPerPlane: Int = 0
  ) {
    storage = owner as? PixelStorage
    self.owner = storage == nil ? owner : nil
    (self.base, self.size, self.channels) = (base, size, channels)
    (self.format, self.arrangement) = (format, arrangement)
    (self.bytesPerRow, self.bytesPerPlane) = (bytesPerRow, bytesPerPlane)
  }

  /// Allocates memory for samples that the caller must write.
  package init(
    uninitialized size: PixelSize, channels: Channels, format: SampleFormat,
    arrangement: Arrangement = .interleaved
  ) throws(BitmapError) {
    let layout = try BitmapLayout(
      size, channels, format, arrangement, bytesPerRow: nil, alignment: PixelStorage.alignment)
    let storage = try PixelStorage(byteCount: layout.byteCount, isZeroed: false)
    self.init(
      owner: storage, base: storage.bytes.baseAddress, size: size, channels: channels,
      format: format, arrangement: arrangement, bytesPerRow: layout.bytesPerRow,
      bytesPerPlane: layout.bytesPerPlane)
  }

  /// Allocates new memory, for samples that the caller must write, if this memory is shared.
  package mutating func renewIfShared() throws(BitmapError) {
    if isKnownUniquelyReferenced(&storage) { return }
    self = try BitmapSurface(
      uninitialized: size, channels: channels, format: format, arrangement: arrangement)
  }

  /// Returns the first rows.
  package func prefix(_ rows: Int) -> BitmapSurface {
    var surface = self
    surface.size.height = rows
    return surface
  }

  /// Returns the same samples as the rows from `y` on of a larger picture.
  package func asRows(from y: Int) -> BitmapSurface {
    var surface = self
    surface.base = base.map { $0 - y * bytesPerRow }
    return surface
  }

  /// The color channels of row `y` from column `x` on, or its CMYK channels, as a kernel surface.
  package func row(_ y: Int, from x: Int) -> cpk_surface {
    guard let planes = channels.colorPlanes ?? channels.inkPlanes else {
      preconditionFailure("A bitmap of \(channels) was taken for a picture.")
    }
    return row(y, from: x, planes.red, planes.green, planes.blue, alpha: planes.alpha)
  }

  /// Any four channels of row `y` from column `x` on, as a kernel surface.
  func row(
    _ y: Int, from x: Int, _ first: Int?, _ second: Int?, _ third: Int?, alpha: Int?
  ) -> cpk_surface {
    let step = arrangement == .interleaved ? channels.count : 1
    func sample(_ channel: Int?) -> UnsafeMutableRawPointer? {
      guard let channel, let base else { return nil }
      let offset =
        arrangement == .interleaved ? channel * format.byteCount : channel * bytesPerPlane
      return base + (offset + y * bytesPerRow + x * step * format.byteCount)
    }
    return cpk_surface(
      planes: (sample(first), sample(second), sample(third), sample(alpha)),
      format: format.kernelFormat, step: Int32(step),
      streams: format == .float32 && bytesPerRow * size.height >= Self.streamedByteCount)
  }

  /// From so many bytes on, rows leave the caches before all are written.
  private static let streamedByteCount = 32 << 20

  /// The address of planar floats in the order red, green, blue, for reading them in place, with strides in floats. Nil
  /// for every other layout.
  package var planarFloats: (base: UnsafeMutablePointer<Float>, row: Int, plane: Int)? {
    guard arrangement == .planar, format == .float32, bytesPerRow > 0, let base,
      let planes = channels.colorPlanes,
      (planes.red, planes.green, planes.blue, planes.alpha ?? 3) == (0, 1, 2, 3)
    else { return nil }
    let float = MemoryLayout<Float>.stride
    return (base.assumingMemoryBound(to: Float.self), bytesPerRow / float, bytesPerPlane / float)
  }
}
