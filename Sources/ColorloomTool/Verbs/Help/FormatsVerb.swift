import Colorloom
import ImageFiles

final class FormatsVerb: Verb {
  static let name = "formats"
  static let summary = "list the formats of pictures, looks and video"
  static let discussion = """
    A file is recognized by its content when it is read, and by its file extension, or “--format”, when it is written. Formats of \
    package traits are there where the tool was built with them; the others are listed with the trait that adds them. Of OpenEXR files, \
    those compressed by DWAA, DWAB or HTJ2K are not read, nor are deep pixels: save them as ZIP or PIZ, and flatten them.
    """
  static let example = "colorloom formats"
  static var arguments: [Argument<FormatsVerb>] {
    [.flag("--json", "print a JSON object", \.printsJSON)]
  }

  var printsJSON = false

  private struct Report: Encodable {
    var pictures: [PictureFormat]
    var looks: [LookFormat]
    var video: [VideoFormat]
    var missing: [MissingFormats]
  }

  private struct PictureFormat: Encodable {
    let name: String
    let extensions, samples, channels, alpha, metadata: [String]
    let isWritten, readsReduced: Bool
    let trait: String?
  }

  private struct LookFormat: Encodable { let `extension`, summary: String }

  private struct VideoFormat: Encodable { let name, summary: String }

  private struct MissingFormats: Encodable {
    let names: [String]
    let trait, library: String
  }

  private var report: Report {
    let pictures = ImageFileFormat.readable.map { format in
      PictureFormat(
        name: format.name, extensions: format.fileExtensions,
        samples: format.samples.map { "\($0)" },
        channels: format.channels.sorted { $0.count < $1.count }.map { "\($0)" },
        alpha: format.alpha.map { "\($0)" }.sorted(),
        metadata: MetadataKind.allCases.filter(format.metadataKinds.contains).map(\.description),
        isWritten: ImageFileFormat.all.contains(format), readsReduced: format.readsReduced,
        trait: FormatTrait.adding(format)?.name)
    }
    return Report(
      pictures: pictures,
      looks: LookFileFormat.allCases.map {
        LookFormat(extension: $0.rawValue, summary: $0.summary)
      },
      video: [
        VideoFormat(
          name: "YUV4MPEG2",
          summary: "uncompressed frames of 8 to 16 bits, with y4m headers, from and to pipes")
      ],
      missing: FormatTrait.all.filter { !$0.isEnabled }.map {
        MissingFormats(names: $0.formats, trait: $0.name, library: $0.library)
      })
  }

  func run(in session: Session) {
    let report = report
    if printsJSON { return session.print(json: report) }
    session.print("Pictures")
    for format in report.pictures {
      let extensions = format.extensions.map { "." + $0 }.joined(separator: " ")
      let samples =
        format.isWritten ? "writes \(format.samples.joined(separator: ", "))" : "is only read"
      session.print("   \(format.name) (\(extensions)): \(samples)")
    }
    session.print("Looks")
    for format in report.looks { session.print("   .\(format.extension): \(format.summary)") }
    session.print("Video")
    for format in report.video { session.print("   \(format.name): \(format.summary)") }
    guard !report.missing.isEmpty else { return }
    session.print("Not in this build")
    for format in report.missing {
      session.print(
        "   \(format.names.joined(separator: ", ")): trait \(format.trait), with \(format.library)")
    }
  }
}
