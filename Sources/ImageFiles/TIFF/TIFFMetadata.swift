#if COLORLOOM_TIFF
  internal import ImageBuffer

  extension TIFFPages {
    private enum Tag {
      static let iptc = 33_723, photoshop = 34_377
    }

    /// The tags of fields that do not describe the picture as a whole, but its pixels, their place in the file, or other parts of it.
    private static let structuralTags: [ClosedRange<Int>] = [
      // TIFF 6.0 and its supplements: samples, strips, tiles, color, other pages, windows of ink channels, and codecs.
      0x00FE...0x010A, 0x0111...0x0112, 0x0115...0x011C, 0x011E...0x0129, 0x012C...0x012D,
      0x013D...0x023F, 0x02BC...0x02BC, 0x80E3...0x80E6, 0x8214...0x821A, 0x828D...0x828E,
      // Places on a map, which belong to pixels of the old size, and TIFF/IT.
      0x830E...0x830E, 0x8480...0x8482, 0x84E0...0x84F1, 0x85D8...0x85D8, 0x87AC...0x87B1,
      // IPTC, Photoshop's resources and layers, the directories of EXIF, the ICC profile, and fax.
      0x83BB...0x83BB, 0x8649...0x8649, 0x8769...0x8769, 0x8773...0x8773, 0x87BE...0x87BE,
      0x8825...0x8825, 0x885C...0x885F, 0x935C...0x935C, 0xA005...0xA005,
      // GDAL, LERC, Windows' padding, and DNG except for the names of camera and lens.
      0xA480...0xA481, 0xC5F2...0xC5F3, 0xEA1C...0xEA1D, 0xC612...0xC613, 0xC616...0xC62E,
      0xC631...0xC68A, 0xC68C...0xCDFF,
    ]

    /// Whether a field of the main directory describes the picture as a whole. Such fields have the same tags in EXIF data.
    private static func isDescriptive(_ entry: TIFFStructure.Entry) -> Bool {
      // 13 and 18 are offsets of directories.
      ![13, 18].contains(entry.type) && !structuralTags.contains { $0.contains(entry.tag) }
    }

    /// The fields of a main directory that describe the picture as a whole.
    static func descriptiveFields(
      of directory: TIFFStructure.Directory, in structure: TIFFStructure
    ) -> [TIFFStructure.Field] {
      structure.fields(of: directory) { isDescriptive($0) }
    }

    /// Photoshop's names of the channels beside the colors, where its resources have at most so many bytes.
    func channelNames(most byteCount: Int) -> [String] {
      let bytes = directory[Tag.photoshop].flatMap { structure.value($0, most: byteCount) }
      return bytes.map { PhotoshopResources($0).channelNames } ?? []
    }

    /// The page's metadata but XMP, which libtiff reads.
    func metadata(file: String, limits: FileLimits) throws(ImageFileError) -> ImageMetadata {
      var metadata = ImageMetadata()
      let blocks = [Tag.iptc, Tag.photoshop].compactMap { directory[$0] }
      // Entries may share their bytes, so the limit applies to the sum of the bytes that would be copied.
      let count = (exifEntries + blocks).reduce(0) { $0 + $1.value.count + 12 }
      guard count <= limits.metadataBytes else {
        throw .tooMuchMetadata(file: file, limit: limits.metadataBytes)
      }
      let exif = exifTree
      if !exif.isEmpty {
        metadata.exif = EXIF.data(of: exif, isBigEndian: structure.isBigEndian)
      }
      metadata.iptc = directory[Tag.iptc].flatMap { iptc($0) }
      if let bytes = directory[Tag.photoshop].flatMap({ structure.value($0) }) {
        PhotoshopResources(bytes).fill(&metadata)
      }
      metadata.resolution = structure.resolution(of: directory)
      return metadata
    }

    private var camera: TIFFStructure.Directory? {
      structure.directory(EXIF.Tag.camera, of: directory)
    }
    private var interoperability: TIFFStructure.Directory? {
      structure.directory(EXIF.Tag.interoperability, of: camera)
    }
    private var position: TIFFStructure.Directory? {
      structure.directory(EXIF.Tag.position, of: directory)
    }

    /// The entries of which EXIF data is made.
    private var exifEntries: [TIFFStructure.Entry] {
      directory.entries.filter(Self.isDescriptive)
        + [camera, interoperability, position].compactMap(\.self).flatMap(\.entries)
    }

    /// Descriptive fields, and the directories of the camera, of interoperability and of the position.
    private var exifTree: TIFFStructure.Tree {
      TIFFStructure.Tree(
        fields: Self.descriptiveFields(of: directory, in: structure),
        children: [
          (EXIF.Tag.camera, structure.cameraTree(camera)),
          (EXIF.Tag.position, TIFFStructure.Tree(fields: structure.fields(of: position))),
        ])
    }

    /// The datasets. Some writers count them in words of 32 bits, which other byte orders turn round.
    private func iptc(_ entry: TIFFStructure.Entry) -> [UInt8]? {
      guard var bytes = structure.value(entry) else { return nil }
      if entry.type == 4, bytes.first != 0x1C, bytes.count % 4 == 0 {
        bytes = stride(from: 0, to: bytes.count, by: 4).flatMap { bytes[$0..<$0 + 4].reversed() }
      }
      // Words are filled up with zeros.
      while entry.type == 4, bytes.last == 0 { bytes.removeLast() }
      return bytes.first == 0x1C ? bytes : nil
    }

    /// The field WhitePoint: its chromaticity x and y; nil where there is none.
    var whitePoint: [Double]? { directory[EXIF.Tag.white].flatMap { structure.fractions($0, 2) } }
  }

  extension TIFFStructure {
    /// The fields of a camera's directory, and the directory of interoperability that it points to.
    fileprivate func cameraTree(_ camera: Directory?) -> Tree {
      let interoperability = directory(EXIF.Tag.interoperability, of: camera)
      return Tree(
        fields: fields(of: camera) { $0.tag != EXIF.Tag.interoperability },
        children: [(EXIF.Tag.interoperability, Tree(fields: fields(of: interoperability)))])
    }
  }

  /// EXIF data as a new TIFF file holds it.
  struct TIFFEXIF {
    let isBigEndian: Bool
    /// Bytes that follow the file's header.
    let bytes: [UInt8]
    /// Where the directories of the camera and of its position are in the file; 0 where there are none.
    var camera = 0, position = 0
    /// Fields of the main directory.
    let fields: [TIFFStructure.Field]

    /// Data that was corrected for the file.
    ///
    /// In a classic file every byte keeps its offset, since the file's header is as long as that of EXIF data: maker notes with offsets of
    /// their own stay whole.
    init?(_ exif: EXIF, isBig: Bool) {
      let structure = exif.structure
      guard let main = exif.main else { return nil }
      isBigEndian = structure.isBigEndian
      fields = TIFFPages.descriptiveFields(of: main, in: structure)
      let gps = structure.directory(EXIF.Tag.position, of: main)
      guard isBig else {
        var bytes = exif.bytes
        bytes.replaceSubrange(
          main.start..<main.end, with: repeatElement(0, count: main.end - main.start))
        self.bytes = exif.camera == nil && gps == nil ? [] : Array(bytes[8...])
        (camera, position) = (exif.camera?.start ?? 0, gps?.start ?? 0)
        return
      }
      var bytes: [UInt8] = []
      func add(_ tree: TIFFStructure.Tree) -> Int {
        if tree.isEmpty { return 0 }
        let start = 16 + bytes.count
        bytes += TIFFStructure.bytes(
          of: tree, at: start, isBigEndian: structure.isBigEndian, isBig: true)
        return start
      }
      camera = add(structure.cameraTree(exif.camera))
      position = add(TIFFStructure.Tree(fields: structure.fields(of: gps)))
      self.bytes = bytes
    }
  }
#endif
