import Colorloom
import ImageFiles

struct MontageVerb: Verb {
  static let name = "montage"
  static let summary = "lays many pictures on one sheet, in rows of thumbnails"
  static let discussion = """
    Pictures are fitted into equal cells and never enlarged. A file that cannot be read leaves its cell empty and is named; the sheet is \
    written all the same, and the command ends with 1.
    """
  static let example = "colorloom montage photo.png logo.png --out sheet.png --columns 2"
  static var arguments: [Argument<MontageVerb>] {
    [
      .positional(.path.named("IN"), "the first picture, or a folder of pictures", \.input),
      .rest(.path.named("MORE"), "more of them", \.more),
      .option("--out", .path, "the sheet to write", isRequired: true, \.output),
      .option(
        "--columns", .wholeNumber(from: 1),
        "how many lie side by side; as makes the sheet square if not given",
        \.columns),
      .option("--cell", .box, "the size of a cell in pixels; 256 if not given", \.cell),
      .option("--gap", .wholeNumber(from: 0), "pixels around each cell; 8 if not given", \.gap),
      .option("--sheet", .color, "the color of the sheet; white if not given", \.sheet),
      .option("--to", .space, "the space of the sheet; sRGB if not given", \.space),
      .option("--assume", .assumption, "what untagged files mean", \.assumed),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var input = ""
  var more: [String] = []
  var output = ""
  var columns: Int?
  var cell = PixelSize(256, 256)
  var gap = 8
  var sheet = ColorPoint(1, 1, 1, in: .sRGB)
  var space = ColorSpace.sRGB
  var assumed: Assumption?
  var writing = PictureOutput()

  func run(in session: Session) throws {
    let files = try ManyPictures.files(at: [input] + more)
    let columns = min(columns ?? Int(Double(files.count).squareRoot().rounded(.up)), files.count)
    let rows = (files.count + columns - 1) / columns
    let size = try size(columns, rows, session)
    let color = sheet.converted(to: space).components
    let pixel = [color.x, color.y, color.z].map { UInt16((min(max($0, 0), 1) * 65535).rounded()) }
    var result = try Bitmap<UInt16>(validating: size, in: space, channels: .rgb)
    for y in 0..<size.height {
      result.withUnsafeMutableRow(y) { row in
        for x in row.indices { row[x] = pixel[x % 3] }
      }
    }
    let thumbnails = ManyPictures.forEach(of: files, "reading", in: session) {
      _, path, session in
      try session.picture(at: path, assuming: assumed)
        .thumbnail(cell.width, cell.height, in: space).flattened(onto: sheet)
        .render(as: UInt16.self, channels: .rgb, options: session.settings.renderOptions)
    }
    for (index, thumbnail) in thumbnails.enumerated() {
      guard let bitmap = try? thumbnail.get() else { continue }
      let left = gap + index % columns * (cell.width + gap) + (cell.width - bitmap.size.width) / 2
      let top = gap + index / columns * (cell.height + gap) + (cell.height - bitmap.size.height) / 2
      for y in 0..<bitmap.size.height {
        bitmap.withUnsafeRow(y) { source in
          result.withUnsafeMutableRow(top + y) { target in
            for x in source.indices { target[3 * left + x] = source[x] }
          }
        }
      }
    }
    try writing.write(Picture(result), to: output, in: session, progress: session.progressLine())
  }

  private func size(_ columns: Int, _ rows: Int, _ session: Session) throws -> PixelSize {
    func length(_ count: Int, _ cell: Int) throws -> Int {
      let (inner, overflow) = count.multipliedReportingOverflow(by: cell + gap)
      guard !overflow, inner <= Int(Int32.max) - gap else {
        throw Misuse(
          "\(count) cells of \(cell) pixels are too many side by side. Make --cell smaller.")
      }
      return inner + gap
    }
    let size = PixelSize(try length(columns, cell.width), try length(rows, cell.height))
    let limit = session.settings.renderOptions.pixelLimit
    guard size.pixelCount <= limit else {
      throw RecipeError.tooManyPixels(width: size.width, height: size.height, limit: limit)
    }
    return size
  }
}
