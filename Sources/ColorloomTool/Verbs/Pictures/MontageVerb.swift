import Colorloom
import ImageFiles

final class MontageVerb: Verb {
  static let name = "montage"
  static let summary = "lay out many pictures on one sheet, in rows of thumbnails"
  static let discussion = """
    Pictures are fitted into equal cells and never enlarged. A file that cannot be read leaves its cell empty and is named; the sheet is \
    written all the same, unless no cell has a picture, and the command ends with 1. Without --samples the sheet has the first sample \
    format of its file format, such as 16 bits in a PNG, whatever the sources have.
    """
  static let example = "colorloom montage photo.png logo.png --out sheet.png --columns 2"
  static var arguments: [Argument<MontageVerb>] {
    [
      .positional(.path.named("IN"), "the first picture, or a folder of pictures", \.input),
      .rest(.path.named("MORE"), "further pictures or folders", \.more),
      .option("--out", .path, "the sheet to write", isRequired: true, \.output),
    ] + ContactSheet.arguments.map { $0.within(\.sheet) } + [
      .option("--to", .space, "the space of the sheet; default: sRGB", \.sheet.space),
      .assume(\.assumed),
      .page(\.page, "the page of each picture; default: the first"),
      .layerName(\.layer),
    ] + PictureOutput.argumentsOfOpaquePicture().map { $0.within(\.writing) }
  }

  var input = ""
  var more: [String] = []
  var output = ""
  var sheet = ContactSheet()
  var assumed: Assumption?
  var page: Int?
  var layer: String?
  var writing = PictureOutput()

  func run(in session: Session) throws {
    let (files, failed) = try PictureListing.readableFiles(at: [input] + more, in: session)
    var uses = FileUses(reading: files)
    try uses.add("--out", output)
    guard !files.isEmpty else { return report(nil, failed, in: session) }
    try sheet.check(for: files.count, at: output, as: writing, checkedAt: output, session)
    let (written, unread) = try sheet.write(
      files, captions: files, to: output, as: writing, in: session
    ) { path, session in
      try session.pictureInWindow(
        at: path, page: self.page, layer: self.layer, assuming: self.assumed, takesPage: true
      ).picture
    }
    report(written, failed + unread, in: session)
  }

  /// The report where no sheet is written.
  private struct Failures: Encodable { let failed: [FailedFile] }

  private func report(_ written: WrittenFile?, _ failed: [FailedFile], in session: Session) {
    guard writing.printsJSON else { return }
    guard var written else { return session.print(json: Failures(failed: failed)) }
    written.failed = failed
    session.print(json: written)
  }
}
