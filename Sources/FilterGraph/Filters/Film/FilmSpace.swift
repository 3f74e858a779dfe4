package import ColorSpaces

// The color space in which the tones of film are measured. Scans of other spaces are converted to it, not the tones to theirs: a density
// in one space is none in the channels of another, so that only base and white would stay the same.

extension NegativeFilm {
  /// The space in which this film measures a scan. Nil for grays, whose channels are equal in every space.
  func measuringSpace(of scan: Picture) -> ColorSpace? {
    space ?? (scan.space.isGray ? nil : scan.space.linear)
  }

  /// Whether this film is of another color space than a scan, which is then converted for it.
  package func needsConversion(of scan: Picture) -> Bool {
    guard let space, !scan.space.isGray else { return false }
    return !space.hasPrimaries(of: scan.space)
  }

  /// Returns the scan in the space of this film.
  func converted(_ scan: Picture) -> Picture {
    guard let space, needsConversion(of: scan) else { return scan }
    return scan.converted(to: space)
  }
}

extension ColorSpace {
  /// Whether transmittances in both spaces are the same values.
  package func hasPrimaries(of other: ColorSpace) -> Bool {
    linear.isInterchangeable(with: other.linear)
  }
}

extension FilmRoll {
  /// The color space of the tones of `film` after it is measured on frames.
  ///
  /// - Throws: ``RecipeError/other(_:)`` where frames were measured in another space than the film, or in two.
  static func space(
    of film: NegativeFilm, measuredOn frames: [Frame]
  ) throws(RecipeError) -> ColorSpace? {
    guard let space = film.space ?? frames.lazy.compactMap(\.space).first else { return nil }
    for frame in frames {
      guard let other = frame.space, !other.hasPrimaries(of: space) else { continue }
      throw .other(
        "A film is measured in one color space, but “\(frame.name)” was measured in \(other), and others in \(space). "
          + "Convert its scan to \(space) first.")
    }
    return space
  }
}

extension FilmRoll.Frame {
  /// Returns the frame with its tones as colors of another space, or as they are where one of the two spaces is unknown.
  func converted(to space: ColorSpace?) -> FilmRoll.Frame {
    guard let space, let own = self.space, !own.hasPrimaries(of: space) else { return self }
    let matrix = own.matrix(to: space)
    var frame = FilmRoll.Frame(name: name, base: matrix * base, densest: matrix * densest)
    (frame.space, frame.black, frame.light) = (space, black, light)
    return frame
  }

  /// Returns the frame with its space stated only where it is another than that of its film.
  func leavingOut(_ space: ColorSpace?) -> FilmRoll.Frame {
    var frame = self
    if frame.space == space { frame.space = nil }
    return frame
  }

  /// Returns the frame in the space of its film, unless it states its own.
  func filling(in space: ColorSpace?) -> FilmRoll.Frame {
    var frame = self
    frame.space = frame.space ?? space
    return frame
  }
}
