import Colorloom
import ImageFiles

final class ReportVerb: Verb {
  static let name = "report"
  static let summary = "write an HTML report of what happens to the colors of a picture"
  static let discussion = """
    One self-contained HTML file: a verdict, the source beside the result, the pixels that each step takes color from, chromaticities and \
    CIELAB with gamuts, histogram, waveform, the plan and the metadata. With --original the file is compared with the picture that it \
    was made of, and the page names what happened to it: a dropped or wrong profile, a second conversion, clipping, exchanged \
    channels, a tone curve, gray, a rotation. A canary is recognized. A file that says nothing of its color is shown as sRGB. \
    \(PictureSteps.order)
    """
  static let example = "colorloom report photo.png --to sRGB --out report.html"
  static var arguments: [Argument<ReportVerb>] {
    PictureInput.arguments.map { $0.within(\.input) } + [
      .option(
        "--out", .path, "the page to write; -o is the same", isRequired: true, \.output),
      .option("--original", .path, "the original of this picture", \.original),
      .option(
        "--samples", .samples, "the sample format stored; default: that of the source",
        \.samples),
    ]
  }

  var input = PictureInput()
  var stepsAreOfFiles: Bool { input.stepsAreOfFiles }
  var output = ""
  var original: String?
  var samples: SampleFormat?

  func run(in session: Session) throws {
    var uses = FileUses(reading: [input.path] + (original.map { [$0] } ?? []))
    try uses.add("--out", output)
    try session.reserveOutput(for: output, hasReport: false)
    try checkWriting(to: output)
    let progress = session.progressLine()
    let (file, steps) = try input.opened(in: session, untaggedAs: .sRGB)
    let format = samples ?? file.info.storedSamples
    let (source, result) = (steps[0].picture, steps[steps.count - 1].picture)
    var options = session.settings.renderOptions
    options.progress = progress.report("measuring", "\(source.size) pixels")
    let losses = try Picture.stepLosses(of: steps, storedAs: format, options: options)
    options.progress = nil

    var page = HTMLPage(title: "What happens to the colors of \(input.path)")
    try addVerdict(on: file, source, losses, to: &page, in: session)
    try addPictures(steps, losses, storedAs: format, to: &page, in: session)
    try addPlots(source, result, to: &page, in: session)
    try addPlan(of: result, steps, options, to: &page)
    addMetadata(of: file, to: &page)
    progress.clear()
    try writeFile(Array(page.text.utf8), to: output)
  }

  // MARK: Sections

  private func addVerdict(
    on file: OpenedImageFile, _ source: Picture, _ losses: [StepLoss], to page: inout HTMLPage,
    in session: Session
  ) throws {
    var lost: [String] = []
    var unexplained: String?
    let verdict = try Canary.check(
      in: file, assuming: input.assumed?.space, options: session.settings.renderOptions)
    let isCanary = verdict.fate != .notACanary && verdict.fate != .tooSmall
    if isCanary, verdict.fate != .intact, verdict.fate != .turned {
      lost.append("The canary is \(verdict.fate.explanation).")
    }
    var kept =
      isCanary
      ? "The canary is \(verdict.fate.explanation)." : "No pixel of this picture loses color."
    if let original {
      let standard = try session.picture(at: original, assuming: input.assumed)
      let diagnosis = try Diagnosis(
        of: file, assuming: input.assumed, original: standard, in: session)
      switch diagnosis.verdict {
      case .intact: kept = isCanary ? kept : diagnosis.finding
      case .lost: lost.append(diagnosis.finding)
      case .unexplained: unexplained = diagnosis.finding
      }
      page.section(
        "Evidence",
        table(
          ["what may have happened to “\(original)”", "mean distance of the values"],
          diagnosis.hypotheses.prefix(5).map { [$0.name, "\(Float($0.distance))"] }))
    }
    for note in file.info.notes where note.concernsColor { lost.append("\(note)") }
    if !file.info.color.isUsable {
      lost.append(
        "The file does not say in which space its values are: \(file.info.color.summary).")
    }
    for step in losses {
      for (loss, extent) in zip(step.losses, step.extents) where extent?.affectedPixelCount != 0 {
        lost.append(
          "\(step.name): \(loss.kind.rawValue) is lost at “\(loss.step)”"
            + (extent.map { ": \($0)" } ?? "") + ".")
      }
    }
    let isKept = lost.isEmpty && unexplained == nil
    let heading =
      isKept ? "Color is kept." : lost.isEmpty ? "The pictures differ." : "Color is lost."
    let sentences = isKept ? [kept] : [unexplained].compactMap(\.self) + lost
    page.prepend(
      "<div class=\"verdict \(isKept ? "kept" : "lost")\" role=\"status\"><strong>\(heading)</strong>"
        + sentences.map { "<p>\(xmlEscaped($0))</p>" }.joined() + "</div>")
  }

