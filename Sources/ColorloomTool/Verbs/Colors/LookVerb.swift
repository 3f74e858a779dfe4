import ColorSpaces
import Colorloom
import ImageFiles

final class LookVerb: Verb {
  static let name = "look"
  static let summary = "describe looks (LUTs), convert them and bake steps into them"
  static let discussion = """
    “info” lists the contents of look files, and the ids of color decision lists. “convert” reads a look of any format and writes it in \
    another. Both read one of several color decision lists by its id: “grades.ccc,id=shot2”. Where a format cannot hold the look, \
    “convert” bakes it into a 3D LUT and prints its largest error over the look's domain. “bake” bakes the steps into a 3D LUT over \
    --domain and prints its largest error there; only steps that change each pixel by itself can be baked. A 3D LUT clips colors outside \
    of its domain. For scene-linear values, “--domain stops:-10,6” puts a logarithm before the 3D LUT of a .clf or .csp: grid points are \
    evenly spaced in stops, from 0 to 2⁶. A file with the extension of a picture format is read or written as a Hald image; lossy formats \
    are not written. Hald images and .3dl store integers: LUTs with values outside 0…1 are refused, and the printed error includes their \
    rounding.
    """
  static let example = "colorloom look bake graded.cube --exposure 0.5 --size 33"
  static var arguments: [Argument<LookVerb>] {
    [
      .positional(
        .choice(["info": .info, "convert": .convert, "bake": .bake]), "the action", \.act),
      .positional(.path.named("LOOK"), "the look to read; with “bake” the one to write", \.path),
      .rest(.path.named("MORE"), "further looks to describe, or the one to write", \.more),
      .option(
        "--size", .wholeNumber(from: 2, to: 256),
        "grid points per side of the baked LUT; default: 33, or as many as a larger LUT of the look has; 64 for images",
        \.size
      ).needing("bake", "convert"),
      .option(
        "--from", .space, "color space of the input values of “bake”; default: sRGB",
        \.space
      ).needing("bake"),
      .option(
        "--domain", .spread,
        "range of input values of “bake”: ends such as -0.5,4, or stops:-10,6 for scene-linear values from 0 to 2⁶; default: 0,1",
        \.domain
      ).needing("bake"),
      .option("--title", .text, "the title of the look", \.title).needing("bake", "convert"),
      .flag("--json", "print the result of “info” as a JSON object per file", \.printsJSON)
        .needing("info"),
    ] + PictureSteps.arguments.map { $0.within(\.steps).needing("bake") }
      + [.assumeOfSteps(\.steps.assumed).needing("bake")]
  }

  enum Act { case info, convert, bake }

  var act = Act.info
  var path = ""
  var more: [String] = []
  var size: Int?
  var space = ColorSpace.sRGB
  var domain = Look.Spread.even(0...1)
  var title: String?
  var printsJSON = false
  var steps = PictureSteps()
  var stepsAreOfFiles: Bool { steps.areOfFiles }

  private struct Report: Encodable {
    let file, title: String
    /// The ids of the color decision lists in the file, where there are several.
    let ids: [String]?
    let steps: [String]
  }

