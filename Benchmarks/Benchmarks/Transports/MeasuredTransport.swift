import Waybill

/// A transport that is measured.
struct MeasuredTransport: Sendable {
    /// The name of the subject.
    let name: String

    /// Makes one that has no connection yet; throws where the machine lacks what it needs.
    let make: @Sendable () throws -> any Transport

    /// The transports of this system; the first one is what the others are compared with.
    static var all: [MeasuredTransport] {
        #if os(Linux)
            [urlSession, curl]
        #else
            [urlSession]
        #endif
    }

    /// Those of ``all`` that can be made on this machine; tells which cannot.
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
