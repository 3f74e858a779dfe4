import Colorloom

/// A common type name, which Colorloom does not use.
struct Image {
  var pixels: Bitmap<UInt8>
}

/// Names of types in user interface frameworks.
struct Color {}
struct Filter {}

/// A filter of the client.
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
let darker = try picture.exposure(1).converted(to: .sRGB).render(as: UInt8.self)
guard darker == image.pixels else {
  fatalError("Half the light, doubled, is not what it was: \(darker.row(0))")
}
print(picture.plan)
