extension CSSColor {
  /// The color as `#rrggbb`, or as `#rrggbbaa` if it is not opaque, rounded to 8 bits in sRGB; nil where a component is out of the range of
  /// sRGB by more than half a code.
  ///
  /// HTML mail, `theme-color` and placeholders of pictures need this form. Map other colors into sRGB first.
  public var hexadecimal: String? {
    let color = ColorPoint(self).converted(to: .sRGB).components
    let codes = SIMD4(color, alpha ?? 0) * 255
    guard (0..<4).allSatisfy({ (-0.5...255.5).contains(codes[$0]) }) else { return nil }
    // −0.5 and 255.5 are rounded away from the range.
    let bytes = (0..<4).map { UInt8(min(max(codes[$0].rounded(), 0), 255)) }
    return "#"
      + bytes.prefix(bytes[3] == 255 ? 3 : 4)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
