public import ColorSpaces

extension ICCProfile {
  /// The colors that a device can make, by its profile.
  public struct Gamut: Sendable {
    private let toDevice, fromDevice: ICCTransform

    fileprivate init(_ profile: ICCProfile) throws(ICCProfileError) {
      toDevice = try ICCTransform(from: .space(.lab), to: .profile(profile))
      fromDevice = try ICCTransform(from: .profile(profile), to: .space(.lab))
    }

    /// Whether the device makes a color of Lab: whether it comes back, up to a CIEDE2000 of 2, from the numbers that the profile has for it.
    /// Tables of usual sizes miss colors that they hold by up to 1.
    public func holds(_ lab: SIMD3<Double>) -> Bool {
      let numbers = toDevice([lab.x, lab.y, lab.z]).map { min(max($0, 0), 1) }
      return ColorDifference.ciede2000()(lab, SIMD3(fromDevice(numbers))) <= 2
    }

    /// The part of a space's solid in Lab that the device makes: of colors on a grid, 5 apart in lightness and 8 in the other two. It is
    /// exact to about a hundredth.
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

  /// The colors that the profile's device can make. Throws where the profile does not lead both ways between colors and a device's numbers.
  public func gamut() throws(ICCProfileError) -> Gamut {
    guard case .device = try model(), !isLink else {
      throw .unsupported(
        "“\(self)” is a profile of kind “\(kind)”, which stands for no device that would have a "
          + "gamut. Ask a profile of a display, a camera or a printer.")
    }
    return try Gamut(self)
  }
}
