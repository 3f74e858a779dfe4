import Colorloom
import Foundation
import ICCProfiles
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
  let limits: FileLimits
  let options: RenderOptions
  let cache = ThumbnailCache()
}

extension ThumbnailService {
  /// Makes a thumbnail, on white in formats that hold no transparency.
  func thumbnail(
    of body: [UInt8], as format: ImageFileFormat, in space: ColorSpace
  ) async throws -> [UInt8] {
    let photo = try await Picture(bytes: body, assuming: .sRGB, limits: limits)
    var result = try recipe.picture([recipe.inputs[0]: photo]).converted(to: space)
    if !format.channels.contains(.rgba) {
      result = result.flattened(onto: ColorPoint(1, 1, 1, in: .sRGB))
    }
    return try await result.encoded(
      as: format, samples: .uint8, options: options, writing: WritingOptions(quality: 80))
  }
}

extension ThumbnailService {
  func response(
    to body: [UInt8], accept: String?, display: DisplayHint
  ) async throws -> (type: String, body: [UInt8])? {
    let wanted = ImageFileFormat.preferred(of: [.jpeg, .png], accept: accept)
    guard let format = wanted else { return nil }  // 406
    let space: ColorSpace = display.gamut == .sRGB ? .sRGB : .displayP3
    let key = "\(ContentHash(bytes: body)) \(recipe.contentHash) \(space.name) \(format)"
    let file = try await cache.file(key) { try await thumbnail(of: body, as: format, in: space) }
    return (format.mimeTypes[0], file)
  }
}

/// The error as that of a file, whichever of encoding, writing and measuring threw it.
func fault(_ error: any Error) -> ImageFileError? {
  (error as? ImageFileError) ?? (error as? RenderError).map(ImageFileError.init)
}

/// The status that says whose fault an error is.
func status(for error: any Error) -> Int {
  switch fault(error) {
  case .tooManyBytes, .tooManyPixels, .expandsTooMuch, .tooMuchMemory, .tooMuchMetadata: 413
  case .tooManyDrawnPixels, .tooMuchMemoryToWrite: 413
  case .rendering(.tooMuchMemory), .rendering(.recipe(.tooManyPixels)): 413
  case .rendering(.recipe(.step(_, .tooManyPixels))): 413
  case .unknownFormat, .unsupportedStorage: 415
  case .rendering(.cancelled): 499
  case .truncated, .damaged, .untagged, .profile, .unsupportedColor: 422
  case .noSuchPage, .noSuchLayer: 422
  case .inks, .inkProfile, .inkCount, .transparentInks: 422
  case .notEnoughMemory, .rendering(.moreThanMachineMemory): 503
  case .picture(_, let error): status(for: error)
  default: 500
  }
}

/// What a user may read about an error.
func message(for error: any Error) -> String {
  switch fault(error) {
  case .picture(_, let error): message(for: error)
  case .rendering, nil: "The picture cannot be processed."
  case let error? where status(for: error) < 500: error.finding
  default: "The picture cannot be processed."
  }
}

/// What the guide of servers shows.
@Suite struct ServerExamples {
  private let photo = Picture(
    TestPictures.codes(as: UInt8.self, PixelSize(600, 400), in: .displayP3, channels: .rgb))

  @Test func oneCall() async throws {
    let upload = try await photo.encoded(as: .jpeg)
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    let thumbnail = try await Picture(bytes: upload).thumbnail(256).flattened(onto: white)
      .encoded(as: .jpeg)
    let info = try await ImageFile.info(bytes: thumbnail)
    #expect(info.size == PixelSize(256, 171) && info.metadata == ImageMetadata())
  }

