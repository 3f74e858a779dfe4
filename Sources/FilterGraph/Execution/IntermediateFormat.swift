/// How renderings hold intermediate pixels; see ``RenderOptions/intermediate``.
@nonexhaustive
public enum IntermediateFormat: Hashable, Sendable {
  /// Single precision.
  case float
  /// Blocks of caches are half floats where the plan proves that no sample of a result differs by more than
  /// `maximumError` from that of ``float``, before samples are rounded to the result's format; single precision elsewhere.
  case half(maximumError: Double)
}
