internal import ColorSpaces

/// A painted landscape as a sample picture: hot-air balloons over a mountain lake, late in the day.
///
/// Every machine paints the same picture, since it uses only operations that IEEE 754 defines exactly. The balloons
/// have primaries of Display P3, out of sRGB's gamut; the gray wedge is exactly neutral.
public enum SampleScene {
  /// The picture in row-major order, each pixel the mean of `samples` × `samples` points.
  public static func pixels(width: Int, height: Int, samples: Int = 3) -> [SIMD3<Float>] {
    let aspect = Double(width) / Double(height)
    let step = 1 / Double(height * samples)
    let columns = (0..<width * samples).map { Column(x: (Double($0) + 0.5) * step, aspect: aspect) }
    return (0..<width * height).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: width)
      var sum = SIMD3<Double>()
      for line in row * samples..<(row + 1) * samples {
        for sample in columns[column * samples..<(column + 1) * samples] {
          sum += scene(sample, (Double(line) + 0.5) * step)
        }
      }
      return SIMD3<Float>(sum / Double(samples * samples))
    }
  }
}

private typealias Light = SIMD3<Double>

/// The properties of a column: outlines, and the objects in it.
private struct Column {
  let x: Double
  let aspect: Double
  let sunDistance: Double
  let farRidge: Double
  let middleRidge: Double
  let nearRidge: Double
  let shore: Double
  let balloon: Balloon?

  init(x: Double, aspect: Double) {
    self.x = x
    self.aspect = aspect
    sunDistance = x - 0.315 * aspect
    let aside = abs(x / aspect - 0.42)
    farRidge = 0.58 - 0.27 * peaks(x * 2.1 + 7.4) + 0.07 * bump(sunDistance / 0.15)
    let trees = 0.006 * noise(x * 150, 2.5)
    middleRidge = 0.6 - 0.17 * peaks(x * 1.9 + 31.2) * (0.4 + aside) - trees
    nearRidge = 0.612 - 0.07 * noise(x * 2.1, 8.5) * (0.15 + 1.6 * aside) - 2 * trees
    shore = 0.885 - 0.05 * noise(x * 2.2, 5.5) - 0.018 * noise(x * 150, 1.5)
    balloon = Balloon.row.first { abs(x - $0.x * aspect) < $0.size(aspect) }
  }
}

private func scene(_ column: Column, _ y: Double) -> Light {
  if let light = wedge(column, y) { return light }
  if y > column.shore { return meadow(column, y) }
  return spruce(column, y) ?? (y > waterline ? lake(column, y) : air(column, y))
}

/// A pseudorandom number 0…1 for a point of the integer grid.
private func hash(_ x: Int, _ y: Int) -> Double {
  var bits = UInt64(truncatingIfNeeded: x) &* 0x9E37_79B9_7F4A_7C15
  bits = (bits ^ UInt64(truncatingIfNeeded: y)) &* 0xBF58_476D_1CE4_E5B9
  bits = (bits ^ (bits &>> 29)) &* 0x94D0_49BB_1331_11EB
  return Double(Int(truncatingIfNeeded: bits &>> 40)) * (1 / 16_777_216)
}

/// Value noise 0…1: smoothly interpolated hashes of the grid points.
private func noise(_ x: Double, _ y: Double) -> Double {
  let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
  let u = smooth(x - Double(column))
  let top = mix(hash(column, row), hash(column + 1, row), u)
  let bottom = mix(hash(column, row + 1), hash(column + 1, row + 1), u)
  return mix(top, bottom, smooth(y - Double(row)))
}

/// Fractal noise: octaves of double frequency and half amplitude.
private func cloudiness(_ x: Double, _ y: Double) -> Double {
  0.53 * noise(x, y) + 0.27 * noise(2.1 * x, 2.1 * y + 9)
    + 0.13 * noise(4.3 * x, 4.3 * y + 5) + 0.07 * noise(8.9 * x, 8.9 * y)
}

/// The illumination of a rough surface from the left, 0…1.
private func relief(_ x: Double, _ y: Double) -> Double {
  smooth(0.42 + 2.1 * (cloudiness(x + 0.22, y - 0.1) - cloudiness(x - 0.22, y + 0.1)))
}

/// A mountain outline 0…1: noise folded into sharp crests.
private func peaks(_ x: Double) -> Double {
  (0..<7).map(Double.init).reduce(0) { sum, octave in
    let fold = 1 - abs(2 * noise(x * power(2.03, octave), octave * 17 + 0.5) - 1)
    return sum + 0.52 * power(0.47, octave) * fold
  }
}

