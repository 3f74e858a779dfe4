import Colorloom
import ImageFiles

final class PlanVerb: Verb {
  static let name = "plan"
  static let summary = "show the plan and the cost of a recipe, without running it"
  static let discussion = """
    The plan of a recipe depends on the size, the color space and the alpha of its pictures. Only headers of files are read; --measure \
    also renders the results. An opaque 16-bit sRGB picture of the size --size takes the place of a file that is not given.
    """
  static let example = "colorloom plan grade.json photo.png --dot"
  static var arguments: [Argument<PlanVerb>] {
    [
      .positional(.path.named("RECIPE"), "the recipe", \.recipe),
      .rest(
        .path.named("IN"), "the pictures to read, in the order of the recipe's inputs", \.files),
      .option("--size", .size, "size of pictures that are not given; default: 6000x4000", \.size),
      .assume(\.assumed).needing("IN"),
      .page(\.page, "the page of each picture; default: the first").needing("IN"),
      .layerName(\.layer).needing("IN"),
      .flag("--dot", "print a graph for Graphviz", \.printsGraph)
        .excluding("--cost", "--measure", "--json"),
      .flag(
        "--cost",
        "print the bytes that each step moves and holds, the passes, and the peak memory without encoders",
        \.printsCost),
      .flag(
        "--measure",
        "also render each result once and print the processor time of each step",
        \.measures
      ).needing("--cost", "--json"),
      .flag("--json", "print the plan and its cost as a JSON object", \.printsJSON),
    ]
  }

  let stepsAreOfFiles = true
  var recipe = ""
  var files: [String] = []
  var size: PixelSize?
  var assumed: Assumption?
  var page: Int?
  var layer: String?
  var printsGraph = false
  var printsCost = false
  var measures = false
  var printsJSON = false

  func run(in session: Session) throws {
    let file = RecipeFile(recipe, limits: session.settings.fileLimits)
    let names = try file.inputs(given: files.count)
    session.noteChoices()
    if let size, files.count == names.count {
      throw Misuse(
        "“--size \(size.width)x\(size.height)” is for pictures that are not given, and none is missing. "
          + "Leave it out.")
    }
    let blank = Picture(BlankRows(size: size ?? PixelSize(6000, 4000)))
    let inputs = session.aligned(
      try names.indices.map { index in
        index < files.count
          ? try session.pictureInWindow(
            at: files[index], page: page, layer: layer, assuming: assumed, takesPage: true)
          : (blank, nil)
      })
    let results = try file.pictures(of: inputs)
    if !printsGraph && !printsJSON && !printsCost {
      for (name, picture) in results {
        if let name { session.print("\(name):") }
        session.printText(picture.plan)
      }
    }
    try session.check(results.map(\.picture))
    if printsGraph {
      for (_, picture) in results {
        session.printText(
          try picture.planReport(
            as: UInt16.self, inBands: true, options: session.settings.renderOptions
          ).dot)
      }
      return
    }
    if printsCost && !printsJSON {
      for (name, picture) in results {
        if let name { session.print("\(name):") }
        try printCost(of: picture, in: session)
      }
    }
    guard printsJSON else { return }
    let values = try results.map { name, picture in
      var report = try session.planReport(of: picture)
      if measures, case .object(var members) = report {
        let seconds = try session.measuredSeconds(of: picture)
        members.append(RecipeValue.Member("seconds", .array(seconds.map { .number($0) })))
        report = .object(members)
      }
      return RecipeValue.Member(name ?? "", report)
    }
    session.print(
      json: results[0].name == nil ? values[0].value : .object(values))
  }
}

extension PlanVerb {
  /// Prints a line for each step, then the totals.
  private func printCost(of picture: Picture, in session: Session) throws {
    let report = try picture.planReport(
      as: UInt16.self, inBands: true, options: session.settings.renderOptions)
    let seconds = measures ? try session.measuredSeconds(of: picture) : nil
    for (index, step) in report.steps.enumerated() {
      let inputs = step.inputs.map { "\($0 + 1)" }.joined(separator: " and ")
      session.print("\(index + 1): \(step.name)" + (inputs.isEmpty ? "" : ", of \(inputs)"))
      let region = step.region
      session.print(
        "   \(region.size) pixels at (\(region.x), \(region.y)), in tiles of \(step.tile)")
      var line =
        "   reads \(step.bytesRead) bytes, writes \(step.bytesWritten), "
        + "holds \(step.bytes * report.threads)"
      if !step.isPass, !step.inputs.isEmpty {
        line += ", within the step that reads it"
      } else if let seconds, seconds.indices.contains(index) {
        line += ", \(milliseconds(seconds[index])) of processor time"
      }
      session.print(line)
    }
    let moved = report.steps.reduce((0, 0)) { ($0.0 + $1.bytesRead, $0.1 + $1.bytesWritten) }
    let passes = report.passCount == 1 ? "1 pass" : "\(report.passCount) passes"
    session.print(
      "\(passes); \(moved.0) bytes read and \(moved.1) written in memory; "
        + "\(report.bytesRead) read from sources, \(report.bytesWritten) written into results")
    let threads = report.threads == 1 ? "1 thread" : "\(report.threads) threads"
    session.print(
      "peak memory: at most \(report.peakBytes) bytes with \(threads), without encoders of files")
    if let seconds {
      session.print(
        "processor time: \(milliseconds(seconds.reduce(0, +))) in this one rendering")
    }
  }

  private func milliseconds(_ seconds: Double) -> String {
    "\((seconds * 10_000).rounded() / 10) ms"
  }
}

extension Session {
  /// The processor time of each step in one rendering to rows of 16 bits, which are dropped.
  fileprivate func measuredSeconds(of picture: Picture) throws -> [Double] {
    try Picture.measuredSeconds(
      of: [BandedResult(picture, as: .uint16, alpha: .straight)], options: settings.renderOptions)
  }
}
