import Waybill
import WaybillTesting

extension Fault {
    /// Certificates that prove nothing.
    #if os(Linux)
        static let certificates: [Fault] = [
            Fault(
                name: "A certificate of an authority that is trusted",
                place: .tls(.good, isTrusted: true),
                expected: .answer(Reply(body: #"{"target": "/where", "host": "127.0.0.1"}"#)),
                urlSession: .known(.failure(.secureConnectionFailed), why: systemTrust)
            ),
            Fault(
                name: "A certificate of an authority that is not trusted",
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
                name: "TLS with a server that has none",
                place: .tls(.plain, isTrusted: true),
                expected: .failure(.secureConnectionFailed),
                phase: .securing
            ),
        ]

        private static let systemTrust = "it trusts no authority but the system's"
    #else
        static let certificates: [Fault] = []
    #endif

    /// Whether a server with certificates is needed.
    var isAboutTLS: Bool {
        #if os(Linux)
            if case .tls = place { return true }
        #endif
        return false
    }
}
