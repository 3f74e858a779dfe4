import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Rotations by quarter turns and reflections.
@Suite struct OrientTests {
  /// An F in all eight EXIF orientations is rendered upright; drawn by hand.
  @Test func letterStandsUpright() throws {
    let stored: [Orientation: [String]] = [
      .upright: ["###", "#..", "##.", "#..", "#.."],
      .mirrored: ["###", "..#", ".##", "..#", "..#"],
      .halfTurned: ["..#", "..#", ".##", "..#", "###"],
      .flipped: ["#..", "#..", "##.", "#..", "###"],
      .transposed: ["#####", "#.#..", "#...."],
      .quarterTurned: ["#....", "#.#..", "#####"],
      .transverse: ["....#", "..#.#", "#####"],
      .quarterTurnedBack: ["#####", "..#.#", "....#"],
    ]
    #expect(stored.count == Orientation.allCases.count)
    let upright = try bitmap(stored[.upright] ?? [])
    for (orientation, rows) in stored {
      let turned = try Picture(bitmap(rows)).oriented(orientation).render(as: UInt8.self)
      #expect(turned == upright, "\(orientation)")
    }
  }

  private func bitmap(_ rows: [String]) throws -> Bitmap<UInt8> {
    let dots = rows.map { Array($0) }
    return Bitmap(PixelSize(dots[0].count, dots.count), in: .sRGB, channels: .rgb) { x, y in
      dots[y][x] == "#" ? [0, 0, 0] : [255, 255, 255]
    }
  }

  @Test func fourQuarterTurnsAreTheIdentity() throws {
    let source = TestPictures.codes(as: UInt16.self, PixelSize(67, 41))
    let picture = Picture(source)
    let around = picture.turned(quarters: 1).turned(quarters: 1).turned(quarters: 1)
    #expect(try around.turned(quarters: 1).render(as: UInt16.self) == source)
    #expect(
      try around.render(as: UInt16.self) == picture.turned(quarters: -1).render(as: UInt16.self))
    #expect(
      try picture.mirrored().flipped().render(as: UInt16.self)
        == picture.turned(quarters: 6).render(as: UInt16.self))
  }

  @Test func infinitePicturesCannotBeOriented() {
    let endless = Picture.noise(seed: 1, in: .sRGB).flipped()
    #expect(throws: RenderError.recipe(.endless)) {
      try endless.cropped(to: Region(PixelSize(3, 3))).render(as: UInt8.self)
    }
  }
}
