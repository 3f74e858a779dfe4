internal import ColorSpaces
internal import ICCProfiles

extension ICCProfile {
  /// The space that a file's profile means for its pixels.
  func space(isGray: Bool, file: String) throws(ImageFileError) -> ColorSpace {
    do throws(ICCProfileError) {
      guard isGray || !self.isGray else {
        throw .unsupported(
          "“\(self)” is a profile of gray values alone, but the picture has colors. Convert the "
            + "picture to gray, or use a profile of an RGB space.")
      }
      return try colorSpace()
    } catch { throw .profile(file: file, error) }
  }
}

extension EncodingJob {
  /// The profile that says what the numbers mean; nil where the file shall not say. Gray pictures get gray profiles: readers ignore
  /// any other.
  var profile: ICCProfile? {
    get throws(ImageFileError) {
      guard let space else { return nil }
      do throws(ICCProfileError) {
        return try isGray ? ICCProfile(describingGraysOf: space) : ICCProfile(describing: space)
      } catch { throw .profile(file: file, error) }
    }
  }
}
