internal import ImageBuffer

extension ImageFileFormat {
  /// Portable Network Graphics (W3C, third edition): 8 and 16 bits, straight alpha, lossless; or a palette, lossless where it holds all colors.
  public static let png = ImageFileFormat(
    "PNG", fileExtensions: ["png"], mimeTypes: ["image/png", "image/apng", "image/x-png"],
    samples: [.uint16, .uint8], holdsProfiles: true, metadata: Set(MetadataKind.allCases),
    besidesEXIF: [.resolution], holdsPalettes: true, hasEffort: { _ in true },
    // libpng itself, zlib's window and tables, a piece of the file, and rows: as they are, above, and filtered in two ways.
    encoderBytes: { 0x1p19 + 4 * $0.rowBytes + ($0.paletteColors == nil ? 0 : $0.paletteBytes) },
    recognizes: { $0.starts(with: PNGChunks.signature) },
    decoder: { job throws(ImageFileError) in try PNGPicture(job).decoder },
    encoder: { job, sink throws(ImageFileError) in
      guard let count = job.paletteColors else { return try PNGEncoder(job, sink) }
      return try PNGPaletteEncoder(job, sink, count: count)
    })
}
