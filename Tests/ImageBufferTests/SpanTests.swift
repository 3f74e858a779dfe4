import ColorSpaces
import ImageBuffer
import Testing

/// Rows as spans, the safe access to many pixels.
@Suite struct SpanTests {
  @Test(arguments: [Arrangement.interleaved, .planar])
  func rowsAreReadAndWritten(arrangement: Arrangement) {
    var bitmap = Bitmap<UInt16>(
      PixelSize(5, 3), in: .sRGB, channels: .rgb, arrangement: arrangement)
    let before = bitmap
    for y in 0..<3 {
      for plane in 0..<bitmap.planeCount {
        bitmap.withMutableRow(y, plane: plane) { row in
          for i in row.indices { row[i] = UInt16(100 * y + 10 * plane + i) }
        }
      }
    }
    for y in 0..<3 {
      for plane in 0..<bitmap.planeCount {
        let sum = bitmap.withRow(y, plane: plane) { row in
          row.indices.reduce(0) { $0 + Int(row[$1]) }
        }
        #expect(sum == bitmap.row(y, plane: plane).reduce(0) { $0 + Int($1) })
        #expect(sum > 0 || y + plane == 0)
      }
    }
    let last = arrangement == .interleaved ? 200 + 14 : 200 + 20 + 4
    #expect(Int(bitmap[4, 2, 2]) == last)
    #expect(before[4, 2, 2] == 0)
  }

  @Test func errorsPassThrough() {
    struct Stop: Error {}
    let bitmap = Bitmap<Float>(PixelSize(2, 2), in: .sRGB)
    #expect(throws: Stop.self) { try bitmap.withRow(0) { _ throws(Stop) in throw Stop() } }
  }
}
