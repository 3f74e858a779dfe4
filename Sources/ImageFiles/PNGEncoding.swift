internal import CPNG
internal import ICCProfiles
internal import ImageBuffer

/// Throws where PNG cannot hold the bitmap's pixels as they are.
func checkPNGCanHold(_ bitmap: AnyBitmap) throws(ImageFileError) {
  guard bitmap.format == .uint8 || bitmap.format == .uint16 else {
    throw .unsupportedSamples(bitmap.format, format: "PNG")
  }
  guard !bitmap.channels.hasAlpha || bitmap.alpha == .straight else {
    throw .premultiplied(format: "PNG")
  }
}

/// Writes a PNG file, part by part, to `store`, which returns whether it could; `failure` says why it could not.
func encodePNG(
  _ bitmap: AnyBitmap, file: String, progress: ((Double) -> Void)?,
  store: (UnsafeRawBufferPointer) -> Bool, failure: () -> String?
) throws(ImageFileError) {
  try checkPNGCanHold(bitmap)
  let isGray = bitmap.channels == .gray || bitmap.channels == .grayAlpha
  let chunks: [(name: String, body: [UInt8])]
  do throws(ICCProfileError) {
    chunks = try pngColorChunks(for: bitmap.space, isGray: isGray)
  } catch { throw .profile(file: file, error) }

  let message: String? = withoutActuallyEscaping(store) { store in
    let sink = Sink(store)
    return withExtendedLifetime(sink) {
      guard let writer = PNGWriter(sink) else { return "libpng found no memory to begin with" }
      let isWritten: Bool =
        switch bitmap {
        case .uint8(let bitmap): writer.write(bitmap, chunks, progress)
        case .uint16(let bitmap): writer.write(bitmap, chunks, progress)
        default: false
        }
      return isWritten ? nil : writer.message
    }
  }
  if let message { throw .cannotWrite(file: file, reason: failure() ?? message) }
}

/// Where libpng's bytes go: a closure in a box whose address C can keep.
private final class Sink {
  let store: (UnsafeRawBufferPointer) -> Bool

  init(_ store: @escaping (UnsafeRawBufferPointer) -> Bool) { self.store = store }
}

/// libpng at work on a new file. The sink must outlive it.
private struct PNGWriter: ~Copyable {
  private let writer: UnsafeMutablePointer<cpng_writer>

  init?(_ sink: Sink) {
    let context = Unmanaged.passUnretained(sink).toOpaque()
    let created = cpng_writer_create(
      { context, bytes, count in
        guard let context else { return 0 }
        let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
        return sink.store(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
      }, context)
    guard let created else { return nil }
    writer = created
  }

  deinit { cpng_writer_destroy(writer) }

  var message: String { "libpng says “\(String(cString: cpng_writer_message(writer)))”" }

  /// Whether all of it could be written.
  func write<Sample: PixelSample>(
    _ bitmap: Bitmap<Sample>, _ chunks: [(name: String, body: [UInt8])],
    _ progress: ((Double) -> Void)?
  ) -> Bool {
    let colorType: Int32 =
      switch bitmap.channels {
      case .gray: PNG_COLOR_TYPE_GRAY
      case .grayAlpha: PNG_COLOR_TYPE_GRAY_ALPHA
      case .rgb: PNG_COLOR_TYPE_RGB
      case .rgba: PNG_COLOR_TYPE_RGB_ALPHA
      }
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    guard
      cpng_writer_begin(
        writer, UInt32(clamping: width), UInt32(clamping: height),
        Int32(8 * Sample.format.byteCount), colorType) == 1
    else { return false }
    for chunk in chunks {
      guard cpng_writer_chunk(writer, Array(chunk.name.utf8), chunk.body, chunk.body.count) == 1
      else { return false }
    }
    let step = max(height / 64, 1)
    for y in 0..<height {
      let isWritten =
        bitmap.arrangement == .interleaved
        ? bitmap.withUnsafeRow(y) { cpng_writer_row(writer, $0.baseAddress) }
        : cpng_writer_row(writer, interleavedRow(y, of: bitmap))
      guard isWritten == 1 else { return false }
      if y % step == step - 1 { progress?(Double(y) / Double(height)) }
    }
    guard cpng_writer_end(writer) == 1 else { return false }
    progress?(1)
    return true
  }
}

/// A row of a planar bitmap with the samples of each pixel side by side.
private func interleavedRow<Sample: PixelSample>(_ y: Int, of bitmap: Bitmap<Sample>) -> [Sample] {
  let (count, width) = (bitmap.channels.count, bitmap.size.width)
  return [Sample](unsafeUninitializedCapacity: count * width) { row, used in
    for plane in 0..<count {
      bitmap.withUnsafeRow(y, plane: plane) { samples in
        for x in 0..<width { row.initializeElement(at: x * count + plane, to: samples[x]) }
      }
    }
    used = count * width
  }
}
