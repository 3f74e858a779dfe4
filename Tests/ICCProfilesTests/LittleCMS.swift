import CLittleCMS
import ICCProfiles
import Testing

/// Color conversion by the installed Little CMS.
enum LittleCMS {
  enum End {
    case profile(ICCProfile)
    /// Lab by a version 2 profile, which requires nothing of the other side.
    case lab

    fileprivate func open() -> cmsHPROFILE? {
      switch self {
      case .lab: cmsCreateLab2Profile(nil)
      case .profile(let profile):
        profile.bytes.withUnsafeBytes {
          cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count))
        }
      }
    }

    /// Doubles: Lab as Lab, device values as fractions.
    fileprivate var format: (code: cmsUInt32Number, count: Int) {
      let isFloating: cmsUInt32Number = 1 << 22
      switch self {
      case .lab: return (isFloating | cmsUInt32Number(PT_Lab) << 16 | 3 << 3, 3)
      case .profile(let profile):
        let count = profile.channelCount ?? 0
        return (isFloating | cmsUInt32Number(count) << 3, count)
      }
    }
  }

  /// Returns colors converted from one end to the other.
  static func convert(
    _ colors: [[Double]], from source: End, to target: End, intent: RenderingIntent,
    blackPointCompensation: Bool = false
  ) throws -> [[Double]] {
    let input = try #require(source.open())
    defer { cmsCloseProfile(input) }
    let output = try #require(target.open())
    defer { cmsCloseProfile(output) }
    var flags = cmsUInt32Number(cmsFLAGS_NOOPTIMIZE) | cmsUInt32Number(cmsFLAGS_NOCACHE)
    if blackPointCompensation { flags |= cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION) }
    let transform = try #require(
      cmsCreateTransform(
        input, source.format.code, output, target.format.code, cmsUInt32Number(intent.rawValue),
        flags))
    defer { cmsDeleteTransform(transform) }
    return colors.map { color in
      var result = [Double](repeating: 0, count: target.format.count)
      cmsDoTransform(transform, color, &result, 1)
      return result
    }
  }
}
