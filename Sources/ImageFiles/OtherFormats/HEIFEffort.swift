#if HEIF
  internal import CHEIF

  extension EncodingJob {
    /// Sets the effort of one of libheif's encoders, 0 to 9: the speed of an encoder that has one, such as libaom, where 0 is the slowest;
    /// or the preset of one that lists its presets from the fastest to the slowest, such as x265.
    func setEffort(
      _ effort: Int, of encoder: OpaquePointer?
    ) throws(ImageFileError) -> heif_error {
      func step(of count: Int) -> Int {
        let most = WritingOptions.greatestEffort
        return (effort * (count - 1) + most / 2) / most
      }
      var (isLimited, least, greatest) = (Int32(0), Int32(0), Int32(0))
      let range = heif_encoder_parameter_integer_valid_range(
        encoder, "speed", &isLimited, &least, &greatest)
      if range.code == heif_error_Ok, isLimited != 0, greatest >= least {
        let speed = greatest - Int32(step(of: Int(greatest - least) + 1))
        return heif_encoder_set_parameter_integer(encoder, "speed", speed)
      }
      var presets: UnsafePointer<UnsafePointer<CChar>?>?
      let list = heif_encoder_parameter_string_valid_values(encoder, "preset", &presets)
      if list.code == heif_error_Ok, let presets,
        let count = (0...).first(where: { presets[$0] == nil }), count > 0
      {
        return heif_encoder_set_parameter_string(encoder, "preset", presets[step(of: count)])
      }
      let name = heif_encoder_get_name(encoder).map { String(cString: $0) } ?? "of libheif"
      throw .cannotWrite(
        file: file,
        reason: "its encoder (\(name)) has no setting of effort; leave out WritingOptions.effort")
    }
  }
#endif