private func bump(_ t: Double) -> Double { 1 / (1 + t * t) }
private func mix(_ a: Double, _ b: Double, _ t: Double) -> Double { a + (b - a) * t }
private func mix(_ a: Light, _ b: Light, _ t: Double) -> Light { a + (b - a) * t }

/// A smooth step, 0…1 with zero slopes at both ends.
private func smooth(_ t: Double) -> Double {
  let t = min(max(t, 0), 1)
  return t * t * (3 - 2 * t)
}

private let waterline = 0.615

private func air(_ column: Column, _ y: Double) -> Light {
  if let light = column.balloon?.light(column, y) { return light }
  if y > column.nearRidge { return woods(column, y) * Light(0.4, 0.42, 0.3) }
  if y > column.middleRidge {
    return haze(woods(column, y), 0.10 + 2.4 * (y - column.middleRidge), column)
  }
  return y > column.farRidge ? mountains(column, y) : sky(column, y)
}

private func sky(_ column: Column, _ y: Double) -> Light {
  let (dx, dy) = (column.sunDistance, y - 0.43)
  let distance = (dx * dx + dy * dy).squareRoot()
  let height = smooth(y / 0.55)
  var light = mix(Light(0.09, 0.20, 0.46), Light(0.66, 0.47, 0.36), height)
  let wisps = cloudiness(column.x * 1.7 + 3 + y, y * 9 - column.x * 0.8)
  light = mix(light, Light(0.86, 0.66, 0.52), smooth(4 * wisps - 1.9) * (0.25 + 0.5 * height))
  light += Light(0.75, 0.42, 0.14) * bump(distance / 0.16)
  return mix(light, Light(4, 3.5, 2.5), smooth((0.036 - distance) / 0.012))
}

private func mountains(_ column: Column, _ y: Double) -> Light {
  let depth = y - column.farRidge
  let facing = relief(column.x * 13 - depth * 5, depth * 10 + 40)
  let rock = mix(Light(0.10, 0.13, 0.22), Light(0.36, 0.29, 0.30), facing)
  let snow = mix(Light(0.26, 0.33, 0.50), Light(1.0, 0.80, 0.66), facing)
  let snowy = smooth(3.4 - 30 * depth - 3 * noise(column.x * 60 - depth * 40, depth * 30))
  return haze(mix(rock, snow, snowy), 0.18 + 1.6 * max(0, depth), column)
}

private func woods(_ column: Column, _ y: Double) -> Light {
  let facing = relief(column.x * 9 + y * 6, y * 8 + 70)
  let trees = 0.7 + 0.6 * noise(column.x * 190, y * 140)
  return mix(Light(0.035, 0.065, 0.085), Light(0.16, 0.16, 0.07), facing) * trees
}

/// Aerial perspective: haze, warm towards the sun and blue away from it.
private func haze(_ light: Light, _ amount: Double, _ column: Column) -> Light {
  let glow = mix(Light(0.36, 0.40, 0.52), Light(0.98, 0.66, 0.40), bump(column.sunDistance / 0.3))
  return mix(light, glow, min(amount, 0.8))
}

private func lake(_ column: Column, _ y: Double) -> Light {
  let depth = y - waterline
  let distance = 1 / (depth + 0.03)
  let ripple = noise(column.x * distance * 1.1, distance * 15) - 0.5
  let mirrored = min(waterline - depth * 1.05 + ripple * (0.008 + 0.08 * depth), waterline)
  let path = bump(column.sunDistance / (0.035 + 0.2 * depth))
  let sparkle = 7 * noise(column.x * distance * 2.5 + 50, distance * 21) - 6.65
  let glint = smooth(sparkle + 2.9 * path) * path
  return air(column, mirrored) * Light(0.66, 0.70, 0.72) + Light(1.35, 1, 0.5) * glint
}

/// The dark trees at the edges; nil outside of them.
private func spruce(_ column: Column, _ y: Double) -> Light? {
  for tree in [(x: 0.02, top: 0.47), (x: 0.068, top: 0.63), (x: 0.975, top: 0.6)] {
    let across = abs(column.x - tree.x * column.aspect)
    let down = y - tree.top
    guard across < 0.3 * down else { continue }
    let twigs = noise(column.x * 120, y * 95)
    let tier = down * 24 + across * 14 + 0.5 * twigs
    if across < 0.002 + 0.19 * down * (0.5 + 0.4 * (tier - tier.rounded(.down)) + 0.3 * twigs) {
      return mix(Light(0.006, 0.013, 0.009), Light(0.035, 0.05, 0.018), twigs * twigs)
    }
  }
  return nil
}

