import Colorloom
import ICCProfiles
import ImageFiles

struct InspectVerb: Verb {
  static let name = "inspect"
  static let summary =
    "tells what a picture holds, or what an ICC profile is"
  static let discussion = """
    The named space that a profile means is given with the largest color difference (CIEDE2000) between the two. What a profile covers is \
    the part of a named triangle of lights that its lights hold, in u′ and v′.
    """
  static let example = "colorloom inspect photo.png --json"
  static var arguments: [Argument<InspectVerb>] {
    [
      .positional(.path, "the picture, or a profile that ends in .icc or .icm", \.path),
      .option("--assume", .space, "what an untagged file means", \.assumed),
      .flag("--json", "the findings as a JSON object", \.printsJSON),
    ]
  }

  var path = ""
  var assumed: ColorSpace?
  var printsJSON = false

  private static let gamuts = [ColorSpace.sRGB, .displayP3, .rec2020]

  private struct Report: Encodable {
    let file, format, storage: String
    let width, height: Int
    let channels, samples: String
    /// What the file says, and what its numbers are taken for.
    let stated, space: String
    let profile: String?
    let orientation: String
    let outside: [Outside]
    let numbers: [Numbers]

    struct Outside: Encodable {
      let gamut: String
      /// The part of the pixels, 0…1, that the gamut cannot hold.
      let part: Double
    }

    struct Numbers: Encodable {
      let channel: String
      let minimum, mean, maximum: Double
    }
  }

  func run(in session: Session) throws {
    if ICCProfile.isPath(path) {
      let report = ProfileReport(try ICCProfile(contentsOf: path))
      if printsJSON { session.print(json: report) } else { report.lines.forEach(session.print) }
      return
    }
    guard path != "-" else {
      throw Misuse("Standard input can be read once, and “inspect” reads twice. Name a file.")
    }
    let progress = session.progressLine()
    let info = try ImageFile.info(path)
    let picture = try session.picture(at: path, assuming: assumed)
    var options = session.settings.renderOptions
    options.progress = progress.report("looking at", "\(picture.size) pixels")
    let statistics = try PictureStatistics(of: picture, outside: Self.gamuts, options: options)
    progress.clear()
    let report = Report(
      file: path, format: info.format.name, storage: info.storage, width: info.size.width,
      height: info.size.height, channels: "\(info.channels)", samples: "\(info.samples)",
      stated: info.color.summary, space: picture.space.name,
      profile: info.profile.map { "\($0)" }, orientation: "\(info.orientation)",
      outside: zip(Self.gamuts, statistics.partsOutside).map {
        Report.Outside(gamut: $0.name, part: $1)
      },
      numbers: zip(["red", "green", "blue", "alpha"], statistics.channels).map {
        Report.Numbers(channel: $0, minimum: $1.minimum, mean: $1.mean, maximum: $1.maximum)
      })
    if printsJSON { session.print(json: report) } else { print(report, in: session) }
  }

  private func print(_ report: Report, in session: Session) {
    session.print("\(report.file): \(report.format), \(report.storage)")
    session.print("size: \(report.width) × \(report.height), orientation \(report.orientation)")
    session.print("samples: \(report.samples) \(report.channels)")
    session.print("color: \(report.stated)")
    if let profile = report.profile { session.print("profile: \(profile)") }
    for outside in report.outside {
      session.print("outside of \(outside.gamut): \(outside.part * 100) % of the pixels")
    }
    for channel in report.numbers {
      session.print(
        "\(channel.channel): \(channel.minimum) to \(channel.maximum), mean \(channel.mean)")
    }
  }
}