  func run(in session: Session) throws {
    let paths = [path] + more
    switch act {
    case .info:
      for file in try paths.map(file(named:)) {
        do { try tell(file, in: session) } catch {
          if paths.count == 1 { throw error }
          session.fail(session.sentence(for: error))
          if printsJSON {
            // Notes on other files are not those of this one.
            Session(session.settings, session.console)
              .print(json: FailedFile(file: file.path, error: error, in: session))
          }
        }
      }
    case .convert:
      guard paths.count == 2 else {
        throw Misuse(
          "“look convert” needs a look to read and a file to write, not \(paths.count) names.")
      }
      // A written look may hold less than the one that is read, such as one list of several.
      var uses = FileUses(reading: [try file(named: paths[0]).path])
      try uses.add(paths[1], at: paths[1])
      try checkFormat(of: paths[1])
      try checkTitle(for: paths[1])
      try write(renamed(look(named: paths[0], in: session)), to: paths[1], in: session)
    case .bake:
      guard paths.count == 1 else {
        throw Misuse("“look bake” writes one file; there are \(paths.count) names.")
      }
      var uses = FileUses()
      try uses.add(path, at: path)
      try checkFormat(of: paths[0])
      try checkTitle(for: paths[0])
      if case .stops(let stops) = domain { return try bake(stops: stops, in: session) }
      guard try domain == .even(0...1) || Self.holdsDomains(paths[0]) else {
        throw Misuse(
          "“\(paths[0])” is of a format that holds colors of 0…1 only. Leave “--domain” out, or write .cube."
        )
      }
      let box = domain.box
      try bake(
        title ?? "", size: size ?? Self.defaultSize(paths[0]), to: paths[0], over: box,
        measuredOver: box, note: box.clippingNote, in: session
      ) {
        try baked(from: $0, in: session)
      }
    }
  }

  /// Bakes the steps into a 3D LUT behind a logarithm.
  private func bake(stops: ClosedRange<Double>, in session: Session) throws {
    try Look.checkTables(inFile: path)
    guard try !Self.isImage(path) && LookFileFormat(ofFile: path).holdsShapers else {
      throw Misuse(
        "“\(path)” is of a format that holds no logarithm before a 3D LUT, which --domain stops:… needs. Write .clf or .csp."
      )
    }
    let result = try Look.baking(
      title ?? "", size: size ?? Self.defaultSize(path), in: space, over: .stops(stops),
      options: session.settings.renderOptions,
      reading: { try $0.withPoints(inFile: path) ?? $0 }
    ) {
      try baked(from: $0, in: session)
    }
    try save(result.look, to: path, in: session)
    describe(result, at: path, note: domain.box.clippingNote, in: session)
  }

  /// Returns the picture after all steps; throws at the first step that a 3D LUT cannot hold.
  private func baked(from picture: Picture, in session: Session) throws -> Picture {
    let stages = try steps.pictures(from: picture, in: session)
    if let misfit = stages.first(where: { !$0.picture.isPointwise(on: picture) }) {
      throw Misuse(
        "“\(misfit.name)” cannot be baked: a 3D LUT holds point filters and conversions between color "
          + "spaces only. Leave it out, and apply it to pictures with “convert”.")
    }
    return stages.last?.picture ?? picture
  }

  /// What errors call the word that names a look to read.
  private var command: String { "look \(act)" }

  /// Returns the file that a word names as that of --lut does: “grades.ccc,id=shot2”.
  private func file(named word: String) throws -> StepFile {
    guard let entry = Tool.catalog["look"],
      let file = try StepFile(word, of: command, entry, entry.aliases.first { $0.prefix == "@" })
    else {
      throw Misuse("“\(command)” needs a look to read, not “\(beginning(of: word))”.")
    }
    return file
  }

  private func look(named word: String, in session: Session) throws -> Look {
    let file = try file(named: word)
    let look = try Look.filter(
      inFile: file.path, parameters: file.parameters(of: command),
      limits: session.settings.fileLimits)
    session.noteChoices()
    return look
  }

  /// Throws where the name of a file to write states no format.
  private func checkFormat(of path: String) throws {
    guard !Self.isImage(path), !isFolder(path) else { return }
    do { _ = try LookFileFormat(ofFile: path) } catch { throw Misuse("\(error)") }
  }

  /// Throws where --title is for a file that holds no title.
  private func checkTitle(for path: String) throws {
    guard title != nil else { return }
    let untitled: [LookFileFormat] = [.threeDL, .spi1D, .spi3D, .spiMatrix, .cineSpace]
    guard try Self.isImage(path) || untitled.contains(LookFileFormat(ofFile: path)) else { return }
    throw Misuse(
      "“\(path)” is of a format that holds no title. Leave out “--title”, or write .cube, .clf, .cc, .ccc or .cdl."
    )
  }

