internal import ImageBuffer

extension VideoFormat.Layout {
  /// How a layout stores the samples of a frame. Readers, writers, names and errors derive from it.
  struct Storage {
    /// What ffmpeg calls the layout, without the suffix for the order of bytes.
    let stem: String
    /// The bit depths that there are.
    let depths: [Int]
    /// For each plane, the components whose samples repeat along its rows: 0 is luma or red, and 3 is alpha or unused.
    let planes: [[Int]]
    /// Whether samples of less than 16 bits are the high bits of 16.
    var isHighAligned = false

    /// The position of alpha, or of an unused sample, in a pixel; nil where there is neither.
    var fourthSample: Int? { planes[0].firstIndex(of: 3) }
  }

  /// The declaration of each layout.
  var storage: Storage {
    switch self {
    case .planes(let chroma, let bits):
      Storage(
        stem: "yuv\(chroma.digits)p" + (bits > 8 ? "\(bits)" : ""), depths: Array(8...16),
        planes: [[0], [1], [2]])
    case .semiplanar(let chroma, let bits):
      Storage(
        stem: bits > 8 ? "p\(chroma.digits.suffix(1))\(bits)" : "nv\(chroma.bitsPerPixel)",
        depths: [8, 10, 12, 16], planes: [[0], [1, 2]], isHighAligned: bits > 8)
    case .packed422(let isChromaFirst):
      Storage(
        stem: isChromaFirst ? "uyvy422" : "yuyv422", depths: [8],
        planes: [isChromaFirst ? [1, 0, 2, 0] : [0, 1, 0, 2]])
    case .gray(let bits):
      Storage(stem: "gray" + (bits > 8 ? "\(bits)" : ""), depths: Array(8...16), planes: [[0]])
    case .packedRGB(let bits):
      Storage(stem: "rgb\(3 * bits)", depths: [8, 16], planes: [[0, 1, 2]])
    case .orderedRGB(let order, let bits):
      switch order {
      case .bgr: Storage(stem: "bgr\(3 * bits)", depths: [8, 16], planes: [[2, 1, 0]])
      case .rgba: Storage(stem: "rgba", depths: [8], planes: [[0, 1, 2, 3]])
      case .bgra: Storage(stem: "bgra", depths: [8], planes: [[2, 1, 0, 3]])
      case .argb: Storage(stem: "argb", depths: [8], planes: [[3, 0, 1, 2]])
      case .abgr: Storage(stem: "abgr", depths: [8], planes: [[3, 2, 1, 0]])
      case .rgbx: Storage(stem: "rgb0", depths: [8], planes: [[0, 1, 2, 3]])
      case .bgrx: Storage(stem: "bgr0", depths: [8], planes: [[2, 1, 0, 3]])
      case .xrgb: Storage(stem: "0rgb", depths: [8], planes: [[3, 0, 1, 2]])
      case .xbgr: Storage(stem: "0bgr", depths: [8], planes: [[3, 2, 1, 0]])
      }
    case .planarRGB(let bits):
      Storage(
        stem: "gbrp" + (bits > 8 ? "\(bits)" : ""), depths: Array(8...16),
        planes: [[1], [2], [0]])
    }
  }
}

extension VideoFormat.RGBOrder {
  /// The same order where alpha is not read; nil where there is no alpha.
  var withoutAlpha: VideoFormat.RGBOrder? {
    switch self {
    case .rgba: .rgbx
    case .bgra: .bgrx
    case .argb: .xrgb
    case .abgr: .xbgr
    case .bgr, .rgbx, .bgrx, .xrgb, .xbgr: nil
    }
  }
}

extension VideoFormat: CustomStringConvertible {
  /// One line: the size, the layout by the name that ffmpeg gives it, the range, and the frame rate.
  public var description: String {
    "\(size) \(layout)\(layout.isRGB ? "" : isFullRange ? ", full range" : ", narrow range"), "
      + "\(frames)/\(seconds) frames a second"
  }
}

