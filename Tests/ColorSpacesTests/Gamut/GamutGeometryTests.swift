import ColorSpaces
import Testing
import _TestSupport

/// Areas and volumes of gamuts.
@Suite struct GamutGeometryTests {
  /// “Display P3 is 25 % larger than sRGB” holds in one plane only. The ratios are from exact rational arithmetic.
  @Test func areasOfDisplayP3AndSRGB() {
    let ratios = [ChromaticityPlane.xy, .uv].map {
      ColorSpace.displayP3.gamutArea(in: $0) / ColorSpace.sRGB.gamutArea(in: $0)
    }
    // A dozen rounding errors.
    #expect(abs(ratios[0] - 1.356_537_260_151_718) < 1e-14)
    #expect(abs(ratios[1] - 1.255_631_704_660_548) < 1e-14)
  }

  /// The area of sRGB's triangle by the primaries of IEC 61966-2-1: half of |(0.30 − 0.64)(0.06 − 0.33) − (0.15 −
  /// 0.64)(0.60 − 0.33)|.
  @Test func areaOfOneTriangle() {
    #expect(abs(ColorSpace.sRGB.gamutArea(in: .xy) - 0.11205) < 1e-16)
  }

  @Test(arguments: [ChromaticityPlane.xy, .uv])
  func overlapIsSymmetric(in plane: ChromaticityPlane) {
    let spaces = Generator<ColorSpace>.element(of: ColorSpace.all)
    checkProperty("common area", spaces, spaces) { a, b in
      let (areaOfA, areaOfB) = (a.gamutArea(in: plane), b.gamutArea(in: plane))
      let (ofB, ofA) = (a.coverage(of: b, in: plane), b.coverage(of: a, in: plane))
      guard ofB >= 0, ofB <= 1 else { throw Failure("\(a) covers \(ofB) of \(b)") }
      // The same polygon, clipped in another order: some twenty rounding errors of areas up to 1.
      return try requireClose(ofB * areaOfB, ofA * areaOfA, within: 1e-14)
    }
  }

  @Test func containedGamutIsCoveredEntirely() {
    for plane in [ChromaticityPlane.xy, .uv] {
      for space in ColorSpace.named {
        #expect(space.coverage(of: space, in: plane) == 1)
      }
      #expect(ColorSpace.rec2020.coverage(of: .sRGB, in: plane) == 1)
      // Display P3's red is out of Adobe RGB's gamut, which has sRGB's red.
      #expect(ColorSpace.adobeRGB.coverage(of: .displayP3, in: plane) < 0.95)
    }
    // Where one triangle contains the other, the coverages are ratios of the areas.
    let part = ColorSpace.sRGB.coverage(of: .displayP3, in: .uv)
    #expect(abs(part - 1 / 1.255_631_704_660_548) < 1e-14)
  }

  /// In linear light, the ratio of volumes is that of determinants.
  @Test(arguments: [ColorSpace.xyzD65, .xyzD50, .linearSRGB, .linearRec2020])
  func linearVolumesAreExact(in metric: ColorSpace) {
    let ratio =
      ColorSpace.displayP3.gamutVolume(in: metric).value
      / ColorSpace.sRGB.gamutVolume(in: metric).value
    let exact = ColorSpace.displayP3.matrix(to: .sRGB).determinant
    // Some thousand triangles are added, each with a rounding error of the total.
    #expect(abs(ratio - exact) < 1e-11)
    #expect(abs(exact - 1.391_5) < 1e-4)
    // 28.136 % of Display P3's linear volume is out of sRGB's gamut.
    let outside = 1 - ColorSpace.sRGB.coverage(of: .displayP3, in: metric).value
    #expect(abs(outside - (1 - 1 / exact)) < 1e-10)
    #expect(abs(outside - 0.28136) < 5e-6)
  }

  /// Ratios that were computed independently for this project, to the digits given.
  @Test func volumesOfDisplayP3AndSRGB() {
    for (metric, ratio) in [(ColorSpace.labD65, 1.5006), (.luv, 1.3557), (.oklab, 1.3520)] {
      let (wide, narrow) = (
        ColorSpace.displayP3.gamutVolume(in: metric), ColorSpace.sRGB.gamutVolume(in: metric)
      )
      #expect(abs(wide.value / narrow.value - ratio) < 1e-4, "\(metric)")
      // The promised error, as a fraction of the volume.
      #expect(wide.error / wide.value < 1e-4, "\(metric)")
    }
  }

  /// Bruce Lindbloom's volumes in cubic units of Lab, D50 (“Information About RGB Working Spaces”).
  @Test func volumesOfWorkingSpacesInLab() {
    for (space, volume) in [(ColorSpace.sRGB, 832_870.0), (.adobeRGB, 1_208_631.0)] {
      // His white points have four digits, which alone is 1e-4 of each side.
      #expect(abs(space.gamutVolume(in: .lab).value / volume - 1) < 5e-4, "\(space)")
    }
  }

  /// Half of the encoded values of Display P3 are out of sRGB's gamut: of a grid of 128³, 1,030,529 colors by an
  /// independent count.
  @Test func volumesAgreeWithCounting() {
    let part = ColorSpace.sRGB.coverage(of: .displayP3, in: .displayP3)
    // A grid that includes its ends overcounts the surface by about its share of the cells: 1 of 128 for each face.
    #expect(abs(1 - part.value - 1_030_529.0 / 2_097_152) < 3.0 / 128)
    #expect(part.error < 1e-4)
  }

  /// Whether a gamut holds all of another one does not depend on how well their volumes are estimated.
  @Test func containedVolumeIsCoveredExactly() {
    let all = Estimate(value: 1, error: 0)
    for (space, other) in [
      (ColorSpace.adobeRGB, ColorSpace.sRGB), (.displayP3, .sRGB), (.rec2020, .sRGB),
      (.displayP3, .displayP3),
    ] {
      for metric in [ColorSpace.lab, .oklab, .xyzD65] {
        #expect(space.coverage(of: other, in: metric) == all, "\(space), \(other), \(metric)")
      }
    }
    // A sliver at the red of Display P3 is out of the gamut of Rec. 2020.
    let part = ColorSpace.rec2020.coverage(of: .displayP3, in: .lab)
    #expect(part.value < 1 && part.value > 0.999 && part.error > 0)
  }

  @Test func finerMeshStaysWithinThePromisedError() {
    // Gamut coverage in both directions shares one volume, computed from different triangles.
    for metric in [ColorSpace.oklab, .lab] {
      let (a, b) = (ColorSpace.adobeRGB, ColorSpace.displayP3)
      let (ofB, ofA) = (a.coverage(of: b, in: metric), b.coverage(of: a, in: metric))
      let (volumeOfA, volumeOfB) = (a.gamutVolume(in: metric), b.gamutVolume(in: metric))
      let difference = abs(ofB.value * volumeOfB.value - ofA.value * volumeOfA.value)
      #expect(
        difference <= (ofB.error + ofA.error) * volumeOfB.value + volumeOfA.error + volumeOfB.error)
    }
  }
}
