internal import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// The tones below which the parts `darkest` and `brightest` of each channel's pixels lie, in linear light.
  ///
  /// Counted over every pixel that is not fully transparent, in steps of 1/65,535: the same numbers for every number of threads.
  public func toneRange(
    darkest: Double, brightest: Double, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> (darkest: SIMD3<Double>, brightest: SIMD3<Double>) {
    var options = options
    options.progress = nil
    let linear = try converted(to: space.linear).render(as: UInt16.self, options: options)
    let channels = linear.channels.count
    var counts = [[Int]](repeating: [Int](repeating: 0, count: 65_536), count: 3)
    for y in 0..<linear.size.height {
      linear.withUnsafeRow(y) { row in
        for x in 0..<linear.size.width where channels == 3 || row[4 * x + 3] > 0 {
          for channel in 0..<3 { counts[channel][Int(row[channels * x + channel])] += 1 }
        }
      }
    }
    func tone(_ part: Double) -> SIMD3<Double> {
      let codes = counts.map { percentile(of: $0, part) }
      return SIMD3(codes[0], codes[1], codes[2])
    }
    return (tone(darkest), tone(brightest))
  }
}

/// The code below which the part `part` of all counts lies, as a fraction of the largest code.
private func percentile(of counts: [Int], _ part: Double) -> Double {
  let wanted = Int((Double(counts.reduce(0, +)) * part).rounded(.up))
  var seen = 0
  for (code, count) in counts.enumerated() {
    seen += count
    if seen >= wanted, count > 0 { return Double(code) / Double(counts.count - 1) }
  }
  return 1
}
