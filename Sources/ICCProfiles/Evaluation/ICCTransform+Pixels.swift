package import ColorSpaces

extension ICCTransform {
  /// The transform as a program for pixels of three color channels, in which a gray is three equal ones.
  ///
  /// A gray source takes the first of them, and a gray target fills all three. ``program`` has the profiles' own channels.
  package var pixelProgram: ChannelProgram {
    var stages: [ChannelStage] = []
    if inputCount == 1 { stages.add(.mix(ChannelMatrix(rows: [[1, 0, 0]], offset: [0]))) }
    stages.add(program.stages)
    if outputCount == 1 {
      stages.add(.mix(ChannelMatrix(rows: [[1], [1], [1]], offset: [0, 0, 0])))
    }
    return ChannelProgram(
      stages, inputCount: inputCount == 1 ? 3 : inputCount,
      outputCount: outputCount == 1 ? 3 : outputCount)
  }
}
