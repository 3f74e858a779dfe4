internal import ColorSpaces
internal import ImageBuffer

/// A camera's EXIF data (CIPA DC-008, Exif 3.0), as far as pixels depend on it. Damaged fields are treated as missing.
struct EXIF {
  let bytes: [UInt8]
  let structure: TIFFStructure
  let main: TIFFStructure.Directory?
  let camera: TIFFStructure.Directory?
  let interoperability: TIFFStructure.Directory?

  enum Tag {
    static let width = 0x0100, height = 0x0101, orientation = 0x0112
    static let bitsPerSample = 0x0102, compression = 0x0103, colorModel = 0x0106
    static let samplesPerPixel = 0x0115
    static let horizontalResolution = 0x011A, verticalResolution = 0x011B, resolutionUnit = 0x0128
    static let artist = 0x013B, copyright = 0x8298
    static let transferFunction = 0x012D, white = 0x013E, primaries = 0x013F
    static let stripOffsets = 0x0111, stripByteCounts = 0x0117, subdirectories = 0x014A
    static let tileOffsets = 0x0144, tileByteCounts = 0x0145
    static let thumbnail = 0x0201, thumbnailByteCount = 0x0202, chromaSiting = 0x0213
    static let camera = 0x8769, position = 0x8825, positionVersion = 0x0000, makerNote = 0x927C
    static let colorSpace = 0xA001, pixelWidth = 0xA002, pixelHeight = 0xA003
    static let interoperability = 0xA005, gamma = 0xA500
    static let interoperabilityIndex = 0x0001, relatedWidth = 0x1001, relatedHeight = 0x1002
  }
  enum ColorSpaceTag { static let sRGB = 1, adobeRGB = 2, uncalibrated = 0xFFFF }

  init?(_ bytes: [UInt8]) {
    guard let structure = TIFFStructure(bytes), !structure.isBig else { return nil }
    (self.bytes, self.structure) = (bytes, structure)
    main = structure.directory(at: structure.first)
    camera = structure.directory(Tag.camera, of: main)
    interoperability = structure.directory(Tag.interoperability, of: camera)
  }

  var orientation: Orientation? {
    structure.whole(Tag.orientation, of: main).flatMap(Orientation.init)
  }

  /// The space that cameras mean: sRGB, or Adobe RGB by the rules of DCF 2.0 (CIPA DC-009, 3.1.2: index R03), or another one by its
  /// primaries.
  var space: ColorSpace? {
    switch structure.whole(Tag.colorSpace, of: camera) {
    case ColorSpaceTag.sRGB: return .sRGB
    // Not in the standard, but written by cameras.
    case ColorSpaceTag.adobeRGB: return .adobeRGB
    case ColorSpaceTag.uncalibrated:
      return interoperabilityIndex == "R03" ? .adobeRGB : spaceOfPrimaries
    default: return nil
    }
  }

  var resolution: ImageMetadata.Resolution? { structure.resolution(of: main) }

  /// Whether the GPS directory states more than its version, which cameras write without a position too.
  var statesLocation: Bool {
    structure.directory(Tag.position, of: main)?.entries.contains { $0.tag != Tag.positionVersion }
      ?? false
  }

  private var interoperabilityIndex: String? {
    interoperability?[Tag.interoperabilityIndex].flatMap { structure.text($0) }
  }

  /// Returns the data of a block that begins with their offset, as in HEIF and JPEG XL files (ISO/IEC 23008-12, A.2.1); nil where the
  /// block ends before them.
  static func data(ofBlock block: [UInt8]) -> [UInt8]? {
    guard block.count >= 4 else { return nil }
    let start = 4 + Int(block.bigEndian32(at: 0))
    return start < block.count ? Array(block[start...]) : nil
  }

  private var spaceOfPrimaries: ColorSpace? {
    guard let white = main?[Tag.white].flatMap({ structure.fractions($0, 2) }),
      let primaries = main?[Tag.primaries].flatMap({ structure.fractions($0, 6) }),
      let gamma = camera?[Tag.gamma].flatMap({ structure.fractions($0, 1) })
    else { return nil }
    return .ofChromaticities("EXIF", white: white, primaries: primaries, exponent: gamma[0])
  }
}

extension TIFFStructure {
  /// Pixels per inch or centimetre; inches where the unit is missing.
  func resolution(of directory: Directory?) -> ImageMetadata.Resolution? {
    guard
      let across = directory?[EXIF.Tag.horizontalResolution].flatMap({ fractions($0, 1) }),
      let down = directory?[EXIF.Tag.verticalResolution].flatMap({ fractions($0, 1) })
    else { return nil }
    return ImageMetadata.Resolution(
      across[0], down[0], tiffUnit: whole(EXIF.Tag.resolutionUnit, of: directory) ?? 2)
  }
}
