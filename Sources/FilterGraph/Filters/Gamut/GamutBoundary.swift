internal import CPixelKernels
internal import ColorSpaces

/// A test whether colors of one space are out of another one's gamut: whether a linear value in that space is below 0 or above its
/// brightest signal, `ColorSpace.peak`.
struct GamutBoundary: Sendable {
  private enum Margin: Sendable {
    /// By at least a distance, in linear light.
    case light
    /// By more than a color difference from the clipped color: the program's result is not 0.
    case difference(LoweredProgram)
    /// By more than rounding explains.
    case precision([RoundingBox])
  }

  /// The range of tolerances.
  static let tolerances = 0.0...1e6

  /// Throws for a tolerance out of range, for a formula of unusable weights, and for a space of primaries that define none.
  static func check(
    _ tolerance: Double?, by metric: GamutMetric = .light, of gamuts: [ColorSpace]
  ) throws(RecipeError) {
    if case .difference(let formula) = metric { try formula.check() }
    for gamut in gamuts {
      if let flaw = gamut.primaries.flaw { throw RecipeError(flaw) }
    }
    guard let tolerance else { return }
    try checked("The tolerance of a gamut test", tolerance, in: tolerances)
  }

  private let toGamut: cpk_matrix
  private let low, high: Float
  private let margin: Margin

  /// Creates the boundary of `gamut`, for linear values of `space`. Without a tolerance, which must be in
  /// ``tolerances``, the precision of the sources decides.
  init(
    of gamut: ColorSpace, from space: ColorSpace, _ tolerance: Double?,
    _ metric: GamutMetric, _ precisions: [ColorPrecision]
  ) {
    toGamut = cpk_matrix(space.matrix(to: gamut))
    let peak = gamut.peak
    guard let tolerance else {
      // No box excludes light that is beyond by less than the tolerance of computation, of which 1e-6 is left to the matrix.
      let inside = Float(ColorPrecision.computation - 1e-6)
      (low, high) = (-inside, Float(peak) + inside)
      margin = .precision(precisions.map { RoundingBox($0, from: space, gamut) })
      return
    }
    switch metric {
    case .light:
      (low, high, margin) = (Float(-tolerance), Float(peak + tolerance), .light)
    case .difference(let formula):
      (low, high) = (0, Float(peak))
      margin = .difference(
        ClippingTest(formula: formula, tolerance: tolerance, gamut: gamut, space: space).program)
    }
  }

  /// Calls `body`, which judges no other pixels, with each pixel's index and whether its color is out of gamut. NaN counts as in gamut.
  @inline(__always)
  func judge(_ pixels: PixelRow, _ body: (_ index: Int, _ isOutside: Bool) -> Void) {
    judgeParts(of: pixels) { start, marks in
      for index in marks.indices { body(start + index, marks[index]) }
    }
  }

  /// The same with parts of the row: the index of the first pixel, and a mark for each.
  @inline(__always)
  func judgeParts(
    of pixels: PixelRow, _ body: (_ start: Int, _ marks: UnsafeBufferPointer<Bool>) -> Void
  ) {
    let workspace = BoundaryWorkspace()
    for start in stride(from: 0, to: pixels.count, by: ColorPlanes.capacity) {
      let count = min(pixels.count - start, ColorPlanes.capacity)
      mark(count, of: pixels, from: start, in: workspace)
      body(start, UnsafeBufferPointer(start: workspace.marks, count: count))
    }
  }

  /// Writes for a few pixels whether their colors are out of gamut.
  private func mark(
    _ count: Int, of pixels: PixelRow, from start: Int, in workspace: BoundaryWorkspace
  ) {
    workspace.marks.update(repeating: false, count: count)
    var colors = workspace.colors
    if start == 0, let planes = pixels.planes {
      colors = planes
    } else {
      colors.load(count, of: pixels, from: start)
    }
    for index in 0..<keepOutside(count, of: colors, workspace) {
      workspace.marks[Int(workspace.places[index])] = true
    }
  }

  /// The magnitude to which linear values are clamped, far beyond all tolerances: differences of infinities would be NaN.
  private static let largestValue: Float = 1e9

  /// Finds the places of the colors that are out of gamut. Returns how many there are.
  private func keepOutside(
    _ count: Int, of source: ColorPlanes, _ workspace: BoundaryWorkspace
  ) -> Int {
    let (colors, places) = (workspace.colors, workspace.places)
    var source = source
    if source.exceed(Self.largestValue, count) {
      colors.clamp(count, of: source, to: Self.largestValue)
      source = colors
    }
    var kept = withUnsafePointer(to: toGamut) {
      kernels.places_beyond($0, low, high, source.base, ColorPlanes.capacity, count, places)
    }
    if case .light = margin { return kept }
    for index in 0..<kept { colors.copy(from: source, Int(places[index]), to: index) }
    func keep(_ isOutside: (Int) -> Bool) {
      let count = kept
      kept = 0
      for index in 0..<count where isOutside(index) {
        places[kept] = places[index]
        colors.copy(from: colors, index, to: kept)
        kept += 1
      }
    }
    switch margin {
    case .light: break
    case .difference(let program):
      let verdicts = workspace.light
      verdicts.compute(kept, from: colors, by: program)
      keep { verdicts[0, $0] != 0 }
    case .precision(let boxes):
      for box in boxes where kept > 0 {
        box.judge(kept, colors, in: workspace)
        keep { index in
          let verdict = workspace.verdicts[index]
          if verdict != 0 { return verdict > 0 }
          let color = colors.color(index)
          return box.excludes(color, light(of: color), colors[3, index])
        }
      }
    }
    return kept
  }

  /// The linear light in the gamut's space.
  private func light(of color: SIMD3<Float>) -> SIMD3<Float> {
    func row(_ m: (Float, Float, Float, Float)) -> Float {
      m.0 * color.x + m.1 * color.y + m.2 * color.z
    }
    return SIMD3(row(toGamut.m.0), row(toGamut.m.1), row(toGamut.m.2))
  }
}

/// Memory for the test of a few colors.
struct BoundaryWorkspace {
  let colors, light, low, high: ColorPlanes
  let verdicts: UnsafeMutablePointer<Float>
  let places: UnsafeMutablePointer<Int32>
  let marks: UnsafeMutablePointer<Bool>

  /// Takes the thread's memory.
  init() {
    let memory = cpk_thread_memory()
    var used = 0
    func take<Value>(_ count: Int, as type: Value.Type) -> UnsafeMutablePointer<Value> {
      defer { used += count * MemoryLayout<Value>.stride }
      return (memory + used).bindMemory(to: type, capacity: count)
    }
    func planes() -> ColorPlanes { ColorPlanes(base: take(ColorPlanes.size, as: Float.self)) }
    (colors, light, low, high) = (planes(), planes(), planes(), planes())
    verdicts = take(ColorPlanes.capacity, as: Float.self)
    places = take(ColorPlanes.capacity, as: Int32.self)
    marks = take(ColorPlanes.capacity, as: Bool.self)
    precondition(used <= CPK_THREAD_MEMORY, "The workspace takes \(used) bytes.")
  }
}
