import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// The attribute colorInteropID of OpenEXR files, and other names of their spaces.
@Suite struct OpenEXRColorTests {
  private func file(_ id: String?, chromaticities: [Float] = []) -> [UInt8] {
    var file = TestEXR { x, _, _ in Float(x) }
    if let id { file.attributes.append(("colorInteropID", "string", Array(id.utf8))) }
    if !chromaticities.isEmpty {
      let bytes = chromaticities.flatMap { Int($0.bitPattern).bytes(4) }
      file.attributes.append(("chromaticities", "chromaticities", bytes))
    }
    return file.bytes
  }

  private let rec709: [Float] = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]

  private func encoded(
    in space: ColorSpace, _ texts: [ImageMetadata.Text] = [], as format: ImageFileFormat = .openEXR
  ) throws -> ImageFileInfo {
    var options = WritingOptions()
    options.metadata.text = texts
    let picture = Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: space), in: space)
      .cropped(to: Region(PixelSize(3, 2)))
    return try ImageFile.info(bytes: picture.encoded(as: format, writing: options))
  }

  @Test(
    arguments: [
      ("lin_ap1_scene", .acescg), ("lin_p3d65_scene", .linearDisplayP3),
      ("srgb_rec709_scene", .sRGB),
    ] as [(String, ColorSpace)])
  func interopIDsNameTheSpace(id: String, space: ColorSpace) throws {
    let info = try ImageFile.info(bytes: file(id))
    guard case .space(let found, by: .colorInteropID) = info.color else {
      Issue.record("\(info.color)")
      return
    }
    #expect(found == space && info.metadata.text.isEmpty && info.notes.isEmpty, "\(info.notes)")
  }

  @Test func chromaticitiesThatDisagreeAreNoted() throws {
    #expect(
      try ImageFile.info(bytes: file("lin_ap1_scene", chromaticities: rec709)).notes == [
        .conflictingColor(
          used: .colorInteropID, space: "ACEScg", other: .chromaticities,
          otherSpace: "linear sRGB")
      ])
    for id in ["lin_rec709_scene", "srgb_rec709_scene"] {
      #expect(try ImageFile.info(bytes: file(id, chromaticities: rec709)).notes.isEmpty)
    }
  }

  @Test func otherStatementsCountWhereTheIDIsNotKnown() throws {
    let info = try ImageFile.info(bytes: file("studio:house_space", chromaticities: rec709))
    guard case .space(.linearSRGB, by: .chromaticities) = info.color,
      case .unusableColor(let reason, used: .chromaticities)? = info.notes.first
    else { throw Failure("\(info.color), \(info.notes)") }
    #expect(reason.contains("studio:house_space") && info.metadata.text.isEmpty)
    let unknown = try ImageFile.info(bytes: file("unknown"))
    guard case .space(.linearSRGB, by: .formatRule) = unknown.color else {
      throw Failure("\(unknown.color)")
    }
    #expect(unknown.notes.isEmpty)
    guard case .space(.linearSRGB, by: .data) = try ImageFile.info(bytes: file("data")).color
    else { throw Failure("Data has a color.") }
  }

  @Test func idsAreWrittenWhereTheSpaceHasOne() throws {
    for space in [ColorSpace.acescg, .linearDisplayP3, .adobeRGB.linear] {
      let info = try encoded(in: space)
      guard case .space(let found, by: .colorInteropID) = info.color else {
        throw Failure("\(info.color)")
      }
      #expect(found.isInterchangeable(with: space) && info.notes.isEmpty)
    }
    guard case .space(_, by: .chromaticities) = try encoded(in: .proPhoto.linear).color else {
      throw Failure("linear ProPhoto RGB has no identifier.")
    }
  }

  /// Names of spaces in texts would contradict the pixels once these are converted.
  @Test(arguments: [ImageFileFormat.openEXR, .png]) func namesOfOtherSpacesAreOmitted(
    format: ImageFileFormat
  ) throws {
    let owner = ImageMetadata.Text(keyword: "owner", value: "me")
    func texts(_ keyword: String, _ name: String) throws -> [ImageMetadata.Text] {
      let space: ColorSpace = format == .openEXR ? .linearDisplayP3 : .displayP3
      return try encoded(
        in: space, [owner, .init(keyword: keyword, value: name)], as: format
      ).metadata.text
    }
    for name in ["lin_ap1_scene", "no known name"] {
      #expect(try texts("colorInteropID", name) == [owner])
      #expect(try texts("oiio:ColorSpace", name) == [owner])
    }
    let own = format == .openEXR ? "lin_p3d65_scene" : "srgb_p3d65_scene"
    #expect(try Set(texts("oiio:ColorSpace", own).map(\.value)) == ["me", own])
    // OpenEXR states it as the color space, not as a text.
    let kept = Set(try texts("colorInteropID", own).map(\.value))
    #expect(kept == (format == .png ? ["me", own] : ["me"]))
  }
}
