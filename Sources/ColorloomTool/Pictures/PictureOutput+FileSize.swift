import Colorloom
import ImageFiles

extension PictureOutput {
  /// Returns the value of `write`, which writes files. Where one is too large even at the lowest quality, the error names the options.
  func withinSizes<Value>(of files: [PictureFile], _ write: () throws -> Value) throws -> Value {
    do { return try write() } catch let error as ImageFileError {
      guard case .cannotWrite = error,
        let file = files.first(where: { $0.writing.qualitySearch?.result?.fits == false }),
        let last = file.writing.qualitySearch?.result, let limit = file.writing.maximumBytes
      else { throw error }
      guard let quality = last.quality else {
        let format = file.format ?? ImageFileFormat(ofFileNamed: file.path)
        let kind = format.map { "\($0.kindInWords(file.writing)) files have" } ?? "It has"
        throw Failure(
          "“\(file.path)” is \(last.byteCount) bytes; --max-bytes \(limit). \(kind) no quality to lower: resize it, such as by --fit, "
            + "or write a lossy format, such as JPEG.")
      }
      let advice = quality > 1 ? ", or allow a lower quality, such as --min-quality 1" : ""
      throw Failure(
        "“\(file.path)” is \(last.byteCount) bytes at quality \(quality); --max-bytes \(limit). Resize it, such as by --fit"
          + "\(advice).")
    }
  }
}

/// The units of file sizes by suffix. Longer suffixes come first. Single letters are powers of ten, as file systems and other programs'
/// limits of files have them; of memory they are powers of two.
private let fileUnits: KeyValuePairs<String, Double> = [
  "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "kb": 1e3, "mb": 1e6, "gb": 1e9,
  "k": 1e3, "m": 1e6, "g": 1e9, "b": 1,
]

extension Parser<Int> {
  /// The size of a file: a number of bytes or of a unit, in any letter case.
  static var fileSize: Parser {
    Parser("BYTES", needed: "a size of a file such as 200000, 200k, 1.5M or 200KiB") { word in
      let unit = fileUnits.first { word.lowercased().hasSuffix($0.key) }
      guard let number = decimalNumber(word.dropLast(unit?.key.count ?? 0)), number.isFinite
      else { return nil }
      let bytes = (number * (unit?.value ?? 1)).rounded(.down)
      return (1...0x1p53).contains(bytes) ? Int(bytes) : nil
    }
  }
}
