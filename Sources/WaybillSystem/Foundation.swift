// Exports FoundationEssentials if available, so that Linux programs without a need for ICU can avoid the rest of
// Foundation. Apps that import Waybill do not see the export.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif
