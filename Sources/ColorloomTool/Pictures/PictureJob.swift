import Colorloom
import ImageFiles

/// A picture that is read from a file, passed through steps and written: shared by the verbs for pictures.
struct PictureJob {
  private(set) var input = ""
  private(set) var output: String?
  private var steps = PictureSteps()
  private(set) var writing = PictureOutput()
  private(set) var showsPlanOnly = false
  private(set) var isAsStored = false
  private var page: Int?
  private var salvages = false
  private var gainMaps: GainMapUse?
  /// Further input paths, and the options for several outputs.
  private var more: [String] = []
  private(set) var many = ManyPictures()
  /// The parts of each picture that become a file each; none for whole pictures.
  var frames: [Region] = []
  /// The frame that is worked on.
  private var frame: Int?
  /// The contact sheet of what is written, and where it goes.
  var sheet = ContactSheet()
  var sheetPath: String?

  /// What a verb does to the picture of a file before the steps, and the film that it used.
  typealias Beginning = (
    _ picture: Picture, _ path: String, _ session: Session
  ) throws -> (picture: Picture, film: FilmReport?)
  /// Whether the beginning needs no finer samples than the source has. A film development does.
  var beginningKeepsSamples = false
  /// Whether the beginning makes gray pictures of gray ones.
  var beginningKeepsGray = false

  var printsJSON: Bool { writing.printsJSON }
  private var assumed: Assumption? { steps.assumed }

  static var arguments: [Argument<PictureJob>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .positional(.path.named("OUT"), "the picture to write; not needed with --plan", \.output),
      .rest(
        .path.named("MORE"),
        "further pictures or folders to read; needs --out, and OUT is then read, too", \.more),
    ] + PictureSteps.arguments.map { $0.within(\.steps) } + [
      .assume(\.steps.assumed),
      .page(
        \.page,
        "the page of a TIFF, or picture of a HEIF, to read; default: the first or primary one"),
      .flag(
        "--as-stored",
        "keep the stored pixels and the orientation tag; CMYK and n-color channels keep their values",
        \.isAsStored),
      .flag(
        "--salvage", "read the intact part of a truncated or damaged file, and report its extent",
        \.salvages),
      .option("--gain-maps", .gainMapUse, GainMapUse.help, \.gainMaps),
      .flag("--plan", "show the plan and run nothing", \.showsPlanOnly),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
      + ManyPictures.arguments.map { $0.within(\.many) }
  }

  /// Reads the picture, applies `beginning` and the steps, writes the result, and reports it.
  func run(
    in session: Session, roll: RollReport? = nil, beginning: Beginning? = nil
  ) throws {
    try checkArguments(in: session)
    if isOfMany { return try runMany(in: session, roll, beginning) }
    if let written = try write(in: session, beginning: beginning), printsJSON {
      session.print(json: written)
    }
  }

  /// Whether there may be several inputs.
  var isOfMany: Bool { many.pattern != nil || !more.isEmpty }

  /// Throws where arguments contradict each other, which is known before any file is read.
  func checkArguments(in session: Session) throws {
    if many.pattern == nil {
      if !more.isEmpty {
        throw Misuse(
          "There are \(2 + more.count) names, and one picture is written to one file. Where many pictures go, --out "
            + "says, such as --out “small/{name}.png”." + session.settings.hintOnSteps)
      }
      if !frames.isEmpty {
        throw Misuse(
          "“--frames” makes several files of one. Where they go, --out says, such as --out “{name}.png”."
        )
      }
      if sheetPath != nil {
        throw Misuse(
          "“--contact-sheet” is for many pictures. Where they go, --out says, such as --out “{name}.png”."
        )
      }
      if output == nil, !showsPlanOnly {
        throw Misuse("A second file is needed, to write to; only --plan does without.")
      }
    }
    if sheetPath != nil, writing.writing.isUntagged {
      throw Misuse(
        "“--contact-sheet” shows the written files, whose color space “--untagged” leaves out. Leave out one of them."
      )
    }
  }

  /// Throws where the paths of results cannot be written to, which is known before any picture is read. Makes no folder.
  func checkResults(in session: Session) throws {
    if isOfMany {
      _ = try items(in: session)
    } else if let output {
      try many.checkFolders(of: [output], onlyPlanned: true)
    }
  }

