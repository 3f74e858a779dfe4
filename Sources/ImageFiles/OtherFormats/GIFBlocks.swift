internal import ImageBuffer

/// A picture of a GIF file, and how it is shown.
struct GIFFrame: LayeredFrame {
  /// From 1.
  let number: Int
  /// Its place on the logical screen, which it may exceed.
  let region: Region
  let isInterlaced: Bool
  /// Where its own palette is; nil where it has that of the file.
  let palette: Range<Int>?
  /// The index of pixels that leave what is below.
  let transparentIndex: Int?
  let disposal: FrameDisposal
  /// How long it is shown, in hundredths of a second.
  let delay: Int
  /// Where its pixels are: the bits of an index, and sub-blocks.
  let data: Range<Int>
  /// Whether the file ends within it.
  let isTruncated: Bool

  var replaces: Bool { transparentIndex == nil }
  var isOpaque: Bool { replaces }

  // Rows below the screen are left out where they come last.
  func unpackedPixels(onRows rows: Int) -> Int {
    let visible = max(min(region.height, rows - region.y), 0)
    return region.width * (isInterlaced && visible > 0 ? region.height : visible)
  }

  /// Throws where the data are too few for the pixels.
  func checkByteCount(file: String) throws(ImageFileError) {
    let pixels = region.size.pixelCount
    guard isTruncated || pixels <= (data.count + 1) * GIFUnpacker.largestExpansion else {
      throw .damaged(
        file: file,
        reason:
          "its frame \(number) states \(region.size) pixels, which \(data.count) bytes cannot hold")
    }
  }
}

extension FrameDisposal {
  /// The method of a number. Those that the standard does not define keep the frame, except 4, which browsers take for 3.
  fileprivate init(gif number: UInt8) {
    switch number {
    case 2: self = .clear
    case 3, 4: self = .restore
    default: self = .keep
    }
  }
}

/// A block of a GIF file (GIF89a, appendix A), with the place of its data.
enum GIFBlock {
  case frame(GIFFrame)
  /// A comment, in sub-blocks.
  case comment(Range<Int>)
  /// What a program has added, in sub-blocks: its name and code in 11 bytes, such as “NETSCAPE2.0”.
  case application(name: [UInt8], data: Range<Int>)
  /// A text that is drawn in cells of a grid.
  case plainText
  /// An extension that the standard does not define.
  case unknown(label: UInt8)
}

/// Reads the blocks of a GIF file in order, from its header on. A copy continues at the same place.
struct GIFBlocks {
  private let bytes: ByteSource
  private let window: ByteWindow
  private(set) var position: Int
  private var frameCount = 0
  private var blockCount = 0
  /// The graphic control extension for the next frame.
  private var control = Control()
  /// Why there is no further block; nil before the last one was read.
  private(set) var ending: Ending?

  enum Ending: Equatable {
    /// The trailer.
    case trailer
    /// The file, before a trailer.
    case file
    /// A byte that begins no block.
    case unknown(UInt8)
  }

  private struct Control {
    var disposal = FrameDisposal.keep
    var delay = 0
    var transparentIndex: Int?
  }

  /// The most blocks. Each takes time, however small it is.
  private static let blockLimit = 1 << 18

  init(_ bytes: ByteSource, at position: Int) {
    (self.bytes, self.position) = (bytes, position)
    window = ByteWindow(bytes, length: 1 << 14)
  }

  /// Returns the next block; nil where ``ending`` says why there is none.
  mutating func next() throws(ImageFileError) -> GIFBlock? {
    if ending != nil { return nil }
    while position < bytes.count {
      blockCount += 1
      guard blockCount <= Self.blockLimit else {
        throw .damaged(file: bytes.name, reason: "it has more than \(Self.blockLimit) blocks")
      }
      let block: GIFBlock?
      switch try window[position] {
      case 0x2C: block = try frame()
      case 0x21: block = try `extension`()
      case 0x3B:
        ending = .trailer
        return nil
      // Some writers leave a second end mark behind sub-blocks.
      case 0:
        position += 1
        continue
      case let byte:
        ending = .unknown(byte)
        return nil
      }
      if let block { return block }
      if ending != nil { return nil }
    }
    ending = .file
    return nil
  }

