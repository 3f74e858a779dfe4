/// A trait of the package: formats that it is built with or without, because they need a library each.
package struct FormatTrait: Sendable {
  /// The name of the trait in a package's manifest.
  package let name: String
  /// Debian's package of the library.
  package let library: String
  /// The names of the formats, and their file extensions.
  package let formats: [String], fileExtensions: [String]
  /// Whether the package was built with it.
  package let isEnabled: Bool

  /// Every trait of the package.
  package static let all: [FormatTrait] = [
    FormatTrait(
      name: "TIFF", library: "libtiff-dev", formats: ["TIFF"], fileExtensions: ["tif", "tiff"],
      isEnabled: tiff),
    FormatTrait(
      name: "OpenEXR", library: "libopenexr-dev", formats: ["OpenEXR"], fileExtensions: ["exr"],
      isEnabled: openEXR),
    FormatTrait(
      name: "WebP", library: "libwebp-dev", formats: ["WebP"], fileExtensions: ["webp"],
      isEnabled: webP),
    FormatTrait(
      name: "JPEGXL", library: "libjxl-dev", formats: ["JPEG XL"], fileExtensions: ["jxl"],
      isEnabled: jpegXL),
    FormatTrait(
      name: "HEIF", library: "libheif-dev", formats: ["HEIF", "AVIF"],
      fileExtensions: ["heic", "heif", "hif", "avif"], isEnabled: heif),
    FormatTrait(
      name: "RAW", library: "libraw-dev", formats: ["camera raw"],
      fileExtensions: ["dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw"],
      isEnabled: raw),
  ]

  /// The trait that adds a format, by the format's name; nil for formats that are always there.
  package static func adding(_ format: ImageFileFormat) -> FormatTrait? {
    all.first { $0.formats.contains(format.name) }
  }
}

#if TIFF
  private let tiff = true
#else
  private let tiff = false
#endif
#if OpenEXR
  private let openEXR = true
#else
  private let openEXR = false
#endif
#if WebP
  private let webP = true
#else
  private let webP = false
#endif
#if JPEGXL
  private let jpegXL = true
#else
  private let jpegXL = false
#endif
#if HEIF
  private let heif = true
#else
  private let heif = false
#endif
#if RAW
  private let raw = true
#else
  private let raw = false
#endif
