import Colorloom
import ICCProfiles
import ImageFiles

/// The steps of a picture in the order of the command line, with their options: for every verb that changes pictures.
struct PictureSteps {
  private var steps: [Step] = []
  private var conversions = ColorConversions()
  /// The kernel of --kernel.
  private(set) var kernel: ResamplingKernel?
  private var shrinksOnLoad = false
  private(set) var converts = false
  /// The final conversion to the ink channels of a press profile.
  private var press: (profile: ICCProfile, conversion: Conversion)?
  /// The traits of a recipe that was applied before the steps.
  private var earlierTraits: Set<FilterTrait> = []
  /// Whether that recipe, if there is one, leaves linear light unchanged.
  private var earlierKeepsLight = true
  private var stepsKeepGray = true
  /// Whether the space of the last conversion has its grays in equal channels. Only there do filters keep gray.
  private var graysHaveEqualChannels = true
  /// Whether a conversion made grays of the picture, and no step after it adds color.
  private var endsGray = false
  private var recipes: [RecipeFile] { steps.compactMap(\.recipe) }

  /// The color space of files that state none, for the further pictures of steps, too.
  var assumed: Assumption?

  /// Whether a step may change the proportions of the picture, as `--resize` does.
  var stretches: Bool { steps.contains(where: \.stretches) }

  /// The path of the picture's file, for notes.
  private var path: String?
  /// The data window of the picture, to which the further pictures of steps are aligned.
  private(set) var window: DataWindow?

  /// Whether the verb resizes the picture after all steps, by the kernel of --kernel.
  var resizesResult = false

  /// The options for converting a file's ink channels to colors.
  var inks: ProfileRendering { conversions.rendering }

  /// Whether a step develops a negative.
  var develop: Bool {
    earlierTraits.contains(.develops) || steps.contains { $0.traits.contains(.develops) }
  }

  /// Returns the steps for pictures that a recipe made, whose traits they take into account.
  func following(_ recipe: Recipe) -> PictureSteps {
    var steps = self
    (steps.earlierTraits, steps.earlierKeepsLight) = (recipe.traits, recipe.keepsLight)
    return steps
  }

  /// Returns the steps for the picture of a file, whose metadata may state its luminance.
  func reading(_ info: ImageFileInfo) -> PictureSteps {
    var steps = self
    steps.conversions.contentPeak = info.metadata.contentPeak
    return steps
  }

  /// Returns the steps for the picture of a file, whose data window further pictures are aligned to.
  func beside(_ window: DataWindow?) -> PictureSteps {
    var steps = self
    steps.window = window
    return steps
  }

  static let order = """
    Steps happen in the order in which they are given, and may be repeated. Options hold for the whole command, wherever they stand.
    """

  static var arguments: [Argument<PictureSteps>] {
    let steps = Argument.under("Steps, in the order given", stepArguments)
    return steps + Argument.filters(except: Set(steps.map(\.synopsis.name)))
      + ColorConversions.arguments.map { $0.within(\.conversions) } + [
        kernelArgument,
        .flag(
          "--shrink-on-load",
          "decode JPEG files at a reduced size, at least twice that of the first resize: faster, "
            + "with slightly different pixels", \.shrinksOnLoad
        ).needing("--fill", "--fit", "--resize", "--thumbnail"),
      ]
  }

  /// --kernel, which needs a step that resamples.
  private static var kernelArgument: Argument<PictureSteps> {
    let argument = Argument<PictureSteps>.option(
      "--kernel", .kernel,
      "resampling kernel of all steps that name none; default: lanczos3 to resize, catmullrom to transform",
      \.kernel)
    let options = Tool.catalog.entries.filter(\.takesKernel).flatMap { entry in
      [entry.name] + entry.aliases.map(\.name)
    }
    var synopsis = argument.synopsis
    synopsis.needs = [["--fit", "--resize", "--thumbnail"]]
    synopsis.needs[0] += options.map { "--\($0)" }.filter { !synopsis.needs[0].contains($0) }
    return Argument(synopsis: synopsis, take: argument.take)
  }

