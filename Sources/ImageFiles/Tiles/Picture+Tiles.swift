internal import ColorSpaces
public import FilterGraph
public import ImageBuffer

extension Picture {
  /// Cuts this picture into the tiles of a pyramid, in a folder for viewers such as OpenSeadragon and Leaflet.
  ///
  /// ```swift
  /// try scan.converted(to: .sRGB).writeTiles(to: "scan", TilePyramid(.xyz), as: .png)
  /// ```
  ///
  /// The picture is rendered once, in rows, and never in memory as a whole: the rows of one row of tiles are kept for each level. Every
  /// third level goes to a temporary file without a name, where `TMPDIR` says, from which the smaller ones are made. The folder appears
  /// when it is complete. An older pyramid of the same layout is replaced; a folder with anything else in it is refused. Between two
  /// renames the older folder has the name FOLDER.old-PID, of the process that writes. Where a process ends just there, the next call for
  /// the folder renames it back.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - pyramid: The levels and the names of tiles.
  ///   - format: The format of tiles.
  ///   - samples: The sample format; nil for 8 bits, or the format's default where it does not hold them.
  ///   - dither: The dithering; nil rounds to nearest.
  ///   - options: How to render. As many tiles are encoded at once as there are threads.
  ///   - writing: Options of the format. A gain map, and another orientation than `upright`, are refused.
  /// - Returns: The report: notes of options that the tiles do not hold, and the clipped samples of the largest level.
  @discardableResult
  public func writeTiles(
    to folder: String, _ pyramid: TilePyramid = TilePyramid(), as format: ImageFileFormat = .jpeg,
    samples: SampleFormat? = nil, dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> WritingReport {
    let samples = samples ?? (format.samples.contains(.uint8) ? .uint8 : format.samples.first)
    let file = PictureFile(
      self, at: folder, as: format, samples: samples, dither: dither, writing: writing)
    return try TileRendering(file, pyramid, options: options).run().report
  }

  /// Cuts the picture of a file into tiles in the folder at its path; returns how many there are, too.
  package static func writeTiles(
    of file: PictureFile, _ pyramid: TilePyramid, options: RenderOptions
  ) throws(ImageFileError) -> (report: WritingReport, tileCount: Int) {
    try TileRendering(file, pyramid, options: options).run()
  }
}

/// The rendering of a pyramid: several levels at a time, because the pixels that a level needs of the first one grow with each.
private struct TileRendering {
  /// The levels of one rendering besides its first.
  private static let levelsAtOnce = 3

  @Boxed private var file: PictureFile
  private let pyramid: TilePyramid
  private let options: RenderOptions
  private let sizes: [PixelSize]
  private let names: TileNames
  private let threads: Int

  init(_ file: PictureFile, _ pyramid: TilePyramid, options: RenderOptions) throws(ImageFileError) {
    try pyramid.check(for: file.path)
    // The map of the whole picture would be in each tile.
    guard file.writing.gainMap == nil else {
      throw .cannotWrite(
        file: file.path, reason: "tiles hold no gain map; leave out WritingOptions.gainMap")
    }
    guard file.writing.layers.isEmpty else {
      throw .cannotWrite(
        file: file.path, reason: "tiles hold no layers; leave out WritingOptions.layers")
    }
    guard file.writing.orientation == .upright else {
      throw .cannotWrite(
        file: file.path, reason: "each tile would be turned; turn the picture, and write it upright"
      )
    }
    do throws(RenderError) { try file.picture.checkRenders(options) } catch {
      throw .rendering(error)
    }
    let format = try ImageFile.format(file.format, ofFileNamed: file.path)
    (self.file, self.pyramid, self.options) = (file, pyramid, options)
    sizes = pyramid.levels(of: file.picture.size)
    names = TileNames(pyramid, of: sizes, in: file.path, ending: format.fileExtensions[0])
    threads = options.workerLimit
  }

  /// Throws where the folder cannot be written, or holds another file than those of an older pyramid.
  private func checkFolder() throws(ImageFileError) {
    // Each complete pyramid has a description; without one, folders of digits alone may be anything.
    let description = TileNames.descriptionName(pyramid.layout, inFolder: file.path)
    try DraftFolder.check(file.path, replacing: description) {
      TileNames.isOwn($0, pyramid.layout, inFolder: file.path)
    }
  }

  /// Throws where the folder cannot be written, or the format cannot hold such tiles.
  private func check() throws(ImageFileError) {
    try checkFolder()
    let job = try tileJob(shown(file.picture))
    _ = try job.format.encoder(job, DiscardingSink())
  }

