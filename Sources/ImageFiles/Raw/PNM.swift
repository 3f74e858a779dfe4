internal import ImageBuffer

extension ImageFileFormat {
  /// The portable maps of Netpbm: PBM, PGM, PPM in letters or bytes, and PAM, without a color space.
  public static let pnm: ImageFileFormat = ImageFileFormat(
    "PNM", fileExtensions: ["pnm", "ppm", "pgm", "pbm", "pam"],
    mimeTypes: [
      "image/x-portable-anymap", "image/x-portable-pixmap", "image/x-portable-graymap",
      "image/x-portable-bitmap", "image/x-portable-arbitrarymap",
    ], samples: [.uint16, .uint8], statesColor: false, holdsProfiles: false, metadata: [],
    // A header, and a row in the file's order of bytes.
    encoderBytes: { 0x1p12 + $0.rowBytes },
    recognizes: { start in
      start.count > 2 && start[0] == UInt8(ascii: "P")
        && (isSpace(start[2]) || start[2] == UInt8(ascii: "#"))
        && (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(start[1])
    },
    decoder: { job throws(ImageFileError) in
      let header = try PNMHeader(job.bytes)
      let notes = try header.notes(job.bytes)
      let isPlain = !header.isText && header.bits > 1 && header.largest == (1 << header.bits) - 1
      return isPlain
        ? try RawDecoder(
          job.bytes, header.layout, format: .pnm, storage: header.storage, notes: notes)
        : try PNMDecoder(job.bytes, header, notes)
    },
    encoder: { job, sink throws(ImageFileError) in
      try RawEncoder(job, sink, header: Array(header(of: job).utf8), isBigEndian: true)
    })

  /// The channels that a file of this name can hold. Of portable maps, `.ppm` is one of colors and `.pgm` one of grays, both without alpha;
  /// bilevel maps, `.pbm`, can only be read. An extension by which the format was asked for decides instead of the name's.
  func channels(ofFileNamed path: String) -> Set<Channels> {
    guard self == .pnm else { return channels }
    switch requestedExtension ?? ending(of: path) {
    case "ppm": return [.rgb]
    case "pgm": return [.gray]
    case "pbm": return []
    default: return channels
    }
  }

  /// The header of PGM or PPM; that of PAM for alpha, which only PAM holds, and for `.pam`.
  private static func header(of job: EncodingJob) -> String {
    let largest = job.samples == .uint8 ? 255 : 65_535
    let (width, height) = (job.size.width, job.size.height)
    let ending = job.format.requestedExtension ?? ending(of: job.file)
    guard job.channels.hasAlpha || ending == "pam" else {
      return "\(job.isGray ? "P5" : "P6")\n\(width) \(height)\n\(largest)\n"
    }
    let kind = (job.isGray ? "GRAYSCALE" : "RGB") + (job.channels.hasAlpha ? "_ALPHA" : "")
    return "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH \(job.channels.count)\n"
      + "MAXVAL \(largest)\nTUPLTYPE \(kind)\nENDHDR\n"
  }
}

/// The header of a portable map.
private struct PNMHeader {
  let layout: RawLayout
  /// The largest sample value, which stands for 1.
  let largest: Int
  /// Whether samples are numbers in letters, or bytes.
  let isText: Bool
  /// Bits of a stored sample: 1, 8 or 16.
  let bits: Int
  let storage: String

  init(_ bytes: ByteSource) throws(ImageFileError) {
    var words = HeaderWords(bytes)
    let kind = try words.next()
    let fields = try kind == "P7" ? Fields(ofPAM: &words, bytes.name) : Fields(of: kind, &words)
    guard let channels = Channels(count: fields.depth), fields.width > 0, fields.height > 0,
      fields.largest <= 65_535
    else {
      throw .damaged(
        file: bytes.name,
        reason: "its header states \(fields.width) × \(fields.height) pixels of "
          + "\(fields.depth) samples to \(fields.largest)")
    }
    try fields.checkTuple(file: bytes.name)
    largest = fields.largest
    isText = ["P1", "P2", "P3"].contains(kind)
    bits = kind == "P1" || kind == "P4" ? 1 : largest < 256 ? 8 : 16
    layout = RawLayout(
      start: try words.endOfWords(), size: PixelSize(fields.width, fields.height),
      channels: channels, samples: largest < 256 ? .uint8 : .uint16, isBigEndian: true)
    storage = "\(kind), \(isText ? "in letters, " : "")samples to \(largest)"
  }
}

extension PNMHeader {
  /// What a header states, unchecked.
  private struct Fields {
    var (width, height, depth, largest) = (0, 0, 1, 1)
    /// The name of the tuples of a PAM file.
    var tuple: String?

    /// The samples of the tuples that pam(5) defines.
    private static let depths = [
      "BLACKANDWHITE": 1, "GRAYSCALE": 1, "BLACKANDWHITE_ALPHA": 2, "GRAYSCALE_ALPHA": 2, "RGB": 3,
      "RGB_ALPHA": 4,
    ]

    /// Reads the numbers behind P1 to P6.
    init(of kind: String, _ words: inout HeaderWords) throws(ImageFileError) {
      if kind == "P3" || kind == "P6" { depth = 3 }
      (width, height) = (try words.wholeNumber(), try words.wholeNumber())
      if kind != "P1", kind != "P4" { largest = try words.wholeNumber() }
    }

