extension TransferFunction {
  /// All named transfer functions; parametric ones once, with their default.
  public static let named: [TransferFunction] = [
    // Displays, television and cinema.
    .linear, .sRGB, .rec709, .rec709Rounded, .smpte240M, .bt1361, .bt1886(), .st428,
    .logarithmic100, .logarithmic316, .lStar, .pq, .hlg, .hlgOOTF1000, .dicom,
    // Photographs and film.
    .proPhoto, .rimm, .erimm, .cineon, .redLogFilm, .redLog, .panalog, .viperLog, .pLog,
    // Cameras and grading.
    .acescc, .acescct, .acesProxy10, .acesProxy12, .log2Shaper, .daVinciIntermediate, .sLog, .sLog2,
    .sLog3,
    .logC3, .logC4, .vLog, .canonLog, .canonLog2, .canonLog3, .canonLogVersion1, .canonLog2Version1,
    .canonLog3Version1, .log3G10, .log3G10Version1, .log3G10Version2, .log3G12, .fLog, .fLog2,
    .nLog, .blackmagicFilmGeneration5, .appleLog, .miLog, .lLog, .dLog, .protune, .tLog,
    .filmicPro6,
  ]

  /// Creates the transfer function called `name`; letter case, spaces and punctuation do not matter.
  ///
  /// Besides the names of ``named`` and their aliases in standards and makers' papers, any `gamma 2.2` and `BT.1886
  /// black 0.001` is a name.
  public init(named name: String) throws(ColorError) {
    if let function = Self.names[NameTable<TransferFunction>.key(name)] {
      self = function
    } else if let gamma = number(in: name, after: "gamma"), (0.1...10).contains(gamma) {
      self = .gamma(gamma)
    } else if let black = number(in: name, after: "bt1886black"),
      Self.blackLevels.contains(black)
    {
      self = .bt1886(black: black)
    } else {
      throw .unknownTransferFunction(name, nearest: Self.names.suggestions(for: name))
    }
  }

  private static let names = NameTable(
    (named + logC3ByExposureIndex.values).map { function in
      (names: [function.name] + (aliases[function.name] ?? []), value: function)
    } + [(names: ["gamma 2.19921875", "adobe563_256"], value: .gamma(563.0 / 256))])

  /// Further names of the functions, by their canonical names.
  private static let aliases: [String: [String]] = [
    sRGB.name: ["IEC 61966-2-1", "ITU-T H.273 IEC 61966-2", "sYCC"],
    rec709.name: [
      "BT.709", "bt709-oetf", "bt601-oetf", "bt2020-oetf", "BT.601", "BT.2020", "ITU-R BT.709",
      "ITU-R BT.601", "ITU-R BT.2020", "BT.2020 10 bit", "BT.2020 12 bit", "SMPTE 170M",
      "IEC 61966-2-4", "xvYCC",
    ],
    rec709Rounded.name: ["bt709-oetf-rounded"], smpte240M.name: ["SMPTE ST 240"],
    bt1361.name: ["BT.1361 extended", "ITU-R BT.1361"],
    bt1886().name: ["BT.1886 black 0", "ITU-R BT.1886"],
    st428.name: ["SMPTE ST 428-1", "DCDM", "ITU-T H.273 ST.428-1"],
    logarithmic100.name: ["log100", "log 100:1", "ITU-T H.273 Log"],
    logarithmic316.name: ["log316", "log 316:1", "log 316.22777:1", "ITU-T H.273 Log Sqrt"],
    lStar.name: ["lstar", "CIE L*"],
    pq.name: ["ST 2084", "SMPTE ST 2084", "SMPTE ST 2084 (PQ)", "ITU-R BT.2100 PQ"],
    hlg.name: ["hlg-oetf", "ARIB STD-B67", "ARIB STD-B67 (HLG)", "ITU-R BT.2100 HLG"],
    proPhoto.name: ["romm", "ROMM RGB", "ProPhoto RGB"], rimm.name: ["RIMM RGB"],
    erimm.name: ["ERIMM RGB"], acesProxy10.name: ["acesproxy10"],
    logC3.name: ["logc3-ei800", "ARRI LogC3", "ALEXA Log C"], logC4.name: ["ARRI LogC4"],
    blackmagicFilmGeneration5.name: [
      "blackmagic-film-gen5", "BMDFilm Gen5", "Blackmagic Film Generation 5",
    ],
    appleLog.name: ["Apple Log Profile", "Apple Log 2"],
    canonLog.name: ["Canon Log v1.2"], canonLog2.name: ["Canon Log 2 v1.2"],
    canonLog3.name: ["Canon Log 3 v1.2"], log3G10.name: ["Log3G10 v3"],
    dicom.name: ["DICOM", "GSDF"],
  ]
}

/// The decimal number after a word, ignoring spaces, dashes and dots.
private func number(in name: String, after word: String) -> Double? {
  var rest = name.lowercased()[...]
  for letter in word {
    rest = rest.drop { !($0.isLetter || $0.isNumber) }
    guard rest.popFirst() == letter else { return nil }
  }
  // `Double` reads hexadecimal digits, too.
  return rest.contains("x") ? nil : Double(rest.drop { $0 == " " })
}
