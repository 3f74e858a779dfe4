internal import CPixelKernels
internal import ColorSpaces

/// A point program as the kernels read it: stages in C's layout, with the memory of their parameters.
final class LoweredProgram: @unchecked Sendable {
  // Sendable because nothing changes after init.

  /// What it does.
  let program: PointProgram

  private var stages: [cpk_stage] = []
  private var payloads: [UnsafeMutableRawPointer] = []
  private var owners: [AnyObject] = []

  init(_ program: PointProgram) {
    self.program = program
    add(program)
  }

  private func add(_ program: PointProgram) {
    var rest = program.stages[...]
    while let first = rest.first {
      if let (convert, length) = conversion(rest) {
        add(CPK_CONVERT, convert)
        rest = rest.dropFirst(length)
      } else {
        add(first)
        rest = rest.dropFirst()
      }
    }
  }

  deinit {
    for payload in payloads { payload.deallocate() }
  }

  /// Runs the program over `count` pixels of a row.
  func run(_ source: cpk_surface, _ target: cpk_surface, count: Int, x: Int, y: Int) {
    withUnsafePointer(to: source) { source in
      withUnsafePointer(to: target) { target in
        kernels.run(source, target, stages, stages.count, count, Int64(x), Int64(y))
      }
    }
  }

  /// decode → matrix → encode, with at most one of the curves missing: the frequent chain, one stage for the kernels.
  private func conversion(
    _ stages: ArraySlice<PointProgram.Stage>
  ) -> (cpk_convert, length: Int)? {
    var rest = stages
    var decode: UnsafePointer<cpk_power>?
    var encode: UnsafePointer<cpk_power>?
    if case .decode(let transfer) = rest.first, let curve = transfer.curves?.decoding.kernelPower,
      WhiteCorrection(of: transfer, .decoding) == nil
    {
      decode = UnsafePointer(store([curve]))
      rest = rest.dropFirst()
    }
    guard case .matrix(let matrix) = rest.first else { return nil }
    rest = rest.dropFirst()
    if case .encode(let transfer) = rest.first, let curve = transfer.curves?.encoding.kernelPower,
      WhiteCorrection(of: transfer, .encoding) == nil
    {
      encode = UnsafePointer(store([curve]))
      rest = rest.dropFirst()
    }
    let length = stages.count - rest.count
    guard length > 1 else { return nil }
    return (cpk_convert(decode: decode, matrix: cpk_matrix(matrix), encode: encode), length)
  }

  private func add(_ stage: PointProgram.Stage) {
    switch stage {
    case .affine(let scale, let offset):
      add(CPK_AFFINE, cpk_affine(scale: floats(scale), offset: floats(offset)))
    case .matrix(let matrix): add(CPK_MATRIX, cpk_matrix(matrix))
    case .decode(let transfer):
      add(transfer, .decoding)
      if let correction = WhiteCorrection(of: transfer, .decoding) { add(rows: correction.run) }
    case .encode(let transfer):
      add(transfer, .encoding)
      if let correction = WhiteCorrection(of: transfer, .encoding) { add(rows: correction.run) }
    case .curves(_, let red, let green, let blue): add(curves: [red, green, blue])
    case .table(let table): add(CPK_TABLE, kernelTable(table))
    case .clamp(let range):
      add(CPK_CLAMP, cpk_clamp(low: Float(range.lowerBound), high: Float(range.upperBound)))
    case .premultiply: stages.append(cpk_stage(kind: Int32(CPK_PREMULTIPLY), payload: nil))
    case .unpremultiply: stages.append(cpk_stage(kind: Int32(CPK_UNPREMULTIPLY), payload: nil))
    case .rows(_, let body): add(rows: body)
    case .map(_, let change):
      add(rows: { strip in
        for i in strip.indices {
          let pixel = SIMD3(strip.red[i], strip.green[i], strip.blue[i])
          let changed = SIMD3<Float>(change(SIMD3<Double>(pixel)))
          (strip.red[i], strip.green[i], strip.blue[i]) = (changed.x, changed.y, changed.z)
        }
      })
    @unknown default: preconditionFailure("No kernel runs the stage \(stage).")
    }
  }

  private func add(_ transfer: TransferFunction, _ direction: TransferDirection) {
    switch transfer.form {
    case .curve(let decoding, let encoding):
      let curve = direction == .decoding ? decoding : encoding
      add(curves: [curve, curve, curve])
    case .coordinates(let coordinates):
      add(direction == .decoding ? coordinates.decoding : coordinates.encoding)
    @unknown default: preconditionFailure("No kernel computes \(transfer).")
    }
  }

