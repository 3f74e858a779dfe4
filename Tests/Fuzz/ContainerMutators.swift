import _TestSupport

// Mutations of file structure: chunks, segments, directories. They get past the checks of lengths and checksums, which
// stop mutations of single bytes.

extension ByteMutator {
  /// Mutates a list of parts: removes, repeats, swaps, copies or damages one.
  private mutating func rearrange<Part>(
    _ parts: inout [Part], others: [Part], damage: (inout ByteMutator, inout Part) -> Void
  ) {
    for _ in 0..<1 + index(below: 3) where !parts.isEmpty {
      let place = index(below: parts.count)
      switch index(below: 10) {
      case 0: parts.remove(at: place)
      case 1: parts.insert(parts[place], at: index(below: parts.count + 1))
      case 2: parts.swapAt(place, index(below: parts.count))
      case 3 where !others.isEmpty:
        parts.insert(others[index(below: others.count)], at: index(below: parts.count + 1))
      case 4 where isOne(in: 8):
        let copies = [Part](repeating: parts[place], count: 1 << index(below: 12))
        parts.insert(contentsOf: copies, at: place)
      default: damage(&self, &parts[place])
      }
    }
  }

  // PNG

  private typealias Chunk = (name: [UInt8], body: [UInt8])

  /// Mutates the chunks of a PNG; their checksums are usually recomputed.
  mutating func mutatePNG(_ bytes: inout [UInt8], profiles: [[UInt8]]) {
    var chunks = Self.chunks(bytes)
    let others = Self.chunks(corpus[index(below: corpus.count)])
    if isOne(in: 6), let profile = profiles.first {
      var damaged = isOne(in: 2) ? profile : profiles[index(below: profiles.count)]
      mutateProfile(&damaged)
      let body = Array("damaged".utf8) + [0, 0] + Zlib.stored(damaged)
      chunks.removeAll { $0.name == Array("iCCP".utf8) }
      chunks.insert((Array("iCCP".utf8), body), at: min(1, chunks.count))
    } else {
      rearrange(&chunks, others: others) { mutator, chunk in
        if mutator.isOne(in: 10) { chunk.name = others.last?.name ?? chunk.name }
        if chunk.body.count >= 4, mutator.isOne(in: 3) {
          mutator.setWord(
            &chunk.body, at: 4 * mutator.index(below: min(chunk.body.count / 4, 3)), count: 4,
            isBigEndian: true, to: mutator.landmark())
        } else {
          mutator.mutate(&chunk.body)
        }
      }
    }
    bytes = Array(bytes.prefix(8))
    for chunk in chunks where bytes.count < Self.byteLimit {
      let content = chunk.name + chunk.body
      var length = UInt64(chunk.body.count)
      if isOne(in: 60) { length = landmark() }
      bytes += [0, 0, 0, 0] + content + [0, 0, 0, 0]
      let start = bytes.count - content.count - 8
      setWord(&bytes, at: start, count: 4, isBigEndian: true, to: length)
      let checksum = isOne(in: 60) ? landmark() : UInt64(Checksum.crc32(content))
      setWord(&bytes, at: bytes.count - 4, count: 4, isBigEndian: true, to: checksum)
    }
  }

  private static func chunks(_ bytes: [UInt8]) -> [Chunk] {
    var chunks: [Chunk] = []
    var place = 8
    while place + 12 <= bytes.count {
      let length = Int(word(bytes, at: place, count: 4, isBigEndian: true))
      guard length <= bytes.count - place - 12 else { break }
      let body = place + 8
      chunks.append((Array(bytes[place + 4..<body]), Array(bytes[body..<body + length])))
      place = body + length + 4
    }
    return chunks
  }

  // JPEG