  private static var stepArguments: [Argument<PictureSteps>] {
    [
      step(
        "--curve", .points,
        "tone curve, such as “0,0 .25,.2 .75,.8 1,1”: a natural spline, or another such as “makima 0,0 1,1”"
      ) { steps, curve in
        steps.add("--curve") { $0.toneCurve(curve) }
      },
      .option("--curves", .pointsOfChannels, "tone curve for each channel") { steps, curves in
        steps.addColoring("--curves") {
          $0.toneCurves(red: curves[0], green: curves[1], blue: curves[2])
        }
      },
      step(
        "--paper", .number.named("CONTRAST"),
        "photographic paper of this contrast; normal paper has 1.6"
      ) {
        steps, contrast in
        steps.add("--paper", traits: [.mapsTones]) { $0.paperCurve(contrast: contrast) }
      },
      step(
        "--fit", .fit,
        "resize to fit inside, in linear light; “2048,no-enlarge” never enlarges"
      ) { steps, fit in steps.addFit("--fit", fit) },
      step(
        "--thumbnail", .thumbnail,
        "resize to fit inside, never enlarge, and decode JPEG files at a reduced size"
      ) { steps, fit in
        steps.addFit("--thumbnail", fit)
        steps.shrinksOnLoad = true
      },
      step(
        "--resize", .resize,
        "resize to this size; a width, a height or a percentage alone keeps proportions"
      ) { steps, target in steps.addResize("--resize", to: target) },
      .flag(
        "--trim", .tolerance,
        "crop to the pixels that differ from the top left one, by default by more than \(percent(Picture.contentTolerance)) %"
      ) { steps, tolerance in steps.addTrim(tolerance) },
      levelArgument,
      .option("--highlight", .space, "turn colors inside of this gamut gray") { steps, space in
        steps.addColoring("--highlight") { $0.gamutMask(outside: space) }
      },
      .option(
        "--to", .spaceOrProfile,
        "convert to this color space or profile; CMYK and n-color profiles are applied last"
      ) { steps, end in
        let conversion = Conversion(
          end: end, position: steps.steps.count, isFirst: !steps.converts)
        steps.converts = true
        if case .profile(let profile) = end, profile.isOfInks, steps.press == nil {
          steps.press = (profile, conversion)
          return
        }
        steps.endsGray = end.isGray
        steps.graysHaveEqualChannels = end.graysHaveEqualChannels
        steps.append("--to \(end)", traits: [.converts]) { picture, all, _ in
          try all.conversions.convert(picture, to: end)
        }
        steps.steps[conversion.position].conversion = conversion
      },
      .option("--recipe", .recipe, "apply a recipe with one input and one output") {
        steps, file in
        let path = file.path
        steps.add("--recipe \(path)", recipe: file) { try file.picture(of: $0) }
        steps.endsGray = false
      },
    ]
  }

  /// An option with a short form of its own, which also takes the parameters of the filter that the catalog has under its name.
  private static func step<Value>(
    _ name: String, _ parser: Parser<Value>, _ meaning: String,
    set: @escaping (inout PictureSteps, Value) -> Void
  ) -> Argument<PictureSteps> {
    let short = Argument.option(name, parser, meaning, set: set)
    return Argument(synopsis: short.synopsis) { steps, words in
      guard let word = words.first, !word.hasPrefix("@"), word.contains(where: "=:".contains),
        let entry = Tool.catalog[String(name.dropFirst(2))]
      else { return try short.take(&steps, words) }
      let alias = entry.aliases.first { "--\($0.name)" == name }
      steps.addDeclared(try FilterStep(entry, alias: alias, value: word, of: name))
    }
  }

  private mutating func append(
    _ name: String, _ placement: PixelPlacement = .kept, traits: Set<FilterTrait> = [],
    keepsLight: Bool = true, recipe: RecipeFile? = nil, kernel: KernelUse = .none,
    _ change: @escaping (Picture, PictureSteps, Session) throws -> Picture
  ) {
    steps.append(
      Step(
        name: name, placement: placement, ownTraits: traits, ownKeepsLight: keepsLight,
        recipe: recipe, kernel: kernel, change: change))
  }

  private mutating func add(
    _ name: String, traits: Set<FilterTrait> = [], recipe: RecipeFile? = nil,
    _ change: @escaping (Picture) throws -> Picture
  ) {
    append(name, traits: traits, keepsLight: false, recipe: recipe) { picture, _, _ in
      try change(picture)
    }
    if !graysHaveEqualChannels { (stepsKeepGray, endsGray) = (false, false) }
  }

