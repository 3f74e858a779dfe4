import Colorloom
import ImageFiles

/// The diagnosis of a pipeline's color changes: the hypothesis whose predicted values are nearest to those of the file.
struct Diagnosis {
  /// A few words that name what happened.
  let finding: String
  /// Whether the colors are those of the original, as far as the file's format allows.
  let isIntact: Bool
  /// Each hypothesis, and its mean distance from the file's encoded values, 0…1; the nearest one first.
  let distances: [(hypothesis: String, distance: Double)]

  /// One thing that may have happened, and the picture that it would have made, in the space of the file.
  private struct Hypothesis {
    let name: String
    let picture: Picture
  }

  /// Compares small copies of an original and of what came out of a pipeline.
  init(
    of file: OpenedImageFile, at path: String, assuming assumption: Assumption?,
    original: Picture, in session: Session
  ) throws {
    let options = session.settings.renderOptions
    let sample = try file.picture(assuming: assumption?.space ?? .sRGB)
    let space = sample.space
    let source = original.space
    let isTagged = file.info.color.isUsable
    let size = Self.size(for: original.size)
    func small(_ picture: Picture) -> Picture {
      picture.placed(at: .zero).resized(to: .exact(size.width, size.height), by: .box)
    }
    let standard = small(original)
    let found = try small(sample).render(as: Float.self, options: options)

    let converted = standard.converted(to: space)
    let clipped = standard.fitted(into: space, by: .clipped)
    let kept = standard.tagged(as: space)
    var hypotheses = [
      Hypothesis(name: "intact", picture: converted), Hypothesis(name: "clipped", picture: clipped),
    ]
    if source != space {
      hypotheses += [
        Hypothesis(name: "values kept", picture: kept),
        Hypothesis(
          name: "converted twice",
          picture: clipped.tagged(as: source).fitted(into: space, by: .clipped)),
      ]
    }
    if space != .sRGB {
      hypotheses += [
        Hypothesis(
          name: "sRGB values",
          picture: standard.fitted(into: .sRGB, by: .clipped).tagged(as: space)),
        Hypothesis(
          name: "clipped to sRGB",
          picture: standard.fitted(into: .sRGB, by: .clipped).converted(to: space)),
      ]
    }
    let orders: [(String, ColorMatrix)] = [
      ("red and blue swapped", ColorMatrix(rows: [0, 0, 1], [0, 1, 0], [1, 0, 0])),
      ("red and green swapped", ColorMatrix(rows: [0, 1, 0], [1, 0, 0], [0, 0, 1])),
      ("green and blue swapped", ColorMatrix(rows: [1, 0, 0], [0, 0, 1], [0, 1, 0])),
      ("channels rotated", ColorMatrix(rows: [0, 1, 0], [0, 0, 1], [1, 0, 0])),
      ("channels rotated", ColorMatrix(rows: [0, 0, 1], [1, 0, 0], [0, 1, 0])),
    ]
    // Both a conversion and none may have come before the channels were exchanged.
    hypotheses += [clipped, kept].flatMap { picture in
      orders.map { name, matrix in
        Hypothesis(name: name, picture: picture.channelMix(matrix, in: .encoded))
      }
    }
    hypotheses.append(Hypothesis(name: "gray", picture: clipped.monochrome()))

    let values = try hypotheses.map { hypothesis in
      (hypothesis.name, try hypothesis.picture.render(as: Float.self, options: options))
    }
    var distances = values.map { name, bitmap in
      (hypothesis: name, distance: Self.distance(found, bitmap))
    }
    // A tone curve is any function of the value: of the intact picture, and of one clipped to the space.
    let curve = Self.distanceByCurve(found, values[1].1)
    let nearest = distances.map(\.distance).min() ?? 0
    if curve.distance < nearest / 2, nearest > 0.01 {
      distances.append((curve.clips ? "tone curve, clipped" : "tone curve", curve.distance))
    }
    if Self.isGray(found), !Self.isGray(values[0].1) { distances.append(("gray", -1)) }
    distances.sort { $0.distance < $1.distance }
    self.distances = distances.map { ($0.hypothesis, max($0.distance, 0)) }

    let best = distances[0]
    let wide = try standard.firstPixel(outside: space, options: options) != nil
    let error = sample.sourcePrecisions.map(\.compressionError).max() ?? 0
    let statement = file.info.color.summary
    switch best.hypothesis {
    case "intact", "clipped", "clipped to sRGB":
      if best.distance > max(0.02, 2 * error) {
        finding =
          "The colors differ by \(Self.percent(best.distance)) of the range on average; no known mistake explains it."
        isIntact = false
      } else if !isTagged {
        finding =
          "The picture was converted to \(space.name) and nothing says so: the file has no profile."
        isIntact = false
      } else if best.hypothesis == "clipped to sRGB", wide || source != .sRGB,
        nearest < distances.first(where: { $0.hypothesis == "intact" })?.distance ?? 1
      {
        finding = "The colors were clipped to sRGB, and are tagged as \(space.name) now."
        isIntact = false
      } else if wide {
        finding =
          "Colors outside of \(space.name) were clipped, because the file holds values from 0 to 1 only."
        isIntact = false
      } else if error > 4.0 / 255 {
        finding =
          "JPEG quantization: its tables allow \(Self.codes(error)) codes of error in a sample."
        isIntact = false
      } else {
        finding = "The colors are those of the original."
        isIntact = true
      }
    case "values kept":
      finding =
        isTagged
        ? "The values of \(source.name) are tagged as \(statement): a space was assigned where colors should have been converted."
        : "The profile was dropped: the values are those of \(source.name), and nothing says so."
      isIntact = false
    case "converted twice":
      finding =
        "The colors were converted twice: values of \(space.name) were taken for \(source.name) and converted again."
      isIntact = false
    case "sRGB values":
      finding =
        "The values are those of sRGB and are tagged as \(statement): the colors are too saturated now."
      isIntact = false
    case "gray":
      finding = "The colors were turned gray."
      isIntact = false
    case "tone curve", "tone curve, clipped":
      finding =
        "A tone curve changed the values"
        + (best.hypothesis == "tone curve" ? "." : " and clipped what it brought beyond 0 or 1.")
      isIntact = false
    default:
      finding = "The channels are in another order: \(best.hypothesis)."
      isIntact = false
    }
  }

