package import ColorSpaces

/// Rotates all hues by one angle in Oklab: 120° turns reds into greens. Lightness, chroma and grays are unchanged.
///
/// `a′ = a · cos θ − b · sin θ`, `b′ = a · sin θ + b · cos θ`, `L′ = L` in the coordinates of Björn Ottosson (“A
/// perceptual color space for image processing”, 2020).
package struct HueRotation: PointFilter {
  /// The angle in degrees, from red over yellow to green.
  package var degrees: Double

  /// Creates a rotation by an angle in degrees.
  package init(degrees: Double) { self.degrees = degrees }

  /// Linear light, which is converted to Oklab.
  package var domain: PixelDomain { .linear }

  /// Appends a rotation of Oklab's a and b, unless it is by full turns.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if degrees.truncatingRemainder(dividingBy: 360) == 0 { return }
    let (sine, cosine) = (sine(ofPi: degrees / 180), cosine(ofPi: degrees / 180))
    program.oklab(of: space) {
      $0.append(.matrix(ColorMatrix(rows: [1, 0, 0], [0, cosine, -sine], [0, sine, cosine])))
    }
  }
}

extension HueRotation: RecipeFilter {
  /// The declaration of `hue-rotation`.
  package static let declaration = Declaration<HueRotation>(
    "hue-rotation", "Rotates all hues in Oklab; lightness and chroma stay.",
    keepsGray: true, swift: "picture.hueRotation(90)",
    Parameter(
      "degrees", \.degrees, "the angle, in the direction from red over yellow to green",
      unit: "degrees", sample: 90)
  ) { HueRotation(degrees: $0) }
}

extension Picture {
  /// Returns this picture with all hues rotated by `degrees`.
  public func hueRotation(_ degrees: Double) -> Picture { applying(HueRotation(degrees: degrees)) }
}
