import Colorloom
import ImageFiles

/// A picture that is read from a file, passed through steps and written: shared by the verbs for pictures.
struct PictureJob {
  private(set) var input = ""
  private(set) var output: String?
  @Boxed private(set) var steps = PictureSteps()
  @Boxed var writing = PictureOutput()
  private(set) var showsPlanOnly = false
  private(set) var isAsStored = false
  private var page: Int?
  private var layer: String?
  /// The name of the ink channel to read in place of the colors.
  var ink: String?
  private var salvages = false
  private var gainMaps: GainMapUse?
  /// The files of layers to write beside the picture.
  var layerFiles: [LayerFile] = []
  /// Where the steps are written as a recipe.
  var recipePath: String?
  /// Further input paths, and the options for several outputs.
  private var more: [String] = []
  private(set) var many = ManyPictures()
  /// The parts of each picture that become a file each; none for whole pictures.
  var frames: [Region] = []
  /// The frame that is worked on.
  private var frame: Int?
  /// The plans of many pictures, where only these are shown.
  private var plans: PlannedFiles?
  /// The contact sheet of what is written, and where it goes.
  @Boxed var sheet = ContactSheet()
  var sheetPath: String?

  /// What a verb does to the picture of a file before the steps, and the film that it used. The file has one channel if it `isGray`.
  typealias Beginning = (
    _ picture: Picture, _ file: (path: String, isGray: Bool), _ session: Session
  ) throws -> (picture: Picture, film: FilmReport?)
  /// Whether the beginning needs no finer samples than the source has. A film development does.
  var beginningKeepsSamples = false
  /// Whether the beginning makes gray pictures of gray ones.
  var beginningKeepsGray = false

