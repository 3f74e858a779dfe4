import Colorloom
import ImageFiles

/// Lines, bars and text on a white background, drawn as a bitmap or as SVG. Positions are in pixels, y downwards.
package struct PlotDrawing {
  /// Encoded sRGB, 0…1.
  package typealias Color = SIMD3<Double>

  package enum Anchor: String { case start, middle, end }

  enum Shape {
    case line([SIMD2<Double>], Color, width: Double)
    case bar(from: SIMD2<Double>, to: SIMD2<Double>, Color)
    /// `at` is on the baseline.
    case text(String, at: SIMD2<Double>, Color, Anchor)
  }

  /// The side of a letter's smallest square, in pixels.
  private static let letterScale = 1.5

  /// How wide a text is as pixels. As SVG it is usually narrower.
  static func length(of text: String) -> Double {
    Double(text.count) * PlotLetters.advance * letterScale
  }

  let width, height: Int
  private(set) var shapes: [Shape] = []

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  package mutating func line(_ points: [SIMD2<Double>], _ color: Color, width: Double = 1.5) {
    let points = points.filter { $0.x.isFinite && $0.y.isFinite }
    if points.count > 1 { shapes.append(.line(points, color, width: width)) }
  }

  package mutating func bar(from start: SIMD2<Double>, to end: SIMD2<Double>, _ color: Color) {
    shapes.append(.bar(from: pointwiseMin(start, end), to: pointwiseMax(start, end), color))
  }

  package mutating func text(
    _ text: String, at place: SIMD2<Double>, _ color: Color = Color(repeating: 0.25),
    _ anchor: Anchor = .start
  ) {
    shapes.append(.text(text, at: place, color, anchor))
  }
}

// MARK: - SVG

extension PlotDrawing {
  /// The drawing as SVG 1.1.
  package var svg: String {
    let body = shapes.map(Self.element).joined(separator: "\n")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="15">
      <rect width="\(width)" height="\(height)" fill="#ffffff"/>
      \(body)
      </svg>

      """
  }

  private static func element(of shape: Shape) -> String {
    switch shape {
    case .line(let points, let color, let width):
      let list = points.map { "\(tenths($0.x)),\(tenths($0.y))" }.joined(separator: " ")
      return "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(hex(color))\" "
        + "stroke-width=\"\(width)\" stroke-linejoin=\"round\"/>"
    case .bar(let start, let end, let color):
      return "<rect x=\"\(tenths(start.x))\" y=\"\(tenths(start.y))\" "
        + "width=\"\(tenths(end.x - start.x))\" height=\"\(tenths(end.y - start.y))\" "
        + "fill=\"\(hex(color))\"/>"
    case .text(let text, let place, let color, let anchor):
      return "<text x=\"\(tenths(place.x))\" y=\"\(tenths(place.y))\" fill=\"\(hex(color))\" "
        + "text-anchor=\"\(anchor.rawValue)\">\(xmlEscaped(text))</text>"
    }
  }

  private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

  private static func hex(_ color: Color) -> String {
    let bytes = (0..<3).map { Int((min(max(color[$0], 0), 1) * 255).rounded()) }
    return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

// MARK: - Pixels

extension PlotDrawing {
  /// Returns the drawing in sRGB, with antialiased lines: on white, and on a picture whose upper left corner is at `corner`.
  func bitmap(
    over picture: Bitmap<UInt8>? = nil, at corner: Offset = Offset(0, 0)
  ) -> Bitmap<UInt8> {
    var canvas = Canvas(width: width, height: height)
    if let picture { canvas.paint(picture, at: corner) }
    for shape in shapes {
      switch shape {
      case .line(let points, let color, let width): canvas.draw(points, color, width: width)
      case .bar(let start, let end, let color): canvas.fill(from: start, to: end, color)
      case .text(let text, let place, let color, let anchor):
        canvas.write(text, at: place, color, anchor)
      }
    }
    return Bitmap(PixelSize(width, height), in: .sRGB, channels: .rgb) { x, y in
      let color = canvas[x, y]
      return (0..<3).map { UInt8((min(max(color[$0], 0), 1) * 255).rounded()) }
    }
  }

  private struct Canvas {
    let width, height: Int
    private var pixels: [SIMD3<Double>]

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      pixels = [SIMD3<Double>](repeating: .one, count: width * height)
    }

    subscript(x: Int, y: Int) -> SIMD3<Double> { pixels[y * width + x] }

    mutating func paint(_ picture: Bitmap<UInt8>, at corner: Offset) {
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width {
          pixels[(y + corner.y) * width + x + corner.x] =
            SIMD3(
              Double(picture[x, y, 0]), Double(picture[x, y, 1]), Double(picture[x, y, 2])) / 255
        }
      }
    }

    private mutating func blend(_ color: Color, _ x: Int, _ y: Int, _ coverage: Double) {
      let index = y * width + x
      pixels[index] += (color - pixels[index]) * coverage
    }

    /// The pixels of an axis that a range of positions touches.
    private func clamped(_ low: Double, _ high: Double, to count: Int) -> Range<Int> {
      let first = Int(min(max(low.rounded(.down), 0), Double(count)))
      return first..<max(first, Int(min(max(high.rounded(.up), 0), Double(count))))
    }

    mutating func fill(from start: SIMD2<Double>, to end: SIMD2<Double>, _ color: Color) {
      for y in clamped(start.y, end.y, to: height) {
        let down = min(Double(y) + 1, end.y) - max(Double(y), start.y)
        for x in clamped(start.x, end.x, to: width) {
          let across = min(Double(x) + 1, end.x) - max(Double(x), start.x)
          blend(color, x, y, max(0, down) * max(0, across))
        }
      }
    }

    /// Draws a line. Of the coverages of its segments a pixel takes the largest, so that joints are no darker than lines.
    mutating func draw(_ points: [SIMD2<Double>], _ color: Color, width: Double) {
      var covered: [Int: Double] = [:]
      let reach = width / 2 + 1
      for (start, end) in zip(points, points.dropFirst()) {
        let (low, high) = (pointwiseMin(start, end), pointwiseMax(start, end))
        let way = end - start
        let length = max((way * way).sum(), 1e-12)
        for y in clamped(low.y - reach, high.y + reach, to: height) {
          for x in clamped(low.x - reach, high.x + reach, to: self.width) {
            let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - start
            let along = min(max((place * way).sum() / length, 0), 1)
            let gap = place - way * along
            let coverage = width / 2 + 0.5 - (gap * gap).sum().squareRoot()
            guard coverage > 0 else { continue }
            let index = y * self.width + x
            covered[index] = max(covered[index] ?? 0, min(coverage, 1))
          }
        }
      }
      for (index, coverage) in covered {
        blend(color, index % self.width, index / self.width, coverage)
      }
    }

    mutating func write(
      _ text: String, at place: SIMD2<Double>, _ color: Color, _ anchor: Anchor
    ) {
      let letters = PlotLetters.letters(of: text)
      let scale = PlotDrawing.letterScale
      let length = PlotDrawing.length(of: text)
      let left =
        switch anchor {
        case .start: place.x
        case .middle: place.x - length / 2
        case .end: place.x - length
        }
      for (index, letter) in letters.enumerated() {
        for (column, bits) in letter.enumerated() {
          for row in 0..<8 where bits >> row & 1 == 1 {
            let corner = SIMD2(
              left + (Double(index) * PlotLetters.advance + Double(column)) * scale,
              place.y + Double(row - 7) * scale)
            fill(from: corner, to: corner + scale, color)
          }
        }
      }
    }
  }
}
