#if COLORLOOM_TIFF
  internal import ImageBuffer

  extension ImageFileFormat {
    /// TIFF 6.0 and BigTIFF: 8 and 16 bits, half and single precision, any alpha, lossless.
    public static let tiff = ImageFileFormat(
      "TIFF", fileExtensions: ["tif", "tiff"], mimeTypes: ["image/tiff", "image/tiff-fx"],
      samples: [.uint16, .uint8, .float16, .float32], alpha: [.straight, .premultiplied],
      holdsProfiles: true, inkCounts: 1...15,
      metadata: [.exif, .xmp, .iptc, .photoshop, .resolution, .orientation],
      besidesEXIF: [.resolution, .orientation], writesInOrder: false,
      hasEffort: { $0.compression == .deflate },
      encoderBytes: { $0.tiffEncoderBytes },
      recognizes: { start in
        ["II*\0", "MM\0*", "II+\0", "MM\0+"].contains { start.starts(with: $0.utf8) }
      },
      decoder: { job throws(ImageFileError) in try TIFFDecoder(job) },
      encoder: { job, sink throws(ImageFileError) in try TIFFEncoder(job, sink) })
  }
#endif
