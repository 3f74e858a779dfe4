import CPixelKernels
import Foundation
import Testing

/// Reproducible random numbers.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// The kernels of one instruction set. Sendable: the tables are constants of the C target.
struct Kernels: @unchecked Sendable, CustomTestStringConvertible {
  let table: cpk_kernels

  var name: String { String(cString: table.name) }
  var lanes: Int { Int(table.lanes) }
  var testDescription: String { name }

  /// The instruction sets of this machine, baseline first.
  static let available: [Kernels] = {
    var list = [UnsafePointer<cpk_kernels>?](repeating: nil, count: 8)
    let count = cpk_available(&list, list.count)
    return list.prefix(count).compactMap { pointer in pointer.map { Kernels(table: $0.pointee) } }
  }()

  /// Whether the processor is the emulator of `Tests/Emulated`. Bochs 2.7 rounds some ties between halves up
  /// (VCVTPS2PH); the baseline kernels round in software.
  static let areEmulated = ProcessInfo.processInfo.environment["COLORLOOM_EMULATED"] != nil

  /// The kernels whose results in `format` must agree.
  static func agreeing(on format: SampleFormat) -> [Kernels] {
    areEmulated && format == .f16 ? Array(available.dropFirst()) : available
  }
}

enum SampleFormat: Int32, CaseIterable, Sendable {
  case u8, u16, f16, f32

  var size: Int {
    switch self {
    case .u8: 1
    case .u16, .f16: 2
    case .f32: 4
    }
  }
}

/// The memory layout of a row's samples. Offsets are in samples, from the first one of the row.
enum Layout: CaseIterable, Sendable {
  case rgba, bgra, rgbx, rgb, planar, planarOpaque, grayAlpha, gray

  var step: Int {
    switch self {
    case .rgba, .bgra, .rgbx: 4
    case .rgb: 3
    case .grayAlpha: 2
    case .planar, .planarOpaque, .gray: 1
    }
  }

  func offsets(_ count: Int) -> [Int?] {
    switch self {
    case .rgba: [0, 1, 2, 3]
    case .bgra: [2, 1, 0, 3]
    case .rgbx, .rgb: [0, 1, 2, nil]
    case .planar: [0, count, 2 * count, 3 * count]
    case .planarOpaque: [0, count, 2 * count, nil]
    case .grayAlpha: [0, 0, 0, 1]
    case .gray: [0, 0, 0, nil]
    }
  }

  func samples(_ count: Int) -> Int {
    switch self {
    case .planar: 4 * count
    case .planarOpaque: 3 * count
    default: step * count
    }
  }
}

/// One row in separate memory that ends with the row, so that a sanitizer detects every overrun.
final class Row {
  let format: SampleFormat
  let layout: Layout
  let count: Int
  let streams: Bool
  private let memory: UnsafeMutableRawPointer
  private let start: Int

  /// `guarded` adds bytes of a known value on both sides.
  init(
    _ format: SampleFormat, _ layout: Layout, _ count: Int, unaligned: Bool = false,
    guarded: Bool = false, streams: Bool = false
  ) {
    self.streams = streams
    self.format = format
    self.layout = layout
    self.count = count
    start = (guarded ? 64 : 0) + (unaligned ? format.size : 0)
    byteCount = layout.samples(count) * format.size
    total = start + byteCount + (guarded ? 64 : 0)
    memory = .allocate(byteCount: max(total, 1), alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: max(total, 1))
  }

  private let byteCount: Int
  private let total: Int

  deinit { memory.deallocate() }

  var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory + start, count: byteCount)
  }

  /// The row and the guard bytes around it.
  var everything: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory, count: total)
  }

  var surface: cpk_surface {
    let planes = layout.offsets(count).map { offset in
      offset.map { memory + start + $0 * format.size }
    }
    return cpk_surface(
      planes: (planes[0], planes[1], planes[2], planes[3]), format: format.rawValue,
      step: Int32(layout.step), streams: streams)
  }

  func fill(_ values: [Float]) {
    for i in 0..<layout.samples(count) {
      let value = values[i % values.count]
      switch format {
      case .u8: bytes[i] = UInt8(truncatingIfNeeded: value.bitPattern &* 0x9E37_79B1 >> 24)
      case .u16:
        bytes.storeBytes(
          of: UInt16(truncatingIfNeeded: value.bitPattern &* 0x9E37_79B1 >> 16),
          toByteOffset: i * 2, as: UInt16.self)
      case .f16:
        bytes.storeBytes(
          of: cpk_half_from_float(value), toByteOffset: i * 2, as: UInt16.self)
      case .f32: bytes.storeBytes(of: value, toByteOffset: i * 4, as: Float.self)
      }
    }
  }

  /// The bits of the samples, with all NaNs canonicalized, followed by the guard bytes.
  var canonical: [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(layout.samples(count) + total - byteCount)
    for i in 0..<layout.samples(count) {
      switch format {
      case .u8: result.append(UInt32(bytes[i]))
      case .u16:
        result.append(UInt32(bytes.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self)))
      case .f16:
        let bits = bytes.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self)
        result.append(bits & 0x7FFF > 0x7C00 ? 0x7E00 : UInt32(bits))
      case .f32:
        let bits = bytes.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self)
        result.append(bits & 0x7FFF_FFFF > 0x7F80_0000 ? 0x7FC0_0000 : bits)
      }
    }
    result += everything[..<start].map(UInt32.init)
    result += everything[(start + byteCount)...].map(UInt32.init)
    return result
  }

  /// The samples of a float row.
  var floats: [Float] {
    (0..<layout.samples(count)).map {
      bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self)
    }
  }
}

extension Kernels {
  func run(_ program: Program, from source: Row, to target: Row, x: Int64 = 0, y: Int64 = 0) {
    var from = source.surface
    var to = target.surface
    table.run(&from, &to, program.stages, program.stages.count, source.count, x, y)
  }

  /// Runs a program over planes with equal red, green and blue; returns red.
  func map(_ values: [Float], _ program: Program) -> [Float] {
    let source = Row(.f32, .gray, values.count)
    let target = Row(.f32, .gray, values.count)
    source.fill(values)
    run(program, from: source, to: target)
    return target.floats
  }
}

/// Bits for comparison, with all NaNs canonicalized.
func bits(_ values: [Float]) -> [UInt32] {
  values.map { $0.isNaN ? 0x7FC0_0000 : $0.bitPattern }
}

/// Edge cases of floating point, and neighbors of the values at which the test curves change.
let adversarial: [Float] = {
  var list: [Float] = [
    0, -0.0, 1, -1, 0.5, 2, .infinity, -.infinity, .nan, .signalingNaN, 0x1p-149, -0x1p-149,
    .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 65504, 65519.996, 65520, 6.1e-5, 5.96e-8, 2.98e-8, 1e20, 1e-20,
  ]
  for edge in [0.04045, 0.0031308, 0.018, 1.0, 0.25, 0.5, 0.75] as [Float] {
    list += [edge, edge.nextUp, edge.nextDown, -edge, -edge.nextUp, -edge.nextDown]
  }
  return list
}()

/// Edge cases among values in and around 0...1 and others of any magnitude.
func mixed(_ count: Int, seed: UInt64) -> [Float] {
  var random = SplitMix64(seed)
  return (0..<count).map { _ in
    switch random.next() % 8 {
    case 0: adversarial[Int(random.next() % UInt64(adversarial.count))]
    case 1: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    case 2: Float.random(in: -2...2, using: &random)
    default: Float.random(in: 0...1, using: &random)
    }
  }
}
