public import ColorSpaces

extension ICCProfile {
  /// The gamut of a device, by a round trip through its profile.
  public struct Gamut: Sendable {
    private let toDevice, fromDevice: ICCTransform

    fileprivate init(_ device: ICCTransform.Link) throws(ICCProfileError) {
      toDevice = try ICCTransform(from: .space(.lab), to: device)
      fromDevice = try ICCTransform(from: device, to: .space(.lab))
    }

    /// Returns whether a Lab color is in the gamut: whether its round trip through the profile has a CIEDE2000 difference of at most 2.
    ///
    /// Lookup tables of usual sizes change in-gamut colors by up to 1.
    public func holds(_ lab: SIMD3<Double>) -> Bool {
      let numbers = toDevice([lab.x, lab.y, lab.z]).map { min(max($0, 0), 1) }
      return ColorDifference.ciede2000()(lab, SIMD3(fromDevice(numbers))) <= 2
    }

    /// Returns the fraction of a space's volume in Lab that is in the gamut, to about 0.01.
    ///
    /// Colors are sampled on a grid with steps of 5 in L* and 8 in a* and b*. NaN for a space that holds none of them in 0…1, as for
    /// `ColorSpace.lab`: only RGB spaces have such a volume.
    public func coverage(of space: ColorSpace) -> Double {
      let fromLab = PointProgram(converting: .lab, to: space)
      var (all, held) = (0, 0)
      for lightness in stride(from: 2.5, to: 100, by: 5) {
        for a in stride(from: -156.0, through: 156, by: 8) {
          for b in stride(from: -156.0, through: 156, by: 8) {
            let lab = SIMD3(lightness, a, b)
            guard space.holds(fromLab(lab)) else { continue }
            all += 1
            if holds(lab) { held += 1 }
          }
        }
      }
      return Double(held) / Double(all)
    }
  }

  /// Returns the gamut of the profile's device: that of its code points, if they define its color space. Throws where the profile cannot
  /// convert in both directions.
  public func gamut() throws(ICCProfileError) -> Gamut {
    guard case .device = try model(), !isLink else {
      throw .unsupported(
        "“\(self)” is a profile of kind “\(kind)”, which stands for no device that would have a "
          + "gamut. Ask a profile of a display, a camera or a printer.")
    }
    let device = try ICCTransform.Link.profile(self).definedByCodePoints
    // Colorants beside a table would lead to the values of other colors.
    let intent = RenderingIntent.relativeColorimetric
    if case .profile = device, try hasTable(intent), try !hasTable(intent, towardsDevice: true) {
      guard agreesWithCurves(try inputSide(intent)) else {
        throw .unsupported(
          "“\(self)” has a table from the values of its device to colors, and none back, so that its gamut cannot be "
            + "measured.")
      }
    }
    return try Gamut(device)
  }
}
