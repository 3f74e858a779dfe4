/// The settings of each codec that an effort of compression stands for; nil for the codec's default.
extension WritingOptions {
  /// The greatest effort.
  static let greatestEffort = 9

  /// The effort in effect.
  var effortInUse: Int? { effort.map { min(max($0, 0), Self.greatestEffort) } }

  /// The level of zlib in PNG files. Level 0 does not compress.
  var pngLevel: Int? { effortInUse }

  /// The level of deflate in TIFF and OpenEXR files, where ``LosslessCompression/none`` stands for no compression.
  var deflateLevel: Int? { effortInUse.map { max($0, 1) } }

  /// The method of lossy WebP, 0…6.
  var webPMethod: Int? { effortInUse.map { (2 * $0 + 1) / 3 } }

  /// The preset of lossless WebP, 0…9.
  var webPLosslessPreset: Int { effortInUse ?? 6 }

  /// The effort of JPEG XL, 1…9.
  var jpegXLEffort: Int? { effortInUse.map { max($0, 1) } }
}
