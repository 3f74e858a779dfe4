internal import ColorSpaces
internal import FilterGraph
internal import ICCProfiles
internal import ImageBuffer

/// The conversion of a file's ink channels to ProPhoto RGB, by the file's own profile or an assumed one.
///
/// ProPhoto RGB is used because its gamut contains every printable color.
struct InkConversion {
  static let space = ColorSpace.proPhoto
  static let samples = SampleFormat.float32

  /// From ink channel values, 0…1, to ProPhoto RGB.
  let program: PointProgram

  /// Throws where neither the file nor the job has a usable profile, or where its channels differ from the file's.
  init(_ info: ImageFileInfo, _ inks: ImageFileInks, _ job: DecodingJob) throws(ImageFileError) {
    try info.checkProfileMemory()
    if info.profile == nil, job.assumedInks == nil, case .unusable(let error) = info.color {
      throw error
    }
    try self.init(profile: info.profile, inks, job)
  }

  /// Creates a conversion by the profile bytes of the file; nil where it has none.
  init(
    profile bytes: [UInt8]?, _ inks: ImageFileInks, _ job: DecodingJob
  ) throws(ImageFileError) {
    var profile: ICCProfile?
    if let bytes {
      do throws(ICCProfileError) { profile = try job.limits.profile(bytes) } catch {
        switch (error, job.assumedInks) {
        case (.tooMuchMemory, _), (_, nil): throw .inkProfile(file: job.file, error)
        default: break
        }
      }
    }
    try self.init(profile: profile, inks, job)
  }

  private init(
    profile: ICCProfile?, _ inks: ImageFileInks, _ job: DecodingJob
  ) throws(ImageFileError) {
    guard let profile = profile ?? job.assumedInks else { throw .inks(file: job.file) }
    guard profile.channelCount == inks.count else {
      throw .inkCount(
        file: job.file, inks.count, profile: "\(profile)", channels: profile.channelCount ?? 0)
    }
    do throws(ICCProfileError) {
      let transform = try ICCTransform(
        from: .profile(profile), to: .space(Self.space), intent: job.inks.intent,
        blackPointCompensation: job.inks.blackPointCompensation)
      program = transform.program.pointProgram
    } catch { throw .inkProfile(file: job.file, error) }
  }
}
