#if HEIF
  import ImageBuffer
  import ImageFiles
  import _TestSupport

  /// An HEIF file, box by box, of pictures that are coded or made of others.
  struct TestHEIF {
    struct Item {
      var type: String
      var size: PixelSize
      var data: [UInt8] = []
      /// Properties beside the size.
      var properties: [[UInt8]] = []
      /// The pictures that it is made of, by number from 1.
      var parts: [Int] = []
      /// The picture that it adds something to: alpha, unless said otherwise.
      var auxiliaryOf: Int?
      var auxiliaryType = "urn:mpeg:hevc:2015:auxid:1"
      /// How metadata is compressed.
      var encoding = ""
      /// The content type of metadata, and the number of the picture that it describes.
      var contentType = "application/rdf+xml"
      var describes: Int?
      /// How often its place in the file is repeated.
      var extentCount = 1
    }

    /// The primary picture is the first.
    var items: [Item]
    /// The items, by number from 1, of which each box `ipma` states the properties; nil for one box of all.
    var propertyBoxes: [[Int]]?
    /// Item locations without extents, of items that do not exist, before those of the items.
    var emptyLocationCount = 0
    /// Empty properties after those of the items.
    var emptyPropertyCount = 0
    /// Items that do not exist, which a box `ipma` of their own states no properties of.
    var otherPropertyItemCount = 0
    /// Boxes beside those of the items.
    var others: [UInt8] = []

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
      value.bytes(count, isBigEndian: true)
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      number(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// A coded picture with its decoder's configuration, from a file that the package writes.
    static func coded(_ bitmap: Bitmap<UInt8>, as format: ImageFileFormat) throws -> Item {
      var options = WritingOptions()
      options.isLossless = true
      let bytes = try ImageFile.encode(.uint8(bitmap), as: format, options: options)
      func content(_ type: String) -> [UInt8]? {
        guard let start = bytes.firstRange(of: Array(type.utf8))?.upperBound else { return nil }
        let length = bytes[start - 8..<start - 4].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[start..<start - 8 + length])
      }
      let isHEVC = format == .heif
      let name = isHEVC ? "hvcC" : "av1C"
      return Item(
        type: isHEVC ? "hvc1" : "av01", size: bitmap.size, data: content("mdat") ?? [],
        properties: [box(name, content(name) ?? []), box("colr", content("colr") ?? [])])
    }

    var bytes: [UInt8] {
      let start = Self.box("ftyp", Array("mif1".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
      // The places of the data follow from the length of the boxes, which does not depend on them.
      let length = start.count + meta(dataStart: 0).count + 8
      return start + meta(dataStart: length) + Self.box("mdat", items.flatMap(\.data))
    }

    private func meta(dataStart: Int) -> [UInt8] {
      let number = Self.number
      var (names, references, boxes): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
      var links: [[UInt8]] = []
      var (place, count) = (dataStart, 0)
      var locations: [UInt8] = []
      for index in 0..<emptyLocationCount { locations += number(20_000 + index, 2) + [0, 0, 0, 0] }
      for (index, item) in items.enumerated() {
        let id = number(index + 1, 2)
        let texts = item.type == "mime" ? Array("\(item.contentType)\0\(item.encoding)\0".utf8) : []
        names += Self.box(
          "infe", [2, 0, 0, 0] + id + [0, 0] + Array(item.type.utf8) + [0] + texts)
        locations += id + [0, 0] + number(item.extentCount, 2)
        for _ in 0..<item.extentCount { locations += number(place, 4) + number(item.data.count, 4) }
        place += item.data.count
        if !item.parts.isEmpty {
          references += Self.box(
            "dimg", id + number(item.parts.count, 2) + item.parts.flatMap { number($0, 2) })
        }
        if let picture = item.describes {
          references += Self.box("cdsc", id + [0, 1] + number(picture, 2))
        }
        // Metadata has no size.
        let ispe = Self.box(
          "ispe", [0, 0, 0, 0] + number(item.size.width, 4) + number(item.size.height, 4))
        var properties = item.type == "mime" ? [] : [ispe]
        if let main = item.auxiliaryOf {
          references += Self.box("auxl", id + [0, 1] + number(main, 2))
          properties.append(
            Self.box("auxC", [0, 0, 0, 0] + Array(item.auxiliaryType.utf8) + [0]))
        }
        properties += item.properties
        boxes += properties.joined()
        links.append(
          id + [UInt8(properties.count)] + properties.indices.map { UInt8(count + $0 + 1) })
        count += properties.count
      }
      let properties = Self.box("ipco", boxes + emptyProperties) + otherPropertyItems
      return Self.box(
        "meta",
        [0, 0, 0, 0]
          + Self.box(
            "hdlr",
            [UInt8](repeating: 0, count: 8) + Array("pict".utf8)
              + [UInt8](repeating: 0, count: 13))
          + Self.box("pitm", [0, 0, 0, 0, 0, 1])
          + Self.box("iinf", [0, 0, 0, 0] + number(items.count, 2) + names)
          + Self.box(
            "iloc",
            [0, 0, 0, 0, 0x44, 0] + number(emptyLocationCount + items.count, 2) + locations)
          + (references.isEmpty ? [] : Self.box("iref", [0, 0, 0, 0] + references))
          + Self.box(
            "iprp",
            properties
              + (propertyBoxes ?? [Array(1...items.count)]).flatMap { items in
                Self.box(
                  "ipma",
                  [0, 0, 0, 0] + number(items.count, 4) + items.flatMap { links[$0 - 1] })
              })
          + others)
    }

    private var emptyProperties: [UInt8] {
      Array([[UInt8]](repeating: Self.box("free", []), count: emptyPropertyCount).joined())
    }

    private var otherPropertyItems: [UInt8] {
      guard otherPropertyItemCount > 0 else { return [] }
      var items: [UInt8] = []
      for index in 0..<otherPropertyItemCount { items += Self.number(20_000 + index, 2) + [0] }
      return Self.box("ipma", [0, 0, 0, 0] + Self.number(otherPropertyItemCount, 4) + items)
    }

    /// The bytes of an item that lays parts out in rows and columns.
    static func grid(rows: Int, columns: Int, _ size: PixelSize) -> [UInt8] {
      [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + number(size.width, 2) + number(size.height, 2)
    }
  }
#endif
