internal import ColorSpaces
internal import ICCProfiles

/// Returns the color that a file states by its ICC profile, and that profile.
func statedColor(
  byProfile bytes: [UInt8], isGray: Bool, file: String, limits: FileLimits
) -> (color: StatedColor, profile: ICCProfile?) {
  do throws(ICCProfileError) {
    let profile = try limits.profile(bytes)
    do throws(ICCProfileError) {
      if let mismatch = try profile.mismatch(withGrays: isGray) {
        throw .unsupported(mismatch)
      }
      return (.space(try profile.colorSpace(), by: .profile), profile)
    } catch {
      return (.unusable(.profile(file: file, error)), profile)
    }
  } catch {
    return (.unusable(.profile(file: file, error)), nil)
  }
}

/// Returns the ink channels that a file states by its ICC profile, and that profile.
func statedInks(
  byProfile bytes: [UInt8], file: String, limits: FileLimits
) -> (color: StatedColor, profile: ICCProfile?) {
  do throws(ICCProfileError) {
    return (.space(InkConversion.space, by: .profile), try limits.profile(bytes))
  } catch {
    return (.unusable(.inkProfile(file: file, error)), nil)
  }
}

extension FileLimits {
  /// The error for a profile of more bytes than ``profileBytes``, which is not read; nil for others.
  func excess(ofProfileBytes count: Int) -> ICCProfileError? {
    count > profileBytes ? .tooLarge(byteCount: count, limit: profileBytes) : nil
  }

  /// Returns the parsed profile of a file. Parsing allocates no more than ``memoryLimit``.
  func profile(_ bytes: [UInt8]) throws(ICCProfileError) -> ICCProfile {
    if let error = excess(ofProfileBytes: bytes.count) { throw error }
    return try ICCProfile(bytes: bytes, parsingByteLimit: memoryLimit ?? .max)
  }
}

extension EncodingJob {
  /// The profile to embed; nil for an untagged file.
  ///
  /// Gray pictures get gray profiles and pictures of colors RGB profiles, because readers ignore any other. Throws for a profile of another
  /// model, such as CMY.
  var profile: ICCProfile? {
    get throws(ImageFileError) {
      if let inks { return options.isUntagged ? nil : options.profile ?? inks.profile }
      guard let space else { return nil }
      let profile = if let given = options.profile { given } else { try described(space) }
      guard profile.modelName == (isGray ? "GRAY" : "RGB") else {
        throw .cannotWrite(
          file: file,
          reason:
            "“\(profile)” is a profile of kind “\(profile.kind)”, which other readers ignore in a "
            + "file of \(isGray ? "gray" : "RGB") values; convert to a named space such as "
            + "\(isGray ? "sGray" : "Display P3") first")
      }
      return profile
    }
  }

  /// Returns the profile that describes a space for the channels of the picture.
  private func described(_ space: ColorSpace) throws(ImageFileError) -> ICCProfile {
    do throws(ICCProfileError) {
      return try isGray
        ? ICCProfile(describingGraysOf: space) : ICCProfile(describing: space.withColors)
    } catch { throw .profile(file: file, error) }
  }
}
