import Colorloom
import Foundation
import ImageFiles

/// The options that every verb has. They may stand before its name too.
package struct Settings: Sendable {
  var threads: Int?
  var tile: PixelSize?
  var memory: Int?
  var pixelLimit: Int?
  var isQuiet = false
  var showsHelp = false
  /// The options of the verb, so that errors advise no others.
  var options: Set<String> = []
  /// The budget of the batch that the command is a job of, where its limits are a share of that.
  var budget: SharedBudget?
  /// Whether the verb applies no steps but those of recipe files.
  var stepsAreOfFiles = false
  /// The words of the command that may be meant as values of steps.
  var wordsAfterSteps: [WordAfterStep] = []

  static var arguments: [Argument<Settings>] {
    Argument.under(
      "For every verb",
      [
        .option(
          "--threads", .wholeNumber(from: 1),
          "number of threads; default: one for each processor on which the process may run",
          \.threads),
        .option(
          "--tile", .box,
          "tile size in pixels; changes speed and memory, never the result", \.tile),
        .option(
          "--memory", .bytes,
          "memory limit, such as 512MiB or 2GB; default: an eighth of the machine's memory, at least 1 GiB",
          \.memory),
        .option(
          "--max-pixels", .wholeNumber(from: 1, to: greatestPixelLimit),
          "largest number of pixels per picture, and of those drawn for a frame of an animation; a file may have 16 "
            + "bytes for each. Also allows small files that expand greatly; default: 1073741824",
          \.pixelLimit),
        .flag("--quiet", "show no progress", \.isQuiet),
        .flag("--help", "explain the verb", \.showsHelp),
      ])
  }

  static let greatestPixelLimit = 1 << 40

  /// The memory budget of a command without `--memory`, in bytes.
  static let defaultMemory = memoryBudget(ofMachineWith: MachineMemory.bytes)

  /// Returns the default budget on a machine, or in a control group, with so many bytes: an eighth of them, which leaves memory to other
  /// programs and commands; at least 1 GiB, which suffices for a gigapixel; but never more than there are.
  package static func memoryBudget(ofMachineWith bytes: Int) -> Int {
    min(bytes, max(bytes / 8, 1 << 30))
  }

  /// How many threads run. In a limited address space no more than there are stacks for.
  var threadCount: Int {
    let count = threads ?? activeProcessorCount
    return MachineMemory.addressSpace.map { min(count, $0.threads) } ?? count
  }

  /// Returns how many jobs of a batch run at once: as many as asked for, but in a limited address space no more than there are stacks for.
  ///
  /// - Parameters:
  ///   - jobs: The number asked for.
  ///   - stacks: The number of threads for which there are stacks; nil where the address space is not limited.
  package static func jobsAtOnce(_ jobs: Int, stacks: Int?) -> Int { min(jobs, stacks ?? jobs) }

  static var synopses: [ArgumentSynopsis] { arguments.map(\.synopsis) }

  var renderOptions: RenderOptions {
    var options = RenderOptions()
    options.tile = tile
    // Without a number, a rendering decides by its memory and by the others under way.
    let processors = activeProcessorCount
    options.threads = threads == nil && threadCount == processors ? nil : threadCount
    options.memoryLimit = memory ?? Self.defaultMemory
    options.pixelLimit = pixelLimit ?? options.pixelLimit
    return options
  }

  var fileLimits: FileLimits {
    var limits = FileLimits()
    limits.memoryLimit = memory ?? Self.defaultMemory
    if let pixelLimit {
      // A pixel of four floats has 16 bytes.
      (limits.pixels, limits.bytes) = (pixelLimit, max(limits.bytes, 16 * pixelLimit))
      // A picture of one color takes a few kilobytes at any size. An explicit limit replaces the ratio to the size of the file.
      limits.expansion = .max
    }
    return limits
  }
}
