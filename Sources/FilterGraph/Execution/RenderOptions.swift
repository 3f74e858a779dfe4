public import ImageBuffer

/// Options of rendering. None of them changes a pixel, except ``intermediate``, within a bound.
public struct RenderOptions: Sendable {
  /// The tile size, of at least one pixel; nil lets the plan choose.
  public var tile: PixelSize?
  /// The number of worker threads, up to 4096; nil for one per processor on which the process may run, or fewer
  /// where a control group (cgroup) limits its processor time.
  public var threads: Int?
  /// The maximum number of pixels of a result, and of what filters that read neighborhoods read and compute; by default a gigapixel. Sources
  /// have limits of their own, such as those of files.
  public var pixelLimit = 1 << 30
  /// The maximum memory of a rendering in bytes, including its result; nil for the machine's memory.
  ///
  /// Where ``threads`` is nil, rendering uses fewer threads to keep the limit.
  public var memoryLimit: Int?
  /// The format of intermediate pixels that outlive a rendering: the blocks of caches. What
  /// ``Picture/applying(measuring:in:named:_:)`` measures is always in single precision.
  public var intermediate = IntermediateFormat.float
  /// Called with the finished fraction, increasing to 1, after each tile; of bands, after the consumer took one. Calls come from the
  /// threads that render, one at a time.
  public var progress: (@Sendable (Double) -> Void)?
  /// Called while many tiles are planned, before each step of a tile and before rows of a source are read, and while an asynchronous
  /// rendering waits for its turn or for a block of a cache; from several threads at once. Return true to cancel.
  public var isCancelled: (@Sendable () -> Bool)?

  /// The optimizations of a plan. Tests disable them one by one; they must not change the result.
  package var fusion = Fusion.full

  /// The laws that plans do not use. Which ones they use must not change the result.
  package var disabledLaws: Set<Law> = []

  /// Whether steps that are read at places far apart are copied where the memory limit allows one of each, too. It must not change the
  /// result.
  package var copiesStepsReadFarApart = false

  /// What adds up the time of each step; nil for renderings that nobody measures.
  var meter: StepMeter?

  /// A hook where one thread hands work over to another, with which tests delay threads.
  package var handOver: HandOver?

  package enum Fusion: Sendable {
    /// Rewrite laws, and one pass for adjacent stages.
    case full
    /// One pass for adjacent stages, without rewrite laws.
    case withoutLaws
    /// A pass per stage, without rewrite laws.
    case stageByStage
  }

  /// Whether a plan may run measurements that its steps depend on. A forecast computes nothing and does not.
  var measures = true
  /// Whether an evaluator throws where it would exceed the memory limit. A forecast only reports it.
  var refuses = true

  /// Creates default options: as many threads as can run at once, and the tile size of the plan.
  public init() {}

  /// The options for checks before the first pixel, which skip measurements.
  package var measuringNothing: RenderOptions {
    var options = self
    options.measures = false
    return options
  }

  /// The options for a forecast, which skips measurements and reports what rendering would refuse.
  var forecasting: RenderOptions {
    var options = measuringNothing
    options.refuses = false
    return options
  }

  /// The options for one of several renderings in sequence, which continues the progress of those before it.
  func part(_ index: Int, of count: Int) -> RenderOptions {
    guard let progress else { return self }
    var options = self
    let (start, length) = (Double(index), Double(count))
    options.progress = { @Sendable (part: Double) in progress((start + part) / length) }
    return options
  }

  /// The error for a rendering of so many bytes; nil where they are within the limit.
  func refusal(ofBytes bytes: Int) -> RenderError? {
    if bytes > MachineMemory.bytes {
      return .moreThanMachineMemory(bytes: bytes, machine: MachineMemory.bytes)
    }
    guard let memoryLimit, bytes > memoryLimit else { return nil }
    return .tooMuchMemory(bytes: bytes, limit: memoryLimit)
  }

  /// The maximum number of workers.
  package var workerLimit: Int { min(max(threads ?? activeProcessorCount, 1), 4096) }
}
