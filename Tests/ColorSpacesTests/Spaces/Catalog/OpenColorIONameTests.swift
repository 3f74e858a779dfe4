import ColorSpaces
import Testing

/// The names of OpenColorIO's studio configurations.
@Suite struct OpenColorIONameTests {
  /// The names and aliases of the configurations built into OpenColorIO, v1.0.0 to v5.0.0, as PyOpenColorIO 2.6.0 lists them, one space a
  /// row, without aliases that differ in letter case and punctuation alone.
  ///
  /// Missing are `Raw`, the display-referred form of CIE XYZ, the aliases of ACES 1.2 (“Input -”, “Utility -”, “ACES -”) and of the Color
  /// Interop Forum's namespace (“ocio:”).
  private static let rows = [
    ["sRGB - Display", "srgb_rec709_display"],
    ["Gamma 2.2 Rec.709 - Display", "g22_rec709_display"],
    ["Display P3 - Display", "srgb_p3d65_display"],
    ["Display P3 HDR - Display", "srgbe_p3d65_display"],
    ["P3-D65 - Display", "g26_p3d65_display", "Gamma 2.6 P3-D65 - Display"],
    ["Rec.1886 Rec.709 - Display", "g24_rec709_display"],
    ["Rec.2100-HLG - Display", "hlg_rec2020_display"],
    ["Rec.2100-PQ - Display", "pq_rec2020_display"],
    ["ST2084-P3-D65 - Display", "pq_p3d65_display"],
    ["ACES2065-1", "aces", "lin_ap0", "lin_ap0_scene"],
    ["ACEScc", "acescc_ap1"],
    ["ACEScct", "acescct_ap1"],
    ["ACEScg", "lin_ap1", "lin_ap1_scene"],
    ["ADX10"],
    ["ADX16"],
    ["Apple Log"],
    ["Apple Log 2", "apple_log_2"],
    ["Linear Apple Wide Gamut", "lin_apple_wide_gamut"],
    ["ARRI LogC3 (EI800)", "logc3ei800_alexawide"],
    ["Linear ARRI Wide Gamut 3", "lin_arri_wide_gamut_3", "lin_alexawide"],
    ["ARRI LogC4"],
    ["Linear ARRI Wide Gamut 4", "lin_arri_wide_gamut_4", "lin_awg4"],
    ["BMDFilm WideGamut Gen5"],
    ["Linear BMD WideGamut Gen5", "lin_bmd_widegamut_gen5"],
    ["DaVinci Intermediate WideGamut"],
    ["Linear DaVinci WideGamut", "lin_davinci_widegamut"],
    ["CanonLog2 CinemaGamut D55", "canonlog2_cgamutday"],
    ["Linear CinemaGamut D55", "lin_cinemagamut_d55", "lin_canoncgamutday"],
    ["CanonLog3 CinemaGamut D55", "canonlog3_cgamutday"],
    ["D-Log D-Gamut"],
    ["Linear D-Gamut", "lin_dgamut"],
    ["V-Log V-Gamut"],
    ["Linear V-Gamut", "lin_vgamut"],
    ["Log3G10 REDWideGamutRGB", "rl3g10_rwg"],
    ["Linear REDWideGamutRGB", "lin_redwidegamutrgb", "lin_rwg"],
    ["S-Log3 S-Gamut3"],
    ["S-Log3 S-Gamut3.Cine", "slog3_sgamutcine"],
    ["S-Log3 Venice S-Gamut3"],
    ["S-Log3 Venice S-Gamut3.Cine", "slog3_venice_sgamutcine"],
    ["Linear S-Gamut3", "lin_sgamut3"],
    ["Linear S-Gamut3.Cine", "lin_sgamut3cine"],
    ["Linear Venice S-Gamut3", "lin_venice_sgamut3"],
    ["Linear Venice S-Gamut3.Cine", "lin_venice_sgamut3cine"],
    ["sRGB Encoded Rec.709 (sRGB)", "srgb_texture", "srgb_rec709_scene", "srgb_tx"],
    [
      "Gamma 1.8 Encoded Rec.709", "g18_encoded_rec709", "g18_rec709",
      "Gamma 1.8 Rec.709 - Texture", "g18_rec709_tx", "g18_rec709_scene",
    ],
    [
      "Gamma 2.2 Encoded Rec.709", "g22_encoded_rec709", "g22_rec709",
      "Gamma 2.2 Rec.709 - Texture", "g22_rec709_tx", "g22_rec709_scene",
    ],
    [
      "Gamma 2.4 Encoded Rec.709", "g24_encoded_rec709", "g24_rec709", "rec709_display",
      "Gamma 2.4 Rec.709 - Texture", "g24_rec709_tx", "g24_rec709_scene",
    ],
    ["Camera Rec.709", "rec709_camera"],
    [
      "sRGB Encoded P3-D65", "srgb_p3d65", "srgb_displayp3", "srgb_p3d65_scene",
      "sRGB Encoded P3-D65 - Texture", "srgb_encoded_p3d65_tx",
    ],
    ["Gamma 2.2 Encoded AdobeRGB", "g22_encoded_adobergb", "adobergb", "g22_adobergb_scene"],
    [
      "sRGB Encoded AP1", "srgb_ap1", "srgb_ap1_scene", "sRGB Encoded AP1 - Texture",
      "srgb_encoded_ap1_tx",
    ],
    [
      "Gamma 2.2 Encoded AP1", "g22_encoded_ap1", "g22_ap1", "Gamma 2.2 AP1 - Texture",
      "g22_ap1_tx", "g22_ap1_scene",
    ],
    ["CIE XYZ-D65 - Scene-referred", "cie_xyz_d65_scene", "lin_ciexyzd65_scene"],
    ["Linear AdobeRGB", "lin_adobergb", "lin_adobergb_scene"],
    ["Linear P3-D65", "lin_p3d65", "lin_displayp3", "lin_p3d65_scene", "Linear Display P3"],
    ["Linear Rec.2020", "lin_rec2020", "lin_rec2020_scene"],
    ["Linear Rec.709 (sRGB)", "lin_rec709_srgb", "lin_rec709", "lin_rec709_scene", "lin_srgb"],
    ["CIE-XYZ-D65"],
    ["Rec.1886 Rec.2020 - Display"],
    ["P3-D60 - Display"],
    ["P3-DCI - Display"],
  ]

