import CPixelKernels
import Testing

/// Rows of pixels that are sharpened, multiplied or divided by alpha, copied, and searched for alpha.
@Suite struct PixelRowTests {
  /// Sharpened pixels are those of the formula, together and in planes.
  @Test(arguments: Kernels.available)
  func sharpening(_ kernels: Kernels) {
    var random = SplitMix64(24)
    for (inLuminance, hasAlpha) in [(false, false), (true, false), (false, true), (true, true)] {
      for count in Array(1...40) + [300] {
        var how = cpk_sharpening(
          amount: 1.5, threshold: 0.1, has_alpha: hasAlpha, in_luminance: inLuminance,
          luminance: (0.25, 0.625, 0.125))
        var sharp = (0..<4 * count).map { _ in Float.random(in: -1...2, using: &random) }
        var soft = (0..<4 * count).map { _ in Float.random(in: -1...2, using: &random) }
        // Pixels that are opaque but for the rounding of weights, and transparent ones.
        for pixel in stride(from: 0, to: count, by: 3) {
          (sharp[4 * pixel + 3], soft[4 * pixel + 3]) = (1, Float(1).nextDown.nextDown)
        }
        for pixel in stride(from: 1, to: count, by: 7) { soft[4 * pixel + 3] = 0 }
        for channels in [1, 4] {
          let program = Program()
          // Planes have one guard value of −7.
          func rows(_ pixels: [Float]) -> [UnsafeMutablePointer<Float>?] {
            channels == 4
              ? [program.keep(pixels + [-7])]
              : (0..<4).map { plane in
                program.keep((0..<count).map { pixels[4 * $0 + plane] } + [-7])
              }
          }
          let (from, by) = (rows(sharp), rows(soft))
          kernels.table.sharpen(
            &how, channels, by, from.map { UnsafePointer($0) }, by.map { UnsafePointer($0) }, count)
          for pixel in 0..<count {
            let (alpha, softAlpha) = (sharp[4 * pixel + 3], soft[4 * pixel + 3])
            let isOpaque = !hasAlpha || (alpha == 1 && softAlpha >= 1 - 0x1p-21)
            let ratio = isOpaque ? 1 : softAlpha == 0 ? 0 : alpha / softAlpha
            let difference = (0..<3).map { sharp[4 * pixel + $0] - soft[4 * pixel + $0] * ratio }
            let luminance = (difference[0] * 0.25).addingProduct(difference[1], 0.625)
              .addingProduct(difference[2], 0.125)
            for channel in 0..<3 {
              let edge = inLuminance ? luminance : difference[channel]
              let wanted = sharp[4 * pixel + channel] + (abs(edge) < 0.1 ? 0 : edge) * 1.5
              let got = channels == 4 ? by[0]?[4 * pixel + channel] : by[channel]?[pixel]
              #expect(got == wanted)
            }
            if channels == 4 { #expect(by[0]?[4 * pixel + 3] == sharp[4 * pixel + 3]) }
          }
          #expect(by[0]?[channels * count] == -7)
        }
      }
    }
  }

  /// Pixels that pass from memory to memory have the bits of those on planes, also where they pass the caches.
  @Test(arguments: Kernels.available, [false, true])
  func pixelsFromMemoryToMemory(_ kernels: Kernels, streams: Bool) {
    var random = SplitMix64(23)
    let kinds: [Int?] = [CPK_PREMULTIPLY, CPK_UNPREMULTIPLY, nil]
    for kind in kinds {
      for count in Array(1...40) + [300] {
        var pixels = (0..<4 * count).map { _ in Float.random(in: -1...2, using: &random) }
        for (index, wild) in [Float.nan, .infinity, -0.0, 0, 0x1p-140].enumerated()
        where 4 * index < pixels.count {
          pixels[4 * index + Int(random.next() % 4)] = wild
        }
        let program = Program()
        let source = program.keep(pixels)
        let target = program.keep([Float](repeating: -7, count: 4 * count + 1))
        func surface(_ base: UnsafeMutablePointer<Float>) -> cpk_surface {
          cpk_surface(
            planes: (
              UnsafeMutableRawPointer(base), UnsafeMutableRawPointer(base + 1),
              UnsafeMutableRawPointer(base + 2), UnsafeMutableRawPointer(base + 3)
            ),
            format: Int32(CPK_F32), step: 4, streams: streams)
        }
        var (from, to) = (surface(source), surface(target))
        let stages = kind.map { cpk_stage(kind: Int32($0), first: 0, count: 0, payload: nil) }
        kernels.table.run(
          &from, &to, stages.map { [$0] } ?? [], kind == nil ? 0 : 1, count, 0, 0)
        for pixel in 0..<count {
          let alpha = pixels[4 * pixel + 3]
          for channel in 0..<4 {
            let value = pixels[4 * pixel + channel]
            let changed = kind == CPK_PREMULTIPLY ? value * alpha : alpha == 0 ? 0 : value / alpha
            let wanted = channel == 3 || kind == nil ? value : changed
            let got = target[4 * pixel + channel]
            #expect(got.bitPattern == wanted.bitPattern || (got.isNaN && wanted.isNaN))
          }
        }
        #expect(target[4 * count] == -7)
      }
    }
  }

  /// One pixel that is not quite opaque is found wherever it is.
  @Test(arguments: Kernels.available)
  func opaquePixels(_ kernels: Kernels) {
    var random = SplitMix64(29)
    for count in Array(1...40) + [300] {
      var pixels = (0..<4 * count).map {
        $0 % 4 == 3 ? 1 : Float.random(in: -1...2, using: &random)
      }
      func isOpaque() -> Bool {
        let program = Program()
        return kernels.table.is_opaque(program.keep(pixels), count)
      }
      #expect(isOpaque())
      for pixel in 0..<count {
        for alpha in [Float(1).nextDown, 0, -1, .nan, Float(1).nextUp] {
          pixels[4 * pixel + 3] = alpha
          #expect(!isOpaque())
        }
        pixels[4 * pixel + 3] = 1
      }
    }
  }
}
