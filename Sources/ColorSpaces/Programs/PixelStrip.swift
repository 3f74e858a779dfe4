/// A run of pixels of one row, planar, for code that works on many at once.
///
/// The strip is only valid inside of the call it is handed to.
public struct PixelStrip {
  /// One channel of the strip.
  public struct Channel {
    @usableFromInline let base: UnsafeMutablePointer<Float>
    /// How many pixels there are.
    public let count: Int

    @inlinable package init(base: UnsafeMutablePointer<Float>, count: Int) {
      (self.base, self.count) = (base, count)
    }

    /// The channel's value at pixel `index` of the strip.
    @inlinable public subscript(index: Int) -> Float {
      get {
        precondition(
          index >= 0 && index < count, "Pixel \(index) is outside of a strip of \(count) pixels.")
        return base[index]
      }
      nonmutating set {
        precondition(
          index >= 0 && index < count, "Pixel \(index) is outside of a strip of \(count) pixels.")
        base[index] = newValue
      }
    }
  }

  /// A channel of the strip that stages read and cannot change.
  public struct ReadOnlyChannel {
    @usableFromInline let base: UnsafePointer<Float>
    /// How many pixels there are.
    public let count: Int

    @inlinable package init(base: UnsafePointer<Float>, count: Int) {
      (self.base, self.count) = (base, count)
    }

    /// The channel's value at pixel `index` of the strip.
    @inlinable public subscript(index: Int) -> Float {
      precondition(
        index >= 0 && index < count, "Pixel \(index) is outside of a strip of \(count) pixels.")
      return base[index]
    }
  }

  // The kernels keep what is written here, in the plane of alpha, too: the rounding of a dither writes it, no client's stage can.
  // One count for all channels, and not one of each: so the compiler sees that what lies in one lies in all, and loops over
  // `indices` become loops over vectors.
  @usableFromInline package let planes:
    (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Float>
    )
  /// How many pixels there are.
  public let count: Int
  /// Where the strip begins in the picture.
  public let x, y: Int

  package init(planes: (Int) -> UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int) {
    self.planes = (planes(0), planes(1), planes(2), planes(3))
    (self.count, self.x, self.y) = (count, x, y)
  }

  /// The pixels' red.
  @inlinable public var red: Channel { Channel(base: planes.0, count: count) }
  /// The pixels' green.
  @inlinable public var green: Channel { Channel(base: planes.1, count: count) }
  /// The pixels' blue.
  @inlinable public var blue: Channel { Channel(base: planes.2, count: count) }
  /// The pixels' alpha, which stages cannot change.
  @inlinable public var alpha: ReadOnlyChannel {
    ReadOnlyChannel(base: planes.3, count: count)
  }

  /// The numbers of the strip's pixels: 0 up to their count.
  @inlinable public var indices: Range<Int> { 0..<count }

  /// Runs `body` over a strip of the one pixel at (x, y).
  static func withPixel(
    _ v: SIMD3<Double>, alpha: Double, x: Int, y: Int, _ body: (PixelStrip) -> Void
  ) -> SIMD3<Double> {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { buffer in
      for (index, value) in [v.x, v.y, v.z, alpha].enumerated() {
        buffer.initializeElement(at: index, to: Float(value))
      }
      guard let base = buffer.baseAddress else { return v }
      body(PixelStrip(planes: { base + $0 }, count: 1, x: x, y: y))
      return SIMD3(Double(buffer[0]), Double(buffer[1]), Double(buffer[2]))
    }
  }
}
