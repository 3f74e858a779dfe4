public import FilterGraph
public import ICCProfiles
public import ImageBuffer

/// An error of reading or writing an image file. The description says what is wrong and what would help.
///
/// `file` is the path, or a name such as “data” for bytes without one.
@nonexhaustive
public indirect enum ImageFileError: Error, Hashable, Sendable {
  /// The file cannot be opened or read; `reason` is the system's.
  case cannotRead(file: String, reason: String)
  /// The bytes are of no supported format.
  case unknownFormat(file: String, found: String)
  /// The file extension is not that of a format that can be written.
  case unknownEnding(file: String)
  /// The file ends before its picture does.
  case truncated(file: String, rows: Int, of: Int)
  /// The file contradicts itself or its checksums.
  case damaged(file: String, reason: String)
  /// The picture has more pixels than the limit.
  case tooManyPixels(file: String, PixelSize, limit: Int)
  /// A frame of an animation is composed of more pixels, its own and those of the frames that show in it, than the limit.
  case tooManyDrawnPixels(file: String, frame: Int, Int, limit: Int)
  /// The pixels are many times larger than the file, as in decompression bombs.
  case expandsTooMuch(file: String, PixelSize, byteCount: Int, limit: Int)
  /// The file has more metadata than the limit.
  case tooMuchMetadata(file: String, limit: Int)
  /// The file has more bytes than the limit.
  case tooManyBytes(file: String, limit: Int)
  /// Reading the file takes more memory than the limit, `FileLimits.memoryLimit`.
  case tooMuchMemory(file: String, bytes: Int, limit: Int)
  /// Writing the file, beside rendering its pixels, takes more memory than the limit, `WritingOptions.memoryLimit`.
  case tooMuchMemoryToWrite(file: String, bytes: Int, limit: Int)
  /// The memory for reading or writing the file could not be allocated.
  case notEnoughMemory(file: String, bytes: Int)
  /// The file does not state a color space.
  case untagged(file: String)
  /// The file's ICC profile, or the one that it would need, cannot be used.
  case profile(file: String, ICCProfileError)
  /// The file's statement of its color space cannot be used.
  case unsupportedColor(file: String, reason: String)
  /// The picture has ink channels, and the file has no profile of them.
  case inks(file: String)
  /// The number of ink channels differs from that of the picture's profile.
  case inkCount(file: String, Int, profile: String, channels: Int)
  /// The profile of the ink channels cannot be used.
  case inkProfile(file: String, ICCProfileError)
  /// The file's pixel encoding is not supported.
  case unsupportedStorage(file: String, reason: String)
  /// The file has no page of the requested number, or its other pages cannot be read.
  case noSuchPage(file: String, Int, ImagePages)
  /// The file has neither a layer nor a channel of this name, or, for nil, no picture in the channels outside of layers. `channels` are
  /// those that it has, or the extra samples of a TIFF file; empty where there are none. `parts` are the names of the parts of an OpenEXR
  /// file with several.
  case noSuchLayer(file: String, String?, channels: [String], parts: [String] = [])
  /// The format cannot hold this sample format.
  case unsupportedSamples(SampleFormat, format: ImageFileFormat)
  /// Samples are NaN, infinite or beyond ±`limit`, which the format cannot hold as it is written.
  case unsupportedValues(file: String, Int, of: Int, limit: Float, format: ImageFileFormat)
  /// The format cannot hold these channels.
  case unsupportedChannels(Channels, format: ImageFileFormat)
  /// The format cannot hold this alpha representation.
  case unsupportedAlpha(Alpha, format: ImageFileFormat)
  /// The format cannot hold this number of ink channels.
  case unsupportedInks(Int, format: ImageFileFormat)
  /// Ink channels are written without alpha, and the picture has transparent pixels.
  case transparentInks(file: String, Int)
  /// The format cannot embed an ICC profile.
  case unsupportedProfile(format: ImageFileFormat)
  /// The format cannot hold layers beside the picture.
  case unsupportedLayers(format: ImageFileFormat)
  /// The profile to embed describes other channels than the picture's.
  case profileChannels(String, kind: String, count: Int)
  /// The format requires linear values, and the space is not linear.
  case notLinear(String, format: ImageFileFormat)
  /// The format cannot state a color space.
  case cannotStateColor(String, format: ImageFileFormat)
  /// The format cannot hold so many bytes of EXIF or XMP.
  case tooMuchToHold(String, byteCount: Int, limit: Int, format: ImageFileFormat)
  /// The file cannot be written; an older file of that name is unchanged.
  case cannotWrite(file: String, reason: String)
  /// The picture to be written cannot be rendered.
  case rendering(RenderError)
  /// Of several pictures that are encoded together, the one at this index cannot be.
  case picture(at: Int, ImageFileError)
}

