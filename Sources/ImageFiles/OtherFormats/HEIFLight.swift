#if HEIF
  internal import CHEIF
  internal import ColorSpaces
  internal import ImageBuffer

  // The content light level and the mastering display of a picture in an HEIF file. libheif reads them with the pixels only, so their
  // boxes are found here (ISO/IEC 23008-12, 9.3 and 6.5; ISO/IEC 14496-12, 8.11.14 and 12.1.6).

  extension ImageMetadata {
    /// Adds the light levels that a file's properties state for a picture.
    mutating func readLight(ofHEIF file: UnsafeRawBufferPointer, item: UInt32) {
      let whole = HEIFBoxes(file[...])
      guard let properties = whole.first("meta", skipping: 4)?.first("iprp"),
        let list = properties.first("ipco").map({ Array($0) })
      else { return }
      let indices = properties.filter { $0.type == "ipma" }
        .flatMap { HEIFBoxes.properties(of: item, in: $0.content) }
      for index in indices where list.indices.contains(index - 1) {
        let (type, content) = list[index - 1]
        let bytes = Array(content.prefix(25))
        switch type {
        case "clli" where bytes.count == 4:
          let levels = bytes.bigEndian32(at: 0)
          contentLight = ContentLight(
            maximum: Double(levels >> 16), frameAverage: Double(levels & 0xFFFF))
        // Green first (Rec. ITU-T H.273, 8.7).
        case "mdcv": masteringDisplay = MasteringDisplay(bytes, red: 2, green: 0, blue: 1)
        default: break
        }
      }
    }

    /// Sets the light levels of a picture that libheif writes.
    func writeLight(to image: OpaquePointer?) {
      if let contentLight {
        var light = heif_content_light_level(
          max_content_light_level: nearest(contentLight.maximum),
          max_pic_average_light_level: nearest(contentLight.frameAverage))
        heif_image_set_content_light_level(image, &light)
      }
      if let masteringDisplay {
        var volume = masteringDisplay.volume
        heif_image_set_mastering_display_colour_volume(image, &volume)
      }
    }
  }

  extension ImageMetadata.MasteringDisplay {
    fileprivate var volume: heif_mastering_display_colour_volume {
      func steps(_ value: Double) -> UInt16 { nearest(value / Self.chromaticityStep) }
      let lights = [primaries.green, primaries.blue, primaries.red]
      return heif_mastering_display_colour_volume(
        display_primaries_x: (steps(lights[0].x), steps(lights[1].x), steps(lights[2].x)),
        display_primaries_y: (steps(lights[0].y), steps(lights[1].y), steps(lights[2].y)),
        white_point_x: steps(primaries.white.x), white_point_y: steps(primaries.white.y),
        max_display_mastering_luminance: nearest(luminance.upperBound / Self.luminanceStep),
        min_display_mastering_luminance: nearest(luminance.lowerBound / Self.luminanceStep))
    }
  }

  /// The nearest number that an integer type holds; 0 for NaN.
  private func nearest<Number: FixedWidthInteger>(_ value: Double) -> Number {
    value.isNaN ? 0 : Number(min(max(value.rounded(), 0), Double(Number.max)))
  }

  /// The boxes of a part of a file in order. A damaged box ends the sequence.
  private struct HEIFBoxes: Sequence, IteratorProtocol {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    mutating func next() -> (type: String, content: Slice<UnsafeRawBufferPointer>)? {
      guard rest.count >= 8 else { return nil }
      let head = Array(rest.prefix(16))
      let stated = Int(head.bigEndian32(at: 0))
      let type = String(decoding: head[4..<8], as: UTF8.self)
      var (size, headSize) = (stated == 0 ? rest.count : stated, 8)
      if stated == 1, head.count == 16 {
        (size, headSize) = (
          Int(clamping: UInt64(head.bigEndian32(at: 8)) << 32 | UInt64(head.bigEndian32(at: 12))),
          16
        )
      }
      guard size >= headSize, size <= rest.count else { return nil }
      let content = rest.prefix(size).dropFirst(headSize)
      rest = rest.dropFirst(size)
      return (type, content)
    }

    /// The boxes in the first one of a type, behind its version and flags where it has them.
    func first(_ type: String, skipping count: Int = 0) -> HEIFBoxes? {
      first { $0.type == type }.map { HEIFBoxes($0.content.dropFirst(count)) }
    }

    /// The numbers, from 1, of an item's properties by a box of associations.
    static func properties(of item: UInt32, in box: Slice<UnsafeRawBufferPointer>) -> [Int] {
      var bytes = Array(box)[...]
      func next(_ count: Int) -> Int? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      }
      guard let version = next(1), let flags = next(3), let count = next(4) else { return [] }
      for _ in 0..<count {
        guard let identifier = next(version < 1 ? 2 : 4), let associations = next(1) else { break }
        var found: [Int] = []
        for _ in 0..<associations {
          // The highest bit says whether a reader must know the property.
          guard let number = next(flags & 1 == 1 ? 2 : 1) else { return [] }
          found.append(number & (flags & 1 == 1 ? 0x7FFF : 0x7F))
        }
        if identifier == item { return found }
      }
      return []
    }
  }
#endif
