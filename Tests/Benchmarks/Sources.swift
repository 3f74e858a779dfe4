import Colorloom
import Foundation

/// The benchmark's pictures: the files of the peer comparison in the folder PEERS_DATA, or similar generated ones.
enum BenchmarkSource {
  /// Gradients and noise, RGBA interleaved, opaque: 1 everywhere in alpha.
  static func rgba<Sample: PixelSample>(
    _: Sample.Type, _ bench: Bench, in space: ColorSpace, code: (Double) -> Sample
  ) throws -> Bitmap<Sample> {
    let size = PixelSize(bench.arguments.size.width, bench.arguments.size.height)
    var bitmap = Bitmap<Sample>(size, in: space)
    let kind = ["uint8": "u8", "uint16": "u16", "float16": "f16", "float32": "f32"]
    let form = kind["\(Sample.format)"] ?? ""
    if let folder = ProcessInfo.processInfo.environment["PEERS_DATA"] {
      let path = "\(folder)/rgba_\(form)_\(bench.arguments.size.name).raw"
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let rowBytes = size.width * 4 * MemoryLayout<Sample>.stride
      guard data.count == rowBytes * size.height else {
        fail("\(path) has \(data.count) bytes instead of \(rowBytes * size.height).")
      }
      for y in 0..<size.height {
        bitmap.withUnsafeMutableRow(y) { row in
          _ = data.copyBytes(
            to: UnsafeMutableRawBufferPointer(row), from: y * rowBytes..<(y + 1) * rowBytes)
        }
      }
      return bitmap
    }
    var noise = SystemNoise()
    for y in 0..<size.height {
      let v = Double(y) / Double(size.height)
      bitmap.withUnsafeMutableRow(y) { row in
        for x in 0..<size.width {
          let u = Double(x) / Double(size.width)
          let (s, c) = (sin(2 * .pi * (3 * u + 2 * v)), cos(2 * .pi * (5 * v - 4 * u)))
          let channels = [0.85 * u + 0.15 * s, 0.85 * v + 0.15 * c, 0.5 + 0.4 * s * c]
          for (k, value) in channels.enumerated() {
            row[4 * x + k] = code(min(max(value + 0.08 * (noise.next() - 0.5), 0), 1))
          }
          row[4 * x + 3] = code(1)
        }
      }
    }
    return bitmap
  }
}

/// Fast pseudorandom noise in 0…1 with a fixed seed.
private struct SystemNoise {
  private var state: UInt64 = 20_240_607

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 40) / Double(1 << 24)
  }
}
