public import FilterGraph

extension Picture {
  /// Renders several pictures into the bytes of image files in one pass, such as sizes and formats of one upload: shared steps are evaluated
  /// once, and shared files are read once.
  ///
  /// Each file has the bytes that ``encoded(as:samples:dither:options:writing:)`` would give. The memory limit of `options` holds for all
  /// bytes together. Those beyond the memory that the rendering leaves go to temporary files without a name, where `TMPDIR` says, until the
  /// rendering ends.
  ///
  /// - Parameters:
  ///   - files: The pictures, each with its format, samples and options. They need no path:
  ///     ``PictureFile/init(_:as:samples:dither:writing:)``. A path names the format, and the file in errors; nothing is written
  ///     to it.
  ///   - options: How to render.
  /// - Returns: The bytes and the report of each file.
  /// - Throws: ``ImageFileError/picture(at:_:)`` where one of several pictures cannot be encoded as its options say. Errors of the common
  ///   rendering, such as damage of a source, are thrown as they are.
  public static func encoded(
    _ files: [PictureFile], options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) -> [(bytes: [UInt8], report: WritingReport)] {
    if files.isEmpty { return [] }
    var files = files
    if files.count > 1 { for index in files.indices { files[index].index = index } }
    var sinks: [SpillingSink] = []
    let reports = try encode(files, options: options) { jobs, rendering throws(ImageFileError) in
      sinks = jobs.map {
        SpillingSink(for: $0, besides: rendering.peakBytes, options, among: jobs.count)
      }
      return try files.indices.map { index throws(ImageFileError) in
        try files[index].numbered { () throws(ImageFileError) in
          try jobs[index].encoder(into: sinks[index])
        }
      }
    }
    for (file, sink) in zip(files, sinks) {
      try file.numbered { () throws(ImageFileError) in
        try sink.check(file.writing, rendered: options)
      }
    }
    try SpillingSink.fit(sinks, options)
    return try zip(sinks, reports).map { sink, report throws(ImageFileError) in
      (try sink.bytes(), report)
    }
  }
}
