#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ImageBuffer

  /// The layout of a file's pixels in strips or tiles, checked for integer overflow.
  struct TIFFLayout {
    let size: PixelSize
    let encoding: TIFFSampleEncoding
    let samplesPerPixel, planeCount: Int
    let isTiled: Bool
    let access: Access
    /// The size of a strip or a tile, and how many are side by side. Where strips are read row by row, each row counts as one.
    let cellWidth, cellHeight, cellsAcross: Int
    /// The rows of a strip or a tile as it is stored, and how many of them are one below the other.
    let storedHeight, storedDown: Int
    /// Bytes of a strip or a tile, of a row in it, and of a row of all of them side by side.
    let cellBytes, cellRowBytes, bandRowBytes: Int

    /// How strips and tiles are read.
    enum Access {
      /// As a whole.
      case cells
      /// Row by row, in order, because they are too large to be unpacked as a whole.
      case packedRows
      /// Row by row in any order, because they are not compressed.
      case plainRows
    }

    /// Whether a strip or a tile has the rows of a band of a plane, and so can be read straight into it.
    var cellsAreBands: Bool { cellsAcross == 1 && cellRowBytes == bandRowBytes }

    var samplesPerPlane: Int { planeCount == 1 ? samplesPerPixel : 1 }
    /// The size in bytes, of all planes together, up to which strips are decoded as a whole.
    private static let largestStrip = 4 << 20
    /// The compressions whose decoders hold one row at a time, and those that hold a dictionary besides.
    private static let packings =
      [
        COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_PACKBITS,
      ] + faxPackings
    private static let packingsWithDictionary = [COMPRESSION_ZSTD, COMPRESSION_LZMA]
    static let faxPackings = [
      COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
    ]

    /// Bytes of a sample once it is unpacked.
    var sampleBytes: Int { encoding.format.byteCount }

    init(
      _ reader: ctiff_reader, _ bytes: ByteSource, _ limits: FileLimits
    ) throws(ImageFileError) {
      func damage(_ reason: String) -> ImageFileError { .damaged(file: bytes.name, reason: reason) }
      size = PixelSize(Int(reader.width), Int(reader.height))
      samplesPerPixel = Int(reader.samples)
      guard size.width > 0, size.height > 0, samplesPerPixel > 0 else {
        throw damage("it states \(size) pixels of \(samplesPerPixel) samples")
      }
      try limits.check(size, in: bytes.name)
      encoding = try TIFFSampleEncoding(reader, file: bytes.name)
      guard samplesPerPixel <= CTIFF_MOST_PLANES else {
        throw .unsupportedStorage(
          file: bytes.name,
          reason:
            "its pixels have \(samplesPerPixel) samples; up to \(CTIFF_MOST_PLANES) can be read")
      }
      planeCount = reader.planar == PLANARCONFIG_SEPARATE ? samplesPerPixel : 1
      isTiled = reader.is_tiled != 0
      let cellSize = PixelSize(Int(reader.cell_width), Int(reader.cell_height))
      guard cellSize.width > 0, cellSize.height > 0, cellSize.pixelCount <= limits.pixels else {
        throw damage("its strips or tiles have \(cellSize) pixels")
      }
      cellWidth = cellSize.width
      cellsAcross = (size.width + cellSize.width - 1) / cellSize.width
      let pixelBits = (planeCount == 1 ? samplesPerPixel : 1) * encoding.bits
      cellRowBytes = (cellSize.width * pixelBits + 7) / 8
      bandRowBytes = (size.width * pixelBits + 7) / 8
      let fullBytes = cellRowBytes * cellSize.height
      storedHeight = cellSize.height
      storedDown = (size.height + storedHeight - 1) / storedHeight
      // Tiles of several columns must begin at whole bytes.
      guard cellsAcross == 1 || cellSize.width * pixelBits % 8 == 0,
        fullBytes == reader.cell_bytes, reader.cell_count >= cellsAcross * storedDown * planeCount
      else {
        throw damage(
          "\(reader.cell_count) strips or tiles of \(reader.cell_bytes) bytes do not make \(size) pixels"
        )
      }
      access = Self.access(reader, planeCount: planeCount, cellBytes: fullBytes)
      cellHeight = access == .cells ? cellSize.height : 1
      cellBytes = cellRowBytes * cellHeight
      // A tile is allocated before any of its bytes are read.
      try limits.check(bytes: cellBytes, of: size, in: bytes)
    }

    /// Returns how the strips or tiles of `cellBytes` bytes are read.
    private static func access(
      _ reader: ctiff_reader, planeCount: Int, cellBytes: Int
    ) -> Access {
      let compression = Int32(reader.compression)
      guard reader.is_tiled == 0, reader.is_chroma == 0 || reader.block_row_bytes > 0 else {
        return .cells
      }
      if compression == COMPRESSION_NONE, reader.is_chroma == 0 { return .plainRows }
      let isPacked =
        switch compression {
        // Runs of PackBits may cross the parts of a row of blocks that libtiff takes for scanlines.
        case COMPRESSION_PACKBITS where reader.is_chroma != 0: false
        case COMPRESSION_NONE: true
        case COMPRESSION_JPEG: planeCount == 1 && reader.bits == 8
        default:
          packings.contains(compression)
            || planeCount == 1 && packingsWithDictionary.contains(compression)
        }
      // Each plane has a handle of libtiff's, with its packed strip and the metadata, which should take less than the unpacked strip.
      let perPlane = reader.packed_bytes + UInt64(reader.profile_count) + UInt64(reader.xmp_count)
      guard isPacked, planeCount == 1 || perPlane < UInt64(cellBytes) else { return .cells }
      let (allBytes, overflow) = cellBytes.multipliedReportingOverflow(by: planeCount)
      guard overflow || allBytes > largestStrip else { return .cells }
      let hasRows =
        compression != COMPRESSION_JPEG
        || withUnsafePointer(to: reader) { ctiff_reader_has_jpeg_rows($0) == 1 }
      return hasRows ? .packedRows : .cells
    }

    /// How many handles of libtiff's are open at once.
    var handleCount: Int { access == .packedRows ? planeCount : 1 }

    /// The number in the file of the strip or tile that holds a band's part in a column and a plane.
    func storedCell(_ index: Int, _ column: Int, plane: Int) -> Int {
      (plane * storedDown + index * cellHeight / storedHeight) * cellsAcross + column
    }
  }
#endif
