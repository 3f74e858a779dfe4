#if TIFF
  internal import ImageBuffer

  extension TIFFPages {
    private enum Tag {
      static let iptc = 33_723, photoshop = 34_377
    }

    /// Fields of the main directory that say something of the picture as a whole, and have the same tags in EXIF data.
    static let descriptiveTags: Set = [
      // DocumentName, ImageDescription, Make, Model, PageName, Software, DateTime, Artist, HostComputer, Copyright.
      0x010D, 0x010E, 0x010F, 0x0110, 0x011D, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298,
      // Rating, RatingPercent, and Windows' title, comment, author, keywords, subject.
      0x4746, 0x4749, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]

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
        metadata.exif =
          Array((structure.isBigEndian ? "MM" : "II").utf8)
          + TIFFStructure.bytes(of: 42, 2, isBigEndian: structure.isBigEndian)
          + TIFFStructure.bytes(of: 8, 4, isBigEndian: structure.isBigEndian)
          + TIFFStructure.bytes(of: exif, at: 8, isBigEndian: structure.isBigEndian)
      }
      metadata.iptc = directory[Tag.iptc].flatMap { iptc($0) }
      if let bytes = directory[Tag.photoshop].flatMap({ structure.value($0) }) {
        PhotoshopResources(bytes).fill(&metadata)
      }
      metadata.resolution = resolution
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
      directory.entries.filter { Self.descriptiveTags.contains($0.tag) }
        + [camera, interoperability, position].compactMap(\.self).flatMap(\.entries)
    }

    /// Descriptive fields, and the directories of the camera, of interoperability and of the position.
    private var exifTree: TIFFStructure.Tree {
      let camera = self.camera
      return TIFFStructure.Tree(
        fields: structure.fields(of: directory, only: Self.descriptiveTags),
        children: [
          (
            EXIF.Tag.camera,
            TIFFStructure.Tree(
              fields: structure.fields(of: camera, excluding: [EXIF.Tag.interoperability]),
              children: [
                (
                  EXIF.Tag.interoperability,
                  TIFFStructure.Tree(fields: structure.fields(of: interoperability))
                )
              ])
          ), (EXIF.Tag.position, TIFFStructure.Tree(fields: structure.fields(of: position))),
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

    private var resolution: ImageMetadata.Resolution? {
      guard
        let across = directory[EXIF.Tag.horizontalResolution].flatMap({ structure.fractions($0, 1) }
        ),
        let down = directory[EXIF.Tag.verticalResolution].flatMap({ structure.fractions($0, 1) })
      else { return nil }
      let unit = directory[EXIF.Tag.resolutionUnit].flatMap { structure.whole($0) }
      return ImageMetadata.Resolution(across[0], down[0], tiffUnit: unit ?? 2)
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
      fields = structure.fields(of: main, only: TIFFPages.descriptiveTags)
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
      let interoperability = TIFFStructure.Tree(fields: structure.fields(of: exif.interoperability))
      let cameraStart = add(
        TIFFStructure.Tree(
          fields: structure.fields(of: exif.camera, excluding: [EXIF.Tag.interoperability]),
          children: [(EXIF.Tag.interoperability, interoperability)]))
      let positionStart = add(TIFFStructure.Tree(fields: structure.fields(of: gps)))
      (camera, position, self.bytes) = (cameraStart, positionStart, bytes)
    }
  }
#endif
