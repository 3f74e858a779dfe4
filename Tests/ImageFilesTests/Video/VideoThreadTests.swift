import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Frames are converted on the threads of a rendering, whose number changes no byte.
@Suite struct VideoThreadTests {
  private let folder: TemporaryFolder
  /// Odd, wider than the buffers of the conversion, and of several bands of rows.
  private static let size = PixelSize(1027, 201)

  init() throws { folder = try TemporaryFolder() }

  private static let layouts = [
    VideoFormat.Layout.planes(.quarter, bits: 8), .planes(.quarter, bits: 10),
    .planes(.half, bits: 16), .semiplanar(.quarter, bits: 10), .packed422(isChromaFirst: true),
    .gray(bits: 12), .packedRGB(bits: 8),
  ]

  private static func options(_ threads: Int?) -> RenderOptions {
    var options = RenderOptions()
    options.threads = threads
    return options
  }

  /// Writes a file of two frames of random codes.
  private func file(_ format: VideoFormat) throws -> String {
    var random = SeededGenerator(seed: 11)
    let largest = UInt16(1 << format.layout.bits - 1)
    let samples = 2 * format.frameBytes / (format.layout.bits > 8 ? 2 : 1)
    let bytes = (0..<samples).flatMap { _ -> [UInt8] in
      let code = UInt16.random(in: 0...largest, using: &random)
      return format.layout.bits > 8
        ? [UInt8(code & 255), UInt8(code >> 8)] : [UInt8(truncatingIfNeeded: code)]
    }
    let path = folder.path("in.yuv")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// The bytes that frames become, passed on by `pass` as long as it returns true.
  private func written(
    _ path: String, _ source: VideoFormat, _ target: VideoFormat,
    _ pass: (VideoReader, VideoWriter) throws -> Bool
  ) throws -> Data {
    let output = folder.path("out.yuv")
    let reader = try VideoReader(path, samples: source)
    let writer = try VideoWriter(output, target, isBare: true)
    while try pass(reader, writer) {}
    try writer.finish()
    let bytes = try Data(contentsOf: URL(filePath: output))
    #expect(bytes.count == 2 * target.frameBytes)
    return bytes
  }

  @Test(arguments: layouts) func framesDoNotDependOnThreads(layout: VideoFormat.Layout) throws {
    for siting in VideoFormat.Siting.allCases {
      let format = VideoFormat(Self.size, layout, siting: siting)
      let path = try file(format)
      func frames(_ threads: Int?) throws -> Data {
        let options = Self.options(threads)
        return try written(path, format, format) { reader, writer in
          guard let picture = try reader.nextPicture(in: .rec709, options: options) else {
            return false
          }
          try writer.write(picture.exposure(0.25), options: options)
          return true
        }
      }
      let one = try frames(1)
      for threads in [2, 3, 8, nil] { #expect(try frames(threads) == one, "\(siting)") }
    }
  }

  /// A picture that is released gives its memory to the next one; one that is kept does not.
  @Test(arguments: [8, 10]) func keptPicturesDoNotChange(bits: Int) throws {
    let format = VideoFormat(PixelSize(64, 8), .planes(.quarter, bits: bits))
    let path = try file(format)
    func next(_ reader: VideoReader) throws -> Picture {
      try #require(try reader.nextPicture(in: .rec709))
    }
    let reader = try VideoReader(path, samples: format)
    let kept = try [next(reader), next(reader)].map { try $0.render(as: Float.self) }
    let other = try VideoReader(path, samples: format)
    let first = try next(other)
    let second = try next(other)
    #expect(try first.render(as: Float.self).firstDifference(from: kept[0]) == nil)
    #expect(try second.render(as: Float.self).firstDifference(from: kept[1]) == nil)
    #expect(kept[0].firstDifference(from: kept[1]) != nil)
    let released = try VideoReader(path, samples: format)
    _ = try next(released)
    #expect(try next(released).render(as: Float.self).firstDifference(from: kept[1]) == nil)
  }

  /// Copies to other bit depths, of all bands of a plane, are those that H.273 defines.
  @Test(arguments: [(8, 10), (10, 8), (12, 16), (16, 9)], [false, true])
  func copiesDoNotDependOnThreads(bits: (from: Int, to: Int), isFullRange: Bool) throws {
    let source = VideoFormat(
      Self.size, .planes(.quarter, bits: bits.from), isFullRange: isFullRange)
    let target = VideoFormat(Self.size, .planes(.quarter, bits: bits.to), isFullRange: isFullRange)
    let path = try file(source)
    let stored = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let samples = source.frameBytes / (bits.from > 8 ? 2 : 1)
    let (most, largest) = (1 << bits.from - 1, 1 << bits.to - 1)
    let expected = (0..<2 * samples).flatMap { index -> [UInt8] in
      let code =
        bits.from > 8
        ? Int(stored[2 * index]) | Int(stored[2 * index + 1]) << 8 : Int(stored[index])
      let isChroma = index % samples >= Self.size.pixelCount
      let (middle, newMiddle) =
        isChroma && isFullRange ? (1 << (bits.from - 1), 1 << (bits.to - 1)) : (0, 0)
      let value =
        isFullRange
        ? Double(code - middle) * Double(largest) / Double(most) + Double(newMiddle)
        : Double(code) * Double(1 << bits.to) / Double(1 << bits.from)
      let new = Int(min(max((value + 0.5).rounded(.down), 0), Double(largest)))
      return bits.to > 8 ? [UInt8(new & 255), UInt8(new >> 8)] : [UInt8(new)]
    }
    for threads in [1, 2, 3, 8, nil] {
      let bytes = try written(path, source, target) { reader, writer in
        try reader.copyFrame(to: writer, options: Self.options(threads))
      }
      #expect(bytes == Data(expected), "\(threads as Any)")
    }
  }
}
