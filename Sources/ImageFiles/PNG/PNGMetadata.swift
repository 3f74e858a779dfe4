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
    metadata.masteringDisplay = bodies["mDCV"].flatMap {
      ImageMetadata.MasteringDisplay($0, red: 0, green: 1, blue: 2)
    }
    return metadata
  }

  /// What the file holds beside the picture, and what contradicts itself or its header.
  var notes: [ImageFileNote] {
    let repeated = repetitions.filter(\.value).keys.sorted().map {
      ImageFileNote.unread("a second chunk “\($0)”, which differs from the first one")
    }
    let unread = unreadNames.sorted().map {
      ImageFileNote.unread(
        "its chunk “\($0)” behind the pixels, which is damaged, or beyond the limit of metadata")
    }
    let damaged = texts.damagedNames.subtracting(unreadNames).sorted().map {
      ImageFileNote.unread("a text of a chunk “\($0)”, which is damaged")
    }
    return repeated + transparencyNotes + unread + damaged
  }

  /// A chunk of transparency that is not for pixels of the header's kind, which libpng ignores.
  private var transparencyNotes: [ImageFileNote] {
    guard let count = bodies["tRNS"]?.count else { return [] }
    let colors = (bodies["PLTE"]?.count ?? 0) / 3
    let (fits, wanted) =
      switch colorType {
      case 0: (count == 2, "2 bytes belong")
      case 2: (count == 6, "6 bytes belong")
      case 3: ((1...max(colors, 1)).contains(count), "1 to \(colors) bytes belong")
      default: (false, "pixels have alpha")
      }
    return fits
      ? []
      : [.unread("its transparency (tRNS), which has \(counted(count, "byte")) where \(wanted)")]
  }
}

/// How fine the numbers of cLLI and mDCV are, in candelas per square meter (PNG, third edition, 11.3.2.7 and 11.3.2.8).
private let lightStep = ImageMetadata.MasteringDisplay.luminanceStep

private func contentLight(_ body: [UInt8]) -> ImageMetadata.ContentLight? {
  guard body.count == 8 else { return nil }
  return ImageMetadata.ContentLight(
    maximum: Double(body.bigEndian32(at: 0)) * lightStep,
    frameAverage: Double(body.bigEndian32(at: 4)) * lightStep)
}

extension ImageMetadata.MasteringDisplay {
  /// The steps of chromaticities, and of luminances in cd/m² (SMPTE ST 2086).
  static let chromaticityStep = 0.00002, luminanceStep = 0.0001

  /// Reads chromaticities of light sources in an order, then those of white, then the luminances; nil for what is none of these.
  init?(_ bytes: [UInt8], red: Int, green: Int, blue: Int) {
    guard bytes.count == 24 else { return nil }
    let points = (0..<4).map { index in
      let pair = bytes.bigEndian32(at: 4 * index)
      return Chromaticity(
        Double(pair >> 16) * Self.chromaticityStep, Double(pair & 0xFFFF) * Self.chromaticityStep)
    }
    let brightest = Double(bytes.bigEndian32(at: 16)) * Self.luminanceStep
    let darkest = Double(bytes.bigEndian32(at: 20)) * Self.luminanceStep
    guard darkest <= brightest else { return nil }
    self.init(
      primaries: Primaries(
        red: points[red], green: points[green], blue: points[blue], white: points[3]),
      luminance: darkest...brightest)
  }
}

/// The chunks of metadata, which was corrected for the file.
func pngMetadataChunks(_ metadata: ImageMetadata) -> [(name: String, body: [UInt8])] {
  func light(_ value: Double) -> UInt32 { UInt32(nearest: value / lightStep) }
  var chunks: [(String, [UInt8])] = []
  if let display = metadata.masteringDisplay {
    let primaries = display.primaries
    let points = [primaries.red, primaries.green, primaries.blue, primaries.white]
      .flatMap { [$0.x, $0.y] }
    let body = points.flatMap { value -> [UInt8] in
      let number = UInt16(nearest: value / ImageMetadata.MasteringDisplay.chromaticityStep)
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