  func run() throws(ImageFileError) -> (report: WritingReport, tileCount: Int) {
    DraftFolder.restore(file.path)
    try check()
    // The memory is checked before the folder is made.
    var stage = try stage(from: 0, of: file.picture)
    let draft = try DraftFolder(for: file.path)
    let largest = try stage.write(into: draft)
    var (rows, tileCount) = (largest.rows, largest.tileCount)
    while let last = rows {
      let before = Picture(last).converted(to: file.picture.space)
      stage = try self.stage(
        from: stage.first + stage.jobs.count, of: pyramid.half(of: before), after: before)
      let written = try stage.write(into: draft)
      (rows, tileCount) = (written.rows, tileCount + written.tileCount)
    }
    if let whole = names.wholePicture { try draft.copy(whole.file, to: whole.copy) }
    if names.overview != nil { tileCount -= 1 }
    let description = names.description
    try draft.write(Array(description.text.utf8), to: description.name)
    // Files may have come into the folder since.
    try checkFolder()
    try draft.commit()
    return (largest.report, tileCount)
  }

  /// The picture that the tiles of a level show.
  private func shown(_ level: Picture) throws(ImageFileError) -> PictureFile {
    let format = try ImageFile.format(file.format, ofFileNamed: file.path)
    var shown = file
    shown.picture = pyramid.shown(level, holdsAlpha: format.channels.contains(.rgba))
    return shown
  }

  /// The request to write the largest tile of a level.
  private func tileJob(_ level: PictureFile) throws(ImageFileError) -> EncodingJob {
    var tile = level
    let (picture, side) = (level.picture, pyramid.tileSize + 2 * pyramid.overlap)
    tile.picture = picture.cropped(
      to: Region(
        x: picture.region.x, y: picture.region.y, width: min(side, picture.size.width),
        height: min(side, picture.size.height)))
    return try tile.job
  }

  /// Returns the rendering of some levels, of which `level` is the first, made of the level `before`.
  private func stage(
    from first: Int, of level: Picture, after before: Picture? = nil
  ) throws(ImageFileError) -> TileStage {
    let count = min(Self.levelsAtOnce + (first == 0 ? 1 : 0), sizes.count - first)
    var levels = [level]
    while levels.count < count { levels.append(pyramid.half(of: levels[levels.count - 1])) }
    let isLast = first + count == sizes.count
    if isLast, let size = names.overview, let larger = count > 1 ? levels[count - 2] : before {
      levels.append(pyramid.overview(size, of: larger))
    }
    let files = try levels.map { level throws(ImageFileError) in try shown(level) }
    let jobs = try files.map { level throws(ImageFileError) in try level.job }
    let tiles = try files.map { level throws(ImageFileError) in try tileJob(level) }
    let last = levels[count - 1]
    let spilled = isLast ? nil : last.converted(to: last.space.linear)
    let clipping = ClippingCount()
    var results = jobs.indices.map { index in
      BandedResult(
        files[index].picture, channels: jobs[index].channels, as: jobs[index].samples,
        alpha: jobs[index].alpha, dither: file.dither,
        counting: first + index == 0 ? clipping : nil)
    }
    if let spilled {
      results.append(BandedResult(spilled, as: .float32, alpha: .premultiplied))
    }
    var bytes = 0.0
    for (job, tile) in zip(jobs, tiles) {
      bytes += Double(TileCutter.byteCount(job, tile: tile, pyramid, threads: threads))
    }
    var options = options
    // All further levels together have a sixty-third of the pixels of the first four.
    if first > 0 { options.progress = nil }
    do throws(RenderError) {
      let rendering = try BandRendering(results, besides: wholeBytes(bytes), options: options)
      return TileStage(
        first: first, jobs: jobs, spilled: spilled, clipping: clipping, rendering: rendering,
        pyramid: pyramid, names: names, threads: threads)
    } catch {
      throw .rendering(error)
    }
  }
}

/// The rendering of some levels, each from the one before.
private struct TileStage {
  /// The index of the first level.
  let first: Int
  /// The levels, each as if it were one file.
  let jobs: [EncodingJob]
  /// The last level in linear light, from which the next rendering goes on; nil where there is none.
  let spilled: Picture?
  let clipping: ClippingCount
  let rendering: BandRendering
  let pyramid: TilePyramid
  let names: TileNames
  let threads: Int

  /// Writes the tiles of the levels; returns the rows of the last one, where there is a further one.
  func write(
    into draft: DraftFolder
  ) throws(ImageFileError) -> (rows: SpilledRows?, report: WritingReport, tileCount: Int) {
    var cutters: [TileCutter] = []
    for (index, job) in jobs.enumerated() {
      cutters.append(
        try TileCutter(
          level: first + index, job, pyramid, names, into: draft, threads: threads))
    }
    var spill: SpilledRows?
    if let spilled { spill = try SpilledRows(spilled, for: jobs[0].file) }
    let (levels, rows) = (cutters, spill)
    do throws(RenderError) {
      try rendering.run { index, firstRow, band in
        for y in 0..<band.size.height {
          let row = UnsafeRawBufferPointer(band.bytes(ofRow: y))
          if index < levels.count {
            try levels[index].add(row)
          } else {
            try rows?.write(row, y: firstRow + y)
          }
        }
      }
    } catch {
      throw ImageFileError(error)
    }
    return (
      rows, WritingReport(jobs[0], clippedSamples: clipping.value),
      cutters.reduce(0) { $0 + $1.tileCount }
    )
  }
}
