internal import ImageBuffer

/// Converts stored rows to samples: by a palette, by masks, or by the order of bytes.
struct BMPColors {
  /// Red, green and blue of each index that there can be; black beyond the palette.
  private let palette: [UInt8]
  /// How many colors the palette has.
  let count: Int
  private let masks: BMPMasks?
  /// The samples of all values of each channel that has few bits, `1 << tableBits` places for a channel.
  private let samples: [UInt16]
  private static let tableBits = 10
  /// Whether pixels are blue, green, red and alpha or an unused byte, in this order.
  private let isOfBytes: Bool

  init(_ header: BMPHeader, _ bytes: ByteSource) throws(ImageFileError) {
    masks = header.masks
    let words = masks?.channels.map(\.word) ?? []
    isOfBytes =
      words.starts(with: [0xFF0000, 0xFF00, 0xFF])
      && [0xFF00_0000, nil].contains(words.dropFirst(3).first)
    samples = isOfBytes ? [] : masks?.samplesOfValues(tableBits: Self.tableBits) ?? []
    guard let range = header.palette else {
      (palette, count) = ([], 0)
      return
    }
    let stored = try bytes.array(range)
    let entryBytes = header.entryBytes
    count = stored.count / entryBytes
    var palette = [UInt8](repeating: 0, count: 3 * 256)
    for index in 0..<count {
      for channel in 0..<3 {
        palette[3 * index + channel] = stored[entryBytes * index + 2 - channel]
      }
    }
    self.palette = palette
  }

  /// Converts a row of pixels of `bits` bits. Returns the largest palette index, or 0 for pixels without a palette.
  func convert(
    _ stored: UnsafeRawBufferPointer, bits: Int, to row: UnsafeMutableRawBufferPointer
  ) -> Int {
    switch bits {
    case 16: convertMasked(stored, UInt16.self, to: row)
    case 24: reverse(stored, 3, to: row, 3)
    case 32 where isOfBytes: reverse(stored, 4, to: row, masks?.alpha == nil ? 3 : 4)
    case 32: convertMasked(stored, UInt32.self, to: row)
    default: return lookUp(stored, bits, to: row)
    }
    return 0
  }

  /// Looks up indices, of which the first one of a byte is in its highest bits.
  private func lookUp(
    _ stored: UnsafeRawBufferPointer, _ bits: Int, to row: UnsafeMutableRawBufferPointer
  ) -> Int {
    let mask = UInt8(truncatingIfNeeded: (1 << bits) - 1)
    var largest = 0
    palette.withUnsafeBufferPointer { palette in
      for x in 0..<row.count / 3 {
        let bit = x * bits
        let index = Int(stored[bit >> 3] >> UInt8(8 - bits - bit & 7) & mask)
        largest = max(largest, index)
        for channel in 0..<3 { row[3 * x + channel] = palette[3 * index + channel] }
      }
    }
    return largest
  }

  /// Exchanges blue and red; the fourth byte stays, or is left out.
  private func reverse(
    _ stored: UnsafeRawBufferPointer, _ storedBytes: Int, to row: UnsafeMutableRawBufferPointer,
    _ channels: Int
  ) {
    for x in 0..<row.count / channels {
      let (source, target) = (storedBytes * x, channels * x)
      for channel in 0..<3 { row[target + channel] = stored[source + 2 - channel] }
      if channels == 4 { row[target + 3] = stored[source + 3] }
    }
  }

  private func convertMasked<Word: FixedWidthInteger>(
    _ stored: UnsafeRawBufferPointer, _: Word.Type, to row: UnsafeMutableRawBufferPointer
  ) {
    guard let masks else { return }
    let isDeep = masks.samples == .uint16
    let full = masks.largestSample
    masks.channels.withUnsafeBufferPointer { channels in
      samples.withUnsafeBufferPointer { samples in
        for x in 0..<row.count / (channels.count * (isDeep ? 2 : 1)) {
          let word = stored.loadUnaligned(
            fromByteOffset: x * MemoryLayout<Word>.size, as: Word.self)
          let pixel = UInt32(truncatingIfNeeded: word.littleEndian)
          for index in channels.indices {
            let mask = channels[index]
            let sample =
              mask.bits <= Self.tableBits
              ? samples[index << Self.tableBits | Int(mask.value(in: pixel))]
              : mask.sample(of: mask.value(in: pixel), full: full)
            let place = channels.count * x + index
            if isDeep {
              row.storeBytes(of: sample, toByteOffset: 2 * place, as: UInt16.self)
            } else {
              row[place] = UInt8(truncatingIfNeeded: sample)
            }
          }
        }
      }
    }
  }
}
