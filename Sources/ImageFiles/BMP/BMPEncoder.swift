internal import ColorSpaces
internal import ICCProfiles
internal import ImageBuffer

/// Writes BMP files with BITMAPV5HEADER: 24 bits, or 32 bits with a mask for alpha, from the bottom row up.
///
/// Rows could also begin with the top one, but not all programs read such files.
final class BMPEncoder: ImageEncoder {
  private static let headerBytes = 124
  private static let pixelStart = BMPHeader.fileHeaderBytes + headerBytes

  private let job: EncodingJob
  private let sink: any ByteSink
  private let profile: [UInt8]
  private let stride: Int
  private var row: [UInt8]
  private var rowsWritten = 0

  init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
    (self.job, self.sink) = (job, sink)
    let isSRGB =
      job.options.profile == nil
      && job.space.map { $0.withColors.cicpForFiles == ColorSpace.sRGB.cicp } ?? false
    profile = isSRGB ? [] : try job.profile?.bytes ?? []
    let _: Int32 = try job.count(job.size.width)
    let _: Int32 = try job.count(job.size.height)
    stride = (job.size.width * job.channels.count + 3) / 4 * 4
    row = [UInt8](repeating: 0, count: stride)
    let word =
      isSRGB ? BMPColorWord.sRGB : profile.isEmpty ? BMPColorWord.windows : BMPColorWord.embedded
    try sink.store(header(word), at: 0, file: job.file)
  }

  /// The file header and the information header.
  private func header(_ colorWord: Int) throws(ImageFileError) -> [UInt8] {
    let pixelBytes = job.size.height.multipliedReportingOverflow(by: stride)
    let end = Self.pixelStart.addingReportingOverflow(pixelBytes.partialValue)
    guard !pixelBytes.overflow, !end.overflow, end.partialValue <= Int(UInt32.max) - profile.count
    else {
      throw .cannotWrite(
        file: job.file,
        reason: "a BMP file has at most 4 GiB, and the picture has \(job.size) pixels")
    }
    func number(_ number: Int, _ byteCount: Int = 4) -> [UInt8] {
      number.bytes(byteCount, isBigEndian: false)
    }
    let hasAlpha = job.channels.hasAlpha
    let density = job.metadata.resolution?.bmpDensity ?? (0, 0)
    var header = Array("BM".utf8) + number(end.partialValue + profile.count) + number(0)
    header += number(Self.pixelStart) + number(Self.headerBytes)
    header += number(job.size.width) + number(job.size.height)
    // One plane, bits, and compression: none, or masks.
    header += number(1, 2) + number(hasAlpha ? 32 : 24, 2) + number(hasAlpha ? 3 : 0)
    header += number(pixelBytes.partialValue) + number(density.0) + number(density.1)
    header += number(0) + number(0)
    for mask in hasAlpha ? [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000] : [0, 0, 0, 0] {
      header += number(mask)
    }
    header += number(colorWord) + [UInt8](repeating: 0, count: 48)
    // The intent of pictures (LCS_GM_IMAGES), and the profile behind the pixels, counted from the information header.
    header += number(4)
    header += number(profile.isEmpty ? 0 : end.partialValue - BMPHeader.fileHeaderBytes)
    return header + number(profile.count) + number(0)
  }

  func writeRow(_ pixels: UnsafeRawBufferPointer) throws(ImageFileError) {
    let channels = job.channels.count
    for x in 0..<job.size.width {
      let first = channels * x
      for channel in 0..<3 { row[first + channel] = pixels[first + 2 - channel] }
      if channels == 4 { row[first + 3] = pixels[first + 3] }
    }
    try sink.store(row, at: position(ofRow: rowsWritten), file: job.file)
    rowsWritten += 1
  }

  func finish() throws(ImageFileError) {
    if !profile.isEmpty { try sink.store(profile, at: position(ofRow: -1), file: job.file) }
  }

  /// Where a row begins; of row −1, where the pixels end.
  private func position(ofRow y: Int) -> Int {
    Self.pixelStart + (job.size.height - 1 - y) * stride
  }
}
