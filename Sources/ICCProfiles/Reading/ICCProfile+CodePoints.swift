package import ColorSpaces

// Code points of H.273 in profiles (ICC.1:2022, 9.2.17). They define a picture's color space where they can, and the tables and curves
// beside them are an approximation for other programs: those of PQ cannot hold its linear values exactly.

extension ICCProfile {
  /// Returns the code points of the tag `cicp`; nil if there is no such tag.
  package func codePoints() throws(ICCProfileError) -> CodePoints? {
    guard let data = try rawTag("cicp") else { return nil }
    // 12 bytes; Little CMS before 2.18 writes 16.
    guard data.count >= 12, data.signature(at: 0) == "cicp" else {
      throw .malformedTag("cicp", reason: "it has \(data.count) bytes; 12 are right")
    }
    let values = data.dropFirst(8).prefix(4).map { $0 }
    return CodePoints(values[0], values[1], values[2], values[3])
  }

  /// Returns the space that the code points of an RGB profile name; nil where its curves or tables define the space.
  ///
  /// Those define it where code points are unspecified or reserved, and where they describe Y′CbCr or narrow range: encoders copy the code
  /// points of a video into the profile of its RGB stills, whose values are neither.
  package func spaceOfCodePoints() throws(ICCProfileError) -> ColorSpace? {
    guard header.colorSpace == "RGB ", !isLink, let points = try codePoints(),
      points.isSpecified, points.isFullRangeRGB
    else { return nil }
    return try? ColorSpace(cicp: points)
  }
}

extension ICCTransform.Link {
  /// The space in which pictures of this link are: that of a profile's code points, if they name one. Other links are returned unchanged.
  ///
  /// An ``ICCTransform`` of a profile evaluates its tables and curves, as Little CMS does. Conversions that must agree with the colors of
  /// pictures start from this link.
  package var definedByCodePoints: ICCTransform.Link {
    if case .profile(let profile) = self, let space = try? profile.spaceOfCodePoints() {
      .space(space)
    } else {
      self
    }
  }
}
