extension LookFileFormat {
  /// The format of bytes without a file extension, such as those of standard input, by how they begin.
  ///
  /// Only 3D LUTs of integers begin with a row of positions, of 2ⁿ + 1 numbers; a row of a matrix has four.
  init(recognizing source: ByteSource, file: String) throws(LookFileError) {
    var text = LookText(source, file: file, memoryLimit: nil)
    var isFirst = true
    while let line = try text.next() {
      let keyword = line.keyword
      switch keyword {
      case "CSPLUTV100" where isFirst: self = .cineSpace
      case "SPILUT" where isFirst: self = .spi3D
      case "Version" where isFirst: self = .spi1D
      case "LUT_1D_SIZE", "LUT_3D_SIZE": self = .cube
      case "3DMESH", "Mesh": self = .threeDL
      default:
        if isFirst, keyword.hasPrefix("<") {
          self = try Self.document(in: source, file: file)
          return
        }
        isFirst = false
        if line.isWord { continue }
        self = [4, 12].contains(line.words.count) ? .spiMatrix : .threeDL
      }
      return
    }
    throw .unsupported(file: file, reason: unknown)
  }

  /// The format of a document of XML, by the first element that only one format has.
  private static func document(
    in source: ByteSource, file: String
  ) throws(LookFileError) -> LookFileFormat {
    let bytes: [UInt8]
    do throws(ImageFileError) {
      bytes = try source.array(0..<min(source.count, 1 << 16))
    } catch {
      throw .file(error)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // One name begins with another one.
    let names: [(String, LookFileFormat)] = [
      ("ProcessList", .commonLUT), ("ColorDecisionList", .colorDecisionList),
      ("ColorCorrectionCollection", .colorCorrectionCollection),
      ("ColorCorrection", .colorCorrection),
    ]
    guard let format = names.first(where: { text.contains("<\($0.0)") })?.1 else {
      throw .unsupported(file: file, reason: unknown)
    }
    return format
  }
}

private let unknown = "it begins as no look format does"
