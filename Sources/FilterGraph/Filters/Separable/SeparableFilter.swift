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

  /// Whether the passes are all that it does, or all but ``sharpening``; otherwise it renders tiles.
  var readsRows: Bool { get }

  /// How many floats it asks for besides, to render a tile.
  func tileScratchCount(from input: Region) -> Int

  /// The unsharp mask that has the result of the passes as its softer picture, if the filter is one.
  var sharpening: UnsharpMask? { get }
}

extension SeparableFilter {
  var readsRows: Bool { true }

  func tileScratchCount(from input: Region) -> Int { 0 }

  var sharpening: UnsharpMask? { nil }

  /// Computes a tile.
  func renderRows(into output: Tile, from input: Tile, with preparation: Preparation) {
    render(
      output.region, from: PixelRows(input), into: PixelRowTarget(.tile(output)),
      memory: output.arena, with: preparation)
  }

  /// Computes a region of the result. It is not specialized for each filter: it runs once for a tile, and the passes do the work.
  @_semantics("optimize.sil.specialize.generic.never")
  func render(
    _ output: Region, from input: PixelRows, into target: PixelRowTarget, memory: Arena,
    with preparation: Preparation
  ) {
    let passes = passes(of: preparation)
    guard let last = passes.last else { return }
    memory.temporarily {
      var source = input
      for index in passes.indices.dropLast() {
        let region = region(of: index, among: passes, for: output)
        // Rows between passes have the layout of the input.
        let seen = passes[index].inputRegion(for: region)
        let isPlanar = source.nearest(seen.x, seen.y).step == 1
        let between = FloatRows(
          region, planeCount: input.planeCount, isPlanar: isPlanar, memory: memory)
        passes[index].run(
          region, from: source, into: PixelRowTarget(.floats(between), hasSpareAlpha: true),
          memory: memory)
        source = PixelRows(
          region, planeCount: input.planeCount, program: .nothing, in: .floats(between))
      }
      guard let mask = sharpening else {
        return last.run(output, from: source, into: target, memory: memory)
      }
      // The rows of a single pass are the original ones.
      let isSingle = passes.count == 1
      let floats = memory.floats(FloatRows.count(output.firstRow))
      last.run(
        output, from: source, into: target, memory: memory, sharpening: isSingle ? mask : nil,
        changesRows: true
      ) { row, entered, count, x, y in
        let hasAlpha = input.planeCount == 4
        if let entered, isSingle {
          return mask.finish(row, entered, count: count, hasAlpha: hasAlpha)
        }
        let original = FloatRow(
          base: floats, channels: row.channels, planes: row.planes,
          stride: output.width.wholeVectors)
        input.load(y, x..<x + count, into: original)
        mask.finish(row, original, count: count, hasAlpha: hasAlpha)
      }
    }
  }

  /// The region that a pass computes for a region of the result.
  ///
  /// It is found anew for each pass, from the last one backward: there are at most two, and a list of regions would be an allocation for
  /// each tile.
  private func region(
    of index: Int, among passes: [SeparablePass], for output: Region
  ) -> Region {
    var region = output
    for later in passes.indices.reversed() where later > index {
      region = passes[later].inputRegion(for: region)
    }
    return region
  }

  /// How many floats that asks for at most.
  func scratchCount(
    _ shapes: [SeparablePass.Shape], for output: Region, inputHeight: Int, planes: Int
  ) -> Int {
    var (between, passing) = (sharpening != nil ? FloatRows.count(output.firstRow) : 0, 0)
    var size = output.size
    for index in shapes.indices.reversed() {
      let (shape, passed) = (shapes[index], size)
      size = PixelSize(shape.columns.span(size.width), shape.rows.span(size.height))
      passing = max(
        passing,
        SeparablePass.scratchCount(
          shape, for: passed, inputHeight: index == 0 ? inputHeight : size.height,
          planes: planes))
      if index > 0 { between += FloatRows.count(Region(size)) }
    }
    return between + passing
  }
}