    /// Reads the lines behind P7.
    init(ofPAM words: inout HeaderWords, _ file: String) throws(ImageFileError) {
      while true {
        switch try words.next() {
        case "WIDTH": width = try words.wholeNumber()
        case "HEIGHT": height = try words.wholeNumber()
        case "DEPTH": depth = try words.wholeNumber()
        case "MAXVAL": largest = try words.wholeNumber()
        case "ENDHDR": return
        // Several lines are one name (pam(5)).
        case "TUPLTYPE":
          let word = try words.next()
          guard tuple?.utf8.count ?? 0 < 256 else {
            throw .damaged(file: file, reason: "the name of its tuples has no end")
          }
          tuple = tuple.map { "\($0) \(word)" } ?? word
        case let word: throw .damaged(file: file, reason: "its header has the word “\(word)”")
        }
      }
    }

    /// Throws where the name of the tuples is unknown, or that of tuples with another number of samples.
    func checkTuple(file: String) throws(ImageFileError) {
      guard let tuple else { return }
      guard let depthOfTuple = Self.depths[tuple] else {
        throw .unsupportedStorage(
          file: file,
          reason: "its tuples are “\(tuple.prefix(40))”; known are "
            + "\(Self.depths.keys.sorted().joined(separator: ", "))")
      }
      guard depthOfTuple == depth else {
        throw .damaged(
          file: file,
          reason:
            "its header states \(depth) samples for tuples of \(tuple), which have \(depthOfTuple)")
      }
    }
  }
}

extension PNMHeader {
  /// A note where another map follows. Maps in letters hold only one (pbm(5)).
  fileprivate func notes(_ bytes: ByteSource) throws(ImageFileError) -> [ImageFileNote] {
    guard !isText else { return [] }
    // Floating-point, because a header's sizes could overflow an integer.
    let row = (Double(layout.size.width) * Double(layout.channels.count * bits) / 8).rounded(.up)
    let end = Double(layout.start) + row * Double(layout.size.height)
    guard end + 2 < Double(bytes.count) else { return [] }
    let start = try bytes.array(Int(end)..<Int(end) + 3)
    return ImageFileFormat.pnm.recognizes(start)
      ? [.unread("what follows its first picture, such as other pictures")] : []
  }
}

/// Reads maps whose samples are not those of a bitmap: in letters, of one bit, or with another largest number.
private final class PNMDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let bytes: ByteSource
  private let window: ByteWindow
  private let header: PNMHeader
  private var position: Int
  private var rowsRead = 0

  init(
    _ bytes: ByteSource, _ header: PNMHeader, _ notes: [ImageFileNote]
  ) throws(ImageFileError) {
    (self.bytes, window) = (bytes, ByteWindow(bytes))
    (self.header, position) = (header, header.layout.start)
    let layout = header.layout
    info = ImageFileInfo(
      format: .pnm, storedSize: layout.size, channels: layout.channels, samples: layout.samples,
      storage: header.storage, color: .unstated, notes: notes)
    // The fewest bytes a sample can have: a letter, or its bits.
    let samples = layout.size.pixelCount.multipliedReportingOverflow(by: layout.channels.count)
    let bits = samples.partialValue.multipliedReportingOverflow(by: header.isText ? 8 : header.bits)
    guard !samples.overflow, !bits.overflow, bits.partialValue / 8 <= bytes.count else {
      throw .truncated(file: bytes.name, rows: 0, of: layout.size.height)
    }
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let layout = header.layout
    var bit = 0
    for index in 0..<layout.size.width * layout.channels.count {
      let value = try header.isText ? number() : header.bits == 1 ? stored(&bit) : stored()
      guard value <= header.largest else {
        throw .damaged(
          file: bytes.name,
          reason:
            "a sample of column \(index / layout.channels.count + 1) in row \(rowsRead + 1) is \(value), "
            + "and its header states \(header.largest) as the largest")
      }
      let full = layout.samples == .uint8 ? 255 : 65_535
      let scaled = (value * full + header.largest / 2) / header.largest
      if layout.samples == .uint8 {
        row.storeBytes(of: UInt8(scaled), toByteOffset: index, as: UInt8.self)
      } else {
        row.storeBytes(of: UInt16(scaled), toByteOffset: 2 * index, as: UInt16.self)
      }
    }
    if bit > 0 { position += 1 }
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {}

  private var ended: ImageFileError {
    .truncated(file: bytes.name, rows: rowsRead, of: header.layout.size.height)
  }

  /// A number in letters. Those of one bit need no space between them, and 1 is black there.
  private func number() throws(ImageFileError) -> Int {
    while position < bytes.count, try isSpace(window[position]) { position += 1 }
    var (value, digits) = (0, 0)
    while position < bytes.count {
      let digit = try window[position]
      guard (0x30...0x39).contains(digit) else { break }
      // Saturates far beyond the largest sample of any map.
      value = min(10 * value + Int(digit - 0x30), 1_000_000_000)
      position += 1
      digits += 1
      if header.bits == 1 {
        guard value < 2 else {
          throw .damaged(
            file: bytes.name,
            reason: "byte \(position - 1) is the digit \(value), where 0 or 1 is needed")
        }
        return 1 - value
      }
    }
    guard digits > 0 else {
      if position >= bytes.count { throw ended }
      throw .damaged(file: bytes.name, reason: "byte \(position) is no digit of a sample")
    }
    return value
  }

  /// A sample of one bit: 1 is black.
  private func stored(_ bit: inout Int) throws(ImageFileError) -> Int {
    guard position < bytes.count else { throw ended }
    let value = 1 - Int(try window[position] >> (7 - bit) & 1)
    bit = (bit + 1) & 7
    if bit == 0 { position += 1 }
    return value
  }

  private func stored() throws(ImageFileError) -> Int {
    let byteCount = header.bits / 8
    guard position + byteCount <= bytes.count else { throw ended }
    defer { position += byteCount }
    return try window.number(byteCount, at: position, isBigEndian: true)
  }
}