  @Test func theHandler() async throws {
    let recipe = try Recipe(
      json: """
        {"version": 1, "inputs": ["upload"], "steps": [{"thumbnail": {"size": [256, 256]}}]}
        """)
    var limits = FileLimits(pixels: 100_000_000, bytes: 20 << 20)
    limits.memoryLimit = 64 << 20
    var options = RenderOptions()
    options.threads = 1
    options.memoryLimit = 64 << 20
    let service = ThumbnailService(recipe: recipe, limits: limits, options: options)
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

  /// JPEG files hold no transparency, so the handler puts white behind it.
  @Test func transparentUploadsAreAnswered() async throws {
    let recipe = try Recipe(
      json: """
        {"version": 1, "inputs": ["upload"], "steps": [{"thumbnail": {"size": [256, 256]}}]}
        """)
    let clear = Picture(Bitmap<UInt8>(PixelSize(40, 30), in: .sRGB, channels: .rgba))
    let answer = try #require(
      try await ThumbnailService(
        recipe: recipe, limits: FileLimits(), options: RenderOptions()
      ).response(
        to: clear.encoded(as: .png), accept: "image/jpeg", display: DisplayHint("")))
    #expect(answer.type == "image/jpeg")
    let pixels = try await ImageFile.read(bytes: answer.body).converted(to: UInt8.self)
    #expect(pixels[0, 0, 0] >= 254 && pixels[20, 15, 1] >= 254)
  }

  /// What is wrong with a file is the client's fault, and is said without the names of Swift symbols.
  @Test func faultsOfFilesAreTheClients() {
    let pages = ImagePages(.page, count: 1)
    let errors: [ImageFileError] = [
      .inks(file: "a"), .inkProfile(file: "a", .missingTag("A2B0")),
      .inkCount(file: "a", 5, profile: "p", channels: 4), .transparentInks(file: "a", 3),
      .noSuchPage(file: "a", 2, pages), .noSuchLayer(file: "a", nil, channels: ["P", "Q"]),
      .untagged(file: "a"),
    ]
    for error in errors {
      #expect(status(for: error) == 422, "\(error)")
      #expect(message(for: error) == error.finding)
    }
    #expect(message(for: ImageFileError.untagged(file: "a")) == "“a” states no color space.")
    // One of several versions.
    let memory = ImageFileError.tooMuchMemoryToWrite(file: "a", bytes: 2, limit: 1)
    let version = ImageFileError.picture(at: 1, memory)
    #expect(status(for: version) == 413 && message(for: version) == memory.finding)
    let server = ImageFileError.rendering(
      .sizeMismatch(picture: PixelSize(1, 1), bitmap: PixelSize(2, 2)))
    #expect(status(for: server) == 500 && !message(for: server).contains("bitmap"))
  }

