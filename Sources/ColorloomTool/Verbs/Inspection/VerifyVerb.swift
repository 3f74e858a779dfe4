import Colorloom
import ImageFiles

final class VerifyVerb: Verb {
  static let name = "verify"
  static let summary = "compare a recipe with its definition in double precision"
  static let discussion = """
    The recipe runs on a part of each picture, or on noise in Display P3 where none is given: fused, as it always runs; without the \
    rewrites that merge or remove steps; and in double precision, step by step, by the reference. It also runs in small tiles and on \
    one thread, which must give the same bits, and once without each law that rewrote the plan (“laws” lists them), which must stay \
    within the law's bound. Except for the bits, “store” steps keep floats: a tiny difference before a rounding may be a whole code \
    after it. Where one of these does not hold, or where a result is farther than --tolerance from the reference, the \
    command ends with 1.
    """
  static let example = "colorloom verify grade.json photo.png"
  static var arguments: [Argument<VerifyVerb>] {
    [
      .positional(.path.named("RECIPE"), "the recipe", \.recipe),
      .rest(
        .path.named("IN"), "the pictures to read, in the order of the recipe's inputs", \.files),
      .assume(\.assumed).needing("IN"),
      .page(\.page, "the page of each picture; default: the first").needing("IN"),
      .layerName(\.layer).needing("IN"),
      .option(
        "--size", .box, "size of the region that is compared, in the center; default: 96",
        \.size),
      .option(
        "--tolerance", .number(in: 0...1),
        "largest allowed difference from the reference, relative for values above 1; default: 1e-4",
        \.tolerance),
      .flag("--json", "print a JSON object", \.printsJSON),
    ]
  }

  let stepsAreOfFiles = true
  var recipe = ""
  var files: [String] = []
  var assumed: Assumption?
  var page: Int?
  var layer: String?
  var size = PixelSize(96, 96)
  /// Single precision differs by up to 1e-5 in most filters, and by more where a formula is steep: the cube roots of Oklab near black.
  var tolerance = 1e-4
  var printsJSON = false

  private struct Report: Encodable {
    var results: [Result] = []

    struct Result: Encodable {
      let name: String?
      let sameBits: Bool
      let rewrites, reference: Difference
      let laws: [LawResult]
    }

    /// A law that rewrote the plan, and how the picture differs without it.
    struct LawResult: Encodable {
      let name: String
      /// The number of applications of the law.
      let count: Int
      /// The law's own bound, and what was found, weighted by alpha and relative to values above 1.
      let bound: Float
      let difference: Float
      var holds: Bool { difference <= bound }
    }
  }

  private struct Difference: Encodable {
    /// The largest difference of two samples, and the same in units of the last place of the larger one.
    var largest = 0.0
    var unitsInLastPlace = 0.0

    mutating func add(_ value: Float, _ expected: Double) {
      if Double(value) == expected || value.isNaN && expected.isNaN { return }
      let difference = abs(Double(value) - expected)
      // Below 2⁻¹⁰ the last place is that of 2⁻¹⁰: near zero any rounding is many of its units.
      let unit = Double(Float(max(abs(expected), 0x1p-10)).ulp)
      largest = max(largest, difference.isNaN ? .infinity : difference)
      unitsInLastPlace = max(unitsInLastPlace, difference.isNaN ? .infinity : difference / unit)
    }
  }

  func run(in session: Session) throws {
    let file = RecipeFile(recipe, limits: session.settings.fileLimits)
    let inputs = try file.inputs(given: files.count).indices.map { index in
      index < files.count
        ? part(
          of: try session.pictureInWindow(
            at: files[index], page: page, layer: layer, assuming: assumed, takesPage: true
          ).picture) : noise(seed: index)
    }
    session.noteChoices()
    var report = Report()
    for (name, picture) in try file.pictures(of: inputs) {
      let result = try verify(picture, named: name, in: session)
      report.results.append(result)
      if !printsJSON {
        session.print(sentence(of: result))
        for law in result.laws { session.print(sentence(of: law)) }
      }
      if !result.sameBits || result.reference.largest > tolerance
        || result.laws.contains(where: { !$0.holds })
      {
        session.fail()
      }
    }
    if printsJSON { session.print(json: report) }
  }

