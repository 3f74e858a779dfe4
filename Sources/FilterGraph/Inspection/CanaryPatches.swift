internal import ColorSpaces
internal import ImageBuffer

/// The encoded colors of three fields, their marks and the grays below, in the space of a picture.
struct CanaryPatches {
  var colors: [ColorPoint]
  var space: ColorSpace
  /// Whether each patch has a uniform color.
  var areEven = true
  /// The shorter side of a field, in pixels.
  var side = Double.infinity

  /// The maximum error of a sample from lossy compression, in 8-bit codes.
  ///
  /// In some thousand thumbnails by four programs and six kernels at qualities 50…95, medians of fields had CIEDE2000
  /// errors of up to 1.2, of marks of up to 1.9, and of grays of up to 1.3 in lightness alone. Subsampled chroma that
  /// grays share with fields colored them by up to 8.8, in proportion to this error.
  private var lostCodes = 0.0

  init(_ numbers: [SIMD4<Double>], in space: ColorSpace) {
    colors = numbers.map { ColorPoint(SIMD3($0.x, $0.y, $0.z), in: space) }
    self.space = space
  }

  /// Measures the patches of a picture, given the orientation of the canary.
  init(
    of bitmap: Bitmap<Float>, lying orientation: Orientation, in space: ColorSpace,
    compressionError: Double
  ) {
    let size = orientation.uprightSize(of: bitmap.size)
    side = Self.sideOfField(in: size)
    lostCodes = compressionError * 255
    let parts = Self.parts(of: bitmap, size, lying: orientation)
    colors = parts.map { ColorPoint(median(of: Array($0.joined())), in: space) }
    self.space = space
    // Fields and marks of red and green differ by 5, two fields by 40 or more. Ringing changes them by up to 10.
    let limit: Double = showsTones ? 3 : 10
    let cast = grayCast
    areEven = zip(parts, colors).enumerated().allSatisfy { index, patch in
      patch.0.allSatisfy { part in
        let difference = ColorDifference.ciede2000()(
          ColorPoint(median(of: part), in: space), patch.1)
        return difference <= (index < 6 ? limit : limit + cast)
      }
    }
  }

  /// The largest CIEDE2000 difference of a field that counts as the same color. Clipping to DCI-P3 changes green by 1.7.
  private var tolerance: Double { 1 + lostCodes / 80 }
  /// The same of a mark, which has few pixels in a thumbnail, and chroma in common with the field around it.
  private var markTolerance: Double { 1 + lostCodes / 32 }
  /// The largest chroma that compression may give a gray.
  private var grayCast: Double { lostCodes / 4 }

  /// Whether some pixels are beyond the reach of ringing.
  var showsTones: Bool { side >= Self.sideOfField(in: Canary.leastSize) }

  var contrasts: SIMD3<Double> {
    SIMD3((0..<3).map { ColorDifference.ciede2000()(colors[$0], colors[$0 + 3]) })
  }

  /// The contrasts with each field scaled to full brightness, which makes them independent of exposure.
  var fullContrasts: SIMD3<Double> {
    let light = converted(to: ColorSpace.displayP3.linear)
    return light.withColors { index, color in
      color / light.colors[index % 3].components.max()
    }.contrasts
  }

  /// Whether red, green and blue lie side by side above grays from dark to light.
  var areArrangedAsPainted: Bool {
    areEven && haveFieldsInOrder && haveGraysInARow && lightness(6) < lightness(8)
  }

  /// Whether the first field and its mark are mostly red, the second green and the third blue, and the grays below much
  /// less saturated.
  var haveFieldsInOrder: Bool {
    let areInOrder = (0..<6).allSatisfy { index in
      let numbers = colors[index].converted(to: .displayP3).components
      return (0..<3).allSatisfy { $0 == index % 3 || numbers[$0] < numbers[index % 3] - 0.1 }
    }
    return areInOrder && (0..<3).allSatisfy { chroma($0 + 6) < chroma($0) / 2 }
  }

  /// Whether the last three patches are grays of increasing or decreasing lightness.
  var haveGraysInARow: Bool {
    let steps = [lightness(7) - lightness(6), lightness(8) - lightness(7)]
    return (6..<9).allSatisfy(isGray)
      && (steps.allSatisfy { $0 > 0.02 } || steps.allSatisfy { $0 < -0.02 })
  }

  var areGray: Bool { colors.indices.allSatisfy(isGray) }

  /// Whether a patch is gray within the error of compression.
  private func isGray(_ index: Int) -> Bool { chroma(index) <= 0.02 + 0.003 * grayCast }

  private func lightness(_ index: Int) -> Double {
    colors[index].converted(to: .oklch).components.x
  }

  private func chroma(_ index: Int) -> Double { colors[index].converted(to: .oklch).components.y }

  /// Whether the patches agree within the error of 8 bits and compression, with or without clipping to 0…1.
  func areClose(to others: CanaryPatches) -> Bool {
    [others, others.clamped].contains { others in
      zip(colors, others.colors).prefix(6).enumerated().allSatisfy { index, pair in
        ColorDifference.ciede2000()(pair.0, pair.1) <= (index < 3 ? tolerance : markTolerance)
      } && hasGrays(of: others)
    }
  }