  /// Reads a frame; nil where the file ends before its data.
  private mutating func frame() throws(ImageFileError) -> GIFBlock? {
    guard position + 10 <= bytes.count else { return end() }
    let flags = try window[position + 9]
    let start = position + 10
    let paletteBytes = flags & 0x80 != 0 ? Self.paletteBytes(flags) : 0
    let region = Region(
      x: try number(at: position + 1), y: try number(at: position + 3),
      width: try number(at: position + 5), height: try number(at: position + 7))
    let first = start + paletteBytes
    guard first < bytes.count else { return end() }
    let last = try endOfSubBlocks(from: first + 1)
    position = last ?? bytes.count
    frameCount += 1
    defer { control = Control() }
    return .frame(
      GIFFrame(
        number: frameCount, region: region, isInterlaced: flags & 0x40 != 0,
        palette: paletteBytes > 0 ? start..<first : nil,
        transparentIndex: control.transparentIndex, disposal: control.disposal,
        delay: control.delay, data: first..<position, isTruncated: last == nil))
  }

  /// Reads an extension; nil where it only says how the next frame is shown, or the file ends before its end.
  private mutating func `extension`() throws(ImageFileError) -> GIFBlock? {
    guard position + 3 <= bytes.count, let last = try endOfSubBlocks(from: position + 2) else {
      return end()
    }
    let (label, start) = (try window[position + 1], position + 2)
    let count = Int(try window[start])
    position = last
    switch label {
    case 0xF9:
      if count >= 4 {
        let flags = try window[start + 1]
        control = Control(
          disposal: FrameDisposal(gif: flags >> 2 & 7), delay: try number(at: start + 2),
          transparentIndex: flags & 1 != 0 ? Int(try window[start + 4]) : nil)
      }
      return nil
    case 0xFE: return .comment(start..<last)
    case 0xFF where count == 11:
      let data = start + 12
      return .application(name: try bytes.array(start + 1..<data), data: data..<last)
    case 0x01:
      // A graphic control extension before a text is that of the text.
      control = Control()
      return .plainText
    default: return .unknown(label: label)
    }
  }

  private mutating func end() -> GIFBlock? {
    ending = .file
    return nil
  }

  /// The little-endian number at a place. The caller has checked that the bytes are there.
  private func number(at position: Int) throws(ImageFileError) -> Int {
    try window.number(2, at: position, isBigEndian: false)
  }

  /// Returns the place behind sub-blocks and their end mark; nil where the file ends before.
  private func endOfSubBlocks(from start: Int) throws(ImageFileError) -> Int? {
    var place = start
    while place < bytes.count {
      let count = Int(try window[place])
      place += count + 1
      if count == 0 { return place }
    }
    return nil
  }

  /// The bytes of a palette that flags state.
  static func paletteBytes(_ flags: UInt8) -> Int { 3 << (Int(flags & 7) + 1) }
}

extension ByteSource {
  /// Returns the content of sub-blocks of a GIF file, which are complete. Nil where it has more bytes than `limit`.
  func contentOfSubBlocks(
    _ range: Range<Int>, limit: Int
  ) throws(ImageFileError) -> [UInt8]? {
    let window = ByteWindow(self, length: 1 << 12)
    var (content, place): ([UInt8], Int) = ([], range.lowerBound)
    while place < range.upperBound {
      let count = Int(try window[place])
      let end = min(place + 1 + count, range.upperBound)
      if count == 0 { break }
      guard content.count + count <= limit else { return nil }
      content += try array(place + 1..<end)
      place = end
    }
    return content
  }
}
