import Colorloom
import Foundation
import Testing
import _TestSupport

/// The memory guarantees of rendering, checked in a separate program.
@Suite(.serialized) struct SoakTests {
  #if canImport(Glibc)
    /// After the first tiles no filter allocates memory.
    @Test func noAllocationsAfterTheFirstTiles() throws {
      let source = Picture(TestPictures.codes(as: UInt16.self, PixelSize(320, 208)))
      let names = try EveryFilter.pictures(of: source).map(\.name)
      let lines = try soak("allocations")
      #expect(lines.map { $0[0] } == names + names, "All filters, with alpha and without.")
      for line in lines {
        #expect(line[2] == "0", "\(line)")
        // Fewer tiles have no second half.
        #expect(try #require(Int(line[3])) > 2, "\(line)")
      }
    }

    /// Nor do bands, for encoders and for consumers that keep none, for any rounding.
    @Test func noAllocationsAfterTheFirstBands() throws {
      let lines = try soak("bands")
      #expect(lines.count == 8, "Two ways to take them, four of rounding.")
      for line in lines {
        #expect(line[2] == "0", "\(line)")
        #expect(try #require(Int(line[3])) > 100, "\(line)")
      }
    }

    /// Plans promise enough memory.
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

    /// The promise holds for any scheduling of threads: with each of them delayed at every hand-over, on busy cores.
    @Test func plansPromiseEnoughMemoryForDelayedThreads() throws {
      let lines = try soak("delays")
      #expect(
        lines.count == 9 * 3 * 5 * 2, "Graphs, counts of threads, points, and two ways to render.")
      for line in lines {
        let (held, promised) = (try #require(Int(line[4])), try #require(Int(line[5])))
        #expect(held <= promised, "\(line)")
      }
    }

    /// Concurrent renderings beyond the number of cores use no further threads.
    @Test func hundredsOfRenderingsUseFewThreads() throws {
      let line = try #require(try soak("concurrent").first).compactMap { Int($0) }
      let (failures, threads, cores) = (line[1], line[2], line[3])
      #expect(failures == 0)
      // Render threads, those of tasks, idle ones until libdispatch ends them, and libdispatch's own.
      #expect(threads <= 8 * cores + 16, "\(threads) threads of 400 renderings on \(cores) cores")
    }

    /// Freed memory is returned to the system.
    @Test func freedMemoryIsReturnedToTheSystem() throws {
      let line = try #require(try soak("returned").first).compactMap { Int($0) }
      let (left, most) = (line[0], line[1])
      // 32 results of 1.4 MB each, and the tiles that they are made of.
      #expect(most > 30_000_000, "\(most) bytes were resident.")
      // The stacks of idle threads, and small buffers.
      #expect(left < most / 4, "\(left) of \(most) bytes are still resident.")
    }

    /// A long rendering gets its threads back when a short one is over.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "one core only"))
    func threadsReturnToALongRendering() throws {
      #expect(try soak("cores") == [["rejoined"]])
    }

    /// Planning is linear in the number of tiles: it copies nothing per tile.
    @Test func planningAllocatesNothingPerTile() throws {
      let lines = try soak("planning").map { $0.compactMap(Int.init) }
      #expect(lines.count == 3)
      let (few, many) = (lines[1], lines[2])
      #expect(many[0] == 4 * few[0], "\(lines)")
      #expect(many[1] - few[1] < few[0] / 10, "\(lines)")
    }

    /// The promise includes the memory of decoders.
    @Test func plansPromiseEnoughMemoryForDecoders() throws {
      let lines = try soak("reading")
      #expect(lines.count == 6)
      for line in lines {
        let (held, promised) = (try #require(Int(line[1])), try #require(Int(line[2])))
        #expect(held <= promised, "\(line[0]) held \(held) bytes, \(promised) were promised.")
        #expect(2 * held > promised, "\(line[0]) held \(held) bytes of \(promised).")
      }
    }

    /// The limit includes the memory of encoders, and buffers for targets that cannot seek. Resident memory stays close
    /// to it.
    @Test func memoryLimitsIncludeEncoders() throws {
      let lines = try soak("writing")
      #expect(lines.count == 16)
      for line in lines {
        let numbers = line[1...].compactMap { Int($0) }
        let (held, promised, resident) = (numbers[0], numbers[1], numbers[2])
        #expect(held <= promised, "\(line[0]) held \(held) bytes, \(promised) were promised.")
        // Copies of metadata are freed before rows arrive, and bands are promised for delayed threads: few are in use
        // at once.
        #expect(
          4 * held > promised || line[0].hasPrefix("described"),
          "\(line[0]) held \(held) bytes of \(promised).")
        // Stacks of threads, pages of code, and memory that malloc retains are not counted as allocations.
        #expect(resident <= promised + 32_000_000, "\(line[0]): \(resident) of \(promised).")
      }
    }

    /// 32,768 × 32,768 16-bit pixels pass through less than 256 MB: allocations are limited to 224 MB, and other memory
    /// of the process to 32 MB, as above.
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
      // The additional rows have 18 million bytes, and more as floats.
      #expect(peaks[1] - peaks[0] < 6_000_000, "\(peaks)")
    }
  #endif

  /// Runs the program of the checks.
  private func soak(_ words: String...) throws -> [[String]] {
    let run = try Client.ending(
      of: Client.built("colorloom-soak"), words, passingErrors: true)
    let text = String(decoding: run.output, as: UTF8.self)
    #expect(run.status == 0, "\(text)")
    return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }
}
