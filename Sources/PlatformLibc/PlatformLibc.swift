// Re-exports the C library of the platform, so that files import one module on every system.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(ucrt)
  @_exported public import ucrt
#endif
