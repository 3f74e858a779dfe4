#if TIFF
  internal import CTIFF
  internal import ColorSpaces
  internal import FilterGraph
  internal import ImageBuffer

  /// The sample encoding of a file, and its conversion to the samples of a bitmap.
  struct TIFFConversion {
    let channels: Channels
    let samples: SampleFormat
    let alpha: Alpha
    /// The color space that follows from the photometric interpretation, whatever else the file says, and the field that states it.
    let space: (ColorSpace, ColorStatement)?
    /// The ink channels; nil where there are none.
    let inks: ImageFileInks?
    /// How many samples of a pixel are neither color nor alpha, and are left out.
    let spare: Int
    /// A description of the samples.
    let description: String
    /// Converts a row of all samples of the file to a row of a bitmap.
    let convert: (_ stored: UnsafeRawBufferPointer, _ row: UnsafeMutableRawBufferPointer) -> Void

    init(
      _ reader: ctiff_reader, _ page: TIFFPages?, _ job: DecodingJob
    ) throws(ImageFileError) {
      let (bits, stored) = (Int(reader.bits), Int(reader.samples))
      func refusal(_ reason: String) -> ImageFileError {
        .unsupportedStorage(file: job.file, reason: reason)
      }
      let kind = Int32(reader.photometric)
      let isFloat = reader.sample_format == SAMPLEFORMAT_IEEEFP
      // a* and b* of CIELAB are signed, whatever the sample format says.
      let isSigned = kind == PHOTOMETRIC_CIELAB && reader.sample_format == SAMPLEFORMAT_INT
      let isWhole = [SAMPLEFORMAT_UINT, SAMPLEFORMAT_VOID].contains(Int32(reader.sample_format))
      guard isFloat || isWhole || isSigned,
        (isFloat ? [16, 32] : [1, 2, 4, 8, 16]).contains(bits)
      else {
        let kinds = [
          1: "unsigned integers", 2: "signed integers", 3: "floats", 5: "complex integers",
          6: "complex floats",
        ]
        throw refusal(
          "its samples are \(kinds[Int(reader.sample_format)] ?? "of an unknown format") of \(bits) bits; "
            + "unsigned integers of 1, 2, 4, 8 and 16 bits, and floats of 16 and 32 bits can be read"
        )
      }
      let colorCount: Int
      switch kind {
      case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_PALETTE: colorCount = 1
      case PHOTOMETRIC_RGB, PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB: colorCount = 3
      case PHOTOMETRIC_SEPARATED: colorCount = reader.inkCount
      default:
        throw refusal(
          "its kind of color (PhotometricInterpretation \(kind)) is none of gray, RGB, YCbCr, palette, CMYK, "
            + "Lab; save it as RGB first")
      }
      guard stored >= colorCount else {
        throw .damaged(
          file: job.file, reason: "it has \(stored) samples where its colors need \(colorCount)")
      }
      // Extra samples that the file does not declare as alpha are ignored.
      let extra = reader.extra_count > 0 ? Int32(reader.extra.0) : EXTRASAMPLE_UNSPECIFIED
      let hasAlpha =
        stored > colorCount && kind != PHOTOMETRIC_PALETTE && extra != EXTRASAMPLE_UNSPECIFIED
      alpha = hasAlpha && extra == EXTRASAMPLE_ASSOCALPHA ? .premultiplied : .straight
      let used = colorCount + (hasAlpha ? 1 : 0)
      spare = stored - used
      var text = isFloat ? "floats of \(bits) bits" : "\(bits) bits"
      if spare > 0 { text += ", \(spare) other samples left out" }

      inks =
        kind == PHOTOMETRIC_SEPARATED
        ? ImageFileInks(
          names: reader.inkNames(page),
          format: isFloat ? .float32 : bits == 8 ? .uint8 : .uint16) : nil
      switch kind {
      case PHOTOMETRIC_PALETTE:
        guard !isFloat, bits <= 8, let red = reader.red, let green = reader.green,
          let blue = reader.blue
        else { throw refusal("palettes have entries of up to 8 bits, and this one of \(bits)") }
        (channels, space) = (.rgb, nil)
        description = "palette of \(bits) bits"
        let entries = (0..<1 << bits).map { [red[$0], green[$0], blue[$0]] }
        (samples, convert) = Self.palette(entries, stride: stored)
      case PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB:
        guard isFloat ? bits == 32 && kind == PHOTOMETRIC_CIELAB : bits == 8 || bits == 16 else {
          throw refusal("Lab of \(text); 8 and 16 bits, and floats of 32 bits can be read")
        }
        guard !hasAlpha || alpha == .straight else {
          throw refusal("Lab that is multiplied by its alpha")
        }
        (channels, samples) = (hasAlpha ? .rgba : .rgb, .float32)
        let isICC = kind == PHOTOMETRIC_ICCLAB
        space = try Self.labSpace(white: isICC ? nil : page?.whitePoint, file: job.file)
        description = "\(isICC ? "ICC Lab" : "CIELAB") of \(text)"
        convert =
          isFloat
          ? Self.copy(bits: bits, used: used, stride: stored, inverted: 0)
          : Self.lab(bits: bits, isICC: isICC, isSigned: isSigned, used: used, stride: stored)
      case PHOTOMETRIC_SEPARATED:
        guard isFloat ? bits == 32 : bits == 8 || bits == 16, !hasAlpha, let inks,
          (1...15).contains(colorCount)
        else {
          throw refusal(
            "\(colorCount) ink channels of \(text); 1 to 15 of 8 and 16 bits, and floats of 32 bits, without "
              + "alpha can be read")
        }
        (channels, samples) = (.rgb, InkConversion.samples)
        space = reader.profile == nil ? nil : (InkConversion.space, .profile)
        description = "\(inks.count == 4 ? "CMYK" : "\(inks.count) ink channels") of \(text)"
        let copy = Self.copy(bits: bits, used: used, stride: stored, inverted: 0)
        if job.keepsInks {
          convert = copy
        } else {
          let conversion = try InkConversion(profile: reader.profileBytes, inks, job)
          let rows = InkRows(conversion.program, inkCount: inks.count, inks.format)
          let byteCount = Int(reader.width) * used * inks.format.byteCount
          convert = { stored, row in
            withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { amounts in
              copy(stored, amounts)
              rows.convert(UnsafeRawBufferPointer(amounts), to: row)
            }
          }
        }
      default:
        channels = colorCount == 1 ? (hasAlpha ? .grayAlpha : .gray) : hasAlpha ? .rgba : .rgb
        samples = isFloat ? (bits == 16 ? .float16 : .float32) : bits == 16 ? .uint16 : .uint8
        space = nil
        let isWhiteZero = kind == PHOTOMETRIC_MINISWHITE
        description =
          "\(colorCount == 1 ? "gray" : "RGB")\(hasAlpha ? " and alpha" : ""), \(text)"
          + (isWhiteZero ? ", zero is white" : "")
        guard !isFloat || !isWhiteZero else { throw refusal("floats of which zero is white") }
        convert = Self.copy(
          bits: bits, used: used, stride: stored, inverted: isWhiteZero ? colorCount : 0)
      }
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

    /// The first samples of each pixel, of which the first few may count from the other end.
    private static func copy(
      bits: Int, used: Int, stride: Int, inverted: Int
    ) -> (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void {
      func copy<Bits: FixedWidthInteger & UnsignedInteger>(
        _: Bits.Type, scale: Bits
      ) -> (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void {
        { stored, row in
          if used == stride, inverted == 0, scale == 1 { return row.copyMemory(from: stored) }
          let source = stored.assumingMemoryBound(to: Bits.self)
          let target = row.bindMemory(to: Bits.self)
          for pixel in 0..<target.count / used {
            for channel in 0..<used {
              let value = source[pixel * stride + channel] &* scale
              target[pixel * used + channel] = channel < inverted ? .max - value : value
            }
          }
        }
      }
      switch bits {
      case 32: return copy(UInt32.self, scale: 1)
      case 16: return copy(UInt16.self, scale: 1)
      // 255 is a multiple of the largest code of 1, 2, 4 and 8 bits.
      default: return copy(UInt8.self, scale: UInt8(255 / (1 << bits - 1)))
      }
    }

    /// Entries are of 16 bits. 8 bits are enough where writers repeated a byte, shifted it, or left it as it was.
    private static func palette(
      _ entries: [[UInt16]], stride: Int
    ) -> (SampleFormat, (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void) {
      let all = entries.joined()
      let areUnscaled = all.allSatisfy { $0 < 256 }
      let areBytes =
        areUnscaled || all.allSatisfy { $0 & 255 == 0 } || all.allSatisfy { $0 >> 8 == $0 & 255 }
      func look<Bits: FixedWidthInteger>(
        _ entries: [[Bits]]
      ) -> (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void {
        { stored, row in
          let target = row.bindMemory(to: Bits.self)
          for pixel in 0..<target.count / 3 {
            let entry = entries[Int(stored[pixel * stride])]
            for channel in 0..<3 { target[3 * pixel + channel] = entry[channel] }
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
    ) -> (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Void {
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