  private func renamed(_ look: Look) -> Look {
    var look = look
    look.title = title ?? look.title
    return look
  }

  private func tell(_ file: StepFile, in session: Session) throws {
    try session.beginReadingInput(file.path)
    let (look, ids, isChosen) = try Look.read(
      inFile: file.path, parameters: file.parameters(of: command),
      limits: session.settings.fileLimits)
    let steps = look.steps.map(\.summary)
    if printsJSON {
      let listed = ids.count > 1 ? ids : nil
      return session.print(
        json: Report(file: file.path, title: look.title, ids: listed, steps: steps))
    }
    let name = look.title.isEmpty ? "" : " “\(look.title)”"
    let choice = Look.choice(of: ids, isChosen: isChosen, listing: .max).map { "; \($0)" } ?? ""
    session.print(
      "\(file.path):\(name) \(steps.isEmpty ? "nothing" : steps.joined(separator: " → "))\(choice)")
  }

  /// Writes a look as it is, or baked where the format holds no such look.
  private func write(_ look: Look, to path: String, in session: Session) throws {
    guard size == nil else { return try bake(look, to: path, in: session) }
    // Its errors are those of a baked look, too.
    let stored = try look.stored(inFile: path)
    do {
      try save(stored, to: path, in: session)
    } catch let refusal as LookFileError {
      guard case .cannotHold = refusal, Self.holdsTables(path) else { throw refusal }
      return try bake(look, to: path, in: session)
    }
    if try stored.withPoints(inFile: path) != nil, !session.settings.isQuiet {
      session.print(
        "\(path): the curves before the 3D LUT are stored as points, and linear between them")
    }
  }

  /// Bakes a look over its own domain, or over 0…1 where the format holds no other, and measures the error over the
  /// look's domain.
  private func bake(_ look: Look, to path: String, in session: Session) throws {
    let holdsDomains = try Self.holdsDomains(path)
    let domain = look.inputBox
    let box = holdsDomains ? domain ?? .unit : .unit
    var note = ""
    if domain.map({ !box.contains($0) }) ?? true {
      note = "; colors outside 0…1 are clipped"
      if !holdsDomains { note += ": the format holds no other domain" }
    }
    try bake(
      look.title, size: size ?? Self.defaultSize(path, for: look), to: path, over: box,
      measuredOver: domain ?? .unit, note: note, in: session
    ) {
      $0.look(look)
    }
  }

  private func bake(
    _ title: String, size: Int, to path: String, over box: ColorBox,
    measuredOver measured: ColorBox, note: String, in session: Session,
    _ change: (Picture) throws -> Picture
  ) throws {
    guard !Self.isImage(path) || (2...16).contains(where: { $0 * $0 == size }) else {
      throw Misuse(
        "A Hald image has n² grid points per side, and \(size) is no square number. Pass --size 36, 49 or 64."
      )
    }
    try Look.checkTables(inFile: path)
    let baked = try Look.baking(
      title, size: size, in: space, over: box, measuredOver: measured,
      options: session.settings.renderOptions, storing: { try $0.stored(inFile: path) }, change)
    try save(baked.look, to: path, in: session)
    describe(baked, at: path, note: note, in: session)
  }

  private func describe(_ baked: Look.Baked, at path: String, note: String, in session: Session) {
    guard !session.settings.isQuiet else { return }
    session.print(
      "\(path): 3D LUT in \(baked.space); largest error \(baked.largestError), "
        + "mean \(baked.meanError)" + note)
  }

  private func save(_ look: Look, to path: String, in session: Session) throws {
    guard Self.isImage(path) else { return try look.write(to: path) }
    var named = look
    named.title = path
    try Picture(named.lookImage()).write(
      to: path, options: session.settings.renderOptions, writing: WritingOptions(isLossless: true))
  }

