extension TransferFunction {
  /// All named transfer functions; those with a parameter once, with its usual value.
  public static let named: [TransferFunction] = [
    // Displays, television and cinema.
    .linear, .sRGB, .rec709, .rec709Rounded, .smpte240M, .bt1361, .bt1886(), .st428,
    .logarithmic100, .logarithmic316, .lStar, .pq, .hlg, .hlgOOTF1000,
    // Photographs and film.
    .proPhoto, .rimm, .erimm, .cineon, .redLogFilm, .redLog, .panalog, .viperLog, .pLog,
    // Cameras and grading.
    .acescc, .acescct, .acesProxy10, .acesProxy12, .daVinciIntermediate, .sLog, .sLog2, .sLog3,
    .logC3, .logC4, .vLog, .canonLog, .canonLog2, .canonLog3, .log3G10, .log3G12, .fLog, .fLog2,
    .nLog, .blackmagicFilmGeneration5, .appleLog, .miLog, .lLog, .dLog, .protune, .tLog,
  ]

  /// The transfer function called `name`; letter case, spaces and punctuation do not matter.
  ///
  /// Besides those of ``named``, by their names and by what makers and standards call them, any `gamma 2.2` and
  /// `BT.1886 black 0.001`.
  public init(named name: String) throws(RecipeError) {
    if let function = Self.names[NameTable<TransferFunction>.key(name)] {
      self = function
    } else if let gamma = number(in: name, after: "gamma"), (0.1...10).contains(gamma) {
      self = .gamma(gamma)
    } else if let black = number(in: name, after: "bt1886black"), (0..<1).contains(black) {
      self = .bt1886(black: black)
    } else {
      throw .unknownTransferFunction(name, nearest: Self.names.nearest(to: name))
    }
  }

  private static let names = NameTable(
    (named + logC3ByExposureIndex.values).map { function in
      (names: [function.name] + (aliases[function.name] ?? []), value: function)
    } + [(names: ["gamma 2.19921875", "adobe563_256"], value: .gamma(563.0 / 256))])

  /// What else the functions are called, by their names.
  private static let aliases: [String: [String]] = [
    rec709.name: ["bt709-oetf", "bt2020-oetf", "bt601-oetf", "IEC 61966-2-4", "xvYCC"],
    rec709Rounded.name: ["bt709-oetf-rounded"], smpte240M.name: ["SMPTE ST 240"],
    bt1886().name: ["BT.1886 black 0"], st428.name: ["SMPTE ST 428-1", "DCDM"],
    logarithmic100.name: ["log100"], logarithmic316.name: ["log316"], lStar.name: ["lstar"],
    pq.name: ["ST 2084", "SMPTE ST 2084"], hlg.name: ["hlg-oetf", "ARIB STD-B67"],
    proPhoto.name: ["romm"], acesProxy10.name: ["acesproxy10"], logC3.name: ["logc3-ei800"],
    blackmagicFilmGeneration5.name: ["blackmagic-film-gen5", "BMDFilm Gen5"],
  ]
}

/// The number that follows a word, where spaces, dashes and dots between and in the word do not matter.
private func number(in name: String, after word: String) -> Double? {
  var rest = name.lowercased()[...]
  for letter in word {
    rest = rest.drop { !($0.isLetter || $0.isNumber) }
    guard rest.popFirst() == letter else { return nil }
  }
  return Double(rest.drop { $0 == " " })
}
