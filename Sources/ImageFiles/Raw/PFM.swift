internal import FilterGraph
internal import ImageBuffer

extension ImageFileFormat {
  /// Portable Float Map: gray or RGB in single precision, without a color space.
  public static let pfm: ImageFileFormat = ImageFileFormat(
    "PFM", fileExtensions: ["pfm"], mimeTypes: [], samples: [.float32], channels: [.gray, .rgb],
    statesColor: false, holdsProfiles: false, metadata: [], writesInOrder: false,
    // A header, and a row in the file's order of bytes.
    encoderBytes: { 0x1p12 + $0.rowBytes },
    recognizes: { start in
      [UInt8(ascii: "F"), UInt8(ascii: "f")].contains {
        start.starts(with: [UInt8(ascii: "P"), $0])
      }
        && start.count > 2 && isSpace(start[2])
    },
    decoder: { job throws(ImageFileError) in
      var header = HeaderWords(job.bytes)
      let kind = try header.next()
      let size = PixelSize(try header.wholeNumber(), try header.wholeNumber())
      // A negative scale means little-endian samples. Its magnitude has no agreed meaning and is ignored.
      let word = try header.next()
      guard let scale = decimalNumber(word), scale != 0, !scale.isNaN else {
        throw .damaged(file: job.file, reason: "its scale is “\(word)”")
      }
      let layout = RawLayout(
        start: try header.endOfWords(), size: size, channels: kind == "PF" ? .rgb : .gray,
        samples: .float32, isBigEndian: scale > 0, isBottomUp: true)
      return try RawDecoder(job.bytes, layout, format: .pfm, storage: "floats, bottom row first")
    },
    encoder: { job, sink throws(ImageFileError) in
      let kind = job.isGray ? "Pf" : "PF"
      let header = Array("\(kind)\n\(job.size.width) \(job.size.height)\n-1.0\n".utf8)
      return try RawEncoder(job, sink, header: header, isBigEndian: false, isBottomUp: true)
    })
}
