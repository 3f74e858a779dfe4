internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// Files that hold the same picture for different displays, and what must be known to choose one of them.
public struct VariantManifest: Codable, Hashable, Sendable {
  /// One of the files.
  public struct Variant: Codable, Hashable, Sendable {
    /// Its path.
    public var file: String
    /// The name of its format.
    public var format: String
    /// The name of its color space.
    public var space: String
    /// The gamut that a display needs to show it whole.
    public var gamut: DisplayHint.Gamut
    /// Whether it holds light far above white.
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
  /// Whether the picture that they show has colors that sRGB cannot hold; nil where nobody looked.
  public var needsWideColor: Bool?
  /// Which colors counted as such, in words.
  public var tolerance: String?

  /// Looks at files that were written. Their bytes are read for their hash.
  public init(of files: [PictureFile]) throws(ImageFileError) {
    variants = try files.map { file throws(ImageFileError) in
      let (picture, digest) = (file.picture, try FileDigest(ofFile: file.path))
      let format = try ImageFile.format(file.format, ofFileNamed: file.path)
      return Variant(
        file: file.path, format: format.name, space: picture.space.name,
        gamut: DisplayHint.Gamut(of: picture.space), hdr: picture.space.reachesFarAboveWhite,
        width: picture.size.width, height: picture.size.height, bytes: digest.byteCount,
        sha256: digest.sha256)
    }
  }

  /// The variant that a display shows best; nil where there is none at all.
  ///
  /// The display's dynamic range comes first, then its gamut: the widest variant that it shows whole, or else the narrowest there is.
  /// Among equals the smallest is taken that has a pixel for each of the display's, or else the largest.
  public func best(for display: DisplayHint) -> Variant? {
    let gamuts = DisplayHint.Gamut.allCases
    let inRange = nearest(variants, to: display.showsHighDynamicRange ? 1 : 0) { $0.hdr ? 1 : 0 }
    let wide = nearest(inRange, to: gamuts.count { $0 < display.gamut }) { variant in
      gamuts.count { $0 < variant.gamut }
    }
    guard let width = display.width else { return wide.max { $0.width < $1.width } }
    let needed = width * display.pixelRatio
    return wide.filter { Double($0.width) >= needed }.min { $0.width < $1.width }
      ?? wide.max { $0.width < $1.width }
  }

  /// Those of the highest rank up to `allowed`, or of the lowest there is.
  private func nearest(
    _ variants: [Variant], to allowed: Int, by rank: (Variant) -> Int
  ) -> [Variant] {
    let ranks = variants.map(rank)
    let chosen = ranks.filter { $0 <= allowed }.max() ?? ranks.min()
    return variants.filter { rank($0) == chosen }
  }
}

extension ColorSpace {
  /// Whether the largest stored number stands for light far above white, as with PQ and HLG.
  fileprivate var reachesFarAboveWhite: Bool { transfer.decode(.one).max() > 1.5 }
}
