public import ICCProfiles

extension OpenedImageFile {
  /// Reads the header of a file without blocking the caller; see ``init(_:page:layer:inks:assumingInks:salvaging:limits:)``.
  public init(
    _ path: String, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    self = try await inTurn { _ throws(ImageFileError) in
      try OpenedImageFile(
        path, page: page, layer: layer, inks: inks, assumingInks: assumedInks,
        salvaging: salvaging, limits: limits)
    }
  }

  /// Reads the header of a file whose bytes are in memory, without blocking the caller; see
  /// ``init(_:page:layer:inks:assumingInks:salvaging:limits:)``.
  public init(
    bytes: [UInt8], page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    self = try await inTurn { _ throws(ImageFileError) in
      try OpenedImageFile(
        bytes: bytes, page: page, layer: layer, inks: inks, assumingInks: assumedInks,
        salvaging: salvaging, limits: limits)
    }
  }

  /// Reads the header of a file whose bytes come part by part, such as the body of a request.
  ///
  /// The header is read after all bytes have arrived. Where they are kept, and which of them are an error, is the same as for
  /// `Picture(bytes:)` with such a sequence.
  public nonisolated(nonsending) init<Bytes: AsyncSequence>(
    bytes: Bytes, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) async throws where Bytes.Element: Sequence<UInt8> {
    let source = try await ByteSource.spooled(bytes, limit: limits.bytes)
    self = try await inTurn { _ throws(ImageFileError) in
      try OpenedImageFile(
        source, page: page, layer: layer, inks: inks, assumingInks: assumedInks,
        salvaging: salvaging, limits: limits)
    }
  }

  /// Reads the header of a file whose bytes come one by one, such as `URLSession.AsyncBytes`; see the form for bytes that come in parts,
  /// which is quicker.
  public nonisolated(nonsending) init<Bytes: AsyncSequence>(
    bytes: Bytes, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) async throws where Bytes.Element == UInt8 {
    let source = try await ByteSource.spooled(bytes, limit: limits.bytes)
    self = try await inTurn { _ throws(ImageFileError) in
      try OpenedImageFile(
        source, page: page, layer: layer, inks: inks, assumingInks: assumedInks,
        salvaging: salvaging, limits: limits)
    }
  }
}
