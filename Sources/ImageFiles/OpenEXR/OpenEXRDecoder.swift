#if COLORLOOM_OPENEXR
  internal import COpenEXR
  internal import ColorSpaces
  internal import ImageBuffer

  /// Decodes a layer of a part of a file with OpenEXRCore, a band at a time: the rows of a chunk, or of a row of tiles.
  final class OpenEXRDecoder: ImageDecoder {
    let info: ImageFileInfo
    private let bytes: ByteSource
    private let reader: UnsafeMutablePointer<cexr_reader>
    private let bandHeight: Int
    private var band: MemoryBlock?
    /// The stored rows that were read.
    private var rowsRead = 0
    /// Nil where the file stores red, green and blue, or gray.
    private let weights: LuminanceWeights?
    private var chroma: OpenEXRChroma?
    /// The first row that is made of luminance and chroma.
    private var firstRow = 0

    init(_ job: DecodingJob) throws(ImageFileError) {
      let (bytes, limits) = (job.bytes, job.limits)
      let reader = try Self.reader(for: job)
      do throws(ImageFileError) {
        info = try reader.pointee.info(file: bytes.name, chosen: job.layer, limits)
        try limits.check(info, in: bytes)
        let (band, width) = (Int(reader.pointee.band_height), Int(reader.pointee.tile_width))
        guard band > 0, reader.pointee.is_tiled == 0 || width > 0 else {
          throw .damaged(file: bytes.name, reason: "its chunks have \(width) × \(band) pixels")
        }
        bandHeight = min(band, info.storedSize.height)
        reader.pointee.file.heap.limit =
          reader.pointee.file.heap.held + wholeBytes(reader.pointee.codecBytes)
        weights = try reader.pointee.weights(file: bytes.name)
      } catch {
        cexr_reader_destroy(reader)
        throw error
      }
      (self.bytes, self.reader) = (bytes, reader)
    }

    deinit { cexr_reader_destroy(reader) }

    /// Returns a reader of the named layer in the part of the page. Where that part has none of this name, the name may be that of a part,
    /// whose colors it reads, else its only channel or its layer of the same name, as writers call both.
    private static func reader(
      for job: DecodingJob
    ) throws(ImageFileError) -> UnsafeMutablePointer<cexr_reader> {
      // No file has the largest part: numbers that cannot be are refused as those of missing parts are.
      let part = Int32(exactly: job.page ?? 1).flatMap { $0 > 0 ? $0 - 1 : nil } ?? .max
      do throws(ImageFileError) { return try reader(of: job.layer, inPart: part, job) } catch {
        guard error.isOfChoice, let name = job.layer,
          let named = try job.bytes.openEXRPart(named: name).flatMap({ Int32(exactly: $0) }),
          job.page == nil || named == part
        else { throw error }
        do throws(ImageFileError) { return try reader(of: nil, inPart: named, job) } catch {
          guard case .noSuchLayer(_, _, let channels, _) = error else { throw error }
          // A part of a single channel is gray, as a layer is.
          return try reader(
            of: channels.count == 1 ? channels[0] : name, inPart: named, job)
        }
      }
    }

    private static func reader(
      of layer: String?, inPart part: Int32, _ job: DecodingJob
    ) throws(ImageFileError) -> UnsafeMutablePointer<cexr_reader> {
      let bytes = job.bytes
      try bytes.checkOpenEXRCompression(ofPart: Int(part))
      guard
        let reader = cexr_reader_create(
          ByteSource.read, bytes.context, bytes.count, job.limits.metadataBytes)
      else {
        throw .damaged(file: bytes.name, reason: "OpenEXR could not allocate memory")
      }
      let largestSide = Int32(clamping: job.limits.pixels)
      if cexr_reader_begin(reader, part, layer, largestSide, largestSide) == 1 { return reader }
      defer { cexr_reader_destroy(reader) }
      throw reader.pointee.choiceFailure(job) ?? reader.failure(in: bytes, afterRows: 0)
    }

    func begin(with region: Region) -> Int {
      let first = weights == nil ? region.y : max(region.y - OpenEXRChroma.reach, 0)
      rowsRead = first / bandHeight * bandHeight
      firstRow = weights == nil ? rowsRead : region.y
      return firstRow
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      guard let weights else { return row.copyMemory(from: try storedRow(byteCount: row.count)) }
      let chroma = try chromaRows(weights)
      while chroma.needsRow { chroma.add(try storedRow(byteCount: row.count)) }
      chroma.makeRow(into: row)
    }

    private func chromaRows(_ weights: LuminanceWeights) throws(ImageFileError) -> OpenEXRChroma {
      if let chroma { return chroma }
      let rows = try OpenEXRChroma(
        of: info, weights, from: firstRow, stored: rowsRead, file: bytes.name)
      chroma = rows
      return rows
    }

    /// Reads the next row as the file stores it.
    private func storedRow(byteCount: Int) throws(ImageFileError) -> UnsafeRawBufferPointer {
      let stored = try bandMemory(bytesPerRow: byteCount)
      let bandRow = rowsRead % bandHeight
      if bandRow == 0 {
        guard cexr_reader_band(reader, Int64(rowsRead), stored.baseAddress, byteCount) == 1 else {
          throw reader.failure(in: bytes, afterRows: rowsRead)
        }
      }
      rowsRead += 1
      return UnsafeRawBufferPointer(
        rebasing: stored[bandRow * byteCount..<(bandRow + 1) * byteCount])
    }

    private func bandMemory(
      bytesPerRow: Int
    ) throws(ImageFileError) -> UnsafeMutableRawBufferPointer {
      if let band { return band.bytes }
      let block = try MemoryBlock(
        byteCount: bandHeight * bytesPerRow, isZeroed: true, for: bytes.name)
      band = block
      return block.bytes
    }

    func finish() throws(ImageFileError) {}
  }

  extension ImageFileError {
    /// Whether another part of the file may be read instead, by its name.
    fileprivate var isOfChoice: Bool {
      switch self {
      case .noSuchLayer, .unsupportedStorage: true
      default: false
      }
    }
  }

  extension UnsafeMutablePointer<cexr_reader> {
    fileprivate func failure(in bytes: ByteSource, afterRows rows: Int) -> ImageFileError {
      let message = String(cString: cexr_reader_message(self))
      return CodecFailure(
        damage: "OpenEXR says “\(message)”",
        unsupported: pointee.file.is_unsupported == 1 ? message : nil,
        isEnd: pointee.file.ended == 1, heap: pointee.file.heap
      ).error(in: bytes, afterRows: rows, of: Int(pointee.height))
    }
  }

  extension cexr_reader {
    /// The error where the file has no such part, or the part no such layer; nil for other failures.
    fileprivate func choiceFailure(_ job: DecodingJob) -> ImageFileError? {
      if part_count > 0, part >= part_count {
        return .noSuchPage(file: job.file, job.page ?? 1, ImagePages(.part, count: Int(part_count)))
      }
      guard lacks_picture != 0 else { return nil }
      return .noSuchLayer(
        file: job.file, job.layer, channels: channelNames, parts: partNames)
    }

    /// The names of the part's channels.
    private var channelNames: [String] {
      var reader = self
      return sequence(state: Int32(0)) { index in
        defer { index += 1 }
        return cexr_reader_channel(&reader, index).map { String(cString: $0) }
      }.map(\.self)
    }

    /// The header of the part. `chosen` is the name by which it is read: that of the layer, or of the part.
    fileprivate func info(
      file: String, chosen: String?, _ limits: FileLimits
    ) throws(ImageFileError) -> ImageFileInfo {
      let layer = self.layer.map { String(cString: $0) }
      let colors: Channels = is_gray != 0 ? .gray : .rgb
      let covered: Channels = is_gray != 0 ? .grayAlpha : .rgba
      let names = channelNames
      // The names are listed several times.
      guard names.count <= limits.metadataBytes / (4 * ImageMetadata.bytesPerText) else {
        throw .tooMuchMetadata(file: file, limit: limits.metadataBytes)
      }
      let layers = ChannelLayers(ofChannels: names)
      let axes = layer.flatMap(layers.axes)?.joined(separator: ", ")
      let storage = [
        is_float != 0 ? "floats of 32 bits" : "floats of 16 bits",
        is_chroma != 0 ? "luminance and subsampled chroma" : nil, is_tiled != 0 ? "tiles" : "rows",
        framing.map { "\($0)" }, whiteLuminance.map { "white at \($0) cd/m²" },
        other_channels > 0 ? "\(counted(Int(other_channels), "other channel")) left out" : nil,
        part_count > 1 ? partName.map { "the part “\($0)”" } : nil,
        axes.map { "vectors (\($0))" },
        layer.map { "the \(is_channel != 0 ? "channel" : "layer") “\($0)”" },
      ]
      var (metadata, unread) = (ImageMetadata(), [String]())
      try readAttributes(into: &metadata, &unread, file: file, limits)
      (metadata.framing, metadata.whiteLuminance) = (framing, whiteLuminance)
      let stated = color(file: file, isVector: axes != nil)
      return ImageFileInfo(
        format: .openEXR, storedSize: PixelSize(Int(width), Int(height)),
        channels: has_alpha != 0 ? covered : colors, samples: is_float != 0 ? .float32 : .float16,
        alpha: has_alpha != 0 ? .premultiplied : .straight,
        storage: storage.compactMap(\.self).joined(separator: ", "),
        color: stated.color, metadata: metadata,
        pages: ImagePages(.part, number: Int(part) + 1, count: Int(part_count)), layer: chosen,
        layers: layers.readable, partNames: partNames,
        notes: stated.notes
          + unreadParts(layers.names.filter { $0 != layer }, unread).map { .unread($0) },
        readingBytes: memoryBytes)
    }

    private var partName: String? {
      var reader = self
      return cexr_reader_part_name(&reader).map { String(cString: $0) }
    }

    /// The names of all parts in order; none of a file of one part.
    private var partNames: [String] {
      guard part_count > 1 else { return [] }
      var reader = self
      return (0..<part_count).map { part in
        reader.part = part
        return reader.partName ?? ""
      }
    }

    /// What the part holds besides the picture that is read.
    private func unreadParts(_ layers: [String], _ attributes: [String]) -> [String] {
      var channels: String?
      if other_channels > 0 {
        channels =
          counted(Int(other_channels), "other channel")
          + (layers.isEmpty ? "" : ", with the layers \(listed(layers, most: 12))")
      }
      let named = attributes.isEmpty ? nil : "the attributes \(attributes.joined(separator: ", "))"
      return [channels, named].compactMap(\.self)
    }

    /// The data and display windows; nil for a display window of the data window's size at (0, 0) with square pixels.
    private var framing: ImageMetadata.Framing? {
      let framing = ImageMetadata.Framing(
        dataWindow: Region(x: Int(left), y: Int(top), width: Int(width), height: Int(height)),
        displayWindow: Region(
          x: Int(display.0), y: Int(display.1), width: Int(display.2) - Int(display.0) + 1,
          height: Int(display.3) - Int(display.1) + 1),
        pixelAspectRatio: ImageMetadata.Framing.pixelAspectRatios.contains(Double(pixel_aspect))
          ? shortestDouble(pixel_aspect) : 1)
      return framing == ImageMetadata.Framing(PixelSize(Int(width), Int(height))) ? nil : framing
    }

    private var whiteLuminance: Double? {
      white_luminance > 0 && white_luminance.isFinite ? shortestDouble(white_luminance) : nil
    }

    /// The peak memory of OpenEXRCore in bytes, without the header: the offsets of all chunks, and one chunk packed, in transit and
    /// unpacked, with all of its channels.
    fileprivate var codecBytes: Double {
      let (width, height) = (Double(width), Double(height))
      let columns = is_tiled != 0 ? min(Double(tile_width), width) : width
      let rows = min(Double(band_height), height)
      let chunk = Double(stored_pixel) * columns * rows
      let chunks = (width / max(columns, 1) + 1) * (height / max(rows, 1) + 1)
      return 0x1p17 + Double(table_bytes) + 16 * chunks + 4 * chunk
    }

    /// The peak memory in bytes: that of the codec, the header, zlib's window, the rows of a chunk or of a row of tiles, and those from
    /// which chroma is interpolated.
    private var memoryBytes: Double {
      let pixel = Double(channels) * (is_float != 0 ? 4 : 2)
      let band = pixel * Double(width) * min(Double(band_height), Double(height))
      let rows = is_chroma != 0 ? OpenEXRChroma.memoryBytes(width: Double(width)) : 0
      return 0x1p17 + Double(file.heap.held) + codecBytes + band + rows
    }

    /// The weights of luminance; nil where the file stores none. Throws where its chromaticities state none.
    fileprivate func weights(file: String) throws(ImageFileError) -> LuminanceWeights? {
      guard is_chroma != 0 else { return nil }
      let stated = has_chromaticities != 0 ? statedChromaticities : nil
      if let weights = LuminanceWeights(stated) { return weights }
      throw .unsupportedStorage(
        file: file,
        reason:
          "it stores luminance and chroma, and its chromaticities \(statedChromaticities.map(shortestDouble)) "
          + "give no weights of luminance; correct them, or save it with channels R, G and B first")
    }
  }
#endif