  /// Mutates the segments of a JPEG before its first scan, and the bytes of the scan.
  mutating func mutateJPEG(_ bytes: inout [UInt8], profiles: [[UInt8]]) {
    var (segments, rest) = Self.segments(bytes)
    let others = Self.segments(corpus[index(below: corpus.count)]).segments
    if isOne(in: 8), !profiles.isEmpty {
      var profile = profiles[index(below: profiles.count)]
      mutateProfile(&profile)
      let (part, count) = (UInt8(index(below: 3)), UInt8(index(below: 3)))
      segments.insert(
        [0xFF, 0xE2, 0, 0] + Array("ICC_PROFILE\0".utf8) + [part, count] + profile.prefix(65_000),
        at: 0)
    } else {
      rearrange(&segments, others: others) { mutator, segment in
        var body = Array(segment.dropFirst(4))
        mutator.mutate(&body)
        segment = Array(segment.prefix(4) + body.prefix(65_533))
      }
    }
    bytes = Array(bytes.prefix(2))
    for var segment in segments where bytes.count < Self.byteLimit {
      let length = isOne(in: 60) ? landmark() : UInt64(segment.count - 2)
      setWord(&segment, at: 2, count: 2, isBigEndian: true, to: length)
      bytes += segment
    }
    if isOne(in: 3) { mutate(&rest) }
    bytes += rest
  }

