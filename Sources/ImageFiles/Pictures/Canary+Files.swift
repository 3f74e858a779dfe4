public import ColorSpaces
public import FilterGraph

extension Canary {
  /// Looks for the canary in a file, however it was converted. The path `-` is standard input.
  ///
  /// A file without a color space is a finding here, not an error, unless `assuming` names one.
  public static func check(
    contentsOf path: String, assuming assumption: ColorSpace? = nil,
    limits: FileLimits = FileLimits(), options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) -> Verdict {
    try check(
      in: OpenedImageFile(path, limits: limits), assuming: assumption, options: options)
  }

  /// Looks for the canary in a file that was opened; see ``check(contentsOf:assuming:limits:options:)``.
  public static func check(
    in file: OpenedImageFile, assuming assumption: ColorSpace? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) -> Verdict {
    var isTagged = true
    if case .unstated = file.info.color, assumption == nil { isTagged = false }
    let picture = try file.picture(assuming: isTagged ? assumption : .displayP3)
    do throws(RenderError) {
      let verdict = try check(picture, isTagged: isTagged, options: options)
      // Nothing tagged the values of a file that states no space, even where the rule of its format does.
      guard case .space(_, by: .formatRule) = file.info.color,
        verdict.fate == .mistagged || verdict.fate == .changed
      else { return verdict }
      let untagged = try check(picture, isTagged: false, options: options)
      return untagged.fate == .profileDropped ? untagged : verdict
    } catch {
      throw .rendering(error)
    }
  }
}