  var printsJSON: Bool { writing.printsJSON }
  var assumed: Assumption? { steps.assumed }
  /// Whether there are steps, and all are those of recipe files.
  var stepsAreOfFiles: Bool { steps.areOfFiles }

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
        "the page of a TIFF, picture of a HEIF, part of an OpenEXR or frame of a GIF, PNG or WebP; default: the first or primary one"
      ),
      .layerName(\.layer),
      .flag(
        "--as-stored",
        "keep the stored pixels and the orientation tag; CMYK and n-color channels keep their values",
        \.isAsStored),
      .flag(
        "--salvage", "read the intact part of a truncated or damaged file, and report its extent",
        \.salvages),
      .option("--gain-maps", .gainMapUse, GainMapUse.help) { job, use in
        job.gainMaps = use
        if use == .add { job.writing.fileOptions.append(.addingGainMap) }
      },
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
    if try keepsResult(in: session) { return }
    if let written = try write(in: session, beginning: beginning), printsJSON {
      session.print(json: written)
    }
  }

  /// Whether the single result exists and is kept, which is reported then. Throws where it must not be replaced.
  func keepsResult(in session: Session) throws -> Bool {
    guard let output else { return false }
    try many.existing.check([output])
    guard many.existing.keeps([output]) else { return false }
    many.existing.report([output], asJSON: printsJSON, in: session)
    return true
  }

  /// Whether there may be several inputs.
  var isOfMany: Bool { many.pattern != nil || !more.isEmpty }

  /// Throws where arguments contradict each other, which is known before any file is read.
  func checkArguments(in session: Session) throws {
    if many.pattern == nil {
      if !more.isEmpty {
        throw Misuse(
          "There are \(2 + more.count) file names, but without --out one picture is written to one file. To write many, "
            + "pass --out “small/{name}.png”." + session.settings.hintOnSteps)
      }
      if !frames.isEmpty {
        throw Misuse(
          "“--frames” makes several files of one. Say where they go, such as with --out “{name}.png”."
        )
      }
      if sheetPath != nil {
        throw Misuse(
          "“--contact-sheet” is for many pictures. Say where they go, such as with --out “{name}.png”."
        )
      }
      if output == nil, !showsPlanOnly {
        throw Misuse(
          "There is no file to write. Name one after “\(input)”, or pass --plan to write nothing.")
      }
      if let output, output != "-", isFolder(output) {
        throw Failure(
          "“\(output)” is a folder. Name a file in it, or write --out \(shellWord(output)) to keep the name of the picture."
        )
      }
      if let output {
        var uses = FileUses()
        try uses.add(output, inPlaceOf: input)
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
      try writing.checkUse(byFilesAt: [output])
      try many.checkFolders(of: [output], onlyPlanned: true)
      try many.existing.check([output])
    }
  }

  /// Returns the many pictures with the files that they become, and the listings of their folders. Throws where one of these files or the
  /// contact sheet cannot be written.
  private func items(
    in session: Session
  ) throws -> (items: [ManyPictures.Item], listings: [PictureListing]) {
    let listings = try listings()
    let files = listings.flatMap(\.files)
    var uses = FileUses(reading: files)
    try uses.add("--contact-sheet", sheetPath)
    let items = try many.items(
      files, parts: frames.count, hasFormat: writing.format != nil, &uses)
    let outputs = items.map(\.output)
    try writing.checkUse(byFilesAt: outputs)
    let written = outputs + (sheetPath.map { [$0] } ?? [])
    try many.checkFolders(of: written, onlyPlanned: true)
    try many.existing.check(written)
    if let sheetPath {
      try sheet.check(
        for: items.count, at: sheetPath, checkedAt: many.pathToCheck(sheetPath), session)
    }
    return (items, listings)
  }

  private func runMany(
    in session: Session, _ roll: RollReport?, _ beginning: Beginning?
  ) throws {
    let (items, listings) = try items(in: session)
    // Options were checked for all files at once: one of them need not have a use for each option.
    var job = self
    job.writing.fileOptions = []
    job.plans = showsPlanOnly ? PlannedFiles() : nil
    let results = try many.run(
      items, of: listings, sheet: sheetPath, in: session, showingPlans: showsPlanOnly
    ) { [job] item, session in
      var one = job
      (one.input, one.output, one.frame) = (item.input, item.output, item.part)
      let file = try one.write(in: session, beginning: beginning)
      job.plans?.set(session.notes, of: item.output)
      return file
    }
    if let plans = job.plans {
      return many.report(plans, of: results, asJSON: printsJSON, in: session)
    }
    let written = try sheetPath.flatMap { path in
      try sheet.write(
        results.paths, captions: results.items.map(\.output), to: path,
        as: PictureOutput(), in: session
      ) { path, session in try session.picture(at: path, assuming: assumed) }.sheet
    }
    many.report(results, roll: roll, sheet: written, asJSON: printsJSON, in: session)
  }

  /// Throws where a file that an option names would replace one that is read, such as one of `others`, or a result, and where its folder
  /// is missing and not to be made.
  func check(_ option: String, _ path: String, besides others: [String] = []) throws {
    let further = try PictureListing.at(others).flatMap(\.files)
    let files = isOfMany ? try listings().flatMap(\.files) : inputs
    var uses = FileUses(reading: further + files)
    try uses.add(option, path)
    try many.existing.check([path])
    if isOfMany {
      try uses.add("--contact-sheet", sheetPath)
      _ = try many.items(
        files, parts: frames.count, hasFormat: writing.format != nil, &uses)
    } else if let output, let other = uses.addResult(output, at: output) {
      throw Misuse("“\(other)” and “\(output)” name the same file. Name two.")
    }
    try many.checkFolders(of: [path], onlyPlanned: showsPlanOnly)
  }

  /// The names of the pictures to read.
  var inputs: [String] { isOfMany ? [input] + (output.map { [$0] } ?? []) + more : [input] }

  /// Returns the pictures to read. Those whose names are not UTF-8 fail when the others are written.
  func listings() throws -> [PictureListing] {
    try PictureListing.at(inputs, recursive: many.isRecursive, reportsNames: true)
  }

  /// Measures the picture of one of the files, without messages on how it was read.
  func measuring<Value>(
    _ path: String, in session: Session, _ measure: (Picture) throws -> Value
  ) throws -> Value {
    try reading(path, in: session) { file in
      try assumed?.check(of: file, at: path)
      return try measure(file.picture(assuming: assumed?.space, isUpright: !isAsStored))
    }
  }

  /// Whether all files have a single channel. Those that cannot be opened do not count. False for pipes, which can be read only once.
  func areGray(in session: Session) throws -> Bool {
    guard !inputs.contains(where: isPipe) else { return false }
    let files = try listings().flatMap(\.files)
    let areGray = files.compactMap { path in
      try? reading(path, in: session) { $0.info.channels.isGray }
    }
    return !areGray.isEmpty && !areGray.contains(false)
  }

  /// Opens a file and passes it to `body`. An error says where --salvage would read the intact part.
  private func reading<Value>(
    _ path: String, in session: Session, _ body: (OpenedImageFile) throws -> Value
  ) throws -> Value {
    let file = try session.open(
      path, page: page, layer: layer, inks: steps.inks, assuming: assumed, salvaging: salvages)
    do { return try body(file) } catch {
      throw file.refusedIntactRows && Self.isDamage(error)
        ? SalvageableDamage(error: error) : error
    }
  }

  /// Whether an error is the damage of a file. Other threads may fail for other reasons before damage does.
  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case ImageFileError.damaged: true
    case ImageFileError.rendering(let error): isDamage(error)
    case RenderError.source(let wrapped): isDamage(wrapped.underlying)
    default: false
    }
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
    return try reading(input, in: session) { file in
      defer { if let salvage = file.salvage { session.note("\(salvage)") } }
      var written = try write(
        file, in: session, progress, beginning: beginning, writingBy: pass)
      written?.source = input
      return written
    }
  }

  private func write(
    _ file: OpenedImageFile, in session: Session, _ progress: ProgressLine, beginning: Beginning?,
    writingBy pass: PictureOutput.Pass
  ) throws -> WrittenFile? {
    if isAsStored, ink == nil, beginning == nil, gainMaps?.readsMap != true,
      let inks = try file.inkPicture(isUpright: false)
    {
      try session.report(file, at: input, assuming: assumed, page: page)
      try leaveOutGainMap(of: file, in: session)
      return try write(
        steps.changed(inks, at: input, in: session), madeFrom: inks, of: file, progress,
        in: session)
    }
    let source = try source(in: file, session)
    let begun = try beginning?(source, (input, file.info.channels.isGray), session)
    // Gain maps and developments make another picture than the one whose luminance the file states.
    let isBase = begun == nil && gainMaps?.readsMap != true
    var window = DataWindow(of: file.info, at: input)
    if frame != nil { window?.isInPlace = false }
    let all = (isBase ? steps.reading(file.info) : steps).beside(window)
    let (changed, separation) = try all.separated(
      framed(begun?.picture ?? source), at: input, ofInks: file.info.holdsInks && ink == nil,
      in: session)
    let picture = changed.picture
    if let separation {
      try leaveOutGainMap(of: file, in: session)
      return try write(
        picture, madeFrom: source, by: separation, of: file,
        keepingSamples: keepsSamples(isBegun: begun != nil), progress, in: session)
    }
    if ink == nil {
      session.noteConvertedInks(
        of: file, at: input, from: source, to: picture, by: steps,
        canKeep: begun == nil && steps.keepColors && writesInks)
    }
    guard let output else {
      let unnamed = try writing.unnamedFile(picture)
      try showPlan(of: unnamed, begun?.film, in: session)
      try session.check(
        [unnamed.picture], as: unnamed.writtenSamples, dither: unnamed.dither)
      return nil
    }
    var written = try self.file(
      at: output, holding: changed, madeFrom: source, of: file, isBegun: begun != nil, in: session)
    written.writing.layers = try layers(
      beside: DataWindow(of: file.info, at: input), in: session)
    if showsPlanOnly {
      try showPlan(of: written, begun?.film, in: session)
      written.path = many.pathToCheck(written.path)
      try writing.check([written], in: session)
      return nil
    }
    let recipe = try recipe(of: picture, from: source, in: file, session)
    let reports = try writing.write([written], in: session, progress: progress, by: pass)
    try save(recipe: recipe, of: written.path, in: session)
    var report = WrittenFile(written, reports[0])
    report.film = begun?.film
    return report
  }

  /// Whether the format of the output holds ink channels. True without an output.
  private var writesInks: Bool {
    guard let output else { return true }
    return (writing.format ?? ImageFileFormat(ofFileNamed: output))?.inkCounts != nil
  }

  /// Returns the picture that is read: the colors, or one of the ink channels.
  private func source(in file: OpenedImageFile, _ session: Session) throws -> Picture {
    guard let ink else {
      return try session.picture(
        in: file, at: input, assuming: assumed, isUpright: !isAsStored, page: page,
        gainMap: gainMaps)
    }
    try session.report(file, at: input, assuming: assumed, page: page)
    return try picture(ofInk: ink, of: file)
  }

  /// Returns the file to write, with the metadata and the gain map of its source as far as they apply to the changed picture.
  private func file(
    at output: String, holding changed: PictureSteps.Stage, madeFrom source: Picture,
    of file: OpenedImageFile, isBegun: Bool, in session: Session
  ) throws -> PictureFile {
    let picture = changed.picture
    let hasSameSpace = !isBegun && picture.space == source.space
    let metadata = writing.framed(
      writing.metadata(
        of: file.info, at: input,
        hasSameLight: hasSameSpace && steps.keepLuminance && !changed.hasMappedTones, in: session),
      for: picture, at: output, of: input,
      resizedBy: frame == nil && changed.isOnlyResized ? steps : nil, in: session)
    let isGray =
      (!isBegun || beginningKeepsGray) && (file.info.channels.isGray || ink != nil)
      && steps.keepGray(of: [source], in: picture)
      || steps.makeGrays(of: picture)
    var written = try writing.file(
      picture, at: output, keeping: metadata, madeFrom: source,
      orientation: isAsStored ? file.info.orientation : .upright, isGray: isGray,
      sourceSamples: keepsSamples(isBegun: isBegun) ? file.info.storedSamples : nil)
    noteLinearSteps(of: written, isBegun: isBegun, in: session)
    // The gain map is rendered to know its size, which takes long.
    if gainMaps == .add { try writing.checkUse(by: [written]) }
    written.writing.gainMap = try gainMap(
      of: file, from: source, to: changed, for: written, isBegun: isBegun || ink != nil,
      in: session)
    return written
  }

  /// Whether the file has the sample format of its source: a development needs a finer one.
  private func keepsSamples(isBegun: Bool) -> Bool {
    (!isBegun || beginningKeepsSamples) && !steps.develop
  }

  /// Reports a developed picture in linear values of 8 bits.
  private func noteLinearSteps(of file: PictureFile, isBegun: Bool, in session: Session) {
    guard !keepsSamples(isBegun: isBegun), file.picture.space.transfer.isLinear,
      file.writtenSamples == .uint8
    else { return }
    session.note(
      "“\(file.path)” holds linear values in 8 bits, whose steps are visible. Write more bits (--samples uint16), or "
        + "convert to a space that is not linear, such as --to srgb.")
  }

  /// The gain map to write beside the picture.
  private func gainMap(
    of file: OpenedImageFile, from source: Picture, to changed: PictureSteps.Stage,
    for written: PictureFile, isBegun: Bool, in session: Session
  ) throws -> PictureGainMap? {
    if gainMaps == .add {
      // One of many files need not hold a map.
      if let format = written.format ?? ImageFileFormat(ofFileNamed: written.path),
        !format.holdsGainMaps
      {
        session.note("“\(written.path)”: \(ImageFileNote.omittedGainMap(format: format))")
        return nil
      }
      // A file with a gain map is read as its base, which the steps change; the map leads to its picture of high dynamic range.
      let high = try file.hdrPicture(assuming: assumed?.space, isUpright: !isAsStored)
      let map = try PictureGainMap(
        from: changed.picture,
        to: steps.moved(framed(high ?? source), as: changed, in: session),
        options: session.settings.renderOptions)
      guard map.gain.alternateHeadroom == 0 else { return map }
      session.note(
        "“\(written.path)” gets no gain map, because the result is nowhere darker than the picture that is read."
      )
      return nil
    }
    guard gainMaps == nil, let map = file.gainMap(isUpright: !isAsStored) else { return nil }
    guard !isBegun, steps.onlyMove(in: source.space, to: changed),
      !writing.changesMeaning(of: changed.picture)
    else {
      session.noteOmittedGainMap(of: input, because: "it does not fit the changed colors")
      return nil
    }
    if steps.areNone, frame == nil { return map }
    return try map.moved(with: source) {
      try steps.moved(framed($0), as: changed, in: session)
    }
  }

  /// Refuses to add a gain map to a file of ink channels, and reports that the gain map of its source is left out.
  private func leaveOutGainMap(of file: OpenedImageFile, in session: Session) throws {
    if gainMaps == .add {
      throw Misuse(
        "“--gain-maps add” adds a gain map to colors, and \(resultName) would hold ink channels. Leave it out."
      )
    }
    if gainMaps == nil, file.info.gainMap != nil {
      session.noteOmittedGainMap(of: input, because: "\(resultName) holds ink channels")
    }
  }

  /// The written picture in a sentence. A plan needs no path.
  private var resultName: String { output.map { "“\($0)”" } ?? "the result" }

  /// Prints the plan of rendering a picture to a file.
  private func showPlan(
    of file: PictureFile, _ film: FilmReport? = nil, in session: Session
  ) throws {
    guard printsJSON else {
      printPlanHeading(in: session)
      if let film { session.print("film: \(film)") }
      return session.printText(file.picture.plan)
    }
    let plan = try session.planReport(
      of: file.picture, as: file.writtenSamples, channels: file.writtenChannels,
      dither: file.dither)
    guard let film, case .object(let members) = plan else { return report(plan, in: session) }
    let value = try decoded(RecipeValue.self, fromJSON: jsonLine(film))
    report(.object(members + [RecipeValue.Member("film", value)]), in: session)
  }

  /// Names the picture whose plan follows, where there are several.
  func printPlanHeading(in session: Session) {
    if plans != nil, let output { session.print("\(input) → \(output):") }
  }

  /// Prints a plan as JSON, or keeps it for the report on many pictures.
  func report(_ plan: RecipeValue, in session: Session) {
    guard let plans, let output else { return session.print(json: plan) }
    plans.add(PlannedFiles.File(of: input, to: output, plan))
  }
}
