internal import CCodecSupport
internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

extension FrameSamples {
  /// Stores the samples of a frame of another bit depth or order, each converted independently.
  func store(
    _ source: UnsafeRawBufferPointer, as sourceFormat: VideoFormat,
    in target: UnsafeMutableRawBufferPointer, options: RenderOptions
  ) {
    let samples = FrameSamples(sourceFormat)
    // Bands write disjoint rows, and nothing writes the source.
    nonisolated(unsafe) let (source, target) = (source, target)
    for (index, (from, to)) in zip(samples.components, components).enumerated() {
      let scaling = scaling(ofComponent: index)
      options.forEachBand(of: to.size) { rows in
        for y in rows {
          guard let read = samples.storedRow(y, of: from, in: source),
            let written = storedRow(y, of: to, in: UnsafeRawBufferPointer(target))
          else { return }
          frame_recode(read, written, to.size.width, scaling)
        }
      }
    }
  }

  /// Returns how the codes of a component of another bit depth become those of this one (Rec. ITU-T H.273, 8.3).
  private func scaling(ofComponent index: Int) -> frame_scaling {
    if !format.isFullRange, !format.layout.isRGB { return FRAME_SCALING_SHIFTED }
    // With the identity matrix, H.273 has the equations of luma for all components.
    let isChroma = index > 0 && format.layout.chroma != nil && format.matrix != .identity
    return isChroma ? FRAME_SCALING_CENTERED : FRAME_SCALING_FULL
  }
}