  /// Returns the many pictures with the files that they become. Throws where one of these or the contact sheet cannot be written.
  private func items(in session: Session) throws -> [ManyPictures.Item] {
    let files = try ManyPictures.files(at: inputs)
    var uses = FileUses(reading: files)
    try uses.add("--contact-sheet", sheetPath)
    let items = try many.items(files, parts: frames.count, &uses)
    let outputs = items.map(\.output)
    try writing.checkUse(byFilesAt: outputs)
    try many.checkFolders(of: outputs + (sheetPath.map { [$0] } ?? []), onlyPlanned: true)
    if let sheetPath {
      try sheet.check(
        for: items.count, at: sheetPath, checkedAt: many.pathToCheck(sheetPath), session)
    }
    return items
  }

  private func runMany(
    in session: Session, _ roll: RollReport?, _ beginning: Beginning?
  ) throws {
    let items = try items(in: session)
    // Options were checked for all files at once: one of them need not have a use for each option.
    var job = self
    job.writing.fileOptions = []
    let results = try many.run(
      items, of: inputs, sheet: sheetPath, in: session, showingPlans: showsPlanOnly
    ) { [job] item, session in
      var one = job
      (one.input, one.output, one.frame) = (item.input, item.output, item.part)
      return try one.write(in: session, beginning: beginning)
    }
    if showsPlanOnly { return }
    let written = try sheetPath.map { path in
      try sheet.write(
        results.files.map { $0?.file }, captions: results.items.map(\.output), to: path,
        as: PictureOutput(), in: session
      ) { path, session in try session.picture(at: path, assuming: assumed) }
    }
    many.report(results, roll: roll, sheet: written, asJSON: printsJSON, in: session)
  }

  /// Throws where a file that an option names would replace one that is read, such as one of `others`, or a result.
  func check(_ option: String, _ path: String, besides others: [String] = []) throws {
    let further = try ManyPictures.files(at: others)
    let files = isOfMany ? try ManyPictures.files(at: inputs) : inputs
    var uses = FileUses(reading: further + files)
    try uses.add(option, path)
    if isOfMany {
      try uses.add("--contact-sheet", sheetPath)
      _ = try many.items(files, parts: frames.count, &uses)
    } else if let output, let other = uses.addResult(output, at: output) {
      throw Misuse("“\(other)” and “\(output)” name the same file. Name two.")
    }
  }

  /// The names of the pictures to read.
  var inputs: [String] { isOfMany ? [input] + (output.map { [$0] } ?? []) + more : [input] }

  /// Reads the picture of one of the files, without messages on how it was read.
  func source(at path: String, in session: Session) throws -> Picture {
    let file = try session.open(
      path, page: page, inks: steps.inks, assuming: assumed, salvaging: salvages)
    try assumed?.check(of: file, at: path)
    return try file.picture(assuming: assumed?.space, isUpright: !isAsStored)
  }

  /// The part of a picture that becomes a file.
  private func framed(_ picture: Picture) throws -> Picture {
    guard let frame else { return picture }
    try picture.check(frames[frame], of: "--frames", at: input)
    return picture.cropped(to: frames[frame])
  }

  /// Runs the job without the report; returns what was written, nil where only the plan was shown.
  func write(
    in session: Session, beginning: Beginning? = nil,
    writingBy pass: PictureOutput.Pass = { try Picture.write($0, options: $1) }
  ) throws -> WrittenFile? {
    if let output { try many.checkFolders(of: [output], onlyPlanned: showsPlanOnly) }
    let progress = session.progressLine()
    let file = try session.open(
      input, page: page, inks: steps.inks, assuming: assumed, salvaging: salvages)
    defer { if let salvage = file.salvage { session.note("\(salvage)") } }
    if isAsStored, beginning == nil, gainMaps?.readsMap != true,
      let inks = try file.inkPicture(isUpright: false)
    {
      try assumed?.check(of: file, at: input)
      session.tellAssumption(assumed, of: file, at: input)
      for note in file.info.notes { session.tell(note, of: input, page: page) }
      try leaveOutGainMap(of: file, in: session)
      return try write(
        steps.changed(inks, at: input, in: session), madeFrom: inks, of: file, progress,
        in: session)
    }
    let source = try session.picture(
      in: file, at: input, assuming: assumed, isUpright: !isAsStored, page: page,
      gainMap: gainMaps)
    let begun = try beginning?(source, input, session)
    let (changed, separation) = try steps.separated(
      framed(begun?.picture ?? source), ofInks: file.info.holdsInks, in: session)
    let picture = changed.picture
    if let separation {
      try leaveOutGainMap(of: file, in: session)
      return try write(
        picture, madeFrom: source, by: separation, of: file,
        keepingSamples: keepsSamples(isBegun: begun != nil), progress, in: session)
    }
    guard let output else {
      let unnamed = writing.unnamedFile(picture)
      try showPlan(of: unnamed, begun?.film, in: session)
      try session.check(
        [unnamed.picture], as: unnamed.writtenSamples, dither: unnamed.dither)
      return nil
    }
    let hasSameSpace = beginning == nil && picture.space == source.space
    let metadata = writing.framed(
      writing.metadata(
        of: file.info, at: input, hasSameLight: hasSameSpace && steps.keepLight, in: session),
      for: picture, at: output, of: input,
      resizedBy: frame == nil && changed.isOnlyResized ? steps : nil, in: session)
    let isGray =
      (beginning == nil || beginningKeepsGray) && file.info.channels.isGray
      && steps.keepGray(of: [source], in: picture)
      || steps.makeGrays(of: picture)
    var written = try writing.file(
      picture, at: output, keeping: metadata, madeFrom: source,
      orientation: isAsStored ? file.info.orientation : .upright, isGray: isGray,
      sourceSamples: keepsSamples(isBegun: begun != nil) ? file.info.samples : nil)
    written.writing.gainMap = try gainMap(
      of: file, from: source, to: picture, isBegun: begun != nil, in: session)
    if showsPlanOnly {
      try showPlan(of: written, begun?.film, in: session)
      written.path = many.pathToCheck(written.path)
      try writing.check([written], in: session)
      return nil
    }
    let reports = try writing.write([written], in: session, progress: progress, by: pass)
    var report = WrittenFile(written, reports[0])
    report.film = begun?.film
    return report
  }