  /// Adds a filter of the catalog. If it resamples, it has the kernel of --kernel unless it names one.
  mutating func add(_ step: FilterStep) {
    let placement = step.entry.placement
    let moves = placement == .moved
    let kernel: KernelUse =
      !step.entry.takesKernel ? .none : step.value(of: "kernel") == nil ? .common : .own
    append(
      step.option, placement, traits: step.entry.traits, keepsLight: step.keepsLight,
      kernel: kernel
    ) { picture, all, session in
      let common = kernel == .common ? all.kernel : nil
      let step = try common.map { try step.defaulting("kernel", to: $0.recipeValue()) } ?? step
      guard let target = step.resizeTarget, let reduced = all.reduced(picture, for: target) else {
        return try step.picture(
          of: picture, in: all.window, assuming: all.assumed, in: session)
      }
      return try step.setting("to", to: reduced.target.recipeValue())
        .picture(of: reduced.picture, in: all.window, assuming: all.assumed, in: session)
    }
    steps[steps.count - 1].ownStretches = step.stretches
    if !step.keepsGray || !moves && !graysHaveEqualChannels {
      (stepsKeepGray, endsGray) = (false, false)
    }
  }

  /// Adds a filter of the catalog by an option that has a short form, too.
  private mutating func addDeclared(_ step: FilterStep) {
    add(step)
    guard step.entry.placement == .moved else { return }
    let target: [RecipeValue.Member] =
      if case .object(let members)? = step.value(of: "to") { members } else { [] }
    // A picture that fills a size is cropped to it.
    if target.first?.name != "fill" { steps[steps.count - 1].placement = .resized }
  }

  /// Adds a step that may make colors of gray.
  private mutating func addColoring(
    _ name: String, _ change: @escaping (Picture) throws -> Picture
  ) {
    add(name, change)
    (stepsKeepGray, endsGray) = (false, false)
  }

  private mutating func addFit(_ name: String, _ fit: FitBox) {
    append(name, .resized, kernel: .common) { picture, all, _ in all.fitted(picture, into: fit) }
  }

  /// Adds a crop to a size.
  mutating func add(_ crop: SizedCrop, _ name: String) {
    append(name, .moved) { picture, _, _ in crop.part(of: picture) }
  }

  private mutating func addTrim(_ tolerance: Double?) {
    append("--trim", .moved) { picture, all, session in
      try picture.trimmed(tolerance, at: all.path, in: session)
    }
    steps[steps.count - 1].isTrim = true
  }

  mutating func addLevels(_ levels: LevelStep) {
    append("--auto-levels", keepsLight: false) { picture, all, session in
      try picture.leveled(levels, at: all.path, in: session)
    }
  }

  /// Returns the picture resized to fit into a box, unless it is smaller and may not be enlarged.
  func fitted(_ picture: Picture, into fit: FitBox) -> Picture {
    fit.isAtLeast(picture.size) && !fit.enlarges ? picture : resized(picture, to: fit.target)
  }

  private mutating func addResize(_ name: String, to target: ResizeTarget) {
    append(name, .resized, kernel: .common) { picture, all, _ in all.resized(picture, to: target) }
    if case .exact = target { steps[steps.count - 1].ownStretches = true }
  }

  private func resized(_ picture: Picture, to target: ResizeTarget) -> Picture {
    let reduced = reduced(picture, for: target) ?? (picture, target)
    return reduced.picture.resized(to: reduced.target, by: kernel ?? .lanczos3)
  }

  /// Returns the picture to resize, decoded at twice the size of the result or more, and the size of the result, which that of the whole
  /// picture decides. A size that is to be filled stays the target, because the result is cropped to it. Nil without --shrink-on-load.
  private func reduced(
    _ picture: Picture, for target: ResizeTarget
  ) -> (picture: Picture, target: ResizeTarget)? {
    guard shrinksOnLoad, let size = try? Resize(to: target).outputSize(for: picture.size)
    else { return nil }
    let reduced = picture.reduced(toAtLeast: PixelSize(2 * size.width, 2 * size.height))
    if case .fill = target { return (reduced, target) }
    return (reduced, .exact(size.width, size.height))
  }

  /// Returns the picture after all steps. Ink channels of its file must have been converted to colors with ``inks`` before.
  func applied(to picture: Picture, in session: Session) throws -> Picture {
    try changed(picture, in: session).picture
  }

