#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ImageBuffer

  /// The dictionaries of strips and tiles that are packed by LZMA or Zstandard. Their headers state the size, which the decoders allocate
  /// without a limit that libtiff could set; so the size is read first, and the first strip's is part of the memory that the file takes.
  struct TIFFDictionary {
    private let window: ByteWindow
    /// The position of the packed bytes that is read next, and their end.
    private var position = 0, end = 0
    /// The largest dictionary of the headers that were read.
    private var byteCount = 0

    /// The peak memory of unpacking a strip or tile, with the decoder's state; 0 for other compressions, which have no dictionary.
    static func memoryBytes(
      _ cell: Int, of reader: ctiff_reader, in source: ByteSource
    ) throws(ImageFileError) -> Int {
      let compression = Int32(reader.compression)
      guard [COMPRESSION_LZMA, COMPRESSION_ZSTD].contains(compression) else { return 0 }
      let start = TIFFGetStrileOffset(reader.tiff, UInt32(cell))
      let count = TIFFGetStrileByteCount(reader.tiff, UInt32(cell))
      var dictionary = TIFFDictionary(window: ByteWindow(source, length: 64))
      dictionary.position = Int(min(start, UInt64(source.count)))
      dictionary.end =
        dictionary.position + Int(min(count, UInt64(source.count - dictionary.position)))
      let isKnown =
        try compression == COMPRESSION_LZMA ? dictionary.readXZ() : dictionary.readZstandard()
      guard isKnown else {
        throw .damaged(
          file: source.name, reason: "strip or tile \(cell) does not begin as its compression does")
      }
      return 0x90000 + dictionary.byteCount
    }

    private init(window: ByteWindow) { self.window = window }

    /// Reads the headers of a stream of blocks (The .xz file format 1.1.0), and those of chunks, by which a block ends.
    private mutating func readXZ() throws(ImageFileError) -> Bool {
      guard try next(6) == 0xFD37_7A58_5A00, let flags = try next(2), try next(4) != nil else {
        return false
      }
      let checkSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]
      // A header's size of 0 begins the index, behind the last block.
      while let size = try next(1), size > 0 {
        let start = position - 1
        try readBlockHeader()
        position = start + 4 * (size + 1)
        try skipLZMA2()
        position += (start - position) & 3
        position += checkSizes[flags & 15]
      }
      return true
    }

    private mutating func readBlockHeader() throws(ImageFileError) {
      let flags = try next(1) ?? 0
      for bit in [0x40, 0x80] where flags & bit != 0 { _ = try variable() }
      for _ in 0...flags & 3 {
        guard let filter = try variable(), let count = try variable(), count < 64 else { return }
        let first = position
        if filter == 0x21, count > 0, let code = try next(1), code <= 40 {
          byteCount = max(byteCount, code == 40 ? 0xFFFF_FFFF : (2 | code & 1) << (code / 2 + 11))
        }
        position = first + count
      }
    }

    private mutating func skipLZMA2() throws(ImageFileError) {
      while let control = try next(1), control > 0 {
        if control < 3 {
          position += 1 + (try next(2) ?? 0)
        } else if control >= 0x80, try next(2) != nil, let count = try next(2) {
          position += count + (control >= 0xC0 ? 2 : 1)
        } else {
          // The decoder ends here, too.
          position = end
        }
      }
    }

    /// Reads the headers of frames (RFC 8878, 3.1.1), and those of blocks, by which a frame ends.
    private mutating func readZstandard() throws(ImageFileError) -> Bool {
      guard position < end else { return false }
      while position < end {
        guard try next(4) == 0x28B5_2FFD, let flags = try next(1) else { return false }
        let isSingle = flags & 0x20 != 0
        if !isSingle, let code = try next(1) {
          let base = 1 << (10 + code >> 3)
          byteCount = max(byteCount, base + base / 8 * (code & 7))
        }
        position += [0, 1, 2, 4][flags & 3]
        let sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6]
        let size = try next(sizeBytes, isBigEndian: false) ?? 0
        if isSingle { byteCount = max(byteCount, min(size + (sizeBytes == 2 ? 256 : 0), 1 << 40)) }
        var isLast = false
        while !isLast, let block = try next(3, isBigEndian: false) {
          isLast = block & 1 != 0
          // One byte, repeated; or packed or plain bytes.
          position += block >> 1 & 3 == 1 ? 1 : block >> 3
        }
        position += flags & 4
      }
      return true
    }

    /// A number of 7 bits in each byte, the lowest ones first.
    private mutating func variable() throws(ImageFileError) -> Int? {
      var (number, shift) = (0, 0)
      while let byte = try next(1), shift < 63 {
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { return number }
      }
      return nil
    }

    /// The next bytes as a number; nil at the end.
    private mutating func next(
      _ count: Int, isBigEndian: Bool = true
    ) throws(ImageFileError) -> Int? {
      guard position <= end - count else {
        position = end
        return nil
      }
      var bytes: [UInt8] = []
      for place in position..<position + count { bytes.append(try window[place]) }
      position += count
      return bytes.number(isBigEndian: isBigEndian)
    }
  }
#endif
