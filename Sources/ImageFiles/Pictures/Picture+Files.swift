public import ColorSpaces
public import FilterGraph
public import ICCProfiles
public import ImageBuffer

extension Picture {
  /// Opens the picture in an image file, upright unless `isUpright` is false. The path `-` is standard input.
  ///
  /// The header is read and checked now. Pixels are decoded row by row when the picture is rendered, and damage in them is an error of
  /// the rendering.
  ///
  /// A file without a color space, or with a damaged or unsupported profile, is refused, unless `assuming` names a space;
  /// ``OpenedImageFile`` says which it is. CMYK values are converted as `inks` says, by the profile `assumingInks` where the file has none.
  public init(
    contentsOf path: String, page: Int? = nil, assuming space: ColorSpace? = nil,
    isUpright: Bool = true, inks: ProfileRendering = ProfileRendering(),
    assumingInks assumedInks: ICCProfile? = nil,
    limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    self = try OpenedImageFile(
      path, page: page, inks: inks, assumingInks: assumedInks, limits: limits
    )
    .picture(assuming: space, isUpright: isUpright)
  }

  /// Opens the picture in an image file whose bytes are in memory, such as the body of a request; see
  /// ``init(contentsOf:page:assuming:isUpright:inks:assumingInks:limits:)``.
  ///
  /// Pixels are decoded row by row when the picture is rendered. The bytes count toward the memory of the rendering.
  public init(
    bytes: [UInt8], page: Int? = nil, assuming space: ColorSpace? = nil, isUpright: Bool = true,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    self = try OpenedImageFile(
      bytes: bytes, page: page, inks: inks, assumingInks: assumedInks, limits: limits
    )
    .picture(assuming: space, isUpright: isUpright)
  }

  /// Renders this picture into an image file tagged with its color space. The path `-` is standard output.
  ///
  /// Reading, rendering and writing overlap, and neither picture is in memory as a whole. The file appears when it is complete: a
  /// failure leaves nothing behind, and an older file of that name is unchanged.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - format: The format; nil for the one of the path's file extension.
  ///   - samples: The sample format; nil for the format's default: `uint16` for TIFF, and for PNG without a palette. Pass `.uint8`
  ///     there for sources of 8 bits.
  ///   - dither: The dithering; nil rounds to nearest.
  ///   - options: How to render.
  ///   - writing: Options of the format.
  /// - Returns: The requested metadata that the file does not hold, and the number of clipped samples.
  @discardableResult
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> WritingReport {
    try Picture.write(
      [
        PictureFile(
          self, at: path, as: format, samples: samples, dither: dither, writing: writing)
      ],
      options: options)[0]
  }

