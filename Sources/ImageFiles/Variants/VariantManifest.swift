internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The files of one picture for different displays, with the properties by which one of them is chosen.
public struct VariantManifest: Codable, Hashable, Sendable {
  /// One of the files.
  public struct Variant: Codable, Hashable, Sendable {
    /// The path of the file, or the name under which its bytes are served.
    public var file: String
    /// The name of its format.
    public var format: String
    /// The name of its color space.
    public var space: String
    /// The smallest gamut class that contains the file's colors.
    public var gamut: DisplayHint.Gamut
    /// Whether its transfer function reaches far above reference white.
    public var hdr: Bool
    /// How many pixels it has.
    public var width, height: Int
    /// How many bytes it has.
    public var bytes: Int
    /// The SHA-256 of its bytes, in hexadecimal digits.
    public var sha256: String
  }

  /// The files, in the order in which they were given.
  public var variants: [Variant]
  /// Whether the picture has colors out of the gamut of sRGB; nil where that was not measured.
  public var needsWideColor: Bool?
  /// Whether the picture has light above reference white, which only variants with ``Variant/hdr`` hold; nil where that was not measured.
  public var lightAboveWhite: Bool?
  /// The tolerance of these measurements, in words.
  public var tolerance: String?

  /// Creates a manifest of written files. Their bytes are read for their hash.
  public init(of files: [PictureFile]) throws(ImageFileError) {
    variants = try files.map { file throws(ImageFileError) in
      try Variant(file, FileDigest(ofFile: file.path))
    }
  }

  /// Creates a manifest of files whose bytes are in memory, as `Picture.encoded(_:options:)` returns them. No file is read.
  ///
  /// - Parameters:
  ///   - files: The pictures that were encoded. ``PictureFile/path`` is the name under which the bytes are served: pass it to
  ///     ``PictureFile/init(_:at:as:samples:dither:writing:)``, or set ``Variant/file`` afterwards.
  ///   - bytes: The bytes of each file.
  /// - Throws: ``ImageFileError/unknownEnding(file:)`` where neither a format nor the ending of the name tells the format.
  /// - Precondition: There are as many arrays of bytes as files.
  public init(of files: [PictureFile], bytes: [[UInt8]]) throws(ImageFileError) {
    precondition(
      files.count == bytes.count, "There are \(files.count) files and the bytes of \(bytes.count).")
    variants = try files.indices.map { index throws(ImageFileError) in
      try Variant(files[index], FileDigest(bytes[index]))
    }
  }

  /// Returns the best variant for a display; nil where there are no variants.
  ///
  /// The display's dynamic range decides first, then its gamut: the widest variant within it, or else the narrowest one. Among equals it
  /// is the smallest with at least one pixel for each device pixel, or else the largest.
  public func best(for display: DisplayHint) -> Variant? {
    let inRange = nearest(variants, to: display.showsHighDynamicRange ? 1 : 0) { $0.hdr ? 1 : 0 }
    let wide = nearest(inRange, to: display.gamut.rank, by: \.gamut.rank)
    guard let width = display.width else { return wide.max { $0.width < $1.width } }
    let needed = width * display.pixelRatio
    return wide.filter { Double($0.width) >= needed }.min { $0.width < $1.width }
      ?? wide.max { $0.width < $1.width }
  }

  /// Returns the variants of the highest rank up to `allowed`, or of the lowest rank.
  private func nearest(
    _ variants: [Variant], to allowed: Int, by rank: (Variant) -> Int
  ) -> [Variant] {
    let ranks = variants.map(rank)
    let chosen = ranks.filter { $0 <= allowed }.max() ?? ranks.min()
    return variants.filter { rank($0) == chosen }
  }
}

extension VariantManifest.Variant {
  /// Describes a file by its picture and its bytes.
  fileprivate init(_ file: PictureFile, _ digest: FileDigest) throws(ImageFileError) {
    let (picture, space) = (file.picture, file.picture.space)
    let format = try ImageFile.format(file.format, ofFileNamed: file.path)
    self.init(
      file: file.path, format: format.name, space: space.name,
      gamut: DisplayHint.Gamut(of: space), hdr: space.reachesFarAboveWhite,
      width: picture.size.width, height: picture.size.height, bytes: digest.byteCount,
      sha256: digest.sha256)
  }
}

extension ColorSpace {
  /// Whether the largest code is far above reference white, as with PQ and HLG.
  fileprivate var reachesFarAboveWhite: Bool { transfer.decode(.one).max() > 1.5 }
}
