public import ColorSpaces

extension ICCTransform {
  /// A link of a chain, with its intent and black point compensation.
  struct Station {
    let link: Link
    let intent: RenderingIntent
    let blackPointCompensation: Bool

    init(_ link: Link, _ intent: RenderingIntent, blackPointCompensation: Bool = false) {
      (self.link, self.intent) = (link, intent)
      self.blackPointCompensation =
        switch intent {
        case .absoluteColorimetric: false
        case .relativeColorimetric: blackPointCompensation
        // Version 4 fixes the black of these tables, so colors of other profiles must be scaled to it.
        case .perceptual, .saturation: blackPointCompensation || link.isVersion4
        }
    }
  }

  /// Returns all steps of a chain. Throws for one without links.
  static func stages(_ stations: [Station]) throws(ICCProfileError) -> ProfileSide {
    var chain: ProfileSide?
    var before: Station?
    for station in stations {
      let side = try station.link.side(
        after: chain?.target, station.intent)
      if let current = chain, let previous = before {
        let join = try station.join(after: previous, from: current.target, to: side.source)
        var stages = current.stages
        stages.add(join)
        stages.add(side.stages)
        chain = ProfileSide(stages: stages, source: current.source, target: side.target)
      } else {
        chain = side
      }
      before = station
    }
    guard let chain else {
      throw .unsupported(
        "A transform without links converts nothing. Pass a device link, or a source and a target.")
    }
    return chain
  }
}

extension ICCTransform.Station {
  /// Returns the step between the previous link and this one.
  fileprivate func join(
    after previous: ICCTransform.Station, from source: ColorModel, to target: ColorModel
  ) throws(ICCProfileError) -> [ChannelStage] {
    guard source.isConnection && target.isConnection else {
      guard source == target else {
        throw .unsupported(
          "“\(link)” starts with \(target) and cannot follow “\(previous.link)”, which ends with "
            + "\(source). Put a profile of a device between them, or change their order.")
      }
      return []
    }
    // Device links have no intents; neither have conversions between a device's own values.
    guard link.takesConnection else { return ConnectionStep(from: source, to: target).stages }
    if intent == .absoluteColorimetric {
      let scale = try previous.link.mediaWhite() / link.mediaWhite()
      return ConnectionStep(from: source, to: target, scale: scale).stages
    }
    guard blackPointCompensation else {
      return ConnectionStep(from: source, to: target).stages
    }
    return ConnectionStep(
      from: source, to: target, black: try previous.link.sourceBlack(intent),
      becoming: try link.targetBlack(intent)
    ).stages
  }
}

extension ICCTransform.Link {
  fileprivate var isVersion4: Bool {
    if case .profile(let profile) = self { profile.header.version.major >= 4 } else { false }
  }

  /// Whether the link's input is the PCS, so that the intent applies.
  fileprivate var takesConnection: Bool {
    if case .profile(let profile) = self { profile.header.profileClass != "link" } else { true }
  }

  /// Returns the conversion of this link for values of the model `current`; nil at the start of a chain.
  fileprivate func side(
    after current: ColorModel?, _ intent: RenderingIntent
  ) throws(ICCProfileError) -> ProfileSide {
    let isInput = current.map { !$0.isConnection } ?? true
    switch self {
    case .profile(let profile) where profile.isLink: return try profile.linkSide(intent)
    case .profile(let profile):
      return isInput ? try profile.inputSide(intent) : try profile.outputSide(intent)
    case .space(let space):
      return isInput ? space.inputSide : space.outputSide
    }
  }

  /// Returns the media white relative to the PCS white.
  fileprivate func mediaWhite() throws(ICCProfileError) -> SIMD3<Double> {
    guard case .profile(let profile) = self, profile.has("wtpt") else {
      return connectionWhite
    }
    // Version 2 display profiles state an unadapted white, and viewers are adapted to it.
    if profile.header.version.major < 4, profile.header.profileClass == "mntr" {
      return connectionWhite
    }
    let white = try profile.mediaWhite()
    guard white.x > 0.01, white.y > 0.01, white.z > 0.01 else {
      throw .malformedTag(
        "wtpt", reason: "XYZ (\(white.x), \(white.y), \(white.z)) is no white point")
    }
    return white
  }
}

extension ICCTransform.Link: CustomStringConvertible {
  /// The name of the profile or space.
  public var description: String {
    switch self {
    case .profile(let profile): profile.description
    case .space(let space): space.description
    }
  }
}

extension ColorSpace {
  /// The conversion from the space's values to the PCS. XYZ and Lab of the PCS are passed unchanged.
  fileprivate var inputSide: ProfileSide {
    if self == .lab { return ProfileSide(stages: [], source: .lab, target: .lab) }
    if self == .xyzD50 { return ProfileSide(stages: [], source: .xyz, target: .xyz) }
    return ProfileSide(
      stages: [.colors(PointProgram([.decode(transfer), .matrix(toConnection)]))],
      source: .device("RGB "), target: .xyz)
  }

  fileprivate var outputSide: ProfileSide {
    if self == .lab { return ProfileSide(stages: [], source: .lab, target: .lab) }
    if self == .xyzD50 { return ProfileSide(stages: [], source: .xyz, target: .xyz) }
    let toLight = withColors.matrix(to: self) * toConnection.inverse
    return ProfileSide(
      stages: [.colors(PointProgram([.matrix(toLight), .encode(transfer)]))],
      source: .xyz, target: .device("RGB "))
  }

  /// The matrix from linear values to PCS XYZ.
  private var toConnection: ColorMatrix {
    .adapting(from: primaries.white, to: Chromaticity(xyz: connectionWhite)) * primaries.toXYZ
  }
}

extension ICCTransform.Link {
  /// Creates a link of a space by its definition, or by its source profile where only the profile's lookup tables define it.
  public init(_ space: ColorSpace) {
    if let origin = space.origin, let profile = try? ICCProfile(bytes: origin.bytes),
      profile.hasTables
    {
      self = .profile(profile)
    } else {
      self = .space(space)
    }
  }

  /// Whether there are lookup tables, so that colors depend on the intent.
  public var hasTables: Bool {
    if case .profile(let profile) = self { profile.hasTables } else { false }
  }
}
