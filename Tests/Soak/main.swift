// Measurements that need a separate process: numbers of allocations, and memory held.

import CAllocationCounter
import Colorloom
import Foundation
import ImageFiles
import Synchronization
import _TestSupport

/// Prints words separated by tabs.
func report(_ words: Any...) { print(words.map { "\($0)" }.joined(separator: "\t")) }

/// For each filter: the number of allocations during the second half of its tiles.
func allocations() throws {
  for channels in [Channels.rgba, .rgb] {
    let source = Picture(
      TestPictures.codes(as: UInt16.self, PixelSize(320, 208), channels: channels))
    for (name, picture) in try EveryFilter.pictures(of: source) {
      let count = try allocationsAfterWarmUp(picture)
      report(name, channels, count.allocations, count.tiles)
    }
  }
}

/// The number of allocations during the second half of a picture's tiles.
func allocationsAfterWarmUp(_ picture: Picture) throws -> (allocations: Int64, tiles: Int) {
  let counts = Counts()
  var options = RenderOptions()
  // Small pictures have several tiles, too.
  let (width, height) = ((picture.size.width + 3) / 4, (picture.size.height + 3) / 4)
  (options.threads, options.tile) = (1, PixelSize(min(32, width), min(16, height)))
  options.progress = { _ in counts.add(allocation_count()) }
  _ = try picture.render(as: UInt16.self, options: options)
  return (counts.ofSecondHalf, counts.count)
}

/// For each rounding: the number of allocations during the second half of the bands, for a picture and a smaller one,
/// as encoders consume them and for a consumer that keeps none.
func bandAllocations() throws {
  let picture = Picture(TestPictures.codes(as: UInt16.self, PixelSize(320, 208))).exposure(-1)
  let pictures = [picture, picture.resized(to: .exact(90, 61))]
  var options = RenderOptions()
  (options.threads, options.tile) = (1, PixelSize(100, 3))
  for dither in [nil, Dither.ordered, .triangularNoise, .errorDiffusion] {
    let (encoded, taken) = (Counts(), Counts())
    try Picture.renderBands(
      [
        BandedResult(picture, channels: .bgra, as: .uint8, alpha: .premultiplied, dither: dither),
        BandedResult(pictures[1].monochrome(), channels: .grayAlpha, as: .uint16, alpha: .straight),
        BandedResult(pictures[1], as: .uint16, alpha: .straight, dither: dither),
      ], options: options
    ) { _, _, _ in encoded.add(allocation_count()) }
    try Picture.renderBands(pictures, as: UInt8.self, dither: dither, options: options) { _, _, _ in
      taken.add(allocation_count())
    }
    for (name, counts) in [("encoded", encoded), ("taken", taken)] {
      report(name, dither.map { "\($0.method)" } ?? "nearest", counts.ofSecondHalf, counts.count)
    }
  }
}

/// Counts that are recorded without allocation.
final class Counts: Sendable {
  private let recorded: Mutex<(values: [Int64], count: Int)> = Mutex(
    ([Int64](repeating: 0, count: 100_000), 0))

  func add(_ value: Int64) {
    recorded.withLock { recorded in
      recorded.values[recorded.count] = value
      recorded.count += 1
    }
  }

  var count: Int { recorded.withLock { $0.count } }

  /// The increase from the middle count to the last.
  var ofSecondHalf: Int64 {
    recorded.withLock { $0.values[$0.count - 1] - $0.values[$0.count / 2] }
  }
}

/// For random graphs of sequential sources, with measurements, error diffusion, pairs of results and bands: the peak
/// memory of rendering, and the plan's promise.
func memory(graphs: Int) throws {
  for seed in 0..<graphs {
    var generator = SeededGenerator(seed: UInt64(seed))
    var picture = RandomGraph.picture(depth: 4, scale: 6, using: &generator)
    if seed % 7 == 3 {
      picture = (0..<3).reduce(Picture(Waves(size: PixelSize(300, 200)))) { picture, _ in
        RandomGraph.step(after: picture, depth: 1, scale: 6, using: &generator)
      }
    }
    if seed % 4 == 0 {
      // Every other cache is too small for the whole picture.
      let cache = PictureCache(bytes: seed % 8 == 0 ? 1 << 16 : 1 << 24, blockSide: 64)
      picture = picture.stored(as: .float16).cached(in: cache).inverted()
    }
    if seed % 5 == 1 {
      picture = picture.applying(measuring: Statistics(), in: .linear) {
        $1.exposure(min(max($0.mean.x, -1), 1))
      }
    }
    var pictures = seed % 5 == 2 ? [picture.resized(to: .exact(70, 40)), picture] : [picture]
    if seed % 5 == 4 {
      pictures += RandomGraph.narrowResults(depth: 2, scale: 6, using: &generator)
    }
    let dither: Dither? = seed % 5 == 3 ? .errorDiffusion : nil
    let inBands = seed % 3 == 0
    var options = RenderOptions()
    options.threads = 1 + seed % 4
    let promised = try Picture.planReport(
      pictures, as: UInt16.self, dither: dither, inBands: inBands, options: options
    ).peakBytes
    reset_allocated_bytes_peak()
    let before = allocated_bytes()
    if inBands {
      try Picture.renderBands(pictures, as: UInt16.self, dither: dither, options: options) {
        _, _, _ in
      }
    } else {
      _ = try Picture.render(pictures, as: UInt16.self, dither: dither, options: options)
    }
    report(seed, allocated_bytes_peak() - before, promised)
  }
}

