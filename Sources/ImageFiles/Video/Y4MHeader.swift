internal import ImageBuffer

/// The first line of a YUV4MPEG2 file: words that begin with the letter of what they say (yuv4mpeg(5) of the mjpegtools, and the words
/// beginning with X that ffmpeg adds).
struct Y4MHeader {
  let line: String
  private static let magic = "YUV4MPEG2"

  init(_ line: String, file: String) throws(ImageFileError) {
    guard line == Self.magic || line.hasPrefix("\(Self.magic) ") else {
      throw .unknownFormat(
        file: file, found: "no YUV4MPEG2 video, which ffmpeg writes with -f yuv4mpegpipe")
    }
    self.line = line
  }

  /// What the words say; the rest as in `unstated`.
  func format(_ unstated: VideoFormat, file: String) throws(ImageFileError) -> VideoFormat {
    var format = unstated
    var (width, height) = (0, 0)
    // 4:2:0 of 8 bits, as in JPEG, is meant where nothing is said.
    (format.layout, format.siting) = (.planes(.quarter, bits: 8), .center)
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
      case "C": try Self.read(value, into: &format, file: file)
      case "X" where value == "COLORRANGE=FULL": format.isFullRange = true
      case "X" where value == "COLORRANGE=LIMITED": format.isFullRange = false
      default: break
      }
    }
    guard (1...1 << 20).contains(width), (1...1 << 20).contains(height) else {
      throw .damaged(file: file, reason: "its header is “\(line)”, which states no usable size")
    }
    format.size = PixelSize(width, height)
    return format
  }

  private static let sitings: [String: VideoFormat.Siting] = [
    "": .center, "jpeg": .center, "mpeg2": .left,
  ]

  private static func read(
    _ value: String, into format: inout VideoFormat, file: String
  ) throws(ImageFileError) {
    let chroma = ChromaSampling.allCases.first { value.hasPrefix($0.digits) }
    let rest = String(value.dropFirst(3))
    if let chroma, let siting = sitings[rest] {
      (format.layout, format.siting) = (.planes(chroma, bits: 8), siting)
    } else if let chroma, rest.hasPrefix("p"), let bits = Int(rest.dropFirst()),
      (9...16).contains(bits)
    {
      // With more bits the words say nothing of where differences lie; such video is rarely of JPEG's kind.
      (format.layout, format.siting) = (.planes(chroma, bits: bits), .left)
    } else {
      throw .unsupportedStorage(
        file: file,
        reason: "its samples are “\(value)”; ffmpeg -pix_fmt yuv420p makes others of them")
    }
  }

  /// The line for a format.
  init(describing format: VideoFormat, file: String) throws(ImageFileError) {
    guard case .planes(let chroma, let bits) = format.layout else {
      throw .unsupportedStorage(
        file: file, reason: "YUV4MPEG2 holds no packed red, green and blue; write bare samples")
    }
    let samples =
      bits > 8
      ? "\(chroma.digits)p\(bits)"
      : chroma == .quarter ? (format.siting == .left ? "420mpeg2" : "420jpeg") : chroma.digits
    line =
      "\(Self.magic) W\(format.size.width) H\(format.size.height) "
      + "F\(format.frames):\(format.seconds) Ip A1:1 C\(samples) "
      + "XCOLORRANGE=\(format.isFullRange ? "FULL" : "LIMITED")"
  }
}
