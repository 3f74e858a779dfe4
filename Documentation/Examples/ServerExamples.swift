import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Thumbnails that were made, by what they were made of and how.
actor ThumbnailCache {
  private var files: [String: [UInt8]] = [:]

  func file(_ key: String, orMake make: @Sendable () async throws -> [UInt8]) async throws
    -> [UInt8]
  {
    if let file = files[key] { return file }
    let file = try await make()
    files[key] = file
    return file
  }
}

/// Answers the bytes of a request with those of a thumbnail.
struct ThumbnailService: Sendable {
  /// What is done to every picture.
  let recipe: Recipe
  let cache = ThumbnailCache()

  func response(
    to body: [UInt8], accept: String?, display: DisplayHint
  ) async throws -> (type: String, body: [UInt8])? {
    guard let format = ImageFileFormat.preferred(of: [.jpeg, .png], accept: accept) else {
      return nil  // 406
    }
    let space: ColorSpace = display.gamut == .sRGB ? .sRGB : .displayP3
    let key = "\(ContentHash(bytes: body)) \(recipe.contentHash) \(space.name) \(format)"
    let file = try await cache.file(key) {
      var limits = FileLimits(pixels: 100_000_000, bytes: 20 << 20)
      limits.memoryLimit = 64 << 20
      var options = RenderOptions()
      options.threads = 1
      options.memoryLimit = 64 << 20
      let photo = try await Picture(bytes: body, assuming: .sRGB, limits: limits)
      return try await recipe.picture([recipe.inputs[0]: photo]).converted(to: space).encoded(
        as: format, samples: .uint8, options: options, writing: WritingOptions(quality: 80))
    }
    return (format.mimeTypes[0], file)
  }
}

/// The status that says whose fault an error is.
func status(for error: any Error) -> Int {
  switch error as? ImageFileError {
  case .tooManyBytes, .tooManyPixels, .expandsTooMuch, .tooMuchMemory, .tooMuchMetadata: 413
  case .rendering(.tooMuchMemory), .rendering(.recipe(.tooManyPixels)): 413
  case .unknownFormat, .unsupportedStorage: 415
  case .rendering(.cancelled): 499
  case .truncated, .damaged, .untagged, .profile, .unsupportedColor, .inks: 422
  default: 500
  }
}

/// What the guide of servers shows.
@Suite struct ServerExamples {
  private let photo = Picture(
    TestPictures.codes(as: UInt8.self, PixelSize(600, 400), in: .displayP3, channels: .rgb))

  @Test func oneCall() async throws {
    let upload = try await photo.encoded(as: .jpeg)
    let thumbnail = try await Picture(bytes: upload).thumbnail(256).encoded(as: .jpeg)
    let info = try await ImageFile.info(bytes: thumbnail)
    #expect(info.size == PixelSize(256, 171) && info.metadata == ImageMetadata())
  }

  @Test func theHandler() async throws {
    let recipe = try Recipe(
      json: """
        {"version": 1, "inputs": ["upload"], "steps": [{"thumbnail": {"size": [256, 256]}}]}
        """)
    let service = ThumbnailService(recipe: recipe)
    let body = try await photo.encoded(as: .png)
    let display = DisplayHint("gamut=p3; dpr=2")
    let answer = try #require(
      try await service.response(to: body, accept: "image/png,*/*;q=0.5", display: display))
    #expect(answer.type == "image/png")
    let info = try await ImageFile.info(bytes: answer.body)
    #expect(info.size == PixelSize(256, 171))
    let again = try await service.response(to: body, accept: "image/png", display: display)
    #expect(again?.body == answer.body)
    let other = try await service.response(to: body, accept: nil, display: DisplayHint(""))
    #expect(other?.type == "image/jpeg")
    #expect(try await service.response(to: body, accept: "text/html", display: display) == nil)
    await #expect {
      try await service.response(to: Array(body.prefix(999)), accept: nil, display: display)
    } throws: {
      status(for: $0) == 422
    }
    await #expect {
      try await service.response(to: [1, 2, 3], accept: nil, display: display)
    } throws: {
      status(for: $0) == 415
    }
  }

  @Test func bodiesInParts() async throws {
    let file = try await photo.encoded(as: .png)
    let request = (
      body: AsyncStream([ArraySlice<UInt8>].Element.self) { parts in
        for start in stride(from: 0, to: file.count, by: 4096) {
          parts.yield(file[start..<min(start + 4096, file.count)])
        }
        parts.finish()
      }, path: ""
    )
    let upload = try await Picture(bytes: request.body, limits: FileLimits(bytes: 20 << 20))
    #expect(upload.size == photo.size)
  }

  @Test func numbers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("scan.tif")
    try photo.write(to: path, samples: .uint16)

    let scan = try ImageFile.read(path)  // 16 bits
    let numbers = try scan.converted(to: Float.self).samples  // [Float], red green blue red …
    let back = try Bitmap(samples: numbers, width: 600, height: 400, space: scan.space)
    let brighter = Picture(back).exposure(1)
    #expect(numbers.count == 600 * 400 * 3)
    #expect(brighter.space == .displayP3)
  }
}