/// For plans of some tiles and of four times as many, of sequential sources: the number of allocations.
func planning() throws {
  let source = Picture(Waves(size: PixelSize(1200, 800)))
  let picture = source.blurred(sigma: 1).applying(Mean(extent: .first), with: [source.inverted()])
  var options = RenderOptions()
  // The tables of the first plan are computed once.
  for side in [800, 16, 8] {
    options.tile = PixelSize(side, side)
    let before = allocation_count()
    let plan = try picture.planReport(as: UInt8.self, inBands: true, options: options)
    let count = allocation_count() - before
    report(plan.tileCount, count)
  }
}

/// A gigapixel of 16 bits, generated row by row, converted to sRGB and resized to 2048 pixels within a limit: the peak
/// resident memory.
func huge() throws {
  var options = RenderOptions()
  (options.pixelLimit, options.memoryLimit) = (1 << 31, 224_000_000)
  let source = Picture(Waves(size: PixelSize(32_768, 32_768)))
  let rows = Mutex(0)
  try source.converted(to: .sRGB).resized(to: .fit(2048, 2048))
    .renderBands(as: UInt16.self, options: options) { _, band in
      rows.withLock { $0 += band.size.height }
    }
  report(rows.withLock(\.self), try mostResidentBytes())
}

/// A picture of so many rows, written to a file of a format and from there to another one: the peak resident memory.
func files(_ ending: String, height: Int) throws {
  let folder = try TemporaryFolder()
  let (name, format) = (folder.path("first.\(ending)"), ImageFileFormat(ofFileNamed: "a.\(ending)"))
  let samples: SampleFormat = format == .openEXR ? .float32 : .uint8
  let waves = Picture(Waves(size: PixelSize(2000, height)))
  try (format == .openEXR ? waves.converted(to: .linearSRGB) : waves)
    .write(to: name, samples: samples)
  // A device that requires sequential writes, as pipes do.
  for target in [folder.path("second.\(ending)"), "/dev/null"] {
    try Picture(contentsOf: name).write(to: target, as: format, samples: samples)
  }
  report(ending, height, try mostResidentBytes())
}

/// For files of each format, including those that are decoded as a whole: the peak memory of rendering, and the plan's
/// promise.
func reading() throws {
  let folder = try TemporaryFolder()
  let waves = Picture(Waves(size: PixelSize(1500, 1008)))
  var progressive = WritingOptions()
  progressive.isProgressive = true
  for ending in ["png", "jpg", "tif"] { try waves.write(to: folder.path("rows.\(ending)")) }
  try waves.converted(to: .linearSRGB).write(to: folder.path("rows.exr"))
  try waves.write(to: folder.path("progressive.jpg"), writing: progressive)
  let black = Bitmap<UInt16>(PixelSize(1500, 1008), in: .sRGB, channels: .rgb)
  try Data(interlaced(ImageFile.encode(.uint16(black), as: .png)))
    .write(to: URL(fileURLWithPath: folder.path("interlaced.png")))
  for name in [
    "rows.png", "interlaced.png", "rows.jpg", "progressive.jpg", "rows.tif", "rows.exr",
  ] {
    let picture = try Picture(contentsOf: folder.path(name))
    let promised = try picture.planReport(as: UInt8.self).peakBytes
    reset_allocated_bytes_peak()
    let before = allocated_bytes()
    _ = try picture.render(as: UInt8.self)
    report(name, allocated_bytes_peak() - before, promised)
  }
}

