internal import CPixelKernels
internal import ColorSpaces

/// A point program as the kernels read it: stages in C's layout, with the memory of their parameters.
final class LoweredProgram: @unchecked Sendable {
  // Sendable because nothing changes once it is shared.

  /// The stages in double precision.
  let program: PointProgram

  fileprivate var stages: [cpk_stage] = []
  private var payloads: [UnsafeMutableRawPointer] = []
  private var owners: [AnyObject] = []
  /// The bytes copied for the kernels: mostly lookup tables. Plans count them.
  private(set) var payloadBytes = 0

  /// Loads and stores alone.
  static let nothing = LoweredProgram(.init())

  init(_ program: PointProgram) {
    self.program = program
    add(program)
  }

  func add(_ program: PointProgram) {
    var rest = program.stages[...]
    while let first = rest.first {
      if case (var response, let power, let length)? = Self.response(rest) {
        response.power = power.map { UnsafePointer(store([$0])) }
        add(CPK_RESPONSE, response)
        rest = rest.dropFirst(length)
      } else if let (convert, length) = conversion(rest) {
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

  /// Whether no stage changes a pixel.
  var isEmpty: Bool { stages.isEmpty }

  /// Whether colors are multiplied by alpha, and nothing else.
  var isPremultiplication: Bool { isOnly(CPK_PREMULTIPLY) }

  /// Whether colors are divided by alpha, and nothing else.
  var isUnpremultiplication: Bool { isOnly(CPK_UNPREMULTIPLY) }

  private func isOnly(_ kind: Int) -> Bool {
    stages.count == 1 && stages[0].kind == Int32(kind)
  }

  /// Runs the program over `count` pixels of a row.
  func run(_ source: cpk_surface, _ target: cpk_surface, count: Int, x: Int, y: Int) {
    withUnsafePointer(to: source) { source in
      withUnsafePointer(to: target) { target in
        kernels.run(source, target, stages, stages.count, count, Int64(x), Int64(y))
      }
    }
  }

  /// Runs the program over `count` pixels of a row, after code that gets each strip and its first pixel's index as x.
  func run(
    _ source: cpk_surface, _ target: cpk_surface, after rows: UnsafePointer<cpk_rows>,
    count width: Int
  ) {
    let first = cpk_stage(kind: Int32(CPK_ROWS), first: 0, count: 0, payload: rows)
    let count = stages.count + 1
    // On the stack: rows allocate nothing.
    withUnsafeTemporaryAllocation(of: cpk_stage.self, capacity: count) { all in
      all.initializeElement(at: 0, to: first)
      _ = all[1...].initialize(fromContentsOf: stages)
      withUnsafePointer(to: source) { source in
        withUnsafePointer(to: target) {
          kernels.run(source, $0, all.baseAddress, count, width, 0, 0)
        }
      }
    }
  }

  /// Decode → matrix → encode between straight or premultiplied pixels, with a curve at least: the frequent chains, one stage for the
  /// kernels. What is added to a matrix's result stays a stage of its own: fused, the sum would be rounded once less than stage by stage.
  private func conversion(
    _ stages: ArraySlice<PointProgram.Stage>
  ) -> (cpk_convert, length: Int)? {
    var rest = stages
    var convert = cpk_convert()
    if case .unpremultiply = rest.first {
      convert.unpremultiplies = true
      rest = rest.dropFirst()
    }
    if let curve = curve(.decoding, rest.first) {
      convert.decode = curve
      convert.codes = UnsafePointer(store(Self.decodedCodes(curve)))
      rest = rest.dropFirst()
    }
    if Self.response(rest) == nil, case .matrix(let matrix) = rest.first {
      (convert.has_matrix, convert.matrix) = (true, cpk_matrix(matrix))
      rest = rest.dropFirst()
    }
    if let curve = curve(.encoding, rest.first) {
      convert.encode = curve
      rest = rest.dropFirst()
    }
    if case .premultiply = rest.first {
      convert.premultiplies = true
      rest = rest.dropFirst()
    }
    guard convert.decode != nil || convert.encode != nil else { return nil }
    return (convert, stages.count - rest.count)
  }

  /// The curve of a stage that does nothing but decode or encode by one power for all channels. Squares and square roots have a quicker
  /// stage of their own.
  private func curve(
    _ direction: TransferDirection, _ stage: PointProgram.Stage?
  ) -> UnsafePointer<cpk_power>? {
    switch (stage, direction) {
    case (.decode(let transfer), .decoding), (.encode(let transfer), .encoding):
      guard let curves = transfer.curves, WhiteCorrection(of: transfer, direction) == nil else {
        return nil
      }
      let curve = direction == .decoding ? curves.decoding : curves.encoding
      guard Self.stage(of: curve) == nil, let power = curve.kernelPower else { return nil }
      return UnsafePointer(store([power]))
    default: return nil
    }
  }

  /// The stage without a payload that computes a curve for all three channels.
  private static func stage(of curve: Curve) -> Int? {
    switch curve {
    case .power(.squareRoot): CPK_SQUARE_ROOT
    case .power(.square): CPK_SQUARE
    case .power(.cube): CPK_CUBE
    default: nil
    }
  }

  /// What a curve makes of each code of a byte, computed by the kernels.
  private static func decodedCodes(_ curve: UnsafePointer<cpk_power>) -> [Float] {
    var codes = (0...UInt8.max).map { $0 }
    var decoded = [Float](repeating: 0, count: codes.count)
    codes.withUnsafeMutableBytes { codes in
      decoded.withUnsafeMutableBytes { decoded in
        let source = cpk_surface(
          planes: (codes.baseAddress, nil, nil, nil), format: Int32(CPK_U8), step: 1,
          streams: false)
        let target = cpk_surface(
          planes: (decoded.baseAddress, nil, nil, nil), format: Int32(CPK_F32), step: 1,
          streams: false)
        var stage = cpk_stage(kind: Int32(CPK_POWER), first: 0, count: 1, payload: curve)
        withUnsafePointer(to: source) { source in
          withUnsafePointer(to: target) { kernels.run(source, $0, &stage, 1, codes.count, 0, 0) }
        }
      }
    }
    return decoded
  }

  /// Matrix → curve → matrix, perhaps by hue: Oklab and its like, one stage for the kernels.
  ///
  /// The stage does not point to its power yet, which the caller stores.
  private static func response(
    _ stages: ArraySlice<PointProgram.Stage>
  ) -> (cpk_response, power: cpk_power?, length: Int)? {
    var rest = stages
    var (response, power) = (cpk_response(), cpk_power?.none)
    if case .rectangular = rest.first {
      response.from_hue = true
      rest = rest.dropFirst()
    }
    guard rest.count >= 3, case .matrix(let before) = rest[rest.startIndex],
      case .curves(_, let red, let green, let blue) = rest[rest.startIndex + 1],
      case .matrix(let after) = rest[rest.startIndex + 2], red == green, green == blue
    else { return nil }
    rest = rest.dropFirst(3)
    (response.before, response.after) = (cpk_matrix(before), cpk_matrix(after))
    if red != .power(.cube) {
      guard case .power = red, let root = red.kernelPower, root.isPlainRoot else { return nil }
      power = root
      if !response.from_hue, case .polar = rest.first {
        response.to_hue = true
        rest = rest.dropFirst()
      }
    }
    return (response, power, stages.count - rest.count)
  }

  private func add(_ stage: PointProgram.Stage) {
    switch stage {
    case .affine(let scale, let offset):
      add(CPK_AFFINE, cpk_affine(scale: floats(scale), offset: floats(offset)))
    case .matrix(let matrix): add(CPK_MATRIX, cpk_matrix(matrix))
    case .decode(let transfer):
      add(transfer, .decoding)
      if let correction = WhiteCorrection(of: transfer, .decoding) {
        add(CPK_REPLACE, correction.kernel)
      }
    case .encode(let transfer):
      add(transfer, .encoding)
      if let correction = WhiteCorrection(of: transfer, .encoding) {
        add(CPK_REPLACE, correction.kernel)
      }
    case .curves(_, let red, let green, let blue): add(curves: [red, green, blue])
    case .table(let table): add(CPK_LATTICE, lattice(table))
    case .channels(let program): add(tables: program)
    case .clamp(let range):
      add(CPK_CLAMP, cpk_clamp(low: Float(range.lowerBound), high: Float(range.upperBound)))
    case .polar: add(CPK_POLAR)
    case .rectangular: add(CPK_RECTANGULAR)
    case .gamut(let stage): add(stage)
    case .premultiply: add(CPK_PREMULTIPLY)
    case .unpremultiply: add(CPK_UNPREMULTIPLY)
    case .formula(let formula): add(formula)
    case .rows(_, let body): add(rows: body)
    case .map(_, let change): add(map: change)
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

  /// Adds a curve for each plane from `first` on. Curves of one kind are one stage; of a mixture each has a stage of its own that leaves
  /// the other channels alone.
  func add(curves: [Curve], first: Int = 0) {
    if curves.allSatisfy({ $0 == .identity }) {
      return
    } else if curves.contains(where: \.isSteep) {
      add(curves: curves.map { $0.isSteep ? .identity : $0 }, first: first)
      add(steep: curves.map { $0.isSteep ? $0 : .identity }, first: first)
    } else if first == 0, curves.count == 3, curves.allSatisfy({ $0 == curves[0] }),
      let stage = Self.stage(of: curves[0])
    {
      add(stage)
    } else if let powers = all(curves.map(\.kernelPower)) {
      add(CPK_POWER, powers, first: first)
    } else if let cubics = all(curves.map(\.kernelCubic)) {
      add(CPK_CUBIC, cubics, first: first)
    } else if curves.allSatisfy(\.isTable) {
      add(CPK_SAMPLED, curves.map(kernelTable), first: first)
    } else if let segments = all(curves.map(\.kernelSegments)) {
      add(CPK_SEGMENTS, segments, first: first)
    } else if let tables = all(curves.map(PieceTable.table(of:))) {
      owners += tables
      add(CPK_PIECES, tables.map(\.kernel), first: first)
    } else if let rationals = all(curves.map(\.kernelRational)) {
      add(CPK_RATIONAL, rationals, first: first)
    } else if curves.contains(where: \.isFunction) {
      add(code: curves, first: first)
    } else {
      for channel in curves.indices { add(curves: [curves[channel]], first: first + channel) }
    }
  }

  /// Adds curves with steep powers: a formula, which has the three planes of colors only, or code.
  private func add(steep curves: [Curve], first: Int) {
    guard first + curves.count <= 3 else { return add(code: curves, first: first) }
    let before = [Curve](repeating: .identity, count: first)
    let after = [Curve](repeating: .identity, count: 3 - first - curves.count)
    add(Formula("steep powers", curves: before + curves + after))
  }

  /// Adds curves as code, in double precision.
  private func add(code curves: [Curve], first: Int) {
    add(planes: { planes, count, _, _ in
      for (channel, curve) in curves.enumerated() where curve != .identity {
        for i in 0..<count {
          let value = planes[first + channel].unsafelyUnwrapped + i
          value.pointee = Float(curve(Double(value.pointee)))
        }
      }
    })
  }

  /// Adds code that changes each color in double precision.
  func add(map change: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>) {
    add(rows: { strip in
      for i in strip.indices {
        let pixel = SIMD3(strip.red[i], strip.green[i], strip.blue[i])
        let changed = SIMD3<Float>(change(SIMD3<Double>(pixel)))
        (strip.red[i], strip.green[i], strip.blue[i]) = (changed.x, changed.y, changed.z)
      }
    })
  }

  private func add(rows body: @escaping @Sendable (PixelStrip) -> Void) {
    add(planes: { planes, count, x, y in
      body(PixelStrip(planes: { planes[$0].unsafelyUnwrapped }, count: count, x: x, y: y))
    })
  }

  /// Adds code that runs over all planes of a strip.
  func add(planes body: @escaping PlanesStage.Body) {
    let owner = PlanesStage(body)
    owners.append(owner)
    add(
      CPK_ROWS,
      cpk_rows(
        body: { context, planes, count, x, y in
          guard let context, let planes else { return }
          let stage = Unmanaged<PlanesStage>.fromOpaque(context).takeUnretainedValue()
          stage.body(planes, count, Int(x), Int(y))
        },
        context: Unmanaged.passUnretained(owner).toOpaque()))
  }

  /// The table of a sampled curve; none for the identity.
  private func kernelTable(_ curve: Curve) -> cpk_sampled {
    guard case .sampled(let curve) = curve else { return cpk_sampled() }
    return cpk_sampled(
      values: store(curve.values), count: Int32(curve.values.count),
      below_zero: curve.belowZero.kernelPolicy)
  }

  /// Adds a stage with one payload.
  func add<Payload>(_ kind: Int, _ payload: Payload) { add(kind, [payload], first: 0) }

  /// Adds a stage with a payload for each plane from `first` on.
  func add<Payload>(_ kind: Int, _ payload: [Payload], first: Int) {
    stages.append(
      cpk_stage(
        kind: Int32(kind), first: Int16(first), count: Int16(payload.count),
        payload: store(payload)))
  }

  /// Adds a stage without a payload.
  func add(_ kind: Int) {
    stages.append(cpk_stage(kind: Int32(kind), first: 0, count: 0, payload: nil))
  }

  /// Copies values into memory that lives as long as the program.
  func store<Payload>(_ payload: [Payload]) -> UnsafeMutablePointer<Payload> {
    store(count: payload.count) { payload[$0] }
  }

  /// Computes values into memory that lives as long as the program.
  func store<Payload>(
    count: Int, _ value: (_ index: Int) -> Payload
  ) -> UnsafeMutablePointer<Payload> {
    let memory = UnsafeMutablePointer<Payload>.allocate(capacity: count)
    for index in 0..<count { (memory + index).initialize(to: value(index)) }
    payloads.append(UnsafeMutableRawPointer(memory))
    payloadBytes += count * MemoryLayout<Payload>.stride
    return memory
  }
}

extension PointProgram {
  /// How many stages the kernels have no formula for, so that they call Swift code for each strip. For tests.
  package var codeStageCount: Int {
    LoweredProgram(self).stages.count { $0.kind == Int32(CPK_ROWS) }
  }
}

/// Code over all planes of a strip.
final class PlanesStage: Sendable {
  typealias Body =
    @Sendable (
      _ planes: UnsafePointer<UnsafeMutablePointer<Float>?>, _ count: Int, _ x: Int, _ y: Int
    ) -> Void
  let body: Body
  init(_ body: @escaping Body) { self.body = body }
}

/// The values, where none is missing.
func all<Value>(_ values: [Value?]) -> [Value]? {
  let present = values.compactMap { $0 }
  return present.count == values.count ? present : nil
}
