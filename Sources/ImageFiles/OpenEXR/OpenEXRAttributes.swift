#if OpenEXR
  internal import COpenEXR

  // Attributes of the header: texts are metadata, and the others are named as not read.

  /// Those that describe the pixels, and are read, or have no meaning for a picture of one part.
  private let describing: Set = [
    "channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
    "screenWindowCenter", "screenWindowWidth", "tiles", "chromaticities", "whiteLuminance", "name",
    "type", "version", "chunkCount", "maxSamplesPerPixel", "view", "multiView",
  ]

  /// The attribute of a comment (OpenEXR, “Standard attributes”).
  private let comments = "comments"

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
    /// The texts as attributes: each name once, and none that means something else. Zero characters, which OpenEXRCore would end at, are
    /// spaces.
    var openEXRTexts: [(name: String, text: String)] {
      var taken = describing
      // The number of the last attribute of a name: those before it are taken.
      var numbers: [String: Int] = [:]
      func plain(_ text: String) -> String { text.replacing("\0", with: " ") }
      return text.map { entry in
        let name = entry.keyword == Self.commentKeyword ? comments : plain(entry.keyword)
        var (unique, number) = (name, numbers[name] ?? 1)
        while !taken.insert(unique).inserted {
          number += 1
          unique = "\(name) \(number)"
        }
        numbers[name] = number
        return (unique, plain(entry.value))
      }
    }
  }
#endif
