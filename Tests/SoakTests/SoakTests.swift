import Foundation
import Testing

/// What rendering promises about memory, checked in a program of its own.
@Suite(.serialized) struct SoakTests {
  #if canImport(Glibc)
    /// After the first tiles nothing asks for memory any more, whatever the filter.
    @Test func tilesTakeNoMemoryAfterTheFirst() throws {
      let lines = try soak("allocations")
      #expect(lines.count > 150, "Twice all filters.")
      for line in lines { #expect(line[2] == "0", "\(line)") }
    }

    /// Nor do bands, for encoders and for those who keep none, whatever the rounding.
    @Test func bandsTakeNoMemoryAfterTheFirst() throws {
      let lines = try soak("bands")
      #expect(lines.count == 8, "Two ways to take them, four of rounding.")
      for line in lines {
        #expect(line[2] == "0", "\(line)")
        #expect(try #require(Int(line[3])) > 100, "\(line)")
      }
    }

    /// The plan's promise holds.
    @Test func plansPromiseEnoughMemory() throws {
      let lines = try soak("memory")
      #expect(lines.count == 500)
      var most = 0.0
      for line in lines {
        let (held, promised) = (try #require(Int(line[1])), try #require(Int(line[2])))
        #expect(held <= promised, "Graph \(line[0]) held \(held) bytes, \(promised) were promised.")
        most = max(most, Double(held) / Double(promised))
      }
      #expect(most > 0.75, "A promise that nothing comes near says nothing.")
    }

    /// It counts what decoders hold.
    @Test func plansPromiseEnoughMemoryForDecoders() throws {
      let lines = try soak("reading")
      #expect(lines.count == 6)
      for line in lines {
        let (held, promised) = (try #require(Int(line[1])), try #require(Int(line[2])))
        #expect(held <= promised, "\(line[0]) held \(held) bytes, \(promised) were promised.")
        #expect(2 * held > promised, "\(line[0]) held \(held) bytes of \(promised).")
      }
    }

    /// 32,768 × 32,768 pixels of 16 bits pass through less than 256 MB.
    @Test func aGigapixelPassesThroughLittleMemory() throws {
      let line = try #require(try soak("huge").first)
      #expect(line[0] == "2048", "All rows came.")
      let resident = try #require(Int(line[1]))
      #expect(resident < 256_000_000, "\(resident) bytes were resident.")
    }
    /// Four times as many rows pass through the same memory, from file to file.
    @Test(arguments: ["png", "jpg", "tif"])
    func memoryDoesNotGrowWithTheHeightOfFiles(ending: String) throws {
      let peaks = try [1000, 4000].map { height in
        let line = try #require(try soak("files", ending, "\(height)").first)
        return try #require(Int(line[2]))
      }
      // The rows that were added have 18 million bytes.
      #expect(peaks[1] - peaks[0] < 6_000_000, "\(peaks)")
    }
  #endif

  /// Runs the checks' program, which lies beside that of the tests.
  private func soak(_ words: String...) throws -> [[String]] {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0])
    let process = Process()
    process.executableURL = tests.deletingLastPathComponent().appending(path: "colorloom-soak")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }
}
