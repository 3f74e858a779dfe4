import Colorloom

/// A type that many programs have; nothing of Colorloom's is called so.
struct Image {
  var pixels: Bitmap<UInt8>
}

/// Names that user interfaces take.
struct Color {}
struct Filter {}

/// A filter of the client's own.
struct Darken: PointFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(scale: 0.5)
  }
}

let image = Image(
  pixels: Bitmap(PixelSize(4, 4), in: .sRGB, channels: .rgb) { x, y in
    [UInt8(x * 80), UInt8(y * 80), 128]
  })
let picture = Picture(image.pixels).applying(Darken()).converted(to: .displayP3)
let darker = try picture.applying(Exposure(stops: 1)).converted(to: .sRGB).render(as: UInt8.self)
guard darker == image.pixels else {
  fatalError("Half the light, doubled, is not what it was: \(darker.row(0))")
}
print(picture.plan)
