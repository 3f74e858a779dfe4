internal import ColorSpaces
internal import FilterGraph
internal import ICCProfiles
internal import ImageBuffer

/// The conversion of a file's CMYK values, by its own profile or an assumed one, to ProPhoto RGB, which holds every color that can be
/// printed.
struct InkConversion {
  static let space = ColorSpace.proPhoto
  static let samples = SampleFormat.float32
  static let inkCount = 4

  /// From four inks, 0…1, to ProPhoto RGB.
  let program: PointProgram

  /// Throws where neither the file nor the job has a profile, or one of other channels.
  init(profile: ICCProfile?, _ job: DecodingJob) throws(ImageFileError) {
    guard let profile = profile ?? job.assumedInks else { throw .inks(file: job.file) }
    let transform: ICCTransform
    do throws(ICCProfileError) {
      transform = try ICCTransform(
        from: .profile(profile), to: .space(Self.space), intent: job.inks.intent,
        blackPointCompensation: job.inks.blackPointCompensation)
    } catch { throw .inkProfile(file: job.file, error) }
    guard transform.inputCount == Self.inkCount, let program = transform.program.pointProgram
    else { throw .inks(file: job.file) }
    self.program = program
  }

  /// The profile's bytes are those in the file; nil where it has none.
  init(profile bytes: [UInt8]?, _ job: DecodingJob) throws(ImageFileError) {
    var profile: ICCProfile?
    if let bytes {
      do throws(ICCProfileError) { profile = try job.limits.profile(bytes) } catch {
        throw .inkProfile(file: job.file, error)
      }
    }
    try self.init(profile: profile, job)
  }
}
