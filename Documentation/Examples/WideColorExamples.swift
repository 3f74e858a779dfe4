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

    let verdict = try Canary.check(contentsOf: thumbnail)
    if verdict.fate != .intact { print("The thumbnail is \(verdict.fate).") }
    #expect(verdict.fate == .clipped)
  }

  @Test func theScan() throws {
    let photo = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)

    let wide = try photo.firstPixel(outside: .sRGB)
    let needsTwoFiles = wide != nil
    #expect(needsTwoFiles)
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
