import ColorSpaces
import Testing
import _TestSupport

/// Names of color spaces in other programs and standards.
@Suite struct AliasTests {
  /// Core Graphics' names without their prefix. Its “extended” spaces are unclamped, as all spaces are here.
  @Test(arguments: [
    ("GenericGray", ColorSpace.grayGamma18), ("GenericGrayGamma2_2", .grayGamma22),
    ("LinearGray", .linearGray), ("ExtendedGray", .grayGamma22),
    ("ExtendedLinearGray", .linearGray), ("GenericRGB", .genericRGB),
    ("GenericRGBLinear", .genericRGB.linear), ("GenericXYZ", .xyzD50), ("GenericLab", .lab),
    ("SRGB", .sRGB), ("LinearSRGB", .linearSRGB), ("ExtendedSRGB", .sRGB),
    ("ExtendedLinearSRGB", .linearSRGB), ("DisplayP3", .displayP3),
    ("LinearDisplayP3", .linearDisplayP3), ("ExtendedDisplayP3", .displayP3),
    ("ExtendedLinearDisplayP3", .linearDisplayP3), ("DisplayP3_PQ", .displayP3PQ),
    ("DisplayP3_HLG", .displayP3HLG), ("DisplayP3_PQ_EOTF", .displayP3PQ), ("DCIP3", .dciP3),
    ("AdobeRGB1998", .adobeRGB), ("ROMMRGB", .proPhoto), ("ACESCGLinear", .acescg),
    ("ITUR_709", .rec709), ("ITUR_709_PQ", .rec709PQ), ("ITUR_709_HLG", .rec709HLG),
    ("CoreMedia709", .coreMedia709), ("ITUR_2020", .rec2020Camera),
    ("LinearITUR_2020", .linearRec2020), ("ExtendedITUR_2020", .rec2020Camera),
    ("ExtendedLinearITUR_2020", .linearRec2020), ("ITUR_2020_sRGBGamma", .rec2020SRGB),
    ("ITUR_2100_PQ", .rec2100PQ), ("ITUR_2100_HLG", .rec2100HLG), ("ITUR_2020_PQ", .rec2100PQ),
    ("ITUR_2020_HLG", .rec2100HLG), ("ITUR_2020_PQ_EOTF", .rec2100PQ),
  ])
  func coreGraphics(name: String, space: ColorSpace) throws {
    #expect(try ColorSpace(named: "kCGColorSpace\(name)") == space)
    // Without the prefix, as members of `CGColorSpace` in Swift.
    for short in [name, name.lowercased(), "CGColorSpace.\(name)"] {
      #expect(try ColorSpace(named: short) == space, "\(short)")
    }
  }

  /// H.273 code points, with and without a range.
  @Test(arguments: [
    ("1/13/0", ColorSpace.sRGB), ("12/13/0", .displayP3), ("12/13/0/1", .displayP3),
    ("9/16/0", .rec2100PQ), ("9/18/0/1", .rec2100HLG), ("1/1/0", .rec709),
    ("9/14/0", .rec2020Camera),
    ("12/8/0", .linearDisplayP3), ("H.273 12/13/0", .displayP3), (" 12 / 13 / 0 ", .displayP3),
    ("cicp 9/16", .rec2100PQ),
  ])
  func codePointsFindTheirSpaces(name: String, space: ColorSpace) throws {
    #expect(try ColorSpace(named: name) == space)
  }

  /// Every triple of a color space is a name of it, also with a range; a space without another name is found by its own
  /// triple.
  @Test func codePointsAreNames() throws {
    for primaries in UInt8(0)...22 {
      for transfer in UInt8(0)...18 {
        for matrix: UInt8 in [0, 1, 9] {
          let points = CodePoints(primaries, transfer, matrix)
          let space = try? ColorSpace(cicp: points)
          let name = "\(primaries)/\(transfer)/\(matrix)"
          #expect((try? ColorSpace(named: name)) == space)
          #expect((try? ColorSpace(named: name + "/1")) == space)
          #expect(CodePoints(points.description) == points)
          if matrix == 0, let space { #expect(try ColorSpace(named: space.name) == space) }
        }
      }
    }
    #expect(
      try ColorSpace(named: "9/16/9/0")
        == ColorSpace(cicp: CodePoints(9, 16, 9, 0)))
  }

