internal import ColorSpaces
internal import ICCProfiles
internal import ImageBuffer

/// From amounts of inks, as a file holds them, to light: through the file's own profile.
///
/// The result is ProPhoto RGB in single precision, which holds every color that can be printed.
struct InkConversion {
  static let space = ColorSpace.proPhoto
  static let samples = SampleFormat.float32
  static let inkCount = 4

  private let transform: ICCTransform

  /// The profile's bytes are those in the file; nil where it has none.
  init(profile bytes: [UInt8]?, _ job: DecodingJob) throws(ImageFileError) {
    guard let bytes else { throw .inks(file: job.file) }
    do throws(ICCProfileError) {
      transform = try ICCTransform(
        from: .profile(job.limits.profile(bytes)), to: .space(Self.space),
        intent: job.inks.intent, blackPointCompensation: job.inks.blackPointCompensation)
    } catch { throw .inkProfile(file: job.file, error) }
    guard transform.inputCount == Self.inkCount else { throw .inks(file: job.file) }
  }

  /// Fills a row. `amount` gives how much, 0…1, of an ink a pixel has.
  func convert(
    to row: UnsafeMutableRawBufferPointer, amount: (_ pixel: Int, _ ink: Int) -> Float
  ) {
    let samples = row.bindMemory(to: Float.self)
    let amounts = (0..<samples.count / 3).flatMap { pixel in
      (0..<Self.inkCount).map { amount(pixel, $0) }
    }
    var result = samples.mutableSpan
    transform(amounts.span, into: &result)
  }
}