  private static func size(for size: PixelSize) -> PixelSize {
    let scale = min(1, 128 / Double(max(size.width, size.height)))
    return PixelSize(
      max(1, Int((Double(size.width) * scale).rounded())),
      max(1, Int((Double(size.height) * scale).rounded())))
  }

  private static func percent(_ part: Double) -> String { "\((part * 1000).rounded() / 10) %" }
  private static func codes(_ part: Double) -> Double { (part * 2550).rounded() / 10 }

  /// The mean distance of encoded values, held in 0…1 as an integer format holds them.
  private static func distance(_ a: Bitmap<Float>, _ b: Bitmap<Float>) -> Double {
    var sum = 0.0
    forEachValue(a, b) { _, x, y in sum += abs(Double(x) - Double(y)) }
    return sum / Double(3 * a.size.pixelCount)
  }

  private static func forEachValue(
    _ a: Bitmap<Float>, _ b: Bitmap<Float>, _ body: (Int, Float, Float) -> Void
  ) {
    func held(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
    for y in 0..<a.size.height {
      for x in 0..<a.size.width {
        for channel in 0..<3 { body(channel, held(a[x, y, channel]), held(b[x, y, channel])) }
      }
    }
  }

  /// The mean distance from the best function of each channel's values, in 64 steps, and whether many values were newly clipped at an end.
  private static func distanceByCurve(
    _ found: Bitmap<Float>, _ standard: Bitmap<Float>
  ) -> (distance: Double, clips: Bool) {
    let steps = 64
    var (sums, counts) = (
      [Double](repeating: 0, count: 3 * steps), [Double](repeating: 0, count: 3 * steps)
    )
    var ends = (found: 0, standard: 0)
    func index(_ channel: Int, _ value: Float) -> Int {
      channel * steps + min(Int(value * Float(steps)), steps - 1)
    }
    forEachValue(found, standard) { channel, value, original in
      sums[index(channel, original)] += Double(value)
      counts[index(channel, original)] += 1
      if value <= 0.002 || value >= 0.998 { ends.found += 1 }
      if original <= 0.002 || original >= 0.998 { ends.standard += 1 }
    }
    var sum = 0.0
    forEachValue(found, standard) { channel, value, original in
      let place = index(channel, original)
      sum += abs(Double(value) - sums[place] / counts[place])
    }
    let values = Double(3 * found.size.pixelCount)
    return (sum / values, Double(ends.found - ends.standard) / values > 0.01)
  }

  private static func isGray(_ bitmap: Bitmap<Float>) -> Bool {
    (0..<bitmap.size.height).allSatisfy { y in
      (0..<bitmap.size.width).allSatisfy { x in
        let (r, g, b) = (bitmap[x, y, 0], bitmap[x, y, 1], bitmap[x, y, 2])
        return max(r, g, b) - min(r, g, b) < 0.02
      }
    }
  }
}
