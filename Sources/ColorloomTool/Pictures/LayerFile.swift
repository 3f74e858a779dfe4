import Colorloom
import ImageFiles

/// A file whose picture becomes a named layer of the written file: --layer-file.
struct LayerFile {
  let name, path: String

  /// Returns the layer: the file's own layer of that name, else its picture. Data stays as it is, and gray becomes linear, as layers are.
  /// A data window that differs from that of the `main` picture is reported: one file has one window.
  func layer(
    beside main: DataWindow?, assuming assumption: Assumption?, isUpright: Bool,
    samples: SampleFormat?, in session: Session
  ) throws -> PictureLayer {
    let file = try opened(assuming: assumption, in: session)
    try assumption?.check(of: file, at: path)
    session.tellAssumption(assumption, of: file, at: path)
    if let main, let window = DataWindow(of: file.info, at: path) {
      session.noteOtherWindow(window, ofLayer: name, in: main)
    }
    // Notes on other layers would repeat the list that the user chose from.
    for note in file.info.notes where note.concernsColor {
      session.tell(note, of: path, page: nil, takesPage: false)
    }
    let picture = try file.picture(assuming: assumption?.space, isUpright: isUpright)
    let samples = samples ?? keptSamples(of: file.info)
    if file.info.channels.isGray {
      return PictureLayer(
        name, picture.converted(to: picture.space.linear), as: .gray, samples: samples)
    }
    let isData = if case .space(_, by: .data) = file.info.color { true } else { false }
    return PictureLayer(name, picture, as: isData ? .vectors : .colors, samples: samples)
  }

  private func opened(
    assuming assumption: Assumption?, in session: Session
  ) throws -> OpenedImageFile {
    // Pipes are read once.
    if !isPipe(path) {
      do { return try session.open(path, layer: name, assuming: assumption) } catch {
        guard case .noSuchLayer = error as? ImageFileError else { throw error }
      }
    }
    return try session.open(path, assuming: assumption)
  }

  /// The floating-point format of a source, and that which holds gray values of 16 bits, such as depth; nil for that of the main picture.
  private func keptSamples(of info: ImageFileInfo) -> SampleFormat? {
    switch info.storedSamples {
    case .float16, .float32: info.storedSamples
    case .uint16 where info.channels.isGray: .float32
    default: nil
    }
  }
}

extension PictureJob {
  /// `--layer-file`: a layer beside the written picture.
  static var layerFileArgument: Argument<PictureJob> {
    .option(
      "--layer-file", .layerFile,
      "write the layer of this name in FILE, or else its picture, as a layer NAME of the OpenEXR file; repeat it for more"
    ) { job, layer in
      job.layerFiles.append(layer)
      job.writing.fileOptions.append(
        FileOption(words: "--layer-file \(layer.name)=\(layer.path)", files: "OpenEXR files") {
          $0.format.holdsLayers
        })
    }.excluding("--out")
  }

  /// The layers of the file to write.
  func layers(beside main: DataWindow?, in session: Session) throws -> [PictureLayer] {
    try layerFiles.map {
      try $0.layer(
        beside: main, assuming: assumed, isUpright: !isAsStored, samples: writing.samples,
        in: session)
    }
  }
}

extension Parser<LayerFile> {
  /// Parses the name of a layer and the path of its file, which the command reads besides its inputs.
  fileprivate static var layerFile: Parser {
    Parser("NAME=FILE", needed: "the name of a layer and a file, such as depth=depth.exr") { word in
      guard let equals = word.firstIndex(of: "=") else { return nil }
      let layer = LayerFile(
        name: String(word[..<equals]), path: String(word[word.index(after: equals)...]))
      if layer.name.isEmpty || layer.path.isEmpty { return nil }
      Tool.filesRead?.add(layer.path)
      return layer
    }
  }
}
