#if TIFF
  internal import CTIFF
  internal import ImageBuffer

  /// Decodes a page of a file with libtiff, a band at a time: the rows of a strip, or of a row of tiles.
  final class TIFFDecoder: ImageDecoder {
    let info: ImageFileInfo
    private let bytes: ByteSource
    private let reader: UnsafeMutablePointer<ctiff_reader>
    private let layout: TIFFLayout
    private let conversion: TIFFConversion
    private var rowsRead = 0
    /// Which strips or tiles of a band are read.
    private var columns: Range<Int>
    private var memory: BandMemory?
    /// The memory of unpacking, which the first strip or tile states, and the last one that was checked for it.
    private let dictionaryBytes: Int
    private var checkedCell = 0

    /// The buffers for reading a band.
    private struct BandMemory {
      /// A strip or a tile.
      let cell: MemoryBlock
      /// The band's stored rows, plane by plane where the file is planar.
      let band: MemoryBlock
      /// The decoded samples of a row, interleaved.
      let samples: MemoryBlock
    }

    init(_ job: DecodingJob) throws(ImageFileError) {
      let (bytes, limits) = (job.bytes, job.limits)
      let page = try TIFFPages(bytes, page: job.page)
      guard let reader = ctiff_reader_create(ByteSource.read, bytes.context, bytes.count) else {
        throw .damaged(file: bytes.name, reason: "libtiff could not allocate memory")
      }
      do throws(ImageFileError) {
        // Of what it reads before the pixels, metadata is the largest part; of the pixels, a strip, which is a part of the file.
        let start = UInt64(page?.directory.start ?? 0)
        guard ctiff_reader_begin(reader, max(limits.metadataBytes, bytes.count), start) == 1 else {
          throw reader.failure(in: bytes, afterRows: 0, of: 0)
        }
        let metadataBytes = Int(reader.pointee.profile_count) + Int(reader.pointee.xmp_count)
        guard metadataBytes <= limits.metadataBytes else {
          throw .tooMuchMetadata(file: bytes.name, limit: limits.metadataBytes)
        }
        // A truncated field may have been the one that states the color space.
        guard reader.pointee.ended == 0 else {
          throw .truncated(file: bytes.name, rows: 0, of: Int(reader.pointee.height))
        }
        layout = try TIFFLayout(reader.pointee, bytes, limits)
        conversion = try TIFFConversion(reader.pointee, layout.encoding, page, job)
        dictionaryBytes = try TIFFDictionary.memoryBytes(0, of: reader.pointee, in: bytes)
        info = try reader.pointee.info(
          conversion, layout, page, file: bytes.name, limits, dictionaryBytes: dictionaryBytes)
        try limits.check(info, in: bytes)
      } catch {
        ctiff_reader_destroy(reader)
        throw error
      }
      (self.bytes, self.reader) = (bytes, reader)
      columns = 0..<layout.cellsAcross
    }

    deinit { ctiff_reader_destroy(reader) }

    func begin(with region: Region) -> Int {
      columns = region.x / layout.cellWidth..<(region.columns.upperBound - 1) / layout.cellWidth + 1
      rowsRead = region.y / layout.cellHeight * layout.cellHeight
      return rowsRead
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      let bandRow = rowsRead % layout.cellHeight
      let memory = try bandMemory()
      if bandRow == 0 { try readBand(rowsRead / layout.cellHeight, memory) }
      gather(bandRow, memory)
      conversion.convert(UnsafeRawBufferPointer(memory.samples.bytes), row)
      rowsRead += 1
    }

    func finish() throws(ImageFileError) {}

    private func bandMemory() throws(ImageFileError) -> BandMemory {
      if let memory { return memory }
      func block(_ byteCount: Int) throws(ImageFileError) -> MemoryBlock {
        try MemoryBlock(byteCount: byteCount, isZeroed: true, for: bytes.name)
      }
      let new = BandMemory(
        cell: try block(layout.cellBytes),
        band: try block(layout.planeCount * layout.cellHeight * layout.bandRowBytes),
        samples: try block(layout.size.width * layout.samplesPerPixel * layout.sampleBytes))
      memory = new
      return new
    }

    private func readBand(_ index: Int, _ memory: BandMemory) throws(ImageFileError) {
      let rows = min(layout.cellHeight, layout.size.height - index * layout.cellHeight)
      for plane in 0..<layout.planeCount {
        for column in columns {
          let number = (plane * layout.cellsDown + index) * layout.cellsAcross + column
          // The last strip only has the rows that are left; tiles are whole.
          let wanted = layout.isTiled ? layout.cellBytes : rows * layout.cellRowBytes
          let stored = layout.readsRows ? index / Int(reader.pointee.cell_height) : number
          try checkStored(stored)
          let cell = memory.cell.bytes
          let isRead =
            layout.readsRows
            ? ctiff_reader_row(reader, UInt32(index), cell.baseAddress)
            : ctiff_reader_cell(reader, UInt32(number), cell.baseAddress, wanted)
          guard isRead == 1 else {
            throw reader.failure(in: bytes, afterRows: rowsRead, of: layout.size.height)
          }
          let start = column * layout.cellRowBytes
          let count = min(layout.cellRowBytes, layout.bandRowBytes - start)
          for row in 0..<rows {
            let source = row * layout.cellRowBytes
            let target = (plane * layout.cellHeight + row) * layout.bandRowBytes + start
            memory.band[target..<target + count].copyMemory(
              from: UnsafeRawBufferPointer(memory.cell[source..<source + count]))
          }
        }
      }
    }

    /// Throws where a strip or tile has no bytes or too large a dictionary. Y′CbCr is converted from those of all planes.
    private func checkStored(_ first: Int) throws(ImageFileError) {
      let end = reader.pointee.is_chroma != 0 ? Int(reader.pointee.cell_count) : first + 1
      for cell in stride(from: first, to: end, by: layout.cellsAcross * layout.cellsDown) {
        // libtiff would read a strip with offset 0 from the start of the file.
        guard ctiff_reader_is_stored(reader, UInt32(cell)) == 1 else {
          throw .damaged(
            file: bytes.name, reason: "it has no bytes of its strip or tile \(cell)")
        }
        try checkDictionary(of: cell)
      }
    }

    /// Throws where a strip or tile takes more memory to unpack than the first one, which the file's memory counts.
    private func checkDictionary(of cell: Int) throws(ImageFileError) {
      guard cell != checkedCell, dictionaryBytes > 0 else { return }
      let needed = try TIFFDictionary.memoryBytes(cell, of: reader.pointee, in: bytes)
      guard needed <= dictionaryBytes else {
        throw .unsupportedStorage(
          file: bytes.name,
          reason:
            "strip or tile \(cell) takes \(needed) bytes of memory to unpack, more than the "
            + "\(dictionaryBytes) of the first; pack them alike first")
      }
      checkedCell = cell
    }

    /// Puts a row's samples side by side, unpacked.
    private func gather(_ row: Int, _ memory: BandMemory) {
      let samples = memory.samples.bytes
      for plane in 0..<layout.planeCount {
        let start = (plane * layout.cellHeight + row) * layout.bandRowBytes
        let stored = UnsafeRawBufferPointer(memory.band[start..<start + layout.bandRowBytes])
        if layout.planeCount == 1, layout.encoding.isCopied {
          samples.copyMemory(from: stored)
        } else {
          layout.encoding.unpack(
            stored, count: layout.size.width * layout.samplesPerPlane, to: samples, plane,
            step: layout.planeCount)
        }
      }
    }
  }

  /// The layout of a file's pixels in strips or tiles, checked for integer overflow.
  struct TIFFLayout {
    let size: PixelSize
    let encoding: TIFFSampleEncoding
    let samplesPerPixel, planeCount: Int
    let isTiled: Bool
    /// Whether strips are decoded row by row, because they are too large to be in memory as a whole. Each row then counts as a strip.
    let readsRows: Bool
    let cellWidth, cellHeight, cellsAcross, cellsDown: Int
    /// Bytes of a strip or a tile, of a row in it, and of a row of all of them side by side.
    let cellBytes, cellRowBytes, bandRowBytes: Int

    var samplesPerPlane: Int { planeCount == 1 ? samplesPerPixel : 1 }
    /// The size in bytes up to which strips are decoded as a whole.
    private static let largestStrip = 4 << 20
    /// The compressions whose decoders hold one row at a time.
    private static let packings = [
      COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_PACKBITS,
      COMPRESSION_ZSTD, COMPRESSION_LZMA,
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
      guard size.pixelCount <= limits.pixels else {
        throw .tooManyPixels(file: bytes.name, size, limit: limits.pixels)
      }
      encoding = try TIFFSampleEncoding(reader, file: bytes.name)
      guard samplesPerPixel <= 64 else {
        throw .unsupportedStorage(
          file: bytes.name,
          reason: "its pixels have \(samplesPerPixel) samples; up to 64 can be read")
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
      let fullCount = cellsAcross * ((size.height + cellSize.height - 1) / cellSize.height)
      // Tiles of several columns must begin at whole bytes.
      guard cellsAcross == 1 || cellSize.width * pixelBits % 8 == 0,
        fullBytes == reader.cell_bytes, reader.cell_count >= fullCount * planeCount
      else {
        throw damage(
          "\(reader.cell_count) strips or tiles of \(reader.cell_bytes) bytes do not make \(size) pixels"
        )
      }
      readsRows =
        !isTiled && planeCount == 1 && reader.is_chroma == 0 && fullBytes > Self.largestStrip
        && Self.packings.contains(Int32(reader.compression))
      cellHeight = readsRows ? 1 : cellSize.height
      cellsDown = (size.height + cellHeight - 1) / cellHeight
      cellBytes = cellRowBytes * cellHeight
      // A tile is allocated before any of its bytes are read, so its size is checked against the file's.
      let (allowed, isUnlimited) = bytes.count.multipliedReportingOverflow(by: limits.expansion)
      guard isUnlimited || cellBytes <= max(allowed, FileLimits.unquestionedBytes) else {
        throw .expandsTooMuch(
          file: bytes.name, cellSize, byteCount: bytes.count, limit: limits.expansion)
      }
    }
  }

  extension UnsafeMutablePointer<ctiff_reader> {
    fileprivate func failure(
      in bytes: ByteSource, afterRows rows: Int, of count: Int
    ) -> ImageFileError {
      if bytes.systemFailure != nil { return bytes.readingFailure }
      if pointee.is_unsupported == 1 {
        return .unsupportedStorage(
          file: bytes.name, reason: String(cString: ctiff_reader_message(self)))
      }
      if pointee.ended == 1, count > 0 {
        return .truncated(file: bytes.name, rows: rows, of: count)
      }
      let message = String(cString: ctiff_reader_message(self))
      if pointee.lacks_field == 1 { return .damaged(file: bytes.name, reason: message) }
      return .damaged(
        file: bytes.name,
        reason: message.isEmpty ? "libtiff cannot read it" : "libtiff says “\(message)”")
    }
  }
#endif
