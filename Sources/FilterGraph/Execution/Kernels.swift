internal import CPixelKernels

/// The kernels of this machine's best instruction set, or of the one that COLORLOOM_ISA names.
// Written once, before anyone reads it: C tells the compiler nothing about that.
nonisolated(unsafe) let kernels: cpk_kernels = cpk_active().pointee

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How many threads can run at once.
let activeProcessorCount: Int = {
  #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
    max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  #else
    4
  #endif
}()
