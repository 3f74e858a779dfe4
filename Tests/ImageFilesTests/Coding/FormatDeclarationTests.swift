import ImageFiles
import Testing

/// The declarations of formats, each in one place, agree with each other.
@Suite struct FormatDeclarationTests {
  private static let all = ImageFileFormat.readable

  private func names(_ condition: (ImageFileFormat) -> Bool) -> Set<String> {
    Set(Self.all.filter(condition).map(\.name))
  }

  /// The initializer of a format requires these. Here are those that formats without a default package trait declare otherwise.
  @Test func formatsDeclareWhatTheyHold() {
    let always: Set = ["PNG", "JPEG", "BMP"]
    let profiled = always.union(["TIFF", "WebP", "JPEG XL", "HEIF", "AVIF"])
    let present = Set(Self.all.map(\.name))
    #expect(names(\.holdsProfiles) == profiled.intersection(present))
    #expect(names { $0.inkCounts != nil } == present.intersection(["JPEG", "TIFF"]))
    #expect(names { $0.losslessBits != nil } == present.intersection(["HEIF", "AVIF", "WebP"]))
    #expect(
      names { $0.metadataKinds.isEmpty }
        == present.intersection(["PNM", "PFM", "NumPy", "GIF", "camera raw"]))
    #expect(
      names { $0.mimeTypes.isEmpty } == present.intersection(["PFM", "NumPy", "camera raw"]))
  }

  @Test(arguments: all) func declarationsAgree(format: ImageFileFormat) {
    #expect(!format.fileExtensions.isEmpty)
    #expect(format.fileExtensions.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") })
    #expect(format.mimeTypes.allSatisfy { $0.hasPrefix("image/") && $0 == $0.lowercased() })
    if format.holdsProfiles { #expect(format.statesColor) }
    // The colors of ink channels are known by their profile alone.
    if format.inkCounts != nil { #expect(format.holdsProfiles) }
    if let bits = format.losslessBits { #expect(bits < 16) }
    if format.metadataKinds.contains(.orientation) { #expect(format.metadataKinds.contains(.exif)) }
  }

  @Test func namesExtensionsAndTypesAreOfOneFormat() {
    for names in [
      Self.all.map { [$0.name] }, Self.all.map(\.fileExtensions), Self.all.map(\.mimeTypes),
    ] {
      let joined = names.flatMap(\.self)
      #expect(Set(joined).count == joined.count, "\(joined)")
    }
  }

  /// Traits name formats that are not in every build; where they are, both agree.
  @Test func traitsDeclareTheExtensionsOfTheirFormats() {
    for trait in FormatTrait.all where trait.isEnabled {
      let formats = Self.all.filter { trait.formats.contains($0.name) }
      #expect(Set(formats.map(\.name)) == Set(trait.formats))
      #expect(Set(formats.flatMap(\.fileExtensions)) == Set(trait.fileExtensions))
    }
    let optional = Set(FormatTrait.all.flatMap(\.formats))
    #expect(
      names { !optional.contains($0.name) }
        == ["PNG", "JPEG", "BMP", "PNM", "PFM", "NumPy", "GIF"])
  }
}
