internal import ImageBuffer

/// Passes the rows of a picture and of its layers to an encoder, joined to the rows of the file.
///
/// The renderer delivers one band at a time. Bands of a picture and of its layers may end at different rows, so rows of up to two bands wait.
final class EncoderRows {
  /// A row for which some parts are still missing.
  private struct Row {
    let memory: MemoryBlock
    var missing: Int
  }

  private let encoder: any ImageEncoder
  private let file: String
  private let parts: [Range<Int>]
  private let rowBytes: Int
  private var rows: [Int: Row] = [:]
  /// The memory of rows that were passed on.
  private var spare: [MemoryBlock] = []

  init(_ encoder: any ImageEncoder, _ job: EncodingJob) {
    (self.encoder, file, parts) = (encoder, job.file, job.rowParts)
    rowBytes = wholeBytes(job.rowBytes)
  }

  /// Adds a row of the picture, the part 0, or of a layer.
  func add(
    _ row: UnsafeRawBufferPointer, _ y: Int, ofPart part: Int
  ) throws(ImageFileError) {
    if parts.count == 1 { return try encoder.writeRow(row) }
    var joined = try takeRow(y)
    joined.memory[parts[part]].copyMemory(from: row)
    joined.missing -= 1
    if joined.missing > 0 {
      rows[y] = joined
    } else {
      try encoder.writeRow(UnsafeRawBufferPointer(joined.memory[0..<rowBytes]))
      spare.append(joined.memory)
    }
  }

  /// Takes a row that waits, or begins one.
  private func takeRow(_ y: Int) throws(ImageFileError) -> Row {
    if let row = rows.removeValue(forKey: y) { return row }
    if let memory = spare.popLast() { return Row(memory: memory, missing: parts.count) }
    let memory = try MemoryBlock(byteCount: rowBytes, isZeroed: true, for: file)
    return Row(memory: memory, missing: parts.count)
  }
}

/// The picture of a file, or one of its layers, among the results of a rendering.
struct FilePart {
  /// The index of the file.
  let file: Int
  /// 0 for the picture, else the number of the layer.
  let number: Int

  /// Returns the parts of all files, in the order of results.
  static func all(of jobs: [EncodingJob]) -> [FilePart] {
    jobs.indices.flatMap { file in
      (0...jobs[file].layers.count).map { FilePart(file: file, number: $0) }
    }
  }
}
