internal import ColorSpaces

extension PointProgram {
  /// Appends the stages of `describe` in Oklab, with the conversions from and to linear light.
  ///
  /// Between two adjacent filters of this kind the conversions cancel, and matrices merge with those of the conversion.
  mutating func oklab(of space: ColorSpace, _ describe: (inout PointProgram) -> Void) {
    let oklab = ColorSpace.oklab
    append(.matrix(space.matrix(to: oklab)))
    append(.encode(oklab.transfer))
    describe(&self)
    append(.decode(oklab.transfer))
    append(.matrix(oklab.matrix(to: space)))
  }
}