extension ImageFileError {
  /// Creates the error of a failed rendering or measurement: the file error that caused it, if there is one, else ``rendering(_:)``.
  ///
  /// Encoding and writing throw file errors. Measures, such as `Picture.histogram` and `Picture.dominantColors`, throw a `RenderError`, in
  /// which the error of a truncated upload is wrapped. This initializer makes both the same.
  ///
  /// ```swift
  /// let fault = (error as? ImageFileError) ?? (error as? RenderError).map(ImageFileError.init)
  /// ```
  public init(_ rendering: RenderError) {
    switch rendering {
    case .source(let wrapped), .sink(let wrapped):
      switch wrapped.underlying {
      case let error as ImageFileError: self = error
      // A source that renders another picture.
      case let error as RenderError: self = ImageFileError(error)
      default: self = .rendering(rendering)
      }
    default: self = .rendering(rendering)
    }
  }
}

extension ImageFileError {
  /// Creates the error of writing a format that can only be read.
  static func readOnly(file: String, _ format: ImageFileFormat) -> ImageFileError {
    .cannotWrite(
      file: file,
      reason: "\(format) files can only be read; write another format, such as PNG")
  }
}

extension ImageFileError {
  /// Creates the error of pixels whose index is beyond the palette, of a frame of an animation or of the only picture.
  ///
  /// PNG, third edition, 11.2.2, calls such a pixel an error. Decoders report it after the rows, so that salvaging reads all of them.
  static func beyondPalette(
    file: String, frame: Int? = nil, largest: Int, colors: Int
  ) -> ImageFileError {
    let subject = frame.map { "its frame \($0) has" } ?? "its pixels have"
    return .damaged(
      file: file,
      reason: "\(subject) palette indices up to \(largest), and its palette has "
        + counted(colors, "color"))
  }
}

extension ImageFileError: CustomStringConvertible {
  /// The problem, with its values, and a remedy.
  public var description: String { advice.map { "\(finding) \($0)" } ?? finding }

