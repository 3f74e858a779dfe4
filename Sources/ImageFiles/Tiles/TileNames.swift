internal import ImageBuffer

/// The names of a pyramid's files, relative to its folder.
package struct TileNames: Sendable {
  private let layout: TilePyramid.Layout
  private let tileSize, overlap: Int
  /// The sizes of the levels, the whole picture first.
  private let levels: [PixelSize]
  /// The size of the further picture that shows all of the largest level; nil where a level has it.
  let overview: PixelSize?
  /// The name of the folder.
  private let name: String
  /// The file extension of tiles.
  private let ending: String

  /// Creates the names of the files in the folder at `path`.
  init(_ pyramid: TilePyramid, of levels: [PixelSize], in path: String, ending: String) {
    (layout, tileSize, overlap) = (pyramid.layout, pyramid.tileSize, pyramid.overlap)
    (self.levels, self.ending) = (levels, ending)
    overview = levels.last.flatMap { last in
      let largest = pyramid.largestWhole(of: levels[0])
      return largest == last ? nil : largest
    }
    name = Self.name(ofFolder: path)
  }

  /// The name of a tile of level `index`, where 0 is the whole picture. The overview comes after the last level.
  func tile(ofLevel index: Int, column: Int, row: Int) -> String {
    if index == levels.count, let overview {
      return "full/\(overview.width),\(overview.height)/0/default.\(ending)"
    }
    let level = levels.count - 1 - index
    switch layout {
    case .deepZoom: return "\(name)_files/\(level)/\(column)_\(row).\(ending)"
    case .xyz: return "\(level)/\(column)/\(row).\(ending)"
    case .iiif:
      let (whole, size) = (levels[0], levels[index])
      let (x, y) = (column * tileSize, row * tileSize)
      let (width, height) = (min(tileSize, size.width - x), min(tileSize, size.height - y))
      let region =
        width == size.width && height == size.height
        ? "full"
        : "\(x << index),\(y << index),\(min(tileSize << index, whole.width - x << index)),"
          + "\(min(tileSize << index, whole.height - y << index))"
      return "\(region)/\(width),\(height)/0/default.\(ending)"
    }
  }

  /// Whether the level before has a tile of the same name: one pixel at the corner of a picture is a tile of several levels of IIIF.
  func isOfLevelBefore(_ index: Int, column: Int, row: Int) -> Bool {
    index > 0 && index < levels.count
      && tile(ofLevel: index - 1, column: 2 * column, row: 2 * row)
        == tile(ofLevel: index, column: column, row: row)
  }

  /// The names of the largest file that shows the whole picture, and of its copy, which each client of IIIF may ask for; nil in other
  /// layouts.
  var wholePicture: (file: String, copy: String)? {
    guard case .iiif = layout else { return nil }
    let last = overview == nil ? levels.count - 1 : levels.count
    return (tile(ofLevel: last, column: 0, row: 0), "full/max/0/default.\(ending)")
  }

  /// The file that describes the pyramid, by its name and its text.
  var description: (name: String, text: String) {
    let size = levels[0]
    let text: String
    switch layout {
    case .deepZoom:
      text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="\(ending)" Overlap="\(overlap)" TileSize="\(tileSize)">
          <Size Height="\(size.height)" Width="\(size.width)"/>
        </Image>

        """
    case .xyz:
      text = """
        {"format": "\(ending)", "height": \(size.height), "maxzoom": \(levels.count - 1), "minzoom": 0, "tileSize": \(tileSize), \
        "tiles": "{z}/{x}/{y}.\(ending)", "width": \(size.width)}

        """
    case .iiif(let id):
      let sizes = (levels.suffix(1) + (overview.map { [$0] } ?? []))
        .map { "{\"width\": \($0.width), \"height\": \($0.height)}" }
      let factors = levels.indices.map { "\(1 << $0)" }
      // “full/max” is the largest size within these limits, and tiles are, too. A picture of one tile has its own size.
      let limits =
        levels.count == 1
        ? "" : "\n  \"maxWidth\": \(tileSize),\n  \"maxHeight\": \(tileSize),"
      // Every server has JPEG.
      let formats =
        ending == "jpg"
        ? "" : ",\n  \"extraFormats\": [\"\(ending)\"],\n  \"preferredFormats\": [\"\(ending)\"]"
      text = """
        {
          "@context": "http://iiif.io/api/image/3/context.json",
          "id": \(Self.quoted(id)),
          "type": "ImageService3",
          "protocol": "http://iiif.io/api/image",
          "profile": "level0",
          "width": \(size.width),
          "height": \(size.height),\(limits)
          "sizes": [\(sizes.joined(separator: ", "))],
          "tiles": [{"width": \(tileSize), "scaleFactors": [\(factors.joined(separator: ", "))]}]\(formats)
        }

        """
    }
    return (Self.descriptionName(layout, inFolder: name), text)
  }

  /// The name of the file that describes a pyramid. Where it is, the pyramid is complete.
  package static func descriptionName(
    _ layout: TilePyramid.Layout, inFolder path: String
  ) -> String {
    switch layout {
    case .deepZoom: "\(name(ofFolder: path)).dzi"
    case .xyz: "tiles.json"
    case .iiif: "info.json"
    }
  }

  /// Whether a file in the folder at `path`, by its path from there, is one of a pyramid that a new one replaces.
  static func isOwn(_ file: String, _ layout: TilePyramid.Layout, inFolder path: String) -> Bool {
    if file == descriptionName(layout, inFolder: path) { return true }
    var parts = file.split(separator: "/").map(String.init)
    guard let last = parts.popLast(), let dot = last.lastIndex(of: "."),
      ImageFileFormat(ofFileNamed: last) != nil
    else { return false }
    let tile = last[..<dot]
    switch layout {
    case .deepZoom:
      return parts.count == 2 && parts[0] == "\(name(ofFolder: path))_files"
        && areNumbers(parts[1], 1) && areNumbers(tile, 2, by: "_")
    case .xyz:
      return parts.count == 2 && areNumbers(parts[0], 1) && areNumbers(parts[1], 1)
        && areNumbers(tile, 1)
    case .iiif:
      return parts.count == 3 && (parts[0] == "full" || areNumbers(parts[0], 4))
        && (parts[1] == "max" || areNumbers(parts[1], 2)) && parts[2] == "0" && tile == "default"
    }
  }

  /// Whether a word consists of so many numbers.
  private static func areNumbers(
    _ word: some StringProtocol, _ count: Int, by separator: Character = ","
  ) -> Bool {
    let numbers = word.split(separator: separator, omittingEmptySubsequences: false)
    return numbers.count == count
      && numbers.allSatisfy { number in
        !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// The last part of a path.
  private static func name(ofFolder path: String) -> String {
    let path = DraftFolder.withoutSlash(path)
    return String(
      path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// A text in JSON.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
