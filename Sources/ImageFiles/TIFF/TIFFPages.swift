#if COLORLOOM_TIFF
  /// The pages of a TIFF file, read before libtiff sees it.
  ///
  /// A page is a directory of the main chain that is not marked as a reduced picture or a mask (NewSubfileType, SubfileType). Where the chain
  /// has no other, the full pictures in SubIFDs are pages, and where there are none, the first directory is.
  struct TIFFPages {
    let structure: TIFFStructure
    /// The directory of the page that is read.
    let directory: TIFFStructure.Directory
    let pages: ImagePages
    /// Whether the page is marked as a reduced picture of one that the file does not hold.
    let isReduced: Bool

    private enum Tag {
      static let newSubfileType = 254, subfileType = 255, compression = 259, photometric = 262
      static let maker = 271, dngVersion = 50706
    }

    /// Finds the page; nil where the file's structure cannot be read, for which libtiff has the better error.
    init?(_ bytes: ByteSource, page: Int?) throws(ImageFileError) {
      guard let structure = TIFFStructure(bytes) else { return nil }
      var left = structure.byteCount
      let chain = structure.chain(from: structure.first, within: &left)
      guard let first = chain.first else { return nil }
      let subdirectories = chain.prefix(64).flatMap {
        structure.directories(EXIF.Tag.subdirectories, of: $0, within: &left)
      }
      if let raw = try Self.rawFormat(bytes, structure, chain.prefix(64) + subdirectories) {
        throw .unsupportedStorage(
          file: bytes.name,
          reason:
            "it is a camera raw file (\(raw)), of which only previews are ready pictures; develop it "
            + "with a raw converter first, or build the package with its trait RAW")
      }
      var found = chain.filter { Self.isPage($0, structure) }
      if found.isEmpty { found = subdirectories.filter { Self.isPage($0, structure) } }
      isReduced = found.isEmpty
      if found.isEmpty { found = [first] }
      let number = page ?? 1
      guard (1...found.count).contains(number) else {
        throw .noSuchPage(file: bytes.name, number, ImagePages(count: found.count))
      }
      self.structure = structure
      directory = found[number - 1]
      pages = ImagePages(number: number, count: found.count)
    }

    /// The name of a camera's raw format; nil for other files.
    static func rawFormat(_ bytes: ByteSource) throws(ImageFileError) -> String? {
      guard let structure = TIFFStructure(bytes) else { return nil }
      var left = structure.byteCount
      let chain = structure.chain(from: structure.first, most: 64, within: &left)
      let subdirectories = chain.flatMap {
        structure.directories(EXIF.Tag.subdirectories, of: $0, within: &left)
      }
      return try rawFormat(bytes, structure, chain + subdirectories)
    }

    private static func isPage(
      _ directory: TIFFStructure.Directory, _ structure: TIFFStructure
    ) -> Bool {
      if let kind = structure.whole(Tag.newSubfileType, of: directory) { return kind & 0b101 == 0 }
      // 2 marks a reduced picture (TIFF 6.0, SubfileType).
      return structure.whole(Tag.subfileType, of: directory) != 2
    }

    /// The name of a camera's raw format; nil for other files.
    private static func rawFormat(
      _ bytes: ByteSource, _ structure: TIFFStructure,
      _ directories: some Collection<TIFFStructure.Directory>
    ) throws(ImageFileError) -> String? {
      let mark = try bytes.array(0..<min(bytes.count, 12)).dropFirst(8)
      if structure.first == 16, mark.elementsEqual(Array("CR\u{2}\0".utf8)) { return "CR2, Canon" }
      // Color filter arrays, and values as linear as a sensor's (DNG 1.7, PhotometricInterpretation).
      let hasSensorValues = directories.contains {
        [32_803, 34_892].contains(structure.whole(Tag.photometric, of: $0))
      }
      // Compressions of Nikon, Sony, Samsung, Kodak and Pentax.
      let hasMakerCompression = directories.contains {
        [34_713, 32_767, 32_769, 32_770, 65_000, 65_535].contains(
          structure.whole(Tag.compression, of: $0))
      }
      let isDNG = directories.first?[Tag.dngVersion] != nil
      let maker = directories.lazy.compactMap { $0[Tag.maker].flatMap { structure.text($0) } }.first
      let isPhaseOne = mark.elementsEqual("IIII".utf8) && maker?.hasPrefix("Phase One") == true
      guard hasSensorValues || hasMakerCompression || isPhaseOne else { return nil }
      if isDNG { return "DNG" }
      let formats = [
        "nikon": "NEF, Nikon", "sony": "ARW, Sony", "pentax": "PEF, Pentax", "ricoh": "PEF, Ricoh",
        "samsung": "SRW, Samsung", "hasselblad": "3FR, Hasselblad", "epson": "ERF, Epson",
        "seiko epson": "ERF, Epson", "leaf": "MOS, Leaf", "kodak": "DCR, Kodak",
        "eastman kodak": "DCR, Kodak", "phase one": "IIQ, Phase One", "canon": "TIF, Canon",
        "mamiya": "MEF, Mamiya", "olympus": "ORF, Olympus", "panasonic": "RW2, Panasonic",
      ]
      let name = maker?.lowercased() ?? ""
      return formats.first { name.hasPrefix($0.key) }?.value ?? "of a maker unknown here"
    }
  }
#endif