  /// The problem, with its values: the description without the advice, which names Swift symbols.
  public var finding: String {
    switch self {
    case .cannotRead(let file, let reason): "“\(file)” cannot be read: \(reason)."
    case .unknownFormat(let file, let found):
      "“\(file)” is of no format that can be read here (\(ImageFileFormat.names)); it looks like "
        + "\(found)."
    case .unknownEnding(let file):
      if let trait = ImageFileFormat.missingTrait(ofFileNamed: file) {
        "To write “\(file)”, the package trait \(trait) is needed; this program was built without it."
      } else if let format = ImageFileFormat.readOnly(ofFileNamed: file) {
        "“\(file)” cannot be written: \(format) files can only be read."
      } else {
        "The name “\(file)” does not say which format to write."
      }
    case .truncated(let file, let rows, let count) where rows == count:
      "“\(file)” is truncated: all \(count) rows are present, but its end marker is missing."
    case .truncated(let file, let rows, let count):
      "“\(file)” is truncated: \(rows) of \(count) rows are present."
    case .damaged(let file, let reason): "“\(file)” is damaged: \(reason)."
    case .tooManyPixels(let file, let size, let limit):
      "“\(file)” has \(size) pixels; the limit is \(limit)."
    case .tooManyDrawnPixels(let file, let frame, let count, let limit):
      "To compose frame \(frame) of “\(file)”, \(count) pixels of frames are drawn; the limit is \(limit)."
    case .expandsTooMuch(let file, let size, let count, let limit):
      "“\(file)” states \(size) pixels in \(count) bytes: more than \(limit) to 1, as hostile files "
        + "do."
    case .tooMuchMetadata(let file, let limit):
      "“\(file)” has more metadata than the limit of \(limit) bytes."
    case .tooManyBytes(let file, let limit):
      "“\(file)” has more bytes than the limit of \(limit)."
    case .tooMuchMemory(let file, let bytes, let limit),
      .tooMuchMemoryToWrite(let file, let bytes, let limit):
      "“\(file)” takes up to \(bytes) bytes of memory; the limit is \(limit)."
    case .notEnoughMemory(let file, let bytes):
      "“\(file)” needs \(bytes) bytes of memory at once, which the system cannot allocate."
    case .untagged(let file): "“\(file)” states no color space."
    case .profile(let file, .cannotDescribe(let name, let reason)):
      "“\(file)” cannot be written. \(ICCProfileError.cannotDescribe(name, reason: reason))"
    case .profile(let file, let error):
      "The ICC profile of “\(file)” cannot be used. \(error)"
    case .unsupportedColor(let file, let reason):
      "The color space of “\(file)” cannot be used: \(reason)."
    case .inks(let file):
      "“\(file)” has ink channels (CMYK or n-color) and no ICC profile that states their colors."
    case .inkCount(let file, let count, let profile, let channels):
      "“\(file)” has \(count) ink channels, and the profile “\(profile)” has \(channels) channels. Take "
        + "the profile of the press that the file was made for."
    case .inkProfile(let file, let error):
      "The ICC profile for the ink channels of “\(file)” cannot be used. \(error)"
    case .unsupportedStorage(let file, let reason):
      "“\(file)” holds its pixels in a way that cannot be read here: \(reason)."
    case .noSuchPage(let file, let page, let pages):
      "“\(file)” has no \(pages.kind.rawValue) \(page); the last one is \(pages.count)."
    case .noSuchLayer(let file, let layer, let channels, _) where channels.isEmpty:
      "“\(file)” has no layer “\(layer ?? "")”: it is neither an OpenEXR file, which has layers and channels with names, nor a TIFF file "
        + "with extra samples besides alpha."
    case .noSuchLayer(let file, let layer, let channels, let parts):
      "“\(file)” has "
        + (layer.map {
          "no layer “\($0)” that can be read as a picture, and no such channel\(parts.isEmpty ? "" : " or part")"
        } ?? "neither channels R, G and B nor a channel Y outside of layers")
        + "; its channels are \(listed(channels, most: 24))"
        + (parts.isEmpty ? "." : "; its parts are \(listed(parts, most: 24)).")
    case .unsupportedSamples(let samples, let format):
      "\(format) files hold samples of \(words(format.samples)), not \(samples)."
    case .unsupportedValues(
      file: let file, let count, of: let all, limit: .infinity, format: let format):
      "“\(file)” cannot be written: \(count) of \(all) samples are NaN, which \(format) cannot hold in half "
        + "precision."
    case .unsupportedValues(let file, let count, let all, let limit, let format):
      "“\(file)” cannot be written: \(count) of \(all) samples are NaN, infinite or beyond ±\(limit), which "
        + "lossy \(format) cannot hold."
    case .unsupportedChannels(let channels, let format) where channels.colorPlanes == nil:
      "A bitmap of \(channels) cannot be written as \(format): it states no profile of ink channels."
    case .unsupportedChannels(let channels, let format) where channels.hasAlpha:
      "\(format) files hold no transparency, and this picture has an alpha channel."
    case .unsupportedChannels(let channels, let format):
      "\(format) files cannot hold \(channels)."
    case .unsupportedAlpha(.premultiplied, let format):
      "\(format) files hold straight alpha, and this bitmap is premultiplied."
    case .unsupportedAlpha(.straight, let format):
      "\(format) files hold premultiplied alpha, and this bitmap's is straight."
    case .unsupportedInks(let count, let format):
      if let counts = format.inkCounts {
        "\(format) files hold \(counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "up to \(counts.upperBound)") "
          + "ink channels, and this picture has \(count). Write TIFF."
      } else {
        "\(format) files hold no CMYK or n-color channels, and this picture has \(count) of them. Write TIFF"
          + "\(count == 4 ? " or JPEG" : ""), or convert to a space of three channels, such as sRGB."
      }
    case .transparentInks(let file, let count):
      "“\(file)” would hold \(count) ink channels without transparency, and the picture has some."
    case .unsupportedProfile(let format): "\(format) files have no place for an ICC profile."
    case .unsupportedLayers(let format):
      "\(format) files hold one picture without named layers. Write OpenEXR, or leave them out."
    case .profileChannels(let profile, let kind, let count):
      "“\(profile)” is a profile of kind “\(kind)”, and the picture has \(count) "
        + "channel\(count == 1 ? "" : "s"). Embed a profile of as many."
    case .notLinear(let space, let format):
      "\(format) files hold linear light, which \(space) is not."
    case .cannotStateColor(let space, let format):
      "\(format) files cannot state the color space \(space)."
    case .tooMuchToHold(let kind, let byteCount, let limit, let format):
      "\(format) files hold at most \(limit) bytes of \(kind), and there are \(byteCount)."
    case .cannotWrite(let file, let reason): "“\(file)” cannot be written: \(reason)."
    case .rendering(let error): error.finding
    case .picture(let index, let error):
      "Of the pictures to encode, the one at index \(index): \(error.finding)"
    }
  }

