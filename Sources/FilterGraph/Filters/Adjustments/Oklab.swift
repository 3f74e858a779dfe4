internal import ColorSpaces

extension PointProgram {
  /// Adds what `describe` does to Oklab's coordinates, with the way there from linear light and back.
  ///
  /// The conversions of two such neighbours cancel, and matrices within merge with those of the way.
  mutating func oklab(of space: ColorSpace, _ describe: (inout PointProgram) -> Void) {
    let oklab = ColorSpace.oklab
    append(.matrix(space.matrix(to: oklab)))
    append(.encode(oklab.transfer))
    describe(&self)
    append(.decode(oklab.transfer))
    append(.matrix(oklab.matrix(to: space)))
  }
}
