internal import ImageBuffer

/// Unpacks the palette indices of a frame: LZW with codes of growing length (GIF89a, appendix F).
final class GIFUnpacker {
  private let window: ByteWindow
  private var position: Int
  private let end: Int
  /// The bytes that are left of a sub-block.
  private var blockLeft = 0
  private var bits: UInt32 = 0
  private var bitCount = 0

  /// The code that clears the table; the next one ends the data, and smaller ones are indices.
  private let clear: Int
  private var width: Int
  private var next: Int
  /// The code before; negative after the table was cleared.
  private var previous = -1
  private var first: UInt8 = 0
  /// Each code but the first ones stands for what another one stands for, and an index.
  private let prefixes: UnsafeMutableBufferPointer<UInt16>
  private let suffixes: UnsafeMutableBufferPointer<UInt8>
  /// The indices of a code that were not asked for yet, the last one first.
  private let waiting: UnsafeMutableBufferPointer<UInt8>
  private var waitingCount = 0
  /// How many pixels were read.
  private(set) var pixelCount = 0

  private static let longestCode = 12
  private static let tableCount = 1 << longestCode
  /// The most pixels that a byte of LZW can stand for. A code of 12 bits stands for fewer than 4096.
  static let largestExpansion = 2731

  init(_ frame: GIFFrame, _ bytes: ByteSource) throws(ImageFileError) {
    // Of many small frames, each would otherwise copy 64 KiB.
    window = ByteWindow(bytes, length: min(frame.data.count, 1 << 16))
    let bits = Int(try window[frame.data.lowerBound])
    guard (1...8).contains(bits) else {
      throw .damaged(
        file: bytes.name,
        reason:
          "its frame \(frame.number) states indices of \(bits) bits, where 1 to 8 are possible")
    }
    (position, end) = (frame.data.lowerBound + 1, frame.data.upperBound)
    (clear, width, next) = (1 << bits, bits + 1, 1 << bits + 2)
    // Last, because no `deinit` follows an `init` that throws before all is initialized.
    prefixes = .allocate(capacity: Self.tableCount)
    suffixes = .allocate(capacity: Self.tableCount)
    waiting = .allocate(capacity: Self.tableCount + 1)
    prefixes.initialize(repeating: 0)
    suffixes.initialize(repeating: 0)
    waiting.initialize(repeating: 0)
  }

  deinit {
    prefixes.deallocate()
    suffixes.deallocate()
    waiting.deallocate()
  }

  /// Fills a row with the next indices; returns how many there were, fewer only at the end of the data.
  func read(into row: UnsafeMutableBufferPointer<UInt8>) throws(GIFDamage) -> Int {
    var count = 0
    defer { pixelCount += count }
    while count < row.count {
      if waitingCount == 0 {
        guard try unpackCode() else { break }
      }
      let part = min(waitingCount, row.count - count)
      for index in 0..<part { row[count + index] = waiting[waitingCount - 1 - index] }
      waitingCount -= part
      count += part
    }
    return count
  }

  /// Unpacks a code that stands for indices; returns whether there was one.
  private func unpackCode() throws(GIFDamage) -> Bool {
    while let code = try nextCode() {
      if code == clear {
        (width, next, previous) = (clear.trailingZeroBitCount + 1, clear + 2, -1)
        continue
      }
      if code == clear + 1 { return false }
      guard code < (previous < 0 ? clear : min(next + 1, Self.tableCount)) else {
        throw .code(code, limit: previous < 0 ? clear : next)
      }
      unpack(code)
      return true
    }
    return false
  }

  private func unpack(_ code: Int) {
    var (current, count) = (code, 0)
    if code == next {
      // The code that is defined by its own first index.
      waiting[0] = first
      (current, count) = (previous, 1)
    }
    while current > clear {
      waiting[count] = suffixes[current]
      current = Int(prefixes[current])
      count += 1
    }
    first = UInt8(truncatingIfNeeded: current)
    waiting[count] = first
    waitingCount = count + 1
    if previous >= 0, next < Self.tableCount {
      (prefixes[next], suffixes[next]) = (UInt16(previous), first)
      next += 1
      if next >= 1 << width, width < Self.longestCode { width += 1 }
    }
    previous = code
  }

  /// The next code; nil at the end mark of the data.
  private func nextCode() throws(GIFDamage) -> Int? {
    while bitCount < width {
      guard let byte = try nextByte() else { return nil }
      bits |= UInt32(byte) << UInt32(bitCount)
      bitCount += 8
    }
    let code = Int(bits & (1 << UInt32(width) - 1))
    bits >>= UInt32(width)
    bitCount -= width
    return code
  }

  private func nextByte() throws(GIFDamage) -> UInt8? {
    if blockLeft == 0 {
      blockLeft = Int(try byte())
      // The end mark is read again by those who ask again.
      if blockLeft == 0 {
        position -= 1
        return nil
      }
    }
    blockLeft -= 1
    return try byte()
  }

  private func byte() throws(GIFDamage) -> UInt8 {
    guard position < end else { throw .truncated }
    defer { position += 1 }
    do throws(ImageFileError) { return try window[position] } catch { throw .file(error) }
  }
}
