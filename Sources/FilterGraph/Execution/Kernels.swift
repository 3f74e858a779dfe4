internal import CPixelKernels
internal import PlatformLibc

/// The kernels of this machine's best instruction set, or of the one that COLORLOOM_ISA names.
// Written once, before anyone reads it: C tells the compiler nothing about that.
nonisolated(unsafe) let kernels: cpk_kernels = cpk_active().pointee

/// How many threads can run at once.
let activeProcessorCount: Int = {
  #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
    max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  #else
    4
  #endif
}()
