internal import ColorSpaces
internal import ICCProfiles
internal import ImageBuffer

/// A request to write a file that the format can represent: everything except the rows.
struct EncodingJob {
  /// The path, or a name for bytes without one.
  let file: String
  let format: ImageFileFormat
  let size: PixelSize
  let channels: Channels
  let samples: SampleFormat
  let alpha: Alpha
  /// The color space of the values; nil for an untagged file.
  let space: ColorSpace?
  @Boxed var options: WritingOptions
  /// The ink channels; nil for a picture of colors.
  let inks: InkChannels?
  private let written: WrittenMetadata
  /// The layers beside the picture; none where rows are those of a bitmap.
  var layers: [WrittenLayer] = []
  /// The encoded gain map, once it is known.
  var gainMapFile: [UInt8]?
  /// Asked by encoders that work on after the last row.
  var isCancelled: (@Sendable () -> Bool)?

  /// The metadata that the file holds.
  var metadata: ImageMetadata { written.metadata }
  /// Requested metadata that the file does not hold.
  var notes: [ImageFileNote] {
    written.notes
      + (options.gainMap != nil && !holdsGainMap ? [.omittedGainMap(format: format)] : [])
      + depthNotes(ofSource: samples)
  }
  /// A note of lossless compression that keeps fewer bits than a source has.
  func depthNotes(ofSource source: SampleFormat) -> [ImageFileNote] {
    guard options.isLossless, source == .uint16, let bits = format.losslessBits else { return [] }
    return [.reducedDepth(bits: bits, format: format)]
  }
  /// Whether the file holds a gain map beside the picture.
  var holdsGainMap: Bool { options.gainMap != nil && format.holdsGainMaps && inks == nil }
  /// Whether the encoder only appends bytes. JPEG files have an index before the gain map, written when the picture's length is known.
  var writesInOrder: Bool { format.writesInOrder && !(holdsGainMap && format == .jpeg) }
  var isGray: Bool { channels.isGray }

  init(
    file: String, format: ImageFileFormat, size: PixelSize, channels: Channels,
    samples: SampleFormat, alpha: Alpha, space: ColorSpace, options: WritingOptions
  ) throws(ImageFileError) {
    guard format.samples.contains(samples) else {
      throw .unsupportedSamples(samples, format: format)
    }
    guard !format.hasPalette(options) || samples == .uint8 else {
      throw .cannotWrite(
        file: file,
        reason: "a palette holds 8 bits a sample, and \(samples) was asked for; pass .uint8, or "
          + "leave out WritingOptions.paletteColors")
    }
    guard format.channels.contains(channels) else {
      throw .unsupportedChannels(channels, format: format)
    }
    guard format.channels(ofFileNamed: file).contains(channels) else {
      let ending = format.requestedExtension ?? ending(of: file) ?? ""
      throw .cannotWrite(file: file, reason: Self.refusal(of: channels, ending: ending))
    }
    // Without an alpha channel, straight and premultiplied are the same.
    guard !channels.hasAlpha || format.alpha.contains(alpha) else {
      throw .unsupportedAlpha(alpha, format: format)
    }
    guard options.layers.isEmpty || format.holdsLayers else {
      throw .unsupportedLayers(format: format)
    }
    guard format.statesColor || options.isUntagged else {
      throw .cannotStateColor(space.name, format: format)
    }
    (self.file, self.format, self.size) = (file, format, size)
    self.options = options.recordingQuality
    (self.channels, self.samples, self.alpha) = (channels, samples, alpha)
    self.space = options.isUntagged ? nil : space
    inks = nil
    written = WrittenMetadata(options, format: format, size: size, space: self.space)
    try checkProfile(of: isGray ? 1 : 3)
  }

