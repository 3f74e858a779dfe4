/// Small LUT profiles, created independently of the code under test.
package enum TableProfile {
  /// A function of fractions 0…1, to be sampled.
  package typealias Function = ([Double]) -> [Double]

  package enum Kind: CaseIterable {
    case mft1, mft2, mAB
  }

  /// Creates a profile with tables in both directions. Its colors are smooth, and all channels differ.
  package static func profile(
    _ kind: Kind, space: String, channels: Int, connection: String = "Lab ", version: UInt8
  ) -> ParsedProfile {
    var profile = ParsedProfile(
      version: version, profileClass: "prtr", space: space, connection: connection)
    let grid = channels == 3 ? 5 : channels == 4 ? 3 : 2
    let forward = table(kind, "mAB ", inputs: channels, outputs: 3, grid: grid) { color in
      // Darker with each ink; the first ones tint.
      let light = color.enumerated().reduce(1) {
        $0 * (1 - $1.element * (0.9 - 0.05 * Double($1.offset)))
      }
      let second = channels > 1 ? color[1] : 0
      return [
        light, 0.5 + 0.2 * (color[0] - light * second), 0.5 - 0.15 * second * (1 - color[0]),
      ]
    }
    let back = table(kind, "mBA ", inputs: 3, outputs: channels, grid: 5) { color in
      (0..<channels).map { channel in
        let tint = color[1] * color[1] - color[2] * 0.5
        return min(max((1 - color[0]) * (0.9 - 0.1 * Double(channel)) + 0.2 * tint, 0), 1)
      }
    }
    profile.tags = ["A2B0": forward, "A2B1": forward, "B2A0": back, "B2A1": back]
    profile.tags["wtpt"] =
      Array("XYZ ".utf8) + [0, 0, 0, 0] + [55_000, 57_000, 45_000].flatMap(ParsedProfile.bytes)
    return profile
  }

  /// Creates a table of any type, with nonlinear curves.
  package static func table(
    _ kind: Kind, _ modernType: String, inputs: Int, outputs: Int, grid: Int, _ function: Function
  ) -> [UInt8] {
    switch kind {
    case .mft1: sampledTable(1, inputs: inputs, outputs: outputs, grid: grid, function)
    case .mft2: sampledTable(2, inputs: inputs, outputs: outputs, grid: grid, function)
    case .mAB: modernTable(modernType, inputs: inputs, outputs: outputs, grid: grid, function)
    }
  }

  private static func sampledTable(
    _ byteCount: Int, inputs: Int, outputs: Int, grid: Int, _ function: Function
  ) -> [UInt8] {
    let entries = byteCount == 1 ? 256 : 17
    let header = [UInt8(inputs), UInt8(outputs), UInt8(grid), 0]
    let identity = (0..<9).flatMap { ParsedProfile.bytes($0 % 4 == 0 ? 65_536 : 0) }
    let counts = byteCount == 1 ? [] : integers([17 / 65_535, 17 / 65_535], 2)
    let bend = (0..<entries).map { step in
      let x = Double(step) / Double(entries - 1)
      return x * (1.2 - 0.2 * x)
    }
    let line = (0..<entries).map { Double($0) / Double(entries - 1) }
    return Array("mft\(byteCount)".utf8) + [0, 0, 0, 0] + header + identity + counts
      + (0..<inputs).flatMap { _ in integers(bend, byteCount) }
      + nodes(inputs: inputs, grid: grid).flatMap { integers(function($0), byteCount) }
      + (0..<outputs).flatMap { _ in integers(line, byteCount) }
  }

  private static func modernTable(
    _ type: String, inputs: Int, outputs: Int, grid: Int, _ function: Function
  ) -> [UInt8] {
    let values = nodes(inputs: inputs, grid: grid).flatMap { integers(function($0), 2) }
    let padding = [UInt8](repeating: 0, count: (4 - values.count % 4) % 4)
    let lattice =
      [UInt8](repeating: UInt8(grid), count: inputs) + [UInt8](repeating: 0, count: 16 - inputs)
      + [2, 0, 0, 0] + values + padding
    // A power, and a power with a linear toe, as `para` functions 0 and 3.
    let power = Array("para".utf8) + [0, 0, 0, 0, 0, 0, 0, 0] + ParsedProfile.bytes(78_643)
    let line =
      Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0]
      + [65_536, 65_536, 0, 65_536, 0].flatMap(ParsedProfile.bytes)
    let matrix = [60_000, 3000, 2536, 1000, 64_536, 0, 0, 500, 65_036, 0, 100, -50]
      .flatMap(ParsedProfile.bytes)
    let isForward = type == "mAB "
    // In the order of their offsets: B, matrix, M, lattice, A.
    let parts = [
      repeated(line, isForward ? outputs : inputs), matrix, repeated(line, 3), lattice,
      repeated(power, isForward ? inputs : outputs),
    ]
    var offset = 32
    var offsets: [UInt8] = []
    for part in parts {
      offsets += ParsedProfile.bytes(offset)
      offset += part.count
    }
    return Array(type.utf8) + [0, 0, 0, 0, UInt8(inputs), UInt8(outputs), 0, 0] + offsets
      + parts.flatMap(\.self)
  }

  private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in bytes }
  }

  /// The points of a grid over 0…1, the last input varying fastest.
  private static func nodes(inputs: Int, grid: Int) -> [[Double]] {
    (0..<inputs).reduce([[]]) { nodes, _ in
      nodes.flatMap { node in (0..<grid).map { node + [Double($0) / Double(grid - 1)] } }
    }
  }

  private static func integers(_ fractions: [Double], _ byteCount: Int) -> [UInt8] {
    fractions.flatMap { x -> [UInt8] in
      if byteCount == 1 { return [UInt8((x * 255).rounded())] }
      let number = UInt16((x * 65_535).rounded())
      return [UInt8(number >> 8), UInt8(number & 255)]
    }
  }
}
