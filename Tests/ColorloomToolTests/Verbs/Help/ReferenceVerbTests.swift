import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The lists of formats and kernels say what is there.
@Suite struct ReferenceVerbTests {
  private struct Formats: Decodable {
    struct Picture: Decodable {
      let name: String
      let extensions, samples: [String]
      let isWritten: Bool
      let trait: String?
    }
    struct Look: Decodable { let `extension`, summary: String }
    struct Missing: Decodable { let trait: String }
    let pictures: [Picture]
    let looks: [Look]
    let missing: [Missing]
  }

  private struct Kernel: Decodable {
    let name, word: String
    let reach, overshoot: Double
    let interpolates: Bool
  }

  @Test func everyFormatIsListed() throws {
    let report = try run("formats", "--json").report(as: Formats.self)
    #expect(Set(report.pictures.map(\.name)).isSuperset(of: ImageFileFormat.all.map(\.name)))
    for format in ImageFileFormat.all {
      let entry = try #require(report.pictures.first { $0.name == format.name })
      #expect(entry.extensions == format.fileExtensions && entry.isWritten)
      #expect(entry.samples.count == format.samples.count)
    }
    #expect(report.looks.map(\.extension) == LookFileFormat.allCases.map(\.rawValue))
    // A trait is either there or missing.
    let traits = ["TIFF", "OpenEXR", "WebP", "JPEGXL", "HEIF", "RAW"]
    let present = Set(report.pictures.compactMap(\.trait))
    #expect(present.union(report.missing.map(\.trait)) == Set(traits))
    #expect(present.isDisjoint(with: report.missing.map(\.trait)))
    let text = run("formats").text
    for format in report.pictures { #expect(text.contains("\(format.name) (.")) }
    for format in report.missing { #expect(text.contains("trait \(format.trait), with lib")) }
  }

  /// The manual states the form of every step, and the files that it reads, as “filters” does.
  @Test func manualAgreesWithFilters() throws {
    let manual = run("manual").text.replacing("\\-", with: "-").replacing("\\e", with: "\\")
    for name in FilterCatalog.withProfiles.names {
      let lines = run("filters", name).output.joined(separator: "\n").split(separator: "\n")
      let step = try #require(lines.first { $0.hasPrefix("Step: ") }).dropFirst("Step: ".count)
      #expect(
        manual.contains("\n\\fB\(step)\\fR\n") || manual.contains("\n\\fB\(step), --"), "\(step)")
      if let file = lines.first(where: { $0.hasPrefix("File: ") }) {
        #expect(manual.contains("\n.br\n\(file)\n"), "\(file)")
      }
    }
  }

  private struct Filter: Decodable {
    struct Parameter: Decodable {
      let name: String
      let isRequired: Bool
      let alternative: String?
    }
    let parameters: [Parameter]
  }

  /// A parameter in whose place another one may be given is required unless that one is.
  @Test(arguments: ["pad", "frame"]) func alternativesAreNamed(name: String) throws {
    let parameters = try run("filters", name, "--json").report(as: Filter.self).parameters
    for parameter in parameters {
      #expect(parameter.alternative == (parameter.name == "to" ? "by" : nil))
      #expect(parameter.isRequired == ["to", "color"].contains(parameter.name))
    }
    let help = run("filters", name).text
    #expect(help.contains("pixels; required unless “by”"), "\(help)")
  }

  /// Verbs that make a picture from no single source do not name one as the default of `--samples` and `--resolution`.
  @Test(arguments: [
    ("convert", true), ("run", true), ("montage", false), ("triangle", false), ("canary", false),
    ("compare", false),
  ])
  func defaultsOfWrittenFilesAreStated(verb: String, hasSource: Bool) {
    // Help is wrapped.
    let help = run("help", verb).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("written; default: that of the source") == hasSource, "\(help)")
    #expect(help.contains("written; default: the first of the file's") != hasSource, "\(help)")
    #expect(help.contains("per inch; default: that of the source") == hasSource, "\(help)")
    #expect(help.contains("per inch; default: none") != hasSource, "\(help)")
  }

  /// A file of a format that is missing is refused with the trait that adds it.
  @Test func missingFormatsNameTheirTrait() throws {
    let folder = try TemporaryFolder()
    let source = folder.path("a.png")
    try ImageFile.write(
      .uint8(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .rgb)), to: source)
    for trait in FormatTrait.all where !trait.isEnabled {
      for ending in trait.fileExtensions {
        let transcript = run("convert", source, folder.path("a.\(ending)"))
        #expect(transcript.errors.joined().contains("trait \(trait.name)"), "\(ending)")
      }
    }
  }

  @Test func everyKernelIsListed() throws {
    let kernels = try run("kernels", "--json").report(as: [Kernel].self)
    #expect(kernels.map(\.name) == ResamplingKernel.named.map(\.name))
    for kernel in kernels {
      #expect(ResamplingKernel(named: kernel.word)?.name == kernel.name)
      #expect(run("kernels").text.contains("\(kernel.word): \(kernel.name), support"))
    }
    // Known ones: Mitchell smooths, Catmull-Rom and Lanczos interpolate and overshoot, triangle and B-spline do not.
    let byWord = Dictionary(uniqueKeysWithValues: kernels.map { ($0.word, $0) })
    #expect(byWord["mitchell"]?.interpolates == false && byWord["bspline"]?.interpolates == false)
    for word in ["nearest", "box", "triangle", "catmullrom", "lanczos3", "spline36"] {
      #expect(byWord[word]?.interpolates == true, "\(word)")
    }
    for word in ["nearest", "box", "triangle", "bspline", "hermite"] {
      #expect(byWord[word].map { $0.overshoot < 1e-12 } == true, "\(word)")
    }
    // Catmull-Rom's largest sum of weights on one side is 1 + 2/27: at t = 1/3 the outermost weight is −t(1 − t)²/2 = −2/27.
    #expect(abs((byWord["catmullrom"]?.overshoot ?? 0) - 2.0 / 27) < 1e-6)
  }
}
