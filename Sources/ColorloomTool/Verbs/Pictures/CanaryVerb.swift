import Colorloom
import ImageFiles

final class CanaryVerb: Verb {
  static let name = "canary"
  static let summary = "make or check a picture that shows whether wide color survives"
  static let discussion = """
    The canary has three fields in the primaries of Display P3, each with a diamond in a primary of sRGB, and grays below. Where wide \
    color is kept, the red and green diamonds are clearly visible and the blue one barely; elsewhere none is. Make one, send it through \
    whatever handles pictures, and check the result, after every stage if you like. A check that finds lost wide \
    color exits with 1, and says what happened and after which stage. A canary that was only turned or mirrored has lost nothing. A stage \
    that cannot be decoded is unreadable, and the others are still checked.
    """
  static let example = "colorloom canary make canary.png"
  static var arguments: [Argument<CanaryVerb>] {
    [
      .positional(.choice(["make": .make, "check": .check]), "make or check a canary", \.act),
      .positional(.path, "the picture to write or to read", \.path),
      .rest(
        .path.named("STAGE"), "further pictures to check, in the order of the stages", \.stages),
      .option("--size", .size, "size of the picture to make; default: 384x128", \.size)
        .needing("make"),
      .assume(\.assumed).needing("check"),
    ] + PictureOutput.argumentsOfOpaquePicture(needing: "make").map { $0.within(\.writing) }
  }

  enum Act { case make, check }

  var act = Act.make
  var path = ""
  var stages: [String] = []
  var size = PixelSize(384, 128)
  var writing = PictureOutput()
  var assumed: Assumption?

  private struct Report: Encodable {
    let stages: [Stage]
    /// The first file in which wide color is lost.
    let lostAt: String?

    struct Stage: Encodable {
      let file, fate: String
      /// Why the file cannot be decoded, where it is “unreadable”; there are no contrasts then.
      let error: String?
      let contrasts, paintedContrasts: [Double]
    }
  }

  /// The verdict on one of the files, or why it cannot be decoded.
  private typealias Finding = (file: String, verdict: Result<Canary.Verdict, any Error>)

  func run(in session: Session) throws {
    switch act {
    case .make:
      guard stages.isEmpty else {
        throw Misuse("One canary is made at a time, but there is “\(stages[0])” too.")
      }
      var uses = FileUses()
      try uses.add(path, at: path)
      let picture = Picture(Canary(size: size), in: .displayP3)
      try writing.write(picture, to: path, in: session, progress: session.progressLine())
      noteSmallSize(in: session)
    case .check: try check(in: session)
    }
  }

  /// Reports a canary that has too few pixels for a verdict, even unchanged.
  private func noteSmallSize(in session: Session) {
    let least = Canary.leastSize
    guard size.width < least.width || size.height < least.height else { return }
    // The shorter side decides.
    let checked = Canary(size: PixelSize(min(size.width, 384), min(size.height, 384)))
    let verdict = try? Canary.check(
      Picture(checked, in: .displayP3), options: session.settings.renderOptions)
    guard let verdict, verdict.fate != .intact else { return }
    session.note(
      "A canary of \(size) pixels is too small to be checked; \(least) pixels are enough.")
  }

  private func check(in session: Session) throws {
    let files = [path] + stages
    let findings = try files.map { file in
      do {
        return Finding(file, .success(try verdict(onFileAt: file, in: session)))
      } catch let error where Self.isOfStage(error) {
        session.fail(session.sentence(for: error))
        return Finding(file, .failure(error))
      }
    }
    let read = findings.compactMap { finding in
      (try? finding.verdict.get()).map { (file: finding.file, fate: $0.fate) }
    }
    let lost = read.firstIndex { $0.fate != .intact && $0.fate != .turned }
    if writing.printsJSON {
      session.print(
        json: Report(
          stages: findings.map { stage(of: $0, in: session) }, lostAt: lost.map { read[$0].file }))
    } else {
      for finding in findings {
        session.print("\(finding.file): \(explanation(of: finding))")
      }
      if let lost, lost > 0 {
        session.print("lost between \(read[lost - 1].file) and \(read[lost].file)")
      }
    }
    if lost != nil { session.fail() }
  }

  /// Whether the content of a stage is at fault, as opposed to its path, the options of the command or the limits of memory and size.
  private static func isOfStage(_ error: any Error) -> Bool {
    switch error {
    case ImageFileError.rendering(let error): isOfStage(error)
    case RenderError.source(let error): isOfStage(error.underlying)
    case ImageFileError.unknownFormat, ImageFileError.truncated, ImageFileError.damaged,
      ImageFileError.tooMuchMetadata, ImageFileError.unsupportedStorage, ImageFileError.noSuchLayer,
      ImageFileError.profile,
      ImageFileError.unsupportedColor, ImageFileError.untagged, ImageFileError.inks,
      ImageFileError.inkProfile, ImageFileError.inkCount:
      true
    default: false
    }
  }

  private func verdict(onFileAt path: String, in session: Session) throws -> Canary.Verdict {
    let opened = try session.open(path, assuming: assumed)
    session.tellAssumption(assumed, of: opened, at: path)
    return try Canary.check(
      in: opened, assuming: assumed?.space, options: session.settings.renderOptions)
  }

  private func explanation(of finding: Finding) -> String {
    switch finding.verdict {
    case .success(let verdict): verdict.fate.explanation
    case .failure: "unreadable, the stage cannot be decoded"
    }
  }

  private func stage(of finding: Finding, in session: Session) -> Report.Stage {
    switch finding.verdict {
    case .success(let verdict):
      Report.Stage(
        file: finding.file, fate: verdict.fate.rawValue, error: nil,
        contrasts: verdict.contrasts.array, paintedContrasts: verdict.paintedContrasts.array)
    case .failure(let error):
      Report.Stage(
        file: finding.file, fate: "unreadable", error: session.sentence(for: error),
        contrasts: [], paintedContrasts: [])
    }
  }
}

extension Canary.Fate {
  /// What happened, to end a sentence about the canary.
  var explanation: String {
    switch self {
    case .intact: "intact, wide color survived"
    case .profileDropped:
      "profile dropped, the encoded values are right and nothing states their color space"
    case .convertedAndUntagged:
      "converted and untagged, the colors were clipped to a narrow space and nothing states which"
    case .turned: "turned or mirrored, wide color survived"
    case .clipped: "clipped, a stage stored the picture in a space that is too narrow"
    case .toneCurveClamped:
      "clamped by a tone curve, which changed the grays and clipped the colors to sRGB"
    case .mistagged:
      "mistagged, the values of one space were tagged as another space without conversion"
    case .convertedTwice: "converted twice"
    case .channelsSwapped: "the channels are in another order"
    case .desaturated: "desaturated, everything is gray"
    case .changed: "changed, it is still a canary but with other colors"
    case .notACanary: "not a canary, or only a part of one"
    case .tooSmall: "too small to tell what happened, \(Canary.leastSize) pixels are enough"
    @unknown default: rawValue
    }
  }
}
