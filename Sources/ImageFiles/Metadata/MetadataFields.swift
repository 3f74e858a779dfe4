internal import ColorSpaces

// Whether the fields of a format hold values, rounded to their steps. Values beyond the fields are left out with a note.

extension ImageFileFormat {
  /// Whether files of this format hold a resolution. In JPEG and PNG files EXIF states what their own fields cannot.
  func holds(_ resolution: ImageMetadata.Resolution) -> Bool {
    self == .bmp ? resolution.bmpDensity != nil : resolution.tiffFields != nil
  }

  /// Whether only EXIF of this format can state a resolution, because its own whole numbers are too small, too large or too coarse.
  func needsEXIF(for resolution: ImageMetadata.Resolution?) -> Bool {
    guard let resolution else { return false }
    return self == .jpeg && !resolution.fitsJFIF
      || self == .png && resolution.pngDensity == nil
  }

  /// Whether files of this format hold both light levels: PNG files have 32 bits for steps of 0.0001 cd/m², HEIF and AVIF files 16 bits
  /// for whole numbers.
  func holds(_ light: ImageMetadata.ContentLight) -> Bool {
    [light.maximum, light.frameAverage].allSatisfy {
      self == .png
        ? UInt32.holds(nearest: $0 / ImageMetadata.MasteringDisplay.luminanceStep)
        : UInt16.holds(nearest: $0)
    }
  }

  /// Whether files of this format hold a text. Readers of PNG and JPEG files, and OpenEXRCore, end texts at a NUL.
  func holds(_ text: ImageMetadata.Text) -> Bool {
    switch self {
    case .png:
      PNGTexts.bytes(ofKeyword: text.keyword) != nil
        && [text.value, text.language ?? "", text.translatedKeyword ?? ""].allSatisfy {
          !$0.utf8.contains(0)
        }
    default: ![text.keyword, text.value].contains { $0.utf8.contains(0) }
    }
  }
}

extension ImageMetadata.MasteringDisplay {
  /// Whether mDCV holds all values (SMPTE ST 2086): chromaticities in 16 bits, luminances in 32.
  var isRepresentable: Bool {
    [primaries.red, primaries.green, primaries.blue, primaries.white].flatMap { [$0.x, $0.y] }
      .allSatisfy { UInt16.holds(nearest: $0 / Self.chromaticityStep) }
      && [luminance.lowerBound, luminance.upperBound].allSatisfy {
        UInt32.holds(nearest: $0 / Self.luminanceStep)
      }
  }
}