/// For files of each format, written by name and to a target that cannot seek: the peak memory of rendering and
/// encoding, the memory that the limit counts, and the increase of peak resident memory.
func writing() throws {
  let folder = try TemporaryFolder()
  let waves = Picture(Waves(size: PixelSize(1500, 1008)))
  let linear = waves.converted(to: .linearSRGB)
  var (progressive, stored, untagged) = (WritingOptions(), WritingOptions(), WritingOptions())
  (progressive.isProgressive, progressive.chroma) = (true, .full)
  stored.compression = .none
  untagged.isUntagged = true
  var described = WritingOptions()
  described.metadata.xmp = [UInt8](repeating: 32, count: 2_000_000)
  let device = "/dev/null"
  var files = [
    PictureFile(waves, at: folder.path("a.png")),
    PictureFile(waves, at: folder.path("described.png"), writing: described),
    PictureFile(waves, at: folder.path("a.jpg")),
    PictureFile(waves, at: folder.path("progressive.jpg"), writing: progressive),
    PictureFile(waves, at: folder.path("a.tif")),
    PictureFile(waves, at: folder.path("stored.tif"), writing: stored),
    PictureFile(waves, at: folder.path("described.tif"), writing: described),
    PictureFile(linear, at: folder.path("a.exr")),
    PictureFile(linear, at: folder.path("float.exr"), samples: .float32),
    PictureFile(linear, at: folder.path("stored.exr"), writing: stored),
    PictureFile(waves, at: folder.path("a.ppm"), writing: untagged),
    PictureFile(waves, at: folder.path("a.pfm"), writing: untagged),
    PictureFile(waves, at: folder.path("a.npy"), writing: untagged),
  ]
  for format in [ImageFileFormat.tiff, .openEXR] {
    files.append(PictureFile(format == .tiff ? waves : linear, at: device, as: format))
  }
  files.append(PictureFile(waves, at: device, as: .pfm, writing: untagged))
  for file in files {
    var options = RenderOptions()
    options.memoryLimit = 1
    let promised = try memoryNeeded { try Picture.write([file], options: options) }
    options.memoryLimit = promised
    let (held, resident) = try memoryHeld { try Picture.write([file], options: options) }
    let name = file.path.split(separator: "/").last ?? ""
    report("\(name) \(file.format?.name ?? "")", held, promised, resident)
  }
}

/// The memory that a limit of one byte is refused for.
func memoryNeeded(_ body: () throws -> Void) throws -> Int {
  do { try body() } catch ImageFileError.rendering(.tooMuchMemory(let bytes, _)) { return bytes }
  throw Failure("A limit of one byte was enough.")
}

/// The peak of held and of resident bytes, relative to those before.
func memoryHeld(_ body: () throws -> Void) throws -> (held: Int64, resident: Int) {
  // Resets Linux's peak value.
  try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  let resident = try residentBytes("VmRSS")
  reset_allocated_bytes_peak()
  let before = allocated_bytes()
  try body()
  return (allocated_bytes_peak() - before, try residentBytes("VmHWM") - resident)
}

/// A black PNG file whose header is changed to an interlaced picture with eight rows less: its data, which are zeros or
/// filter types, then has more passes of rows, each of which begins with a filter type.
func interlaced(_ png: [UInt8]) -> [UInt8] {
  var header = Array(png[12..<29])
  let height = header[8..<12].reduce(0) { $0 << 8 | Int($1) } - 8
  for byte in 0..<4 { header[8 + byte] = UInt8(height >> (24 - 8 * byte) & 255) }
  header[16] = 1
  let checksum = Checksum.crc32(header)
  for shift: UInt32 in [24, 16, 8, 0] { header.append(UInt8(checksum >> shift & 255)) }
  var changed = png
  changed.replaceSubrange(12..<33, with: header)
  return changed
}

/// The peak resident memory of this process.
func mostResidentBytes() throws -> Int { try residentBytes("VmHWM") }

/// A number of bytes in Linux's status of this process, which counts kilobytes.
func residentBytes(_ name: String) throws -> Int { try numberInStatus(name) * 1024 }

/// A number in Linux's status of this process.
func numberInStatus(_ name: String) throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
  guard let number = line?.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }) else {
    throw Failure("/proc/self/status does not state \(name).")
  }
  return number
}

/// Rows of waves in Display P3.
struct Waves: RowSource {
  let size: PixelSize
  var space: ColorSpace { .displayP3 }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint16 }

  func makeReader() -> any RowReader { Reader(width: size.width) }

  private final class Reader: RowReader {
    private let wave: [UInt16]
    private var y = 0

    init(width: Int) {
      wave = (0..<3 * width).map { UInt16(truncatingIfNeeded: $0 &* 97) }
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) {
      wave.withUnsafeBytes { row.copyMemory(from: $0) }
      row.storeBytes(of: UInt16(truncatingIfNeeded: y), as: UInt16.self)
      y += 1
    }
  }
}

if let instructionSetError {
  print("failed: \(instructionSetError)")
  exit(2)
}
do {
  let words = CommandLine.arguments.dropFirst()
  switch words.first {
  case "allocations": try allocations()
  case "bands": try bandAllocations()
  case "memory": try memory(graphs: 500)
  case "planning": try planning()
  case "huge": try huge()
  case "reading": try reading()
  case "writing": try writing()
  case "delays": try delays()
  case "concurrent": try concurrent(renderings: 400)
  case "returned": try returned()
  case "cores": try cores()
  case "instructions": try InstructionCount().run()
  case "files" where words.count == 3: try files(words[2], height: Int(words[3]) ?? 1)
  default:
    print(
      "usage: colorloom-soak allocations|bands|memory|planning|huge|reading|writing|delays|concurrent|"
        + "returned|cores|instructions|files ENDING HEIGHT")
  }
} catch {
  print("failed: \(error)")
  exit(1)
}