  /// Whether the file has the sample format of its source: a development needs a finer one.
  private func keepsSamples(isBegun: Bool) -> Bool {
    (!isBegun || beginningKeepsSamples) && !steps.develop
  }

  /// The gain map to write beside the picture.
  private func gainMap(
    of file: OpenedImageFile, from source: Picture, to picture: Picture, isBegun: Bool,
    in session: Session
  ) throws -> PictureGainMap? {
    if gainMaps == .add {
      // A file with a gain map is read as its base, which the steps change; the map leads to its picture of high dynamic range.
      let high = try file.hdrPicture(assuming: assumed?.space, isUpright: !isAsStored)
      return try PictureGainMap(
        from: picture, to: steps.moved(framed(high ?? source), in: session),
        options: session.settings.renderOptions)
    }
    guard gainMaps == nil, let map = file.gainMap(isUpright: !isAsStored) else { return nil }
    guard !isBegun, steps.onlyMove, !writing.changesMeaning else {
      noteOmittedGainMap("it does not fit the changed colors", in: session)
      return nil
    }
    if steps.areNone, frame == nil { return map }
    return try map.moved(with: source) { try steps.moved(framed($0), in: session) }
  }

  /// Refuses to add a gain map to a file of ink channels, and reports that the gain map of its source is left out.
  private func leaveOutGainMap(of file: OpenedImageFile, in session: Session) throws {
    if gainMaps == .add {
      throw Misuse(
        "“--gain-maps add” adds a gain map to colors, and \(resultName) would hold ink channels. Leave it out."
      )
    }
    if gainMaps == nil, file.info.gainMap != nil {
      noteOmittedGainMap("\(resultName) holds ink channels", in: session)
    }
  }

  private func noteOmittedGainMap(_ reason: String, in session: Session) {
    session.note("The gain map of “\(input)” is left out, because \(reason).")
  }

  /// The written picture in a sentence. A plan needs no path.
  private var resultName: String { output.map { "“\($0)”" } ?? "the result" }

  /// Prints the plan of rendering a picture to a file.
  private func showPlan(
    of file: PictureFile, _ film: FilmReport? = nil, in session: Session
  ) throws {
    try showPlan(
      of: file.picture, as: file.writtenSamples, channels: file.writtenChannels,
      dither: file.dither, film, in: session)
  }

  /// Prints the plan of rendering a picture to rows of a sample format.
  func showPlan(
    of picture: Picture, as samples: SampleFormat, channels: Channels? = nil, dither: Dither?,
    _ film: FilmReport? = nil, in session: Session
  ) throws {
    if printsJSON {
      let plan = try session.planReport(
        of: picture, as: samples, channels: channels, dither: dither)
      guard let film, case .object(let members) = plan else { return session.print(json: plan) }
      let value = try decoded(RecipeValue.self, fromJSON: jsonLine(film))
      session.print(json: RecipeValue.object(members + [RecipeValue.Member("film", value)]))
    } else {
      if let film { session.print("film: \(film)") }
      session.printText(picture.plan)
    }
  }
}
