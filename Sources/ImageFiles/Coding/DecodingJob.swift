internal import ICCProfiles

/// What is to be read: a file's bytes, how much it may ask for, and how.
struct DecodingJob: Sendable {
  let bytes: ByteSource
  let limits: FileLimits
  /// How amounts of inks become light.
  var inks = ProfileRendering()
  /// The profile of the inks where the file has none.
  var assumedInks: ICCProfile?
  /// Whether rows of inks are given as they are, for whoever converts them.
  var keepsInks = false
  /// Which page is read, from 1, where the format has pages; nil for the first one, or the one that the file prefers.
  var page: Int?
  /// Of how many columns and rows one pixel is made: 1, 2, 4 or 8. More than 1 where the format reads reduced pictures only.
  var reduction = 1

  /// Where it is noted how much of a damaged file was read; nil where damage is an error.
  var salvage: SalvageLog?

  /// The path, or what stands for it.
  var file: String { bytes.name }
}

extension DecodingJob {
  /// The file, its header read, which asks for no more than it may.
  var decoder: any ImageDecoder {
    get throws(ImageFileError) {
      let decoder = try ImageFileFormat(of: bytes).decoder(self)
      try limits.check(decoder.info, in: bytes)
      let pages = decoder.info.pages
      if let page, page != pages.number { throw .noSuchPage(file: file, page, pages) }
      return decoder
    }
  }
}
