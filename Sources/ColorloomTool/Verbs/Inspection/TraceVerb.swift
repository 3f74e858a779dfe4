import Colorloom
import ImageFiles

final class TraceVerb: Verb {
  static let name = "trace"
  static let summary = "report which step loses color, and on how many pixels"
  static let discussion = """
    Each step is named with what is lost at it for good: gamut (colors outside of sRGB), headroom (above white), alpha, precision \
    (small differences), chroma (hue and saturation) or the tag. The pixels that lose it are counted, with their color differences by \
    CIEDE2000 and ΔE ITP, before the step and after it. \(PictureSteps.order) The last step rounds to --samples. The \
    losses of all steps are found together; counting the pixels of a loss renders the picture up to its step.
    """
  static let example = "colorloom trace photo.png --to sRGB --samples uint8"
  static var arguments: [Argument<TraceVerb>] {
    PictureInput.arguments.map { $0.within(\.input) } + [
      .option(
        "--samples", .samples, "the sample format stored; default: that of the source",
        \.samples),
      .flag("--json", "print a JSON object", \.printsJSON),
    ]
  }

  var input = PictureInput()
  var stepsAreOfFiles: Bool { input.stepsAreOfFiles }
  var samples: SampleFormat?
  var printsJSON = false

  private struct Report: Encodable {
    let steps: [Step]

    struct Step: Encodable {
      let name: String
      let losses: [Loss]
    }

    struct Loss: Encodable {
      let kind, stage: String
      /// Missing where the step changes the size.
      let extent: Extent?
    }

    struct Extent: Encodable {
      let affectedPixelCount, pixelCount: Int
      let deltaE2000, deltaITP: Difference
      /// Missing where no pixel of the picture lost anything.
      let worst: Place?
    }

    struct Difference: Encodable {
      let mean, maximum: Double

      init(_ difference: LossExtent.Difference) {
        (mean, maximum) = (difference.mean, difference.maximum)
      }
    }

    struct Place: Encodable { let x, y: Int }
  }

  func run(in session: Session) throws {
    let progress = session.progressLine()
    let (file, pictures) = try input.opened(in: session)
    var options = session.settings.renderOptions
    options.progress = progress.report("measuring", "\(pictures[0].picture.size) pixels")
    let losses = try Picture.stepLosses(
      of: pictures, storedAs: samples ?? file.info.storedSamples, options: options)
    progress.clear()
    if printsJSON { return session.print(json: Report(steps: losses.map(step))) }
    for step in losses {
      if step.losses.isEmpty { session.print("\(step.name): nothing is lost") }
      for (loss, extent) in zip(step.losses, step.extents) {
        let pixels = extent.map { ": \($0)" } ?? ""
        session.print("\(step.name): \(loss.kind.rawValue) is lost at “\(loss.step)”\(pixels)")
      }
    }
  }

  private func step(_ step: StepLoss) -> Report.Step {
    Report.Step(
      name: step.name,
      losses: zip(step.losses, step.extents).map { loss, extent in
        Report.Loss(
          kind: loss.kind.rawValue, stage: loss.step,
          extent: extent.map {
            Report.Extent(
              affectedPixelCount: $0.affectedPixelCount, pixelCount: $0.pixelCount,
              deltaE2000: Report.Difference($0.deltaE2000),
              deltaITP: Report.Difference($0.deltaITP),
              worst: $0.worst.map { Report.Place(x: $0.x, y: $0.y) })
          })
      })
  }
}
