#if HEIF
  internal import CHEIF
  internal import ColorSpaces
  internal import ImageBuffer

  // The content light level and the mastering display of a picture in an HEIF file. libheif reads them with the pixels only, so their
  // boxes are read here (ISO/IEC 23008-12, 6.5; ISO/IEC 14496-12, 12.1.6).

  extension ImageMetadata {
    /// Adds the light levels that a file's properties state for a picture.
    mutating func readLight(of item: UInt32, in items: HEIFItems) {
      for (type, content) in items.properties(of: item) {
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
          max_content_light_level: UInt16(nearest: contentLight.maximum),
          max_pic_average_light_level: UInt16(nearest: contentLight.frameAverage))
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
      func steps(_ value: Double) -> UInt16 { UInt16(nearest: value / Self.chromaticityStep) }
      func light(_ value: Double) -> UInt32 { UInt32(nearest: value / Self.luminanceStep) }
      let points = [primaries.green, primaries.blue, primaries.red]
      return heif_mastering_display_colour_volume(
        display_primaries_x: (steps(points[0].x), steps(points[1].x), steps(points[2].x)),
        display_primaries_y: (steps(points[0].y), steps(points[1].y), steps(points[2].y)),
        white_point_x: steps(primaries.white.x), white_point_y: steps(primaries.white.y),
        max_display_mastering_luminance: light(luminance.upperBound),
        min_display_mastering_luminance: light(luminance.lowerBound))
    }
  }
#endif
