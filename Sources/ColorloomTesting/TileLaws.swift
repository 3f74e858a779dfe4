internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The laws that are checked by passing single tiles to a filter, surrounded by guard memory.
struct TileLaws {
  let name: String
  let tolerance: Double
  private let size: PixelSize

  init(name: String, tolerance: Double, size: PixelSize = PixelSize(61, 37)) {
    (self.name, self.tolerance, self.size) = (name, tolerance, size)
  }

  /// Returns the violations of an area filter: for a picture, and for ones so small that most filters read only beyond
  /// their edges.
  static func violations(
    of filter: some AreaFilter, name: String, tolerance: Double
  ) -> [FilterViolation] {
    for size in [PixelSize(61, 37), PixelSize(5, 3), PixelSize(1, 1)] {
      let found = TileLaws(name: name, tolerance: tolerance, size: size).violations(of: filter)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func violations<Filter: AreaFilter>(of filter: Filter) -> [FilterViolation] {
    let found = Findings(name)
    let output: PixelSize
    do throws(RecipeError) { output = try filter.outputSize(for: size) } catch {
      found.add(.renders, "\(error)")
      return found.violations
    }
    guard output.width > 0, output.height > 0 else { return found.violations }
    if found.isTooLarge(output) { return found.violations }
    let preparation = filter.prepare(for: size)
    for planes in [3, 4] {
      let source = pixels(planes, seed: 1)
      for region in parts(of: output) {
        let seen = filter.inputRegion(for: region, of: size)
        // Pixels outside of the picture are filled with the nearest edge pixels.
        let available = seen.clamped(to: Region(size))
        var meant: [SIMD4<Double>] = []
        for y in region.rows {
          for x in region.columns {
            meant.append(
              filter.pixel(x: x, y: y, of: size) { column, row in
                // Beyond the edges, the nearest edge pixels.
                let inside = Region(
                  x: min(max(column, 0), size.width - 1), y: min(max(row, 0), size.height - 1),
                  width: 1, height: 1)
                if !available.contains(inside) {
                  found.add(
                    .region,
                    "(\(x), \(y)) is made of (\(column), \(row)), outside of the \(seen) that "
                      + "\(region) was said to need")
                }
                return SIMD4<Double>(source(column, row))
              })
          }
        }
        if found.contains(.region) { return found.violations }
        check(
          region, of: output, planes, inputs: [(seen.isEmpty ? available : seen, source)], meant,
          found,
          scratch: filter.scratchCount(for: region, from: seen, planes: planes)
        ) { output, inputs in filter.render(into: output, from: inputs[0], with: preparation) }
      }
    }
    return found.violations
  }

  func violations(of filter: some BlendFilter, inputs count: Int) -> [FilterViolation] {
    let found = Findings(name)
    for alphas in alphas(of: count) {
      let sources = alphas.enumerated().map { pixels($1 ? 4 : 3, seed: UInt64($0) + 1) }
      let meant = Region(size).rows.flatMap { y in
        Region(size).columns.map { x in filter.pixel(sources.map { SIMD4<Double>($0(x, y)) }) }
      }
      checkOpacity(of: meant, filter.hasAlpha(alphas) ? 4 : 3, found)
    }
    for region in parts(of: size) {
      let sources = (0..<count).map { pixels(4, seed: UInt64($0) + 1) }
      let planes = filter.hasAlpha([Bool](repeating: true, count: count)) ? 4 : 3
      let meant = region.rows.flatMap { y in
        region.columns.map { x in filter.pixel(sources.map { SIMD4<Double>($0(x, y)) }) }
      }
      checkChannelSources(of: filter, in: region, sources, meant, found)
      check(region, of: size, planes, inputs: sources.map { (region, $0) }, meant, found) {
        filter.render(into: $0, from: $1)
      }
    }
    return found.violations
  }

  /// Returns the violations of an area filter of several pictures.
  static func violations(
    of filter: some AreaBlendFilter, inputs: Int, name: String, tolerance: Double
  ) -> [FilterViolation] {
    for size in [PixelSize(61, 37), PixelSize(5, 3), PixelSize(1, 1)] {
      let found = TileLaws(name: name, tolerance: tolerance, size: size)
        .violations(of: filter, inputs: inputs)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func violations(
    of filter: some AreaBlendFilter, inputs count: Int
  ) -> [FilterViolation] {
    let found = Findings(name)
    let preparation = filter.prepare(for: size)
    for alphas in alphas(of: count) {
      let sources = alphas.enumerated().map { pixels($1 ? 4 : 3, seed: UInt64($0) + 1) }
      let meant = Region(size).rows.flatMap { y in
        Region(size).columns.map { x in
          filter.pixel(x: x, y: y, of: size) { SIMD4<Double>(sources[$0]($1, $2)) }
        }
      }
      checkOpacity(of: meant, filter.hasAlpha(alphas) ? 4 : 3, found)
    }
    let sources = (0..<count).map { pixels(4, seed: UInt64($0) + 1) }
    let planes = filter.hasAlpha([Bool](repeating: true, count: count)) ? 4 : 3
    for region in parts(of: size) {
      let seen = (0..<count).map { filter.inputRegion($0, for: region, of: size) }
      // Pixels outside of the picture are filled with the nearest edge pixels.
      let available = seen.map { $0.clamped(to: Region(size)) }
      let meant = region.rows.flatMap { y in
        region.columns.map { x in
          filter.pixel(x: x, y: y, of: size) { input, column, row in
            let inside = Region(
              x: min(max(column, 0), size.width - 1), y: min(max(row, 0), size.height - 1),
              width: 1, height: 1)
            if !available[input].contains(inside) {
              found.add(
                .region,
                "(\(x), \(y)) is made of (\(column), \(row)) of input \(input), outside of the "
                  + "\(seen[input]) that \(region) was said to need")
            }
            return SIMD4<Double>(sources[input](column, row))
          }
        }
      }
      if found.contains(.region) { return found.violations }
      let inputs = (0..<count).map { input in
        (seen[input].isEmpty ? available[input] : seen[input], sources[input])
      }
      check(
        region, of: size, planes, inputs: inputs, meant, found,
        scratch: filter.scratchCount(for: region, from: seen, planes: planes)
      ) { filter.render(into: $0, from: $1, with: preparation) }
    }
    return found.violations
  }

  /// Compares the computed channels of a blend with the inputs it declares as their sources.
  private func checkChannelSources(
    of filter: some BlendFilter, in region: Region, _ inputs: [(Int, Int) -> SIMD4<Float>],
    _ meant: [SIMD4<Double>], _ found: Findings
  ) {
    guard let sources = filter.channelSources(inputs: inputs.count) else { return }
    let named = [sources.red, sources.green, sources.blue]
    guard named.allSatisfy(inputs.indices.contains) else {
      found.add(.fusion, "takes channels from the inputs \(named), and has \(inputs.count)")
      return
    }
    let alpha = filter.pixel(inputs.map { _ in SIMD4(0.25, 0.25, 0.25, 0.5) }).w
    if alpha != (sources.keepsCommonAlpha ? 0.5 : 1) {
      found.add(
        .fusion,
        "has the alpha \(alpha) of inputs that all have 0.5, and says that it "
          + (sources.keepsCommonAlpha ? "keeps alpha" : "is opaque"))
    }
    for (index, pixel) in meant.enumerated() {
      let (x, y) = (region.x + index % region.width, region.y + index / region.width)
      for channel in 0..<3 where pixel[channel] != Double(inputs[named[channel]](x, y)[channel]) {
        found.add(
          .fusion,
          "(\(x), \(y)) channel \(channel) is not that of the input \(named[channel]), which it is "
            + "said to be taken from")
        return
      }
    }
  }

  func violations(of painter: some Painter) -> [FilterViolation] {
    let found = Findings(name)
    let whole = painter.size ?? size
    // The laws of pictures report that nothing can be rendered.
    guard whole.width > 0, whole.height > 0 else { return [] }
    if found.isTooLarge(whole) { return found.violations }
    var regions = parts(of: whole)
    if painter.size == nil { regions.append(Region(x: -40, y: -7, width: 50, height: 9)) }
    for region in regions {
      let meant = region.rows.flatMap { y in
        region.columns.map { x in painter.pixel(x: x, y: y) }
      }
      let planes = painter.hasAlpha ? 4 : 3
      checkOpacity(of: meant, planes, found)
      check(region, of: whole, planes, inputs: [], meant, found) { output, _ in
        painter.render(into: output)
      }
    }
    return found.violations
  }

  /// For each combination of the first four inputs, whether an input has alpha. Further ones have.
  private func alphas(of count: Int) -> [[Bool]] {
    (0..<1 << min(count, 4)).map { opaque in
      (0..<count).map { $0 >= 4 || opaque >> $0 & 1 == 0 }
    }
  }

  private func checkOpacity(of pixels: [SIMD4<Double>], _ planes: Int, _ found: Findings) {
    if planes == 3, let pixel = pixels.first(where: { !(abs($0.w - 1) <= tolerance) }) {
      found.add(.alpha, "says that it is opaque, and has a pixel with the alpha \(pixel.w)")
    }
  }

  /// Renders one tile several times: the memory around its inputs, and the previous contents of its output, must not
  /// matter.
  private func check(
    _ region: Region, of pictureSize: PixelSize, _ planes: Int,
    inputs: [(region: Region, pixel: (Int, Int) -> SIMD4<Float>)], _ meant: [SIMD4<Double>],
    _ found: Findings, scratch: Int? = nil, _ render: (Tile, [Tile]) -> Void
  ) {
    if let scratch, scratch < 0 {
      found.add(.scratch, "promises to ask for \(scratch) floats for \(region)")
    }
    func result(around: Float, before: Float) -> [UInt32] {
      let arena = Arena(capacity: max(scratch ?? 0, 0))
      arena.onMisuse = { found.add(.region, $0) }
      let tiles = inputs.map { input in
        let guarded = GuardedTile(
          input.region, of: size, planeCount: inputs.count == 1 ? planes : 4, filler: around,
          arena: arena)
        for y in input.region.rows {
          for x in input.region.columns { guarded.tile[x, y] = input.pixel(x, y) }
        }
        return guarded
      }
      let output = GuardedTile(
        region, of: pictureSize, planeCount: planes, filler: before, arena: arena)
      let (inputsBefore, outside) = (tiles.map(\.bits), output.bitsAround)
      render(output.tile, tiles.map(\.tile))
      if output.bitsAround != outside { found.add(.writing, "writes around the tile of \(region)") }
      if tiles.map(\.bits) != inputsBefore { found.add(.writing, "changes what it reads") }
      if scratch != nil, arena.isOverdrawn {
        found.add(
          .scratch, "asks for more than the \(scratch ?? 0) floats that it promised for \(region)")
      }
      return region.rows.flatMap { y in
        region.columns.flatMap { x in (0..<planes).map { output.tile[x, y][$0].bitPattern } }
      }
    }
    let bits = result(around: 1e30, before: 1e30)
    if result(around: 1e30, before: 1e30) != bits {
      found.add(.threads, "makes another \(region) of the same pixels when it runs again")
      return
    }
    if result(around: -1e30, before: 1e30) != bits {
      found.add(.region, "reads what lies around the pixels that it said \(region) needs")
    }
    if result(around: 1e30, before: -1e30) != bits {
      found.add(.writing, "does not write all pixels of \(region)")
    }
    // Values are up to 1.75, and mixing many of them scales the error accordingly.
    for (index, expected) in meant.enumerated() {
      for plane in 0..<planes {
        let value = Double(Float(bitPattern: bits[index * planes + plane]))
        guard agrees(value, with: expected[plane], within: 2 * tolerance) else {
          let (x, y) = (region.x + index % region.width, region.y + index / region.width)
          found.add(
            .meaning,
            "(\(x), \(y)) channel \(plane) of \(region) is \(text(value)), \(text(expected[plane])) is meant"
          )
          return
        }
      }
    }
  }

  /// The whole picture, a pixel, a row, a column, and other parts.
  private func parts(of size: PixelSize) -> [Region] {
    let middle = Region(
      x: size.width / 3, y: size.height / 3, width: max(1, size.width / 4),
      height: max(1, size.height / 4))
    return [
      Region(size), Region(x: 0, y: 0, width: 1, height: 1), middle,
      Region(x: 0, y: size.height - 1, width: size.width, height: 1),
      Region(x: size.width - 1, y: 0, width: 1, height: size.height),
    ]
  }

  /// A picture's pixels, extended by the edge pixels.
  private func pixels(_ planes: Int, seed: UInt64) -> (Int, Int) -> SIMD4<Float> {
    let size = size
    let bitmap = TestPictures.floats(size, channels: planes == 4 ? .rgba : .rgb, seed: seed)
    return { x, y in
      let (x, y) = (min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1))
      return SIMD4(
        bitmap[x, y, 0], bitmap[x, y, 1], bitmap[x, y, 2], planes == 4 ? bitmap[x, y, 3] : 1)
    }
  }
}

/// The first violation of each law.
private final class Findings {
  private let name: String
  private(set) var violations: [FilterViolation] = []

  init(_ name: String) { self.name = name }

  func contains(_ law: FilterLaw) -> Bool { violations.contains { $0.law == law } }

  /// The most pixels of a result, each of which is also computed by its definition.
  private static let pixelLimit = 1 << 24

  /// Reports a result that has too many pixels to check all of them.
  func isTooLarge(_ size: PixelSize) -> Bool {
    guard size.pixelCount > Self.pixelLimit else { return false }
    add(.renders, "makes \(size) pixels; the laws check results of at most \(Self.pixelLimit)")
    return true
  }

  func add(_ law: FilterLaw, _ what: String) {
    if !contains(law) {
      violations.append(FilterViolation(law: law, description: "\(name): \(what)"))
    }
  }
}
