import TestSupport
import Waybill
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

/// A transport that the suites are run over.
package enum Carrier: String, Sendable, CaseIterable {
    #if os(Linux)
        case libcurl
    #endif
    case urlSession

    /// The transports for tests that wait for seconds.
    ///
    /// On Linux, `URLSession` uses a core while it waits for a response: it is left out there, unless everything is
    /// tried.
    package static var waiting: [Carrier] {
        #if canImport(FoundationNetworking)
            Thoroughness.isWhole ? allCases : allCases.filter { $0 != .urlSession }
        #else
            allCases
        #endif
    }
}
