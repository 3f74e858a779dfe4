import Foundation
import Testing
import _TestSupport

/// The work of renderings in counts that do not depend on the machine's load: instructions, passes over pixels, and bytes moved.
struct InstructionTests {
  /// Limits of a workload per source pixel.
  struct Limit {
    /// Instructions of the AVX2 kernels and of everything around them: at most a tenth above what was counted, for other compilers.
    let instructions: Double
    /// Passes over pixels.
    let passes: Int
    /// Bytes that passes read and write, with the rows that neighboring tiles both read.
    let bytes: Double
  }

  static let limits = [
    "sRGB to Display P3, float": Limit(instructions: 42.7, passes: 1, bytes: 32),
    "sRGB to Display P3, u16": Limit(instructions: 45.5, passes: 1, bytes: 16),
    "sRGB to Display P3, u8": Limit(instructions: 44.6, passes: 1, bytes: 8),
    "sRGB to Rec. 2100 PQ, u16": Limit(instructions: 76, passes: 1, bytes: 24),
    "sRGB to Oklab": Limit(instructions: 54.5, passes: 1, bytes: 32),
    "sRGB to OkLCh": Limit(instructions: 62, passes: 1, bytes: 32),
    "Display P3 fitted into sRGB by chroma": Limit(instructions: 147, passes: 1, bytes: 32),
    "Display P3 fitted into sRGB by ray tracing": Limit(instructions: 140, passes: 1, bytes: 32),
    "table of 33³ entries": Limit(instructions: 64, passes: 1, bytes: 32),
    "six adjustments": Limit(instructions: 89.5, passes: 1, bytes: 32),
    "Lanczos 3 to 1/4, RGBA float": Limit(instructions: 27.9, passes: 1, bytes: 18.7),
    "Lanczos 3 to 1/4, planar float": Limit(instructions: 23.1, passes: 1, bytes: 14),
    "Lanczos 3 to 1/4, RGBA u8 in linear light": Limit(instructions: 44.7, passes: 1, bytes: 4.7),
    "Lanczos 3 to 1/2, RGBA float": Limit(instructions: 36.8, passes: 1, bytes: 22.1),
    "Lanczos 3 to 1/2, planar float": Limit(instructions: 30.2, passes: 1, bytes: 16.6),
    "Lanczos 3 to 1/2, RGBA u8 in linear light": Limit(instructions: 59.2, passes: 1, bytes: 5.6),
    "Gaussian blur of 2": Limit(instructions: 87.7, passes: 1, bytes: 36.6),
    "Gaussian blur of 8": Limit(instructions: 150, passes: 1, bytes: 41.6),
    "median of radius 1": Limit(instructions: 45.2, passes: 1, bytes: 33),
    "median of radius 2": Limit(instructions: 99, passes: 1, bytes: 33.9),
    "median of radius 5": Limit(instructions: 1330, passes: 1, bytes: 36.6),
    "dilation by 2": Limit(instructions: 46.5, passes: 1, bytes: 33.9),
    "convolution of 7 × 7": Limit(instructions: 200, passes: 1, bytes: 34.8),
    "rotation by 12°": Limit(instructions: 325, passes: 5, bytes: 240),
    "straightening": Limit(instructions: 258, passes: 3, bytes: 102),
  ]

  /// Valgrind 3.19 knows no AVX-512.
  private static let canCount =
    [Client("valgrind"), Client("strip")].allSatisfy(\.isPresent)
    && (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.contains(" avx2") == true

  @Test(.enabled(if: canCount, "valgrind is not installed, or this processor has no AVX2"))
  func workStaysWithinItsLimits() throws {
    let folder = try TemporaryFolder()
    let (program, counts) = (folder.path("soak"), folder.path("counts"))
    // Valgrind 3.19 cannot read the debugging information of DWARF 5.
    try Client("strip").run(
      "--strip-debug", "-o", program, Client.built("colorloom-soak").path)
    let output = try Client("env").run(
      "COLORLOOM_ISA=avx2", "valgrind", "--quiet", "--tool=callgrind",
      "--dump-before=work_boundary", "--callgrind-out-file=\(counts)", program, "instructions")
    let workloads = output.split(separator: "\n").map { $0.split(separator: "\t") }
      .filter { $0.count == 4 }
    #expect(Set(workloads.map { String($0[0]) }) == Set(Self.limits.keys))
    for (index, words) in workloads.enumerated() {
      let limit = try #require(Self.limits[String(words[0])])
      // Every second count is of the work between two boundaries; the others are of the warming up.
      let count = try instructions(in: "\(counts).\(2 * index + 2)")
      let pixels = try #require(Double(words[1]))
      let (passes, bytes) = (try #require(Int(words[2])), try #require(Double(words[3])))
      #expect(count > pixels, "\(words[0]): \(count) instructions for \(pixels) pixels")
      #expect(count / pixels <= limit.instructions, "\(words[0]): \(count / pixels) instructions")
      #expect(passes <= limit.passes, "\(words[0]): \(passes) passes")
      #expect(bytes / pixels <= limit.bytes, "\(words[0]): \(bytes / pixels) bytes")
    }
  }

  private func instructions(in file: String) throws -> Double {
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let totals = lines.last { $0.hasPrefix("totals: ") }
    return try #require(totals.flatMap { Double($0.dropFirst("totals: ".count)) })
  }
}
