import Colorloom
import Foundation
import ImageFiles
import Synchronization

/// Thumbnails of many pictures in equal cells, in rows.
struct ContactSheet {
  private var columns: Int?
  private var cell = PixelSize(256, 256)
  private var gap = 8
  private var color = ColorPoint(1, 1, 1, in: .sRGB)
  private var hasCaptions = false
  var space = ColorSpace.sRGB

  static var arguments: [Argument<ContactSheet>] {
    [
      .option(
        "--columns", .wholeNumber(from: 1),
        "number of columns; default: a square sheet", \.columns),
      .option("--cell", .box, "the size of a cell in pixels; default: 256", \.cell),
      .option("--gap", .wholeNumber(from: 0), "pixels around each cell; default: 8", \.gap),
      .option("--sheet", .color, "the color of the sheet; default: white", \.color),
      .flag("--captions", "print the name of each file below its cell", \.hasCaptions),
    ]
  }

  /// From one column or row of a letter to the next, in pixels.
  private static let letterScale = 2
  /// Seven rows of a letter and one for what hangs below, with a pixel of each above and below them.
  private static let letterRows = 8

  private var captionHeight: Int { hasCaptions ? (Self.letterRows + 2) * Self.letterScale : 0 }

  /// Writes the sheet of some files; nil leaves a cell empty, as does a file that cannot be read, which is named. A sheet of empty cells
  /// only is not written.
  func write(
    _ paths: [String?], captions: [String], to path: String, as writing: PictureOutput,
    in session: Session, reading: @escaping (String, Session) throws -> Picture
  ) throws -> (sheet: WrittenFile?, failed: [FailedFile]) {
    let (bitmap, failed) = try laid(
      out: paths, captions: captions, on: try emptySheet(for: paths.count, path, session),
      in: session, reading: reading)
    guard failed.count < paths.count(where: { $0 != nil }) else {
      session.fail("“\(path)” is not written, because all of its cells would be empty.")
      return (nil, failed)
    }
    let file = try writing.file(Picture(bitmap), at: path)
    let reports = try writing.write([file], in: session, progress: session.progressLine())
    var written = WrittenFile(file, reports[0])
    written.failed = failed
    return (written, failed)
  }

  /// Throws the error with which writing the sheet of so many pictures would fail before the first pixel. `place` is a path in a folder
  /// that exists.
  func check(for count: Int, at path: String, checkedAt place: String, _ session: Session) throws {
    guard ImageFileFormat(ofFileNamed: path) != nil else {
      throw Misuse(
        "“--contact-sheet \(path)” does not say which format to write. Let it end in one of \(ImageFileFormat.endings)."
      )
    }
    try check(for: count, at: path, as: PictureOutput(), checkedAt: place, session)
  }

  /// The same for a sheet that is written as `writing` says.
  func check(
    for count: Int, at path: String, as writing: PictureOutput, checkedAt place: String,
    _ session: Session
  ) throws {
    let blank = BlankRows(size: try checkedSize(for: count, path, session), space: space)
    try writing.check([writing.file(Picture(blank), at: place)], in: session)
  }

  private func columnCount(of count: Int) -> Int {
    min(columns ?? Int(Double(count).squareRoot().rounded(.up)), count)
  }

  /// Returns the size of the sheet for so many pictures. Throws where it takes more memory than the command may.
  private func checkedSize(
    for count: Int, _ path: String, _ session: Session
  ) throws -> PixelSize {
    let columns = columnCount(of: count)
    let size = try size(columns, (count + columns - 1) / columns, session)
    let bytes = 3 * MemoryLayout<UInt16>.size * size.pixelCount
    if let limit = session.settings.fileLimits.memoryLimit, bytes > limit {
      throw ImageFileError.tooMuchMemory(file: path, bytes: bytes, limit: limit)
    }
    return size
  }

  /// Returns the sheet for so many pictures, in its color.
  private func emptySheet(
    for count: Int, _ path: String, _ session: Session
  ) throws -> Bitmap<UInt16> {
    let size = try checkedSize(for: count, path, session)
    var sheet = try Bitmap<UInt16>(validating: size, in: space, channels: .rgb)
    let pixel = pixel(of: color)
    for y in 0..<size.height {
      sheet.withUnsafeMutableRow(y) { row in
        for x in row.indices { row[x] = pixel[x % 3] }
      }
    }
    return sheet
  }

