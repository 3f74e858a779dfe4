/// The layout of a bitmap's samples in a block of memory.
struct BitmapLayout {
  /// The offset of the first sample: not 0 where the last row is stored first.
  let start: Int
  /// The stride between rows; negative where the last row is stored first.
  let bytesPerRow: Int
  /// The stride between planes in bytes.
  let bytesPerPlane: Int
  /// The size from the beginning of the memory to the end of the last sample.
  let byteCount: Int

  /// Creates a layout with rows at the stride `bytesPerRow`, or else at the next multiple of `alignment`. `bytesPerRow`
  /// may be negative only where bottom-up order is allowed, and need not be a multiple of a sample's size where
  /// samples may be unaligned.
  init(
    _ size: PixelSize, _ channels: Channels, _ format: SampleFormat, _ arrangement: Arrangement,
    bytesPerRow: Int?, alignment: Int, mayBeBottomUp: Bool = false, mayBeUnaligned: Bool = false
  ) throws(BitmapError) {
    guard size.width > 0, size.height > 0 else { throw .noPixels(size) }
    let planes = arrangement == .planar ? channels.count : 1
    guard
      let samples = product(size.width, channels.count / planes * format.byteCount),
      let aligned = sum(samples, alignment - 1),
      case let step = bytesPerRow ?? aligned / alignment * alignment,
      let row = Int(exactly: step.magnitude),
      let plane = product(row, size.height),
      let all = product(plane, planes)
    else { throw .unaddressable(size, channels, format) }
    guard row >= samples, step > 0 || mayBeBottomUp else {
      throw .overlappingRows(bytesPerRow: step, needed: samples)
    }
    guard mayBeUnaligned || row % format.byteCount == 0 else {
      throw .misaligned(bytes: row, format)
    }
    (self.bytesPerRow, bytesPerPlane) = (step, plane)
    start = step < 0 ? plane - row : 0
    // No padding is needed after the last row.
    byteCount = all - row + samples
  }
}

/// a · b; nil on overflow.
private func product(_ a: Int, _ b: Int) -> Int? {
  let (product, isTooLarge) = a.multipliedReportingOverflow(by: b)
  return isTooLarge ? nil : product
}

/// a + b; nil on overflow.
private func sum(_ a: Int, _ b: Int) -> Int? {
  let (sum, isTooLarge) = a.addingReportingOverflow(b)
  return isTooLarge ? nil : sum
}
