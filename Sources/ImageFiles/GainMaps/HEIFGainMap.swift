#if HEIF
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  /// A picture that a gain map makes of a base picture: a derived item of HEIF files (ISO/IEC 23008-12, 6.6.2.4).
  struct HEIFToneMap {
    let item: UInt32
    /// The item of the gain map.
    let map: UInt32

    static let type = "tmap"
    /// The version of the item, before the description of ISO 21496-1.
    static let version: UInt8 = 0
    /// The most bytes that are read of an item. Descriptions have up to 142; later versions may append to them.
    static let longestDescription = 1 << 12
  }

  extension HEIFItems {
    /// Finds the picture that a gain map makes of `base`.
    ///
    /// - Returns: nil where there is none. Gain maps that ISO 21496-1 does not describe are damage here, since they are not read.
    func toneMap(of base: UInt32) throws(GainMapDamage) -> HEIFToneMap? {
      for item in types.keys.sorted() where types[item] == HEIFToneMap.type {
        let parts = parts(of: item)
        guard parts.first == base else { continue }
        guard parts.count == 2, parts[1] != base else {
          throw GainMapDamage(reason: "it refers to \(parts.count) pictures, and not to two")
        }
        return HEIFToneMap(item: item, map: parts[1])
      }
      guard auxiliaries(of: base, endingWith: "aux:hdrgainmap").isEmpty else {
        throw GainMapDamage(reason: "it is one of Apple's, without the description of ISO 21496-1")
      }
      return nil
    }

    /// The description of a gain map.
    fileprivate func description(
      of picture: HEIFToneMap
    ) throws(GainMapDamage) -> GainMapDescription {
      let bytes = bytes(of: picture.item, HEIFToneMap.longestDescription)
      guard let version = bytes.first else {
        throw GainMapDamage(reason: "its description is empty")
      }
      guard version == HEIFToneMap.version else {
        throw GainMapDamage(
          reason:
            "its description has version \(version); this reader knows \(HEIFToneMap.version)")
      }
      return try GainMapDescription(iso: Array(bytes.dropFirst()))
    }

    /// The space that an item states, by its profile or else by the primaries of its code points, in linear light; nil where it states
    /// none that can be read.
    fileprivate func space(of item: UInt32, _ job: DecodingJob) -> ColorSpace? {
      let statements = properties(of: item).filter { $0.type == "colr" }.map(\.content)
      func statement(_ types: [String]) -> [UInt8]? {
        statements.first { types.contains(String(decoding: $0.prefix(4), as: UTF8.self)) }
          .map { Array($0.dropFirst(4)) }
      }
      if let profile = statement(["prof", "rICC"]) {
        let (color, _) = statedColor(
          byProfile: profile, isGray: false, file: job.file, limits: job.limits)
        if case .space(let space, _) = color { return space }
      } else if let points = statement(["nclx"]), points.count >= 4 {
        // Transfer function 8 is linear (Rec. ITU-T H.273, table 3).
        if let space = try? ColorSpace(cicp: CodePoints(points[1], 8)) { return space }
      }
      return nil
    }
  }

  extension ImageFileGainMap {
    /// Reads the description and the header of a picture's gain map.
    init(_ picture: HEIFToneMap, in items: HEIFItems, of job: DecodingJob) throws {
      let description = try items.description(of: picture)
      var part = job
      (part.item, part.page, part.findsGainMap) = (picture.map, nil, false)
      try self.init(
        part.decoder.info, at: .item(picture.map), description, by: [.iso21496],
        space: description.usesBaseSpace ? nil : items.space(of: picture.item, job))
    }
  }
#endif