  /// Returns the sheet with pictures and captions, and the files that could not be read. Each thumbnail is placed as soon as it is
  /// rendered, so that no more of them are in memory than threads.
  private func laid(
    out paths: [String?], captions: [String], on sheet: consuming Bitmap<UInt16>,
    in session: Session, reading: @escaping (String, Session) throws -> Picture
  ) throws -> (sheet: Bitmap<UInt16>, failed: [FailedFile]) {
    let columns = columnCount(of: paths.count)
    let present = paths.indices.filter { paths[$0] != nil }
    let files = present.compactMap { paths[$0] }
    if hasCaptions {
      for (index, caption) in captions.enumerated() {
        draw(
          URL(filePath: caption).lastPathComponent, atColumn: index % columns, row: index / columns,
          on: &sheet)
      }
    }
    let placed = Mutex(sheet)
    let results = forEachFile(of: files, "reading", in: session) { number, path, session in
      let thumbnail = try reading(path, session)
        .thumbnail(cell.width, cell.height, in: space).flattened(onto: color)
        .render(as: UInt16.self, channels: .rgb, options: session.settings.renderOptions)
      let index = present[number]
      placed.withLock { place(thumbnail, atColumn: index % columns, row: index / columns, on: &$0) }
    }
    var failed: [FailedFile] = []
    for (file, result) in zip(files, results) {
      do { try result.get() } catch {
        failed.append(FailedFile(file: file, error: error, in: session))
      }
    }
    return (placed.withLock { $0 }, failed)
  }

  /// Copies a thumbnail into the middle of a cell.
  private func place(
    _ thumbnail: Bitmap<UInt16>, atColumn column: Int, row: Int, on sheet: inout Bitmap<UInt16>
  ) {
    let left = left(of: column) + (cell.width - thumbnail.size.width) / 2
    let top = top(of: row) + (cell.height - thumbnail.size.height) / 2
    for y in 0..<thumbnail.size.height {
      thumbnail.withUnsafeRow(y) { source in
        sheet.withUnsafeMutableRow(top + y) { target in
          for x in source.indices { target[3 * left + x] = source[x] }
        }
      }
    }
  }

  private func left(of column: Int) -> Int { gap + column * (cell.width + gap) }

  private func top(of row: Int) -> Int { gap + row * (cell.height + captionHeight + gap) }

  private func pixel(of color: ColorPoint) -> [UInt16] {
    let components = color.converted(to: space).components
    return (0..<3).map { UInt16((min(max(components[$0], 0), 1) * 65535).rounded()) }
  }

  /// Draws a caption in the middle below a cell, as many letters of it as fit, in black or white, whichever differs more from the sheet.
  private func draw(
    _ text: String, atColumn column: Int, row: Int, on bitmap: inout Bitmap<UInt16>
  ) {
    let scale = Self.letterScale
    let advance = Int(PlotLetters.advance) * scale
    let letters = PlotLetters.letters(of: text).prefix(cell.width / advance)
    let isLight = color.converted(to: .oklab).components.x > 0.5
    let ink = pixel(of: isLight ? ColorPoint(0, 0, 0, in: .sRGB) : ColorPoint(1, 1, 1, in: .sRGB))
    let left = left(of: column) + (cell.width - letters.count * advance) / 2
    let top = top(of: row) + cell.height + scale
    for y in 0..<Self.letterRows * scale {
      bitmap.withUnsafeMutableRow(top + y) { target in
        for (index, letter) in letters.enumerated() {
          for x in 0..<letter.count * scale where letter[x / scale] >> (y / scale) & 1 == 1 {
            for channel in 0..<3 {
              target[3 * (left + index * advance + x) + channel] = ink[channel]
            }
          }
        }
      }
    }
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
    let size = PixelSize(
      try length(columns, cell.width), try length(rows, cell.height + captionHeight))
    let limit = session.settings.renderOptions.pixelLimit
    guard size.pixelCount <= limit else {
      throw RecipeError.tooManyPixels(width: size.width, height: size.height, limit: limit)
    }
    return size
  }
}
