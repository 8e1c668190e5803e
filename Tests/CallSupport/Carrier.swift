import TestSupport
import Waybill
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

/// A transport on which the suites run.
package enum Carrier: String, Sendable, CaseIterable {
    #if os(Linux)
        case libcurl
    #endif
    case urlSession

    /// The transports for tests that wait for seconds.
    ///
    /// On Linux, `URLSession` keeps a core busy while it waits for a response, so it is included there only in
    /// thorough runs.
    package static var waiting: [Carrier] {
        #if canImport(FoundationNetworking)
            Thoroughness.isWhole ? allCases : allCases.filter { $0 != .urlSession }
        #else
            allCases
        #endif
    }
}
