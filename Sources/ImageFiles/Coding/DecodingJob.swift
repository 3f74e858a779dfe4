internal import ICCProfiles

/// A request to read a file: its bytes, its limits and the options.
struct DecodingJob: Sendable {
  var bytes: ByteSource
  let limits: FileLimits
  /// How ink channel values are converted to colors.
  var inks = ProfileRendering()
  /// The profile of the ink channels where the file has none.
  var assumedInks: ICCProfile?
  /// Whether rows of ink channels are passed on unconverted, for a caller that converts them.
  var keepsInks = false
  /// Which page is read, from 1, where the format has pages; nil for the first one, or the one that the file prefers.
  var page: Int?
  /// The name of the layer or the channel of an OpenEXR file, or of the extra sample of a TIFF file, that is read; nil for the colors
  /// outside of them.
  var layer: String?
  /// Which picture of an HEIF file is read, where it is none of the pages.
  var item: UInt32?
  /// The factor, 1, 2, 4 or 8, by which columns and rows are reduced. More than 1 only where the format can decode reduced pictures.
  var reduction = 1

  /// Whether the intact rows of a damaged file are read; damage is an error otherwise.
  var salvages = false
  /// Records the damage below intact rows.
  let damage = DamageLog()
  /// Tells the decoder whether to stop.
  var stop = ReadingStop()
  /// Whether the header also describes a gain map. Not for pixels, and not for the gain map itself, which has none.
  var findsGainMap = true

  /// The path, or a name for bytes without one.
  var file: String { bytes.name }

  /// Returns the rows of the file that a number of reduced rows are made of, where the file has `height` rows.
  func storedRows(_ rows: Int, of height: Int) -> Int { min(rows * reduction, height) }
}

extension DecodingJob {
  /// A decoder whose file's header was read and is within the limits.
  var decoder: any ImageDecoder {
    get throws(ImageFileError) {
      let decoder = try ImageFileFormat(of: bytes).decoder(self)
      try limits.check(decoder.info, in: bytes)
      let pages = decoder.info.pages
      if let page, page != pages.number { throw .noSuchPage(file: file, page, pages) }
      // Formats without layers do not look for one.
      if layer != decoder.info.layer { throw .noSuchLayer(file: file, layer, channels: []) }
      return decoder
    }
  }
}
