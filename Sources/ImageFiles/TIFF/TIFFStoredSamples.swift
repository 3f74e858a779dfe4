#if COLORLOOM_TIFF
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

    /// The names of the samples after the colors and alpha, which are read as layers: those that Photoshop states, or “extra 1”, “extra 2” …
    let extraNames: [String]

    /// The samples that are colors or alpha.
    var used: Int { colorCount + (hasAlpha ? 1 : 0) }

    /// The format, and how many samples are left out.
    var description: String {
      encoding.description
        + (extraNames.isEmpty ? "" : ", \(counted(extraNames.count, "other sample")) left out")
    }

    /// Reads the fields of a directory besides those of the encoding. Throws where its samples or its kind of color cannot be read.
    init(
      _ reader: ctiff_reader, _ encoding: TIFFSampleEncoding, _ page: TIFFPages?,
      _ job: DecodingJob
    ) throws(ImageFileError) {
      let file = job.file
      (self.file, self.encoding) = (file, encoding)
      (kind, count) = (Int32(reader.photometric), Int(reader.samples))
      isSigned = kind == PHOTOMETRIC_CIELAB && reader.sample_format == SAMPLEFORMAT_INT
      colorCount = try Self.colorCount(reader, file: file)
      guard count >= colorCount else {
        throw .damaged(
          file: file, reason: "it has \(count) samples where its colors need \(colorCount)")
      }
      // Extra samples that the file does not declare as alpha are layers.
      let extra = reader.extra_count > 0 ? Int32(reader.first_extra) : EXTRASAMPLE_UNSPECIFIED
      hasAlpha = count > colorCount && extra != EXTRASAMPLE_UNSPECIFIED
      alpha = hasAlpha && extra == EXTRASAMPLE_ASSOCALPHA ? .premultiplied : .straight
      let spare = count - colorCount - (hasAlpha ? 1 : 0)
      let stated = spare > 0 ? page?.channelNames(most: job.limits.metadataBytes) ?? [] : []
      extraNames = Self.extraNames(spare, stated: stated, beside: hasAlpha ? 1 : 0)
    }

    /// Returns the stated names, which may begin with that of alpha, where they are as many as the samples and all differ; else general
    /// ones.
    private static func extraNames(
      _ count: Int, stated: [String], beside alphaCount: Int
    ) -> [String] {
      let names = stated.count == count + alphaCount ? Array(stated.dropFirst(alphaCount)) : stated
      guard names.count == count, Set(names).count == count, !names.contains("") else {
        return (0..<count).map { "extra \($0 + 1)" }
      }
      return names
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
