internal import ColorSpaces
internal import ImageBuffer

/// What is to be written, everything but the rows: something that the format can hold.
struct EncodingJob {
  /// The path, or what stands for it.
  let file: String
  let format: ImageFileFormat
  let size: PixelSize
  let channels: Channels
  let samples: SampleFormat
  let alpha: Alpha
  /// What the numbers mean; nil where the file shall not say.
  let space: ColorSpace?
  let options: WritingOptions
  private let written: WrittenMetadata

  /// The metadata that the file holds.
  var metadata: ImageMetadata { written.metadata }
  /// What the file does not hold though it was asked for.
  var notes: [ImageFileNote] { written.notes }
  var isGray: Bool { channels == .gray || channels == .grayAlpha }

  init(
    file: String, format: ImageFileFormat, size: PixelSize, channels: Channels,
    samples: SampleFormat, alpha: Alpha, space: ColorSpace, options: WritingOptions
  ) throws(ImageFileError) {
    guard format.samples.contains(samples) else {
      throw .unsupportedSamples(samples, format: format)
    }
    guard format.channels.contains(channels) else {
      throw .unsupportedChannels(channels, format: format)
    }
    // Without coverage the two kinds are the same.
    guard !channels.hasAlpha || format.alpha.contains(alpha) else {
      throw .unsupportedAlpha(alpha, format: format)
    }
    guard format.statesColor || options.isUntagged else {
      throw .cannotStateColor(space.name, format: format)
    }
    (self.file, self.format, self.size, self.options) = (file, format, size, options)
    (self.channels, self.samples, self.alpha) = (channels, samples, alpha)
    self.space = options.isUntagged ? nil : space
    written = WrittenMetadata(options, format: format, size: size, space: self.space)
  }

  init(
    _ bitmap: AnyBitmap, file: String, format: ImageFileFormat, options: WritingOptions
  ) throws(ImageFileError) {
    try self.init(
      file: file, format: format, size: bitmap.size, channels: bitmap.channels,
      samples: bitmap.format, alpha: bitmap.alpha, space: bitmap.space, options: options)
  }

  /// Writes the file, whose rows `body` gives to the encoder. It appears when it is complete, and not at all otherwise.
  func write(
    _ body: (any ImageEncoder) throws(ImageFileError) -> Void
  ) throws(ImageFileError) {
    try checkMemory()
    let file = try FileEncoding(self)
    try body(file.encoder)
    try file.finish()
    try file.commit()
  }

  func write(
    into sink: any ByteSink, _ body: (any ImageEncoder) throws(ImageFileError) -> Void
  ) throws(ImageFileError) {
    try checkMemory()
    let encoder = try format.encoder(self, sink)
    try body(encoder)
    try encoder.finish()
  }
}

/// A file on its way to the disk: rows are encoded into it, and then it appears under its name.
final class FileEncoding {
  let encoder: any ImageEncoder
  private let file: String
  private let target: AtomicFile
  /// For formats that seek, where the target cannot.
  private let spill: SpillFile?

  init(_ job: EncodingJob) throws(ImageFileError) {
    let target = try AtomicFile(job.file)
    let spill =
      job.format.writesInOrder || target.canGoBack ? nil : try SpillFile(for: job.file)
    (file, self.target, self.spill) = (job.file, target, spill)
    encoder = try job.format.encoder(job, spill ?? target)
  }

  /// Encodes what follows the rows.
  func finish() throws(ImageFileError) {
    try encoder.finish()
    try spill?.copy(to: target, file: file)
  }

  /// Puts the file under its name.
  func commit() throws(ImageFileError) { try target.commit() }
}
