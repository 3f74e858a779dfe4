import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// Copy-on-write: bitmaps share memory until one of them changes, and no change shows in another.
@Suite struct CopyOnWriteTests {
  @Test func aCopySharesMemory() {
    let bitmap = Bitmap<Float>(PixelSize(5, 3), in: .sRGB)
    let copy = bitmap
    #expect(copy.address() == bitmap.address())
  }

  @Test func aCopyNeverChanges() {
    checkProperty("writing one sample", Shape.any, .int(in: 0 ... .max)) { shape, number in
      let original: Bitmap<UInt8> = shape.bitmap()
      var changed = original
      let place = shape.places[number % shape.places.count]
      changed[place.x, place.y, place.channel] &+= 1
      for (x, y, channel) in shape.places {
        let code: UInt8 = Shape.code(x, y, channel)
        let isPlace = (x, y, channel) == place
        guard original[x, y, channel] == code else { throw Failure("the original changed") }
        guard changed[x, y, channel] == (isPlace ? code &+ 1 : code) else {
          throw Failure("(\(x), \(y)) channel \(channel) is \(changed[x, y, channel])")
        }
      }
      return changed.address() != original.address() && changed != original
    }
  }

  @Test func aCopyNeverChangesWhenRowsAreWritten() {
    checkProperty("writing one row", Shape.any, .int(in: 0 ... .max)) { shape, number in
      let original: Bitmap<UInt16> = shape.bitmap()
      let expected: Bitmap<UInt16> = shape.bitmap()
      var changed = original
      let y = number % shape.size.height
      let plane = number % original.planeCount
      changed.withUnsafeMutableRow(y, plane: plane) { row in
        for index in row.indices { row[index] = ~row[index] }
      }
      return original == expected
        && changed.row(y, plane: plane) == original.row(y, plane: plane).map(~)
    }
  }

  @Test func uniqueOwnerIsMutatedInPlace() {
    var bitmap = Bitmap<UInt16>(PixelSize(40, 4), in: .sRGB)
    let address = bitmap.address()
    bitmap[39, 3, 2] = 7
    bitmap.withUnsafeMutableRow(1) { $0[0] = 9 }
    _ = bitmap.uniqueSurface()
    #expect(bitmap.address() == address)
    #expect(bitmap[39, 3, 2] == 7)
    #expect(bitmap[0, 1, 0] == 9)
  }

  @Test func onlyTheFirstWriteCopies() {
    let original = Bitmap<Float>(PixelSize(9, 2), in: .sRGB)
    var copy = original
    copy[0, 0, 0] = 1
    let address = copy.address()
    copy[1, 1, 1] = 2
    copy.withUnsafeMutableRow(0) { $0[1] = 3 }
    #expect(copy.address() == address)
    #expect(original == Bitmap(PixelSize(9, 2), in: .sRGB))
  }

  @Test func readingNeverCopies() {
    let bitmap = Bitmap<Float>(PixelSize(9, 2), in: .sRGB)
    var copy = bitmap
    _ = copy[3, 1, 2]
    _ = copy.row(1)
    _ = copy.surface
    #expect(copy.address() == bitmap.address())
    _ = copy.uniqueSurface()
    #expect(copy.address() != bitmap.address())
  }

  @Test func taggingSharesMemoryAndChangesTheSpace() {
    checkProperty("tagged(as:)", Shape.any) { shape in
      let bitmap: Bitmap<UInt8> = shape.bitmap()
      var tagged = bitmap.tagged(as: .displayP3)
      let sharesAndSays =
        tagged.address() == bitmap.address() && tagged.space == .displayP3
        && tagged != bitmap && tagged.tagged(as: .sRGB) == bitmap
        && tagged.arrangement == bitmap.arrangement && tagged.channels == bitmap.channels
      tagged[0, 0, 0] &+= 1
      return sharesAndSays && bitmap == shape.bitmap() && tagged[0, 0, 0] != bitmap[0, 0, 0]
    }
  }

  @Test func anErrorFromARowPassesThrough() {
    var bitmap = Bitmap<Float>(PixelSize(2, 2), in: .sRGB)
    #expect(throws: Failure("stop")) {
      try bitmap.withUnsafeMutableRow(0) { row throws(Failure) in
        row[0] = 1
        throw Failure("stop")
      }
    }
    #expect(bitmap[0, 0, 0] == 1)
  }
}
