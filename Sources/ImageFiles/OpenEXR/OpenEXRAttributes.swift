#if COLORLOOM_OPENEXR
  internal import COpenEXR

  // Attributes of the header: texts are metadata, and the others are named as not read.

  /// Those that describe the pixels, and are read, or have no meaning for the picture of one part.
  private let describing: Set = [
    "channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
    "screenWindowCenter", "screenWindowWidth", "tiles", "chromaticities", "whiteLuminance", "name",
    "type", "version", "chunkCount", "maxSamplesPerPixel", "view", "multiView",
    ImageMetadata.interopKeyword,
  ]

  /// The attribute of a comment (OpenEXR, “Standard attributes”).
  private let comments = "comments"

  extension ByteSource {
    /// Refuses a compression that OpenEXRCore does not unpack. The library itself calls numbers that it does not know damage, or takes
    /// them for others.
    func checkOpenEXRCompression(ofPart part: Int) throws(ImageFileError) {
      guard let number = try openEXRCompression(ofPart: part),
        number > EXR_COMPRESSION_B44A.rawValue
      else { return }
      let names: [UInt8: String] = [8: "DWAA", 9: "DWAB", 10: "HTJ2K256", 11: "HTJ2K32"]
      throw .unsupportedStorage(
        file: name,
        reason:
          "its compression is \(names[number] ?? "of the unknown number \(number)"), which OpenEXRCore "
          + "does not unpack; save it as ZIP or PIZ first")
    }

    /// The number in the attribute “compression” of a part's header; nil where there is none.
    private func openEXRCompression(ofPart part: Int) throws(ImageFileError) -> UInt8? {
      var headers = OpenEXRHeaders(self)
      while let attribute = try headers.next(), attribute.part <= part {
        if attribute.part == part, attribute.name == Array("compression".utf8) {
          return try headers.window[attribute.value.lowerBound]
        }
      }
      return nil
    }

    /// The index of the part with a name; nil where no part has it, and in files of one part, whose header is the only one.
    func openEXRPart(named name: String) throws(ImageFileError) -> Int? {
      let wanted = Array(name.utf8)
      var headers = OpenEXRHeaders(self)
      guard count > 8, try headers.window[5] & 0x10 != 0 else { return nil }
      while let attribute = try headers.next() {
        guard attribute.name == Array("name".utf8), attribute.value.count == wanted.count,
          attribute.value.upperBound <= count
        else { continue }
        if try array(attribute.value) == wanted { return attribute.part }
      }
      return nil
    }
  }

  /// The attributes of all headers of a file: each a name, a type, a size and a value. They follow the magic number and the version.
  private struct OpenEXRHeaders {
    let window: ByteWindow
    private var position = 8
    private var part = 0
    private var isEmpty = true

    init(_ bytes: ByteSource) { window = ByteWindow(bytes) }

    /// Returns the next attribute, where its value begins in the file; nil behind the last one.
    mutating func next() throws(ImageFileError) -> (
      part: Int, name: [UInt8], value: Range<Int>
    )? {
      while let name = try text() {
        guard name.isEmpty else {
          guard try text() != nil, position + 4 < window.source.count else { return nil }
          var size = 0
          for index in 0..<4 { size |= Int(try window[position + index]) << (8 * index) }
          let start = position + 4
          (position, isEmpty) = (start + size, false)
          return (part, name, start..<position)
        }
        // An empty name ends a header, and an empty header ends the list of parts.
        if isEmpty { return nil }
        (part, isEmpty) = (part + 1, true)
      }
      return nil
    }

    private mutating func text() throws(ImageFileError) -> [UInt8]? {
      var text: [UInt8] = []
      while position < window.source.count, text.count < 256 {
        let byte = try window[position]
        position += 1
        if byte == 0 { return text }
        text.append(byte)
      }
      return nil
    }
  }

  extension cexr_reader {
    /// Adds texts to metadata, and the names of other attributes to those that are not read.
    func readAttributes(
      into metadata: inout ImageMetadata, _ unread: inout [String], file: String,
      _ limits: FileLimits
    ) throws(ImageFileError) {
      var reader = self
      var (index, attribute) = (Int32(0), cexr_attribute())
      var count = 0
      while cexr_reader_attribute(&reader, index, &attribute) == 1 {
        index += 1
        let name = String(cString: attribute.name)
        if describing.contains(name) { continue }
        guard let text = attribute.text else {
          unread.append(name)
          continue
        }
        count += attribute.text_count + name.utf8.count + ImageMetadata.bytesPerText
        guard count <= limits.metadataBytes else {
          throw .tooMuchMetadata(file: file, limit: limits.metadataBytes)
        }
        let value = String(
          decoding: UnsafeRawBufferPointer(start: text, count: attribute.text_count), as: UTF8.self)
        metadata.text.append(
          .init(keyword: name == comments ? ImageMetadata.commentKeyword : name, value: value))
      }
    }
  }

  extension ImageMetadata {
    /// The texts as attributes: each name once, and none that means something else. The encoder states the color space.
    var openEXRTexts: [(name: String, text: String)] {
      var taken = describing
      // The number of the last attribute of a name: those before it are taken.
      var numbers: [String: Int] = [:]
      return text.filter { $0.keyword != Self.interopKeyword }.map { entry in
        let name = entry.keyword == Self.commentKeyword ? comments : entry.keyword
        var (unique, number) = (name, numbers[name] ?? 1)
        while !taken.insert(unique).inserted {
          number += 1
          unique = "\(name) \(number)"
        }
        numbers[name] = number
        return (unique, entry.value)
      }
    }
  }
#endif
