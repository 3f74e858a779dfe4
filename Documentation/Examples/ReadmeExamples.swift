import Colorloom
import Foundation
import ImageFiles
import Testing

/// Returns an sRGB thumbnail, as a JPEG file, of an image file in any format and color space.
func thumbnail(of upload: [UInt8]) throws -> [UInt8] {
  try Picture(bytes: upload)
    .thumbnail(512, in: nil)  // Lanczos 3 on premultiplied linear values
    .sharpened(sigma: 0.6, amount: 0.5, channels: .luminance)
    .fitted(into: .sRGB)  // gamut mapping of CSS Color 4
    .flattened(onto: ColorPoint(1, 1, 1, in: .sRGB))
    .encoded(as: .jpeg, writing: WritingOptions(quality: 85))
}

/// What the README shows. Tests run in the package's folder, so its relative paths hold.
@Suite struct ReadmeExamples {
  @Test func bytesInBytesOut() throws {
    let upload = try Data(contentsOf: URL(filePath: "Fixtures/negative.png"))
    let jpeg = try thumbnail(of: [UInt8](upload))
    let file = try ImageFile.read(bytes: jpeg)
    #expect(file.size == PixelSize(512, 341))
    #expect(file.space == .sRGB)
  }
}
