import Colorloom
import Foundation
import ICCProfiles
import ImageFiles

final class TilesVerb: Verb {
  static let name = "tiles"
  static let summary = "cut a picture into tiles at several resolutions, for viewers that zoom"
  static let discussion = """
    OUT is a folder, which appears when all tiles are written. --layout dzi writes Deep Zoom, as OpenSeadragon reads it and vips dzsave \
    writes it: OUT/NAME.dzi and OUT/NAME_files/LEVEL/COLUMN_ROW, where NAME is that of the folder. --layout xyz writes \
    OUT/LEVEL/COLUMN/ROW as for slippy maps, in whole tiles, and OUT/tiles.json, which states the size. --layout iiif writes \
    OUT/info.json and the tiles of the IIIF Image API 3.0, level 0, for the address --id. The picture is read once, in rows. Each level \
    is half the one before, rounded up, in linear light (Lanczos 3, or --kernel); where a side is odd, its last pixel is repeated. Tiles have no \
    metadata. Steps come before the conversion by --to. \(PictureSteps.order)
    """
  static let example = "colorloom tiles in.tif tiles --quality 85"
  static var arguments: [Argument<TilesVerb>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .positional(.path.named("OUT"), "the folder to write", \.output),
      .option(
        "--layout", .choice(["dzi": .dzi, "xyz|google": .xyz, "iiif": .iiif]),
        "the names of tiles: Deep Zoom, slippy map or IIIF; default: dzi", \.layout),
      .option(
        "--tile-size", .wholeNumber(from: 1, to: 8192).named("N"),
        "width and height of a tile in pixels, without overlap; default: 254 for dzi, 256 otherwise",
        \.tileSize),
      .option(
        "--overlap", .wholeNumber(from: 0, to: 8191).named("N"),
        "pixels of its neighbors that a tile of dzi shows at each side; default: 1", \.overlap),
      .option(
        "--id", .text.named("URL"), "the address of the folder, which info.json of iiif states",
        \.id),
      .option("--to", .space, "the color space of the tiles; default: sRGB", \.space),
      .option(
        "--gamut", .gamutMapping, "gamut mapping of out-of-gamut colors; default: none", \.gamut),
      .option(
        "--samples", .samples,
        "the sample format of tiles; default: uint8, or that of the file format where it has no such samples",
        \.samples),
      .option(
        "--background", .color,
        "flatten onto this color, and fill tiles of xyz beyond the picture; default: transparent, or white in JPEG",
        \.background),
      .assume(\.steps.assumed),
      .page(\.page),
      .layerName(\.layer),
      .existing(\.existing),
    ] + ColorConversions.toneMappingArguments(of: "conversions").map { $0.within(\.conversions) }
      + PictureSteps.argumentsWithoutConversion.map { servingLevels($0).within(\.steps) }
      + writingArguments
  }

  /// The same argument; --kernel also makes the levels, so it needs no step.
  private static func servingLevels(_ argument: Argument<PictureSteps>) -> Argument<PictureSteps> {
    guard argument.synopsis.name == "--kernel" else { return argument }
    var synopsis = argument.synopsis.meaning(
      "resampling kernel of the levels, and of all steps that name none; default: lanczos3, or catmullrom to transform"
    )
    synopsis.needs = []
    return Argument(synopsis: synopsis, take: argument.take)
  }

  /// The options for writing that apply to tiles, which have no metadata and one space.
  private static var writingArguments: [Argument<TilesVerb>] {
    let others = [
      "--samples", "--background", "--resolution", "--embed-profile", "--strip", "--max-bytes",
      "--min-quality",
    ]
    return PictureOutput.arguments.filter { !others.contains($0.synopsis.name) }.map { argument in
      var synopsis = argument.synopsis
      if synopsis.name == "--format" {
        synopsis = synopsis.meaning(
          "the file format of tiles; default: JPEG, or PNG where there is transparency")
      }
      return Argument(synopsis: synopsis, take: argument.take).within(\.writing)
    }
  }

  var input = ""
  var output = ""
  fileprivate var layout = Layout.dzi
  var tileSize: Int?
  var overlap: Int?
  var id: String?
  var space = ColorSpace.sRGB
  var gamut: GamutMapping?
  var samples: SampleFormat?
  var background: ColorPoint?
  var steps = PictureSteps()
  var stepsAreOfFiles: Bool { steps.areOfFiles }
  fileprivate var conversions = ColorConversions()
  var page: Int?
  var layer: String?
  var existing = ExistingResults.replace
  var writing = PictureOutput()

  private struct Report: Encodable {
    let folder, layout, format, space: String
    let width, height, tileSize, overlap, levels, tiles, clippedSamples: Int
  }

  func run(in session: Session) throws {
    try conversions.check(converts: true, readsInks: false)
    steps.resizesResult = true
    let pyramid = try pyramid()
    guard output != "-" else {
      throw Misuse("Tiles are many files, and “-” is standard output. Name a folder.")
    }
    // A tile of the older pyramid may be read, too.
    guard input == "-" || !URL(filePath: input).isBelow(URL(filePath: output)) else {
      throw Misuse(
        "“\(input)” lies in the folder “\(output)”, which the tiles would replace. Name another folder."
      )
    }
    let description = pyramid.descriptionPath(inFolder: output)
    var uses = FileUses(reading: [input])
    try uses.add(output, at: output)
    try uses.add(description, at: description)
    try existing.check([description])
    if existing.keeps([description]) {
      return existing.report([description], asJSON: writing.printsJSON, in: session)
    }
    let progress = session.progressLine()
    let opened = try session.open(input, page: page, layer: layer, assuming: steps.assumed)
    let source = try session.picture(in: opened, at: input, assuming: steps.assumed, page: page)
    if opened.info.gainMap != nil {
      session.noteOmittedGainMap(of: input, because: "“tiles” reads the base picture only")
    }
    conversions.contentPeak = opened.info.metadata.contentPeak
    let changed = try steps.beside(DataWindow(of: opened.info, at: input))
      .changed(source, at: input, in: session)
    let file = try file(of: converted(changed.picture), madeFrom: source, of: opened.info)
    var options = session.settings.renderOptions
    options.progress = progress.report("writing", output)
    let (report, count) = try Picture.writeTiles(of: file, pyramid, options: options)
    let size = file.picture.size
    progress.finish("\(output): \(count) tiles of \(size) pixels in \(file.picture.space)")
    session.tell(report, of: output)
    guard writing.printsJSON else { return }
    session.print(
      json: Report(
        folder: output, layout: layout.rawValue, format: file.format?.name ?? "",
        space: file.picture.space.name, width: size.width, height: size.height,
        tileSize: pyramid.tileSize, overlap: pyramid.overlap,
        levels: pyramid.levels(of: size).count, tiles: count, clippedSamples: report.clippedSamples)
    )
  }

  /// The pyramid that the options state.
  private func pyramid() throws -> TilePyramid {
    if layout == .iiif, id == nil {
      throw Misuse(
        "“--layout iiif” states the address of its folder in info.json. Pass it, such as --id https://example.com/iiif/name."
      )
    }
    if let id, !Self.isAddress(id) {
      throw Misuse(
        "“--id \(id)” is no address of a folder. Pass one without a slash at its end, such as https://example.com/iiif/name."
      )
    }
    for (option, isGiven, owner) in [
      ("--id", id != nil, Layout.iiif), ("--overlap", overlap != nil, .dzi),
    ]
    where isGiven && layout != owner {
      throw Misuse(
        "“\(option)” is for “--layout \(owner.rawValue)”, and the layout is \(layout.rawValue). Leave it out."
      )
    }
    let pyramid = TilePyramid(
      layout.pyramidLayout(id: id ?? ""), tileSize: tileSize, overlap: overlap,
      background: background, kernel: steps.kernel ?? .lanczos3)
    guard pyramid.overlap < pyramid.tileSize else {
      throw Misuse(
        "“--overlap \(pyramid.overlap)” is not less than the size of a tile, \(pyramid.tileSize). Pass less, or a larger --tile-size."
      )
    }
    return pyramid
  }

  /// Whether viewers can append “/info.json” to a text.
  private static func isAddress(_ id: String) -> Bool {
    guard let url = URL(string: id), url.scheme != nil, url.host != nil else { return false }
    return !id.hasSuffix("/") && !id.contains { $0.isWhitespace }
  }

  /// Returns the picture in the space of the tiles, as “convert --to” converts.
  private func converted(_ picture: Picture) throws -> Picture {
    let mapped = try conversions.toneMapped(
      picture, for: .space(space), mappingTones: steps.mapTonesByDefault,
      keepsLight: steps.keepLight)
    let picture = mapped ?? picture
    return gamut.map { picture.fitted(into: space, by: $0) } ?? picture.converted(to: space)
  }

  /// Returns the picture as the file that its tiles would be together.
  private func file(
    of picture: Picture, madeFrom source: Picture, of info: ImageFileInfo
  ) throws -> PictureFile {
    let flat =
      background.map { picture.hasAlpha ? picture.flattened(onto: $0) : picture } ?? picture
    let format = writing.format ?? (flat.hasAlpha ? ImageFileFormat.png : .jpeg)
    // A background may be colored.
    let isGray =
      background == nil && info.channels.isGray && steps.keepGray(of: [source], in: picture)
    var file = try writing.file(
      flat, at: "\(output).\(format.fileExtensions[0])", madeFrom: source, isGray: isGray)
    try writing.checkUse(by: [file])
    (file.path, file.format) = (output, format)
    file.samples = samples ?? (format.samples.contains(.uint8) ? .uint8 : format.samples[0])
    try writing.checkPalette(of: file)
    return file
  }
}

