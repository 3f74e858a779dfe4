internal import ColorSpaces
public import FilterGraph
internal import ImageBuffer

extension Look {
  /// The look in a file, of the format that its name ends with; in standard input (`-`), of the format that it begins as.
  ///
  /// Text files are read line by line, so that the largest table, of 256³ entries, takes the memory of its entries; by default they may
  /// have 2 GiB. XML documents are in memory as a whole; by default they may have 256 MiB.
  ///
  /// A picture's ending means an image of a Hald color lookup table; see ``init(lookImage:title:)``.
  ///
  /// Of several color decision lists the one called `id` is read, or the first. `.cc`, `.ccc` and `.cdl` files do not state whether values
  /// are clamped: by default they are, as the ASC specifies, and with `style: .unclamped` they are not, as OpenColorIO applies such files.
  /// Other formats ignore `id` and `style`.
  public init(
    contentsOf path: String, id: String? = nil, style: ColorDecisions.Style = .clamped,
    limits: FileLimits? = nil
  ) throws(LookFileError) {
    var ids: [String] = []
    try self.init(contentsOf: path, id: id, style: style, limits: limits, listing: &ids)
  }

  /// The look in a file. `ids` becomes the names of all color decision lists in it, of which one is read; none for other formats.
  package init(
    contentsOf path: String, id: String? = nil, style: ColorDecisions.Style = .clamped,
    limits: FileLimits?, listing ids: inout [String]
  ) throws(LookFileError) {
    ids = []
    if ImageFileFormat(ofFileNamed: path) != nil {
      let bitmap: AnyBitmap
      do throws(ImageFileError) {
        bitmap = try ImageFile.read(path, assuming: .sRGB, limits: limits ?? FileLimits())
      } catch {
        throw .file(error)
      }
      try self.init(lookImage: bitmap, title: path)
      title = ""
      return
    }
    let named = path == standardStream ? nil : try LookFileFormat(ofFile: path)
    let source: ByteSource
    do throws(ImageFileError) {
      source = try ByteSource(
        contentsOf: path, limit: limits?.bytes ?? named?.byteLimit ?? LookFileFormat.textLimit)
    } catch {
      throw .file(error)
    }
    let format =
      if let named { named } else { try LookFileFormat(recognizing: source, file: path) }
    // The format of standard input is known only now, and XML has the lower limit.
    let limit = limits?.bytes ?? format.byteLimit
    guard source.count <= limit else { throw .file(.tooManyBytes(file: path, limit: limit)) }
    self = try Look(
      source, as: format, file: path, id: id, style: style, memoryLimit: limits?.memoryLimit,
      listing: &ids)
  }

  /// The look that the bytes of a file hold; `file` is what errors call it, and `id` and `style` are as for files.
  public init(
    _ bytes: [UInt8], as format: LookFileFormat, file: String = "data", id: String? = nil,
    style: ColorDecisions.Style = .clamped
  ) throws(LookFileError) {
    var ids: [String] = []
    try self.init(
      ByteSource(bytes), as: format, file: file, id: id, style: style, memoryLimit: nil,
      listing: &ids)
  }

  private init(
    _ source: ByteSource, as format: LookFileFormat, file: String, id: String?,
    style: ColorDecisions.Style, memoryLimit: Int?, listing ids: inout [String]
  ) throws(LookFileError) {
    let text = LookText(source, file: file, memoryLimit: memoryLimit)
    switch format {
    case .cube: self = try CubeReader.look(in: text)
    case .threeDL: try self.init(threeDL: text)
    case .spi1D: try self.init(spi1D: text)
    case .spi3D: try self.init(spi3D: text)
    case .spiMatrix: try self.init(spiMatrix: text)
    case .cineSpace: try self.init(cineSpace: text)
    case .colorCorrection, .colorCorrectionCollection, .colorDecisionList, .commonLUT:
      // Text that references or comments divide is copied from the bytes of the document.
      let memory = LookMemory(
        file: file, limit: memoryLimit, held: source.memoryBytes + 2 * source.count)
      try memory.check(0)
      let bytes: [UInt8]
      do throws(ImageFileError) { bytes = try source.array() } catch { throw .file(error) }
      let document = try XMLElement(bytes, file: file)
      if format == .commonLUT {
        try self.init(commonLUT: document, file: file, memory)
      } else {
        try self.init(decisions: document, id: id, style: style, file: file, listing: &ids)
      }
    }
  }
}

extension LookFileFormat {
  /// How many bytes text files may have by default.
  fileprivate static let textLimit = 2 << 30

  /// How many bytes files of the format may have by default. XML documents are in memory as a whole.
  package var byteLimit: Int {
    switch self {
    case .colorCorrection, .colorCorrectionCollection, .colorDecisionList, .commonLUT: 256 << 20
    case .cube, .threeDL, .spi1D, .spi3D, .spiMatrix, .cineSpace: Self.textLimit
    }
  }
}
