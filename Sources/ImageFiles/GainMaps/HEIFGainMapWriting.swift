#if HEIF
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension EncodingJob {
    /// Adds the encoded gain map to a file of the base picture, both as libheif writes them; returns the file where there is no map.
    func withGainMap(_ base: [UInt8]) throws(ImageFileError) -> [UInt8] {
      guard let map = options.gainMap, let mapFile = gainMapFile else { return base }
      let color = try color(ofPictureBy: map)
      let result = base.withUnsafeBytes { base in
        mapFile.withUnsafeBytes { mapFile in
          Result { () throws(ImageFileError) in
            try HEIFItems(base, name: file)
              .adding(
                HEIFItems(mapFile, name: file), map.description, color,
                size: options.orientation.uprightSize(of: size), to: file)
          }
        }
      }
      return try result.get()
    }

    /// The color of the picture that a gain map makes: the primaries in which the gain is applied, with PQ, or else the profile of their
    /// space.
    private func color(ofPictureBy map: PictureGainMap) throws(ImageFileError) -> [UInt8] {
      let space = map.space ?? space
      let points = space?.cicpForFiles
      if let space, points == nil {
        do throws(ICCProfileError) {
          let profile = try ICCProfile(describing: space.withColors)
          return HEIFBox.box("colr", Array("prof".utf8) + profile.bytes)
        } catch { throw .profile(file: file, error) }
      }
      let codes = [points?.primaries ?? .unspecified, .pq, .jpegMatrix]
      return HEIFBox.box(
        "colr",
        Array("nclx".utf8) + codes.flatMap { HEIFBox.bytes(Int($0), 2) } + [.fullRange])
    }
  }

  extension UInt8 {
    /// Codes of primaries, of a transfer function and of a matrix (Rec. ITU-T H.273, tables 2 to 4). The matrix is that of JPEG files.
    fileprivate static let unspecified: UInt8 = 2, pq: UInt8 = 16, jpegMatrix: UInt8 = 6
    /// The bit of `nclx` that says that codes take the full range (ISO/IEC 14496-12, 12.1.5).
    fileprivate static let fullRange: UInt8 = 0x80
  }

  /// A box of an HEIF file that is written (ISO/IEC 14496-12, 4.2).
  private enum HEIFBox {
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      bytes(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// A box that begins with a version and flags.
    static func full(_ type: String, _ content: [UInt8]) -> [UInt8] {
      box(type, [0, 0, 0, 0] + content)
    }

    /// The lowest bytes of a number, the most significant one first.
    static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      value.bytes(count, isBigEndian: true)
    }
  }

  extension HEIFItems {
    /// An item that is written: its entry in the list of items, which begins with a version, flags and its number; its properties and bytes.
    private struct Written {
      var entry: [UInt8]
      var properties: [Association]
      var bytes: [UInt8]
    }

    private func items() -> [UInt32: Written] {
      var written: [UInt32: Written] = [:]
      for (item, entry) in entries {
        written[item] = Written(
          entry: Array(entry), properties: associations[item] ?? [], bytes: bytes(of: item))
      }
      return written
    }

    /// The bytes of this file with the primary picture of another one as the gain map of its own.
    ///
    /// - Parameters:
    ///   - color: The box of the color of the picture that the gain map makes.
    ///   - size: The size of that picture.
    fileprivate func adding(
      _ other: HEIFItems, _ description: GainMapDescription, _ color: [UInt8], size: PixelSize,
      to name: String
    ) throws(ImageFileError) -> [UInt8] {
      guard let base = primary, let coded = other.primary, let shift = types.keys.max(),
        let last = other.types.keys.max(), shift < 0x7000, last < 0x7000,
        boxes.count + other.boxes.count < 0x7E
      else {
        throw .cannotWrite(file: name, reason: "libheif writes a container that no gain map fits")
      }
      let (map, made) = (shift + coded, shift + last + 1)
      var (written, references) = (items(), references)
      // The pictures of the map follow, hidden: they are no pages of their own.
      for (item, found) in other.items() {
        written[shift + item] = Written(
          entry: [2, 0, 0, 1] + HEIFBox.bytes(Int(shift + item), 2) + found.entry.dropFirst(6),
          properties: found.properties.map {
            Association(number: $0.number + boxes.count, isEssential: $0.isEssential)
          }, bytes: found.bytes)
      }
      for (item, list) in other.references {
        references[shift + item] = list.map { ($0.type, $0.to.map { shift + $0 }) }
      }
      // The picture that the map makes has the depth of the base, and its own color. Base and map are turned before it is made of them
      // (ISO/IEC 23008-12, 6.3), so that it is not turned itself and has the upright size.
      let shared = (associations[base] ?? []).filter {
        boxes.indices.contains($0.number - 1) && boxes[$0.number - 1].type == "pixi"
      }
      let extent = HEIFBox.full(
        "ispe", HEIFBox.bytes(size.width, 4) + HEIFBox.bytes(size.height, 4))
      let own = (1...2).map {
        Association(number: boxes.count + other.boxes.count + $0, isEssential: false)
      }
      written[made] = Written(
        entry: [2, 0, 0, 0] + HEIFBox.bytes(Int(made), 2) + [0, 0] + Array(HEIFToneMap.type.utf8)
          + [0],
        properties: shared + own,
        bytes: [HEIFToneMap.version] + description.iso)
      references[made] = [("dimg", [base, map])]
      let properties = (boxes + other.boxes).flatMap { HEIFBox.box($0.type, Array($0.content)) }
      let brands = Array(HEIFBoxes(file[...]).first { $0.type == "ftyp" }?.content ?? file[..<0])
      let start = HEIFBox.box("ftyp", brands + Array(HEIFToneMap.type.utf8))
      func meta(dataStart: Int) -> [UInt8] {
        Self.meta(
          written, references, properties: properties + extent + color, primary: base,
          alternatives: [made, base], dataStart: dataStart)
      }
      // The places of the data follow from the length of the boxes, which does not depend on them.
      let dataStart = start.count + meta(dataStart: 0).count + 8
      let data = written.sorted { $0.key < $1.key }.flatMap(\.value.bytes)
      guard dataStart + data.count <= Int(UInt32.max) else {
        throw .cannotWrite(
          file: name, reason: "its pictures take \(data.count) bytes, more than 32 bits can count")
      }
      return start + meta(dataStart: dataStart) + HEIFBox.box("mdat", data)
    }

    /// The box of all items, of which `alternatives` show the same, the best first.
    private static func meta(
      _ items: [UInt32: Written], _ references: [UInt32: [(type: String, to: [UInt32])]],
      properties: [UInt8], primary: UInt32, alternatives: [UInt32], dataStart: Int
    ) -> [UInt8] {
      func number(_ item: UInt32) -> [UInt8] { HEIFBox.bytes(Int(item), 2) }
      let sorted = items.sorted { $0.key < $1.key }
      let count = HEIFBox.bytes(sorted.count, 2)
      var (places, place) = ([UInt8](), dataStart)
      for (item, written) in sorted {
        // One run of bytes, by its place in the file.
        places +=
          number(item) + [0, 0, 0, 1] + HEIFBox.bytes(place, 4)
          + HEIFBox.bytes(written.bytes.count, 4)
        place += written.bytes.count
      }
      let linked = sorted.filter { !$0.value.properties.isEmpty }
      let links = linked.flatMap { item, written in
        number(item) + [UInt8(written.properties.count)]
          + written.properties.map { UInt8($0.number) | ($0.isEssential ? 0x80 : 0) }
      }
      let referring = references.sorted { $0.key < $1.key }.flatMap { item, list in
        list.flatMap {
          HEIFBox.box($0.type, number(item) + HEIFBox.bytes($0.to.count, 2) + $0.to.flatMap(number))
        }
      }
      let handler = HEIFBox.full(
        "hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
      // The group's number is that of no item.
      let group = ([(alternatives.max() ?? 0) + 1, UInt32(alternatives.count)] + alternatives)
        .flatMap { HEIFBox.bytes(Int($0), 4) }
      return HEIFBox.full(
        "meta",
        handler + HEIFBox.full("pitm", number(primary))
          + HEIFBox.full("iloc", [0x44, 0] + count + places)
          + HEIFBox.full("iinf", count + sorted.flatMap { HEIFBox.box("infe", $0.value.entry) })
          + HEIFBox.full("iref", referring)
          + HEIFBox.box(
            "iprp",
            HEIFBox.box("ipco", properties)
              + HEIFBox.full("ipma", HEIFBox.bytes(linked.count, 4) + links))
          + HEIFBox.box("grpl", HEIFBox.full("altr", group)))
    }
  }
#endif
