#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ColorSpaces
  internal import FilterGraph
  internal import ImageBuffer

  /// The sample encoding of a file, and its conversion to the samples of a bitmap.
  struct TIFFConversion {
    let channels: Channels
    let samples: SampleFormat
    /// The sample format of the stored values of Lab, which is converted to floats; nil for other colors.
    var storedSamples: SampleFormat?
    let alpha: Alpha
    /// The color space that follows from the photometric interpretation, whatever else the file says, and the field that states it.
    let space: (ColorSpace, ColorStatement)?
    /// The ink channels; nil where there are none.
    let inks: ImageFileInks?
    /// The names of the samples of a pixel that are neither color nor alpha.
    let extraNames: [String]
    /// The extra sample that is read in place of the colors: its name, and its number among all samples of a pixel.
    var extra: (name: String, sample: Int)?
    /// A description of the samples.
    let description: String
    /// Converts a row of all samples of the file to a row of a bitmap.
    let convert: Conversion

    typealias Conversion = (
      _ stored: UnsafeRawBufferPointer, _ row: UnsafeMutableRawBufferPointer
    ) -> Void
  }

  extension TIFFConversion {
    /// Creates the conversion of a directory's samples. Throws where they are of a kind that cannot be read.
    init(
      _ reader: ctiff_reader, _ encoding: TIFFSampleEncoding, _ page: TIFFPages?,
      _ job: DecodingJob
    ) throws(ImageFileError) {
      let stored = try StoredSamples(reader, encoding, page, job)
      if let layer = job.layer {
        self = try Self.extra(layer, stored)
        return
      }
      switch stored.kind {
      case PHOTOMETRIC_PALETTE: self = try Self.palette(reader, stored)
      case PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB:
        self = try Self.lab(stored, white: page?.whitePoint)
      case PHOTOMETRIC_SEPARATED: self = try Self.inks(reader, page, stored, job)
      default: self = try Self.grayOrRGB(stored)
      }
    }

    /// An extra sample, such as the infrared channel of a scanner, as gray. It has no color: its values are read as linear.
    private static func extra(
      _ name: String, _ stored: StoredSamples
    ) throws(ImageFileError) -> TIFFConversion {
      guard let index = stored.extraNames.firstIndex(of: name) else {
        throw .noSuchLayer(file: stored.file, name, channels: stored.extraNames)
      }
      let sample = stored.used + index
      return TIFFConversion(
        channels: .gray, samples: stored.encoding.format, alpha: .straight,
        space: (.linearSRGB, .data), inks: nil, extraNames: stored.extraNames,
        extra: (name, sample),
        description: "gray, \(stored.encoding.description), the extra sample “\(name)”",
        convert: copy(stored, sample..<sample + 1))
    }

    private static func palette(
      _ reader: ctiff_reader, _ stored: StoredSamples
    ) throws(ImageFileError) -> TIFFConversion {
      let bits = stored.encoding.bits
      guard stored.encoding.kind == .unsigned, bits <= 8, let red = reader.red,
        let green = reader.green, let blue = reader.blue
      else {
        throw stored.refusal(
          "a palette whose indices are \(stored.description); unsigned integers of up to 8 bits can be read"
        )
      }
      let entries = (0..<1 << bits).map { [red[$0], green[$0], blue[$0]] }
      let (samples, convert) = palette(entries, stored)
      return TIFFConversion(
        channels: stored.hasAlpha ? .rgba : .rgb, samples: samples, alpha: stored.alpha,
        space: nil, inks: nil, extraNames: stored.extraNames,
        description: "palette\(stored.hasAlpha ? " and alpha" : "") of \(bits) bits",
        convert: convert)
    }

    private static func lab(
      _ stored: StoredSamples, white: [Double]?
    ) throws(ImageFileError) -> TIFFConversion {
      let (encoding, isICC) = (stored.encoding, stored.kind == PHOTOMETRIC_ICCLAB)
      let isFloat = encoding.kind == .float
      guard isFloat ? encoding.format == .float32 && !isICC : encoding.isCopied else {
        throw stored.refusal(
          "Lab of \(stored.description); 8 and 16 bits, and floats of 32 and 64 bits can be read")
      }
      guard !stored.hasAlpha || stored.alpha == .straight else {
        throw stored.refusal("Lab that is multiplied by its alpha")
      }
      return TIFFConversion(
        channels: stored.hasAlpha ? .rgba : .rgb, samples: .float32,
        storedSamples: encoding.format, alpha: stored.alpha,
        space: try labSpace(white: isICC ? nil : white, file: stored.file), inks: nil,
        extraNames: stored.extraNames,
        description: "\(isICC ? "ICC Lab" : "CIELAB") of \(stored.description)",
        convert: isFloat
          ? copy(stored)
          : lab(
            bits: encoding.bits, isICC: isICC, isSigned: stored.isSigned, used: stored.used,
            stride: stored.count))
    }

    private static func inks(
      _ reader: ctiff_reader, _ page: TIFFPages?, _ stored: StoredSamples, _ job: DecodingJob
    ) throws(ImageFileError) -> TIFFConversion {
      let encoding = stored.encoding
      let inks = ImageFileInks(names: reader.inkNames(page), format: encoding.format)
      guard encoding.kind != .signed, encoding.bits >= 8, encoding.format != .float16,
        !stored.hasAlpha, (1...15).contains(stored.colorCount)
      else {
        throw stored.refusal(
          "\(stored.colorCount) ink channels of \(stored.description); 1 to 15 of 8 to 32 bits, and floats of 32 and 64 bits, "
            + "without alpha can be read")
      }
      let copy = copy(stored)
      return TIFFConversion(
        channels: .rgb, samples: InkConversion.samples, alpha: stored.alpha,
        space: reader.profile == nil ? nil : (InkConversion.space, .profile), inks: inks,
        extraNames: stored.extraNames,
        description:
          "\(inks.count == 4 ? "CMYK" : "\(inks.count) ink channels") of \(stored.description)",
        convert: job.keepsInks
          ? copy
          : try converting(
            inks, InkConversion(profile: reader.profileBytes, inks, job),
            byteCount: Int(reader.width) * stored.used * inks.format.byteCount, copy))
    }

    /// Converts the ink amounts that `copy` gives of a row, in `byteCount` bytes.
    private static func converting(
      _ inks: ImageFileInks, _ conversion: InkConversion, byteCount: Int,
      _ copy: @escaping Conversion
    ) -> Conversion {
      let rows = InkRows(conversion.program, inkCount: inks.count, inks.format)
      return { stored, row in
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { amounts in
          copy(stored, amounts)
          rows.convert(UnsafeRawBufferPointer(amounts), to: row)
        }
      }
    }

    private static func grayOrRGB(
      _ stored: StoredSamples
    ) throws(ImageFileError) -> TIFFConversion {
      let (isGray, hasAlpha) = (stored.colorCount == 1, stored.hasAlpha)
      let isWhiteZero = stored.kind == PHOTOMETRIC_MINISWHITE
      let samples = stored.encoding.format
      guard !isWhiteZero || samples == .uint8 || samples == .uint16 else {
        throw stored.refusal("\(stored.encoding.description) of which zero is white")
      }
      return TIFFConversion(
        channels: isGray ? (hasAlpha ? .grayAlpha : .gray) : hasAlpha ? .rgba : .rgb,
        samples: samples, alpha: stored.alpha, space: nil, inks: nil,
        extraNames: stored.extraNames,
        description:
          "\(isGray ? "gray" : "RGB")\(hasAlpha ? " and alpha" : ""), \(stored.description)"
          + (isWhiteZero ? ", zero is white" : ""),
        convert: copy(stored, inverted: isWhiteZero ? stored.colorCount : 0))
    }

    /// The Lab space of a white point; that of D50 where the file states none, as Photoshop writes it and ICC Lab always is.
    private static func labSpace(
      white: [Double]?, file: String
    ) throws(ImageFileError) -> (ColorSpace, ColorStatement) {
      guard let white else { return (.lab, .formatRule) }
      for space in [ColorSpace.lab, .labD65] {
        let known = space.primaries.white
        // Files round to three or four digits.
        if abs(white[0] - known.x) < 0.001, abs(white[1] - known.y) < 0.001 {
          return (space, .chromaticities)
        }
      }
      throw .unsupportedStorage(
        file: file,
        reason: "its CIELAB has the white point \(white); those of D50 and D65 can be read")
    }

    /// Samples of each pixel, by default its colors and alpha, of which the first few may count from the other end.
    private static func copy(
      _ stored: StoredSamples, _ samples: Range<Int>? = nil, inverted: Int = 0
    ) -> Conversion {
      let (first, used) = (samples?.lowerBound ?? 0, samples?.count ?? stored.used)
      let stride = stored.count
      func copy<Bits: FixedWidthInteger & UnsignedInteger>(
        _: Bits.Type, scale: Bits
      ) -> Conversion {
        { stored, row in
          if used == stride, inverted == 0, scale == 1 { return row.copyMemory(from: stored) }
          let source = stored.assumingMemoryBound(to: Bits.self)
          let target = row.bindMemory(to: Bits.self)
          for pixel in 0..<target.count / used {
            for channel in 0..<used {
              let value = source[pixel * stride + first + channel] &* scale
              target[pixel * used + channel] = channel < inverted ? .max - value : value
            }
          }
        }
      }
      switch stored.encoding.format.byteCount {
      case 4: return copy(UInt32.self, scale: 1)
      case 2: return copy(UInt16.self, scale: 1)
      // 255 is a multiple of the largest code of 1, 2, 4 and 8 bits.
      default: return copy(UInt8.self, scale: UInt8(255 / (1 << stored.encoding.bits - 1)))
      }
    }

    /// Entries are of 16 bits. 8 bits are enough where writers repeated a byte, shifted it, or left it as it was. Alpha follows the index.
    private static func palette(
      _ entries: [[UInt16]], _ samples: StoredSamples
    ) -> (SampleFormat, Conversion) {
      let all = entries.joined()
      let areUnscaled = all.allSatisfy { $0 < 256 }
      let areBytes =
        areUnscaled || all.allSatisfy { $0 & 255 == 0 } || all.allSatisfy { $0 >> 8 == $0 & 255 }
      let (stride, hasAlpha) = (samples.count, samples.hasAlpha)
      func look<Bits: FixedWidthInteger & UnsignedInteger>(
        _ entries: [[Bits]]
      ) -> Conversion {
        // The largest number is a multiple of the largest code of 1, 2, 4 and 8 bits.
        let (count, scale) = (hasAlpha ? 4 : 3, Bits.max / Bits(1 << samples.encoding.bits - 1))
        return { stored, row in
          let target = row.bindMemory(to: Bits.self)
          for pixel in 0..<target.count / count {
            let entry = entries[Int(stored[pixel * stride])]
            for channel in 0..<3 { target[count * pixel + channel] = entry[channel] }
            if hasAlpha { target[count * pixel + 3] = Bits(stored[pixel * stride + 1]) * scale }
          }
        }
      }
      return areBytes
        ? (.uint8, look(entries.map { $0.map { UInt8(areUnscaled ? $0 : $0 >> 8) } }))
        : (.uint16, look(entries))
    }

    /// CIELAB has L* from 0 to its largest number, a* and b* with a sign (TIFF 6.0, section 23); ICC Lab has an offset instead, and
    /// with 16 bits 0xFF00 for 100 (TIFF Technical Note 4; ICC.1:2001-04, annex A). libvips says of its 16 bits that they have a sign, and
    /// doubles an L* that ends at 32,767.
    private static func lab(
      bits: Int, isICC: Bool, isSigned: Bool, used: Int, stride: Int
    ) -> Conversion {
      let full: Float = bits == 8 ? 255 : isICC ? 65_280 : isSigned ? 65_534 : 65_535
      let step: Float = bits == 8 ? 1 : 256
      return { stored, row in
        let target = row.bindMemory(to: Float.self)
        func sample(_ index: Int) -> Int {
          bits == 8
            ? Int(stored[index]) : Int(stored.load(fromByteOffset: 2 * index, as: UInt16.self))
        }
        let half = 1 << (bits - 1)
        func opponent(_ code: Int) -> Float {
          isICC
            ? Float(code) / step - 128 : Float(code >= half ? code - 2 * half : code) / step
        }
        for pixel in 0..<target.count / used {
          let (from, to) = (pixel * stride, pixel * used)
          target[to] = Float(sample(from)) * 100 / full
          target[to + 1] = opponent(sample(from + 1))
          target[to + 2] = opponent(sample(from + 2))
          if used == 4 { target[to + 3] = Float(sample(from + 3)) / Float(2 * half - 1) }
        }
      }
    }
  }
#endif