/// The layouts by the words of --layout.
private enum Layout: String {
  case dzi, xyz, iiif

  func pyramidLayout(id: String) -> TilePyramid.Layout {
    switch self {
    case .dzi: .deepZoom
    case .xyz: .xyz
    case .iiif: .iiif(id: id)
    }
  }
}

extension URL {
  /// Whether a file is in a folder, or in one of its folders.
  fileprivate func isBelow(_ folder: URL) -> Bool {
    resolvingSymlinksInPath().path.hasPrefix(folder.resolvingSymlinksInPath().path + "/")
  }
}

extension TilePyramid {
  /// The path of the file that describes a pyramid, which is there when all tiles are.
  fileprivate func descriptionPath(inFolder folder: String) -> String {
    let separator = folder.hasSuffix("/") ? "" : "/"
    return "\(folder)\(separator)\(TileNames.descriptionName(layout, inFolder: folder))"
  }
}

extension ArgumentSynopsis {
  /// The same with another meaning in help.
  fileprivate func meaning(_ meaning: String) -> ArgumentSynopsis {
    ArgumentSynopsis(
      name: name, placeholders: placeholders, meaning: meaning, isRequired: isRequired,
      isRepeated: isRepeated, completion: completion, heading: heading, isFilter: isFilter,
      takesValue: takesValue, optionalValue: optionalValue, takesWord: takesWord, needs: needs,
      excludes: excludes)
  }
}
