#if RAW
  internal import CRAW
  internal import ColorSpaces
  internal import FilterGraph
  internal import ImageBuffer

  extension ImageFileFormat {
    /// Camera raw files and DNG, read by libraw: scene-linear red, green and blue of the camera in single precision, demosaiced, balanced
    /// to the white that the camera recorded. In memory as a whole while it is read. It cannot be written.
    ///
    /// The color space has the camera's primaries by its matrix, and its white is that of the shot. Saturation of the least amplified
    /// channel is 1; others go beyond. Available where the package is built with its trait `RAW`.
    public static let cameraRAW: ImageFileFormat = ImageFileFormat(
      "camera raw",
      fileExtensions: ["dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw"],
      mimeTypes: [], samples: [], channels: [], holdsProfiles: false, metadata: [],
      writesInOrder: true, readsReduced: true, encoderBytes: { _ in 0 },
      recognizes: { start in
        // Those that do not begin as TIFF files do; for these see ``ImageFileFormat/init(of:)``.
        ["FUJIFILMCCD-RAW", "IIU\0", "IIRO", "IIRS", "MMOR"].contains {
          start.starts(with: $0.utf8)
        } || start.dropFirst(4).starts(with: "ftypcrx ".utf8)
      },
      decoder: { job throws(ImageFileError) in
        let reader = try CameraRAWReader(job)
        return WholeImageDecoder(
          try reader.info(), of: job, libraryBytes: reader.libraryBytes
        ) { pixels throws(ImageFileError) in try reader.decode(into: pixels) }
      },
      encoder: { job, _ throws(ImageFileError) in
        throw .readOnly(file: job.file, .cameraRAW)
      })
  }

  /// libraw at work on a file.
  private final class CameraRAWReader {
    private let job: DecodingJob
    private let file: MemoryBlock
    private let reader: OpaquePointer
    private var header = craw_header()

    /// Reads up to the first pixel.
    init(_ job: DecodingJob) throws(ImageFileError) {
      self.job = job
      file = try job.bytes.block()
      let mebibytes = UInt32(clamping: (job.limits.memoryLimit ?? 2 << 30) >> 20)
      guard
        let reader = craw_reader_create(
          file.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), file.bytes.count,
          max(mebibytes, 1))
      else { throw .damaged(file: job.file, reason: "libraw could not allocate memory") }
      self.reader = reader
      try check(craw_reader_begin(reader, &header))
    }

    deinit { craw_reader_destroy(reader) }

    /// Whether four pixels of a mosaic become one, which is faster than to demosaic them.
    private var halves: Bool { job.reduction > 1 && header.is_mosaic != 0 }

    /// The peak memory of libraw in bytes.
    var libraryBytes: Double { craw_reader_bytes(reader, halves ? 1 : 0) }

    private var size: PixelSize { PixelSize(Int(header.width), Int(header.height)) }

    private var reducedSize: PixelSize {
      let reduction = job.reduction
      return PixelSize(
        (size.width + reduction - 1) / reduction, (size.height + reduction - 1) / reduction)
    }

    /// The factors that balance the shot, green's as 1; nil where the file states none.
    private var balance: SIMD3<Float>? {
      let stated = header.as_shot
      let factors = SIMD3(stated.0, stated.1, stated.2)
      guard all(factors .> 0), factors.x.isFinite, factors.y.isFinite, factors.z.isFinite else {
        return nil
      }
      return factors / factors.y
    }

    func info() throws(ImageFileError) -> ImageFileInfo {
      guard size.width > 0, size.height > 0 else {
        throw .damaged(file: job.file, reason: "it states \(size) pixels")
      }
      guard header.colors == 3 else {
        throw .unsupportedStorage(
          file: job.file, reason: "its sensor has \(header.colors) colors, and 3 can be read")
      }
      guard let balance else {
        throw .unsupportedColor(
          file: job.file, reason: "it does not state the white of the shot (AsShotNeutral)")
      }
      guard let orientation = Orientation(rawValue: Self.orientations[Int(header.flip & 7)]) else {
        throw .damaged(file: job.file, reason: "its orientation is the number \(header.flip)")
      }
      let space = space(balancedBy: balance)
      return ImageFileInfo(
        format: .cameraRAW, storedSize: reducedSize, channels: .rgb, samples: .float32,
        storage: header.is_mosaic != 0 ? "a mosaic of colors" : "linear colors",
        color: space.map { .space($0, by: .chromaticities) }
          ?? .unusable(
            .unsupportedColor(
              file: job.file, reason: "neither it nor libraw knows the camera's color matrix")),
        orientation: orientation)
    }

    /// The orientation of EXIF for libraw's bits: 1 mirrors columns, 2 rows, 4 swaps both.
    private static let orientations = [1, 2, 4, 3, 5, 8, 6, 7]

    /// The camera's red, green and blue where white is that of the shot: the columns of the inverse matrix are the primaries, and the
    /// neutral values of the camera are the white.
    private func space(balancedBy balance: SIMD3<Float>) -> ColorSpace? {
      let m = header.xyz_to_camera
      let matrix = ColorMatrix(
        rows: [m.0.0, m.0.1, m.0.2], [m.1.0, m.1.1, m.1.2], [m.2.0, m.2.1, m.2.2])
      guard abs(matrix.determinant) > 1e-9 else { return nil }
      let toXYZ = matrix.inverse
      func chromaticity(_ camera: SIMD3<Double>) -> Chromaticity {
        let light = toXYZ * camera
        return Chromaticity(light.x / light.sum(), light.y / light.sum())
      }
      let primaries = Primaries(
        red: chromaticity([1, 0, 0]), green: chromaticity([0, 1, 0]),
        blue: chromaticity([0, 0, 1]), white: chromaticity(1 / SIMD3<Double>(balance)))
      guard primaries.areUsable else { return nil }
      return ColorSpace(
        "RGB of \(text(of: header.maker)) \(text(of: header.model))", primaries: primaries,
        transfer: .linear)
    }

    private func text(of characters: some Any) -> String {
      withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    func decode(into pixels: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      guard let balance else { return }
      var picture = craw_picture()
      try check(
        craw_reader_decode(
          reader, [balance.x, balance.y, balance.z], halves ? 1 : 0, &picture))
      let step = halves ? job.reduction / 2 : job.reduction
      let found = PixelSize(Int(picture.width), Int(picture.height))
      guard (found.width + step - 1) / step == reducedSize.width,
        (found.height + step - 1) / step == reducedSize.height
      else {
        throw .unsupportedStorage(
          file: job.file, reason: "libraw turns its \(size) pixels into \(found)")
      }
      // The largest factor became 1; the least is to be it.
      let ranges = SIMD3(picture.ranges.0, picture.ranges.1, picture.ranges.2)
      let scale = ranges * (balance.max() / balance.min() / 65_535)
      let target = pixels.bindMemory(to: Float.self)
      for y in 0..<reducedSize.height {
        for x in 0..<reducedSize.width {
          var (sum, count) = (SIMD3<Float>.zero, Float.zero)
          for row in y * step..<min((y + 1) * step, found.height) {
            guard let values = craw_reader_row(reader, UInt32(row)) else { continue }
            for column in x * step..<min((x + 1) * step, found.width) {
              let pixel = values + 4 * column
              sum += SIMD3(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]))
              count += 1
            }
          }
          let light = sum * (scale / count)
          let start = 3 * (y * reducedSize.width + x)
          (target[start], target[start + 1], target[start + 2]) = (light.x, light.y, light.z)
        }
      }
    }

    private func check(_ error: Int32) throws(ImageFileError) {
      guard error != 0 else { return }
      let message = String(cString: craw_message(error))
      switch LibRaw_errors(error) {
      case LIBRAW_UNSUFFICIENT_MEMORY, LIBRAW_TOO_BIG:
        throw .tooMuchMemory(
          file: job.file, bytes: size.pixelCount * 8, limit: job.limits.memoryLimit ?? 2 << 30)
      case LIBRAW_FILE_UNSUPPORTED:
        throw .unsupportedStorage(file: job.file, reason: "libraw says “\(message)”")
      default: throw .damaged(file: job.file, reason: "libraw says “\(message)”")
      }
    }
  }
#endif
