#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ImageBuffer

  /// The encoding of the samples of a TIFF file, and their conversion to a sample format.
  struct TIFFSampleEncoding {
    /// A kind of number (TIFF 6.0, section 19).
    enum Kind { case unsigned, signed, float }

    let kind: Kind
    let bits: Int

    /// The sample format that they are unpacked to. Integers of fewer than 8 bits stay as they are.
    var format: SampleFormat {
      switch (kind, bits) {
      case (.unsigned, ...8): .uint8
      case (.unsigned, ...16): .uint16
      case (.float, 16): .float16
      default: .float32
      }
    }

    /// Whether single precision, to which they are converted, has fewer significant bits.
    var isRounded: Bool { kind == .float ? bits > 32 : bits > 24 }

    /// Whether the encoded values are those of the sample format already.
    var isCopied: Bool {
      switch kind {
      case .unsigned: bits == 8 || bits == 16
      case .signed: false
      case .float: bits <= 32
      }
    }

    /// Kind and bits, in words.
    var description: String {
      switch kind {
      case .unsigned: "\(bits) bits"
      case .signed: "signed integers of \(bits) bits"
      case .float: "floats of \(bits) bits"
      }
    }

    /// Reads the fields of a directory. Throws where samples of this encoding cannot be read.
    init(_ reader: ctiff_reader, file: String) throws(ImageFileError) {
      let isLab = Int32(reader.photometric) == PHOTOMETRIC_CIELAB
      bits = Int(reader.bits)
      let depths: [Int]
      switch Int32(reader.sample_format) {
      // a* and b* of CIELAB have a sign whatever the sample format says; their conversion interprets it.
      case SAMPLEFORMAT_INT where !isLab: (kind, depths) = (.signed, [8, 16, 32])
      case SAMPLEFORMAT_UINT, SAMPLEFORMAT_VOID, SAMPLEFORMAT_INT:
        (kind, depths) = (.unsigned, [1, 2, 4, 8, 10, 12, 14, 16, 32])
      case SAMPLEFORMAT_IEEEFP: (kind, depths) = (.float, [16, 32, 64])
      default: (kind, depths) = (.unsigned, [])
      }
      guard depths.contains(bits) else {
        let kinds = [
          1: "unsigned integers", 2: "signed integers", 3: "floats", 5: "complex integers",
          6: "complex floats",
        ]
        throw .unsupportedStorage(
          file: file,
          reason:
            "its samples are \(kinds[Int(reader.sample_format)] ?? "of an unknown format") of \(bits) bits; "
            + "unsigned integers of 1, 2, 4, 8, 10, 12, 14, 16 and 32 bits, signed integers of 8, 16 and "
            + "32 bits, and floats of 16, 32 and 64 bits can be read")
      }
    }

    /// Unpacks `count` encoded values into every `step`-th sample, the first one into the sample `first`.
    func unpack(
      _ stored: UnsafeRawBufferPointer, count: Int, to samples: UnsafeMutableRawBufferPointer,
      _ first: Int, step: Int
    ) {
      func convert<Number>(_: Number.Type, _ value: (Number) -> Float) {
        let target = samples.bindMemory(to: Float.self)
        for index in 0..<count {
          let offset = index * MemoryLayout<Number>.stride
          let number = stored.loadUnaligned(fromByteOffset: offset, as: Number.self)
          target[index * step + first] = value(number)
        }
      }
      switch (kind, bits) {
      case (.unsigned, ..<8):
        let target = samples.bindMemory(to: UInt8.self)
        forEachCode(in: stored, count: count) { target[$0 * step + first] = UInt8($1) }
      case (.unsigned, 9..<16):
        let target = samples.bindMemory(to: UInt16.self)
        let largest: UInt32 = 1 << UInt32(bits) - 1
        forEachCode(in: stored, count: count) { index, code in
          target[index * step + first] = UInt16((code * 65_535 + largest / 2) / largest)
        }
      case (.unsigned, 32): convert(UInt32.self) { Float(Double($0) / 4_294_967_295) }
      case (.signed, 8): convert(Int8.self) { Float($0) / 127 }
      case (.signed, 16): convert(Int16.self) { Float($0) / 32_767 }
      case (.signed, 32): convert(Int32.self) { Float(Double($0) / 2_147_483_647) }
      case (.float, 64): convert(Double.self) { Float($0) }
      default:
        copyChannel(
          stored, 0, of: 1, to: samples, first, of: step, pixels: count,
          bytesPerSample: format.byteCount)
      }
    }

    /// Passes each of the integers that lie side by side, the most significant bit first.
    private func forEachCode(
      in stored: UnsafeRawBufferPointer, count: Int, _ body: (_ index: Int, _ code: UInt32) -> Void
    ) {
      var position = 0
      var (held, heldBits): (UInt32, Int) = (0, 0)
      for index in 0..<count {
        while heldBits < bits {
          held = held << 8 | UInt32(stored[position])
          position += 1
          heldBits += 8
        }
        heldBits -= bits
        body(index, held >> UInt32(heldBits))
        held &= 1 << UInt32(heldBits) - 1
      }
    }
  }
#endif
