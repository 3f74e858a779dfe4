/// The document that a constant comes from: a standard, a paper, or a maker's white paper or file.
///
/// Every named color space, transfer function, adaptation and color difference formula lists the documents of its
/// constants: see ``ColorSpace/sources``. Clauses and editions are given where they are known, and left out elsewhere.
public struct Source: Hashable, Sendable {
  /// The number of a standard, or the authors and the title.
  public let document: String
  /// The edition, version or year; nil where none is known.
  public let edition: String?
  /// The clause, table, item or annex; nil for the whole document.
  public let clause: String?

  /// Creates a source.
  public init(_ document: String, edition: String? = nil, clause: String? = nil) {
    (self.document, self.edition, self.clause) = (document, edition, clause)
  }
}

extension Source: CustomStringConvertible {
  /// The document, the edition and the clause, separated by commas.
  public var description: String {
    [document, edition, clause].compactMap(\.self).joined(separator: ", ")
  }
}

extension ColorSpace {
  /// The documents of the space's constants: of its primaries and white point, of its transfer function, and, for white
  /// points other than D65, of the adaptation to the D65 of ``toHub``.
  ///
  /// Complete for the spaces of ``all``. Empty or incomplete where a caller or a file provided the constants.
  public var sources: [Source] {
    let adaptation = primaries.white == .d65 ? [] : ChromaticAdaptation.bradford.sources
    return (primaries.sources + transfer.sources + adaptation).unique
  }
}

extension [Source] {
  /// The sources in order, each once.
  var unique: [Source] {
    var seen: Set<Source> = []
    return filter { seen.insert($0).inserted }
  }
}