  private func addPictures(
    _ steps: [(name: String, picture: Picture)], _ losses: [StepLoss],
    storedAs format: SampleFormat, to page: inout HTMLPage, in session: Session
  ) throws {
    let (source, result) = (steps[0].picture, steps[steps.count - 1].picture)
    var row = figure(
      try image(of: source, describedAs: "The source", in: session),
      caption: "Source, \(source.size) pixels in \(source.space.name)")
    if steps.count > 1 {
      row += figure(
        try image(of: result, describedAs: "The result", in: session),
        caption: "Result, \(result.size) pixels in \(result.space.name)")
    }
    page.section("Pictures", "<div class=\"row\">\(row)</div>")

    var maps = ""
    let pictures = steps.map(\.picture) + [result]
    for (index, step) in losses.enumerated()
    where step.extents.contains(where: { ($0?.affectedPixelCount ?? 0) > 0 }) {
      let (before, after) = (pictures[index], pictures[index + 1])
      let stored = index == losses.count - 1 ? after.storedInFile(as: format) : after
      // A difference of 10 is white: the map is for looking at, the numbers stand in the verdict.
      let map = stored.placed(at: .zero).difference(from: before.placed(at: .zero))
        .exposure(stopsOfTen)
      maps += figure(
        try image(
          of: map,
          describedAs: "Pixels that change at \(step.name), lighter where they change more",
          in: session),
        caption: "\(step.name): CIEDE2000 at each pixel, white from 10 up")
    }
    if !maps.isEmpty {
      page.section("Where color is lost", "<div class=\"row\">\(maps)</div>")
    }
  }

  /// log2 10.
  private var stopsOfTen: Double { 3.321_928_094_887_362 }

  private func addPlots(
    _ source: Picture, _ result: Picture, to page: inout HTMLPage, in session: Session
  ) throws {
    var gamuts = [ColorSpace.sRGB, .displayP3, .rec2020]
    for space in [source.space, result.space]
    where space.transfer.curves != nil
      && !gamuts.contains(where: { $0.primaries == space.primaries })
    {
      gamuts.append(space)
    }
    var plots = ""
    let shown =
      source.plan == result.plan
      ? [("the source", source)] : [("the source", source), ("the result", result)]
    for (name, picture) in shown {
      let diagram = Picture(
        try LabeledDiagram(
          of: picture, side: 360, gamuts: gamuts, options: session.settings.renderOptions
        ).bitmap)
      let colors = try PlottedColors(of: picture, in: session)
      plots += "<div class=\"row\">"
      plots += figure(
        try image(
          of: diagram, describedAs: "Chromaticities of \(name) in the CIE 1976 diagram", in: session
        ),
        caption:
          "Chromaticities of \(name), u′ to the right and v′ upwards, with the spectral locus and "
          + gamuts.map(\.name).joined(separator: ", ")
      )
      plots += figure(
        SVGPlots.lab(of: colors, gamuts: [.sRGB, .displayP3], named: name),
        caption: "Colors of \(name) in CIELAB")
      plots += figure(
        SVGPlots.histogram(of: colors, named: name),
        caption:
          "Encoded values of \(name): red solid, green dashed, blue dotted; outside of 0…1 they would be clipped"
      )
      plots += figure(
        SVGPlots.waveform(of: colors, named: name),
        caption: "Encoded values of \(name) from left to right")
      plots += "</div>"
    }
    page.section("Colors", plots)
  }

  private func addPlan(
    of result: Picture, _ steps: [(name: String, picture: Picture)], _ options: RenderOptions,
    to page: inout HTMLPage
  ) throws {
    let report = try result.planReport(as: UInt16.self, inBands: true, options: options)
    let clock = ContinuousClock()
    var rows: [[String]] = []
    for step in steps {
      let time = try clock.measure {
        try step.picture.renderBands(as: Float.self, options: options) { _, _ in }
      }
      rows.append([step.name, "\(Int((time / .milliseconds(1)).rounded())) ms"])
    }
    page.section(
      "Plan",
      figure(
        SVGPlots.plan(report),
        caption:
          "At most \(report.peakBytes) bytes of memory, \(report.bytesRead) read; \(report.tileCount) tiles on \(report.threads) threads"
      ) + table(["rendered up to", "time"], rows))
  }

  private func addMetadata(of file: OpenedImageFile, to page: inout HTMLPage) {
    let info = file.info
    let sizes = [
      ("EXIF", info.metadata.exif?.count), ("XMP", info.metadata.xmp?.count),
      ("IPTC", info.metadata.iptc?.count),
    ]
    var rows = [
      ["format", "\(info.format.name), \(info.storage)"],
      ["size", "\(info.size) pixels"], ["samples", "\(info.channels), \(info.storedSamples)"],
      ["color", info.color.summary], ["profile", info.profile.map { "\($0)" } ?? "none"],
      ["orientation", "\(info.orientation)"],
    ]
    rows += sizes.compactMap { name, count in count.map { [name, "\($0) bytes"] } }
    rows += info.notes.filter { !$0.repeatsStatedColor }.map { ["note", "\($0)"] }
    page.section("File", table(["", "what the file says"], rows))
  }
}
