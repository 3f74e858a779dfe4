#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension ctiff_reader {
    /// What a file states about its color, its ICC profile, and statements that are not read.
    typealias ColorStatements = (color: StatedColor, profile: ICCProfile?, notes: [ImageFileNote])

    /// The color space that follows from how samples are stored, else that of the ICC profile, of EXIF data, or of the fields of
    /// colorimetry.
    func statedColor(
      _ conversion: TIFFConversion, _ layout: TIFFLayout, _ page: TIFFPages?,
      _ metadata: ImageMetadata, file: String, _ limits: FileLimits
    ) -> ColorStatements {
      if conversion.extra != nil, let (space, statement) = conversion.space {
        // The profile is that of the colors.
        return (.space(space, by: statement), nil, [])
      }
      if conversion.inks != nil {
        guard let bytes = profileBytes else { return (.unstated, nil, []) }
        let (color, found) = statedInks(byProfile: bytes, file: file, limits: limits)
        return (color, found, [])
      }
      var (color, found) = (StatedColor.unstated, ICCProfile?.none)
      if let bytes = profileBytes {
        (color, found) = ImageFiles.statedColor(
          byProfile: bytes, isGray: conversion.channels.isGray, file: file, limits: limits)
      }
      if let (space, statement) = conversion.space { color = .space(space, by: statement) }
      guard case .unstated = color else { return (color, found, []) }
      var notes: [ImageFileNote] = []
      if let space = metadata.exif.flatMap(EXIF.init)?.space {
        // A camera's EXIF data outlives conversions to floats, which are linear in most files.
        if layout.encoding.kind != .float { return (.space(space, by: .exif), nil, []) }
        notes.append(
          .unread("the color space of its EXIF data, \(space), which describes integer samples"))
      }
      guard let page else { return (.unstated, nil, notes) }
      let fields = TIFFColorimetry(page, bits: photometric == PHOTOMETRIC_PALETTE ? nil : bits)
      do throws(TIFFColorimetry.Unusable) {
        guard let space = try fields.space else { return (.unstated, nil, notes) }
        return (.space(space, by: .chromaticities), nil, notes)
      } catch {
        return (.unstated, nil, notes + [.unread(error.part)])
      }
    }
  }

  /// The fields WhitePoint, PrimaryChromaticities and TransferFunction of a directory (TIFF 6.0, section 20).
  struct TIFFColorimetry {
    private let white, primaries: [Double]?
    /// The linear values of all codes, one table for all channels or three, from 0 to 65535; nil where the field is missing, empty where
    /// it cannot be read.
    private let transfer: [Int]?
    /// How many codes a sample has; nil for an index of a palette, for which the tables are not meant.
    private let codeCount: Int?
    /// The names of the fields that are present.
    private let names: [String]

    /// Fields that do not state a color space, and why, in the words of a note.
    struct Unusable: Error {
      let part: String
    }

    init(_ page: TIFFPages, bits: UInt16?) {
      let (structure, directory) = (page.structure, page.directory)
      let fields = [
        ("WhitePoint", EXIF.Tag.white), ("PrimaryChromaticities", EXIF.Tag.primaries),
        ("TransferFunction", EXIF.Tag.transferFunction),
      ]
      names = fields.filter { directory[$0.1] != nil }.map(\.0)
      white = directory[EXIF.Tag.white].flatMap { structure.fractions($0, 2) }
      primaries = directory[EXIF.Tag.primaries].flatMap { structure.fractions($0, 6) }
      let count = bits.flatMap { (1...16).contains($0) ? 1 << Int($0) : nil }
      codeCount = count
      transfer = directory[EXIF.Tag.transferFunction].map { entry in
        guard let count, entry.type == 3, [count, 3 * count].contains(entry.count) else {
          return []
        }
        return structure.wholes(entry, most: entry.count)
      }
    }

    /// The color space of the fields; nil where none of them is present.
    var space: ColorSpace? {
      get throws(Unusable) {
        if names.isEmpty { return nil }
        guard names.contains("WhitePoint"), names.contains("PrimaryChromaticities") else {
          let missing = names.contains("WhitePoint") ? "PrimaryChromaticities" : "WhitePoint"
          throw unusable("without \(missing)")
        }
        guard let white, let primaries,
          let linear = ColorSpace.ofChromaticities(
            "TIFF", white: white, primaries: primaries, exponent: 1)
        else { throw unusable("with these values") }
        guard let transfer else { throw unusable("without TransferFunction") }
        return try space(linear.primaries, table(transfer))
      }
    }

    private func unusable(_ reason: String) -> Unusable {
      let last = names.count - 1
      let list =
        last > 0 ? names[..<last].joined(separator: ", ") + " and " + names[last] : names[0]
      return Unusable(
        part:
          "its field\(last > 0 ? "s" : "") \(list), which \(reason) state\(last > 0 ? "" : "s") "
          + "no color space")
    }

    /// The one table of all channels, which rises to white.
    private func table(_ values: [Int]) throws(Unusable) -> [Int] {
      guard let codeCount, !values.isEmpty else {
        throw unusable("with tables of another length than the samples have codes")
      }
      let table = Array(values[..<codeCount])
      guard values.indices.allSatisfy({ values[$0] == table[$0 % codeCount] }) else {
        throw unusable("with different tables for red, green and blue")
      }
      let rises = zip(table, table.dropFirst()).allSatisfy { $0 <= $1 }
      guard rises, let first = table.first, first < 65_535, table.last == 65_535 else {
        throw unusable("with a table that does not rise to 65535")
      }
      return table
    }

    /// The color space of primaries and a table: a named one or a power where the table is one, rounded.
    private func space(_ primaries: Primaries, _ table: [Int]) -> ColorSpace {
      let last = Double(table.count - 1)
      func isTable(of transfer: TransferFunction) -> Bool {
        transfer.curves != nil
          && table.indices.allSatisfy { code in
            abs(transfer.decode(Double(code) / last) * 65_535 - Double(table[code])) <= 1
          }
      }
      func space(_ transfer: TransferFunction) -> ColorSpace {
        ColorSpace("TIFF, \(transfer.name)", primaries: primaries, transfer: transfer)
      }
      let named = ColorSpace.named.first {
        $0.isInterchangeable(with: space($0.transfer)) && isTable(of: $0.transfer)
      }
      if let named { return named }
      let middle = table.count / 2
      let exponent = Self.exponent(Double(middle) / last, Double(table[middle]) / 65_535)
      if let exponent, isTable(of: .gamma(exponent)) { return space(.gamma(exponent)) }
      let curve = SampledCurve(table.map { Float($0) / 65_535 })
      return space(
        TransferFunction(
          "table of \(table.count)", decoding: .sampled(curve), encoding: .sampled(curve.inverse()))
      )
    }

    /// The exponent of the power through a value, to three decimal places; nil where there is none.
    private static func exponent(_ code: Double, _ light: Double) -> Double? {
      guard code > 0, code < 1, light > 0, light < 1 else { return nil }
      let exponent = (log2(light) / log2(code) * 1000).rounded() / 1000
      return ParametricCurve.exponents.contains(exponent) ? exponent : nil
    }
  }
#endif