extension VideoFormat.Layout: CustomStringConvertible {
  /// What ffmpeg calls it, such as yuv420p10le.
  public var description: String { storage.stem + (bits > 8 ? "le" : "") }

  /// The layouts that ffmpeg has names for.
  public static let named: [VideoFormat.Layout] =
    ChromaSampling.allCases.flatMap { chroma in
      [8, 9, 10, 12, 14, 16].map { .planes(chroma, bits: $0) }
        + [8, 10, 12, 16].map { .semiplanar(chroma, bits: $0) }
    }
    + [.packed422(isChromaFirst: false), .packed422(isChromaFirst: true)]
    + [8, 9, 10, 12, 14, 16].map { .gray(bits: $0) }
    + [.packedRGB(bits: 8), .packedRGB(bits: 16), .orderedRGB(.bgr, bits: 16)]
    + VideoFormat.RGBOrder.allCases.map { .orderedRGB($0, bits: 8) }
    + [8, 9, 10, 12, 14, 16].map { .planarRGB(bits: $0) }
}

extension ChromaSampling {
  /// The usual notation, without the colons.
  var digits: String {
    switch self {
    case .full: "444"
    case .half: "422"
    case .quarter: "420"
    }
  }

  /// The bits of a pixel with samples of 8 bits: the number in names such as nv12.
  fileprivate var bitsPerPixel: Int {
    switch self {
    case .full: 24
    case .half: 16
    case .quarter: 12
    }
  }
}

extension VideoFormat {
  /// Where the samples of a component lie in a frame, counted in samples.
  struct Component {
    let size: PixelSize
    /// The first sample, the distance of two samples in a row, and that of two rows.
    let start, step, stride: Int
  }

  var bytesPerSample: Int { layout.bits > 8 ? 2 : 1 }

  /// How many zero bits stand below the bits of a sample.
  var shift: Int { layout.storage.isHighAligned ? 16 - layout.bits : 0 }

  /// How many bytes a frame has; the largest integer where none holds the number.
  public var frameBytes: Int {
    var bytes = 0
    for plane in layout.storage.planes {
      let (groups, rows) = groups(of: plane)
      let row = groups.multipliedReportingOverflow(by: plane.count * bytesPerSample)
      let part = row.partialValue.multipliedReportingOverflow(by: rows)
      let sum = bytes.addingReportingOverflow(part.partialValue)
      if row.overflow || part.overflow || sum.overflow { return .max }
      bytes = sum.partialValue
    }
    return bytes
  }

  /// The components in their order: luma, or luma and chroma, or red, green and blue. Alpha and unused samples are left out.
  var components: [Component] {
    var components: [Int: Component] = [:]
    var start = 0
    for plane in layout.storage.planes {
      let (groups, rows) = groups(of: plane)
      let stride = groups * plane.count
      for (offset, component) in plane.enumerated()
      where components[component] == nil && component < 3 {
        components[component] = Component(
          size: size(of: component), start: start + offset,
          step: plane.count / plane.count { $0 == component }, stride: stride)
      }
      start += stride * rows
    }
    return components.sorted { $0.key < $1.key }.map(\.value)
  }

  /// How often the components of a plane repeat along a row, the last time maybe for a part of a group; and how many rows there are.
  private func groups(of plane: [Int]) -> (count: Int, rows: Int) {
    let size = size(of: plane[0])
    let samples = plane.count { $0 == plane[0] }
    return (size.width / samples + (size.width % samples > 0 ? 1 : 0), size.height)
  }

  /// The number of columns and rows of a component: chroma may have fewer than the frame.
  private func size(of component: Int) -> PixelSize {
    guard component > 0 else { return size }
    func half(_ side: Int) -> Int { side / 2 + side % 2 }
    return switch layout.chroma {
    case .half: PixelSize(half(size.width), size.height)
    case .quarter: PixelSize(half(size.width), half(size.height))
    case .full, nil: size
    }
  }
}
