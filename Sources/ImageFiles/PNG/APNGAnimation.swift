internal import ImageBuffer

/// What an animated PNG file says about its frames, and which one is read.
struct APNGAnimation {
  typealias Survey = FrameSurvey<APNGFrame, APNGFrames>

  /// The frame that is read among all.
  private(set) var pages = ImagePages()
  private(set) var timing: ImageAnimation?
  private(set) var notes: [ImageFileNote] = []
  /// The frame to be composed; nil where the pixels of the chunks IDAT are read, which lie on nothing.
  private(set) var found: Survey.Found?

  /// Reads the frames of the animation that `job` asks for; nil for a still picture. Without a page that is the picture in the chunks IDAT,
  /// which need not be a part of the animation. `isOpaque` tells whether the file's kind of pixels has no alpha.
  init?(_ chunks: PNGChunks, _ job: DecodingJob, isOpaque: Bool) throws(ImageFileError) {
    guard let control = chunks.bodies["acTL"], control.count == 8, control.bigEndian32(at: 0) > 0
    else { return nil }
    let (stated, plays) = (Int(control.bigEndian32(at: 0)), Int(control.bigEndian32(at: 4)))
    let holdsPicture = chunks.bodies["fcTL"] != nil
    guard holdsPicture || job.page != nil else {
      notes = [.unread("an animation of \(stated) frames, which the picture is not a part of")]
      return
    }
    var frames = APNGFrames(job.bytes, on: chunks.size, isOpaque: isOpaque)
    var survey = Survey(wanted: job.page ?? 1)
    var (before, duration) = (frames, 0.0)
    // Frames after the stated number are ignored, as in browsers.
    while survey.count < stated, let frame = try frames.next() {
      survey.add(frame, at: before, on: chunks.size)
      duration += frame.duration
      before = frames
    }
    var rest = frames
    if survey.count == stated { _ = try rest.next() }
    let readsPicture = holdsPicture && survey.wanted == 1
    if !readsPicture, survey.found == nil {
      throw (frames.ending ?? .end).failure(
        forFrame: survey.wanted, of: survey.count, in: job.file)
    }
    if let frame = survey.found, survey.count > 1 || !readsPicture {
      pages = ImagePages(.frame, number: survey.wanted, count: survey.count)
      // Sums of fractions, such as tenths, are not exact in binary.
      timing = ImageAnimation(
        frameDuration: frame.frame.duration, duration: (duration * 1e6).rounded() / 1e6,
        repetitions: plays == 0 ? nil : plays - 1)
    }
    if let note = rest.ending?.note(behind: survey.count) { notes = [note] }
    guard !readsPicture, let frame = survey.found else { return }
    try job.limits.check(pixelsDrawn: frame.drawnPixels, for: survey.wanted, in: job.bytes)
    found = frame
  }
}
