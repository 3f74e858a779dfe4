import Colorloom

final class CertifyVerb: Verb {
  static let name = "certify"
  static let summary = "prove whether codes survive a round trip through another space"
  static let discussion = """
    Every code of --from goes to --via and back. Up to 8 bits, and in gray spaces, all colors are tried where the interval bound is \
    inconclusive; otherwise, only the bound is reported. Both prove their result, for single precision too. Exits with 1 if the round trip \
    may change codes.
    """
  static let example = "colorloom certify --from srgb:uint8 --via p3:uint8"
  static var arguments: [Argument<CertifyVerb>] {
    [
      .option(
        "--from", .stored,
        "color space and sample format of the codes: uint8, uint10, uint12 or uint16",
        isRequired: true, \.from),
      .option(
        "--via", .stored,
        "intermediate color space and its sample format: one of those, float16 or float32",
        isRequired: true, \.via),
      .flag("--json", "print a JSON object", \.printsJSON),
    ]
  }

  var from = StoredSpace(space: .sRGB, samples: .uint8)
  var via = StoredSpace(space: .displayP3, samples: .uint8)
  var printsJSON = false

  private struct Report: Encodable {
    let from, via, samples: String
    let bits, bound: Int
    /// How the bound was proven: “interval” or “exhaustive”.
    let proof: String
    /// The number of colors that change, where all were tried.
    let changed: Int?
    let worst: Example?

    struct Example: Encodable { let codes, returned: [Int] }
  }

  func run(in session: Session) throws {
    guard let bits = from.samples.bits else {
      throw Misuse(
        "“--from” needs codes: “\(from.space.name)” with uint8, uint10, uint12 or uint16.")
    }
    for space in [from.space, via.space] where space.transfer.curves == nil {
      throw Misuse(
        "\(space) has no transfer function for each channel, so that no bound is known for it. "
          + "Name an RGB space.")
    }
    let trip = from.space.roundTrip(bits: bits, via: via.space, samples: via.samples)
    if !trip.isLossless { session.fail() }
    guard printsJSON else {
      return session.print("\(trip)")
    }
    var changed: Int?
    if case .exhaustive(let count) = trip.proof { changed = count }
    session.print(
      json: Report(
        from: from.space.name, via: via.space.name, samples: via.samples.name, bits: bits,
        bound: trip.bound, proof: changed == nil ? "interval" : "exhaustive", changed: changed,
        worst: trip.worst.map { Report.Example(codes: $0.codes.array, returned: $0.returned.array) }
      )
    )
  }
}

/// A space and how its values are stored: `p3:uint8`.
struct StoredSpace {
  let space: ColorSpace
  let samples: RoundTrip.Samples
}

extension Parser<StoredSpace> {
  static var stored: Parser {
    let names = RoundTrip.Samples.named.map(\.name)
    return Parser(
      "SPACE:SAMPLES", needed: "a space and one of \(names.joined(separator: ", ")): p3:uint8"
    ) { word in
      guard let colon = word.lastIndex(of: ":") else { return nil }
      let samples = String(word[word.index(after: colon)...])
      guard let found = RoundTrip.Samples.named.first(where: { $0.aliases.contains(samples) })
      else { return nil }
      return StoredSpace(
        space: try ColorSpace(named: String(word[..<colon])), samples: found.samples)
    }
  }
}

extension RoundTrip.Samples {
  fileprivate static let named:
    [(name: String, aliases: [String], samples: RoundTrip.Samples, bits: Int?)] = [
      ("uint8", ["uint8", "u8"], .uint8, 8), ("uint10", ["uint10", "u10"], .uint10, 10),
      ("uint12", ["uint12", "u12"], .uint12, 12), ("uint16", ["uint16", "u16"], .uint16, 16),
      ("float16", ["float16", "half"], .half, nil), ("float32", ["float32", "float"], .float, nil),
    ]

  fileprivate var name: String { Self.named.first { $0.samples == self }?.name ?? "\(self)" }

  /// The bits of a code; nil of floating-point samples.
  fileprivate var bits: Int? { Self.named.first { $0.samples == self }?.bits }
}
