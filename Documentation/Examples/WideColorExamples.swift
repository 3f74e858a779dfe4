import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// The code of the guide to wide color.
@Suite struct WideColorExamples {
  @Test func theCanary() throws {
    let folder = try TemporaryFolder()
    let thumbnail = folder.path("thumbnail.jpg")
    try Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)
      .converted(to: .sRGB).write(to: thumbnail)

    let canary = Picture(Canary(size: PixelSize(384, 128)), in: .displayP3)
    let verdict = try Canary.check(contentsOf: thumbnail)
    if verdict.fate != .intact { print("The thumbnail is \(verdict.fate).") }
    #expect(verdict.fate == .clipped)
    #expect(try Canary.check(canary).fate == .intact)
  }

  @Test func theScan() throws {
    let photo = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)

    let wide = try photo.firstPixel(outside: .sRGB)
    let needsTwoFiles = wide != nil
    #expect(needsTwoFiles)
  }

  @Test func betweenDisplayP3AndSRGB() throws {
    let painted = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)
    let photo = Picture(try painted.render(as: UInt8.self))

    let narrow = photo.converted(to: .sRGB)  // extended sRGB: values below 0 and above 1
    let kept = try narrow.render(as: Float.self)
    let cut = try narrow.render(as: UInt8.self)  // clamped to 0…1
    let again = try Picture(kept).converted(to: .displayP3).render(as: UInt8.self)
    let mapped = photo.fitted(into: .sRGB, by: .rayTraced)  // gamut mapped, hue kept
    #expect(try again == photo.render(as: UInt8.self))
    #expect(try Canary.check(Picture(cut)).fate == .clipped)
    #expect(try mapped.fractionOutside(.sRGB) == 0)

    let scan = photo.tagged(as: .sRGB)
    let repaired = scan.tagged(as: .displayP3)
    #expect(try Canary.check(scan).fate == .mistagged)
    #expect(try Canary.check(repaired).fate == .intact)
  }

  /// The numbers of the guide, over 52 levels of each channel.
  @Test func conversionsOfAllColors() throws {
    func grid(in space: ColorSpace) -> Bitmap<UInt8> {
      Bitmap(PixelSize(52 * 52, 52), in: space, channels: .rgb) { x, y in
        [UInt8(5 * (x % 52)), UInt8(5 * (x / 52)), UInt8(5 * y)]
      }
    }
    func changed(_ a: Bitmap<UInt8>, _ b: Bitmap<UInt8>) -> (pixels: Int, codes: Int) {
      var (pixels, codes) = (0, 0)
      for y in 0..<a.size.height {
        for x in 0..<a.size.width {
          let apart = (0..<3).map { abs(Int(a[x, y, $0]) - Int(b[x, y, $0])) }.max() ?? 0
          if apart > 0 { pixels += 1 }
          codes = max(codes, apart)
        }
      }
      return (pixels, codes)
    }
    let count = Double(52 * 52 * 52)
    let wide = grid(in: .displayP3)
    let extended = Picture(wide).converted(to: .sRGB)
    let outside = try Picture(wide).fractionOutside(.sRGB)
    let cut = try extended.render(as: UInt8.self)
    let difference = try PictureComparison(of: Picture(cut), with: Picture(wide)).maximum
    let halves = try extended.render(as: Float16.self)
    let fromHalves = changed(
      wide, try Picture(halves).converted(to: .displayP3).render(as: UInt8.self))
    let floats = try extended.render(as: Float.self)
    let fromFloats = changed(
      wide, try Picture(floats).converted(to: .displayP3).render(as: UInt8.self))

    let narrow = grid(in: .sRGB)
    let inWide = Picture(narrow).converted(to: .displayP3)
    let through8 = changed(
      narrow, try Picture(inWide.render(as: UInt8.self)).converted(to: .sRGB).render(as: UInt8.self)
    )
    let through16 = changed(
      narrow,
      try Picture(inWide.render(as: UInt16.self)).converted(to: .sRGB).render(as: UInt8.self)
    )
    // 49.9 %: half of the cube of codes.
    #expect(abs(outside - 0.499) < 0.001)
    #expect(abs(difference - 9.85) < 0.01)
    #expect(fromHalves == (52, 1) && fromFloats == (0, 0))
    #expect(through8 == (62_970, 8) && through16 == (0, 0))
    // Of how many colors the guide's parts are.
    #expect(count / 52 > 2700 && abs(62_970 / count - 0.448) < 0.001)
  }

  @Test func twoFiles() throws {
    let folder = try TemporaryFolder()
    let (widePath, narrowPath) = (folder.path("wide.png"), folder.path("narrow.jpg"))
    let photo = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)

    let files = [
      PictureFile(photo.fitted(into: .displayP3), at: widePath),
      PictureFile(photo.fitted(into: .sRGB), at: narrowPath, samples: .uint8),
    ]
    try Picture.write(files)
    let manifest = try VariantManifest(of: files)

    let display = DisplayHint("gamut=p3; dpr=2; width=400")
    let chosen = manifest.best(for: display)
    #expect(chosen?.file == widePath)
    #expect(manifest.best(for: DisplayHint(""))?.file == narrowPath)
  }
}
