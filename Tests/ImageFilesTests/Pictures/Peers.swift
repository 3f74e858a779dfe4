import Foundation
import ImageBuffer
import ImageFiles
import _TestSupport

/// Other programs' decoding of the same files.
enum Peers {
  static let vips = Client("vips")
  static let python = Client("python3")
  static let hasPillow = python.can("-c", "import PIL")

  /// Returns the output of a Pillow script.
  static func pillow(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let script = "import sys\nfrom PIL import Image, ImageCms, ImageOps\n\(program)"
    return [UInt8](try python.run(["-c", script] + arguments))
  }

  /// Returns the samples that Pillow reads from each file, upright; small depths and palettes become bytes.
  static func pillowPixels(_ files: [String]) throws -> [[UInt8]] {
    _ = try pillow(
      """
      for name in sys.argv[1:]:
        image = ImageOps.exif_transpose(Image.open(name))
        covered = "transparency" in image.info
        modes = {"1": "L", "P": "RGBA" if covered else "RGB"}
        image = image.convert(modes.get(image.mode, image.mode))
        open(name + ".raw", "wb").write(image.tobytes())
      """, files)
    return try files.map { try bytes($0 + ".raw") }
  }

  /// Returns the samples that libvips reads from a file, unconverted, those of more than 8 bits in native byte order.
  static func vipsPixels(_ file: String) throws -> [UInt8] {
    try vips.run("rawsave", file, file + ".raw")
    return try bytes(file + ".raw")
  }

  static func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: file)))
  }

  static func write(_ bytes: [UInt8], _ file: String) throws {
    try Data(bytes).write(to: URL(filePath: file))
  }
}

extension AnyBitmap {
  /// All samples in row-major order.
  var sampleBytes: [UInt8] {
    func bytes<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) -> [UInt8] {
      (0..<bitmap.size.height).flatMap { y in
        bitmap.row(y).withUnsafeBytes { [UInt8]($0) }
      }
    }
    return switch self {
    case .uint8(let bitmap): bytes(bitmap)
    case .uint16(let bitmap): bytes(bitmap)
    case .float16(let bitmap): bytes(bitmap)
    case .float32(let bitmap): bytes(bitmap)
    @unknown default: []
    }
  }
}
