import CLittleCMS
import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

@Suite struct LittleCMSOracleTests {
  /// Little CMS's answer for a color, through two profiles, in double precision.
  func transform(
    _ color: SIMD3<Double>, from source: ICCProfile, to target: ICCProfile
  ) throws -> SIMD3<Double> {
    let doubles: cmsUInt32Number = 1 << 22 | UInt32(PT_RGB) << 16 | 3 << 3
    let input = try #require(open(source))
    defer { cmsCloseProfile(input) }
    let output = try #require(open(target))
    defer { cmsCloseProfile(output) }
    let flags = cmsUInt32Number(cmsFLAGS_NOOPTIMIZE) | cmsUInt32Number(cmsFLAGS_NOCACHE)
    let transform = try #require(
      cmsCreateTransform(
        input, doubles, output, doubles, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), flags))
    defer { cmsDeleteTransform(transform) }
    let from = [color.x, color.y, color.z]
    var to = [0.0, 0, 0]
    cmsDoTransform(transform, from, &to, 1)
    return SIMD3(to[0], to[1], to[2])
  }

  func open(_ profile: ICCProfile) -> cmsHPROFILE? {
    profile.bytes.withUnsafeBytes {
      cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count))
    }
  }

  @Test(arguments: ColorSpace.named)
  func ourProfilesMeanToLittleCMSWhatTheSpacesMean(space: ColorSpace) throws {
    let target = ColorSpace.linearSRGB
    let source = try ICCProfile(describing: space)
    let targetProfile = try ICCProfile(describing: target)
    var random = SeededGenerator(seed: 20_260_101)
    for _ in 0..<200 {
      let color = SIMD3<Double>.random(in: 0...1, using: &random)
      let ours = ColorPoint(color, in: space).converted(to: target).components
      let theirs = try transform(color, from: source, to: targetProfile)
      // Lights are stored in steps of 1/65,536 and mixed with factors up to 5 for the widest space; Little CMS computes in
      // single precision.
      for channel in 0..<3 { #expect(abs(ours[channel] - theirs[channel]) < 3e-4) }
    }
  }

  @Test(arguments: ColorSpace.named)
  func ourGrayProfilesMeanToLittleCMSWhatTheSpacesMean(space: ColorSpace) throws {
    let input = try #require(open(try ICCProfile(describingGraysOf: space)))
    defer { cmsCloseProfile(input) }
    let output = try #require(open(try ICCProfile(describing: .linearSRGB)))
    defer { cmsCloseProfile(output) }
    let gray: cmsUInt32Number = 1 << 22 | UInt32(PT_GRAY) << 16 | 1 << 3
    let rgb: cmsUInt32Number = 1 << 22 | UInt32(PT_RGB) << 16 | 3 << 3
    let transform = try #require(
      cmsCreateTransform(
        input, gray, output, rgb, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
        cmsUInt32Number(cmsFLAGS_NOOPTIMIZE) | cmsUInt32Number(cmsFLAGS_NOCACHE)))
    defer { cmsDeleteTransform(transform) }
    for step in 0...100 {
      let x = Double(step) / 100
      var theirs = [0.0, 0, 0]
      cmsDoTransform(transform, [x], &theirs, 1)
      for channel in theirs { #expect(abs(channel - space.transfer.decode(x)) < 3e-4) }
    }
  }
}
