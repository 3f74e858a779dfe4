internal import ColorSpaces

extension PNGChunks {
  /// What the file holds beside pixels and their meaning.
  var metadata: ImageMetadata {
    var metadata = ImageMetadata()
    texts.fill(&metadata)
    metadata.exif = bodies["eXIf"] ?? metadata.exif
    metadata.resolution =
      bodies["pHYs"].flatMap { ImageMetadata.Resolution(pngDensity: $0) }
      ?? metadata.exif.flatMap(EXIF.init)?.resolution
    metadata.contentLight = bodies["cLLI"].flatMap(contentLight)
    metadata.masteringDisplay = bodies["mDCV"].flatMap(masteringDisplay)
    return metadata
  }

  /// How many frames an animation has (PNG, third edition, 11.3.6); nil for a still picture.
  private var frameCount: Int? {
    bodies["acTL"].flatMap { $0.count == 8 ? Int($0.bigEndian32(at: 0)) : nil }
  }

  /// The first frame of an animation whose first frame is the picture.
  var pages: ImagePages {
    guard let frameCount, frameCount > 1, bodies["fcTL"] != nil else { return ImagePages() }
    return ImagePages(.frame, number: 1, count: frameCount)
  }

  /// An animation beside the picture.
  var notes: [ImageFileNote] {
    guard let frameCount, bodies["fcTL"] == nil else { return [] }
    return [.unread("an animation of \(frameCount) frames, which the picture is not a part of")]
  }
}

/// How fine the numbers of cLLI and mDCV are, in candelas per square metre (PNG, third edition, 11.3.2.7 and 11.3.2.8).
private let lightStep = 0.0001
/// How fine mDCV's chromaticities are.
private let chromaticityStep = 0.00002

private func contentLight(_ body: [UInt8]) -> ImageMetadata.ContentLight? {
  guard body.count == 8 else { return nil }
  return ImageMetadata.ContentLight(
    maximum: Double(body.bigEndian32(at: 0)) * lightStep,
    frameAverage: Double(body.bigEndian32(at: 4)) * lightStep)
}

private func masteringDisplay(_ body: [UInt8]) -> ImageMetadata.MasteringDisplay? {
  guard body.count == 24 else { return nil }
  let points = (0..<4).map { index in
    let pair = body.bigEndian32(at: 4 * index)
    return Chromaticity(
      Double(pair >> 16) * chromaticityStep, Double(pair & 0xFFFF) * chromaticityStep)
  }
  let brightest = Double(body.bigEndian32(at: 16)) * lightStep
  let darkest = Double(body.bigEndian32(at: 20)) * lightStep
  guard darkest <= brightest else { return nil }
  return ImageMetadata.MasteringDisplay(
    primaries: Primaries(red: points[0], green: points[1], blue: points[2], white: points[3]),
    luminance: darkest...brightest)
}

/// The chunks of metadata, which was corrected for the file.
func pngMetadataChunks(_ metadata: ImageMetadata) -> [(name: String, body: [UInt8])] {
  func light(_ value: Double) -> UInt32 { UInt32(clamping: Int((value / lightStep).rounded())) }
  var chunks: [(String, [UInt8])] = []
  if let display = metadata.masteringDisplay {
    let lights = display.primaries
    let points = [lights.red, lights.green, lights.blue, lights.white].flatMap { [$0.x, $0.y] }
    let body = points.flatMap { value -> [UInt8] in
      let number = UInt16(clamping: Int((value / chromaticityStep).rounded()))
      return [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    let luminance = [light(display.luminance.upperBound), light(display.luminance.lowerBound)]
    chunks.append(("mDCV", body + bigEndianBytes(luminance)))
  }
  if let content = metadata.contentLight {
    chunks.append(
      ("cLLI", bigEndianBytes([light(content.maximum), light(content.frameAverage)])))
  }
  if let density = metadata.resolution?.pngDensity { chunks.append(("pHYs", density)) }
  if let exif = metadata.exif { chunks.append(("eXIf", exif)) }
  return chunks + PNGTexts.chunks(of: metadata)
}

/// Numbers as PNG stores them.
func bigEndianBytes(_ numbers: [UInt32]) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
