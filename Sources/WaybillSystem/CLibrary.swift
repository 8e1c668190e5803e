// Exports the platform's C library, so that other files need no conditional imports.
#if canImport(Darwin)
    @_exported import Darwin
#elseif canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Android)
    @_exported import Android
#elseif canImport(WASILibc)
    @_exported import WASILibc
#elseif canImport(ucrt)
    @_exported import ucrt
#else
    #error("Waybill requires a C library: Darwin, Glibc, Musl, Android, WASILibc or ucrt")
#endif