  /// The grid points per side without “--size”: those of the look's largest 3D LUT, and at least 33.
  private static func defaultSize(_ path: String, for look: Look = Look()) throws -> Int {
    if isImage(path) { return 64 }
    let sizes = look.steps.map { if case .table(let table) = $0 { table.size } else { 0 } }
    return try LookFileFormat(ofFile: path).gridSize(atLeast: max(33, sizes.max() ?? 0))
  }

  /// Whether the format of a path holds 3D LUTs over other domains than 0…1.
  private static func holdsDomains(_ path: String) throws -> Bool {
    try !isImage(path) && LookFileFormat(ofFile: path).holdsDomains
  }

  /// Whether the format of a path holds 3D LUTs.
  private static func holdsTables(_ path: String) -> Bool {
    (try? LookFileFormat(ofFile: path).holdsTables) ?? isImage(path)
  }

  private static func isImage(_ path: String) -> Bool { ImageFileFormat(ofFileNamed: path) != nil }
}

extension Look.Step {
  /// A few words, such as “3D LUT, 33³ grid points over -0.1…1.1”.
  fileprivate var summary: String {
    switch self {
    case .affine: "scale and offset"
    case .matrix: "matrix"
    case .curves(.sampled(let red), _, _): "1D LUTs of \(red.values.count) entries"
    case .curves: "curves"
    case .hueAdjustedCurves: "curves that keep hues"
    case .table(let table):
      table.lowest == .zero && table.highest == .one
        ? "3D LUT, \(table.size)³ grid points"
        : "3D LUT, \(table.size)³ grid points over \(ColorBox(table.lowest, table.highest).inWords)"
    case .clamp(let range): "clamp to \(range.lowerBound)…\(range.upperBound)"
    case .decisions(let decisions): "color decision list, \(decisions.style.rawValue)"
    @unknown default: "\(self)"
    }
  }
}

extension ColorBox {
  /// The corners, such as “0…1” and “-0.1…1.1”.
  fileprivate var inWords: String {
    self == .unit ? "0…1" : "\(lowest.inWords)…\(highest.inWords)"
  }

  /// The note that a 3D LUT over the box clips other colors.
  fileprivate var clippingNote: String { "; colors outside \(inWords) are clipped" }
}

extension Look.Spread {
  /// The box of the values that it covers.
  fileprivate var box: ColorBox {
    switch self {
    case .even(let range):
      ColorBox(SIMD3(repeating: range.lowerBound), SIMD3(repeating: range.upperBound))
    case .stops(let range): ColorBox(.zero, SIMD3(repeating: exp2(range.upperBound)))
    @unknown default: .unit
    }
  }
}

extension Parser<Look.Spread> {
  /// Parses the ends of a range that is wide enough for a table, or after “stops:” the exponents of 2 of a logarithmic one.
  fileprivate static var spread: Parser {
    Parser(
      "[stops:]LOW,HIGH",
      needed:
        "two numbers such as -0.5,4, the second one greater by 1e-6 to 1e18, or stops of -100 to 100 such as stops:-10,6"
    ) { word in
      let mark = "stops:"
      let isInStops = word.hasPrefix(mark)
      let ends = word.dropFirst(isInStops ? mark.count : 0)
        .split(separator: ",", omittingEmptySubsequences: false).compactMap { decimalNumber($0) }
      guard ends.count == 2, (1e-6...1e18).contains(ends[1] - ends[0]) else { return nil }
      guard isInStops else { return .even(ends[0]...ends[1]) }
      return ends.allSatisfy(Look.stops.contains) ? .stops(ends[0]...ends[1]) : nil
    }
  }
}

extension SIMD3<Double> {
  /// One number where all three are equal, such as “-0.1”, otherwise three in parentheses.
  fileprivate var inWords: String { x == y && y == z ? "\(x)" : "(\(x), \(y), \(z))" }
}
