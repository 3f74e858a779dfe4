import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What later conversions, resampling and the written file depend on in steps.
@Suite struct StepTraitTests {
  private let folder: TemporaryFolder
  private var input: String { folder.path("in.png") }
  private var output: String { folder.path("out.png") }

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(
      as: UInt8.self, PixelSize(40, 30), in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: input)
  }

  /// The bytes of the file that steps make.
  private func bytes(_ words: String...) throws -> Data {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .done, "\(words): \(result.errors)")
    return try Data(contentsOf: URL(filePath: output))
  }

  private func recipe(_ steps: String) throws -> String {
    let path = folder.path("recipe.json")
    try #"{"version": 1, "steps": [\#(steps)]}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  // MARK: Developments

  @Test(arguments: [
    ["--density-print"], ["--develop-by-curves", "red=0,0 1,1,green=0,0 1,1,blue=0,0 1,1"],
    ["--negative-development", "base=1,0.8,0.7,white=0.1,0.08,0.07,contrast=0.6,0.6,0.6"],
    ["--power-negative", "exponents=1.9,1.5,1.3,neutral=0.2,0.15,0.1"],
    ["--density-print", "--fit", "20"],
  ])
  func developmentsWriteSixteenBits(words: [String]) throws {
    let result = run(["convert", input, output] + words)
    #expect(result.status == .done, "\(result.errors)")
    #expect(try ImageFile.info(output).samples == .uint16)
    #expect(run(["convert", input, output, "--samples", "uint8"] + words).status == .done)
    #expect(try ImageFile.info(output).samples == .uint8)
  }

  @Test func recipesThatDevelopWriteSixteenBits() throws {
    for (steps, samples) in [(#""density-print""#, SampleFormat.uint16), (#""invert""#, .uint8)] {
      let path = try recipe(steps)
      for words in [["run", path, input, output], ["convert", input, output, "--recipe", path]] {
        let result = run(words)
        #expect(result.status == .done, "\(result.errors)")
        #expect(try ImageFile.info(output).samples == samples, "\(words)")
      }
    }
  }

  // MARK: Kernels

  /// --kernel is that of all steps that resample and name none.
  @Test(arguments: [
    (["--fill", "20x20,kernel=nearest"], ["--fill", "20x20", "--kernel", "nearest"]),
    (["--resample", "20x20,kernel=nearest"], ["--resample", "20x20", "--kernel", "nearest"]),
    (["--rotate", "12,kernel=nearest"], ["--rotate", "12", "--kernel", "nearest"]),
    (
      ["--resize", "30x20,kernel=box", "--fit", "10,kernel=nearest"],
      ["--resize", "30x20,kernel=box", "--fit", "10", "--kernel", "nearest"]
    ),
  ])
  func kernelsServeStepsThatNameNone(named: [String], common: [String]) throws {
    for words in [named, common] {
      let result = run(["convert", input, folder.path("\(words.count).png")] + words)
      #expect(result.status == .done, "\(words): \(result.errors)")
    }
    let files = try [named, common].map {
      try Data(contentsOf: URL(filePath: folder.path("\($0.count).png")))
    }
    #expect(files[0] == files[1])
  }

  @Test func kernelsThatNoStepTakesAreRefused() {
    for words in [
      ["--resize", "20x20,kernel=box"],
      ["--resize", "20x20,kernel=box", "--rotate", "9,kernel=box"],
    ] {
      let result = run(["convert", input, output, "--kernel", "nearest"] + words)
      #expect(result.status == .misused, "\(words)")
      #expect(result.complaint.contains("steps that name no kernel"), "\(result.errors)")
    }
    let result = run("convert", input, output, "--kernel", "nearest", "--gaussian-blur", "2")
    #expect(result.status == .misused && result.complaint.contains("“--fill”"))
  }

  /// Transforms keep their own default beside a resize without --kernel.
  @Test func defaultKernelsAreThoseOfTheFilters() throws {
    #expect(try bytes("--rotate", "12") == bytes("--rotate", "12,kernel=catmullrom"))
    #expect(try bytes("--fit", "20") == bytes("--fit", "20,kernel=lanczos3"))
    #expect(try bytes("--rotate", "12") != bytes("--rotate", "12", "--kernel", "nearest"))
  }
}
