#if JPEGXL
  internal import CCodecSupport
  internal import CJPEGXL
  internal import PlatformLibc
  internal import Synchronization

  /// The memory that libjxl takes through its memory manager, from any of its threads: all of it since libjxl 0.10, before that little more
  /// than the decoder itself.
  final class JPEGXLHeap: Sendable {
    private let heap = Mutex(codec_heap())

    /// The error for memory that libjxl was refused while it read; nil where it got all that it asked for.
    func readingFailure(in file: String) -> ImageFileError? {
      heap.withLock { $0.readingFailure(in: file) }
    }

    /// The error for memory that libjxl was refused while it wrote; nil where it got all that it asked for.
    func writingFailure(in file: String) -> ImageFileError? {
      heap.withLock { $0.writingFailure(in: file) }
    }

    /// Refuses memory above a limit from now on.
    func setLimit(_ bytes: Int) { heap.withLock { $0.limit = bytes } }

    /// For a decoder or encoder that lives no longer than this heap.
    var manager: JxlMemoryManager {
      JxlMemoryManager(
        opaque: Unmanaged.passUnretained(self).toOpaque(),
        alloc: { heap, count in
          guard let heap else { return nil }
          return Unmanaged<JPEGXLHeap>.fromOpaque(heap).takeUnretainedValue().take(count)
        },
        free: { heap, memory in
          guard let heap, let memory else { return }
          Unmanaged<JPEGXLHeap>.fromOpaque(heap).takeUnretainedValue().giveBack(memory)
        })
    }

    // The size stands before each block, which is aligned like malloc's.
    private static let header = 16

    private func take(_ count: Int) -> UnsafeMutableRawPointer? {
      let (room, isTooMuch) = count.addingReportingOverflow(Self.header)
      guard !isTooMuch, heap.withLock({ codec_heap_reserve(&$0, room) == 1 }) else { return nil }
      guard let block = malloc(room) else {
        heap.withLock { ($0.held, $0.refused, $0.system_refused) = ($0.held - room, room, 1) }
        return nil
      }
      block.storeBytes(of: room, as: Int.self)
      return block + Self.header
    }

    private func giveBack(_ memory: UnsafeMutableRawPointer) {
      let block = memory - Self.header
      let room = block.load(as: Int.self)
      free(block)
      heap.withLock { $0.held -= room }
    }
  }
#endif
