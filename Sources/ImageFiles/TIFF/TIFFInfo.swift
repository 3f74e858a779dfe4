#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension ctiff_reader {
    func info(
      _ conversion: TIFFConversion, _ layout: TIFFLayout, _ page: TIFFPages?, file: String,
      _ limits: FileLimits, dictionaryBytes: Int
    ) throws(ImageFileError) -> ImageFileInfo {
      var metadata = try page?.metadata(file: file, limits: limits) ?? ImageMetadata()
      metadata.xmp = xmp.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(xmp_count))) }
      let (color, found, colorNotes) = statedColor(
        conversion, layout, page, metadata, file: file, limits)
      let storage = [
        conversion.description, layout.isTiled ? "tiles" : "strips",
        layout.planeCount > 1 ? "planar" : nil, is_chroma != 0 ? "stored as YCbCr" : nil,
        page?.isReduced == true ? "marked as a reduced picture" : nil, compressionName,
        is_big != 0 ? "BigTIFF" : nil,
      ]
      return ImageFileInfo(
        format: .tiff, storedSize: layout.size, channels: conversion.channels,
        samples: conversion.samples, storedSamples: conversion.storedSamples,
        alpha: conversion.alpha,
        storage: storage.compactMap(\.self).joined(separator: ", "), color: color, profile: found,
        orientation: Orientation(rawValue: Int(orientation)) ?? .upright, metadata: metadata,
        pages: page?.pages ?? ImagePages(), layer: conversion.extra?.name,
        layers: conversion.extraNames.map { ImageFileLayer(name: $0, channels: [$0]) },
        notes: notes(conversion, layout) + colorNotes,
        readingBytes: memoryBytes(layout) + Double(dictionaryBytes),
        inks: conversion.inks.map { $0.named(like: found) })
    }

    /// What is not read, and what is assumed in place of a field.
    private func notes(_ conversion: TIFFConversion, _ layout: TIFFLayout) -> [ImageFileNote] {
      let others = conversion.extraNames.filter { $0 != conversion.extra?.name }
      let parts = [
        others.isEmpty
          ? nil
          : "\(counted(others.count, "other sample")) of each pixel, \(listed(others, most: 12))",
        layout.encoding.isRounded
          ? "the bits of its samples of \(layout.encoding.bits) bits that single precision does not hold"
          : nil,
      ]
      let assumed = ImageFileNote.assumed(
        field: "PhotometricInterpretation",
        meaning: "its samples are \(Int32(photometric) == PHOTOMETRIC_RGB ? "RGB" : "gray")")
      return parts.compactMap(\.self).map(ImageFileNote.unread)
        + (lacks_photometric != 0 ? [assumed] : [])
    }

    /// The bytes of the ICC profile; nil where there is none.
    var profileBytes: [UInt8]? {
      profile.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(profile_count))) }
    }

    /// How many inks a page has whose kind of color is “separated” (TIFF 6.0, section 16).
    var inkCount: Int {
      if ink_set == INKSET_CMYK { return 4 }
      return ink_count > 0 ? Int(ink_count) : max(Int(samples) - Int(extra_count), 0)
    }

    /// The names of the inks, in their order: those in the field InkNames, or general ones.
    func inkNames(_ page: TIFFPages?) -> [String] {
      let general = ICCProfile.inkNames(inkCount)
      guard ink_set != INKSET_CMYK, let page, let entry = page.directory[Int(TIFFTAG_INKNAMES)],
        let bytes = page.structure.value(entry, most: 4096)
      else { return general }
      let names = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return names.count == general.count ? names : general
    }

    /// Of each of libtiff's handles: the places of all strips or tiles, tables, metadata, and a packed strip or tile. Where that is
    /// only a part of a band, it is there unpacked, too; then the band, and a row. Rows without compression go from the file into the band.
    private func memoryBytes(_ layout: TIFFLayout) -> Double {
      let row = Double(layout.size.width) * Double(layout.samplesPerPixel * layout.sampleBytes)
      let band = Double(layout.planeCount * layout.bandRowBytes) * Double(layout.cellHeight)
      let isInRows = layout.access == .packedRows
      let metadata = Double(profile_count) + Double(xmp_count)
      let packed = layout.access == .plainRows ? 0 : Double(packed_bytes)
      let cell = layout.cellsAreBands ? 0 : Double(layout.cellBytes)
      let stored = Double(isInRows ? block_row_bytes : stored_bytes)
      let handle = 0x1p18 + 16 * Double(cell_count) + packed + metadata + decoderBytes(layout)
      return Double(layout.handleCount) * handle + cell + band + row + stored
    }

    /// The memory of decoders besides tables.
    private func decoderBytes(_ layout: TIFFLayout) -> Double {
      switch Int32(compression) {
      // Rows of blocks, some of them in two sizes of chroma. A strip of progressive JPEG is in memory as coefficients of 16 bits.
      case COMPRESSION_JPEG where layout.access == .packedRows: 32 * Double(layout.cellRowBytes)
      case COMPRESSION_JPEG: 3 * Double(layout.cellBytes)
      // The places where colors change, in the row and the one above it.
      case let fax where TIFFLayout.faxPackings.contains(fax): 16 * Double(cell_width)
      default: 0
      }
    }

    private var compressionName: String? {
      let names: [Int32: String] = [
        COMPRESSION_LZW: "LZW", COMPRESSION_ADOBE_DEFLATE: "deflate",
        COMPRESSION_DEFLATE: "deflate",
        COMPRESSION_JPEG: "JPEG", COMPRESSION_PACKBITS: "PackBits", COMPRESSION_CCITTFAX3: "fax 3",
        COMPRESSION_CCITTFAX4: "fax 4", COMPRESSION_LZMA: "LZMA", COMPRESSION_ZSTD: "Zstandard",
      ]
      return compression == COMPRESSION_NONE
        ? nil : names[Int32(compression)] ?? "compression \(compression)"
    }
  }

  extension ImageFileInks {
    /// The same by the names that a profile lists, where the file lists none.
    fileprivate func named(like profile: ICCProfile?) -> ImageFileInks {
      guard let profile, names == ICCProfile.inkNames(count), profile.channelCount == count
      else { return self }
      return ImageFileInks(names: profile.inkNames, format: format)
    }
  }
#endif
