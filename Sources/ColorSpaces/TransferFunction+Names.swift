extension TransferFunction {
  /// All named transfer functions; those with a parameter once, with its usual value.
  public static let named: [TransferFunction] = [
    .linear, .sRGB, .rec709, .rec709Rounded, .smpte240M, .bt1361, .st428, .logarithmic100,
    .logarithmic316, .proPhoto, .bt1886(), .lStar, .pq, .hlg, .hlgOOTF1000, .acescc,
    .acescct, .acesProxy10, .daVinciIntermediate, .cineon, .sLog2, .sLog3, .logC3, .logC4, .vLog,
    .canonLog2, .canonLog3, .log3G10, .fLog, .fLog2, .nLog, .blackmagicFilmGeneration5, .appleLog,
  ]

  /// The transfer function called `name`; letter case, spaces and punctuation do not matter.
  ///
  /// Besides those of ``named``, by their names and by what makers and standards call them, any `gamma 2.2` and
  /// `BT.1886 black 0.001`.
  public init(named name: String) throws(RecipeError) {
    let wanted = key(name)
    if let function = Self.named.first(where: { key($0.name) == Self.aliases[wanted] ?? wanted }) {
      self = function
    } else if wanted == "adobe563256" {
      self = .gamma(563.0 / 256)
    } else if let gamma = number(in: name, after: "gamma"), (0.1...10).contains(gamma) {
      self = .gamma(gamma)
    } else if let black = number(in: name, after: "black"), wanted.hasPrefix("bt1886"),
      (0..<1).contains(black)
    {
      self = .bt1886(black: black)
    } else {
      throw .unknownTransferFunction(name, known: Self.named.map(\.name))
    }
  }

  /// Other names, and the key of the name they stand for.
  private static let aliases = [
    "bt709oetf": "rec709", "bt2020oetf": "rec709", "bt709oetfrounded": key(rec709Rounded.name),
    "romm": "prophoto", "bt1886": key(bt1886().name), "hlgoetf": key(hlg.name),
    "logc3ei800": key(logC3.name), "acesproxy10": key(acesProxy10.name),
    "blackmagicfilmgen5": key(blackmagicFilmGeneration5.name), "lstar": key(lStar.name),
    "st2084": key(pq.name),
  ]
}

private func key(_ name: String) -> String {
  name.lowercased().filter { $0.isLetter || $0.isNumber }
}

/// The number that follows a word, as in `gamma2.2`.
private func number(in name: String, after word: String) -> Double? {
  let name = name.lowercased()
  guard let range = name.firstRange(of: word) else { return nil }
  return Double(name[range.upperBound...].drop { $0 == " " })
}
