internal import CPixelKernels
internal import ColorSpaces

/// Pixels of floats in memory, of which a channel's samples lie `step` values apart.
struct PixelRow {
  private let red, green, blue: UnsafeMutablePointer<Float>
  /// Nil for opaque pixels.
  private let opacity: UnsafeMutablePointer<Float>?
  private let step: Int
  let count: Int

  /// A strip in linear light, with straight alpha.
  init(_ strip: PixelStrip) {
    (red, green, blue, opacity) = strip.planes
    (step, count) = (1, strip.count)
  }

  /// A row of interleaved pixels; nil for an empty one.
  init?(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
    guard let first = samples.baseAddress else { return nil }
    let base = UnsafeMutablePointer(mutating: first)
    (red, green, blue) = (base, base + 1, base + 2)
    opacity = channels == 4 ? base + 3 : nil
    (step, count) = (channels, samples.count / channels)
  }

  func color(_ index: Int) -> SIMD3<Float> {
    SIMD3(red[index * step], green[index * step], blue[index * step])
  }

  /// The pixels where they lie, if kernels can read them there: in the strips of a program.
  var planes: ColorPlanes? {
    let distance = ColorPlanes.capacity
    guard step == 1, count <= distance, let opacity, green - red == distance,
      blue - green == distance, opacity - blue == distance, UInt(bitPattern: red) % 64 == 0
    else { return nil }
    return ColorPlanes(base: red)
  }

  func alpha(_ index: Int) -> Float { opacity?[index * step] ?? 1 }

  fileprivate func surface(from index: Int) -> cpk_surface {
    func first(_ plane: UnsafeMutablePointer<Float>) -> UnsafeMutableRawPointer {
      UnsafeMutableRawPointer(plane + index * step)
    }
    return cpk_surface(
      planes: (first(red), first(green), first(blue), opacity.map(first)),
      format: Int32(CPK_F32), step: Int32(step), streams: false)
  }
}

/// Memory for a few colors with alpha as the kernels read them: channel after channel.
struct ColorPlanes {
  let base: UnsafeMutablePointer<Float>

  /// The number of colors, which is the distance of a channel from the next one.
  static let capacity = 256
  /// The number of values.
  static let size = 4 * capacity

  subscript(channel: Int, index: Int) -> Float {
    get { base[channel * Self.capacity + index] }
    nonmutating set { base[channel * Self.capacity + index] = newValue }
  }

  func color(_ index: Int) -> SIMD3<Float> { SIMD3(self[0, index], self[1, index], self[2, index]) }

  /// Copies one of the colors.
  func copy(from source: ColorPlanes, _ index: Int, to target: Int) {
    for channel in 0..<4 { self[channel, target] = source[channel, index] }
  }

  /// Whether a channel of the first `count` colors is NaN or beyond ±`limit`.
  func exceed(_ limit: Float, _ count: Int) -> Bool {
    // Without the sign, bit patterns are in the order of the values, and those of NaN are the largest.
    var largest: UInt32 = 0
    for channel in 0..<3 {
      let plane = base + channel * Self.capacity
      for index in 0..<count {
        largest = max(largest, plane[index].bitPattern & ~(1 << 31))
      }
    }
    return largest > limit.bitPattern
  }

  /// Copies the first `count` colors with their channels clamped to ±`limit`. NaN is kept.
  func clamp(_ count: Int, of source: ColorPlanes, to limit: Float) {
    for index in 0..<count {
      copy(from: source, index, to: index)
      for channel in 0..<3 where abs(self[channel, index]) > limit {
        self[channel, index] = self[channel, index] < 0 ? -limit : limit
      }
    }
  }

  private var surface: cpk_surface {
    func plane(_ channel: Int) -> UnsafeMutableRawPointer {
      UnsafeMutableRawPointer(base + channel * Self.capacity)
    }
    return cpk_surface(
      planes: (plane(0), plane(1), plane(2), plane(3)), format: Int32(CPK_F32), step: 1,
      streams: false)
  }

  /// Copies pixels of a row.
  func load(_ count: Int, of row: PixelRow, from index: Int) {
    LoweredProgram.nothing.run(row.surface(from: index), surface, count: count, x: 0, y: 0)
  }

  /// Computes colors by a program from others, or from themselves.
  func compute(_ count: Int, from source: ColorPlanes, by program: LoweredProgram) {
    program.run(source.surface, surface, count: count, x: 0, y: 0)
  }
}
