import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Profiles in files.
@Suite struct FileProfileTests {
  /// An untagged JPEG file with a profile spliced in.
  private func file(_ channels: Channels, profile name: String) throws -> [UInt8] {
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(8, 8), channels: channels)
    var options = WritingOptions()
    options.isUntagged = true
    let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpeg, options: options)
    let profile = [UInt8](try Data(contentsOf: Fixtures.url("Profiles/\(name).icc")))
    let content = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
    let length = content.count + 2
    let segment = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + content
    return bytes.prefix(2) + segment + bytes.dropFirst(2)
  }

  /// The sentence says that profile and file do not belong together. A conversion could not mend it, so none is proposed.
  @Test(arguments: [
    (
      Channels.rgb, "cmyk-mft2", "for 4 channels, and the file holds 3: it belongs to another file."
    ),
    (.gray, "cmyk-mft2", "for 4 channels, and the file holds 1: it belongs to another file."),
    (.rgb, "gray-para-v4", "for 1 channel, and the file holds 3: it belongs to another file."),
    (.rgb, "link-rgb-cmyk", "which converts colors and describes those of no file."),
    (.rgb, "abstract-lab", "which converts colors and describes those of no file."),
  ])
  func profilesOfTheWrongKindAreNamed(
    channels: Channels, profile: String, sentence: String
  ) throws {
    let info = try ImageFile.info(bytes: file(channels, profile: profile))
    guard case .unusable(let error) = info.color else {
      Issue.record("\(profile) was used.")
      return
    }
    let text = "\(error)"
    #expect(text.contains(sentence) && !text.contains("transform"), "\(text)")
    #expect(text.hasSuffix("Pass another color space, such as assuming: .sRGB."), "\(text)")
  }

  /// An assumption replaces such a profile, and a note says so, in sentences without Swift symbols.
  @Test func unusableProfilesAreNoted() throws {
    let file = try OpenedImageFile(bytes: file(.rgb, profile: "cmyk-mft2"))
    guard case .unusable(let error) = file.info.color else {
      Issue.record("The profile was used.")
      return
    }
    #expect(file.info.notes == [.unusableSpace(reason: error.finding)])
    #expect(file.info.notes.map { "\($0)".contains("assuming:") } == [false])
    #expect(throws: error) { try file.picture() }
    #expect(try file.picture(assuming: .displayP3).space == .displayP3)
  }
}
