import CallSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Valid and invalid certificates.
    #if os(Linux)
        static let certificates: [Fault] = [
            Fault(
                name: "A certificate of a trusted authority",
                place: .tls(.good, isTrusted: true),
                expected: .response(Reply(body: #"{"target": "/where", "host": "127.0.0.1"}"#)),
                urlSession: .known(.failure(.secureConnectionFailed), why: systemTrust)
            ),
            Fault(
                name: "A certificate of an untrusted authority",
                place: .tls(.good, isTrusted: false),
                expected: .failure(.secureConnectionFailed),
                phase: .securing
            ),
            Fault(
                name: "An expired certificate",
                place: .tls(.expired, isTrusted: true),
                expected: .failure(.secureConnectionFailed),
                phase: .securing,
                urlSession: .notRun(systemTrust)
            ),
            Fault(
                name: "A certificate of another host",
                place: .tls(.elsewhere, isTrusted: true),
                expected: .failure(.secureConnectionFailed),
                phase: .securing,
                urlSession: .notRun(systemTrust)
            ),
            Fault(
                name: "TLS to a server without TLS",
                place: .tls(.plain, isTrusted: true),
                expected: .failure(.secureConnectionFailed),
                phase: .securing
            ),
        ]

        private static let systemTrust = "it trusts only the system's authorities"
    #else
        static let certificates: [Fault] = []
    #endif

    /// Whether the fault needs a TLS server.
    var isAboutTLS: Bool {
        #if os(Linux)
            if case .tls = place { return true }
        #endif
        return false
    }
}
