#if COLORLOOM_OPENEXR
  internal import ImageBuffer

  /// Makes red, green and blue of luminance and chroma, of which 2 × 2 pixels share a sample.
  ///
  /// Chroma is interpolated along rows, then between rows, by a windowed sinc function. Pixels that interpolation makes much more saturated
  /// than those around them are desaturated.
  ///
  /// In half precision the results are those of `RgbaInputFile` in OpenEXR's C++ library, bit for bit: each of its steps rounds to half. It
  /// reads single precision as half as well; here single precision stays.
  final class OpenEXRChroma {
    /// How many rows above and below affect a row: those that chroma is interpolated from, and one more, because pixels are compared with
    /// those of the rows beside them.
    static let reach = taps.count

    /// The weights of the samples of chroma at odd distances (ImfRgbaYca.cpp, reconstructChromaHoriz).
    private static let taps: [Float] = [
      0.002128, -0.007540, 0.019597, -0.043159, 0.087929, -0.186077, 0.627123,
      0.627123, -0.186077, 0.087929, -0.043159, 0.019597, -0.007540, 0.002128,
    ]
    /// How many rows are kept: a power of two, above those within reach on both sides.
    private static let keptRows = 32

    private let width, height, channels: Int
    private let isFloat: Bool
    private let weights: LuminanceWeights
    private let memory: MemoryBlock
    /// The row that is made next, and the stored row that is added next.
    private var nextRow, nextStored: Int
    /// Whether the colors of the next row and the one above it are there.
    private var hasColors = false

    /// Creates the rows from `first` on of a picture. Stored rows are added from `stored` on, which is ``reach`` or more above, or the top.
    init(
      of info: ImageFileInfo, _ weights: LuminanceWeights, from first: Int, stored: Int,
      file: String
    ) throws(ImageFileError) {
      (width, height) = (info.storedSize.width, info.storedSize.height)
      (channels, isFloat, self.weights) = (info.channels.count, info.samples == .float32, weights)
      (nextRow, nextStored) = (first, stored)
      memory = try MemoryBlock(
        byteCount: wholeBytes(Self.memoryBytes(width: Double(width))), isZeroed: true, for: file)
    }

    /// The bytes of memory that rows of this width take: four planes of kept rows, five of the colors of three, and a row of chroma.
    static func memoryBytes(width: Double) -> Double {
      4 * (width * Double(4 * keptRows + 5 * 3) + width / 2 + Double(taps.count))
    }

    /// Whether the next row needs a stored row that was not added.
    var needsRow: Bool { nextStored <= min(nextRow + Self.reach, height - 1) }

    /// Adds the next stored row: luminance, two samples of chroma, and alpha of each pixel. Only every other pixel of every other row holds
    /// chroma.
    func add(_ row: UnsafeRawBufferPointer) {
      copy(row, 0, to: plane(0, ofStored: nextStored))
      if channels > 3 { copy(row, 3, to: plane(3, ofStored: nextStored)) }
      if nextStored % 2 == 0 {
        for channel in 1...2 { interpolate(row, channel, to: plane(channel, ofStored: nextStored)) }
      }
      nextStored += 1
    }

    /// Makes the next row: of each pixel red, green, blue and alpha.
    func makeRow(into row: UnsafeMutableRawBufferPointer) {
      for y in (hasColors ? nextRow + 1 : nextRow - 1)...nextRow + 1 { makeColors(y) }
      hasColors = true
      bound(into: row)
      nextRow += 1
    }
  }

  // Planes of samples in single precision.

  extension OpenEXRChroma {
    private typealias Plane = UnsafeMutableBufferPointer<Float>

    private func plane(_ index: Int, count: Int) -> Plane {
      let samples = memory.bytes.bindMemory(to: Float.self)
      return Plane(rebasing: samples[index * width..<index * width + count])
    }

    /// Luminance, the two chroma samples of every pixel, or alpha of a stored row. The rows above and below are those nearest to them that
    /// hold chroma, as in the library.
    private func plane(_ channel: Int, ofStored y: Int) -> Plane {
      let row = y < 0 ? 0 : y < height ? y : height - 2
      return plane(4 * (row % Self.keptRows) + channel, count: width)
    }

    /// Red, green, blue, alpha or saturation of a row, which may be that above or below the picture.
    private func plane(_ channel: Int, ofColors y: Int) -> Plane {
      plane(4 * Self.keptRows + 5 * ((y + 1) % 3) + channel, count: width)
    }

    private func rounded(_ value: Float) -> Float { isFloat ? value : Float(Float16(value)) }

    private func sample(_ row: UnsafeRawBufferPointer, _ index: Int) -> Float {
      isFloat
        ? row.load(fromByteOffset: 4 * index, as: Float.self)
        : Float(row.load(fromByteOffset: 2 * index, as: Float16.self))
    }

    private func copy(_ row: UnsafeRawBufferPointer, _ channel: Int, to plane: Plane) {
      for x in 0..<width { plane[x] = sample(row, x * channels + channel) }
    }

    /// Fills in the chroma of pixels that store none. Beyond its ends a row goes on as its first and last samples.
    private func interpolate(_ row: UnsafeRawBufferPointer, _ channel: Int, to plane: Plane) {
      let (count, margin) = (width / 2, Self.taps.count / 2)
      let samples = self.plane(4 * Self.keptRows + 5 * 3, count: count + 2 * margin)
      for index in 0..<count + 2 * margin {
        let pixel = 2 * min(max(index - margin, 0), count - 1)
        samples[index] = sample(row, pixel * channels + channel)
      }
      for index in 0..<count {
        plane[2 * index] = samples[index + margin]
        var sum = samples[index + 1] * Self.taps[0]
        for tap in 1..<Self.taps.count { sum += samples[index + 1 + tap] * Self.taps[tap] }
        plane[2 * index + 1] = rounded(sum)
      }
    }

    /// Chroma of a row that stores none.
    private func interpolate(_ channel: Int, of y: Int, to plane: Plane) {
      let rows = Self.taps.indices.map { self.plane(channel, ofStored: y - 13 + 2 * $0) }
      for x in 0..<width {
        var sum = rows[0][x] * Self.taps[0]
        for tap in 1..<Self.taps.count { sum += rows[tap][x] * Self.taps[tap] }
        plane[x] = rounded(sum)
      }
    }

    private func makeColors(_ y: Int) {
      let (red, green, blue) = (
        plane(0, ofColors: y), plane(1, ofColors: y), plane(2, ofColors: y)
      )
      let (luminance, saturation) = (plane(0, ofStored: y), plane(4, ofColors: y))
      if channels > 3 {
        _ = plane(3, ofColors: y).update(fromContentsOf: plane(3, ofStored: y))
      }
      var chroma = (plane(1, ofStored: y), plane(2, ofStored: y))
      if y % 2 != 0 {
        interpolate(1, of: y, to: red)
        interpolate(2, of: y, to: blue)
        chroma = (red, blue)
      }
      for x in 0..<width {
        let color = weights.color(luminance[x], chroma.0[x], chroma.1[x])
        let stored = SIMD3(rounded(color.x), rounded(color.y), rounded(color.z))
        (red[x], green[x], blue[x]) = (stored.x, stored.y, stored.z)
        saturation[x] = stored.saturation
      }
    }

    /// Writes the next row, with the saturation of its pixels bounded by that of the four pixels at their corners.
    private func bound(into row: UnsafeMutableRawBufferPointer) {
      let planes = (0..<5).map { plane($0, ofColors: nextRow) }
      let (above, below) = (plane(4, ofColors: nextRow - 1), plane(4, ofColors: nextRow + 1))
      for x in 0..<width {
        let (left, right) = (max(x - 1, 0), min(x + 1, width - 1))
        let mean = 0.25 * (above[left] + above[right] + below[left] + below[right])
        var color = SIMD3(planes[0][x], planes[1][x], planes[2][x])
        // A mean that is NaN counts as 1.
        let (saturation, usual) = (planes[4][x], mean < 1 ? mean : 1)
        let largest = min(1, 1 - (1 - usual) * 0.25)
        if saturation > usual, saturation > largest {
          color = weights.desaturated(color, by: largest / saturation, rounded)
        }
        for channel in 0..<channels {
          let value = channel < 3 ? color[channel] : planes[3][x]
          let index = x * channels + channel
          if isFloat {
            row.storeBytes(of: value, toByteOffset: 4 * index, as: Float.self)
          } else {
            row.storeBytes(of: Float16(value), toByteOffset: 2 * index, as: Float16.self)
          }
        }
      }
    }
  }
#endif
