#if COLORLOOM_TIFF
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
    /// Which planes are read: all, or that of the extra sample.
    private let planes: Range<Int>
    private var memory: BandMemory?
    /// The memory of unpacking, which the first strip or tile states, and the last one that was checked for it.
    private let dictionaryBytes: Int
    private var checkedCell = 0

    /// The buffers for reading a band.
    private struct BandMemory {
      /// A tile; nil where strips or tiles are read into the band.
      let cell: MemoryBlock?
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
      let allPlanes = 0..<layout.planeCount
      let plane = conversion.extra.map { $0.sample..<$0.sample + 1 }
      planes = allPlanes.count > 1 ? plane ?? allPlanes : allPlanes
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
        cell: layout.cellsAreBands ? nil : try block(layout.cellBytes),
        band: try block(layout.planeCount * layout.cellHeight * layout.bandRowBytes),
        samples: try block(layout.size.width * layout.samplesPerPixel * layout.sampleBytes))
      memory = new
      return new
    }

    private func readBand(_ index: Int, _ memory: BandMemory) throws(ImageFileError) {
      let rows = min(layout.cellHeight, layout.size.height - index * layout.cellHeight)
      // The last strip only has the rows that are left; tiles are whole.
      let wanted = layout.isTiled ? layout.cellBytes : rows * layout.cellRowBytes
      for plane in planes {
        let first = plane * layout.cellHeight * layout.bandRowBytes
        for column in columns {
          let number = layout.storedCell(index, column, plane: plane)
          try checkStored(number)
          guard let cell = memory.cell else {
            try readCell(number, index, plane, into: memory.band[first..<first + wanted])
            continue
          }
          try readCell(number, index, plane, into: cell[0..<wanted])
          let start = column * layout.cellRowBytes
          let count = min(layout.cellRowBytes, layout.bandRowBytes - start)
          for row in 0..<rows {
            let source = row * layout.cellRowBytes
            let target = first + row * layout.bandRowBytes + start
            memory.band[target..<target + count].copyMemory(
              from: UnsafeRawBufferPointer(cell[source..<source + count]))
          }
        }
      }
    }

    /// Reads the rows of the band `index` from a strip or a tile of a plane.
    private func readCell(
      _ number: Int, _ index: Int, _ plane: Int, into target: UnsafeMutableRawBufferPointer
    ) throws(ImageFileError) {
      let isRead: Int32
      switch layout.access {
      case .cells:
        isRead = ctiff_reader_cell(reader, UInt32(number), target.baseAddress, target.count)
      case .packedRows:
        isRead = ctiff_reader_row(reader, UInt32(index), UInt16(plane), target.baseAddress)
      case .plainRows: return try readPlainRow(index, ofStrip: number, into: target)
      }
      guard isRead == 1 else {
        throw reader.failure(in: bytes, afterRows: rowsRead, of: layout.size.height)
      }
    }

    /// Reads a row that is not compressed from its place in the file, and puts its bits and bytes in native order.
    ///
    /// Like libtiff it ignores the strip's count of bytes, which some writers get wrong; only the file's end limits it.
    private func readPlainRow(
      _ y: Int, ofStrip strip: Int, into row: UnsafeMutableRawBufferPointer
    ) throws(ImageFileError) {
      let start = TIFFGetStrileOffset(reader.pointee.tiff, UInt32(strip))
      let (position, overflow) = start.addingReportingOverflow(
        UInt64(y % layout.storedHeight * layout.cellRowBytes))
      guard !overflow, bytes.count >= row.count, position <= UInt64(bytes.count - row.count) else {
        throw .truncated(file: bytes.name, rows: rowsRead, of: layout.size.height)
      }
      try bytes.copy(to: row, from: Int(position))
      if Int32(reader.pointee.fill_order) == FILLORDER_LSB2MSB {
        TIFFReverseBits(row.bindMemory(to: UInt8.self).baseAddress, tmsize_t(row.count))
      }
      if TIFFIsByteSwapped(reader.pointee.tiff) != 0, [16, 32, 64].contains(layout.encoding.bits) {
        swapBytes(of: row, layout.encoding.bits / 8)
      }
    }

    /// Throws where a strip or tile has no bytes or too large a dictionary. Y′CbCr is converted from those of all planes.
    private func checkStored(_ first: Int) throws(ImageFileError) {
      let end = reader.pointee.is_chroma != 0 ? Int(reader.pointee.cell_count) : first + 1
      for cell in stride(from: first, to: end, by: layout.cellsAcross * layout.storedDown) {
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
      for plane in planes {
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

  extension UnsafeMutablePointer<ctiff_reader> {
    fileprivate func failure(
      in bytes: ByteSource, afterRows rows: Int, of count: Int
    ) -> ImageFileError {
      let message = String(cString: ctiff_reader_message(self))
      let says = message.isEmpty ? "libtiff cannot read it" : "libtiff says “\(message)”"
      return CodecFailure(
        damage: pointee.lacks_field == 1 ? message : says,
        unsupported: pointee.is_unsupported == 1 ? message : nil, isEnd: pointee.ended == 1
      ).error(in: bytes, afterRows: rows, of: count)
    }
  }
#endif
