import Waybill
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

/// A transport that is measured.
struct MeasuredTransport: Sendable {
    /// The name of the subject.
    let name: String

    /// The function that creates a transport without connections; it throws if the machine lacks what the transport
    /// needs.
    let make: @Sendable () throws -> any Transport

    /// The transports of this system; the others are compared with the first one.
    static var all: [MeasuredTransport] {
        #if os(Linux)
            [urlSession, curl]
        #else
            [urlSession]
        #endif
    }

    /// The transports of ``all`` that can be created on this machine; prints which cannot.
    static var available: [MeasuredTransport] {
        all.filter { each in
            do {
                _ = try each.make()
                return true
            } catch {
                print("SKIPPED: \(each.name): \(error)")
                return false
            }
        }
    }

    private static let urlSession = MeasuredTransport(name: "urlsession") { URLSessionTransport() }

    #if os(Linux)
        private static let curl = MeasuredTransport(name: "curl") { try CurlTransport() }
    #endif
}