  /// Returns the picture after all steps, and whether they only resize it. Refuses a conversion to ink channels.
  func changed(
    _ picture: Picture, at path: String? = nil, ofInks: Bool = false, in session: Session
  ) throws -> Stage {
    let stages = try pictures(from: picture, at: path, ofInks: ofInks, in: session)
    return stages[stages.count - 1]
  }

  /// Refuses --kernel where each step that resamples names a kernel.
  private func checkKernel() throws {
    let uses = steps.map(\.kernel)
    guard kernel != nil, !resizesResult, uses.contains(.own), !uses.contains(.common)
    else { return }
    throw Misuse(
      "“--kernel” is for steps that name no kernel, and each step that resamples names one. Leave out one of them."
    )
  }

  /// Whether a conversion maps high dynamic range to standard dynamic range by default: nothing before it maps tones or converts. A picture
  /// that was converted to PQ or HLG has the range that it had before.
  private func mapTonesByDefault(at position: Int) -> Bool {
    traits(before: position).isDisjoint(with: [.mapsTones, .converts])
  }

  /// The traits of the steps before a step, and of the recipe before them.
  private func traits(before position: Int) -> Set<FilterTrait> {
    steps[..<position].reduce(into: earlierTraits) { $0.formUnion($1.traits) }
  }

  /// Whether a conversion after all steps maps tones by default.
  var mapTonesByDefault: Bool { mapTonesByDefault(at: steps.count) }

  /// Whether no step before a step changes linear light. Conversions count as unchanged, although --to may map tones and gamut.
  private func keepLight(at position: Int) -> Bool {
    earlierKeepsLight && steps[..<position].allSatisfy(\.keepsLight)
  }

  /// Whether no step changes linear light, besides the tone and gamut mapping of --to.
  var keepLight: Bool { keepLight(at: steps.count) }

  /// Whether luminance metadata of the source holds for a picture that all steps leave in the source's space, where no conversion maps
  /// tones (``Stage/hasMappedTones``). A single conversion into this space changes nothing else, but two may map gamut in between. A
  /// recipe that converts counts as two.
  var keepLuminance: Bool {
    let conversions = steps.reduce(earlierTraits.contains(.converts) ? 2 : 0) { count, step in
      step.traits.contains(.converts) ? count + (step.recipe == nil ? 1 : 2) : count
    }
    return keepLight && conversions < 2
  }

  /// Whether all steps keep colors and their space: they only move pixels.
  var keepColors: Bool { keepLight && !traits(before: steps.count).contains(.converts) }

  /// Whether the picture after all steps is in a gray space and has no colors.
  func makeGrays(of picture: Picture) -> Bool { endsGray && picture.space.isGray }

  /// Whether the picture that all steps make of gray sources is gray: it is in their space or a gray one, and no step other than
  /// conversions adds color.
  func keepGray(of sources: [Picture], in picture: Picture) -> Bool {
    stepsKeepGray && recipes.allSatisfy { (try? $0.recipe().keepsGray) ?? false }
      && (picture.space.isGray || sources.allSatisfy { $0.space == picture.space })
  }

  /// Returns the picture after all steps except the conversion to ink channels, and that conversion, if there is one.
  func separated(
    _ picture: Picture, at path: String, ofInks: Bool, in session: Session
  ) throws -> (changed: Stage, separation: InkSeparation?) {
    if let press, press.conversion.position < steps.count {
      throw Misuse(
        "“--to” converts to the ink channels of “\(press.profile)”, and the steps after it need colors. Put "
          + "it last.")
    }
    let separation = try press.map { press in
      try conversions.checkSeparation(by: press.profile)
      return InkSeparation(profile: press.profile, rendering: conversions.rendering)
    }
    let stages = try stages(
      from: picture, at: path, ofInks: ofInks || press != nil, in: session)
    var changed = stages[stages.count - 1]
    if let press, let mapped = try toneMapped(changed.picture, for: press.conversion) {
      changed.picture = mapped
    }
    return (changed, separation)
  }

  /// Returns the picture with its tones mapped for a conversion of it; nil where the conversion maps none.
  private func toneMapped(_ picture: Picture, for conversion: Conversion) throws -> Picture? {
    try conversions.toneMapped(
      picture, for: conversion.end, mappingTones: mapTonesByDefault(at: conversion.position),
      keepsLight: keepLight(at: conversion.position), isFirst: conversion.isFirst)
  }

