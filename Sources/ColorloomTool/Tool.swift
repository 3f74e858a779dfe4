import Colorloom
import ImageFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main
package struct Tool {
  package static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs one command line; returns the exit status: 0 done, 1 failed, 2 misused.
  package static func run(_ words: [String]) -> Int32 {
    do {
      switch try Arguments(words).command {
      case .help: print(Arguments.usage)
      case .spaces: for space in ColorSpace.all { print(space.name) }
      case .info(let path): try describe(path)
      case .curve(let function, let encodes, let rows):
        return convertNumbers(rows, function, encodes: encodes) ? 0 : 1
      case .color(let source, let target, let rows):
        return convertColors(rows, from: source, to: target) ? 0 : 1
      case .render(let job): try render(job)
      }
      return 0
    } catch {
      writeToTerminal("colorloom: \(error)\(hint(for: error))\n")
      return isMisuse(error) ? 2 : 1
    }
  }

  /// Whether other words would have helped, as opposed to another file or machine.
  private static func isMisuse(_ error: any Error) -> Bool {
    switch error {
    case is Misuse: true
    case RecipeError.filmTones: false
    case is RecipeError: true
    case RenderError.recipe(let recipe): isMisuse(recipe)
    case ImageFileError.rendering(let rendering): isMisuse(rendering)
    default: false
    }
  }

  /// What a person at a terminal can do about an error whose sentence speaks to programs.
  private static func hint(for error: any Error) -> String {
    switch error {
    case ImageFileError.untagged: " Here that is the option --assume, such as --assume sRGB."
    case RenderError.recipe(.filmTones), ImageFileError.rendering(.recipe(.filmTones)):
      " The options --film-base and --film-white set the tones."
    default: ""
    }
  }

  private static func describe(_ path: String) throws {
    let bitmap = try ImageFile.read(path, assuming: .sRGB)
    print("\(path): \(bitmap.size) pixels, \(bitmap.channels), \(bitmap.format), \(bitmap.space)")
  }

  private static func render(_ job: Arguments.Job) throws {
    let progress = ProgressLine(isShown: !job.isQuiet && !job.showsPlanOnly)
    let source = try Picture(
      contentsOf: job.input, assuming: job.assumed, progress: progress.report("reading", job.input))
    let start = job.film.map { source.developed($0) } ?? source
    let picture = job.steps.reduce(start) { picture, step in step.apply(picture) }
    if job.showsPlanOnly {
      print(picture.plan)
      return
    }
    var options = RenderOptions()
    options.threads = job.threads
    options.progress = progress.report("rendering", "\(picture.size) pixels")
    try picture.write(
      to: job.output, samples: job.samples, options: options,
      progress: progress.report("writing", job.output))
    progress.finish("\(job.output): \(picture.size) pixels in \(picture.space)")
  }

}
