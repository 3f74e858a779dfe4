internal import CPixelKernels
internal import PlatformLibc

/// The kernels of this machine's best instruction set, or of the one that COLORLOOM_ISA names.
// Written once, before anyone reads it: C tells the compiler nothing about that.
nonisolated(unsafe) let kernels: cpk_kernels = cpk_active().pointee

/// The error for a value of COLORLOOM_ISA that names no instruction set of this machine; nil for other values.
///
/// The library ignores such a value. A program that tests or measures one instruction set must refuse it instead, so
/// that it does not report on another one.
package let instructionSetError: String? = {
  guard let value = getenv("COLORLOOM_ISA") else { return nil }
  let wanted = String(cString: value)
  var list = [UnsafePointer<cpk_kernels>?](repeating: nil, count: 8)
  let count = cpk_available(&list, list.count)
  let names = list.prefix(count).compactMap { $0.map { String(cString: $0.pointee.name) } }
  if wanted.isEmpty || names.contains(wanted) { return nil }
  return "COLORLOOM_ISA is set to “\(wanted)”, but this machine can run: "
    + names.joined(separator: ", ") + "."
}()