  private func part(of picture: Picture) -> Picture {
    let (width, height) = (
      min(size.width, picture.size.width), min(size.height, picture.size.height)
    )
    let corner = picture.region.origin
    return picture.cropped(
      to: Region(
        x: corner.x + (picture.size.width - width) / 2,
        y: corner.y + (picture.size.height - height) / 2, width: width, height: height)
    ).placed(at: .zero)
  }

  private func noise(seed: Int) -> Picture {
    Picture.noise(seed: UInt64(seed + 1), isGray: false, in: .displayP3)
      .cropped(to: Region(x: 0, y: 0, width: size.width, height: size.height))
  }

  private func verify(
    _ picture: Picture, named name: String?, in session: Session
  ) throws -> Report.Result {
    var options = session.settings.renderOptions
    let fused = try picture.render(as: Float.self, options: options)
    (options.tile, options.threads) = (PixelSize(17, 13), 1)
    let inTiles = try picture.render(as: Float.self, options: options)
    let hasSameBits = (0..<fused.size.height).allSatisfy { y in
      zip(fused.row(y), inTiles.row(y)).allSatisfy { $0.bitPattern == $1.bitPattern }
    }
    return try verify(
      picture.keepingFloats, named: name, sameBits: hasSameBits, session.settings.renderOptions)
  }

  /// Compares a picture whose steps keep floats with its definition.
  private func verify(
    _ picture: Picture, named name: String?, sameBits: Bool, _ options: RenderOptions
  ) throws -> Report.Result {
    let fused = try picture.render(as: Float.self, options: options)
    var withoutLaws = options
    withoutLaws.fusion = .withoutLaws
    let unfused = try picture.render(as: Float.self, options: withoutLaws)
    let reference = try ReferenceEvaluator().render(picture)
    var (rewrites, definition) = (Difference(), Difference())
    for y in 0..<fused.size.height {
      for x in 0..<fused.size.width {
        // Straight colors of transparent pixels are quotients, whose rounding grows as alpha falls.
        let alpha = max(min(abs(reference[x, y].w), 1), 1e-9)
        for channel in 0..<fused.channels.count {
          let (value, expected) = (fused[x, y, channel], reference[x, y][channel])
          rewrites.add(value, Double(unfused[x, y, channel]))
          let scale = alpha / max(1, abs(expected))
          definition.add(
            Float(Double(value) * scale), expected * scale)
        }
      }
    }
    return Report.Result(
      name: name, sameBits: sameBits, rewrites: rewrites, reference: definition,
      laws: try lawResults(of: picture, fused: fused, options))
  }

  /// Renders the picture without each law that rewrote its plan.
  private func lawResults(
    of picture: Picture, fused: Bitmap<Float>, _ options: RenderOptions
  ) throws -> [Report.LawResult] {
    let acted = try picture.planReport(as: Float.self, options: options).laws
    return try Law.allCases.compactMap { law in
      guard let count = acted[law] else { return nil }
      var options = options
      options.disabledLaws = [law]
      let without = try picture.render(as: Float.self, options: options)
      return Report.LawResult(
        name: law.rawValue, count: count, bound: law.declaration.bound,
        difference: fused.largestDifference(from: without))
    }
  }

  private func sentence(of law: Report.LawResult) -> String {
    "law “\(law.name)” rewrote \(law.count) \(law.count == 1 ? "step" : "steps"): "
      + (law.difference == 0 ? "same values without it" : "at most \(law.difference) without it")
      + (law.bound == 0 ? "; exact" : "; the bound is \(law.bound)")
      + (law.holds ? "" : ". The law does not hold for this picture")
  }

  private func sentence(of result: Report.Result) -> String {
    func text(_ difference: Difference) -> String {
      difference.largest == 0
        ? "no difference"
        : "at most \(Float(difference.largest)) (\(Float(difference.unitsInLastPlace)) ulp)"
    }
    return (result.name.map { "\($0): " } ?? "")
      + (result.sameBits
        ? "tiles and threads give the same bits"
        : "tiles or threads change the bits, which is an error of a filter")
      + "; without rewrites \(text(result.rewrites)); from double precision "
      + text(result.reference)
  }
}
