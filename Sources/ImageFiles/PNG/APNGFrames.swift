internal import ImageBuffer

/// A frame of an animated PNG file (PNG, third edition, 11.3.6.2).
struct APNGFrame: LayeredFrame {
  /// From 1.
  let number: Int
  let region: Region
  let disposal: FrameDisposal
  /// Whether transparent pixels show what is below.
  let blends: Bool
  let isOpaque: Bool
  /// How long it is shown, in seconds.
  let duration: Double
  /// The position of the chunk behind its fcTL.
  let data: Int
  /// Whether its pixels are those of the chunks IDAT, which readers without animations show.
  let isPicture: Bool

  var replaces: Bool { isOpaque || !blends }

  func unpackedPixels(onRows _: Int) -> Int { region.size.pixelCount }
}

/// Reads the frames of an animated PNG file in order. A copy continues at the same place.
struct APNGFrames {
  private let chunks: ChunkReader
  private let screen: PixelSize
  private let isOpaque: Bool
  private var position = PNGChunks.signature.count
  private var count = 0
  /// The number that the next fcTL or fdAT must have.
  private var sequence: UInt32 = 0
  private var isBehindPicture = false
  /// Why there is no further frame: the chunk IEND, or else the file ends or is damaged. Nil before the last one was read.
  private(set) var ending: FrameEnding?

  private static let controlBytes = 26

  /// The frames of a file on a screen of the size that its header states. `isOpaque` tells whether its kind of pixels has no alpha.
  init(_ bytes: ByteSource, on screen: PixelSize, isOpaque: Bool) {
    (chunks, self.screen, self.isOpaque) = (ChunkReader(bytes), screen, isOpaque)
  }

  /// Returns the next frame; nil where ``ending`` says why there is none.
  mutating func next() throws(ImageFileError) -> APNGFrame? {
    while ending == nil {
      guard let chunk = try chunks.outline(at: position) else {
        ending = .file
        break
      }
      position = chunk.end
      switch chunk.name {
      case "IEND": ending = .end
      case "IDAT": isBehindPicture = true
      case "fdAT": try takeNumber(of: chunk, least: 4)
      case "fcTL":
        if let frame = try frame(chunk) { return frame }
      default: break
      }
    }
    return nil
  }

  /// Checks the number of a chunk in the sequence of all chunks of the animation. Returns whether it is right.
  @discardableResult
  private mutating func takeNumber(
    of chunk: ChunkReader.Chunk, least: Int
  ) throws(ImageFileError) -> Bool {
    guard chunk.body.count >= least,
      try chunks.number(at: chunk.body.lowerBound) == sequence
    else {
      ending = .damage(
        "a chunk “\(chunk.name)” of \(counted(chunk.body.count, "byte")) does not have the number "
          + "\(sequence) in the sequence of its animation")
      return false
    }
    sequence &+= 1
    return true
  }

  private mutating func frame(_ chunk: ChunkReader.Chunk) throws(ImageFileError) -> APNGFrame? {
    guard try takeNumber(of: chunk, least: Self.controlBytes) else { return nil }
    guard try chunks.isIntact(chunk) else {
      ending = .damage("the checksum of its chunk “fcTL” is wrong")
      return nil
    }
    var numbers: [Int] = []
    for index in 1...4 {
      numbers.append(Int(try chunks.number(at: chunk.body.lowerBound + 4 * index)))
    }
    let timing = try chunks.number(at: chunk.body.lowerBound + 20)
    let methods = try chunks.number(at: chunk.body.lowerBound + 22) & 0xFFFF
    let region = Region(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
    let isPicture = count == 0 && !isBehindPicture
    let whole = Region(screen)
    guard region.width > 0, region.height > 0, region.intersection(whole) == region,
      !isPicture || region == whole
    else {
      ending = .damage(
        "its frame \(count + 1) has \(region.size) pixels at (\(region.x), \(region.y)), and the picture "
          + "\(screen)")
      return nil
    }
    count += 1
    let denominator = timing & 0xFFFF
    return APNGFrame(
      number: count, region: region,
      disposal: FrameDisposal(png: methods >> 8, isFirst: count == 1),
      blends: methods & 0xFF == 1, isOpaque: isOpaque,
      duration: Double(timing >> 16) / Double(denominator == 0 ? 100 : denominator),
      data: chunk.end, isPicture: isPicture)
  }
}

extension FrameDisposal {
  /// The method of a number. Before the first frame the screen was transparent.
  fileprivate init(png number: UInt32, isFirst: Bool) {
    switch number {
    case 1: self = .clear
    case 2: self = isFirst ? .clear : .restore
    default: self = .keep
    }
  }
}
