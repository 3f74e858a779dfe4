import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

// MARK: Step
func deliver(_ upload: String, wide: String, narrow: String) throws -> VariantManifest? {
  let photo = try Picture(contentsOf: upload)
  // MARK: Step
  let feed = photo.resized(to: .fit(1080, 1080)).sharpened(sigma: 0.6, amount: 0.3)
  // MARK: Step
  guard try feed.firstPixel(outside: .sRGB) != nil else {
    try feed.fitted(into: .sRGB).write(to: narrow, samples: .uint8)
    return nil
  }
  // MARK: Step
  let files = [
    PictureFile(feed.fitted(into: .displayP3), at: wide, samples: .uint8),
    PictureFile(feed.fitted(into: .sRGB), at: narrow, samples: .uint8),
  ]
  try Picture.write(files)
  // MARK: Step
  return try VariantManifest(of: files)
}

// MARK: Step
func survives(_ delivered: String) throws -> Bool {
  try Canary.check(contentsOf: delivered).fate == .intact
}
// MARK: End

/// The code of the tutorial about the pipeline for wide color.
@Suite struct DeliverWideColor {
  @Test func aWidePhotoBecomesTwoFiles() throws {
    let folder = try TemporaryFolder()
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    let upload = folder.path("upload.png")
    try Picture(Canary(size: PixelSize(384, 128)), in: .displayP3)
      .write(to: upload, samples: .uint16)
    let manifest = try deliver(upload, wide: wide, narrow: narrow)
    #expect(manifest?.best(for: DisplayHint("gamut=p3"))?.file == wide)
    #expect(manifest?.best(for: DisplayHint("gamut=srgb"))?.file == narrow)
    #expect(try !survives(narrow))
  }

  @Test func aCanaryThatOnlyPassesThroughSurvives() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("canary.png")
    try Picture(Canary(size: PixelSize(384, 128)), in: .displayP3).write(to: path, samples: .uint8)
    #expect(try survives(path))
  }

  @Test func aNarrowPhotoBecomesOneFile() throws {
    let folder = try TemporaryFolder()
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    let upload = folder.path("gray.png")
    try Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .sRGB)
      .cropped(to: Region(x: 0, y: 0, width: 32, height: 32)).write(to: upload, samples: .uint8)
    #expect(try deliver(upload, wide: wide, narrow: narrow) == nil)
    #expect(try ImageFile.read(narrow).space == .sRGB)
  }
}
