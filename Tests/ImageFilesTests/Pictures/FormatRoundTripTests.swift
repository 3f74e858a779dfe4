import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Every format restores its pixels, in every sample format and channels it supports.
@Suite struct FormatRoundTripTests {
  /// A format with samples and channels it supports.
  struct Form: Sendable, CustomTestStringConvertible {
    let format: ImageFileFormat
    let samples: SampleFormat
    let channels: Channels
    let alpha: Alpha
    let arrangement: Arrangement

    var testDescription: String { "\(format) \(samples) \(channels) \(alpha) \(arrangement)" }
    /// A space that the format can state, if it can state any.
    var space: ColorSpace { format.samples.contains(.uint8) ? .displayP3 : .linearDisplayP3 }

    /// The tolerance in codes at the highest quality of the format.
    var tolerance: Int {
      switch format.name {
      // At quality 100 rounding remains: luma and Cb each off by one change blue by 1 + 1.772.
      case "JPEG": 3
      // 16 bits are stored as 12: half a step of these.
      case "HEIF" where samples == .uint16, "AVIF" where samples == .uint16: 8
      default: 0
      }
    }

    static let all: [Form] = ImageFileFormat.all.flatMap { format in
      format.samples.flatMap { samples in
        format.channels.flatMap { channels in
          (channels.hasAlpha ? format.alpha : [.straight]).flatMap { alpha in
            [Arrangement.interleaved, .planar].map {
              Form(
                format: format, samples: samples, channels: channels, alpha: alpha, arrangement: $0)
            }
          }
        }
      }
    }

    func bitmap(_ size: PixelSize) -> AnyBitmap {
      switch samples {
      case .uint8: AnyBitmap(pixels(size) { UInt8($0 & 255) })
      case .uint16: AnyBitmap(pixels(size) { UInt16($0 & 65_535) })
      case .float16: AnyBitmap(pixels(size) { Float16($0 % 4096) / 1024 - 1 })
      case .float32: AnyBitmap(pixels(size) { Float($0 % 4096) / 1000 - 1 })
      @unknown default: preconditionFailure("No test makes \(samples).")
      }
    }

    private func pixels<Sample: PixelSample>(
      _ size: PixelSize, _ sample: (Int) -> Sample
    ) -> Bitmap<Sample> {
      var random = SeededGenerator(seed: 5)
      return Bitmap(size, in: space, channels: channels, alpha: alpha, arrangement: arrangement) {
        x, y in
        // Neighbors are similar, so that lossy formats lose little.
        (0..<channels.count).map { channel in
          format == .jpeg
            ? sample(3 * x + 2 * y + 50 * channel)
            : sample(Int.random(in: 0...65_535, using: &random))
        }
      }
    }
  }

  @Test(arguments: Form.all)
  func writtenFilesReadTheSame(form: Form) throws {
    for size in [PixelSize(1, 1), PixelSize(17, 9), PixelSize(31, 70)] {
      let bitmap = form.bitmap(size)
      var options = WritingOptions()
      options.isUntagged = !form.format.statesColor
      options.quality = 100
      options.isLossless = true
      let bytes = try ImageFile.encode(bitmap, as: form.format, options: options)
      let info = try ImageFile.info(bytes: bytes)
      #expect(info.format == form.format)
      #expect(info.size == size)
      #expect(info.samples == form.samples)
      #expect(info.channels == form.channels)
      let read = try ImageFile.read(
        bytes: bytes, assuming: form.format.statesColor ? nil : form.space)
      #expect(difference(read, bitmap) <= form.tolerance)
    }
  }

  /// The largest difference in codes; very large for different sample formats.
  private func difference(_ a: AnyBitmap, _ b: AnyBitmap) -> Int {
    guard a.size == b.size, a.channels == b.channels,
      a.space == b.space || a.channels == .gray || a.channels == .grayAlpha,
      !a.channels.hasAlpha || a.alpha == b.alpha
    else { return .max }
    switch (a, b) {
    case (.uint8(let a), .uint8(let b)): return difference(a, b) { abs(Int($0) - Int($1)) }
    case (.uint16(let a), .uint16(let b)): return difference(a, b) { abs(Int($0) - Int($1)) }
    case (.float16(let a), .float16(let b)): return difference(a, b) { $0 == $1 ? 0 : .max }
    case (.float32(let a), .float32(let b)): return difference(a, b) { $0 == $1 ? 0 : .max }
    default: return .max
    }
  }

  private func difference<Sample: PixelSample>(
    _ a: Bitmap<Sample>, _ b: Bitmap<Sample>, _ distance: (Sample, Sample) -> Int
  ) -> Int {
    var largest = 0
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        for channel in 0..<a.channels.count {
          largest = max(largest, distance(a[x, y, channel], b[x, y, channel]))
        }
      }
    }
    return largest
  }

  @Test(arguments: ImageFileFormat.all)
  func unsupportedFormsAreRefused(format: ImageFileFormat) throws {
    var options = WritingOptions()
    options.isUntagged = !format.statesColor
    for form in Form.all where form.format != format {
      let bitmap = form.bitmap(PixelSize(2, 2)).tagged(
        as: format.samples.contains(.uint8) ? .sRGB : .linearSRGB)
      let canHold =
        format.samples.contains(form.samples) && format.channels.contains(form.channels)
        && (!form.channels.hasAlpha || format.alpha.contains(form.alpha))
      if canHold {
        _ = try ImageFile.encode(bitmap, as: format, options: options)
      } else {
        #expect(throws: ImageFileError.self, "\(form.testDescription)") {
          try ImageFile.encode(bitmap, as: format, options: options)
        }
      }
    }
  }

  @Test(arguments: ImageFileFormat.all.filter { !$0.statesColor })
  func spaceThatCannotBeStatedIsAnError(format: ImageFileFormat) throws {
    let form = try #require(Form.all.first { $0.format == format })
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.encode(form.bitmap(PixelSize(2, 2)), as: format)
    }
    #expect(error?.description.contains("isUntagged") == true)
  }
}

extension AnyBitmap {
  /// The same samples in another space.
  fileprivate func tagged(as space: ColorSpace) -> AnyBitmap {
    switch self {
    case .uint8(let bitmap): .uint8(bitmap.tagged(as: space))
    case .uint16(let bitmap): .uint16(bitmap.tagged(as: space))
    case .float16(let bitmap): .float16(bitmap.tagged(as: space))
    case .float32(let bitmap): .float32(bitmap.tagged(as: space))
    @unknown default: self
    }
  }
}
