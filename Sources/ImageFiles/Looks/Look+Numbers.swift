internal import ColorSpaces
internal import FilterGraph

// Files that hold a few numbers: color decision lists and matrices, as their readers read them.

extension Look {
  /// The text of a file of color decisions (ASC CDL 1.2): one in a `.cc`, one or more in the others.
  func colorDecisions(as format: LookFileFormat, file: String) throws(LookFileError) -> String {
    var list: [ColorDecisions] = []
    for step in steps {
      guard case .decisions(let decisions) = step, decisions.style == .clamped else {
        throw .cannotHold(
          file: file,
          reason:
            "a .\(format.rawValue) holds one color decision list (slope, offset, power and saturation, clamped); write the "
            + "look as .cube, .3dl, .spi1d, .spi3d, .csp or .clf")
      }
      list.append(decisions)
    }
    guard list.count == 1, let decisions = list.first else {
      throw .cannotHold(
        file: file,
        reason:
          "a .\(format.rawValue) is read as one color decision list, and the look has \(list.count)"
      )
    }
    // An identifier (xsd:ID) has a character or more.
    let id = Self.attribute(title)
    let correction =
      "<ColorCorrection\(id.isEmpty ? "" : " id=\"\(id)\"")>\n\(decisions.elements)</ColorCorrection>\n"
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    return switch format {
    case .colorCorrectionCollection:
      head
        + "<ColorCorrectionCollection xmlns=\"urn:ASC:CDL:v1.2\">\n\(correction)</ColorCorrectionCollection>\n"
    case .colorDecisionList:
      head
        + "<ColorDecisionList xmlns=\"urn:ASC:CDL:v1.2\">\n<ColorDecision>\n\(correction)</ColorDecision>\n</ColorDecisionList>\n"
    default: head + correction
    }
  }

  /// Returns text as the value of an XML attribute, without line breaks.
  static func attribute(_ text: String) -> String { xmlEscaped(text.filter { !$0.isNewline }) }

  /// The text of a `.spimtx`: a matrix, with what is added in its fourth column, in steps of 1/65,535. Matrices and affine steps are
  /// multiplied to one.
  func spiMatrix(file: String) throws(LookFileError) -> String {
    var (matrix, offset) = (ColorMatrix.identity, SIMD3<Double>.zero)
    for step in steps {
      switch step {
      case .matrix(let next): (matrix, offset) = (next * matrix, next * offset)
      case .affine(.one, let added): offset += added
      case .affine(let scale, let added):
        (matrix, offset) = (ColorMatrix(diagonal: scale) * matrix, scale * offset + added)
      default:
        throw .cannotHold(
          file: file,
          reason: "a .spimtx holds a matrix and an offset; write the look as .cube, .spi3d or .clf")
      }
    }
    return (0..<3).map { row in
      let values = matrix.rows[row]
      return "\(values.spaceSeparated) \(Self.sixteenBits(offset[row]))\n"
    }.joined()
  }

  /// The number that gives `value` when it is divided by 65,535, where there is one.
  private static func sixteenBits(_ value: Double) -> Double {
    let near = value * 65_535
    return [near, near.nextUp, near.nextDown].first { $0 / 65_535 == value } ?? near
  }
}

extension ColorDecisions {
  /// The elements of a `ColorCorrection` or an `ASC_CDL`, a line each.
  var elements: String {
    """
    <SOPNode>
    <Slope>\(slope.spaceSeparated)</Slope>
    <Offset>\(offset.spaceSeparated)</Offset>
    <Power>\(power.spaceSeparated)</Power>
    </SOPNode>
    <SatNode>
    <Saturation>\(saturation)</Saturation>
    </SatNode>

    """
  }
}