  @Test(arguments: ["12/13", "12/13/0/1/0", "300/13/0", "-1/13/0", "12/13/", "a/b/c", "12/+3/0"])
  func otherTextsAreNoCodePoints(_ text: String) {
    #expect(CodePoints(text) == nil)
    #expect(throws: ColorError.self) { try ColorSpace(named: text) }
  }

  @Test func reservedCodePointsAreExplained() throws {
    let error = try #require(throws: ColorError.self) { try ColorSpace(named: "3/13/0") }
    #expect("\(error)".contains("3/13/0/1"), "\(error)")
  }

  /// The thirty-ninth name is generic CMYK, which only a profile defines.
  @Test func genericCMYKIsNoColorSpace() {
    #expect(throws: ColorError.self) { try ColorSpace(named: "kCGColorSpaceGenericCMYK") }
  }

  /// CSS Color 4, 10 and Color HDR's.
  @Test(arguments: [
    ("srgb", ColorSpace.sRGB), ("srgb-linear", .linearSRGB), ("display-p3", .displayP3),
    ("display-p3-linear", .linearDisplayP3), ("a98-rgb", .adobeRGB), ("prophoto-rgb", .proPhoto),
    ("rec2020", .rec2020), ("rec2100-pq", .rec2100PQ), ("rec2100-hlg", .rec2100HLG),
    ("rec2100-linear", .linearRec2020), ("xyz", .xyzD65), ("xyz-d50", .xyzD50),
    ("xyz-d65", .xyzD65), ("lab", .lab), ("lch", .lch), ("oklab", .oklab), ("oklch", .oklch),
    ("ictcp", .ictcp), ("jzazbz", .jzazbz), ("jzczhz", .jzczhz), ("hsl", .hsl), ("hwb", .hwb),
  ])
  func cssNamesFindTheirSpaces(name: String, space: ColorSpace) throws {
    #expect(try ColorSpace(named: name) == space)
  }

  /// OpenColorIO's studio configuration for ACES, and the identifiers of the Color Interop Forum.
  @Test(arguments: [
    ("ACES2065-1", ColorSpace.aces2065), ("ACEScg", .acescg), ("ACEScc", .acescc),
    ("ACEScct", .acescct), ("ACESproxy", .acesProxy), ("lin_ap0_scene", .aces2065),
    ("lin_ap1_scene", .acescg), ("ARRI LogC3 (EI800)", .arriWideGamut3),
    ("ARRI LogC4", .arriWideGamut4), ("Linear ARRI Wide Gamut 3", .arriWideGamut3.linear),
    ("BMDFilm WideGamut Gen5", .blackmagicWideGamut),
    ("Linear BMD WideGamut Gen5", .blackmagicWideGamut.linear),
    ("DaVinci Intermediate WideGamut", .daVinciWideGamut),
    ("CanonLog3 CinemaGamut D55", .cinemaGamut), ("CanonLog2 CinemaGamut D55", .cinemaGamutLog2),
    ("Linear CinemaGamut D55", .cinemaGamut.linear), ("V-Log V-Gamut", .vGamut),
    ("Log3G10 REDWideGamutRGB", .redWideGamutRGB), ("S-Log3 S-Gamut3.Cine", .sGamut3Cine),
    ("Linear Venice S-Gamut3", .veniceSGamut3.linear), ("D-Log D-Gamut", .dGamut),
    ("Apple Log", .appleLog), ("Linear Rec.709 (sRGB)", .linearSRGB),
    ("Linear P3-D65", .linearDisplayP3), ("Linear Rec.2020", .linearRec2020),
    ("Linear AdobeRGB", .adobeRGB.linear), ("lin_adobergb_scene", .adobeRGB.linear),
    ("lin_ciexyzd65_scene", .xyzD65), ("srgb_rec709_scene", .sRGB),
    ("g22_rec709_scene", .rec709Gamma22), ("g18_rec709_scene", .rec709Gamma18),
    ("srgb_ap1_scene", .acescgSRGB), ("g22_ap1_scene", .acescgGamma22),
    ("srgb_p3d65_scene", .displayP3), ("g22_adobergb_scene", .adobeRGB),
    ("g22_adobergb_display", .adobeRGB),
    ("lin_rec2020_scene", .linearRec2020), ("lin_p3d65_scene", .linearDisplayP3),
    ("sRGB - Display", .sRGB), ("Display P3 - Display", .displayP3),
    ("Rec.1886 Rec.709 - Display", .rec709Display), ("Rec.1886 Rec.2020 - Display", .rec2020),
    ("Rec.2100-PQ - Display", .rec2100PQ), ("Rec.2100-HLG - Display", .rec2100HLGDisplay),
    ("ST2084-P3-D65 - Display", .displayP3PQ), ("P3-D65 - Display", .p3D65),
    ("P3-D60 - Display", .p3D60), ("P3-DCI - Display", .dciP3), ("Camera Rec.709", .rec709),
    ("Gamma 2.2 Rec.709 - Display", .rec709Gamma22), ("Display P3 HDR - Display", .displayP3),
  ])
  func openColorIO(name: String, space: ColorSpace) throws {
    #expect(try ColorSpace(named: name) == space)
  }

