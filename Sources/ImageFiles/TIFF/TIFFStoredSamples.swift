#if TIFF
  internal import CTIFF
  internal import ImageBuffer

  /// The samples of each pixel of a TIFF file: their format, and which are colors and alpha.
  struct StoredSamples {
    let file: String
    /// The photometric interpretation.
    let kind: Int32
    let encoding: TIFFSampleEncoding
    /// Whether a* and b* of CIELAB are said to be signed. They always are, whatever the sample format says.
    let isSigned: Bool
    /// The samples of a pixel: all, and those that are colors.
    let count, colorCount: Int
    /// Whether the file declares the sample after the colors as alpha, and which alpha.
    let hasAlpha: Bool
    let alpha: Alpha

    /// The samples that are colors or alpha.
    var used: Int { colorCount + (hasAlpha ? 1 : 0) }
    /// The samples that are left out.
    var spare: Int { count - used }

    /// The format, and how many samples are left out.
    var description: String {
      encoding.description + (spare > 0 ? ", \(spare) other samples left out" : "")
    }

    /// Reads the fields of a directory besides those of the encoding. Throws where its samples or its kind of color cannot be read.
    init(
      _ reader: ctiff_reader, _ encoding: TIFFSampleEncoding, file: String
    ) throws(ImageFileError) {
      (self.file, self.encoding) = (file, encoding)
      (kind, count) = (Int32(reader.photometric), Int(reader.samples))
      isSigned = kind == PHOTOMETRIC_CIELAB && reader.sample_format == SAMPLEFORMAT_INT
      colorCount = try Self.colorCount(reader, file: file)
      guard count >= colorCount else {
        throw .damaged(
          file: file, reason: "it has \(count) samples where its colors need \(colorCount)")
      }
      // Extra samples that the file does not declare as alpha are ignored.
      let extra = reader.extra_count > 0 ? Int32(reader.first_extra) : EXTRASAMPLE_UNSPECIFIED
      hasAlpha = count > colorCount && extra != EXTRASAMPLE_UNSPECIFIED
      alpha = hasAlpha && extra == EXTRASAMPLE_ASSOCALPHA ? .premultiplied : .straight
    }

    /// The error for samples that cannot be read.
    func refusal(_ reason: String) -> ImageFileError {
      .unsupportedStorage(file: file, reason: reason)
    }

    /// The samples that a photometric interpretation needs.
    private static func colorCount(
      _ reader: ctiff_reader, file: String
    ) throws(ImageFileError) -> Int {
      let kind = Int32(reader.photometric)
      switch kind {
      case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_PALETTE: return 1
      case PHOTOMETRIC_RGB, PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB: return 3
      case PHOTOMETRIC_SEPARATED: return reader.inkCount
      default:
        throw .unsupportedStorage(
          file: file,
          reason:
            "its kind of color (PhotometricInterpretation \(kind)) is none of gray, RGB, YCbCr, palette, CMYK, "
            + "Lab; save it as RGB first")
      }
    }
  }
#endif