private func meadow(_ column: Column, _ y: Double) -> Light {
  let blades = noise(column.x * 170 + y * 25, y * 26)
  let sunny = 0.3 + 0.7 * cloudiness(column.x * 6, y * 16)
  let grass = mix(Light(0.025, 0.055, 0.012), Light(0.27, 0.29, 0.035), blades * sunny)
  return (flower(column, y) ?? grass) * max(0.2, 1.2 - 6.5 * (y - column.shore))
}

/// A poppy or a buttercup, in some cells of a grid; nil outside of them.
private func flower(_ column: Column, _ y: Double) -> Light? {
  let (across, down) = (Int(column.x * 44), Int(y * 62))
  let chance = hash(across, down)
  guard chance < 0.16 else { return nil }
  let dx = column.x * 44 - Double(across) - 0.3 - 0.4 * hash(across, down + 500)
  let dy = y * 62 - Double(down) - 0.3 - 0.4 * hash(across, down + 900)
  guard dx * dx + dy * dy < 0.05 else { return nil }
  return (chance < 0.07 ? Light(0.80, 0.02, 0.02) : Light(0.85, 0.68, 0.05)) * (0.55 - dy)
}

/// Eight gray steps, each 0.56 times the one to its right, at the bottom right; nil outside of them.
private func wedge(_ column: Column, _ y: Double) -> Light? {
  let step = (column.aspect - column.x - 0.025) / 0.032
  guard y > 0.93, y < 0.972, step > 0, step < 8 else { return nil }
  return Light(repeating: 0.9 * power(0.56, step.rounded(.down)))
}

private struct Balloon {
  let color: Light
  let trim: Light
  let x: Double
  let y: Double
  let radius: Double

  /// The balloons from left to right; `x` is a fraction of the picture's width.
  static let row = [
    Balloon(color: Light(1, 0, 0), trim: Light(1, 0.8, 0.5), x: 0.155, y: 0.27, radius: 0.112),
    Balloon(color: Light(1, 0.35, 0), trim: Light(0.5, 0, 0.1), x: 0.325, y: 0.15, radius: 0.06),
    Balloon(color: Light(1, 0.85, 0), trim: Light(1, 0.2, 0), x: 0.44, y: 0.31, radius: 0.076),
    Balloon(color: Light(0, 1, 0), trim: Light(0.9, 1, 0), x: 0.555, y: 0.17, radius: 0.088),
    Balloon(color: Light(0, 1, 1), trim: Light(0, 0.2, 1), x: 0.672, y: 0.35, radius: 0.058),
    Balloon(color: Light(0, 0.05, 1), trim: Light(0.8, 0.9, 1), x: 0.765, y: 0.17, radius: 0.072),
    Balloon(color: Light(1, 0, 1), trim: Light(1, 0.8, 0), x: 0.89, y: 0.33, radius: 0.1),
  ]

  /// The radius in a picture of the given aspect: smaller in narrow pictures.
  func size(_ aspect: Double) -> Double { radius * min(1, aspect / 1.5) }

  /// The linear color of the envelope, the ropes or the basket; nil outside of them.
  func light(_ column: Column, _ y: Double) -> Light? {
    let across = (column.x - x * column.aspect) / size(column.aspect)
    let down = (y - self.y) / size(column.aspect)
    guard down > -1, down < 1.95 else { return nil }
    if down > 1.68 { return abs(across) < 0.16 ? Light(0.2, 0.11, 0.05) * (1 - 3 * across) : nil }
    if down > 1.36 { return abs(abs(across) - 0.15) < 0.02 ? Light(0.05, 0.04, 0.03) : nil }
    // A sphere, and below it the cone tangent to it.
    let width = down < 0.6 ? (1 - down * down).squareRoot() : 1.25 - 0.75 * down
    return abs(across) < width ? envelope(across / width, width, down) : nil
  }

  private func envelope(_ side: Double, _ width: Double, _ down: Double) -> Light {
    let front = (1 - side * side).squareRoot()
    let tangent = side / (1 + front)
    // Sixteen times the longitude in units of π, by an approximate arctangent.
    let gore = 16 * tangent * (0.5 + 0.174 * (1 - abs(tangent))) + 20
    let seam = 2 * (gore - gore.rounded(.down)) - 1
    let isTrim = Int(gore) % 4 == 2 || (down > 0.55 && down < 0.7)
    let facing = -0.55 * side * width - 0.42 * min(down, 0.8) + 0.72 * front * width
    let shade = (0.13 + 0.85 * max(0, facing)) * (1 - 0.28 * seam * seam * seam * seam)
    return (isTrim ? trim : color) * shade
  }
}
