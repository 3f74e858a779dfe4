internal import ImageBuffer

extension ImageFileFormat {
  /// JPEG (Rec. ITU-T T.81): 8 bits, no alpha, lossy.
  public static let jpeg = ImageFileFormat(
    "JPEG", fileExtensions: ["jpg", "jpeg", "jpe", "jfif"],
    mimeTypes: ["image/jpeg", "image/jpg", "image/pjpeg"], samples: [.uint8],
    channels: [.gray, .rgb], holdsProfiles: true, inkCounts: 4...4,
    metadata: [.exif, .xmp, .iptc, .photoshop, .comment, .resolution, .orientation],
    besidesEXIF: [.resolution],
    readsReduced: true, holdsGainMaps: true, hasQuality: { _ in true },
    encoderBytes: { $0.jpegEncoderBytes },
    recognizes: { $0.starts(with: [0xFF, 0xD8, 0xFF]) },
    decoder: { job throws(ImageFileError) in try JPEGDecoder(job) },
    encoder: { job, sink throws(ImageFileError) in try JPEGEncoder(job, sink) })
}
