package import ColorSpaces

// Code points of H.273 in profiles (ICC.1:2022, 9.2.17). They define the color space of pictures, single colors and proofs where they can,
// and the tables and curves beside them are an approximation for other programs: those of PQ cannot hold its linear values exactly.

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
  /// points of a video into the profile of its RGB stills, whose values are neither. The standard allows the tag in profiles of the classes
  /// input and display alone; in a printer's, its tables define the colors.
  ///
  /// - Throws: ``ICCProfileError`` where the tag is malformed: its code points are unknown, and may be those of PQ.
  package func spaceOfCodePoints() throws(ICCProfileError) -> ColorSpace? {
    guard header.colorSpace == "RGB ", ["scnr", "mntr"].contains(header.profileClass),
      let points = try codePoints(), points.isSpecified, points.isFullRangeRGB
    else { return nil }
    return try? ColorSpace(cicp: points)
  }
}

extension ICCTransform.Link {
  /// The space in which pictures of this link are: that of a profile's code points, if they name one. Other links are returned unchanged.
  ///
  /// An ``ICCTransform`` of a profile evaluates its tables and curves, as Little CMS does. Conversions that must agree with the colors of
  /// pictures start from this link.
  ///
  /// - Throws: ``ICCProfileError`` where the code points of the profile are malformed, as ``ICCProfile/colorSpace(intent:)`` does.
  package var definedByCodePoints: ICCTransform.Link {
    get throws(ICCProfileError) {
      if case .profile(let profile) = self, let space = try profile.spaceOfCodePoints() {
        .space(space)
      } else {
        self
      }
    }
  }
}
