import ColorSpaces
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// JPEG thumbnails of canaries by several programs: intact ones are reported as intact, and each kind of damage by its
/// name, down to the documented size and quality 50.
@Suite struct CanaryThumbnailTests {
  private let folder: TemporaryFolder
  private let canary = Picture(Canary(size: PixelSize(384, 128)), in: .displayP3)

  init() throws { folder = try TemporaryFolder() }

  private static let widths = [192, 128, 96]
  private static let qualities = [50, 60, 75, 85, 95]

  /// A canary, its damage, and whether its file states a space.
  private struct Pipeline {
    let name: String
    let fate: Canary.Fate
    let picture: Picture
    var isTagged = true
  }

  private func pipelines() throws -> [Pipeline] {
    let bitmap = try canary.render(as: UInt8.self)
    func swapped(_ order: [Int]) -> Picture {
      Picture(
        Bitmap<UInt8>(bitmap.size, in: .displayP3, channels: .rgb) { x, y in
          order.map { bitmap[x, y, $0] }
        })
    }
    let narrow = canary.converted(to: .sRGB)
    let cut = Picture(try narrow.render(as: UInt8.self))
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.85], [1, 1]])
    let toned = Picture(try narrow.toneCurve(curve).render(as: UInt16.self))
    return [
      Pipeline(name: "intact", fate: .intact, picture: canary),
      Pipeline(name: "dropped", fate: .profileDropped, picture: canary, isTagged: false),
      Pipeline(name: "untagged", fate: .convertedAndUntagged, picture: cut, isTagged: false),
      Pipeline(name: "clipped", fate: .clipped, picture: cut),
      Pipeline(name: "again", fate: .clipped, picture: cut.converted(to: .displayP3)),
      Pipeline(name: "mistagged", fate: .mistagged, picture: canary.tagged(as: .sRGB)),
      Pipeline(name: "swapped", fate: .channelsSwapped, picture: swapped([2, 1, 0])),
      Pipeline(name: "turned", fate: .channelsSwapped, picture: swapped([1, 2, 0])),
      Pipeline(
        name: "toned", fate: .toneCurveClamped, picture: toned.converted(to: .displayP3)),
    ]
  }

  @Test(arguments: [ChromaSampling.full, .quarter]) func oursAreNamed(chroma: ChromaSampling) throws
  {
    for pipeline in try pipelines() {
      for width in Self.widths {
        let thumbnail = pipeline.picture.resized(to: .fit(width, width))
        for quality in Self.qualities {
          var writing = WritingOptions()
          (writing.quality, writing.chroma) = (quality, chroma)
          writing.isUntagged = !pipeline.isTagged
          let path = folder.path("thumbnail.jpg")
          try thumbnail.write(to: path, samples: .uint8, writing: writing)
          let fate = try Canary.check(contentsOf: path).fate
          #expect(fate == pipeline.fate, "\(pipeline.name), \(width) pixels, quality \(quality)")
        }
      }
    }
  }

  /// Creates thumbnails of all pipelines with another program, and checks them. `make` receives the source, the
  /// thumbnail's path, its width, its quality, and whether chroma is subsampled 4:2:0.
  private func check(
    by program: String, _ make: (String, String, Int, Int, Bool) throws -> Void
  ) throws {
    for pipeline in try pipelines() {
      let source = folder.path("\(pipeline.name).png")
      var writing = WritingOptions()
      writing.isUntagged = !pipeline.isTagged
      try pipeline.picture.write(to: source, samples: .uint8, writing: writing)
      for width in Self.widths {
        for quality in [50, 75, 95] {
          for isShared in [false, true] {
            let path = folder.path("\(pipeline.name)-\(program).jpg")
            try make(source, path, width, quality, isShared)
            if pipeline.isTagged { try embedProfile(of: pipeline.picture.space, in: path) }
            let fate = try Canary.check(contentsOf: path).fate
            #expect(
              fate == pipeline.fate,
              "\(program), \(pipeline.name), \(width) pixels, quality \(quality), \(isShared)")
          }
        }
      }
    }
  }

  /// Some programs drop profiles; the guarantee is for thumbnails that have one.
  private func embedProfile(of space: ColorSpace, in path: String) throws {
    guard try ImageFile.info(path).profile == nil else { return }
    let profile = try ICCProfile(describing: space).bytes
    let bytes = try Peers.bytes(path)
    let body = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
    let length = body.count + 2
    let segment: [UInt8] = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + body
    try Peers.write(Array(bytes[..<2]) + segment + Array(bytes[2...]), path)
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed")) func pillowIsNamed() throws {
    try check(by: "pillow") { source, path, width, quality, isShared in
      _ = try Peers.pillow(
        """
        image = Image.open(sys.argv[1])
        profile = image.info.get("icc_profile")
        image.thumbnail((int(sys.argv[3]), int(sys.argv[3])))
        image.save(sys.argv[2], quality=int(sys.argv[4]), subsampling=int(sys.argv[5]), icc_profile=profile)
        """, [source, path, "\(width)", "\(quality)", isShared ? "2" : "0"])
    }
  }

  /// Every kernel of Pillow, at sizes whose edges lie across the blocks of JPEG, with the coarsest allowed quality: intact
  /// canaries stay intact, and the smallest loss of gamut, to DCI-P3, is found.
  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed")) func everyKernelIsNamed() throws {
    let narrow = Picture(try canary.converted(to: .dciP3).render(as: UInt8.self))
    let cases: [(name: String, picture: Picture, fate: Canary.Fate)] = [
      ("kept", canary, .intact), ("narrowed", narrow.converted(to: .displayP3), .clipped),
    ]
    for (name, picture, fate) in cases {
      let source = folder.path("\(name).png")
      try picture.write(to: source, samples: .uint8)
      _ = try Peers.pillow(
        """
        image = Image.open(sys.argv[1])
        profile = image.info.get("icc_profile")
        image = image.convert("RGB")
        for kernel in ("NEAREST", "BOX", "BILINEAR", "HAMMING", "BICUBIC", "LANCZOS"):
            for width in (192, 128, 100, 97, 96):
                small = image.resize((width, max(round(width / 3), 32)), getattr(Image, kernel))
                for shared in (0, 2):
                    path = f"{sys.argv[2]}-{kernel}-{width}-{shared}.jpg"
                    small.save(path, quality=50, subsampling=shared, icc_profile=profile)
        """, [source, folder.path(name)])
      for kernel in ["NEAREST", "BOX", "BILINEAR", "HAMMING", "BICUBIC", "LANCZOS"] {
        for width in [192, 128, 100, 97, 96] {
          for shared in [0, 2] {
            let thumbnail = "\(name)-\(kernel)-\(width)-\(shared).jpg"
            #expect(
              try Canary.check(contentsOf: folder.path(thumbnail)).fate == fate, "\(thumbnail)")
          }
        }
      }
    }
  }

  private static let vips = Client("vipsthumbnail")

  @Test(.enabled(if: vips.isPresent, "libvips-tools are not installed")) func vipsIsNamed() throws {
    try check(by: "vips") { source, path, width, quality, isShared in
      let chroma = isShared ? "on" : "off"
      try Self.vips.run(
        source, "-s", "\(width)", "-o", "\(path)[Q=\(quality),subsample_mode=\(chroma)]")
    }
  }

  @Test(.enabled(if: Client.imageMagick.can("-version"), "ImageMagick is not installed"))
  func magickIsNamed() throws {
    try check(by: "magick") { source, path, width, quality, isShared in
      try Client.imageMagick.run(
        source, "-resize", "\(width)", "-quality", "\(quality)", "-sampling-factor",
        isShared ? "2x2" : "1x1", path)
    }
  }

  private static let ffmpeg = Client("ffmpeg")

  /// Qualities from 2, about 95, to 10, about 50.
  @Test(.enabled(if: ffmpeg.isPresent, "ffmpeg is not installed")) func ffmpegIsNamed() throws {
    let scales = [50: "10", 75: "5", 95: "2"]
    try check(by: "ffmpeg") { source, path, width, quality, isShared in
      let format = isShared ? "yuvj420p" : "yuvj444p"
      try Self.ffmpeg.run(
        "-y", "-loglevel", "error", "-i", source, "-vf",
        "scale=\(width):-1:flags=lanczos,format=\(format)", "-q:v", scales[quality] ?? "5",
        "-frames:v", "1", "-update", "1", path)
    }
  }
}
