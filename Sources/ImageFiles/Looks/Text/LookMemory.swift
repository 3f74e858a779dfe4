internal import ColorSpaces

/// The memory that reading a look may take.
struct LookMemory {
  let file: String
  let limit: Int?
  /// The bytes that are in use while the look is read.
  let held: Int

  /// Throws where `bytes` more exceed the limit.
  func check(_ bytes: Int) throws(LookFileError) {
    guard let limit, held + bytes > limit else { return }
    throw .file(.tooMuchMemory(file: file, bytes: held + bytes, limit: limit))
  }

  /// Throws where the values of so many rows exceed the limit.
  func check(rows: Int) throws(LookFileError) { try check(LookRows.rowBytes * rows) }
}

/// Collects the values of a LUT: rows of red, green and blue.
struct LookRows {
  /// The memory of a row in bytes.
  static let rowBytes = 3 * MemoryLayout<Float>.stride

  private(set) var values: [Float] = []
  private let file: String
  private let limit: Int

  /// Prepares for up to `limit` rows in a text of `byteCount` bytes. Throws where they take too much memory.
  init(upTo limit: Int, in byteCount: Int, _ memory: LookMemory) throws(LookFileError) {
    (file, self.limit) = (memory.file, limit)
    try memory.check(rows: limit)
    // A number and its separator have at least two bytes, which bounds the allocation by the size of the file.
    values.reserveCapacity(min(3 * limit, byteCount / 2 + 3))
  }

  var count: Int { values.count / 3 }

  mutating func append(_ row: SIMD3<Double>) throws(LookFileError) {
    guard count < limit else {
      throw .incomplete(
        file: file, reason: "\(limit) rows of numbers should follow; there are more")
    }
    for channel in 0..<3 { values.append(Float(row[channel])) }
  }

  /// Throws where rows are missing.
  func checkComplete() throws(LookFileError) {
    guard count == limit else {
      throw .incomplete(
        file: file, reason: "\(limit) rows of numbers should follow; there are \(count)")
    }
  }

  /// Removes and returns the first rows.
  mutating func removeFirst(_ count: Int) -> [Float] {
    let rows = Array(values[..<(3 * count)])
    values.removeFirst(3 * count)
    return rows
  }

  /// Exchanges the red and the blue axis of a 3D LUT, in place.
  mutating func exchangeRedAndBlue(size: Int) { values.exchangeRedAndBlue(size: size) }

  /// Multiplies all values, in double precision.
  mutating func scale(by factor: Double) {
    for index in values.indices { values[index] = Float(Double(values[index]) * factor) }
  }
}

extension [Float] {
  /// Exchanges the red and the blue axis of a 3D LUT with `size` grid points per axis, in place.
  mutating func exchangeRedAndBlue(size: Int) {
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<blue {
          let place = 3 * (red + size * (green + size * blue))
          let other = 3 * (blue + size * (green + size * red))
          for channel in 0..<3 { swapAt(place + channel, other + channel) }
        }
      }
    }
  }
}
