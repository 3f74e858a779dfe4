internal import CPixelKernels
internal import ColorSpaces

/// A direction of a transfer function.
enum TransferDirection: Hashable, Sendable { case decoding, encoding }

/// Replaces what single precision makes of white by white.
///
/// Rounding an encoded white to a `Float` and computing with it misses white by a few units of the last place, more where curves are
/// steep. Kernels give the same bits for every instruction set, so their result for white is found by running them once.
struct WhiteCorrection: Sendable {
  private let computed, exact: SIMD3<Float>

  /// Nil where the kernels are exact, or where the transfer function has no encoded white.
  ///
  /// Only curves of single channels are corrected. The stages of coordinates such as Lab merge with those around them.
  init?(of transfer: TransferFunction, _ direction: TransferDirection) {
    guard !transfer.isLinear, transfer.curves != nil, let white = transfer.encodedWhite else {
      return nil
    }
    let encoded = SIMD3<Float>(white)
    exact = direction == .decoding ? .one : encoded
    computed = Self.computed(
      transfer, direction, of: direction == .decoding ? encoded : .one)
    if computed == exact { return nil }
  }

  /// The correction of each channel: they have one curve.
  var kernel: cpk_replacement { cpk_replacement(from: computed.x, to: exact.x) }

  private struct Key: Hashable {
    let transfer: TransferFunction
    let direction: TransferDirection
  }

  private static let known = KnownResults<Key, SIMD3<Float>>(limit: 4096)

  /// What the kernels make of white.
  private static func computed(
    _ transfer: TransferFunction, _ direction: TransferDirection, of white: SIMD3<Float>
  ) -> SIMD3<Float> {
    known.result(for: Key(transfer: transfer, direction: direction)) {
      LoweredProgram.uncorrected(transfer, direction, of: white)
    }
  }
}