  /// A slash pairs primaries with a transfer function, and a space that the package names keeps its name.
  @Test func slashesPairPrimariesAndCurves() throws {
    let clip = try ColorSpace(named: "F-Gamut / F-Log2")
    #expect(clip.primaries == .rec2020 && clip.transfer == .fLog2)
    #expect(try ColorSpace(named: clip.name) == clip)
    for (name, space) in [
      ("Cinema Gamut/Canon Log 2", ColorSpace.cinemaGamutLog2), ("s-gamut3/slog3", .sGamut3),
      ("Rec. 2020/PQ", .rec2100PQ), ("Display P3/HLG", .displayP3HLG),
      ("F-Gamut C/linear", .fGamutC.linear), ("Adobe RGB/gamma 2.2", .adobeRGBGamma22),
    ] {
      #expect(try ColorSpace(named: name) == space, "\(name)")
    }
    // Linear 1 is reference white with PQ, whatever the primaries.
    let quantized = try ColorSpace(named: "S-Gamut3/PQ")
    #expect(quantized.transfer == ColorSpace.rec2100PQ.transfer)
    #expect(try ColorSpace(named: quantized.name) == quantized)
  }

  @Test func errorsNameTheUnknownHalfOfAPair() {
    #expect {
      try ColorSpace(named: "Cinma Gamut/Canon Log 2")
    } throws: {
      guard case .unknownColorSpace("Cinma Gamut", let nearest) = $0 as? ColorError else {
        return false
      }
      return nearest.first == "Cinema Gamut"
    }
    #expect {
      try ColorSpace(named: "Cinema Gamut/Canon Logg 2")
    } throws: {
      guard case .unknownTransferFunction("Canon Logg 2", let nearest) = $0 as? ColorError else {
        return false
      }
      return nearest.first == "Canon Log 2"
    }
  }

  /// Coordinates have no curves for others to replace.
  @Test(arguments: ["Lab/sRGB", "xyY/HLG", "OkLCh/gamma 2.2"])
  func coordinatesAreNoGamutOfAPair(name: String) {
    #expect {
      try ColorSpace(named: name)
    } throws: {
      guard case .unusablePrimaries(_, let reason) = $0 as? ColorError else { return false }
      return reason.hasPrefix("“\(name.prefix { $0 != "/" })” ")
    }
  }

  @Test func noTwoSpacesShareAName() {
    var owners: [String: ColorSpace] = [:]
    for space in ColorSpace.all {
      // A space may have several spellings of one name, but no two spaces share one.
      for key in Set(([space.name] + space.aliases).map(NameTable<ColorSpace>.key)) {
        #expect(!key.isEmpty)
        #expect(owners.updateValue(space, forKey: key) == nil, "\(space): \(key)")
      }
    }
  }

  @Test func noTwoTransferFunctionsShareAName() {
    let keys = TransferFunction.named.map { NameTable<TransferFunction>.key($0.name) }
    #expect(Set(keys).count == keys.count)
  }

  /// An extra, missing or wrong letter in names that are long enough to be told apart.
  @Test func typosSuggestTheIntendedName() throws {
    let names = ColorSpace.all.flatMap { [$0.name] + $0.aliases }.filter { $0.count >= 12 }
    checkProperty(
      "a slip is understood", .element(of: names), .int(in: 0...2), .int(in: 0...100), cases: 300
    ) { name, kind, place in
      var letters = Array(name)
      let index = place % letters.count
      switch kind {
      case 0: letters[index] = "q"
      case 1: letters.insert("q", at: index)
      default: letters.remove(at: index)
      }
      let space = try ColorSpace(named: name)
      do throws(ColorError) {
        // The typo may be in insignificant punctuation, or give the name of another space.
        _ = try ColorSpace(named: String(letters))
        return true
      } catch {
        guard case .unknownColorSpace(_, let nearest) = error else { return false }
        return nearest.contains(space.name)
      }
    }
  }
}