  /// The kernels' result of one direction for one color, before white is corrected.
  static func uncorrected(
    _ transfer: TransferFunction, _ direction: TransferDirection, of color: SIMD3<Float>
  ) -> SIMD3<Float> {
    let program = LoweredProgram(PointProgram())
    program.add(transfer, direction)
    var pixel = color
    withUnsafeMutableBytes(of: &pixel) { bytes in
      var surface = cpk_surface()
      surface.format = Int32(CPK_F32)
      surface.step = 4
      if let first = bytes.baseAddress {
        surface.planes = (first, first + 4, first + 8, nil)
        program.run(surface, surface, count: 1, x: 0, y: 0)
      }
    }
    return pixel
  }

  /// Curves of one kind are one stage; of a mixture each has a stage of its own that leaves the other channels alone.
  private func add(curves: [Curve]) {
    if curves.allSatisfy({ $0 == .power(.squareRoot) }) {
      stages.append(cpk_stage(kind: Int32(CPK_SQUARE_ROOT), payload: nil))
    } else if curves.allSatisfy({ $0 == .power(.square) }) {
      stages.append(cpk_stage(kind: Int32(CPK_SQUARE), payload: nil))
    } else if let powers = all(curves.map(\.kernelPower)) {
      add(CPK_POWER, powers)
    } else if let cubics = all(curves.map(\.kernelCubic)) {
      add(CPK_CUBIC, cubics)
    } else if let tables = all(curves.map(kernelTable)) {
      add(CPK_SAMPLED, tables)
    } else if let segments = all(curves.map(\.kernelSegments)) {
      add(CPK_SEGMENTS, segments)
    } else if let rationals = all(curves.map(\.kernelRational)) {
      add(CPK_RATIONAL, rationals)
    } else if curves.contains(where: \.isFunction) {
      add(.map("functions") { SIMD3(curves[0]($0.x), curves[1]($0.y), curves[2]($0.z)) })
    } else {
      for channel in curves.indices {
        var alone = [Curve](repeating: .identity, count: curves.count)
        alone[channel] = curves[channel]
        add(curves: alone)
      }
    }
  }

  private func add(rows body: @escaping @Sendable (PixelStrip) -> Void) {
    let owner = RowsStage(body)
    owners.append(owner)
    add(
      CPK_ROWS,
      cpk_rows(
        body: { context, planes, count, x, y in
          guard let context, let planes else { return }
          let stage = Unmanaged<RowsStage>.fromOpaque(context).takeUnretainedValue()
          stage.body(
            PixelStrip(
              planes: { planes[$0].unsafelyUnwrapped }, count: count, x: Int(x), y: Int(y)))
        },
        context: Unmanaged.passUnretained(owner).toOpaque()))
  }

  private func kernelTable(_ curve: Curve) -> cpk_sampled? {
    if curve == .identity { return cpk_sampled() }
    guard case .sampled(let curve) = curve else { return nil }
    return cpk_sampled(
      values: store(curve.values), count: Int32(curve.values.count),
      below_zero: curve.belowZero.kernelPolicy)
  }

  private func kernelTable(_ table: ColorTable) -> cpk_table {
    let scale = Double(table.size - 1) / (table.highest - table.lowest)
    return cpk_table(
      entries: store(table.entries), size: Int32(table.size),
      tetrahedral: table.interpolation == .tetrahedral, scale: floats(scale),
      offset: floats(-table.lowest * scale))
  }

  private func add<Payload>(_ kind: Int, _ payload: Payload...) {
    add(kind, payload)
  }

  private func add<Payload>(_ kind: Int, _ payload: [Payload]) {
    stages.append(cpk_stage(kind: Int32(kind), payload: store(payload)))
  }

  private func store<Payload>(_ payload: [Payload]) -> UnsafeMutablePointer<Payload> {
    let memory = UnsafeMutablePointer<Payload>.allocate(capacity: payload.count)
    memory.initialize(from: payload, count: payload.count)
    payloads.append(UnsafeMutableRawPointer(memory))
    return memory
  }
}

private final class RowsStage: Sendable {
  let body: @Sendable (PixelStrip) -> Void
  init(_ body: @escaping @Sendable (PixelStrip) -> Void) { self.body = body }
}

private func all<Value>(_ values: [Value?]) -> [Value]? {
  let present = values.compactMap { $0 }
  return present.count == values.count ? present : nil
}