  /// Returns the ink channels of a file after all steps, which may only move and resize pixels.
  func changed(_ inks: InkPicture, at path: String, in session: Session) throws -> InkPicture {
    guard keepColors, press == nil else {
      throw Misuse(
        "“--as-stored” keeps the values of the \(inks.count) ink channels of “\(path)”, so steps may only "
          + "move or resize pixels. Leave it out to change colors.")
    }
    guard !steps.contains(where: \.isTrim) else {
      throw Misuse(
        "“--trim” measures colors, and “--as-stored” keeps the \(inks.count) ink channels of “\(path)”. Leave one of them out."
      )
    }
    try conversions.check(converts: false, readsInks: false)
    try checkKernel()
    return try inks.mapChannels { plate throws(any Error) in
      try steps.reduce(plate) { try picture($0, after: $1, session).changed }
    }
  }

  /// Whether no step changes or adds colors, where `stage` is the picture of this space after all steps. A conversion to the same space
  /// changes none.
  func onlyMove(in space: ColorSpace, to stage: Stage) -> Bool {
    !stage.hasMappedTones && press == nil
      && steps.allSatisfy { step in
        if case .space(let end)? = step.conversion?.end { return end == space }
        return step.moves && !step.traits.contains(.addsColor)
      }
  }

  /// Whether there is no step.
  var areNone: Bool { !converts && steps.isEmpty }
  /// Whether there are steps, and all of them are those of recipe files.
  var areOfFiles: Bool { !converts && !steps.isEmpty && steps.allSatisfy { $0.recipe != nil } }

  /// Returns the picture after the steps that move and resize pixels, without the others, and cropped as --trim cropped `stage`.
  func moved(_ picture: Picture, as stage: Stage, in session: Session) throws -> Picture {
    var trims = stage.trims[...]
    return try steps.filter(\.moves).reduce(picture) { picture, step in
      step.isTrim
        ? picture.cropped(to: trims.removeFirst())
        : try self.picture(picture, after: step, session).changed
    }
  }

  /// Returns the picture after a step, and whether the step mapped its tones to convert it. An error of the step's picture names the
  /// option.
  private func picture(
    _ picture: Picture, after step: Step, _ session: Session
  ) throws -> (changed: Picture, mapsTones: Bool) {
    let mapped = try step.conversion.flatMap { try toneMapped(picture, for: $0) }
    let changed = try step.change(mapped ?? picture, self, session)
    if picture.failure == nil, let failure = changed.failure {
      throw StepError(option: step.name, error: failure)
    }
    return (changed, mapped != nil)
  }

  /// Returns the picture after each step; the first one is `source`. Refuses a conversion to ink channels.
  func pictures(
    from source: Picture, at path: String? = nil, ofInks: Bool = false, in session: Session
  ) throws -> [Stage] {
    try refuseSeparation()
    return try stages(from: source, at: path, ofInks: ofInks, in: session)
  }

  private func refuseSeparation() throws {
    if let press {
      throw Misuse(
        "“\(press.profile)” has ink channels, which no color space has and this verb cannot write. Convert to a "
          + "space of three channels, such as --to sRGB.")
    }
  }

  /// Returns the picture after each step except the conversion to ink channels; the first one is `source`.
  private func stages(
    from source: Picture, at path: String?, ofInks: Bool, in session: Session
  ) throws -> [Stage] {
    try checkKernel()
    var all = self
    all.path = path
    all.conversions.inksAreRendered = ofInks
    try all.conversions.check(converts: converts, readsInks: ofInks)
    let first = Stage(name: "source", picture: source, isOnlyResized: true)
    return try steps.reduce(into: [first]) { stages, step in
      let last = stages[stages.count - 1]
      let (picture, mapsTones) = try all.picture(last.picture, after: step, session)
      stages.append(
        Stage(
          name: step.name, picture: picture,
          isOnlyResized: last.isOnlyResized && step.onlyResizes(last.picture, to: picture),
          isStretched: step.stretches, hasMappedTones: last.hasMappedTones || mapsTones,
          trims: last.trims + (step.isTrim ? [picture.region] : [])))
      if !step.keepsPlace { all.window?.isInPlace = false }
    }
  }
}
