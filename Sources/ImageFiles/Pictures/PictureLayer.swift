internal import ColorSpaces
public import FilterGraph
public import ImageBuffer

/// A named picture that an OpenEXR file holds beside its main one, such as a render pass, depth or normals.
///
/// ``WritingOptions/layers`` lists the layers of a file, and
/// ``OpenedImageFile/init(_:page:layer:inks:assumingInks:salvaging:limits:)`` reads one by its name. All have the size of the main picture,
/// whose windows, color space and compression are theirs, too.
public struct PictureLayer: Sendable {
  /// The meaning of a layer's values, which decides the names of its channels.
  @nonexhaustive
  public enum Content: Hashable, Sendable, CaseIterable {
    /// Colors, as “name.R”, “name.G” and “name.B”, with alpha as “name.A”. They are converted to the space of the main picture, the only
    /// one that the file states.
    case colors
    /// Values in one channel, such as depth, as “name”; beside alpha, as “name.Y” and “name.A”. Red, green and blue must be equal. They are
    /// not converted, and their space must be linear.
    case gray
    /// Vectors, such as normals, whose axes are red, green and blue, as “name.X”, “name.Y” and “name.Z”. They are not converted, and their
    /// space must be linear.
    case vectors
  }

  /// The name by which the layer is read. Parts between dots are those of layers in layers: “beauty.key”.
  ///
  /// OpenEXR allows 255 bytes for the name of a channel, such as “beauty.key.R”. `R`, `G`, `B`, `A`, `Y`, `RY` and `BY` are names of the
  /// main picture's channels.
  public var name: String
  /// The picture to render and write.
  public var picture: Picture
  /// What the values mean.
  public var content: Content
  /// The sample format; nil for that of the main picture.
  public var samples: SampleFormat?

  /// Creates a layer of a picture.
  public init(
    _ name: String, _ picture: Picture, as content: Content = .colors, samples: SampleFormat? = nil
  ) {
    (self.name, self.picture, self.content, self.samples) = (name, picture, content, samples)
  }
}

extension PictureFile {
  /// The picture of the file's part, as the file stores it: the main one at 0, followed by the layers.
  ///
  /// Takes one part, and no list of all, as each part is rendered by itself: all layers would be converted again for each.
  func storedPicture(ofPart part: Int) -> Picture {
    if part == 0 { return picture }
    let layer = writing.layers[part - 1]
    return layer.content == .colors
      ? layer.picture.converted(to: picture.space.withColors) : layer.picture
  }
}

/// A layer of a new file: its channels and their samples.
struct WrittenLayer {
  /// The most bytes that the name of a channel has (OpenEXR, “File Layout”).
  private static let longestName = 255
  /// The names of channels that are the main picture's in all files, or that readers would take for them.
  private static let reservedNames: Set = ["R", "G", "B", "A", "Y", "RY", "BY"]

  let name: String
  let channels: Channels
  let samples: SampleFormat
  /// The names of the channels, in the order of samples.
  let channelNames: [String]

  var bytesPerPixel: Int { channels.count * samples.byteCount }

  /// Throws where the file of `job` cannot hold the layer.
  init(_ layer: PictureLayer, of job: EncodingJob) throws(ImageFileError) {
    (name, samples) = (layer.name, layer.samples ?? job.samples)
    let hasAlpha = layer.picture.hasAlpha
    let members: [String]
    switch layer.content {
    case .colors:
      (channels, members) = hasAlpha ? (.rgba, ["R", "G", "B", "A"]) : (.rgb, ["R", "G", "B"])
    case .gray: (channels, members) = hasAlpha ? (.grayAlpha, ["Y", "A"]) : (.gray, [])
    case .vectors: (channels, members) = (.rgb, ["X", "Y", "Z"])
    }
    channelNames = members.isEmpty ? [layer.name] : members.map { "\(layer.name).\($0)" }
    guard job.format.samples.contains(samples) else {
      throw .unsupportedSamples(samples, format: job.format)
    }
    if let reason = Self.refusal(of: layer, in: job) ?? nameRefusal {
      throw .cannotWrite(file: job.file, reason: reason)
    }
  }

