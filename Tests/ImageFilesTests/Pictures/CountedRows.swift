import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization

/// Rows of 64 × 300 pixels that count how often they are read. Each reading gives other grays.
final class CountedRows: RowSource, RowReader {
  let size = PixelSize(64, 300)
  let space = ColorSpace.rec2020
  let channels = Channels.rgb
  let alpha = Alpha.straight
  let format = SampleFormat.uint8
  private let counts = Mutex((readers: 0, rows: 0))

  var readerCount: Int { counts.withLock(\.readers) }
  var rowCount: Int { counts.withLock(\.rows) }

  func makeReader() -> any RowReader {
    counts.withLock { $0.readers += 1 }
    return self
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) {
    let count = counts.withLock { counts in
      counts.rows += 1
      return counts.rows
    }
    row.initializeMemory(as: UInt8.self, repeating: UInt8(count % 256))
  }
}
