public import FilterGraph

extension Look {
  /// The look in a file, of the format that its name ends with.
  ///
  /// Of several color decision lists the one called `id` is read, or the first.
  public init(
    contentsOf path: String, id: String? = nil, limits: FileLimits = FileLimits(bytes: 256 << 20)
  ) throws(LookFileError) {
    let format = try LookFileFormat(ofFile: path)
    let bytes: [UInt8]
    do throws(ImageFileError) {
      bytes = try ByteSource(contentsOf: path, limit: limits.bytes).array()
    } catch {
      throw .file(error)
    }
    self = try Look(bytes, as: format, file: path, id: id)
  }

  /// The look that the bytes of a file hold; `file` is what errors call it.
  public init(
    _ bytes: [UInt8], as format: LookFileFormat, file: String = "data", id: String? = nil
  ) throws(LookFileError) {
    let text = LookText(bytes, file: file)
    switch format {
    case .cube: self = try Look(cube: text)
    case .threeDL: self = try Look(threeDL: text)
    case .spi1D: self = try Look(spi1D: text)
    case .spi3D: self = try Look(spi3D: text)
    case .spiMatrix: self = try Look(spiMatrix: text)
    case .cineSpace: self = try Look(cineSpace: text)
    case .colorCorrection, .colorCorrectionCollection, .colorDecisionList:
      self = try Look(decisions: XMLElement(text), id: id, file: file)
    case .commonLUT: self = try Look(commonLUT: XMLElement(text), file: file)
    }
  }

  /// Writes the look to a file: a `.cube`, for which it must be one table or one curve for each channel.
  ///
  /// The file appears when it is complete, as pictures do.
  public func write(to path: String) throws(LookFileError) {
    guard try LookFileFormat(ofFile: path) == .cube else {
      throw .unsupported(file: path, reason: "looks are written as .cube")
    }
    let text = try cubeText(file: path)
    do throws(ImageFileError) {
      let file = try AtomicFile(path)
      let isWritten = Array(text.utf8).withUnsafeBytes { file.put($0, at: 0) }
      guard isWritten else {
        throw .cannotWrite(file: path, reason: file.failure ?? "the system does not say why")
      }
      try file.commit()
    } catch {
      throw .file(error)
    }
  }
}