  /// A measure throws the errors of an upload as those of rendering; the status is that of encoding.
  @Test func measuresAreAnsweredAsEncodingIs() async throws {
    let picture = Picture(
      Bitmap<UInt8>(PixelSize(600, 400), in: .displayP3, channels: .rgb) { x, y in
        let gray = UInt8(truncatingIfNeeded: (x &* 31) ^ (y &* 17))
        return [gray, gray, gray]
      })
    let upload = try await picture.encoded(as: .png, samples: .uint8)
    let truncated = try await Picture(bytes: Array(upload.prefix(upload.count / 2)))
    let progressive = try await picture.encoded(
      as: .jpeg, writing: WritingOptions(isProgressive: true))
    var limits = FileLimits()
    limits.memoryLimit = 100_000
    let large = try await Picture(bytes: progressive, limits: limits)
    var (small, canceled) = (RenderOptions(), RenderOptions())
    small.memoryLimit = 1
    canceled.isCancelled = { true }
    let cases: [(picture: Picture, options: RenderOptions, status: Int)] = [
      (truncated, RenderOptions(), 422), (large, RenderOptions(), 413), (picture, small, 413),
      (picture, canceled, 499),
    ]
    let measures: [@Sendable (Picture, RenderOptions) throws -> Void] = [
      { _ = try $0.firstPixel(outside: .sRGB, options: $1) },
      { _ = try $0.dominantColors(options: $1) }, { _ = try $0.histogram(options: $1) },
    ]
    for (picture, options, expected) in cases {
      for measure in measures {
        await #expect {
          try await picture.inBackground(options: options, measure)
        } throws: {
          $0 is RenderError && status(for: $0) == expected
        }
      }
    }
  }

  /// A full disk and memory that runs out are the server's state, and its folders are nobody else's business.
  @Test func faultsOfTheServerAreNotShown() {
    let reason =
      "its bytes cannot be kept in “/var/tmp” meanwhile (No space left on device). Let TMPDIR name a folder with room"
    let errors: [(error: ImageFileError, status: Int)] = [
      (.cannotRead(file: "data", reason: reason), 500),
      (.cannotWrite(file: "data", reason: reason), 500), (.unknownEnding(file: "a.webp"), 500),
      (.notEnoughMemory(file: "data", bytes: 1 << 40), 503),
      (.rendering(.moreThanMachineMemory(bytes: 1 << 40, machine: 1 << 30)), 503),
    ]
    for (error, expected) in errors {
      #expect(status(for: error) == expected, "\(error)")
      #expect(message(for: error) == "The picture cannot be processed.", "\(error)")
    }
  }

  /// The error of one version is that of the client or of the server, as it is of a single picture.
  @Test func severalVersions() async throws {
    let upload = try await self.photo.encoded(as: .jpeg)
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    var options = RenderOptions()
    options.memoryLimit = 64 << 20

    let photo = try await Picture(bytes: upload).flattened(onto: white)
    let large = photo.thumbnail(1024)
    let small = large.thumbnail(256)
    let files = [
      PictureFile(large, at: "large.jpg", writing: WritingOptions(quality: 80)),
      PictureFile(small, at: "small.jpg", writing: WritingOptions(quality: 80)),
      PictureFile(small, at: "small.png", samples: .uint8),
    ]
    let versions = try await Picture.encoded(files, options: options)
    let bodies = versions.map(\.bytes)
    let manifest = try VariantManifest(of: files, bytes: bodies)

    var sizes: [PixelSize] = []
    for body in bodies { sizes.append(try await ImageFile.info(bytes: body).size) }
    #expect(sizes == [PixelSize(600, 400), PixelSize(256, 171), PixelSize(256, 171)])
    #expect(manifest.best(for: DisplayHint("gamut=srgb; width=200"))?.file == "small.jpg")
    #expect(manifest.best(for: DisplayHint("gamut=srgb; width=200; dpr=2"))?.file == "large.jpg")
    #expect(manifest.variants.map(\.bytes) == bodies.map(\.count))
    let error = ImageFileError.picture(at: 1, .notEnoughMemory(file: "data", bytes: 1 << 40))
    #expect(status(for: error) == 503)
    #expect(message(for: error) == "The picture cannot be processed.")
  }

  /// A request whose body comes in parts.
  private func request(_ file: [UInt8]) -> (body: AsyncStream<ArraySlice<UInt8>>, path: String) {
    let body = AsyncStream(ArraySlice<UInt8>.self) { parts in
      for start in stride(from: 0, to: file.count, by: 4096) {
        parts.yield(file[start..<min(start + 4096, file.count)])
      }
      parts.finish()
    }
    return (body, "")
  }

  @Test func bodiesInParts() async throws {
    let request = try await request(photo.encoded(as: .png))
    let upload = try await Picture(bytes: request.body, limits: FileLimits(bytes: 20 << 20))
    #expect(upload.size == photo.size)
  }

  @Test func openedBodiesInParts() async throws {
    let request = try await request(
      photo.converted(to: .sGray).encoded(as: .png, writing: WritingOptions(isGray: true)))

    let file = try await OpenedImageFile(bytes: request.body, limits: FileLimits(bytes: 20 << 20))
    let writing = WritingOptions(isGray: [.gray, .grayAlpha].contains(file.info.channels))
    let response = try await file.picture(assuming: .sRGB).thumbnail(256)
      .encoded(as: .png, samples: .uint8, writing: writing)

    #expect(try await ImageFile.info(bytes: response).channels == .gray)
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
