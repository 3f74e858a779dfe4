internal import ImageBuffer

extension ImageFileFormat {
  /// BMP, the bitmaps of Windows and OS/2: 8 bits, straight alpha, uncompressed; read by a decoder of this package.
  ///
  /// All headers of Windows and OS/2 are read, with palettes, masks of any width and run lengths. Masks of more than 8 bits give samples of
  /// 16 bits. Files are written with the header BITMAPV5HEADER, which states sRGB or holds an ICC profile: 24 bits, or 32 bits with alpha.
  public static let bmp = ImageFileFormat(
    "BMP", fileExtensions: ["bmp", "dib"], mimeTypes: ["image/bmp", "image/x-ms-bmp"],
    samples: [.uint8], channels: [.rgb, .rgba], holdsProfiles: true, metadata: [.resolution],
    besidesEXIF: [.resolution], writesInOrder: false,
    // The header, and a row in the file's order of bytes.
    encoderBytes: { 0x1p12 + 2 * $0.rowBytes },
    recognizes: { BMPHeader.begins($0) },
    decoder: { job throws(ImageFileError) in try BMPDecoder(job) },
    encoder: { job, sink throws(ImageFileError) in try BMPEncoder(job, sink) })
}
