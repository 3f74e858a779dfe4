#if OpenEXR
  internal import COpenEXR

  // Attributes of the header: texts are metadata, and the others are named as not read.

  /// Those that describe the pixels, and are read, or have no meaning for the picture of one part.
  private let describing: Set = [
    "channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
    "screenWindowCenter", "screenWindowWidth", "tiles", "chromaticities", "whiteLuminance", "name",
    "type", "version", "chunkCount", "maxSamplesPerPixel", "view", "multiView",
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
      let window = ByteWindow(self)
      // Attributes follow the magic number and the version: each a name, a type, a size and a value.
      var position = 8
      func text() throws(ImageFileError) -> [UInt8]? {
        var text: [UInt8] = []
        while position < count, text.count < 256 {
          let byte = try window[position]
          position += 1
          if byte == 0 { return text }
          text.append(byte)
        }
        return nil
      }
      // An empty name ends a header, and an empty header ends the list of parts.
      var (header, isEmpty) = (0, true)
      while header <= part, let name = try text() {
        if name.isEmpty {
          if isEmpty { return nil }
          (header, isEmpty) = (header + 1, true)
          continue
        }
        guard try text() != nil, position + 4 < count else { return nil }
        var size = 0
        for index in 0..<4 { size |= Int(try window[position + index]) << (8 * index) }
        position += 4
        if header == part, name == Array("compression".utf8) { return try window[position] }
        position += size
        isEmpty = false
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
    /// The texts as attributes: each name once, and none that means something else.
    var openEXRTexts: [(name: String, text: String)] {
      var taken = describing
      // The number of the last attribute of a name: those before it are taken.
      var numbers: [String: Int] = [:]
      return text.map { entry in
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
