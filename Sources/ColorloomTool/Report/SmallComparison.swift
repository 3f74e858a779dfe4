import Colorloom

/// A change of colors that a pipeline may have made.
enum ColorChange: Hashable {
  /// Converted to the file's space.
  case none
  /// Converted, and clipped to the file's space.
  case clipped
  /// Clipped to sRGB, and converted to the file's space.
  case clippedToSRGB
  /// Tagged as the file's space without conversion.
  case retagged
  /// Converted, taken for the original's space, and converted again.
  case convertedTwice
  /// Converted to sRGB, and tagged as the file's space.
  case valuesOfSRGB
  /// The channels are in another order, which the words name.
  case exchanged(String)
  /// Without chroma.
  case gray
  /// Each channel is a function of the original's.
  case curve(clips: Bool)

  /// A few words for lists.
  var name: String {
    switch self {
    case .none: "intact"
    case .clipped: "clipped"
    case .clippedToSRGB: "clipped to sRGB"
    case .retagged: "values kept"
    case .convertedTwice: "converted twice"
    case .valuesOfSRGB: "sRGB values"
    case .exchanged(let order): order
    case .gray: "gray"
    case .curve(let clips): clips ? "tone curve, clipped" : "tone curve"
    }
  }
}

/// A color change and an orientation that may explain a file, and the distance between the file and its prediction.
struct Hypothesis {
  let change: ColorChange
  /// How the pixels were rotated or mirrored.
  var orientation = Orientation.upright
  /// The mean distance from the file's encoded values, 0…1.
  let distance: Double

  /// A few words for lists.
  var name: String {
    guard let turn else { return change.name }
    return change == .none ? turn : "\(turn), \(change.name)"
  }

  /// The orientation in words; nil where it is that of the original.
  var turn: String? {
    switch orientation {
    case .upright: nil
    case .mirrored: "mirrored horizontally"
    case .halfTurned: "rotated by 180°"
    case .flipped: "mirrored vertically"
    case .transposed: "mirrored at the main diagonal"
    case .quarterTurned: "rotated by 90° clockwise"
    case .transverse: "mirrored at the other diagonal"
    case .quarterTurnedBack: "rotated by 90° counterclockwise"
    }
  }
}

/// Compares small copies of a file and of the predictions that hypotheses make from its original.
struct SmallComparison {
  private let sample, original: Picture
  private let options: RenderOptions
  /// The size of the copies.
  private let size: PixelSize

  init(of sample: Picture, with original: Picture, options: RenderOptions) {
    (self.sample, self.original, self.options) = (sample, original, options)
    let scale = min(1, 128 / Double(max(original.size.width, original.size.height)))
    size = PixelSize(
      max(1, Int((Double(original.size.width) * scale).rounded())),
      max(1, Int((Double(original.size.height) * scale).rounded())))
  }

  /// Whether the original has colors that the file's space cannot hold.
  func originalHasColorsOutside() throws -> Bool {
    try small(original).firstPixel(outside: sample.space, options: options) != nil
  }

  /// Returns a hypothesis of each name, the nearest one first.
  func hypotheses() throws -> [Hypothesis] {
    let found = try render(sample)
    var predictions = try predictions.map { ($0.change, try render($0.picture)) }
    // Only what is gray now was turned gray.
    if !found.isGray || predictions[0].1.isGray { predictions.removeAll { $0.0 == .gray } }
    var hypotheses = predictions.map { change, predicted in
      Hypothesis(change: change, distance: found.distance(from: predicted))
    }
    let nearest = hypotheses.map(\.distance).min() ?? 0
    // A curve or an orientation counts where it halves the distance of all others: both fit noise and dark pictures a little better.
    if nearest > 0.01 {
      let curve = found.distanceByCurve(from: predictions[1].1)
      if curve.distance < nearest / 2 {
        hypotheses.append(
          Hypothesis(change: .curve(clips: curve.clips), distance: curve.distance))
      }
      hypotheses += try turned(predictions).filter { $0.distance < nearest / 2 }
    }
    var names: Set<String> = []
    return hypotheses.sorted { $0.distance < $1.distance }
      .filter { names.insert($0.name).inserted }
  }

  /// Returns the predictions' distances from the file turned back by each orientation.
  private func turned(
    _ predictions: [(ColorChange, Bitmap<Float>)]
  ) throws -> [Hypothesis] {
    try Orientation.allCases.dropFirst().flatMap { orientation in
      let upright = try render(sample.oriented(orientation.inverse))
      return predictions.map { change, predicted in
        Hypothesis(
          change: change, orientation: orientation, distance: upright.distance(from: predicted))
      }
    }
  }

