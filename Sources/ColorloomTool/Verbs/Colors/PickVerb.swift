import Colorloom
import Foundation
import ImageFiles

final class PickVerb: Verb {
  static let name = "pick"
  static let summary = "choose the file that a display shows best"
  static let discussion = """
    The manifest is what “variants” wrote. The hint says what is known of the display, in any order: gamut (srgb, p3 or rec2020), hdr (yes \
    or no), dpr, and the width of the picture in the layout. What is not understood is left out, with a note on standard error. A relative \
    name in the manifest is relative to its folder; it is printed so that it can be opened from here, and with --json as the manifest \
    has it.
    """
  static let example = "colorloom pick photo.json --display \"gamut=p3; dpr=2; width=400\""
  static var arguments: [Argument<PickVerb>] {
    [
      .positional(.path.named("MANIFEST"), "the manifest", \.manifest),
      .option("--display", .text.named("HINT"), "the display; default: sRGB", \.hint),
      .flag("--json", "print the entry of the file as a JSON object", \.printsJSON),
    ]
  }

  var manifest = ""
  var hint = ""
  var printsJSON = false

  func run(in session: Session) throws {
    let listed: VariantManifest
    do {
      listed = try JSONDecoder().decode(
        VariantManifest.self, from: Data(readBytes(at: manifest)))
    } catch DecodingError.dataCorrupted {
      throw Failure(
        "“\(manifest)” is no manifest: it is no JSON. “variants --manifest” writes one.")
    } catch is DecodingError {
      throw Failure(
        "“\(manifest)” is no manifest: it is JSON, but lists no variants with their properties. “variants --manifest” writes "
          + "one.")
    } catch let error as ImageFileError {
      throw Failure(readingFailure(of: manifest, error))
    }
    let display = DisplayHint(hint)
    for problem in display.problems { session.note(problem) }
    guard let variant = listed.best(for: display) else {
      throw Failure("“\(manifest)” names no file.")
    }
    if printsJSON {
      session.print(json: variant)
    } else {
      let folder = URL(filePath: manifest).deletingLastPathComponent()
      let isOpenedFromHere = variant.file.hasPrefix("/") || !manifest.contains("/")
      session.print(
        isOpenedFromHere ? variant.file : folder.appending(path: variant.file).path)
    }
  }
}
