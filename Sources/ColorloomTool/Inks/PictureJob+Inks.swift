import Colorloom
import ICCProfiles
import ImageFiles

extension PictureJob {
  /// `--ink`: one ink channel as the picture to read.
  static var inkArgument: Argument<PictureJob> {
    .option(
      "--ink", .text.named("NAME"),
      "the ink channel of a CMYK or n-color file to read, as gray: white where there is no ink; default: the colors of all",
      \.ink
    ).excluding("--gain-maps", "--layer-name")
  }

  /// Returns the ink channel of a file as a gray picture.
  func picture(ofInk name: String, of file: OpenedImageFile) throws -> Picture {
    guard let inks = try file.inkPicture(isUpright: !isAsStored) else {
      throw Misuse("“--ink” reads an ink channel, and “\(input)” has none. Leave it out.")
    }
    guard let picture = inks.channel(named: name) else {
      throw Misuse(
        "“\(input)” has no ink channel “\(name)”.\(didYouMean(name, among: inks.names)) It has "
          + "\(inks.names.joined(separator: ", ")).")
    }
    return picture
  }

  /// Converts a picture made from `source` to ink channels, and writes them; returns what was written, nil where only the plan was shown.
  func write(
    _ picture: Picture, madeFrom source: Picture, by separation: InkSeparation,
    of file: OpenedImageFile, keepingSamples: Bool, _ progress: ProgressLine, in session: Session
  ) throws -> WrittenFile? {
    let metadata = metadata(of: file.info, for: picture, hasSameLight: false, in: session)
    let written = try writing.file(
      picture, at: output ?? input, keeping: metadata, madeFrom: source,
      orientation: isAsStored ? file.info.orientation : .upright,
      sourceSamples: keepingSamples ? file.info.storedSamples : nil)
    return try write(separation(written.picture), like: written, progress, in: session)
  }

  /// Writes ink channels made from `source`, those of a file, in its sample format, with its profile.
  func write(
    _ inks: InkPicture, madeFrom source: InkPicture, of file: OpenedImageFile,
    _ progress: ProgressLine, in session: Session
  ) throws -> WrittenFile? {
    let metadata = metadata(
      of: file.info, for: inks.plates[0], hasSameLight: true, in: session)
    var written = try writing.file(
      inks.plates[0], at: output ?? input, keeping: metadata, madeFrom: source.plates[0],
      orientation: file.info.orientation)
    let format = written.format ?? ImageFileFormat(ofFileNamed: written.path)
    let kept = file.info.storedSamples
    if written.samples == nil, format?.samples.contains(kept) == true { written.samples = kept }
    return try write(inks, like: written, progress, in: session)
  }

  /// Returns the metadata of the source as far as a file of ink channels holds it. Without a file to write, all of it.
  private func metadata(
    of source: ImageFileInfo, for picture: Picture, hasSameLight: Bool, in session: Session
  ) -> ImageMetadata {
    let metadata = writing.metadata(
      of: source, at: input, hasSameLight: hasSameLight, in: session)
    guard let output else { return metadata }
    return writing.framed(
      metadata, for: picture, at: output, of: input, resizedBy: nil, in: session)
  }

  private func write(
    _ inks: InkPicture, like file: PictureFile, _ progress: ProgressLine, in session: Session
  ) throws -> WrittenFile? {
    var options = session.settings.renderOptions
    try refuseRecipeOfInks()
    guard output != nil else {
      try showPlans(of: inks, like: file, in: session)
      try session.check(inks.plates, as: file.writtenSamples, dither: file.dither)
      return nil
    }
    try writing.checkUse(by: [file])
    try session.reserveOutput(for: file.path, hasReport: printsJSON)
    if showsPlanOnly {
      try inks.checkWriting(
        to: many.pathToCheck(file.path), as: file.format, samples: file.samples,
        dither: file.dither, options: options, writing: file.writing)
      try showPlans(of: inks, like: file, in: session)
      return nil
    }
    options.progress = progress.report("writing", file.path)
    let report = try writing.withinSizes(of: [file]) {
      try inks.write(
        to: file.path, as: file.format, samples: file.samples, dither: file.dither,
        options: options, writing: file.writing)
    }
    var written = WrittenFile(inks, at: file.path, embedding: file.writing.profile, report)
    written.quality = file.writing.qualitySearch?.result?.quality
    progress.finish("\(file.path): \(inks.size) pixels in \(written.space)")
    session.tell(report, of: file.path)
    return written
  }
}

extension Session {
  /// Reports that the ink channels of a file became colors in the space in which these are read, which no option asked for. `canKeep` says
  /// whether --as-stored would keep them.
  func noteConvertedInks(
    of file: OpenedImageFile, at path: String, from source: Picture, to picture: Picture,
    by steps: PictureSteps, canKeep: Bool
  ) {
    guard file.info.holdsInks, !steps.converts, picture.space == source.space else { return }
    let keeping = canKeep ? "--as-stored to keep them, or " : ""
    note(
      "The ink channels of “\(path)” are converted to \(picture.space.name). Pass \(keeping)--to sRGB to write a file for screens."
    )
  }
}

extension PictureJob {
  /// Prints the plans of rendering the ink channels, of which up to three make a picture.
  private func showPlans(
    of inks: InkPicture, like file: PictureFile, in session: Session
  ) throws {
    let names = inks.plates.indices.map { Array(inks.names.dropFirst(3 * $0).prefix(3)) }
    guard printsJSON else {
      printPlanHeading(in: session)
      for (plate, names) in zip(inks.plates, names) {
        session.print("\(names.joined(separator: ", ")):")
        session.printText(plate.plan)
      }
      return
    }
    let plans = try zip(inks.plates, names).map { plate, names in
      let plan = try session.planReport(
        of: plate, as: file.writtenSamples, dither: file.dither)
      guard case .object(let members) = plan else { return plan }
      return .object(
        [RecipeValue.Member("inks", .array(names.map { .string($0) }))] + members)
    }
    report(.object([RecipeValue.Member("plates", .array(plans))]), in: session)
  }
}

extension WrittenFile {
  /// A file of ink channels.
  fileprivate init(
    _ inks: InkPicture, at path: String, embedding profile: ICCProfile?, _ report: WritingReport
  ) {
    file = path
    (clippedSamples, notes) = (report.clippedSamples, report.notes.map { "\($0)" })
    (width, height) = (inks.size.width, inks.size.height)
    space = (profile ?? inks.profile).map { "\($0)" } ?? "ink channels without a profile"
    self.inks = inks.names
  }
}