  /// Whether the grays agree in lightness, and in color within the error of compression.
  func hasGrays(of others: CanaryPatches) -> Bool {
    zip(colors, others.colors).suffix(3).allSatisfy { color, other in
      let formula = ColorDifference.ciede2000()
      return formula(color, other) <= 1 + grayCast
        && formula(color.gray, other.gray) <= 1 + lostCodes / 40
    }
  }

  /// The values interpreted in another space.
  func tagged(as other: ColorSpace) -> CanaryPatches {
    var copy = self
    copy.space = other
    copy.colors = colors.map { ColorPoint($0.components, in: other) }
    return copy
  }

  /// The values interpreted in one space and converted to another.
  func read(as mistaken: ColorSpace, in target: ColorSpace) -> CanaryPatches {
    tagged(as: mistaken).converted(to: target)
  }

  func converted(to target: ColorSpace) -> CanaryPatches {
    var copy = self
    copy.space = target
    copy.colors = colors.map { $0.converted(to: target) }
    return copy
  }

  /// The values clipped to 0…1.
  var clamped: CanaryPatches {
    withColors { $1.clamped(lowerBound: .zero, upperBound: .one) }
  }

  /// The values converted to another space and clipped to its gamut.
  func clipped(by target: ColorSpace) -> CanaryPatches { converted(to: target).clamped }

  /// The values with permuted channels.
  func withChannels(_ order: [Int]) -> CanaryPatches {
    withColors { _, color in SIMD3(order.map { color[$0] }) }
  }

  private func withColors(_ change: (Int, SIMD3<Double>) -> SIMD3<Double>) -> CanaryPatches {
    var copy = self
    copy.colors = colors.enumerated().map { ColorPoint(change($0, $1.components), in: space) }
    return copy
  }
}

extension CanaryPatches {
  /// The shorter side of a field, in pixels.
  fileprivate static func sideOfField(in size: PixelSize) -> Double {
    min(Double(size.width) / 3, Double(size.height) * Canary.heightOfFields)
  }

  /// The pixels inside the three fields, marks and grays, by part: the corners of a field, its mark, the thirds of a
  /// gray. A part without a pixel takes the nearest one.
  fileprivate static func parts(
    of bitmap: Bitmap<Float>, _ size: PixelSize, lying orientation: Orientation
  ) -> [[[SIMD3<Double>]]] {
    func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let place = orientation.inverse.uprightPosition(x: x, y: y, in: size)
      return SIMD3((0..<3).map { Double(bitmap[place.x, place.y, $0]) })
    }
    let middles: [[(across: Double, down: Double)]] = [
      [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)], [(0.5, 0.5)],
      [(0.3, 0.5), (0.5, 0.5), (0.7, 0.5)],
    ]
    var parts = middles.flatMap { middles in
      [[[SIMD3<Double>]]](repeating: middles.map { _ in [] }, count: 3)
    }
    // A few thousand pixels are enough for medians.
    let (columns, rows) = (samples(of: size.width, 96), samples(of: size.height, 48))
    for y in rows {
      let down = (Double(y) + 0.5) / Double(size.height)
      for x in columns {
        let across = 3 * (Double(x) + 0.5) / Double(size.width)
        let field = min(Int(across), 2)
        guard let (kind, part) = interior(across: across - Double(field) - 0.5, down: down) else {
          continue
        }
        parts[3 * kind + field][part].append(color(x, y))
      }
    }
    for index in parts.indices {
      let (kind, field) = index.quotientAndRemainder(dividingBy: 3)
      for (part, middle) in middles[kind].enumerated() where parts[index][part].isEmpty {
        let down =
          kind < 2
          ? middle.down * Canary.heightOfFields
          : Canary.heightOfFields + middle.down * (1 - Canary.heightOfFields)
        let x = (Double(field) + middle.across) / 3 * Double(size.width)
        let y = down * Double(size.height)
        parts[index][part] = [color(min(Int(x), size.width - 1), min(Int(y), size.height - 1))]
      }
    }
    return parts
  }

  /// Up to about `most` evenly spaced positions.
  private static func samples(of count: Int, _ most: Int) -> StrideTo<Int> {
    let step = max(1, count / most)
    return stride(from: (count - 1) % step / 2, to: count, by: step)
  }

  /// The kind of interior at a position: field (0), mark (1) or gray (2), and its part; nil near edges, which
  /// resampling and compression blur. `across` is relative to the middle of the field.
  private static func interior(across: Double, down: Double) -> (kind: Int, part: Int)? {
    if abs(across) > 0.45 { return nil }
    if down > Canary.heightOfFields {
      let place = (down - Canary.heightOfFields) / (1 - Canary.heightOfFields)
      return (0.2...0.9).contains(place) ? (2, min(Int((across + 0.45) / 0.3), 2)) : nil
    }
    let below = down / Canary.heightOfFields - 0.5
    // Marks end at 0.35.
    let distance = abs(across) + abs(below)
    if distance < 0.26 { return (1, 0) }
    if distance < 0.45 || abs(below) > 0.45 { return nil }
    return (0, (below < 0 ? 0 : 2) + (across < 0 ? 0 : 1))
  }
}

extension ColorPoint {
  /// The gray of the same lightness.
  fileprivate var gray: ColorPoint {
    ColorPoint(SIMD3(converted(to: .labD65).components.x, 0, 0), in: .labD65)
  }
}

/// The median of each channel.
private func median(of colors: [SIMD3<Double>]) -> SIMD3<Double> {
  SIMD3((0..<3).map { channel in colors.map { $0[channel] }.sorted()[colors.count / 2] })
}
