import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Triangles of the primaries of ICC profiles.
@Suite struct TriangleVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func profile(_ name: String) -> String {
    Fixtures.url("Profiles/\(name).icc").path(percentEncoded: false)
  }

  /// “curves-differ” has a curve for each channel.
  @Test(arguments: ["display-p3-v4", "p3-gamma22-v2", "curves-differ"])
  func profilesArePaintedWithTheirPrimaries(name: String) throws {
    let (path, output) = (Self.profile(name), folder.path("t.png"))
    let painted = run(
      "triangle", output, "--space", path, "--corners", path, "--size", "40x30", "--interpolate",
      "encoded", "--samples", "u16")
    #expect(painted.status == .done, "\(painted.errors)")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let space = try ICCProfile(bytes: bytes).colorSpace()
    let expected = try Picture.triangle(
      top: ColorPoint(1, 0, 0, in: space), left: ColorPoint(0, 1, 0, in: space),
      right: ColorPoint(0, 0, 1, in: space), mixing: .encoded, in: space, size: PixelSize(40, 30)
    ).render(as: UInt16.self)
    #expect(try ImageFile.read(output).converted(to: UInt16.self).samples == expected.samples)
  }

  @Test(arguments: ["rgb-mft2-lab-v4", "cmyk-mft2", "gray-para-v4", "abstract-lab"])
  func profilesWithoutPrimariesAreRefused(name: String) {
    for option in ["--space", "--corners"] {
      let refused = run("triangle", folder.path("t.png"), option, Self.profile(name))
      #expect(refused.status == .misused)
      #expect(refused.complaint.contains("without RGB primaries"), "\(refused.errors)")
    }
  }
}
