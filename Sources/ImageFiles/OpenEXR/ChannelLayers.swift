/// The layers that the channels of an OpenEXR part form by their names: those of “beauty.R” and “beauty.G” are the layer “beauty”
/// (OpenEXR, “Channel Names”).
package struct ChannelLayers {
  private let channels: [String]
  /// The names of the layers, in the order of the channels, each once.
  let names: [String]
  /// The channels of each layer by their names in it.
  private let members: [String: [String]]

  /// Creates the layers of channels with these names.
  package init(ofChannels channels: [String]) {
    self.channels = channels
    var (names, members): ([String], [String: [String]]) = ([], [:])
    for channel in channels {
      guard let (layer, member) = Self.split(channel) else { continue }
      if members[layer] == nil { names.append(layer) }
      members[layer, default: []].append(member)
    }
    (self.names, self.members) = (names, members)
  }

  /// A name that reads a picture, for advice: the first layer with red, green and blue, else the first channel, which is read as gray. Nil
  /// without channels, and where red, green and blue lie outside of layers, so that no name is needed.
  package var example: String? {
    if Self.rgb(of: outside, inLayer: false).count == 3 { return nil }
    return names.first { Self.rgb(of: members[$0] ?? [], inLayer: true).count == 3 }
      ?? channels.first
  }

  /// A name that reads a picture of a file with these channels, for advice; nil where no name is needed.
  ///
  /// Extra samples of TIFF files are read by their whole names: a period in them, as Photoshop permits, makes no layer.
  package static func example(of channels: [String], in file: String) -> String? {
    ImageFileFormat(ofFileNamed: file)?.name == "TIFF"
      ? channels.first : ChannelLayers(ofChannels: channels).example
  }

  /// What can be read by name, in the order of the channels: the layers that are colors, vectors or a single channel, and each channel that
  /// is in none of these, nor among the colors outside of layers.
  ///
  /// cexr_find_picture finds the channels of a name by the same rule.
  var readable: [ImageFileLayer] {
    let plain = Set(Self.colors(of: outside, inLayer: false) ?? [])
    let allChannels = Set(channels)
    var layers: [String: [String]] = [:]
    for name in names {
      layers[name] = picture(of: name, isChannel: allChannels.contains(name))?.channels
    }
    var listed: Set<String> = []
    return channels.compactMap { channel in
      guard let (name, member) = Self.split(channel), let members = layers[name],
        members.contains(member)
      else {
        // The name of a channel may be that of a layer of colors, which it then reads.
        let isRead = !plain.contains(channel) && layers[channel] == nil
        return isRead ? ImageFileLayer(name: channel, channels: [channel]) : nil
      }
      guard listed.insert(name).inserted else { return nil }
      return ImageFileLayer(name: name, channels: members.map { "\(name).\($0)" })
    }
  }

  /// The axes of the vectors that a layer holds, by the names of its channels; nil where it is read as colors or a single channel.
  func axes(of layer: String) -> [String]? {
    let picture = picture(of: layer, isChannel: channels.contains(layer))
    return picture?.isVector == true ? picture?.channels : nil
  }

  /// The channels that are read as a layer, in the order of samples; nil where its name reads none of them.
  private func picture(
    of layer: String, isChannel: Bool
  ) -> (channels: [String], isVector: Bool)? {
    let members = members[layer] ?? []
    if let colors = Self.colors(of: members, inLayer: true) { return (colors, false) }
    if isChannel { return nil }
    if let axes = Self.axes(of: members) { return (axes, true) }
    return members.count == 1 ? (members, false) : nil
  }

  /// The channels outside of layers.
  private var outside: [String] { channels.filter { Self.split($0) == nil } }

  /// Red, green and blue, or luminance with its chroma, and then alpha; nil without them.
  private static func colors(of members: [String], inLayer isLayer: Bool) -> [String]? {
    let alpha = member("A", "alpha", of: members, inLayer: isLayer).map { [$0] } ?? []
    let rgb = Self.rgb(of: members, inLayer: isLayer)
    if rgb.count == 3 { return rgb + alpha }
    // Beside X, Y is an axis.
    guard members.contains("Y"), rgb.isEmpty, !(isLayer && members.contains("X")) else {
      return nil
    }
    return ["Y", "RY", "BY"].filter(members.contains) + alpha
  }

  /// Those of red, green and blue that are there, in this order.
  private static func rgb(of members: [String], inLayer isLayer: Bool) -> [String] {
    [("R", "red"), ("G", "green"), ("B", "blue")].compactMap { letter, word in
      member(letter, word, of: members, inLayer: isLayer)
    }
  }

  /// The channel with the name of a color. In layers, writers disagree on it: beauty.R, beauty.r, beauty.red.
  private static func member(
    _ letter: String, _ word: String, of members: [String], inLayer isLayer: Bool
  ) -> String? {
    guard isLayer else { return members.contains(letter) ? letter : nil }
    return members.first { [letter.lowercased(), word].contains($0.lowercased()) }
  }

  /// The axes of vectors: X, Y and Z, as of normals, or U, V and W, as of texture coordinates. The third one may be missing.
  private static func axes(of members: [String]) -> [String]? {
    for letters in [["x", "y", "z"], ["u", "v", "w"]] {
      let found = letters.map { letter in members.first { $0.lowercased() == letter } }
      if found[0] != nil, found[1] != nil { return found.compactMap(\.self) }
    }
    return nil
  }

  /// Splits the name of a channel at its last dot; nil for channels outside of layers.
  private static func split(_ channel: String) -> (layer: String, member: String)? {
    guard let dot = channel.lastIndex(of: "."), dot > channel.startIndex else { return nil }
    return (String(channel[..<dot]), String(channel[channel.index(after: dot)...]))
  }
}