  /// A remedy in terms of the library.
  private var advice: String? {
    switch self {
    case .unknownEnding:
      "Let it end in one of \(ImageFileFormat.endings), or pass the format, such as as: .png."
    case .truncated(_, let rows, _) where rows > 0:
      "Open the file with salvaging: true to read them."
    case .tooManyPixels, .tooManyDrawnPixels: "Raise FileLimits.pixels to read it anyway."
    case .expandsTooMuch: "Raise FileLimits.expansion to read it anyway."
    case .tooMuchMetadata: "Raise FileLimits.metadataBytes to read it anyway."
    case .tooManyBytes: "Raise FileLimits.bytes to read it anyway."
    case .tooMuchMemory: "Raise FileLimits.memoryLimit to allow it."
    case .tooMuchMemoryToWrite: "Raise WritingOptions.memoryLimit to allow it."
    case .profile(_, .cannotDescribe): nil
    case .profile(_, .tooMuchMemory), .inkProfile(_, .tooMuchMemory):
      "Raise FileLimits.memoryLimit to allow it."
    case .untagged: "Pass one, such as assuming: .sRGB."
    case .profile, .unsupportedColor: "Pass another color space, such as assuming: .sRGB."
    case .inks: "Pass a profile as assumingInks."
    case .noSuchLayer(let file, _, let channels, _):
      ChannelLayers.example(of: channels, in: file).map {
        "Open it with the name of a layer, or of a channel to read as gray, such as layer: \"\($0)\"."
      }
    case .unsupportedSamples: "Render as one of those first."
    case .unsupportedValues(file: _, _, of: _, limit: .infinity, format: _):
      "Write single precision."
    case .unsupportedValues: "Set WritingOptions.isLossless to keep them, or clamp them first."
    case .unsupportedChannels(let channels, _) where channels.colorPlanes == nil:
      "Write the InkPicture that it was rendered from."
    case .unsupportedChannels(let channels, _) where channels.hasAlpha:
      "Write a format that does, such as PNG, or leave the alpha out first."
    case .unsupportedAlpha(.premultiplied, _): "Render with straight alpha first."
    case .unsupportedAlpha(.straight, _): "Render into a premultiplied bitmap first."
    case .transparentInks: "Composite it onto a background before it is converted."
    case .notLinear:
      "Convert to a linear space first, such as .linearSRGB or picture.space.linear."
    case .cannotStateColor:
      "Write another format, such as PNG or TIFF, or set WritingOptions.isUntagged to state none."
    case .tooMuchToHold: "Write another format, or leave it out of WritingOptions.metadata."
    case .rendering(let error): error.advice
    case .picture(_, let error): error.advice
    default: nil
    }
  }
}

extension ImageFileFormat {
  /// The names of all formats that can be read, for sentences.
  fileprivate static var names: String { readable.map(\.name).joined(separator: ", ") }

  /// The format of a path's file extension, where it can be read and not written.
  package static func readOnly(ofFileNamed path: String) -> ImageFileFormat? {
    ending(of: path).flatMap { ending in
      readOnly.first { $0.fileExtensions.contains(ending) }
    }
  }

  /// All file extensions, for sentences.
  package static var endings: String {
    all.compactMap { $0.fileExtensions.first.map { ".\($0)" } }.joined(separator: ", ")
  }
}

private func words(_ values: [SampleFormat]) -> String {
  values.map { "\($0)" }.joined(separator: " or ")
}