  /// Why a file cannot hold the picture of a layer; nil where it can.
  private static func refusal(of layer: PictureLayer, in job: EncodingJob) -> String? {
    let picture = layer.picture
    if picture.size != job.size {
      return "its layer “\(layer.name)” has \(picture.size) pixels, and its main picture has "
        + "\(job.size); all of a file have one size"
    }
    if layer.content == .colors { return nil }
    if job.space != nil, !picture.space.transfer.isLinear {
      return "its layer “\(layer.name)” is in \(picture.space), and layers hold linear values; "
        + "convert it to a linear space, or assign one to values that are data"
    }
    return layer.content == .vectors && picture.hasAlpha
      ? "its layer “\(layer.name)” has vectors with alpha; flatten it first" : nil
  }

  /// Why the name is none of a layer; nil where it is one.
  private var nameRefusal: String? {
    if name.isEmpty { return "one of its layers has no name" }
    if Self.reservedNames.contains(name) {
      return "its layer “\(name)” has the name of a channel of its main picture; choose another one"
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.contains("") || name.utf8.contains(0) {
      return "the name of its layer “\(name)” has a NUL or an empty part beside a dot; choose "
        + "another one"
    }
    let length = channelNames.map(\.utf8.count).max() ?? 0
    return length > Self.longestName
      ? "its layer “\(name)” has a channel with a name of \(length) bytes, and OpenEXR allows "
        + "\(Self.longestName); choose a shorter one" : nil
  }

  /// Why layers cannot be told apart by their names; nil where each is read by its name.
  static func refusal(of layers: [WrittenLayer]) -> String? {
    var taken: Set<String> = []
    for layer in layers where !taken.insert(layer.name).inserted {
      return "two of its layers have the name “\(layer.name)”; choose another one"
    }
    var channels: Set<String> = []
    for channel in layers.flatMap(\.channelNames) where !channels.insert(channel).inserted {
      return "two of its layers have the channel “\(channel)”; choose another name"
    }
    // Readers may take either of two channels that mean the same, such as “beauty.R” and “beauty.red”.
    let orders = [layers.flatMap(\.channelNames), layers.reversed().flatMap(\.channelNames)]
    let ambiguous = orders.lazy.compactMap { misread(of: layers, in: $0) }.first
    return ambiguous.map {
      "its layer “\($0)” would be read with channels of others, whose names lie in it; choose "
        + "another name"
    }
  }

  /// The name of a layer that is read with other channels than its own; nil where there is none.
  private static func misread(of layers: [WrittenLayer], in channels: [String]) -> String? {
    let readable = ChannelLayers(ofChannels: channels).readable
    let channelsRead = Dictionary(uniqueKeysWithValues: readable.map { ($0.name, $0.channels) })
    return layers.first { layer in
      // A single channel of a layer of vectors is not listed, and read by its own name all the same.
      let isChannel = layer.channelNames == [layer.name]
      return channelsRead[layer.name, default: isChannel ? layer.channelNames : []]
        != layer.channelNames
    }?.name
  }
}

extension EncodingJob {
  /// Returns this job with layers beside the picture.
  func with(_ layers: [PictureLayer]) throws(ImageFileError) -> EncodingJob {
    var job = self
    job.layers = try layers.map { layer throws(ImageFileError) in
      try WrittenLayer(layer, of: self)
    }
    if let reason = WrittenLayer.refusal(of: job.layers) {
      throw .cannotWrite(file: file, reason: reason)
    }
    return job
  }

  /// The bytes of the picture and of each layer in a row that is handed to the encoder. Those of layers begin at multiples of 4.
  var rowParts: [Range<Int>] {
    var parts = [0..<wholeBytes(pictureRowBytes)]
    for layer in layers {
      let start = (parts[parts.count - 1].upperBound + 3) / 4 * 4
      parts.append(start..<start + size.width * layer.bytesPerPixel)
    }
    return parts
  }
}
