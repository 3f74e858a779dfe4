import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Canaries in files that state no color space.
@Suite struct CanaryFileTests {
  private let canary = Picture(Canary(size: PixelSize(192, 64)), in: .displayP3)

  /// Writes the values of a canary, which has few colors, as a GIF file, which can state no color space.
  private func gif(of canary: Picture, at path: String) throws {
    let bitmap = try canary.render(as: UInt8.self)
    var colors: [[UInt8]] = []
    let size = bitmap.size
    var frame = TestGIF.Frame(width: size.width, height: size.height) { x, y in
      let color = (0..<3).map { bitmap[x, y, $0] }
      if let index = colors.firstIndex(of: color) { return index }
      colors.append(color)
      return colors.count - 1
    }
    frame.bits = 4
    try #require(colors.count <= 16)
    colors += Array(repeating: [0, 0, 0], count: 16 - colors.count)
    frame.palette = Array(colors.joined())
    let file = TestGIF(width: size.width, height: size.height, [frame])
    try Data(file.bytes).write(to: URL(filePath: path))
  }

  /// The rule of GIF says that its values are sRGB, but nothing tagged them: a writer dropped the profile.
  @Test func profilesAreDroppedInFormatsWithARule() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("canary.gif")
    let cases: [(picture: Picture, fate: Canary.Fate)] = [
      (canary, .profileDropped), (canary.converted(to: .rec2020), .profileDropped),
      (canary.converted(to: .sRGB), .clipped), (canary.exposure(-1), .changed),
    ]
    for (picture, fate) in cases {
      try gif(of: picture, at: path)
      guard case .space(_, by: .formatRule) = try ImageFile.info(path).color else {
        Issue.record("The file states a space.")
        return
      }
      #expect(try Canary.check(contentsOf: path).fate == fate, "\(picture.space)")
    }
  }
}
