internal import CPixelKernels
internal import ImageBuffer

/// A filter of weighted sums over columns and rows, in one pass or several.
///
/// Its passes read and write rows in any form, so that neither its input nor its result needs to be in tiles.
protocol SeparableFilter: AreaFilter {
  /// The shapes of the passes, as ``AreaFilter/prepare(for:)`` will make them.
  func passShapes(for input: PixelSize) -> [SeparablePass.Shape]

  /// The passes, from the input to the result.
  func passes(of preparation: Preparation) -> [SeparablePass]

  /// Whether the passes are all that it does, or all but ``finish(_:_:count:)``; otherwise it renders tiles.
  var readsRows: Bool { get }

  /// How many floats it asks for besides, to render a tile.
  func tileScratchCount(from input: Region) -> Int

  /// Whether pixels of the result are changed by those of the input at the same place before they leave.
  var needsOriginal: Bool { get }

  /// Changes a row of the result; `original` is that of the input at the same place.
  func finish(_ row: FloatRow, _ original: FloatRow, count: Int)
}

extension SeparableFilter {
  var readsRows: Bool { true }

  func tileScratchCount(from input: Region) -> Int { 0 }

  var needsOriginal: Bool { false }

  func finish(_ row: FloatRow, _ original: FloatRow, count: Int) {}

  /// Computes a tile.
  func renderRows(into output: Tile, from input: Tile, with preparation: Preparation) {
    render(
      output.region, from: PixelRows(input), into: PixelRowTarget(output), memory: output.arena,
      with: preparation)
  }

  /// Computes a region of the result.
  func render(
    _ output: Region, from input: PixelRows, into target: PixelRowTarget, memory: Arena,
    with preparation: Preparation
  ) {
    let passes = passes(of: preparation)
    var regions = [output]
    for pass in passes.dropFirst().reversed() {
      regions.append(pass.inputRegion(for: regions[regions.count - 1]))
    }
    memory.temporarily {
      var source = input
      for (pass, region) in zip(passes, regions.reversed()).dropLast() {
        // What lies between passes has the form of the input.
        let seen = pass.inputRegion(for: region)
        let isPlanar = source.nearest(seen.x, seen.y).step == 1
        let between = FloatRows(
          region, planeCount: input.planeCount, isPlanar: isPlanar, memory: memory)
        pass.run(region, from: source, into: between.target, memory: memory)
        source = between.rows
      }
      guard let last = passes.last else { return }
      if !needsOriginal {
        return last.run(output, from: source, into: target, memory: memory)
      }
      let floats = memory.floats(FloatRows.count(output.firstRow, input.planeCount))
      last.run(output, from: source, into: target, memory: memory) { row, count, x, y in
        let original = FloatRow(
          base: floats, channels: row.channels, planes: row.planes,
          stride: FloatRows.stride(output.width))
        input.load(y, x..<x + count, into: original)
        finish(row, original, count: count)
      }
    }
  }

  /// How many floats that asks for at most.
  func scratchCount(
    _ shapes: [SeparablePass.Shape], for output: Region, inputHeight: Int, planes: Int
  ) -> Int {
    var (between, passing) = (needsOriginal ? FloatRows.count(output.firstRow, planes) : 0, 0)
    var size = output.size
    for (index, shape) in shapes.enumerated().reversed() {
      let width = size.width
      size = PixelSize(shape.columns.span(width), shape.rows.span(size.height))
      passing = max(
        passing,
        SeparablePass.scratchCount(
          shape, width: width, inputHeight: index == 0 ? inputHeight : size.height,
          planes: planes))
      if index > 0 { between += FloatRows.count(Region(size), planes) }
    }
    return between + passing
  }
}

/// Rows of floats between two passes.
private struct FloatRows {
  let rows: PixelRows
  let target: PixelRowTarget

  init(_ region: Region, planeCount: Int, isPlanar: Bool, memory: Arena) {
    let floats = memory.floats(Self.count(region, planeCount))
    let stride = Self.stride(region.width)
    let surface = { (y: Int, x: Int) in
      let row = y - region.y
      return FloatRow(
        base: floats + (isPlanar ? 1 : 4) * stride * row, channels: isPlanar ? 1 : 4,
        planes: isPlanar ? planeCount : 1, stride: stride * region.height
      ).surface(from: x - region.x, planeCount: isPlanar ? planeCount : 4)
    }
    target = PixelRowTarget(program: .nothing, hasSpareAlpha: true, surface: surface)
    rows = PixelRows(region, planeCount: planeCount, program: .nothing, surface: surface)
  }

  static func stride(_ width: Int) -> Int { (width + 15) / 16 * 16 }

  /// Enough for four channels together.
  static func count(_ region: Region, _ planes: Int) -> Int {
    4 * stride(region.width) * region.height
  }
}
