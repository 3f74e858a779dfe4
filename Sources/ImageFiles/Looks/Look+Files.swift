internal import ColorSpaces
public import FilterGraph
internal import ImageBuffer

extension Look {
  /// The look in a file, of the format that its name ends with.
  ///
  /// A `.cube` is read line by line, so that the largest table, of 256³ entries, takes the memory of its entries. Files of other
  /// formats are in memory as a whole; by default they may have 256 MiB, and a `.cube` 2 GiB.
  ///
  /// A picture's ending means an image of a Hald color lookup table; see ``init(lookImage:title:)``.
  ///
  /// Of several color decision lists the one called `id` is read, or the first.
  public init(
    contentsOf path: String, id: String? = nil, limits: FileLimits? = nil
  ) throws(LookFileError) {
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
    let format = try LookFileFormat(ofFile: path)
    let limit = limits?.bytes ?? (format == .cube ? 2 << 30 : 256 << 20)
    let (source, bytes): (ByteSource, [UInt8])
    do throws(ImageFileError) {
      source = try ByteSource(contentsOf: path, limit: limit)
      bytes = format == .cube ? [] : try source.array()
    } catch {
      throw .file(error)
    }
    self =
      format == .cube
      ? try CubeReader.look(in: source, file: path)
      : try Look(bytes, as: format, file: path, id: id)
  }

  /// The look that the bytes of a file hold; `file` is what errors call it.
  public init(
    _ bytes: [UInt8], as format: LookFileFormat, file: String = "data", id: String? = nil
  ) throws(LookFileError) {
    var text: LookText { LookText(bytes, file: file) }
    switch format {
    case .cube: self = try CubeReader.look(in: ByteSource(bytes), file: file)
    case .threeDL: self = try Look(threeDL: text)
    case .spi1D: self = try Look(spi1D: text)
    case .spi3D: self = try Look(spi3D: text)
    case .spiMatrix: self = try Look(spiMatrix: text)
    case .cineSpace: self = try Look(cineSpace: text)
    case .colorCorrection, .colorCorrectionCollection, .colorDecisionList:
      self = try Look(decisions: XMLElement(bytes, file: file), id: id, file: file)
    case .commonLUT: self = try Look(commonLUT: XMLElement(bytes, file: file), file: file)
    }
  }
}

/// A filter that a file of another program can hold: a look, or the curves of a film.
public protocol FilterFile: RecipeFilter {
  /// What a step does that names such a file, as a sentence of help; by default “Read the filter from a file.”
  static var fileHelp: String { get }
  /// The extensions of files that a step names by their path alone: `--tag display.icc`. Other files need “@” before the path. None by default.
  static var fileExtensions: [String] { get }
  /// Returns the filter in a file, of the format that its name ends with.
  static func filter(inFile path: String) throws -> Self
}

extension FilterFile {
  /// “Read the filter from a file.”
  public static var fileHelp: String { "Read the filter from a file." }
  /// None.
  public static var fileExtensions: [String] { [] }
}

extension Look: FilterFile {
  /// Names the formats.
  public static var fileHelp: String {
    "Apply a LUT file (\(fileExtensions.map { ".\($0)" }.joined(separator: ", "))) or a Hald image."
  }
  /// Those of ``LookFileFormat``. A Hald image follows “@” or is the value of `--lut`.
  public static var fileExtensions: [String] { LookFileFormat.allCases.map(\.rawValue) }
  /// Returns the look in a file, of the format that its name ends with.
  public static func filter(inFile path: String) throws -> Look { try Look(contentsOf: path) }
}

extension CurveDevelopment: FilterFile {
  /// “Apply the curves in a text file.”
  public static var fileHelp: String { "Apply the curves in a text file." }
  /// Returns the curves in a text file.
  public static func filter(inFile path: String) throws -> CurveDevelopment {
    try CurveDevelopment(contentsOf: path)
  }
}