  /// Renders this picture into the bytes of an image file: those that ``write(to:as:samples:dither:options:writing:)`` would write.
  ///
  /// Bytes beyond the memory that the rendering leaves of the limits in `options` and `writing` go to a temporary file without a name,
  /// where `TMPDIR` says, until the rendering ends. More of them than the limits are an error.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - samples: The sample format; nil for the format's default: `uint16` for TIFF, and for PNG without a palette. Pass `.uint8`
  ///     there for sources of 8 bits.
  ///   - dither: The dithering; nil rounds to nearest.
  ///   - options: How to render.
  ///   - writing: Options of the format.
  public func encoded(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> [UInt8] {
    try encodedWithReport(
      as: format, samples: samples, dither: dither, options: options, writing: writing
    ).bytes
  }

  /// Renders this picture into the bytes of an image file, and reports clipped samples and omitted metadata.
  ///
  /// See ``encoded(as:samples:dither:options:writing:)`` for the parameters.
  public func encodedWithReport(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> (bytes: [UInt8], report: WritingReport) {
    try Picture.encoded(
      [PictureFile(self, as: format, samples: samples, dither: dither, writing: writing)],
      options: options)[0]
  }

  /// Renders several pictures into files in one pass: shared steps are evaluated once, and shared files are read once.
  ///
  /// Each file has the bytes that writing it alone would give. No file appears before all are complete.
  ///
  /// - Returns: The report of each file.
  @discardableResult
  public static func write(
    _ files: [PictureFile], options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) -> [WritingReport] {
    try write(files, counting: [], options: options)
  }

  /// Throws the error with which ``write(_:options:)`` would fail before the first pixel, by the pictures, their formats or their paths.
  /// Renders nothing and creates nothing.
  package static func checkWriting(
    _ files: [PictureFile], options: RenderOptions
  ) throws(ImageFileError) {
    try checkTargets(of: files)
    let jobs = try files.map { file throws(ImageFileError) in try file.job }
    _ = try rendering(
      of: files, jobs, FilePart.all(of: jobs).map { _ in ClippingCount() }, counting: [],
      options: options.measuringNothing)
    for job in jobs {
      try AtomicFile.check(job.file)
      // Encoders check what their formats can state while they write the header.
      _ = try job.format.encoder(job, DiscardingSink())
    }
  }

  private static func checkTargets(of files: [PictureFile]) throws(ImageFileError) {
    var targets: Set<String> = []
    for file in files where !targets.insert(try targetPath(file.path)).inserted {
      throw .cannotWrite(file: file.path, reason: "two pictures shall be written there")
    }
  }

  /// The rendering of pictures and their layers beside their encoders, within the memory that the options allow. Each part of a file has its
  /// own count of clipped samples.
  private static func rendering(
    of files: [PictureFile], _ jobs: [EncodingJob], _ clippings: [ClippingCount],
    counting tallies: [any Counting], options: RenderOptions
  ) throws(ImageFileError) -> BandRendering {
    for (file, job) in zip(files, jobs) {
      try file.numbered { () throws(ImageFileError) in try job.checkMemory() }
    }
    let results = zip(FilePart.all(of: jobs), clippings).map { part, clipping in
      files[part.file].result(part.number, jobs[part.file], counting: clipping)
    }
    // Rows of a picture wait for those of its layers.
    let keptRows = jobs.reduce(0) { $0 + ($1.layers.isEmpty ? 0 : $1.rowBytes) }
    do throws(RenderError) {
      return try BandRendering(
        results + tallies.map { BandedResult($0.picture, as: .float32, alpha: .straight) },
        besides: jobs.reduce(0) { wholeBytes(Double($0) + Double($1.memoryBytes)) },
        keepingRowsOf: wholeBytes(keptRows), options: options)
    } catch {
      throw .rendering(error)
    }
  }

  /// Writes pictures, and measures another one in the same pass: shared steps are evaluated once, and shared files are read once.
  package static func write<Measure: Reduction>(
    _ files: [PictureFile], measuring picture: Picture, by reduction: Measure,
    options: RenderOptions
  ) throws(ImageFileError) -> (value: Measure.Value, reports: [WritingReport]) {
    let tally = Tally(reduction, picture)
    let reports = try write(files, counting: [tally], options: options)
    return (tally.value, reports)
  }

  /// Writes pictures, and measures each of some others in the same pass.
  package static func write<Measure: Reduction>(
    _ files: [PictureFile], measuring pictures: [Picture], by reduction: Measure,
    options: RenderOptions
  ) throws(ImageFileError) -> (values: [Measure.Value], reports: [WritingReport]) {
    let tallies = pictures.map { Tally(reduction, $0) }
    let reports = try write(files, counting: tallies, options: options)
    return (tallies.map(\.value), reports)
  }

  private static func write(
    _ files: [PictureFile], counting tallies: [any Counting], options: RenderOptions
  ) throws(ImageFileError) -> [WritingReport] {
    if files.isEmpty, tallies.isEmpty { return [] }
    try checkTargets(of: files)
    var encodings: [FileEncoding] = []
    let reports = try encode(files, counting: tallies, options: options) {
      jobs, _ throws(ImageFileError) in
      encodings = try jobs.map { job throws(ImageFileError) in try FileEncoding(job) }
      return encodings.map(\.encoder)
    }
    for encoding in encodings { try encoding.store() }
    for encoding in encodings { try encoding.commit() }
    return reports
  }

  /// Renders pictures into the encoders that `open` makes.
  static func encode(
    _ files: [PictureFile], counting tallies: [any Counting] = [], options: RenderOptions,
    into open: ([EncodingJob], BandRendering) throws(ImageFileError) -> [any ImageEncoder]
  ) throws(ImageFileError) -> [WritingReport] {
    // Different sizes would otherwise be reported by the encoders.
    for file in files {
      try file.numbered { () throws(ImageFileError) in
        for part in 0...file.writing.layers.count {
          try file.storedPicture(ofPart: part).check(options)
        }
      }
    }
    for tally in tallies { try tally.picture.check(options) }
    let jobs = try files.map { file throws(ImageFileError) in
      try file.numbered { () throws(ImageFileError) in
        var job = try file.job.withGainMap(options: options)
        job.isCancelled = options.isCancelled
        return job
      }
    }
    let parts = FilePart.all(of: jobs)
    let clippings = parts.map { _ in ClippingCount() }
    // The rendering is checked before the files are opened, so that a failure leaves no file.
    let rendering = try rendering(
      of: files, jobs, clippings, counting: tallies, options: options)
    let encoders = try open(jobs, rendering)
    // The renderer delivers one band at a time.
    nonisolated(unsafe) let fileRows = zip(encoders, jobs).map { EncoderRows($0, $1) }
    do throws(RenderError) {
      try rendering.run { index, firstRow, band in
        for y in 0..<band.size.height {
          let row = UnsafeRawBufferPointer(band.bytes(ofRow: y))
          if index < parts.count {
            let part = parts[index]
            try files[part.file].numbered { () throws(ImageFileError) in
              try fileRows[part.file].add(row, firstRow + y, ofPart: part.number)
            }
          } else {
            tallies[index - parts.count].add(row.bindMemory(to: Float.self))
          }
        }
      }
    } catch {
      throw ImageFileError(error)
    }
    for (file, encoder) in zip(files, encoders) {
      // Some encoders do all of their work now.
      if options.isCancelled?() == true { throw .rendering(.cancelled) }
      try file.numbered { () throws(ImageFileError) in try encoder.finish() }
    }
    return files.indices.map { index in
      let counts = zip(parts, clippings).filter { $0.0.file == index }.map(\.1)
      var report = WritingReport(
        jobs[index], clippedSamples: counts.reduce(0) { $0 + $1.value })
      report.notes += files[index].depthNotes(of: jobs[index])
      report.notes += files[index].encodingNotes(
        ofSamples: counts.reduce(0) { $0 + $1.valueOfEncoding }, report)
      return report
    }
  }

  /// Throws the error with which rendering this picture would fail before the first pixel.
  private func check(_ options: RenderOptions) throws(ImageFileError) {
    do throws(RenderError) { try checkRenders(options) } catch { throw .rendering(error) }
  }
}

/// A picture, and the file to write it to, or to encode it as.
public struct PictureFile: Sendable {
  /// The picture to render and write.
  public var picture: Picture
  /// The path of the file; `-` is standard output. For bytes, a name for errors.
  public var path: String
  /// The format; nil for the one of the path's file extension.
  public var format: ImageFileFormat?
  /// The sample format; nil for the format's default.
  public var samples: SampleFormat?
  /// The dithering; nil rounds to nearest.
  public var dither: Dither?
  /// Options of the format.
  public var writing: WritingOptions
  /// The index among several pictures that are encoded together, which its errors state; nil otherwise.
  var index: Int?

  /// Creates a file for a picture.
  public init(
    _ picture: Picture, at path: String, as format: ImageFileFormat? = nil,
    samples: SampleFormat? = nil, dither: Dither? = nil, writing: WritingOptions = WritingOptions()
  ) {
    (self.picture, self.path, self.format) = (picture, path, format)
    (self.samples, self.dither, self.writing) = (samples, dither, writing)
  }

  /// Creates a file without a path, for its bytes; see `Picture.encoded(_:options:)`.
  public init(
    _ picture: Picture, as format: ImageFileFormat, samples: SampleFormat? = nil,
    dither: Dither? = nil, writing: WritingOptions = WritingOptions()
  ) {
    self.init(
      picture, at: "\(format) data", as: format, samples: samples, dither: dither,
      writing: writing)
  }

  /// Returns the value of `body`, or throws its error with the index of this picture, if it has one. Cancellation
  /// ends all pictures, so its error has no index.
  func numbered<Value>(
    _ body: () throws(ImageFileError) -> Value
  ) throws(ImageFileError) -> Value {
    do throws(ImageFileError) { return try body() } catch {
      guard let index, error != .rendering(.cancelled) else { throw error }
      throw .picture(at: index, error)
    }
  }

  /// The result of rendering the picture, the part 0, or a layer. Layers have floating-point samples, which are not dithered.
  fileprivate func result(
    _ part: Int, _ job: EncodingJob, counting clipping: ClippingCount
  ) -> BandedResult {
    if part == 0 {
      return BandedResult(
        picture, channels: job.channels, as: job.samples, alpha: job.alpha, dither: dither,
        counting: clipping)
    }
    let layer = job.layers[part - 1]
    return BandedResult(
      storedPicture(ofPart: part), channels: layer.channels, as: layer.samples, alpha: job.alpha,
      counting: clipping)
  }

  /// A note on samples that the transfer function of the picture's space clipped; none without such samples.
  fileprivate func encodingNotes(ofSamples count: Int, _ report: WritingReport) -> [ImageFileNote] {
    count == 0
      ? []
      : [
        .clippedByTransfer(samples: count, of: report.sampleCount, space: picture.space.name)
      ]
  }

  /// A note where a source has 16 bits and the format holds 8 only. Who chose 8 bits in another format needs none.
  fileprivate func depthNotes(of job: EncodingJob) -> [ImageFileNote] {
    guard job.format.samples == [.uint8],
      picture.sourcePrecisions.contains(where: { $0.format == .uint16 })
    else { return [] }
    return job.depthNotes(ofSource: .uint16)
  }

  /// The request to write the file.
  var job: EncodingJob {
    get throws(ImageFileError) {
      let format = try ImageFile.format(format, ofFileNamed: path)
      let samples = samples ?? (format.hasPalette(writing) ? .uint8 : format.samples[0])
      return try EncodingJob(
        file: path, format: format, size: picture.size,
        channels: channels(in: format), samples: samples,
        alpha: alpha(in: format, samples), space: picture.space, options: writing
      ).with(writing.layers)
    }
  }

  /// Returns the alpha of the file. Where the format holds both, it is premultiplied for linear floats of a premultiplied source: its pixels
  /// of alpha 0 may emit light, which straight alpha cannot express.
  private func alpha(in format: ImageFileFormat, _ samples: SampleFormat) -> Alpha {
    let isFloat = samples == .float16 || samples == .float32
    let mayEmit =
      isFloat && picture.space.transfer.isLinear
      && picture.sourcePrecisions.contains(where: \.isPremultiplied)
    let preferred: Alpha = mayEmit ? .premultiplied : .straight
    return format.alpha.count == 1 ? format.alpha.first ?? preferred : preferred
  }

  /// The channels of the file in a format.
  package func channels(in format: ImageFileFormat) -> Channels {
    let gray: Channels = picture.hasAlpha ? .grayAlpha : .gray
    if writing.isGray, !format.hasPalette(writing),
      format.channels(ofFileNamed: path).contains(gray)
    {
      return gray
    }
    return picture.hasAlpha ? .rgba : .rgb
  }
}
