// The documents that several constants share.
extension Source {
  // MARK: Television and cinema

  static func bt709(_ clause: String) -> Source {
    Source("Rec. ITU-R BT.709-6", edition: "2015", clause: clause)
  }

  static func bt2020(_ clause: String) -> Source {
    Source("Rec. ITU-R BT.2020-2", edition: "2015", clause: clause)
  }

  static func bt2100(_ clause: String) -> Source {
    Source("Rec. ITU-R BT.2100-2", edition: "2018", clause: clause)
  }

  static func h273(_ clause: String) -> Source { Source("Rec. ITU-T H.273", clause: clause) }

  static let bt1886 = Source("Rec. ITU-R BT.1886", edition: "2011", clause: "annex 1")
  /// Reference white at 203 cd/m² and at the HLG signal 0.75.
  static let bt2408 = Source("Report ITU-R BT.2408")
  static let st2084 = Source("SMPTE ST 2084", edition: "2014")
  static let rp431 = Source("SMPTE RP 431-2", edition: "2011")
  static let smpteC = Source("SMPTE RP 145", edition: "2004")
  static let st2065 = Source("SMPTE ST 2065-1")
  static let acescg = Source("Academy S-2014-004, “ACEScg”")

  // MARK: Colorimetry, print and the web

  static func cie15(_ clause: String? = nil) -> Source {
    Source("CIE 15", edition: "2004", clause: clause)
  }

  static func cssColor4(_ clause: String? = nil) -> Source {
    Source("CSS Color Module Level 4", clause: clause)
  }

  static let adobeRGB = Source("Adobe RGB (1998) Color Image Encoding", edition: "version 2005-05")
  static let romm = Source("ISO 22028-2")
  static let rommPaper = Source(
    "Spaulding, Woolfe and Giorgianni, “Reference Input/Output Medium Metric RGB Color Encodings”",
    edition: "2000")
  static let bradford = Source("ICC.1", edition: "2022", clause: "annex E")
  static let cam16 = Source(
    "Li and others, “Comprehensive color solutions: CAM16, CAT16, and CAM16-UCS”", edition: "2017")
  static let jzazbz = Source(
    "Safdar and others, “Perceptually uniform color space for image signals including high "
      + "dynamic range and wide gamut”", edition: "2017")
  static let okhsl = Source(
    "Ottosson, “Okhsv and Okhsl: two new color spaces for color picking”", edition: "2021")

  // MARK: Software and working spaces

  static func coreGraphics(_ constant: String) -> Source {
    Source("Apple, Core Graphics", clause: constant)
  }

  static func android(_ constant: String) -> Source {
    Source("Android, ColorSpace.Named", clause: constant)
  }

  static func hutchColor(_ profile: String) -> Source { Source("HutchColor, profile “\(profile)”") }

  static let colorInterop = Source(
    "ASWF Color Interop Forum, “Color Space Encodings for Texture Assets and CG Rendering”",
    edition: "2024")
  static let lindbloom = Source("Lindbloom, “RGB Working Space Information”")
  static let standardRGB = Source(
    "Süsstrunk, Buckley and Swen, “Standard RGB Color Spaces”", edition: "1999")
  static let wideGamutRGB = Source("Wikipedia, “Wide-gamut RGB color space”")
  static let ektaSpace = Source("Holmes, “Ekta Space PS 5”")
  static let russellRGB = Source("Cottrell, “The Russell RGB working color space”")
  static let cieRGB = Source(
    "Fairman, Brill and Hemmendinger, “How the CIE 1931 color-matching functions were derived "
      + "from Wright–Guild data”", edition: "1997")
  static let nukeDefault = Source(
    "Sony Imageworks, OpenColorIO-Configs, “nuke-default/make.py”", edition: "2012")

  // MARK: Cameras

  static let sonySGamut3 = Source(
    "Sony, “Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3”")
  static let logC3 = Source("ARRI, “ALEXA Log C Curve: Usage in VFX”", edition: "2017")
  static let logC4 = Source("ARRI, “LogC4 Logarithmic Color Space Specification”", edition: "2022")
  static let vLog = Source("Panasonic, “V-Log/V-Gamut Reference Manual”", edition: "2014")
  static let redWideGamut = Source(
    "RED, “White Paper on REDWideGamutRGB and Log3G10”", edition: "915-0187, version 3")
  static let redDerivation = Source("Mansencal, “RED Colourspaces Derivation”", edition: "2015")
  static let daVinci = Source(
    "Blackmagic Design, “DaVinci Resolve 17 Wide Gamut Intermediate”", edition: "2021")
  static let blackmagicGeneration5 = Source(
    "Blackmagic Design, “Blackmagic Generation 5 Color Science”", edition: "2021")
  static let canonLog = Source("Canon, “Canon Log Gamma Curves”", edition: "version 1.2")
  static let canonC500 = Source("Canon, “EOS C500 Firmware Update”", edition: "2014")
  static let canonC300 = Source(
    "Canon, “Input Transform Version 201612 for EOS C300 Mark II”", edition: "2016")
  static let dLog = Source("DJI, “White Paper on D-Log and D-Gamut”", edition: "2017")
  static let goPro = Source(
    "GoPro, Duiker and Mansencal, “aces_ocio/colorspaces/gopro.py”", edition: "2016")
  /// FilmLight's numbers were published there.
  static let filmLight = Source("Colour Science for Python, “filmlight.py”", edition: "0.4.7")

  static func redLog3G10(_ year: String) -> Source { Source("RED, Log3G10", edition: year) }
}
