extension Gamut.Ray {
  /// Where straight rays of light, led back to this lightness and hue after each hit, meet the gamut's surface
  /// (coloraide 8.13, `fit_raytrace.py`; CSS Color 4, 13.2).
  func traced() -> SIMD3<Double> {
    let gray = light(at: 0).sum() / 3
    var anchor = gamut.clipped(SIMD3(repeating: gray))
    var target = light
    guard var best = gamut.hit(from: anchor, towards: target) else { return light }
    for _ in 1...3 {
      target = light(at: chromaOf(gamut.oklab(best)))
      guard let hit = gamut.hit(from: anchor, towards: target) else { break }
      best = hit
      // From nearby the surface is met at a better angle.
      if gamut.encloses(target) { anchor = target }
    }
    return best
  }
}

extension Gamut {
  /// Whether `light` lies inside and not on the surface.
  fileprivate func encloses(_ light: SIMD3<Double>) -> Bool {
    light.min() > low + Self.resolution && light.max() < high - Self.resolution
  }

  /// Where the line from `start` through `target` meets the box (the slab method), if it does.
  fileprivate func hit(from start: SIMD3<Double>, towards target: SIMD3<Double>) -> SIMD3<Double>? {
    let step = target - start
    guard max(abs(step.x), abs(step.y), abs(step.z)) > Self.resolution else { return nil }
    var (near, far) = (-Double.infinity, Double.infinity)
    for channel in 0..<3 where step[channel] != 0 {
      let entry = (low - start[channel]) / step[channel]
      let exit = (high - start[channel]) / step[channel]
      near = max(near, min(entry, exit))
      far = min(far, max(entry, exit))
    }
    guard near <= far, far >= 0 else { return nil }
    return start + step * (near < 0 ? far : near)
  }
}
