import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// A folder with the files that the commands of a page read.
struct GuideDesk {
  private let folder: TemporaryFolder
  private let page: String

  /// Creates the files that a page names. The README and the guide to other programs have the shipped ones, of 60 × 40 pixels.
  init(for page: String) throws {
    (folder, self.page) = (try TemporaryFolder(), page)
    let text = try GuidePage.text(of: page)
    let isShipped = ["README.md", "Documentation/Guides/ComingFrom.md"].contains(page)
    for name in Self.names where text.contains(name) { try make(name) }
    if isShipped { for (name, fixture) in Self.shipped { try copy(fixture, to: name) } }
    for folder in ["Fixtures", "small", "bin"] {
      try FileManager.default.createDirectory(
        atPath: path(folder), withIntermediateDirectories: true)
    }
    try copy("negative.png", to: "Fixtures/negative.png")
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func copy(_ fixture: String, to name: String) throws {
    try? FileManager.default.removeItem(atPath: path(name))
    try FileManager.default.copyItem(atPath: Fixtures.url(fixture).path, toPath: path(name))
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  private func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  // MARK: Files

  private static let shipped = [
    "in.png": "Images/scene.png", "in.jpg": "Images/wide-p3.jpg", "a.png": "Images/scene.png",
    "photo.png": "Images/scene.png", "display.icc": "Profiles/display-p3-v4.icc",
    "printer.icc": "Profiles/cmyk-mft2.icc", "press.icc": "Profiles/cmyk-mft2.icc",
    "film.cube": "Looks/look-3d-5.cube", "scan.png": "negative.png",
  ]

  private static let names = [
    "photo.png", "copy.png", "uploaded.png", "gray.png", "in.png", "thumbnail.jpg", "turned.jpg",
    "mask.png", "r.png", "g.png", "b.png", "in.exr", "plate.exr", "element.exr", "beauty.exr",
    "diffuse.exr", "a.exr", "b.exr", "logo.png", "negative.png", "mine.curves", "1-bright.png",
    "2-dim.png", "graded.cube", "printer.icc", "display.icc", "depth.exr", "render.exr", "scan.tif",
    "page.tiff", "grade.json", "poster.json", "chain.json", "over.json", "rows.txt", "jobs.jsonl",
    "in.y4m", "camera.y4m", "film.mov", "frames.rgb", "camera.nv12", "/dev/video0",
  ]

  private func make(_ name: String) throws {
    let size = PixelSize(48, 32)
    let photo = TestPictures.codes(as: UInt16.self, size, in: .displayP3)
    switch name {
    case "mask.png", "r.png", "g.png", "b.png":
      // As large as the shipped picture.
      let scene = try Picture(contentsOf: Fixtures.url("Images/scene.png").path)
      try scene.converted(to: .sGray).write(to: path(name))
    case "logo.png":
      let logo = TestPictures.codes(as: UInt8.self, size, channels: .rgba)
      try ImageFile.write(.uint8(logo), to: path(name))
    case "negative.png": try copy("negative.png", to: name)
    case "mine.curves": try copy("film.curves", to: name)
    case "1-bright.png": try ImageFile.write(.uint16(FilmRollFixture.scan(0)), to: path(name))
    case "2-dim.png": try ImageFile.write(.uint16(FilmRollFixture.scan(1)), to: path(name))
    case "graded.cube": try Look(ColorTable(size: 2) { $0 }).write(to: path(name))
    case "printer.icc": try write(profile("CMYK", 4), to: name)
    case "display.icc": try write(profile("RGB ", 3), to: name)
    case "depth.exr":
      let depth = TestEXR(width: 48, height: 32, channels: [("Y", 2)]) { x, _, _ in Float(x) }
      try write(depth.bytes, to: name)
    case "render.exr":
      let channels = ["B", "G", "R", "beauty.B", "beauty.G", "beauty.R"].map { ($0, 1) }
      let render = TestEXR(width: 48, height: 32, channels: channels) { x, y, _ in
        Float(x + y) / 8
      }
      try write(render.bytes, to: name)
    case "scan.tif": try write(scan(pages: page.contains("CommandLine") ? 3 : 1), to: name)
    case "page.tiff":
      let print = TestTIFF(samplesPerPixel: 4, kind: 5) { x, y, ink in 40 * x + 8 * y + ink }
      try write(print.bytes, to: name)
    case "grade.json":
      try write(#"{"version": 1, "steps": [{"exposure": {"stops": 1}}]}"#, to: name)
    case "poster.json": try write(recipe(with: "\"poster\"", in: "Recipes"), to: name)
    case "chain.json": try write(recipe(with: "CIVibrance", in: "ComingFrom"), to: name)
    case "over.json":
      try write(recipe(with: "CISourceOverCompositing", in: "ComingFrom"), to: name)
    case "rows.txt": try write("1 0 0\n0 0.5 1\n", to: name)
    case "jobs.jsonl":
      let jobs = [
        #"{"id": 1, "run": ["convert", "photo.png", "job.png", "--to", "sRGB"]}"#,
        #"{"id": "c", "run": ["color", "--from", "p3", "--to", "sRGB"], "input": ["1 0 0"]}"#,
      ]
      try write(jobs.joined(separator: "\n"), to: name)
    case "in.y4m", "camera.y4m", "film.mov":
      let header = Array("YUV4MPEG2 W4 H2 F25:1 C444\nFRAME\n".utf8)
      try write(header + [UInt8](repeating: 90, count: 24), to: name)
    case "frames.rgb": try write([UInt8](repeating: 90, count: 1920 * 1080 * 3), to: name)
    case "camera.nv12", "/dev/video0":
      try write([UInt8](repeating: 90, count: 1280 * 720 * 3 / 2), to: "camera.nv12")
    default:
      switch name.split(separator: ".").last {
      case "exr": try Picture(photo).converted(to: .acescg).write(to: path(name))
      case "jpg": try Picture(photo).write(to: path(name))
      default: try ImageFile.write(.uint16(photo), to: path(name))
      }
    }
  }

  private func profile(_ space: String, _ channels: Int) -> [UInt8] {
    TableProfile.profile(.mft2, space: space, channels: channels, version: 2).bytes
  }

  /// A scan with an infrared channel and a profile; all its pages have the same pixels.
  private func scan(pages: Int) throws -> [UInt8] {
    var first = TestTIFF(width: 48, height: 32, samplesPerPixel: 4) { x, y, channel in
      channel == 3 && (x, y) == (8, 8) ? 0 : 255 - 2 * x - y
    }
    first.shorts[338] = [0]
    first.blobs[34675] = try Fixtures.bytes("Profiles/display-p3-v4.icc")
    var file = first.bytes
    var directory = integer(4, of: file)
    let byteCount = 2 + 12 * (Int(file[directory]) + Int(file[directory + 1]) << 8)
    for _ in 1..<pages {
      if file.count % 2 == 1 { file.append(0) }
      let next = file.count
      file += file[directory..<directory + byteCount] + [0, 0, 0, 0]
      let link = directory + byteCount
      file.replaceSubrange(link..<link + 4, with: next.bytes(4))
      directory = next
    }
    return file
  }

  /// A little-endian integer of four bytes.
  private func integer(_ start: Int, of file: [UInt8]) -> Int {
    file[start..<start + 4].reversed().reduce(0) { $0 << 8 + Int($1) }
  }

  /// The first recipe in a guide that contains a text.
  private func recipe(with text: String, in guide: String) throws -> String {
    let page = try GuidePage.text(of: "Documentation/Guides/\(guide).md")
    let spans = page.matches(of: /`+(?:json\n)?({\s*"version"[^`]+)`/).map { String($0.1) }
    return try #require(spans.first { $0.contains(text) }, "\(text)")
  }

  // MARK: Commands

  /// Splits a line into words, with files in this folder. `IN`, `OUT`, `A` and `B` stand for pictures, and `*` for the names that fit.
  func words(_ line: String) -> [String] {
    shellWords(line).flatMap { word -> [String] in
      if let name = ["IN": "in.png", "OUT": "out.png", "A": "a.png", "B": "b.png"][word] {
        return [path(name)]
      }
      // A folder to write.
      if word.hasSuffix("/") {
        if word == "OUT/" { try? FileManager.default.removeItem(atPath: path(word)) }
        return [path(word)]
      }
      if word.hasPrefix("*") {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(""))) ?? []
        return names.filter { $0.hasSuffix(word.dropFirst()) }.sorted().map(path)
      }
      // A step or a layer has files before its parameters or after its name: logo.png,mode=screen.
      let named = word.hasPrefix("IN,") ? "in.png" + word.dropFirst(2) : word
      return [named.replacing(Self.file) { path(String($0.0)) }]
    }
  }

  private static var file: Regex<(Substring, Substring)> {
    #/[^,= ]+\.(clf|cube|curves|exr|html|icc|jpe?g|json|ply|png|ppm|rgb|svg|tiff?|y4m)(?=,|$)/#
  }

  /// Runs a line as it stands in this folder, by a shell that finds the built tool, and substitutes for ffmpeg and ffplay. Returns whether
  /// each of its commands succeeds, and what they say on standard error.
  func shell(_ line: String) throws -> (isDone: Bool, errors: [String]) {
    let source = line.contains("rawvideo") ? "camera.nv12" : "film.mov"
    for (name, text) in [("ffmpeg", "cat \(source)"), ("ffplay", "cat > played")] {
      try write("#!/bin/sh\n\(text)\n", to: "bin/\(name)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: path("bin/\(name)"))
    }
    let tools = Client.built("colorloom").deletingLastPathComponent().path
    let script = """
      set -o pipefail
      cd '\(path(""))'
      PATH="$PWD/bin:\(tools):$PATH"
      {
      \(line)
      } 2> errors.txt
      """
    let ending = try Client.ending(of: URL(filePath: "/bin/bash"), ["-c", script])
    let errors = try String(contentsOf: URL(filePath: path("errors.txt")), encoding: .utf8)
    return (ending.status == 0, errors.split(separator: "\n").map(String.init))
  }
}
