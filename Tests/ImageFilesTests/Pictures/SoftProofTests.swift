import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Soft proofs.
@Suite struct SoftProofTests {
  /// CMYK presses: small tables made here, and a real profile on machines that have it.
  enum Press: CaseIterable {
    case tables, real

    /// The available presses.
    static let atHand = allCases.filter { $0 == .tables || SharedReference.profiles() != nil }

    func profile() throws -> ICCProfile {
      switch self {
      case .tables:
        return try ICCProfile(
          bytes: TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2).bytes)
      case .real:
        let folder = try #require(SharedReference.profiles())
        let url = folder.appending(path: "real/Debian12__default_cmyk.icc")
        return try ICCProfile(bytes: Array(Data(contentsOf: url)))
      }
    }
  }

  @Test func softProofConforms() throws {
    let proof = try SoftProof(on: ICCProfile(describing: .adobeRGB), in: .sRGB)
    // The slope of a table is that of its steepest cell: half a dozen at the edge of the printer's gamut.
    FilterLaws.check(proof, tolerance: 4e-5, except: [.range])
    FilterLaws.check(
      try PrintDistance(on: ICCProfile(describing: .sRGB)), tolerance: 4e-5, except: [.range])
  }

  /// A printer with the gamut of the picture shows its colors unchanged.
  @Test func printableColorsAreUnchanged() throws {
    let proof = try SoftProof(on: ICCProfile(describing: .proPhoto), in: .sRGB)
    // Profiles store steps of 1/65,536; otherwise the proof is the identity.
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    let shown = photo.applying(proof)
    #expect(try PictureComparison(of: shown, with: photo).maximum < 0.1)
    let warned = try photo.softProof(
      on: ICCProfile(describing: .proPhoto), warning: ColorPoint(1, 0, 1, in: .sRGB))
    #expect(try PictureComparison(of: warned, with: photo).maximum < 0.5)
  }

  /// A display shows no color out of its gamut, which its curves would go on to.
  @Test func displaysClipTheirChannels() throws {
    let green = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: .displayP3, channels: .rgb) { _, _ in [0, 1, 0] })
    for profile in [
      try ICCProfile(describing: .sRGB), try ICCProfile(describing: .sRGB, version: .v2),
    ] {
      let shown = try green.softProof(on: profile).converted(to: .linearSRGB).render(as: Float.self)
      // Profiles store steps of 1/65,536.
      for (channel, expected) in [Float(0), 1, 0].enumerated() {
        #expect(abs(shown[0, 0, channel] - expected) < 1e-3, "\(profile): \(shown[0, 0, channel])")
      }
    }
  }

  /// Proofs have the colors of code points, as conversions have, also beside tables.
  @Test func codePointsDefineTheProofedSpace() throws {
    var parsed = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
    parsed.header.replaceSubrange(12..<16, with: Array("mntr".utf8))
    parsed.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 1, 13, 0, 1]
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    let shown = try photo.softProof(on: ICCProfile(bytes: parsed.bytes))
    let expected = try photo.softProof(on: ICCProfile(describing: .sRGB))
    #expect(try shown.render(as: Float.self) == expected.render(as: Float.self))
    parsed.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 1, 13, 0]
    let malformed = try ICCProfile(bytes: parsed.bytes)
    #expect(throws: ICCProfileError.self) { try photo.softProof(on: malformed) }
    #expect(throws: ICCProfileError.self) { try PrintDistance(on: malformed) }
  }

  /// A recipe contains the profile, and reproduces the proof.
  @Test func proofsRoundTripThroughRecipes() throws {
    let profile = try ICCProfile(describing: .adobeRGB)
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    let proof = try photo.softProof(
      on: profile, intent: .perceptual, appearance: .paper, warning: ColorPoint(css: "magenta"))
    let (recipe, inputs) = try proof.recipe()
    let read = try RecipeDecoder(catalog: .withProfiles).recipe(json: recipe.json)
    #expect(read == recipe)
    #expect(try read.picture(inputs).render(as: UInt8.self) == proof.render(as: UInt8.self))
    #expect(throws: RecipeDecodingError.self) { try Recipe(json: recipe.json) }
    for (damage, end) in [
      ("%%%%", "expected the bytes of an ICC profile in base 64, found \"%%%%\"."),
      ("AAAA", "\(ICCProfileError.of([0, 0, 0]))"),
    ] {
      let json = """
        {"version": 1, "steps": [{"soft-proof": {"on": "\(damage)"}}]}
        """
      do throws(RecipeDecodingError) {
        _ = try RecipeDecoder(catalog: .withProfiles).recipe(json: json)
        Issue.record("\(damage) was read")
      } catch {
        #expect("\(error)" == "steps[0].soft-proof.on: \(end)")
      }
    }
  }

  /// Colors through a press equal the profile's own transforms.
  @Test(arguments: Press.atHand) func proofsEqualTheProfilesTransforms(_ kind: Press) throws {
    let press = try kind.profile()
    for appearance in SoftProof.Appearance.allCases {
      let proof = try SoftProof(on: press, appearance: appearance)
      let there = try ICCTransform(
        from: .space(.displayP3), to: .profile(press), blackPointCompensation: true)
      let back = try ICCTransform(
        from: .profile(press), to: .space(.displayP3),
        intent: appearance == .paper ? .absoluteColorimetric : .relativeColorimetric)
      let colors = Bitmap<Float>(PixelSize(40, 25), in: .displayP3, channels: .rgb) { x, y in
        [Float(x) / 39, Float(y) / 24, Float((x * 7 + y * 3) % 40) / 39]
      }
      let shown = try Picture(colors).applying(proof).render(as: Float.self)
      for y in 0..<25 {
        for x in 0..<40 {
          let exact = back(there((0..<3).map { Double(colors[x, y, $0]) }))
          let difference = ColorDifference.ciede2000()(
            ColorPoint(exact[0], exact[1], exact[2], in: .displayP3),
            ColorPoint(
              Double(shown[x, y, 0]), Double(shown[x, y, 1]), Double(shown[x, y, 2]),
              in: .displayP3))
          // Single precision, with steep ink curves in between.
          #expect(difference <= 1e-3, "(\(x), \(y)): \(difference)")
        }
      }
    }
  }

  @Test(arguments: Press.atHand) func absoluteProofsShowThePaper(_ kind: Press) throws {
    let press = try kind.profile()
    let page = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: .sRGB, channels: .rgb) { x, _ in
        x == 0 ? [1, 1, 1] : [0, 0, 0]
      })
    let adapted = try page.softProof(on: press).render(as: Float.self)
    let paper = try page.softProof(on: press, appearance: .paper).render(as: Float.self)
    // White is a grid point; profiles store steps. White of the small tables lies just below their last grid point, and
    // takes a little ink.
    for channel in 0..<3 {
      #expect(abs(adapted[0, 0, channel] - 1) < (kind == .real ? 0.02 : 0.05))
    }
    #expect(paper[0, 0, 2] < adapted[0, 0, 2] - 0.02)
    #expect(adapted[1, 0, 0] > 0.03, "Ink is never quite black.")
  }

  /// Neon green is out of the printer's gamut, the paper's white is not.
  @Test(arguments: Press.atHand) func unprintableColorsAreMarked(_ kind: Press) throws {
    let press = try kind.profile()
    let colors = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: .displayP3, channels: .rgb) { x, _ in
        x == 0 ? [0, 1, 0] : [1, 1, 1]
      })
    let warned = try colors.softProof(on: press, warning: ColorPoint(1, 0, 1, in: .displayP3))
      .render(as: Float.self)
    // Encoded by one curve and decoded.
    for (channel, expected) in [Float(1), 0, 1].enumerated() {
      #expect(abs(warned[0, 0, channel] - expected) < 1e-6)
    }
    #expect(abs(warned[1, 0, 0] - warned[1, 0, 1]) < 0.02)
  }
}

extension ICCProfileError {
  /// The error of a profile.
  fileprivate static func of(_ bytes: [UInt8]) -> String {
    do throws(ICCProfileError) {
      return "\(try ICCProfile(bytes: bytes))"
    } catch {
      return "\(error)"
    }
  }
}
