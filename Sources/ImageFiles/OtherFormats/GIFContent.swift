internal import ColorSpaces
internal import ICCProfiles

/// What a GIF file holds beside frames: its profile, metadata, and how often an animation is repeated.
struct GIFContent {
  private let bytes: ByteSource
  private let limits: FileLimits
  private(set) var metadata = ImageMetadata()
  /// How often an animation is repeated; nil for without an end.
  private(set) var repetitions: Int? = 0
  private var statesRepetitions = false
  /// What is not read.
  var notes: [ImageFileNote] = []
  private var profile: Range<Int>?
  /// The bytes of metadata that are kept.
  private var keptCount = 0

  init(_ bytes: ByteSource, _ limits: FileLimits) { (self.bytes, self.limits) = (bytes, limits) }

  /// States the shape of pixels, by how many of them there are on equal lengths.
  mutating func statePixelShape(_ horizontal: Double, _ vertical: Double) {
    metadata.resolution = ImageMetadata.Resolution(horizontal, vertical, unit: .none)
  }

  /// Takes what a block holds.
  mutating func add(_ block: GIFBlock) throws(ImageFileError) {
    switch block {
    case .frame: break
    case .comment(let range):
      // Comments may be empty, and take memory nevertheless.
      let content = try kept(range, besides: ImageMetadata.bytesPerText)
      // The standard asks for ASCII.
      let text = String(utf8OrLatin1: content.prefix { $0 != 0 })
      metadata.text.append(.init(keyword: ImageMetadata.commentKeyword, value: text))
    case .application(let name, let data):
      try add(String(decoding: name, as: UTF8.self), data)
    case .plainText: note("a plain text, which other programs do not show either")
    case .unknown(let label): note("an extension with the label \(label)")
    }
  }

  private mutating func add(_ name: String, _ data: Range<Int>) throws(ImageFileError) {
    switch name {
    case "NETSCAPE2.0", "ANIMEXTS1.0":
      // Others hold a size for buffering.
      let content = try bytes.contentOfSubBlocks(data.prefix(4), limit: 3) ?? []
      guard !statesRepetitions, content.count == 3, content[0] & 7 == 1 else { return }
      let number = content.littleEndian16(at: 1)
      (repetitions, statesRepetitions) = (number == 0 ? nil : number, true)
    case "ICCRGBG1012":
      if profile == nil { profile = data } else { note("a second ICC profile") }
    case "XMP DataXMP": try addXMP(data)
    default: note("what “\(name.filter { !$0.isNewline })” has added")
    }
  }

  /// Takes an XMP packet, which is not in sub-blocks: a mark of 258 bytes behind it leads readers of sub-blocks to its end (XMP, part 3,
  /// 1.1.2).
  private mutating func addXMP(_ data: Range<Int>) throws(ImageFileError) {
    let mark = [1] + (0...255).reversed().map { UInt8($0) } + [0]
    guard data.count >= mark.count,
      try bytes.array(data.upperBound - mark.count..<data.upperBound) == mark
    else { return note("its XMP, which has no end mark") }
    let packet = data.lowerBound..<data.upperBound - mark.count
    try count(packet.count)
    guard let known = metadata.xmp else {
      metadata.xmp = try bytes.array(packet)
      return
    }
    if try known != bytes.array(packet) { note("a second XMP packet") }
  }

  /// Returns the content of sub-blocks, within the limit of metadata.
  private mutating func kept(
    _ range: Range<Int>, besides: Int
  ) throws(ImageFileError) -> ArraySlice<UInt8> {
    try count(besides)
    guard let content = try bytes.contentOfSubBlocks(range, limit: limits.metadataBytes - keptCount)
    else { throw .tooMuchMetadata(file: bytes.name, limit: limits.metadataBytes) }
    keptCount += content.count
    return content[...]
  }

  private mutating func count(_ byteCount: Int) throws(ImageFileError) {
    keptCount += byteCount
    guard keptCount <= limits.metadataBytes else {
      throw .tooMuchMetadata(file: bytes.name, limit: limits.metadataBytes)
    }
  }

  private mutating func note(_ part: String) {
    let note = ImageFileNote.unread(part)
    if notes.count < 16, !notes.contains(note) { notes.append(note) }
  }

  /// The color space of the profile, else sRGB. The standard names none, and browsers show GIF files in sRGB.
  var color: (StatedColor, ICCProfile?) {
    get throws(ImageFileError) {
      guard let profile else { return (.space(.sRGB, by: .formatRule), nil) }
      let limit = limits.profileBytes
      guard let content = try bytes.contentOfSubBlocks(profile, limit: limit) else {
        let error = ICCProfileError.tooLarge(byteCount: nil, limit: limit)
        return (.unusable(.profile(file: bytes.name, error)), nil)
      }
      return statedColor(byProfile: content, isGray: false, file: bytes.name, limits: limits)
    }
  }
}