  private static func segments(_ bytes: [UInt8]) -> (segments: [[UInt8]], rest: [UInt8]) {
    var segments: [[UInt8]] = []
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
      let length = Int(word(bytes, at: place + 2, count: 2, isBigEndian: true))
      guard length >= 2, place + 2 + length <= bytes.count else { break }
      segments.append(Array(bytes[place..<place + 2 + length]))
      place += 2 + length
    }
    return (segments, Array(bytes[min(place, bytes.count)...]))
  }

  // TIFF

  /// Mutates directory entries of a TIFF in place: tag, type, count or value.
  mutating func mutateTIFF(_ bytes: inout [UInt8]) {
    let isBigEndian = bytes.first == UInt8(ascii: "M")
    let isBig = Self.word(bytes, at: 2, count: 2, isBigEndian: isBigEndian) == 43
    let (offsetBytes, entryBytes, countBytes) = isBig ? (8, 20, 8) : (4, 12, 2)
    let headerPlace = isBig ? 8 : 4
    let directory = Int(
      truncatingIfNeeded: Self.word(
        bytes, at: headerPlace, count: offsetBytes, isBigEndian: isBigEndian))
    let count = Int(
      truncatingIfNeeded: Self.word(
        bytes, at: directory, count: countBytes, isBigEndian: isBigEndian))
    guard (1...1000).contains(count), directory >= 0, directory < bytes.count else {
      return mutate(&bytes)
    }
    func place(_ entry: Int) -> Int { directory + countBytes + entryBytes * entry }
    for _ in 0..<1 + index(below: 3) {
      let entry = place(index(below: count))
      switch index(below: 9) {
      case 0:
        // One entry overwrites another.
        let other = place(index(below: count))
        guard max(entry, other) + entryBytes <= bytes.count else { continue }
        bytes.replaceSubrange(entry..<entry + entryBytes, with: bytes[other..<other + entryBytes])
      case 1:
        setWord(
          &bytes, at: entry, count: 2, isBigEndian: isBigEndian,
          to: isOne(in: 2) ? UInt64(254 + index(below: 90)) : landmark())
      case 2:
        setWord(
          &bytes, at: entry + 2, count: 2, isBigEndian: isBigEndian, to: UInt64(index(below: 20)))
      case 3:
        setWord(
          &bytes, at: entry + 4, count: offsetBytes, isBigEndian: isBigEndian, to: landmark())
      case 4, 5, 6:
        let value = isOne(in: 2) ? landmark() : UInt64(index(below: 40))
        let byteCount = isOne(in: 2) ? 2 : offsetBytes
        setWord(
          &bytes, at: entry + 4 + offsetBytes, count: byteCount, isBigEndian: isBigEndian, to: value
        )
      case 7:
        // The next directory: this one again, or any offset.
        let next = isOne(in: 2) ? UInt64(directory) : UInt64(index(below: bytes.count))
        setWord(&bytes, at: place(count), count: offsetBytes, isBigEndian: isBigEndian, to: next)
      default: mutate(&bytes)
      }
    }
  }

  // GIF

  /// Mutates the blocks of a GIF behind its header.
  mutating func mutateGIF(_ bytes: inout [UInt8]) {
    var (header, blocks) = Self.blocks(bytes)
    let others = Self.blocks(corpus[index(below: corpus.count)]).blocks
    if isOne(in: 5) {
      setWord(
        &header, at: 6 + index(below: 7), count: 1 + index(below: 2), isBigEndian: false,
        to: landmark())
    }
    rearrange(&blocks, others: others) { mutator, block in
      // Places, sizes and flags of frames, and what graphic control extensions state.
      if mutator.isOne(in: 2) {
        mutator.setWord(
          &block, at: 1 + mutator.index(below: 10), count: 1 + mutator.index(below: 2),
          isBigEndian: false, to: mutator.landmark())
      } else {
        mutator.mutate(&block)
      }
    }
    bytes = Array((header + blocks.joined()).prefix(Self.byteLimit))
  }

  private static func blocks(_ bytes: [UInt8]) -> (header: [UInt8], blocks: [[UInt8]]) {
    func paletteBytes(_ place: Int) -> Int {
      guard bytes.indices.contains(place), bytes[place] & 0x80 != 0 else { return 0 }
      return 3 << (Int(bytes[place] & 7) + 1)
    }
    let start = min(13 + paletteBytes(10), bytes.count)
    var (place, blocks): (Int, [[UInt8]]) = (start, [])
    while place < bytes.count {
      var end = place + (bytes[place] == 0x2C ? 11 + paletteBytes(place + 9) : 2)
      while end < bytes.count, bytes[end] > 0 { end += Int(bytes[end]) + 1 }
      end = min(end + 1, bytes.count)
      blocks.append(Array(bytes[place..<end]))
      place = end
    }
    return (Array(bytes[..<start]), blocks)
  }

  // WebP

  /// Mutates the chunks of a WebP; their lengths are usually right.
  mutating func mutateWebP(_ bytes: inout [UInt8]) {
    var chunks = Self.riffChunks(bytes)
    let others = Self.riffChunks(corpus[index(below: corpus.count)])
    rearrange(&chunks, others: others) { mutator, chunk in
      if mutator.isOne(in: 10) { chunk.name = others.last?.name ?? chunk.name }
      // The sizes of the screen; places, sizes and flags of frames.
      if chunk.body.count >= 10, mutator.isOne(in: 2) {
        mutator.setWord(
          &chunk.body, at: mutator.index(below: min(chunk.body.count - 3, 16)),
          count: 1 + mutator.index(below: 3), isBigEndian: false,
          to: mutator.isOne(in: 2) ? mutator.landmark() : UInt64(mutator.index(below: 40)))
      } else {
        mutator.mutate(&chunk.body)
      }
    }
    bytes = Array(bytes.prefix(12))
    for chunk in chunks where bytes.count < Self.byteLimit {
      let length = isOne(in: 60) ? landmark() : UInt64(chunk.body.count)
      let start = bytes.count
      bytes += chunk.name + [0, 0, 0, 0] + chunk.body
      if chunk.body.count % 2 == 1 { bytes.append(0) }
      setWord(&bytes, at: start + 4, count: 4, isBigEndian: false, to: length)
    }
    let length = isOne(in: 20) ? landmark() : UInt64(max(bytes.count - 8, 0))
    setWord(&bytes, at: 4, count: 4, isBigEndian: false, to: length)
  }

  private static func riffChunks(_ bytes: [UInt8]) -> [Chunk] {
    var (chunks, place): ([Chunk], Int) = ([], 12)
    while place + 8 <= bytes.count {
      let body = place + 8
      let length = Int(word(bytes, at: place + 4, count: 4, isBigEndian: false))
      let end = min(body + length, bytes.count)
      chunks.append((Array(bytes[place..<place + 4]), Array(bytes[body..<end])))
      place = end + length % 2
    }
    return chunks
  }

  // BMP

  /// Mutates fields of a BMP's header and its masks, or the bytes behind it, such as codes of run lengths.
  mutating func mutateBMP(_ bytes: inout [UInt8]) {
    for _ in 0..<1 + index(below: 3) {
      if isOne(in: 3) {
        let place = min(54, bytes.count) + index(below: max(bytes.count - 54, 1))
        // Small codes end rows and pictures, or leave pixels out.
        let limit = isOne(in: 2) ? 4 : 256
        if place < bytes.count { bytes[place] = UInt8(index(below: limit)) }
        continue
      }
      let value = isOne(in: 2) ? landmark() : UInt64(index(below: 130))
      setWord(
        &bytes, at: 10 + 4 * index(below: 32), count: isOne(in: 3) ? 2 : 4, isBigEndian: false,
        to: value)
    }
  }

  // ICC

  /// Mutates the tags of a profile; its length is usually updated.
  mutating func mutateProfile(_ bytes: inout [UInt8]) {
    let count = Int(Self.word(bytes, at: 128, count: 4, isBigEndian: true))
    for _ in 0..<1 + index(below: 3) {
      let entry = 132 + 12 * index(below: min(count, 100))
      let (offset, size) = (
        Int(Self.word(bytes, at: entry + 4, count: 4, isBigEndian: true)),
        Int(Self.word(bytes, at: entry + 8, count: 4, isBigEndian: true))
      )
      switch index(below: 8) {
      case 0:
        setWord(
          &bytes, at: entry + 4 + 4 * index(below: 2), count: 4, isBigEndian: true, to: landmark())
      case 1:
        // A tag takes the content of another one.
        let other = 132 + 12 * index(below: min(count, 100))
        guard max(entry, other) + 12 <= bytes.count else { continue }
        bytes.replaceSubrange(entry + 4..<entry + 12, with: bytes[other + 4..<other + 12])
      case 2, 3, 4, 5:
        // Within the tag, usually at its counts.
        guard offset < bytes.count, size > 8 else { continue }
        let place = offset + 8 + index(below: isOne(in: 3) ? size - 8 : min(size - 8, 32))
        if isOne(in: 2) {
          setWord(&bytes, at: place & ~3, count: 4, isBigEndian: true, to: landmark())
        } else {
          setWord(&bytes, at: place, count: 1 + index(below: 2), isBigEndian: true, to: landmark())
        }
      case 6:
        setWord(&bytes, at: 4 * index(below: 32), count: 4, isBigEndian: true, to: landmark())
      default: mutate(&bytes)
      }
    }
    if !isOne(in: 8) {
      setWord(&bytes, at: 0, count: 4, isBigEndian: true, to: UInt64(bytes.count))
    }
  }

  // OpenEXR

  /// Mutates the attributes in an OpenEXR header.
  mutating func mutateOpenEXR(_ bytes: inout [UInt8]) {
    let attributes = Self.attributes(bytes)
    guard let end = attributes.last?.body.upperBound, !isOne(in: 4) else { return mutate(&bytes) }
    let rest = Array(bytes[end...])
    var parts = attributes.map { Array(bytes[$0.start..<$0.body.upperBound]) }
    let others = parts
    rearrange(&parts, others: others) { mutator, part in
      // The words at the end of an attribute are its value: windows, tile sizes, channels.
      let words = max(min(part.count / 4, 5), 1)
      let place = part.count - 4 * (1 + mutator.index(below: words))
      if mutator.isOne(in: 3) {
        let tail = mutator.index(below: min(part.count, 40))
        part[part.count - 1 - tail] = .random(in: 0...255, using: &mutator.random)
      } else {
        mutator.setWord(
          &part, at: place, count: 4, isBigEndian: false, to: mutator.landmark())
      }
    }
    bytes = Array(bytes.prefix(8)) + parts.prefix(5000).joined() + rest
    if isOne(in: 10) { mutate(&bytes) }
  }

  private static func attributes(_ bytes: [UInt8]) -> [(start: Int, body: Range<Int>)] {
    var attributes: [(start: Int, body: Range<Int>)] = []
    var place = 8
    while place < bytes.count, bytes[place] != 0 {
      let start = place
      for _ in 0..<2 {
        guard let end = bytes[place...].firstIndex(of: 0) else { return attributes }
        place = end + 1
      }
      let size = Int(word(bytes, at: place, count: 4, isBigEndian: false))
      guard size <= bytes.count - place - 4 else { return attributes }
      attributes.append((start, place + 4..<place + 4 + size))
      place += 4 + size
    }
    return attributes
  }
}
