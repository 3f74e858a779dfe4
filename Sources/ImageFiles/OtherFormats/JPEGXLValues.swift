#if JPEGXL
  internal import ColorSpaces
  internal import ImageBuffer

  extension EncodingJob {
    /// Throws where samples are NaN, infinite, or too large for lossy JPEG XL.
    ///
    /// The quantizer of libjxl 0.7 ends the process for them, or spreads one NaN over a block of pixels. Without loss it makes infinity of
    /// a NaN of half precision, and keeps everything else.
    func checkJPEGXLValues(_ pixels: UnsafeRawBufferPointer) throws(ImageFileError) {
      let limit = options.isLossless ? Float.infinity : largestLossyValue
      if limit == .infinity, samples == .float32 { return }
      // NaN fails every comparison.
      let count =
        switch samples {
        case .float16:
          pixels.assumingMemoryBound(to: Float16.self).reduce(0) {
            abs(Float($1)) <= limit ? $0 : $0 + 1
          }
        case .float32:
          pixels.assumingMemoryBound(to: Float.self).reduce(0) { abs($1) <= limit ? $0 : $0 + 1 }
        default: 0
        }
      guard count == 0 else {
        throw .unsupportedValues(
          file: file, count, of: size.pixelCount * channels.count, limit: limit, format: format)
      }
    }

    /// Whether libjxl 0.7 would alter floats that it is told to keep, if they are written in these samples.
    ///
    /// Differences of floats from their prediction overflow in pictures of less than 100 pixels, as measured; larger ones are predicted
    /// otherwise.
    func needsUnpredictedFloats(_ samples: SampleFormat) -> Bool {
      options.isLossless && samples == .float32 && size.pixelCount < 1024
    }

    /// Whether some pixels of this sample format need single precision to be kept.
    var mayNeedSinglePrecision: Bool { options.isLossless && samples == .float16 }

    /// Whether samples need single precision to be kept: libjxl 0.7 to 0.11 alter subnormal values of half precision, without loss, too.
    func needsSinglePrecision(_ pixels: UnsafeRawBufferPointer) -> Bool {
      mayNeedSinglePrecision
        && pixels.assumingMemoryBound(to: UInt16.self).contains {
          $0 >> 10 & 31 == 0 && $0 & 1023 != 0
        }
    }

    /// Stores samples of half precision, none of which is NaN, as single precision.
    func widen(_ pixels: UnsafeRawBufferPointer, into floats: UnsafeMutableRawBufferPointer) {
      for (index, half) in pixels.assumingMemoryBound(to: Float16.self).enumerated() {
        floats.storeBytes(of: Float(half), toByteOffset: 4 * index, as: Float.self)
      }
    }

    /// The encoded value of the largest linear value that is compressed with loss.
    private var largestLossyValue: Float {
      // libjxl fails for some pictures of noise from 200,000 on, measured at qualities 1 to 100.
      let light = 10_000.0
      let transfer = (space ?? .sRGB).transfer
      guard transfer.curves != nil else { return Float(light) }
      let value = transfer.encode(light)
      // Tables end before that value. With a power of 2.4, 40 is still less than it.
      return value.isFinite && transfer.decode(value) >= light / 2 ? Float(value) : 40
    }
  }
#endif
