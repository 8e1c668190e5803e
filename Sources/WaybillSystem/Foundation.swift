// The smallest part of Foundation that the platform has, so that no other file has to choose: programs on Linux that
// need no ICU do without the rest. An app that imports Waybill does not see it.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
