import Colorloom
import ICCProfiles
import ImageFiles

final class SpacesVerb: Verb {
  static let name = "spaces"
  static let summary = "list color spaces, or describe one and its gamut"
  static let discussion = """
    Every space goes by its aliases too; letter case, blanks and punctuation do not matter. Any space with RGB primaries has a linear \
    form, such as “p3-linear”. With SPACE, its constants are printed with the documents that they come from, and the size of its gamut: \
    its volume in the coordinates of --in, and the parts of common gamuts that it covers there. SPACE may be an ICC profile of three \
    channels for --mesh. Gamuts reach from black to white; the headroom of high dynamic range is not included.
    """
  static let example = "colorloom spaces display-p3 --in oklab --mesh p3.ply"
  static var arguments: [Argument<SpacesVerb>] {
    [
      .positional(.namedEnd, "the space to describe", \.end),
      .option(
        "--in", .space,
        "the coordinates of volumes, coverage, --mesh and --samples; default: Lab",
        \.metric),
      .option(
        "--mesh", .path, "write the surface of the gamut as triangles, in the format PLY", \.mesh),
      .option(
        "--steps", .wholeNumber(from: 1, to: 256),
        "squares of the mesh along each edge of the gamut; default: 24", \.steps),
      .option(
        "--samples", .wholeNumber(from: 1, to: 1_000_000),
        "print only this number of colors, evenly distributed in the gamut", \.sampleCount),
      .flag(
        "--json",
        "print aliases, primaries, white point, transfer function, code points and sources as JSON",
        \.printsJSON),
    ]
  }

  fileprivate var end: NamedEnd?
  var metric: ColorSpace?
  var mesh: String?
  var steps: Int?
  var sampleCount: Int?
  var printsJSON = false

  private struct Report: Encodable {
    let name: String
    let aliases: [String]
    let transfer: String
    /// The chromaticities x and y of the primaries and the white point.
    let red, green, blue, white: [Double]
    /// The code points of H.273; missing where it has none for the space.
    let cicp: [UInt8]?
    let sources: [Document]
    var gamut: Gamut?

    struct Document: Encodable {
      let document: String
      let edition, clause: String?
    }

    init(_ space: ColorSpace) {
      (name, aliases, transfer) = (space.name, space.aliases, space.transfer.name)
      cicp = space.cicp.map { [$0.primaries, $0.transfer, $0.matrix, $0.range] }
      let primaries = space.primaries
      (red, green) = (primaries.red.xy, primaries.green.xy)
      (blue, white) = (primaries.blue.xy, primaries.white.xy)
      sources = space.sources.map {
        Document(document: $0.document, edition: $0.edition, clause: $0.clause)
      }
    }
  }

  /// The volume of a gamut, and the parts of others that it covers, in the coordinates `metric`.
  private struct Gamut: Encodable {
    let metric: String
    let volume: Double
    let coverage: [String: Double]

    init(of space: ColorSpace, in metric: ColorSpace) {
      self.metric = metric.name
      volume = space.gamutVolume(in: metric).value
      coverage = [ColorSpace.sRGB, .displayP3, .rec2020].reduce(into: [:]) {
        $0[$1.name] = space.coverage(of: $1, in: metric).value
      }
    }
  }

  func run(in session: Session) throws {
    guard let end else {
      if metric != nil || mesh != nil || steps != nil || sampleCount != nil {
        throw Misuse("“--in”, “--mesh”, “--steps” and “--samples” need a space: “spaces p3”.")
      }
      if printsJSON { return session.print(json: ColorSpace.all.map(Report.init)) }
      for space in ColorSpace.all { session.print(space.name) }
      return
    }
    let space = end.link
    let metric = metric ?? .lab
    guard !metric.hasAngle, !metric.isGray else {
      throw Misuse(
        "“--in” needs three coordinates at right angles, such as Lab, Oklab or ICtCp, not \(metric)."
      )
    }
    guard steps == nil || mesh != nil else {
      throw Misuse("“--steps” needs “--mesh”, whose squares it counts.")
    }
    if case .profile(let profile) = space {
      guard mesh != nil, sampleCount == nil, !printsJSON else {
        throw Misuse(
          "“\(profile)” is a profile, of which “spaces” writes the “--mesh” alone. "
            + "“inspect” describes profiles.")
      }
      var uses = FileUses(reading: [end.word])
      try uses.add("--mesh", mesh)
    }
    try session.reserveOutput(for: mesh, hasReport: printsJSON)
    if case .space(let space) = space, space.isGray, mesh != nil || sampleCount != nil {
      throw Misuse("\(space) holds grays only, which fill no volume.")
    }
    if let mesh { try writeFile(Array(try gamutMesh(of: space, in: metric).ply.utf8), to: mesh) }
    if case .space(let space) = space { try describe(space, in: metric, session) }
  }

  private func describe(
    _ space: ColorSpace, in metric: ColorSpace, _ session: Session
  ) throws {
    if let sampleCount {
      let colors = space.gamutSamples(in: metric).prefix(sampleCount).map(\.components)
      if printsJSON { return session.print(json: colors.map(\.array)) }
      for color in colors { session.print("\(color.x) \(color.y) \(color.z)") }
      return
    }
    // Grays fill no volume.
    let gamut = space.isGray ? nil : Gamut(of: space, in: metric)
    if printsJSON {
      var report = Report(space)
      report.gamut = gamut
      return session.print(json: report)
    }
    session.print(space.name)
    if !space.aliases.isEmpty {
      session.print("aliases: \(space.aliases.joined(separator: ", "))")
    }
    let primaries = space.primaries
    session.print(
      "primaries: red \(primaries.red), green \(primaries.green), blue \(primaries.blue)")
    session.print("white point: \(primaries.white)")
    session.print("transfer function: \(space.transfer)")
    if let points = space.cicp { session.print("code points (H.273): \(points)") }
    for source in space.sources { session.print("source: \(source)") }
    guard let gamut else { return }
    session.print("volume in \(gamut.metric): \(Float(gamut.volume))")
    for line in coverageLines(gamut.coverage, in: gamut.metric) { session.print(line) }
  }

  private func gamutMesh(
    of space: ICCTransform.Link, in metric: ColorSpace
  ) throws -> GamutMesh {
    let steps = steps ?? 24
    switch space {
    case .space(let space): return space.gamutMesh(in: metric, steps: steps)
    case .profile(let profile):
      guard space.channelCount == 3 else {
        throw Failure(
          "“\(profile)” has \(space.channelCount) channels. The surface of a gamut is that of a cube of "
            + "three channels; more channels reach the same color in many ways.")
      }
      let transform = try ICCTransform(
        from: try space.definedByCodePoints, to: .space(metric), intent: profile.intent)
      return GamutMesh(in: metric, steps: steps) { SIMD3(transform($0.array)) }
    }
  }
}

/// A space or a profile, and the word that names it.
private struct NamedEnd {
  let word: String
  let link: ICCTransform.Link
}

extension Parser<NamedEnd> {
  fileprivate static var namedEnd: Parser {
    let end = Parser<ICCTransform.Link>.spaceOrProfile
    return Parser(end.placeholders[0], needed: end.needed, completion: end.completion) { word in
      try end.read([word]).map { NamedEnd(word: word, link: $0) }
    }
  }
}

extension Chromaticity {
  fileprivate var xy: [Double] { [x, y] }
}
