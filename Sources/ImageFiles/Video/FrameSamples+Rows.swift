internal import CCodecSupport
internal import ImageBuffer

/// Rows of samples and of pixels, as the conversion in C takes them.
extension FrameSamples {
  /// Returns the rows of samples around a row of pixels, for each channel of a bitmap.
  func readRows(_ y: Int, of bytes: UnsafeRawBufferPointer) -> [frame_read_row] {
    // Gray has no chroma: rows that are nil stand for the middle of the codes, which is zero.
    var rows = [frame_read_row](repeating: frame_read_row(), count: 3)
    guard let base = bytes.baseAddress else { return rows }
    for (channel, component) in zip(channels, components) {
      let (near, far, weight) = rowWeights(y, of: component)
      rows[channel] = frame_read_row(
        near_row: base + offset(y: near, of: component),
        far_row: base + offset(y: far, of: component), near_weight: CInt(weight),
        count: component.size.width, step: component.step, columns: columns(of: component))
    }
    return rows
  }

  /// Returns the two rows of a component around a row of pixels, and the weight of the nearer one in quarters.
  private func rowWeights(
    _ y: Int, of component: VideoFormat.Component
  ) -> (near: Int, far: Int, nearWeight: Int) {
    guard sharesRows(component) else { return (y, y, 4) }
    let (near, last) = (y / 2, component.size.height - 1)
    if format.siting == .topLeft {
      return y % 2 == 0 ? (near, near, 4) : (near, min(near + 1, last), 2)
    }
    return (near, min(max(near + (y % 2 == 0 ? -1 : 1), 0), last), 3)
  }

  /// Returns the row of a component to write.
  func writtenRow(
    _ y: Int, of component: VideoFormat.Component, in bytes: UnsafeMutableRawBufferPointer
  ) -> frame_write_row {
    // Chroma sited on the upper row is a 1-2-1 mean of three rows.
    frame_write_row(
      samples: bytes.baseAddress.map { $0 + offset(y: y, of: component) }, step: component.step,
      columns: columns(of: component), has_row_above: format.siting == .topLeft ? 1 : 0)
  }

  /// Returns a row of a component, to be converted sample by sample; nil for a frame without memory. Only a written row needs mutable
  /// memory.
  func storedRow(
    _ y: Int, of component: VideoFormat.Component, in bytes: UnsafeRawBufferPointer
  ) -> frame_stored_row? {
    bytes.baseAddress.map { base in
      frame_stored_row(
        samples: UnsafeMutableRawPointer(mutating: base + offset(y: y, of: component)),
        step: component.step, coding: coding)
    }
  }

  /// Returns the rows of pixels that are averaged for a row of a component.
  func averagedRows(
    _ y: Int, of component: VideoFormat.Component
  ) -> (above: Int, own: Int, below: Int) {
    guard sharesRows(component) else { return (y, y, y) }
    // With an odd height the last chroma row has one row of pixels.
    return (max(2 * y - 1, 0), 2 * y, min(2 * y + 1, format.size.height - 1))
  }

  private func sharesRows(_ component: VideoFormat.Component) -> Bool {
    format.layout.chroma == .quarter && component.size != format.size
  }

  private func columns(of component: VideoFormat.Component) -> frame_columns {
    guard component.size != format.size else { return FRAME_COLUMNS_FULL }
    return format.siting == .center ? FRAME_COLUMNS_CENTER : FRAME_COLUMNS_LEFT
  }

  /// Returns the position in bytes of the first sample in a row of a component.
  private func offset(y: Int, of component: VideoFormat.Component) -> Int {
    (component.start + y * component.stride) * format.bytesPerSample
  }
}
