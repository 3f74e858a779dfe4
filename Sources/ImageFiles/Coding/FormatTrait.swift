/// A trait of the package: formats that it is built with or without, because they need a library each.
package struct FormatTrait: Sendable {
  /// The name of the trait in a package's manifest.
  package let name: String
  /// Debian's package of the library.
  package let library: String
  /// The names of the formats, and their file extensions.
  package let formats: [String], fileExtensions: [String]
  /// Whether the package was built with it.
  package var isEnabled: Bool {
    ImageFileFormat.readable.contains { formats.contains($0.name) }
  }

  /// Every trait of the package.
  package static let all: [FormatTrait] = [
    FormatTrait(
      name: "TIFF", library: "libtiff-dev", formats: ["TIFF"], fileExtensions: ["tif", "tiff"]),
    FormatTrait(
      name: "OpenEXR", library: "libopenexr-dev", formats: ["OpenEXR"], fileExtensions: ["exr"]),
    FormatTrait(
      name: "WebP", library: "libwebp-dev", formats: ["WebP"], fileExtensions: ["webp"]),
    FormatTrait(
      name: "JPEGXL", library: "libjxl-dev", formats: ["JPEG XL"], fileExtensions: ["jxl"]),
    FormatTrait(
      name: "HEIF", library: "libheif-dev", formats: ["HEIF", "AVIF"],
      fileExtensions: ["heic", "heif", "hif", "avif"]),
    FormatTrait(
      name: "RAW", library: "libraw-dev", formats: ["camera raw"],
      fileExtensions: ["dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2", "pef", "srw"]),
  ]

  /// The trait that adds a format, by the format's name; nil for formats that are always there.
  package static func adding(_ format: ImageFileFormat) -> FormatTrait? {
    all.first { $0.formats.contains(format.name) }
  }
}
