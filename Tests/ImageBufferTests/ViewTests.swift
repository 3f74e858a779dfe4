import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// A view shares the memory of a part of a bitmap, copy-on-write.
@Suite struct ViewTests {
  /// A part of a bitmap, by four random numbers.
  private static let part = Generator<((Int, Int), (Int, Int))>.zip(
    .zip(.int(in: 0 ... .max), .int(in: 0 ... .max)),
    .zip(.int(in: 0 ... .max), .int(in: 0 ... .max)))

  private func region(_ part: ((Int, Int), (Int, Int)), in size: PixelSize) -> Region {
    let (x, y) = (part.0.0 % size.width, part.0.1 % size.height)
    return Region(
      x: x, y: y, width: 1 + part.1.0 % (size.width - x), height: 1 + part.1.1 % (size.height - y))
  }

  /// The definition: pixel by pixel.
  private func part<Sample>(_ region: Region, of bitmap: Bitmap<Sample>) -> Bitmap<Sample> {
    Bitmap(
      region.size, in: bitmap.space, channels: bitmap.channels, alpha: bitmap.alpha,
      arrangement: bitmap.arrangement
    ) { x, y in
      (0..<bitmap.channels.count).map { bitmap[region.x + x, region.y + y, $0] }
    }
  }

  @Test func aViewHasThePixelsOfItsRegion() {
    checkProperty("view(of:)", Shape.any, Self.part) { shape, part in
      let bitmap: Bitmap<UInt16> = shape.bitmap()
      let region = region(part, in: shape.size)
      let view = bitmap.view(of: region)
      let expected = self.part(region, of: bitmap)
      for plane in 0..<view.planeCount {
        for y in 0..<region.height {
          guard view.row(y, plane: plane) == expected.row(y, plane: plane) else { return false }
        }
      }
      return view == expected && view.bytesPerRow == bitmap.bytesPerRow
    }
  }

  @Test func viewsOfViewsAreViews() {
    checkProperty("a view of a view", Shape.any, Self.part, Self.part) { shape, first, second in
      let bitmap: Bitmap<UInt8> = shape.bitmap()
      let outer = region(first, in: shape.size)
      let inner = region(second, in: outer.size)
      return bitmap.view(of: outer).view(of: inner)
        == bitmap.view(of: inner.moved(by: outer.origin))
    }
  }

  @Test func aViewSharesMemory() {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(40, 9), channels: .rgb)
    let view = bitmap.view(of: Region(x: 3, y: 2, width: 5, height: 4))
    #expect(view.address() == bitmap.address(2) + 3 * 3 * 2)
  }

  @Test func changesDoNotShowInTheOther() {
    checkProperty("writing to one of two", Shape.any, Self.part, .int(in: 0...1)) {
      shape, part, side in
      let original: Bitmap<UInt8> = shape.bitmap()
      var bitmap = original
      let region = region(part, in: shape.size)
      var view = bitmap.view(of: region)
      let before = self.part(region, of: original)
      if side == 0 {
        view[region.width - 1, region.height - 1, 0] &+= 1
        return bitmap == original && view != before
          && view[region.width - 1, region.height - 1, 0]
            == before[region.width - 1, region.height - 1, 0] &+ 1
      }
      bitmap[region.x, region.y, 0] &+= 1
      return view == before && bitmap != original
    }
  }

  @Test func copyHasTheSizeOfTheView() {
    let bitmap = Bitmap<Float>(PixelSize(1000, 100), in: .sRGB)
    var view = bitmap.view(of: Region(x: 10, y: 10, width: 4, height: 4))
    view[0, 0, 0] = 1
    #expect(view.bytesPerRow == 64)
    #expect(bitmap[10, 10, 0] == 0)
  }

  @Test func lastOwnerIsMutatedInPlace() {
    var view = Bitmap<UInt8>(PixelSize(20, 20), in: .sRGB).view(
      of: Region(x: 1, y: 1, width: 2, height: 2))
    let address = view.address()
    view[1, 1, 1] = 9
    #expect(view.address() == address)
    #expect(view[1, 1, 1] == 9)
  }
}
