public import ColorSpaces

extension ICCTransform {
  /// A link, with how it is reached.
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
        // The black of these tables is fixed in version 4, so that others must be brought to it.
        case .perceptual, .saturation: blackPointCompensation || link.isVersion4
        }
    }
  }

  /// All steps along a chain.
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
    guard let chain else { preconditionFailure("A transform needs a link; there is none.") }
    return chain
  }
}

extension ICCTransform.Station {
  /// What lies between the link before and this one.
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
    // Device links have no intents; nor have the numbers that a device gets from its own.
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

  /// Whether the intent decides how colors come in.
  fileprivate var takesConnection: Bool {
    if case .profile(let profile) = self { profile.header.profileClass != "link" } else { true }
  }

  /// The way through this link for numbers of the model `current`; nil at the start of a chain.
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

  /// The white of the paper or screen, relative to the connection white.
  fileprivate func mediaWhite() throws(ICCProfileError) -> SIMD3<Double> {
    guard case .profile(let profile) = self, profile.has("wtpt") else {
      return connectionWhite
    }
    // Displays of version 2 state a white that the eye has long adapted to.
    if profile.header.version.major < 4, profile.header.profileClass == "mntr" {
      return connectionWhite
    }
    let white = try profile.color("wtpt")
    guard white.x > 0.01, white.y > 0.01, white.z > 0.01 else {
      throw .malformedTag("wtpt", reason: "XYZ (\(white.x), \(white.y), \(white.z)) is no white")
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
  /// From the space's numbers to the connection space. The two notations of that space are taken as they are.
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

  /// From linear light to XYZ under the connection white.
  private var toConnection: ColorMatrix {
    .adapting(from: primaries.white, to: Chromaticity(xyz: connectionWhite)) * primaries.toXYZ
  }
}

extension ICCTransform.Link {
  /// A space by its own definition, or by the profile it was read from where only the profile's tables say what it means.
  public init(_ space: ColorSpace) {
    if let origin = space.origin, let profile = try? ICCProfile(bytes: origin.bytes),
      profile.hasTables
    {
      self = .profile(profile)
    } else {
      self = .space(space)
    }
  }

  /// Whether there are tables, so that colors depend on the intent.
  public var hasTables: Bool {
    if case .profile(let profile) = self { profile.hasTables } else { false }
  }
}
