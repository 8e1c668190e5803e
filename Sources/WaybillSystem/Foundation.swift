// The smallest part of Foundation that the platform offers: Linux programs that do not need ICU avoid the rest. An app
// that imports Waybill does not see this import.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
