internal import ColorSpaces
package import FilterGraph
internal import ImageBuffer

extension Look {
  /// Returns the look as a file of this name holds it: the entries of its 3D LUT are rounded where the format stores integers.
  ///
  /// Throws where such a format would clip an entry of a 3D LUT over 0…1, and for images of formats that hold no looks.
  package func stored(inFile path: String) throws(LookFileError) -> Look {
    guard let largest = try Self.largestCode(inFile: path), steps.count == 1,
      case .table(let table) = steps[0], ColorBox(table.lowest, table.highest) == .unit
    else { return self }
    var entries = table.entries
    for index in entries.indices {
      let code = try storedCode(of: entries[index], largest: largest, file: path)
      entries[index] = Float(Double(code) / largest)
    }
    do throws(ColorError) {
      let stored = try ColorTable(
        size: table.size, entries: entries, lowest: table.lowest, highest: table.highest,
        interpolation: table.interpolation)
      return Look(stored, title: title)
    } catch {
      throw .parameter(file: path, RecipeError(error))
    }
  }

  /// The look as readers of a `.csp` of this name understand it, where it stores curves before its table as points: logarithms, powers and
  /// lines. Nil where it stores none, and for other formats.
  package func withPoints(inFile path: String) throws(LookFileError) -> Look? {
    guard ImageFileFormat(ofFileNamed: path) == nil,
      try LookFileFormat(ofFile: path) == .cineSpace, let shaped = shapedLookup,
      !shaped.curves.allSatisfy(\.isSampled)
    else { return nil }
    return try ShapedContent(self, .cineSpace, file: path)?.stored
  }

  /// Throws where no file of this name holds a 3D LUT.
  package static func checkTables(inFile path: String) throws(LookFileError) {
    guard let image = ImageFileFormat(ofFileNamed: path) else {
      guard try LookFileFormat(ofFile: path).holdsTables else {
        throw .cannotHold(
          file: path, reason: "the format holds no 3D LUT; write .cube, .spi3d, .csp or .clf")
      }
      return
    }
    guard image.statesColor, image.samples.first == .uint8 || image.samples.first == .uint16 else {
      throw .cannotHold(
        file: path,
        reason: "Hald images need integer samples and a color space; write PNG or TIFF")
    }
    guard image != .jpeg else {
      throw .cannotHold(
        file: path,
        reason: "JPEG compresses with loss, which changes the entries of a LUT; write PNG or TIFF")
    }
  }

  /// The code of 1 in a file of this name; nil where its format stores floating-point values.
  private static func largestCode(inFile path: String) throws(LookFileError) -> Double? {
    guard let image = ImageFileFormat(ofFileNamed: path) else {
      return try LookFileFormat(ofFile: path) == .threeDL ? 65_535 : nil
    }
    try checkTables(inFile: path)
    return Double(1 << (image.losslessBits ?? 16) - 1)
  }
}

extension Curve {
  /// Whether the curve is a table of values.
  fileprivate var isSampled: Bool { if case .sampled = self { true } else { false } }
}

/// Returns the integer that a file stores for an entry of a LUT. Throws where the file would clip the entry.
func storedCode(
  of entry: Float, largest: Double, file: String
) throws(LookFileError) -> Int {
  let code = (Double(entry) * largest).rounded()
  guard (0...largest).contains(code) else {
    throw .cannotHold(
      file: file,
      reason:
        "the format stores integers for values of 0…1, and the LUT has \(entry); write .cube, .spi3d, .csp or .clf"
    )
  }
  return Int(code)
}