  @Test(arguments: rows)
  func namesOfARowFindOneSpace(_ names: [String]) throws {
    let first = try ColorSpace(named: names[0])
    for name in names.dropFirst() {
      let space = try ColorSpace(named: name)
      #expect(space.primaries == first.primaries && space.transfer == first.transfer, "\(name)")
    }
  }

  /// The exceptions that the guides name.
  @Test func namesOfOtherDefinitionsAreUnknown() {
    for name in [
      "Raw", "none", "CIE XYZ-D65 - Display-referred", "cie_xyz_d65_display",
      "Utility - Linear - sRGB", "ocio:lin_awg4_scene", "S-Log3 - Curve",
    ] {
      #expect(throws: ColorError.self) { try ColorSpace(named: name) }
    }
  }

  /// An exponent of 2.19921875 in the configurations v2.2.0, v4.0.0 and v5.0.0.
  @Test func encodedAdobeRGBHasTheGammaOfAdobe() throws {
    #expect(try ColorSpace(named: "Gamma 2.2 Encoded AdobeRGB") == .adobeRGB)
  }

  /// “lin” before a name of a space is “linear”.
  @Test func linIsShortForLinear() throws {
    #expect(try ColorSpace(named: "lin_srgb") == .linearSRGB)
    #expect(try ColorSpace(named: "lin_vgamut") == .vGamut.linear)
    #expect(throws: ColorError.self) { try ColorSpace(named: "lin") }
  }
}
