import Colorloom
import ImageFiles

struct PlanVerb: Verb {
  static let name = "plan"
  static let summary = "shows what a recipe would do and take, without doing it"
  static let discussion = """
    What a recipe does depends on the pictures: on their sizes, spaces and coverage. Of files only the heads are read, but for --dot and \
    --json where a step measures its picture. Where a file is not given, an opaque picture of 16 bits in sRGB stands for it, as large \
    as --size says.
    """
  static let example = "colorloom plan grade.json photo.png --dot"
  static var arguments: [Argument<PlanVerb>] {
    [
      .positional(.path.named("RECIPE"), "the recipe", \.recipe),
      .rest(.path.named("IN"), "the pictures that it takes, in the order of its inputs", \.files),
      .option("--size", .size, "the size of pictures not given; 6000x4000 if not given", \.size),
      .option("--assume", .assumption, "what untagged files mean", \.assumed),
      .flag("--dot", "as a graph for Graphviz", \.printsGraph),
      .flag("--json", "as a JSON object, with what rendering takes", \.printsJSON),
    ]
  }

  var recipe = ""
  var files: [String] = []
  var size = PixelSize(6000, 4000)
  var assumed: Assumption?
  var printsGraph = false
  var printsJSON = false

  func run(in session: Session) throws {
    let file = RecipeFile(recipe)
    let inputs = try file.inputs(given: files.count).indices.map { index in
      index < files.count
        ? try session.picture(at: files[index], assuming: assumed) : Picture(BlankRows(size: size))
    }
    let results = try file.pictures(of: inputs)
    if !printsGraph && !printsJSON {
      for (name, picture) in results {
        if let name { session.print("\(name):") }
        session.print(picture.plan)
      }
    }
    try session.check(results.map(\.picture))
    if printsGraph {
      for (_, picture) in results {
        session.print(
          try picture.planReport(
            as: UInt16.self, inBands: true, options: session.settings.renderOptions
          ).dot)
      }
      return
    }
    guard printsJSON else { return }
    let values = try results.map { name, picture in
      RecipeValue.Member(name ?? "", try session.planReport(of: picture))
    }
    session.print(
      json: results[0].name == nil ? values[0].value : .object(values))
  }
}

extension Session {
  /// Throws what rendering pictures to files of 16 bits would refuse before the first pixel.
  func check(_ pictures: [Picture]) throws {
    try Picture.checkBands(
      pictures.map { BandedResult($0, as: .uint16, alpha: .straight) },
      options: settings.renderOptions)
  }

  /// What rendering a picture to a file of 16 bits takes.
  func planReport(of picture: Picture) throws -> RecipeValue {
    let report = try picture.planReport(
      as: UInt16.self, inBands: true, options: settings.renderOptions)
    return try decoded(RecipeValue.self, fromJSON: report.json)
  }
}

/// A black picture that takes no memory, for plans.
struct BlankRows: RowSource {
  let size: PixelSize
  var space = ColorSpace.sRGB
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint16 }

  func makeReader() throws -> any RowReader { Reader() }

  private final class Reader: RowReader {
    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      row.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}