  /// What each color change would have made of the original, in the space of the file: first intact, then clipped.
  private var predictions: [(change: ColorChange, picture: Picture)] {
    let (space, source) = (sample.space, original.space)
    let clipped = original.fitted(into: space, by: .clipped)
    let retagged = original.tagged(as: space)
    let inSRGB = original.fitted(into: .sRGB, by: .clipped)
    var predictions: [(change: ColorChange, picture: Picture)] = [
      (.none, original.converted(to: space)), (.clipped, clipped),
    ]
    if source != space {
      predictions += [
        (.retagged, retagged),
        (.convertedTwice, clipped.tagged(as: source).fitted(into: space, by: .clipped)),
      ]
    }
    if space != .sRGB {
      predictions += [
        (.valuesOfSRGB, inSRGB.tagged(as: space)), (.clippedToSRGB, inSRGB.converted(to: space)),
      ]
    }
    // Both a conversion and none may have come before the channels were exchanged.
    for picture in [clipped, retagged] {
      predictions += Self.orders.map { name, matrix in
        (.exchanged(name), picture.channelMix(matrix, in: .encoded))
      }
    }
    predictions.append((.gray, clipped.monochrome()))
    predictions += Self.grays.map { (.gray, clipped.channelMix($0, in: .encoded)) }
    return predictions
  }

  /// The orders of channels other than red, green, blue.
  private static let orders: [(String, ColorMatrix)] = [
    ("red and blue swapped", ColorMatrix(rows: [0, 0, 1], [0, 1, 0], [1, 0, 0])),
    ("red and green swapped", ColorMatrix(rows: [0, 1, 0], [1, 0, 0], [0, 0, 1])),
    ("green and blue swapped", ColorMatrix(rows: [1, 0, 0], [0, 0, 1], [0, 1, 0])),
    ("channels rotated", ColorMatrix(rows: [0, 1, 0], [0, 0, 1], [1, 0, 0])),
    ("channels rotated", ColorMatrix(rows: [0, 0, 1], [1, 0, 0], [0, 1, 0])),
  ]

  /// Grays of encoded values: luma of Rec. 601 and of Rec. 709, and the mean.
  private static let grays = [
    SIMD3(0.299, 0.587, 0.114), [0.2126, 0.7152, 0.0722], SIMD3(repeating: 1 / 3.0),
  ].map { ColorMatrix(rows: $0, $0, $0) }

  private func small(_ picture: Picture) -> Picture {
    picture.placed(at: .zero).resized(to: .exact(size.width, size.height), by: .box)
  }

  private func render(_ picture: Picture) throws -> Bitmap<Float> {
    try small(picture).render(as: Float.self, options: options)
  }
}

extension Bitmap<Float> {
  /// The mean distance of encoded values, clamped to 0…1 as integer formats are.
  fileprivate func distance(from other: Bitmap<Float>) -> Double {
    var sum = 0.0
    forEachValue(self, other) { _, x, y in sum += abs(Double(x) - Double(y)) }
    return sum / Double(3 * size.pixelCount)
  }

  /// The mean distance from the best function of each channel of `original`, in 64 steps, and whether many values were
  /// newly clipped at an end.
  fileprivate func distanceByCurve(
    from original: Bitmap<Float>
  ) -> (distance: Double, clips: Bool) {
    let steps = 64
    var (sums, counts) = (
      [Double](repeating: 0, count: 3 * steps), [Double](repeating: 0, count: 3 * steps)
    )
    var ends = (found: 0, original: 0)
    func index(_ channel: Int, _ value: Float) -> Int {
      channel * steps + min(Int(value * Float(steps)), steps - 1)
    }
    forEachValue(self, original) { channel, value, original in
      sums[index(channel, original)] += Double(value)
      counts[index(channel, original)] += 1
      if value <= 0.002 || value >= 0.998 { ends.found += 1 }
      if original <= 0.002 || original >= 0.998 { ends.original += 1 }
    }
    var sum = 0.0
    forEachValue(self, original) { channel, value, original in
      let place = index(channel, original)
      sum += abs(Double(value) - sums[place] / counts[place])
    }
    let values = Double(3 * size.pixelCount)
    return (sum / values, Double(ends.found - ends.original) / values > 0.01)
  }

  /// Whether no pixel has chroma beyond the errors of JPEG.
  fileprivate var isGray: Bool {
    (0..<size.height).allSatisfy { y in
      (0..<size.width).allSatisfy { x in
        let (r, g, b) = (self[x, y, 0], self[x, y, 1], self[x, y, 2])
        return Swift.max(r, g, b) - Swift.min(r, g, b) < 0.02
      }
    }
  }
}

/// Visits the color values of two bitmaps of one size, clamped to 0…1.
private func forEachValue(
  _ a: Bitmap<Float>, _ b: Bitmap<Float>, _ body: (Int, Float, Float) -> Void
) {
  func held(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
  for y in 0..<a.size.height {
    for x in 0..<a.size.width {
      for channel in 0..<3 { body(channel, held(a[x, y, channel]), held(b[x, y, channel])) }
    }
  }
}
