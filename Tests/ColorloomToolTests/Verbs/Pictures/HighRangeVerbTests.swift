import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Tone mapping on the command line.
@Suite struct HighRangeVerbTests {
  private let folder: TemporaryFolder
  private let photo = Fixtures.url("Images/iso-21496-1.jpg").path

  init() throws { folder = try TemporaryFolder() }

  private static func pqDecoded(_ value: Double) -> Double {
    let part = pow(value, 1 / 78.84375)
    return 10_000
      * pow(max(part - 0.8359375, 0) / (18.8515625 - 18.6875 * part), 1 / 0.1593017578125)
  }

  private static func pqEncoded(_ candelas: Double) -> Double {
    let part = pow(candelas / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * part) / (1 + 18.6875 * part), 78.84375)
  }

  /// Report ITU-R BT.2390, 5.4.1, for black of zero, from a peak to 203 cd/m², relative to 203 cd/m².
  private static func mapped(_ value: Double, peak: Double) -> Double {
    let (top, display) = (pqEncoded(peak), pqEncoded(203))
    let (largest, x) = (display / top, min(value / top, 1))
    let knee = 1.5 * largest - 0.5
    let t = (x - knee) / (1 - knee)
    let (square, cube) = (t * t, t * t * t)
    let curve =
      (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
      + (3 * square - 2 * cube) * largest
    return pqDecoded((x < knee ? x : curve) * top) / 203
  }

  private static func sRGB(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  private static let codes: [UInt16] = [
    0, 9000, 20000, 30000, 36000, 38056, 42000, 47000, 49271, 60000,
  ]

  private func converted(_ options: String...) throws -> [Int] { try converted(options) }

  private func converted(_ options: [String]) throws -> [Int] {
    let (input, output) = (folder.path("pq.png"), folder.path("sdr.png"))
    let bitmap = Bitmap<UInt16>(PixelSize(Self.codes.count, 1), in: .rec2100PQ, channels: .rgb) {
      x, _ in [UInt16](repeating: Self.codes[x], count: 3)
    }
    try ImageFile.write(.uint16(bitmap), to: input)
    let transcript = run(
      ["convert", input, output, "--samples", "uint16"] + options)
    #expect(transcript.status == .done, "\(transcript.errors)")
    return try samples(of: output)
  }

  /// The green samples of the first row.
  private func samples(of path: String) throws -> [Int] {
    guard case .uint16(let result) = try ImageFile.read(path) else { return [] }
    return (0..<Self.codes.count).map { Int(result[$0, 0, min(1, result.channels.count - 1)]) }
  }

  /// Half a code is rounding; PQ's power of 78.8 makes 2⁻²⁴ of a value a third of a code.
  private func expect(_ found: [Int], peak: Double) {
    #expect(found.count == Self.codes.count)
    for (code, found) in zip(Self.codes, found) {
      let light = Self.mapped(Double(code) / 65535, peak: peak)
      #expect(abs(Double(found) - 65535 * Self.sRGB(light)) <= 1.5, "PQ \(code)")
    }
  }

  @Test func pqIsMappedByBT2390() throws {
    let found = try converted("--to", "srgb")
    expect(found, peak: 1000)
    // The peak of 1000 cd/m² becomes white, and more does, too.
    #expect(found.suffix(2) == [65535, 65535] && found[7] < 65535)
    expect(try converted("--to", "srgb", "--hdr-peak", "4000"), peak: 4000)
  }

  /// Grays by the formulas of Report ITU-R BT.2446-1, from 1000 cd/m² to 1 for 100 cd/m².
  @Test func methodsOfBT2446AreChoices() throws {
    func expect(_ found: [Int], _ mapped: (Double) -> Double) {
      #expect(found.count == Self.codes.count)
      for (code, found) in zip(Self.codes, found) {
        let light = min(max(mapped(Self.pqDecoded(Double(code) / 65535)), 0), 1)
        // As for BT.2390; method C rises by 0.035 cd/m² at its inflection point.
        #expect(abs(Double(found) - 65535 * Self.sRGB(light)) <= 2.5, "PQ \(code)")
      }
    }
    func density(_ peak: Double) -> Double { 1 + 32 * pow(peak / 10_000, 1 / 2.4) }
    for peak in [1000.0, 2000] {
      expect(try converted("--to", "srgb", "--tone-map", "bt2446a", "--hdr-peak", "\(peak)")) {
        let luma = pow(min($0 / peak, 1), 1 / 2.4)
        let p = log(1 + (density(peak) - 1) * luma) / log(density(peak))
        let knee =
          p <= 0.7399
          ? 1.077 * p : p < 0.9909 ? -1.151 * p * p + 2.7811 * p - 0.6302 : 0.5 * p + 0.5
        return pow((pow(density(100), knee) - 1) / (density(100) - 1), 2.4)
      }
    }
    expect(try converted("--to", "srgb", "--tone-map", "bt2446c")) {
      let inflection = 58.5 / 0.83802
      return
        ($0 < inflection
        ? 0.83802 * $0 : 15.09968 * log($0 / inflection - 0.74204) + 78.99439) / 100
    }
  }

  @Test func clippingIsAChoice() throws {
    let found = try converted("--to", "srgb", "--tone-map", "clip")
    // PQ of 203 cd/m² has the code 38056; it and all above are white.
    #expect(found[5...].allSatisfy { $0 >= 65534 } && found[4] < 65000)
    // Steps that map tones, and conversions between, are left alone.
    #expect(try converted("--to", "rec2100-pq", "--to", "srgb")[6] == 65535)
    #expect(try converted("--reinhard", "1000", "--to", "srgb")[9] < 65535)
  }

  /// The default depends on whether an earlier step maps tones, in whichever words.
  @Test func onlyStepsThatMapTonesReplaceTheDefault() throws {
    let rendering = ["--hlg-rendering", "--to", "srgb"]
    #expect(try converted(rendering) == converted(rendering + ["--tone-map", "bt2390"]))
    #expect(try converted(rendering) != converted(rendering + ["--tone-map", "clip"]))
    for steps in [
      ["--paper-curve"], ["--paper", "1.6"], ["--density-print"], ["--reinhard", "4"],
    ] {
      let words = steps + ["--to", "srgb"]
      #expect(try converted(words) == converted(words + ["--tone-map", "clip"]), "\(steps)")
      #expect(try converted(words) != converted(words + ["--tone-map", "bt2390"]), "\(steps)")
    }
  }

  /// A recipe maps tones if one of its steps does, as a step or before the steps.
  @Test(arguments: [
    (#"{"exposure": {"stops": -1}}"#, "bt2390"), (#"{"reinhard": {"white": 4}}"#, "clip"),
  ])
  func recipesThatMapTonesReplaceTheDefault(step: String, method: String) throws {
    let recipe = folder.path("recipe.json")
    try #"{"version": 1, "steps": [\#(step)]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    let words = ["--recipe", recipe, "--to", "srgb"]
    let expected = try converted(words + ["--tone-map", method])
    #expect(try converted(words) == expected)
    let (input, output) = (folder.path("pq.png"), folder.path("sdr.png"))
    let transcript = run("run", recipe, input, output, "--to", "srgb", "--samples", "uint16")
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(try samples(of: output) == expected)
  }

  /// On request, light above white is mapped in other spaces, too: by the first conversion, and as the filter of that name does.
  @Test func linearLightIsMappedOnRequest() throws {
    let input = folder.path("light.exr")
    let light = Bitmap<Float>(PixelSize(Self.codes.count, 1), in: .linearSRGB, channels: .rgb) {
      x, _ in [Float](repeating: Float(x) / 2, count: 3)
    }
    try ImageFile.write(.float32(light), to: input)
    func written(_ words: [String]) throws -> [Int] {
      let output = folder.path("sdr.png")
      let transcript = run(
        ["convert", input, output, "--samples", "uint16", "--to", "srgb"] + words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      return try samples(of: output)
    }
    let output = folder.path("filtered.png")
    for (words, filter) in [
      (["--tone-map", "bt2390"], "from=1000,to=203"),
      (["--tone-map", "bt2390", "--hdr-peak", "2000"], "from=2000,to=203"),
    ] {
      let convert = ["convert", input, output, "--samples", "uint16"]
      #expect(run(convert + ["--display-mapping", filter, "--to", "srgb"]).status == .done)
      let expected = try samples(of: output)
      #expect(try written(words) == expected)
      // A second conversion maps nothing again.
      #expect(try written(words + ["--to", "srgb"]) == expected)
      #expect(try written([]) != expected)
    }
    let unnamed = run("convert", input, output, "--to", "srgb", "--hdr-peak", "2000")
    #expect(unnamed.status == .misused && unnamed.complaint.contains("Add --tone-map bt2390"))
  }

  /// Integers in sRGB hold no light above white, unless a step makes some. One command may convert such files and others.
  @Test func toneMappingWithoutHighlightsDoesNothing() throws {
    let (input, output) = (folder.path("srgb.png"), folder.path("out.png"))
    let bitmap = Bitmap<UInt8>(PixelSize(4, 1), in: .sRGB, channels: .rgb) { x, _ in
      [UInt8](repeating: UInt8(80 * x), count: 3)
    }
    try ImageFile.write(.uint8(bitmap), to: input)
    func written(_ options: [String]) throws -> Data {
      let transcript = run(["convert", input, output, "--to", "p3"] + options)
      #expect(transcript.status == .done, "\(transcript.errors)")
      return try Data(contentsOf: URL(filePath: output))
    }
    let plain = try written([])
    #expect(try written(["--tone-map", "bt2390"]) == plain)
    #expect(try written(["--tone-map", "bt2446a", "--hdr-peak", "2000"]) == plain)
    // The filter “convert” makes no highlights, either.
    let converting = ["convert", input, output, "--convert", "rec2020", "--to", "p3"]
    let converted = try [[], ["--tone-map", "bt2390"]].map { mapping in
      #expect(run(converting + mapping).status == .done)
      return try Data(contentsOf: URL(filePath: output))
    }
    #expect(converted[0] == converted[1])
    // A step after the conversion makes no highlights before it.
    let later = ["--exposure", "0.1"]
    #expect(try written(later + ["--tone-map", "bt2390"]) == written(later))
    let words = ["convert", input, output, "--exposure", "2", "--to", "p3"]
    #expect(run(words).status == .done)
    let clipped = try Data(contentsOf: URL(filePath: output))
    #expect(run(words + ["--tone-map", "bt2390"]).status == .done)
    #expect(try Data(contentsOf: URL(filePath: output)) != clipped)
  }

  /// Integers in linear spaces end at white, too.
  @Test func linearIntegersHoldNoHighlights() throws {
    let (input, output) = (folder.path("linear.tif"), folder.path("out.png"))
    let bitmap = Bitmap<UInt16>(PixelSize(4, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(21_845 * x), count: 3)
    }
    try ImageFile.write(.uint16(bitmap), to: input)
    let files = try [[], ["--tone-map", "bt2390"]].map { words in
      let transcript = run(["convert", input, output, "--to", "srgb"] + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      return try Data(contentsOf: URL(filePath: output))
    }
    #expect(files[0] == files[1])
  }

  /// A PQ file that states a peak of at most reference white has nothing to map, unless an option or a step says otherwise.
  @Test func statedPeaksUpToWhiteAreNotMapped() throws {
    let (input, output) = (folder.path("dim.png"), folder.path("out.png"))
    let bitmap = Bitmap<UInt16>(PixelSize(4, 1), in: .rec2100PQ, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(20_000 + 5000 * x), count: 3)
    }
    func file(_ peak: Double?, mastering: Double? = nil, _ words: String...) throws -> Data {
      var options = WritingOptions()
      options.metadata.contentLight = peak.map { .init(maximum: $0, frameAverage: 0) }
      options.metadata.masteringDisplay = mastering.map {
        .init(primaries: .rec2020, luminance: 0.01...$0)
      }
      try ImageFile.write(.uint16(bitmap), to: input, options: options)
      let transcript = run(["convert", input, output] + words + ["--to", "srgb"])
      #expect(transcript.status == .done, "\(transcript.errors)")
      return try Data(contentsOf: URL(filePath: output))
    }
    let (mapped, clipped) = (try file(nil), try file(nil, "--tone-map", "clip"))
    #expect(mapped != clipped)
    #expect(try file(203) == clipped)
    #expect(try file(nil, mastering: 100) == clipped)
    // A maximum of 0 is unknown.
    for peak in [0, 204, 1000] as [Double] { #expect(try file(peak) == mapped, "\(peak)") }
    #expect(try file(203, "--tone-map", "bt2390") == mapped)
    #expect(try file(203, "--hdr-peak", "1000") == mapped)
    #expect(try file(203, "--exposure", "1") == file(nil, "--exposure", "1"))
  }

  /// A recipe that only moves pixels makes no highlights, as a step or before the steps; one that changes light or adds a color may.
  @Test(arguments: [
    (#"{"crop": {"to": [1, 0, 3, 1]}}"#, true), (#"{"exposure": {"stops": 2}}"#, false),
    (#"{"frame": {"to": [0, 0, 5, 1], "color": "white"}}"#, false),
  ])
  func recipesThatMoveMakeNoHighlights(step: String, isSame: Bool) throws {
    let (input, output) = (folder.path("srgb.png"), folder.path("out.png"))
    let bitmap = Bitmap<UInt8>(PixelSize(4, 1), in: .sRGB, channels: .rgb) { x, _ in
      [UInt8](repeating: UInt8(80 * x), count: 3)
    }
    try ImageFile.write(.uint8(bitmap), to: input)
    let recipe = folder.path("recipe.json")
    try #"{"version": 1, "steps": [\#(step)]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    for words in [["convert", input, output, "--recipe", recipe], ["run", recipe, input, output]] {
      let files = try [[], ["--tone-map", "bt2390"]].map { mapping in
        let transcript = run(words + ["--to", "p3"] + mapping)
        #expect(transcript.status == .done, "\(transcript.errors)")
        return try Data(contentsOf: URL(filePath: output))
      }
      #expect((files[0] == files[1]) == isSame, "\(words)")
    }
  }

  /// Integers of PQ hold highlights also after the filter “convert” to a space that is not of high dynamic range.
  @Test func tonesAreMappedAfterTheFilterConvert() throws {
    let words = ["--convert", "linear-srgb", "--to", "p3"]
    let mapped = try converted(words + ["--tone-map", "bt2390"])
    #expect(try mapped != converted(words))
  }

  /// The luminance of white holds in the source's own space where no tones are mapped.
  @Test func toneMappingDropsLuminanceMetadata() throws {
    let (input, output, narrow) = (
      folder.path("light.exr"), folder.path("out.exr"), folder.path("narrow.png")
    )
    var options = WritingOptions()
    options.metadata.whiteLuminance = 203
    let light = Bitmap<Float>(PixelSize(4, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float](repeating: Float(x), count: 3)
    }
    try ImageFile.write(.float32(light), to: input, options: options)
    let cases: [(words: [String], isKept: Bool)] = [
      ([], true), (["--tone-map", "clip"], true), (["--tone-map", "bt2390"], false),
      (["--tone-map", "bt2446c"], false),
    ]
    for (words, isKept) in cases {
      let converted = run(["convert", input, output, "--to", "linear-srgb"] + words)
      #expect(converted.status == .done, "\(converted.errors)")
      #expect(converted.complaint.contains("where luminance may have changed") != isKept)
      let luminance = try ImageFile.info(output).metadata.whiteLuminance
      #expect(luminance == (isKept ? 203 : nil), "\(words)")
      let variants = run(
        ["variants", input, "--wide", output, "--wide-space", "linear-srgb"]
          + ["--narrow", narrow] + words)
      #expect(variants.status == .done, "\(variants.errors)")
      let wide = try ImageFile.info(output).metadata.whiteLuminance
      #expect(wide == (isKept ? 203 : nil), "variants \(words)")
    }
  }

  /// Linear spaces keep light above white, unless a method is named.
  @Test func namedMethodsMapForLinearSpacesToo() throws {
    let found = try converted("--to", "linear-srgb", "--tone-map", "bt2390")
    for (linear, encoded) in zip(found, try converted("--to", "srgb")) {
      // A step of 16 bits is 12.92 steps of encoded black.
      #expect(abs(65535 * Self.sRGB(Double(linear) / 65535) - Double(encoded)) <= 8)
    }
    #expect(found != (try converted("--to", "linear-srgb")))
    let output = folder.path("hlg.png")
    let transcript = run(
      "convert", folder.path("pq.png"), output, "--to", "rec2100-hlg", "--tone-map", "bt2390")
    #expect(transcript.status == .misused)
    #expect(transcript.complaint.contains("has high dynamic range"))
  }

  /// Presses and profiles with LUTs get the picture that a step of tone mapping before `--to` gives them, and coordinates do on request.
  @Test(arguments: ["cmyk-mft2", "rgb-mft2-lab-v4", "oklab"])
  func targetsWithoutCurvesGetMappedTones(_ name: String) throws {
    let input = folder.path("pq.png")
    _ = try converted("--to", "srgb")
    let isSpace = name == "oklab"
    let target = isSpace ? name : Fixtures.url("Profiles/\(name).icc").path
    func file(_ words: String...) throws -> Data {
      let output = folder.path(isSpace ? "out.pfm" : "out.tif")
      let transcript = run(
        ["convert", input, output] + words + ["--to", target] + (isSpace ? ["--untagged"] : []))
      #expect(transcript.status == .done, "\(transcript.errors)")
      return try Data(contentsOf: URL(filePath: output))
    }
    let mapped = try file("--display-mapping", "from=1000,to=203,unit=203")
    let clipped = try file("--tone-map", "clip")
    #expect(mapped != clipped)
    #expect(try file("--tone-map", "bt2390") == mapped)
    #expect(try file() == (isSpace ? clipped : mapped))
    let peak = try file("--tone-map", "bt2390", "--hdr-peak", "4000")
    #expect(try peak == file("--display-mapping", "from=4000,to=203,unit=203"))
  }

  /// Where nothing is mapped by default, a peak alone does nothing.
  @Test(arguments: [
    (["linear-p3"], "Add --tone-map bt2390"), (["oklab"], "Add --tone-map bt2390"),
    (["rec2100-hlg"], "has high dynamic range"),
  ])
  func peaksWithoutToneMappingAreRefused(target: [String], sentence: String) throws {
    _ = try converted("--to", "srgb")
    let words = ["convert", folder.path("pq.png"), "--plan", "--hdr-peak", "4000", "--to"]
    let transcript = run(words + target)
    #expect(transcript.status == .misused)
    #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
  }

  /// The signal of HLG is taken for display light, with the OOTF of a display of 1000 cd/m².
  @Test func hlgIsMappedAsADisplayShowsIt() throws {
    let (input, output) = (folder.path("hlg.png"), folder.path("sdr.png"))
    let signals: [Double] = [0, 0.25, 0.5, 0.75, 0.9, 1]
    let bitmap = Bitmap<UInt16>(PixelSize(signals.count, 1), in: .rec2100HLG, channels: .rgb) {
      x, _ in [UInt16](repeating: UInt16((signals[x] * 65535).rounded()), count: 3)
    }
    try ImageFile.write(.uint16(bitmap), to: input)
    #expect(run("convert", input, output, "--samples", "uint16", "--to", "srgb").status == .done)
    guard case .uint16(let result) = try ImageFile.read(output) else {
      Issue.record("16 bits were asked for")
      return
    }
    for (x, signal) in signals.enumerated() {
      let scene =
        signal <= 0.5
        ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
      let light = Self.mapped(Self.pqEncoded(1000 * pow(scene, 1.2)), peak: 1000)
      // The constants of HLG have eight digits; rounding of the signal is up to 2⁻¹⁷ · 8 of the light.
      #expect(abs(Double(result[x, 0, 0]) - 65535 * Self.sRGB(light)) <= 4, "HLG \(signal)")
    }
  }

  @Test func optionsWithoutEffectAreRefused() throws {
    for options in [
      ["--tone-map", "clip"], ["--hdr-peak", "1000"], ["--to", "srgb", "--hdr-peak", "100"],
      ["--to", "srgb", "--hdr-peak", "4000", "--tone-map", "clip"],
      ["--to", "srgb", "--hdr-peak", "4000", "--tone-map", "bt2446c"],
    ] {
      let transcript = run(["convert", photo, folder.path("a.png")] + options)
      #expect(transcript.status == .misused, "\(options)")
    }
  }
}
