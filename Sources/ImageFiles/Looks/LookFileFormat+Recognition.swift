extension LookFileFormat {
  /// The format of bytes without a file extension, such as those of standard input, by how they begin.
  ///
  /// Only 3D LUTs of integers begin with a row of positions, of 2ⁿ + 1 numbers; a row of a matrix has four.
  init(recognizing source: ByteSource, file: String) throws(LookFileError) {
    if let document = try Self.document(in: source, file: file) {
      self = document
      return
    }
    var text = LookText(source, file: file, memoryLimit: nil)
    var isFirst = true
    while let line = try text.next() {
      switch line.keyword {
      case "CSPLUTV100" where isFirst: self = .cineSpace
      case "SPILUT" where isFirst: self = .spi3D
      case "Version" where isFirst: self = .spi1D
      case "LUT_1D_SIZE", "LUT_3D_SIZE": self = .cube
      case "3DMESH", "Mesh": self = .threeDL
      default:
        isFirst = false
        if line.isWord { continue }
        self = [4, 12].contains(line.words.count) ? .spiMatrix : .threeDL
      }
      return
    }
    throw .unsupported(file: file, reason: unknown)
  }

  /// The format of an XML document, by the element names in its first 64 KiB; nil for other text.
  private static func document(
    in source: ByteSource, file: String
  ) throws(LookFileError) -> LookFileFormat? {
    let bytes: [UInt8]
    do throws(ImageFileError) {
      bytes = try source.array(0..<min(source.count, 1 << 16))
    } catch {
      throw .file(error)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let first = text.unicodeScalars.first { $0.value > 0x20 && $0.value != 0xFEFF }
    guard first == "<" else { return nil }
    // “ColorCorrectionCollection” begins with “ColorCorrection”, so the longer name is tried first. Names may have the prefix of a
    // namespace.
    let names: [(String, LookFileFormat)] = [
      ("ProcessList", .commonLUT), ("ColorDecisionList", .colorDecisionList),
      ("ColorCorrectionCollection", .colorCorrectionCollection),
      ("ColorCorrection", .colorCorrection),
    ]
    guard
      let format = names.first(where: { text.contains("<\($0.0)") || text.contains(":\($0.0)") })?.1
    else {
      throw .unsupported(file: file, reason: unknown)
    }
    return format
  }
}

private let unknown = "it begins as no look format does"
