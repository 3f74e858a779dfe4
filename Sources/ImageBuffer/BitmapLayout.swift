/// Where the samples of a bitmap lie in a block of memory.
struct BitmapLayout {
  /// From the beginning of the memory to the first sample: not 0 where the last row comes first.
  let start: Int
  /// From the beginning of a row to the beginning of the next; negative where the last row comes first.
  let bytesPerRow: Int
  /// From the first row of a plane to the first row of the next.
  let bytesPerPlane: Int
  /// From the beginning of the memory to the end of the last sample.
  let byteCount: Int

  /// Rows lie `bytesPerRow` apart, or else begin at the next multiple of `alignment`. Only where they may be bottom up may the last one
  /// come first.
  init(
    _ size: PixelSize, _ channels: Channels, _ format: SampleFormat, _ arrangement: Arrangement,
    bytesPerRow: Int?, alignment: Int, mayBeBottomUp: Bool = false
  ) throws(BitmapError) {
    guard size.width > 0, size.height > 0 else { throw .noPixels(size) }
    let planes = arrangement == .planar ? channels.count : 1
    guard
      let samples = product(size.width, channels.count / planes * format.byteCount, adding: 0),
      let aligned = product(samples, 1, adding: alignment - 1),
      case let step = bytesPerRow ?? aligned / alignment * alignment,
      let row = Int(exactly: step.magnitude),
      let plane = product(row, size.height, adding: 0),
      let all = product(plane, planes, adding: 0)
    else { throw .unaddressable(size, channels, format) }
    guard row >= samples, step > 0 || mayBeBottomUp else {
      throw .overlappingRows(bytesPerRow: step, needed: samples)
    }
    guard row % format.byteCount == 0 else { throw .misaligned(bytes: row, format) }
    (self.bytesPerRow, bytesPerPlane) = (step, plane)
    start = step < 0 ? plane - row : 0
    // Nothing needs to follow the last row's samples.
    byteCount = all - row + samples
  }
}

/// a · b + c, unless that is more than an integer holds.
private func product(_ a: Int, _ b: Int, adding c: Int) -> Int? {
  let (product, overflow) = a.multipliedReportingOverflow(by: b)
  let (sum, isTooLarge) = product.addingReportingOverflow(c)
  return overflow || isTooLarge ? nil : sum
}
