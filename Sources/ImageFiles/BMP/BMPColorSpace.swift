internal import ColorSpaces
internal import ICCProfiles

/// The words by which BITMAPV4HEADER and BITMAPV5HEADER name their color space.
enum BMPColorWord {
  /// Primaries and exponents in the header.
  static let calibrated = 0
  /// “sRGB”.
  static let sRGB = 0x7352_4742
  /// “Win ”, the color space of Windows, which is sRGB.
  static let windows = 0x5769_6E20
  /// “LINK”, a profile in another file.
  static let linked = 0x4C49_4E4B
  /// “MBED”, a profile in this file.
  static let embedded = 0x4D42_4544
}

extension BMPHeader {
  private static let (v4Bytes, v5Bytes) = (108, 124)

  /// The color space that the header states. Files without a statement are sRGB, as Windows and browsers show them.
  func color(_ job: DecodingJob) throws(ImageFileError) -> (StatedColor, ICCProfile?) {
    let byRule = StatedColor.space(.sRGB, by: .formatRule)
    guard fields.headerBytes >= Self.v4Bytes else { return (byRule, nil) }
    let isV5 = fields.headerBytes >= Self.v5Bytes
    switch fields.word(56) {
    case BMPColorWord.sRGB: return (.space(.sRGB, by: .sRGBMark), nil)
    case BMPColorWord.calibrated: return (calibrated ?? byRule, nil)
    case BMPColorWord.embedded where isV5: return try embedded(job)
    case BMPColorWord.linked where isV5: return (.unusable(try linked(job)), nil)
    default: return (byRule, nil)
    }
  }

  /// The place of the profile, or of its name, counted from the information header.
  private func profileRange(_ bytes: ByteSource) -> Range<Int>? {
    let (start, count) = (Self.fileHeaderBytes + fields.word(112), fields.word(116))
    return start + count <= bytes.count ? start..<start + count : nil
  }

  private func embedded(_ job: DecodingJob) throws(ImageFileError) -> (StatedColor, ICCProfile?) {
    guard let range = profileRange(job.bytes) else {
      let error = ICCProfileError.refused("it is beyond the end of the file")
      return (.unusable(.profile(file: file, error)), nil)
    }
    if let error = job.limits.excess(ofProfileBytes: range.count) {
      return (.unusable(.profile(file: file, error)), nil)
    }
    return statedColor(
      byProfile: try job.bytes.array(range), isGray: false, file: file, limits: job.limits)
  }

  /// The error for a profile in another file. A path in an untrusted file is not followed.
  private func linked(_ job: DecodingJob) throws(ImageFileError) -> ImageFileError {
    var name = ""
    if let range = profileRange(job.bytes) {
      // Windows-1252, of which Latin-1 is the part without typographic characters.
      let letters = try job.bytes.array(range.prefix(260)).prefix { $0 != 0 }
      name = String(latin1: letters).filter { !$0.isNewline }
    }
    return .unsupportedColor(
      file: file,
      reason: "it names a profile in another file, “\(name)”, and such names are not followed")
  }

  /// The space of primaries and exponents; nil where they are zeros, as many programs leave them.
  ///
  /// The header has X, Y and Z of each primary in steps of 2⁻³⁰. Programs store chromaticities there, whose sum is 1, for a white point
  /// of D65, and Chromium reads them so. Other sums are of tristimulus values, whose white is the sum of the primaries.
  private var calibrated: StatedColor? {
    let numbers: [Double] = (0..<9).map { Double(fields.signed(60 + 4 * $0)) / 0x1p30 }
    let exponents: [Double] = (0..<3).map { Double(fields.word(96 + 4 * $0)) / 0x1p16 }
    guard numbers.contains(where: { $0 != 0 }) else { return nil }
    func rounded(_ value: Double, _ steps: Double) -> Double { (value * steps).rounded() / steps }
    let colors: [SIMD3<Double>] = (0..<3).map {
      SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2])
    }
    func chromaticity(_ color: SIMD3<Double>) -> [Double] {
      [color.x, color.y].map { rounded($0 / color.sum(), 1e5) }
    }
    let primaries = colors.flatMap(chromaticity)
    let areChromaticities = colors.allSatisfy { abs($0.sum() - 1) < 0.02 }
    let white =
      areChromaticities ? [0.3127, 0.329] : chromaticity(colors[0] + colors[1] + colors[2])
    if exponents.allSatisfy({ $0 == exponents[0] }),
      (primaries + white).allSatisfy(\.isFinite),
      let space = ColorSpace.ofChromaticities(
        "BMP", white: white, primaries: primaries, exponent: rounded(exponents[0], 1e4))
    {
      return .space(space, by: .chromaticities)
    }
    return .unusable(
      .unsupportedColor(
        file: file,
        reason: "its header states exponents of \(exponents), white \(white) and primaries "
          + "\(primaries)"))
  }
}
