import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// The memory layout of samples.
@Suite struct LayoutTests {
  @Test func rowsBeginAtMultiplesOf64Bytes() {
    checkProperty("aligned rows", Shape.any) { shape in
      try isAligned(shape.bitmap(of: UInt8.self))
      try isAligned(shape.bitmap(of: UInt16.self))
      let floats = TestPictures.floats(
        shape.size, channels: shape.channels, arrangement: shape.arrangement)
      try isAligned(floats)
      return true
    }
  }

  private func isAligned<Sample>(_ bitmap: Bitmap<Sample>) throws {
    for plane in 0..<bitmap.planeCount {
      for y in 0..<bitmap.size.height where !bitmap.address(y, plane: plane).isMultiple(of: 64) {
        throw Failure("row \(y) of plane \(plane) begins at \(bitmap.address(y, plane: plane))")
      }
    }
  }

  @Test func rowPaddingIsLessThanACacheLine() {
    checkProperty("bytesPerRow", Shape.any) { shape in
      let bitmap: Bitmap<UInt16> = shape.bitmap()
      let perRow =
        shape.arrangement == .interleaved
        ? shape.size.width * shape.channels.count : shape.size.width
      return bitmap.samplesPerRow == perRow && bitmap.row(0).count == perRow
        && bitmap.bytesPerRow >= perRow * 2 && bitmap.bytesPerRow < perRow * 2 + 64
        && bitmap.planeCount == (shape.arrangement == .planar ? shape.channels.count : 1)
    }
  }

  @Test func rowsNeverOverlap() {
    checkProperty("rows apart", Shape.any) { shape in
      let bitmap: Bitmap<UInt16> = shape.bitmap()
      let starts = (0..<bitmap.planeCount).flatMap { plane in
        (0..<shape.size.height).map { bitmap.address($0, plane: plane) }
      }.sorted()
      return zip(starts, starts.dropFirst()).allSatisfy {
        $1 - $0 >= UInt(bitmap.samplesPerRow * 2)
      }
    }
  }

  @Test func theSubscriptAndTheRowsAgree() {
    checkProperty("subscript = row", Shape.any) { shape in
      let bitmap: Bitmap<UInt8> = shape.bitmap()
      return try shape.places.allSatisfy { x, y, channel in
        let row = bitmap.row(y, plane: shape.arrangement == .planar ? channel : 0)
        let inRow =
          shape.arrangement == .planar ? row[x] : row[x * shape.channels.count + channel]
        let code: UInt8 = Shape.code(x, y, channel)
        if bitmap[x, y, channel] == code, inRow == code { return true }
        throw Failure("(\(x), \(y)) channel \(channel): \(bitmap[x, y, channel]), row \(inRow)")
      }
    }
  }

  @Test func subscriptReadsWhatRowsWrote() {
    checkProperty("row = subscript", Shape.any) { shape in
      var bitmap = Bitmap<UInt8>(
        shape.size, in: .sRGB, channels: shape.channels, arrangement: shape.arrangement)
      for plane in 0..<bitmap.planeCount {
        for y in 0..<shape.size.height {
          bitmap.withUnsafeMutableRow(y, plane: plane) { row in
            for index in row.indices {
              let (x, channel) =
                shape.arrangement == .planar
                ? (index, plane) : index.quotientAndRemainder(dividingBy: shape.channels.count)
              row[index] = Shape.code(x, y, channel)
            }
          }
        }
      }
      return bitmap == shape.bitmap()
    }
  }

  @Test func aNewBitmapIsZero() {
    checkProperty("zeros", Shape.any) { shape in
      let bitmap = Bitmap<Float>(
        shape.size, in: .linearSRGB, channels: shape.channels, alpha: .premultiplied,
        arrangement: shape.arrangement)
      return shape.places.allSatisfy { bitmap[$0.x, $0.y, $0.channel].bitPattern == 0 }
        && bitmap.alpha == .premultiplied && bitmap.space == .linearSRGB
    }
  }

  @Test func sampleFormats() {
    #expect([UInt8.format, UInt16.format, Float.format] == [.uint8, .uint16, .float32])
    let formats: [SampleFormat] = [.uint8, .uint16, .float16, .float32]
    #expect(formats.map(\.byteCount) == [1, 2, 2, 4])
    #expect(Set(formats.map(\.kernelFormat)).count == 4)
  }

  @Test func theSurfaceIsTheBitmapsMemory() throws {
    let planar = TestPictures.floats(PixelSize(17, 5), arrangement: .planar)
    let floats = try #require(planar.surface.planarFloats)
    for (x, y, channel) in [(0, 0, 0), (16, 4, 3), (3, 2, 1)] {
      #expect(floats.base[channel * floats.plane + y * floats.row + x] == planar[x, y, channel])
    }
    #expect(TestPictures.floats(PixelSize(17, 5)).surface.planarFloats == nil)
    #expect(TestPictures.codes(as: UInt8.self, arrangement: .planar).surface.planarFloats == nil)
    // BGR order is not what readers in place expect.
    #expect(try planar.converted(channels: .bgra).surface.planarFloats == nil)
  }
}
