public import ColorSpaces
public import FilterGraph

extension Canary {
  /// Looks for the canary in a file, whatever became of it. The path `-` is standard input.
  ///
  /// A file that does not say what its numbers mean is a finding here, not an error, unless `assuming` says it.
  public static func check(
    contentsOf path: String, assuming assumption: ColorSpace? = nil,
    limits: FileLimits = FileLimits(), options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) -> Verdict {
    let bytes = try FileBytes(contentsOf: path, limit: limits.bytes)
    let info = try ImageFile.opened(bytes, limits).info
    var isTagged = true
    if case .unstated = info.color, assumption == nil { isTagged = false }
    let meaning = isTagged ? try info.space(assuming: assumption, file: path) : .displayP3
    let picture = Picture(bytes, info, in: meaning, limits: limits)
    do throws(RenderError) {
      return try check(picture, isTagged: isTagged, options: options)
    } catch {
      throw .rendering(error)
    }
  }
}
