/// The layers that the channels of an OpenEXR part form by their names: those of “beauty.R” and “beauty.G” are the layer “beauty”
/// (OpenEXR, “Channel Names”).
package struct ChannelLayers {
  private let channels: [String]
  /// The names of the layers, in the order of the channels, each once.
  let names: [String]

  /// Creates the layers of channels with these names.
  package init(ofChannels channels: [String]) {
    self.channels = channels
    var seen: Set<String> = []
    names = channels.compactMap { Self.split($0)?.layer }.filter { seen.insert($0).inserted }
  }

  /// A name that reads a picture, for advice: the first layer with red, green and blue, else the first channel, which is read as gray. Nil
  /// without channels, and where red, green and blue lie outside of layers, so that no name is needed.
  package var example: String? {
    if holdsColors(channels.filter { Self.split($0) == nil }) { return nil }
    let layer = names.first { layer in
      holdsColors(channels.compactMap(Self.split).filter { $0.layer == layer }.map(\.member))
    }
    return layer ?? channels.first
  }

  /// Whether red, green and blue are among channels of one layer, by their names in it.
  private func holdsColors(_ members: [String]) -> Bool {
    let members = Set(members.map { $0.lowercased() })
    return [["r", "red"], ["g", "green"], ["b", "blue"]].allSatisfy {
      !members.isDisjoint(with: $0)
    }
  }

  /// Splits the name of a channel at its last dot; nil for channels outside of layers.
  private static func split(_ channel: String) -> (layer: String, member: String)? {
    guard let dot = channel.lastIndex(of: "."), dot > channel.startIndex else { return nil }
    return (String(channel[..<dot]), String(channel[channel.index(after: dot)...]))
  }
}
