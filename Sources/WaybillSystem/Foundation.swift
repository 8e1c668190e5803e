// Exports the smallest part of Foundation that the platform offers, so that Linux programs that do not need ICU can
// avoid the rest. The export is not visible to apps that import Waybill.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
