#if COLORLOOM_OPENEXR
  internal import ImageBuffer

  extension ImageFileFormat {
    /// OpenEXR: linear values in half or single precision, premultiplied alpha, and named layers. Luminance with subsampled chroma is read,
    /// too.
    public static let openEXR = ImageFileFormat(
      "OpenEXR", fileExtensions: ["exr"], mimeTypes: ["image/x-exr", "image/aces"],
      samples: [.float16, .float32], alpha: [.premultiplied], holdsProfiles: false,
      metadata: [.comment, .text], writesInOrder: false, holdsLayers: true,
      hasEffort: { $0.compression != .none },
      encoderBytes: { $0.openEXREncoderBytes },
      recognizes: { $0.starts(with: [0x76, 0x2F, 0x31, 0x01]) },
      decoder: { job throws(ImageFileError) in try OpenEXRDecoder(job) },
      encoder: { job, sink throws(ImageFileError) in try OpenEXREncoder(job, sink) })
  }
#endif
