import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// JPEG files decoded at a half, a quarter and an eighth: the pixels of a resize lie where those of the whole picture lie.
@Suite struct ReducedGeometryTests {
  /// A file of ten waves across and seven down, which half a pixel of a small result changes by tens of codes.
  private func file(_ size: PixelSize, _ orientation: Orientation) throws -> [UInt8] {
    func wave(_ count: Double, _ index: Int, of length: Int) -> Double {
      51 * sine(ofPi: 2 * (count * (Double(index) + 0.5) / Double(length) + 0.1))
    }
    let columns = (0..<size.width).map { wave(10, $0, of: size.width) }
    let rows = (0..<size.height).map { wave(7, $0, of: size.height) }
    let bitmap = Bitmap<UInt8>(size, in: .sRGB, channels: .gray) { x, y in
      [UInt8((127.5 + columns[x] + rows[y]).rounded())]
    }
    return try ImageFile.encode(
      .uint8(bitmap), as: .jpeg, options: WritingOptions(quality: 97, orientation: orientation))
  }

  /// The largest difference of two results of one size, in codes of 8 bits.
  private func difference(_ a: Picture, _ b: Picture) throws -> Float {
    let (a, b): (Bitmap<Float>, Bitmap<Float>) = (try a.render(), try b.render())
    #expect(a.size == b.size)
    return 255 * zip(a.samples, b.samples).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// Encoded values are averaged, which darkens steep waves by up to 2 codes at an eighth. A result that is squeezed into the size of the
  /// decoded pixels differs by 6 at a half and 30 at an eighth.
  private func bound(_ reduction: Int) -> Float { reduction < 8 ? 1.25 : 3 }

  /// Also where the pixel that stands for fewer columns or rows is the first one.
  @Test(
    arguments: [PixelSize(1001, 667), PixelSize(1003, 669)],
    [Orientation.upright, .quarterTurned, .halfTurned])
  func pixelsLieWhereThoseOfTheWholeLie(size: PixelSize, orientation: Orientation) throws {
    let whole = try Picture(bytes: file(size, orientation))
    for reduction in [2, 4, 8] {
      let (width, height) = (
        (whole.size.width - 1) / reduction / 2, (whole.size.height - 1) / reduction / 2
      )
      let reduced = whole.reduced(toAtLeast: PixelSize(2 * width, 2 * height))
      #expect(reduced.size.width == (whole.size.width + reduction - 1) / reduction)
      let target = ResizeTarget.exact(width, height)
      let error = try difference(reduced.resized(to: target), whole.resized(to: target))
      #expect(error < bound(reduction), "1/\(reduction): \(error) codes")
    }
  }

  /// Thumbnails and sizes that are filled or fitted, too.
  @Test func allReductionsAreExact() throws {
    let whole = try Picture(bytes: file(PixelSize(1001, 667), .quarterTurned))
    let thumbnail = try difference(
      whole.thumbnail(62, in: nil), whole.resized(to: .fit(62, 62)))
    #expect(thumbnail < bound(8), "\(thumbnail)")
    let reduced = whole.reduced(toAtLeast: PixelSize(80, 80))
    for target in [ResizeTarget.fill(40, 30), .fill(30, 60), .fit(60, 60)] {
      let error = try difference(reduced.resized(to: target), whole.resized(to: target))
      #expect(error < bound(8), "\(target): \(error)")
    }
  }

  /// A cropped picture is decoded whole, so that its edges lie where they were cut.
  @Test func croppedPicturesAreNotReduced() throws {
    let cropped = try Picture(bytes: file(PixelSize(301, 203), .upright))
      .cropped(to: Region(x: 3, y: 5, width: 290, height: 191))
    #expect(cropped.reduced(toAtLeast: PixelSize(20, 10)).size == cropped.size)
    #expect(
      try cropped.thumbnail(20, in: nil).render(as: Float.self)
        == cropped.resized(to: .fit(20, 20)).render(as: Float.self))
  }

  /// Sides that are multiples keep the pixels that they had.
  @Test func multiplesKeepTheirBits() throws {
    let whole = try Picture(bytes: file(PixelSize(1000, 664), .upright))
    let reduced = whole.reduced(toAtLeast: PixelSize(120, 80))
    #expect(reduced.size == PixelSize(125, 83))
    let stored: Bitmap<UInt8> = try reduced.render()
    let target = ResizeTarget.exact(60, 40)
    #expect(
      try reduced.resized(to: target).render(as: Float.self)
        == Picture(stored).resized(to: target).render(as: Float.self))
  }

  /// A JPEG file is opaque, so a color behind it changes nothing, neither for gray files nor below other steps.
  @Test func flattenedPicturesAreReduced() throws {
    let whole = try Picture(bytes: file(PixelSize(1001, 667), .quarterTurned))
    for color in [ColorPoint(1, 1, 1, in: .sRGB), ColorPoint(1, 0, 0, in: .sRGB)] {
      let flat = whole.flattened(onto: color)
      #expect(flat.size == whole.size)
      #expect(flat.reduced(toAtLeast: PixelSize(80, 80)).size == PixelSize(84, 126))
      let thumbnail: Bitmap<UInt8> = try flat.thumbnail(40).render()
      #expect(try thumbnail == whole.thumbnail(40).render())
    }
  }

  /// A backdrop that shows, beside the layer or by its blend mode, keeps both whole.
  @Test func layersThatHideNotAllAreNotReduced() throws {
    let whole = try Picture(bytes: file(PixelSize(301, 203), .upright))
    let composites = [
      whole.composited(onto: whole, by: .multiply),
      whole.composited(onto: whole, operator: .backdropOver),
      whole.composited(onto: whole, at: Offset(3, 0)),
    ]
    for picture in composites {
      #expect(picture.reduced(toAtLeast: PixelSize(20, 10)).size == picture.size)
    }
  }
}
