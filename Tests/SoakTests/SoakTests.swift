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

    /// The promise holds however threads are scheduled: with each of them held up wherever it hands something over, on busy cores.
    @Test func plansPromiseEnoughMemoryForDelayedThreads() throws {
      let lines = try soak("delays")
      #expect(
        lines.count == 9 * 3 * 5 * 2, "Graphs, counts of threads, points, and two ways to render.")
      for line in lines {
        let (held, promised) = (try #require(Int(line[4])), try #require(Int(line[5])))
        #expect(held <= promised, "\(line)")
      }
    }

    /// Renderings beyond the number of cores take no threads.
    @Test func hundredsOfRenderingsTakeFewThreads() throws {
      let line = try #require(try soak("concurrent").first).compactMap { Int($0) }
      let (failures, threads, cores) = (line[1], line[2], line[3])
      #expect(failures == 0)
      // Those that render, those of tasks, those that idle until libdispatch ends them, and those of libdispatch itself.
      #expect(threads <= 8 * cores + 16, "\(threads) threads of 400 renderings on \(cores) cores")
    }

    /// What is freed is the system's again.
    @Test func freedMemoryIsReturnedToTheSystem() throws {
      let line = try #require(try soak("returned").first).compactMap { Int($0) }
      let (left, most) = (line[0], line[1])
      // 32 results of 1.4 MB each, and the tiles that they are made of.
      #expect(most > 30_000_000, "\(most) bytes were resident.")
      // The stacks of idle threads, and small buffers.
      #expect(left < most / 4, "\(left) of \(most) bytes are still resident.")
    }

    /// A long rendering gets its threads back when a short one is over.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func threadsReturnToALongRendering() throws {
      #expect(try soak("cores") == [["rejoined"]])
    }

    /// Planning is linear in tiles: it copies nothing for any of them.
    @Test func planningTakesNoMemoryForEachTile() throws {
      let lines = try soak("planning").map { $0.compactMap(Int.init) }
      #expect(lines.count == 3)
      let (few, many) = (lines[1], lines[2])
      #expect(many[0] == 4 * few[0], "\(lines)")
      #expect(many[1] - few[1] < few[0] / 10, "\(lines)")
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

    /// It counts what encoders hold, and what is between them and targets that cannot seek. Resident memory stays near it.
    @Test func limitsCountEnoughMemoryForEncoders() throws {
      let lines = try soak("writing")
      #expect(lines.count == 16)
      for line in lines {
        let numbers = line[1...].compactMap { Int($0) }
        let (held, promised, resident) = (numbers[0], numbers[1], numbers[2])
        #expect(held <= promised, "\(line[0]) held \(held) bytes, \(promised) were promised.")
        // Copies of metadata are gone before rows come, and bands are promised for threads that lag behind: few are in use at once.
        #expect(
          4 * held > promised || line[0].hasPrefix("described"),
          "\(line[0]) held \(held) bytes of \(promised).")
        // Stacks of threads, pages of code, and what malloc keeps for later are no allocations of the rendering.
        #expect(resident <= promised + 32_000_000, "\(line[0]): \(resident) of \(promised).")
      }
    }

    /// 32,768 × 32,768 pixels of 16 bits pass through less than 256 MB: 224 MB are allowed to be allocated, and other memory of the
    /// process may be 32 MB, as above.
    @Test func aGigapixelPassesThroughLittleMemory() throws {
      let line = try #require(try soak("huge").first)
      #expect(line[0] == "2048", "All rows came.")
      let resident = try #require(Int(line[1]))
      #expect(resident < 256_000_000, "\(resident) bytes were resident.")
    }
    /// Four times as many rows pass through the same memory, from file to file.
    @Test(arguments: ["png", "jpg", "tif", "exr"])
    func memoryDoesNotGrowWithTheHeightOfFiles(ending: String) throws {
      let peaks = try [1000, 4000].map { height in
        let line = try #require(try soak("files", ending, "\(height)").first)
        return try #require(Int(line[2]))
      }
      // The rows that were added have 18 million bytes, and more as floats.
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
