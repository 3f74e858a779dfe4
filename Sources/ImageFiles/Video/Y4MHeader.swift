internal import ImageBuffer

/// The first line of a YUV4MPEG2 file: words whose first letter is their key (yuv4mpeg(5) of the mjpegtools, and ffmpeg's words with the
/// key X).
struct Y4MHeader {
  let line: String
  private static let magic = "YUV4MPEG2"

  /// Reads the header from the beginning of an input.
  init(from input: ByteInput) throws(ImageFileError) {
    // Other files may have no line feed where a line must end.
    let line = try input.begins(with: Array(Self.magic.utf8)) ? input.line() : ""
    guard line == Self.magic || line.hasPrefix("\(Self.magic) ") else {
      throw .unknownFormat(
        file: input.file, found: "no YUV4MPEG2 video, which ffmpeg writes with -f yuv4mpegpipe")
    }
    self.line = line
  }

  /// Throws where an input that is to be read as raw samples begins with a header.
  static func refuse(in input: ByteInput) throws(ImageFileError) {
    guard try input.begins(with: Array("\(magic) ".utf8)) else { return }
    throw .unknownFormat(
      file: input.file, found: "a YUV4MPEG2 video, whose header is no raw samples")
  }

  /// Returns the format that the header states; the rest as in `unstated`.
  func format(_ unstated: VideoFormat, file: String) throws(ImageFileError) -> VideoFormat {
    var format = unstated
    var (width, height) = (0, 0)
    // A header without a word C means 4:2:0 of 8 bits, as in JPEG.
    (format.layout, format.siting) = (.planes(.quarter, bits: 8), .center)
    var siting: VideoFormat.Siting?
    var isFullRange: Bool?
    // The word C, and ffmpeg's older word, which counts where there is no C.
    var samples: String?
    var olderSamples: String?
    for word in line.split(separator: " ").dropFirst() {
      let value = String(word.dropFirst())
      switch word.first {
      case "W": width = Int(value) ?? 0
      case "H": height = Int(value) ?? 0
      case "F":
        let parts = value.split(separator: ":").map { Int($0) ?? 0 }
        if parts.count == 2, parts[0] > 0, parts[1] > 0 {
          (format.frames, format.seconds) = (parts[0], parts[1])
        }
      case "I" where value != "p" && value != "?":
        throw .unsupportedStorage(
          file: file, reason: "it is interlaced; ffmpeg -vf bwdif makes whole frames of it")
      case "C": samples = value
      case "X" where value.hasPrefix(Self.olderSamplesWord):
        olderSamples = value.dropFirst(Self.olderSamplesWord.count).lowercased()
      case "A":
        let parts = value.split(separator: ":").map { Int32($0) ?? 0 }
        // 0 to 0 is an unknown aspect ratio, as is any that cannot be read.
        let isRatio = parts.count == 2 && parts.allSatisfy { $0 > 0 }
        (format.pixelWidth, format.pixelHeight) = isRatio ? (Int(parts[0]), Int(parts[1])) : (0, 0)
      case "X" where value.hasPrefix(Self.sitingWord):
        siting = Self.sitingNames[String(value.dropFirst(Self.sitingWord.count))]
      case "X" where value == "COLORRANGE=FULL": isFullRange = true
      case "X" where value == "COLORRANGE=LIMITED": isFullRange = false
      default: break
      }
    }
    guard (1...1 << 20).contains(width), (1...1 << 20).contains(height) else {
      throw .damaged(file: file, reason: "its header is “\(line)”, which states no usable size")
    }
    format.size = PixelSize(width, height)
    if let word = samples ?? olderSamples {
      let stated = try Self.samples(word, file: file)
      (format.layout, format.siting) = (stated.layout, stated.siting ?? unstated.siting)
    }
    format.siting = siting ?? format.siting
    format.isFullRange = isFullRange ?? (format.layout.isGray || unstated.isFullRange)
    return format
  }

  /// The word with which ffmpeg states the samples, in capitals.
  private static let olderSamplesWord = "YSCSS="

  /// The word with which this package states the siting of 4:2:0 above 8 bits, which the word C does not state.
  private static let sitingWord = "COLORLOOM_SITING="
  private static let sitingNames: [String: VideoFormat.Siting] = [
    "LEFT": .left, "CENTER": .center, "TOPLEFT": .topLeft,
  ]

  /// The chroma siting of the words C for 4:2:0, as ffmpeg reads them: 420paldv is co-sited in both directions.
  private static let sitings: [String: VideoFormat.Siting] = [
    "420": .center, "420jpeg": .center, "420mpeg2": .left, "420paldv": .topLeft,
  ]

  /// The layouts that have a word C, and the word: 4:2:0 of 8 bits has one for each siting.
  private static let layouts: [(word: String, layout: VideoFormat.Layout)] =
    (8...16).flatMap { bits in
      let planes = ChromaSampling.allCases.map { chroma -> (String, VideoFormat.Layout) in
        (bits > 8 ? "\(chroma.digits)p\(bits)" : chroma.digits, .planes(chroma, bits: bits))
      }
      return planes + [(bits > 8 ? "mono\(bits)" : "mono", .gray(bits: bits))]
    }

  /// Returns the layout of a word C, and its siting where it states one: 4:2:2 is co-sited by definition, and 4:4:4 is not subsampled.
  private static func samples(
    _ value: String, file: String
  ) throws(ImageFileError) -> (layout: VideoFormat.Layout, siting: VideoFormat.Siting?) {
    if let siting = sitings[value] { return (.planes(.quarter, bits: 8), siting) }
    guard let layout = layouts.first(where: { $0.word == value })?.layout
    else {
      throw .unsupportedStorage(
        file: file,
        reason: "its samples are “\(value)”; ffmpeg -pix_fmt yuv420p makes others of them")
    }
    return (layout, layout.chroma == .quarter ? nil : .left)
  }

  /// The line for a format.
  init(describing format: VideoFormat, file: String) throws(ImageFileError) {
    let (layout, chroma) = (format.layout, format.layout.chroma)
    guard var samples = Self.layouts.first(where: { $0.layout == layout })?.word else {
      throw .cannotWrite(
        file: file,
        reason:
          "YUV4MPEG2 holds no \(layout) samples; choose a planar layout, such as \(layout.ofY4M), or write bare samples"
      )
    }
    guard chroma != .half || format.siting == .left else {
      throw .cannotWrite(
        file: file,
        reason:
          "4:2:2 chroma of YUV4MPEG2 lies on the left column, and this format's does not; write bare samples"
      )
    }
    var siting = ""
    if chroma == .quarter, layout.bits == 8 {
      samples = Self.sitings.first { $0.key != "420" && $0.value == format.siting }?.key ?? samples
    } else if chroma == .quarter, format.siting != .left {
      let name = Self.sitingNames.first { $0.value == format.siting }?.key ?? ""
      siting = " X\(Self.sitingWord)\(name)"
    }
    line =
      "\(Self.magic) W\(format.size.width) H\(format.size.height) "
      + "F\(format.frames):\(format.seconds) Ip A\(format.pixelWidth):\(format.pixelHeight) "
      + "C\(samples) XCOLORRANGE=\(format.isFullRange ? "FULL" : "LIMITED")\(siting)"
  }
}

extension VideoFormat.Layout {
  /// The layout of the same components that YUV4MPEG2 holds: this one, or planes of luma and chroma.
  package var ofY4M: VideoFormat.Layout {
    switch self {
    case .planes, .gray: self
    case .semiplanar, .packed422, .packedRGB, .orderedRGB, .planarRGB:
      .planes(chroma ?? .full, bits: bits)
    }
  }
}