  /// Why a portable map whose ending means other channels cannot hold these.
  private static func refusal(of channels: Channels, ending: String) -> String {
    guard ending != "pbm" else { return "bilevel maps can only be read; write .pnm" }
    // Grays are written to a .ppm as colors, so a picture without alpha is one of colors for a .pgm.
    let makingGray = "convert it to grays, such as sGray, and write it as gray"
    var remedy = "\(makingGray), or write .ppm"
    if channels.hasAlpha {
      remedy = "write .pam, or flatten it onto a background"
      if ending == "pgm", !channels.isGray { remedy += " and \(makingGray)" }
    }
    let (held, own) = (ending == "pgm" ? "grays" : "colors", channels.isGray ? "grays" : "colors")
    return "a .\(ending) holds \(held) without alpha, and the picture has \(own)"
      + "\(channels.hasAlpha ? " and alpha" : ""); \(remedy)"
  }

  /// A picture of ink channels.
  init(
    file: String, format: ImageFileFormat, size: PixelSize, inks: InkChannels,
    samples: SampleFormat, options: WritingOptions
  ) throws(ImageFileError) {
    guard let counts = format.inkCounts, counts.contains(inks.names.count) else {
      throw .unsupportedInks(inks.names.count, format: format)
    }
    guard format.samples.contains(samples) else {
      throw .unsupportedSamples(samples, format: format)
    }
    guard options.layers.isEmpty else { throw .unsupportedLayers(format: format) }
    (self.file, self.format, self.size) = (file, format, size)
    self.options = options.recordingQuality
    channels = ImageFileInks(names: inks.names, format: samples).channels
    (self.samples, alpha, space, self.inks) = (samples, .straight, nil, inks)
    written = WrittenMetadata(
      options, format: format, size: size, space: nil, holdsInks: true)
    try checkProfile(of: inks.names.count)
  }

  /// Refuses a profile with another number of channels, or one that the format cannot embed.
  private func checkProfile(of count: Int) throws(ImageFileError) {
    guard let profile = options.profile else { return }
    guard format.holdsProfiles else { throw .unsupportedProfile(format: format) }
    guard profile.channelCount == count, !profile.isDeviceLink else {
      throw .profileChannels("\(profile)", kind: profile.kind, count: count)
    }
  }

  init(
    _ bitmap: AnyBitmap, file: String, format: ImageFileFormat, options: WritingOptions
  ) throws(ImageFileError) {
    try self.init(
      file: file, format: format, size: bitmap.size, channels: bitmap.channels,
      samples: bitmap.format, alpha: bitmap.alpha, space: bitmap.space, options: options)
    guard options.layers.isEmpty else {
      throw .cannotWrite(
        file: file,
        reason: "a bitmap has no layers; write a Picture, or leave out WritingOptions.layers")
    }
  }

  /// Writes the file with the rows that `body` passes to the encoder. The file appears when it is complete, and not at all otherwise.
  func write(
    _ body: (any ImageEncoder) throws(ImageFileError) -> Void
  ) throws(ImageFileError) {
    try checkMemory()
    let file = try FileEncoding(self)
    try body(file.encoder)
    try file.encoder.finish()
    try file.store()
    try file.commit()
  }

  func write(
    into sink: any ByteSink, _ body: (any ImageEncoder) throws(ImageFileError) -> Void
  ) throws(ImageFileError) {
    try checkMemory()
    let encoder = try encoder(into: sink)
    try body(encoder)
    try encoder.finish()
  }
}

/// A file that is being encoded. It appears under its name when it is complete.
final class FileEncoding {
  let encoder: any ImageEncoder
  private let file: String
  private let target: AtomicFile
  /// A temporary file for formats that seek, where the target cannot.
  private let spill: SpillFile?

  init(_ job: EncodingJob) throws(ImageFileError) {
    let target = try AtomicFile(job.file)
    let spill =
      job.writesInOrder || target.canGoBack ? nil : try SpillFile(for: job.file)
    (file, self.target, self.spill) = (job.file, target, spill)
    encoder = try job.encoder(into: spill ?? target)
  }

  /// Stores all encoded bytes: copies them where they are in a temporary file, and waits until they are on the disk.
  func store() throws(ImageFileError) {
    try spill?.copy(to: target, file: file)
    try target.sync()
  }

  /// Moves the file to its final path.
  func commit() throws(ImageFileError) { try target.commit() }
}
