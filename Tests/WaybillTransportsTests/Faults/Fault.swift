import CallSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

/// A fault of a server or network, or an exceeded limit, with its expected outcome.
struct Fault: Sendable, CustomTestStringConvertible {
    /// The destination of the request.
    enum Place: Sendable {
        case server
        /// A port without a listener.
        case nothing
        /// A port that accepts no more connections.
        case full
        /// A host name without an address.
        case nowhere
        #if os(Linux)
            /// A TLS server, with its authority trusted or not.
            case tls(TLSServer.Block, isTrusted: Bool)
        #endif
    }

    /// The limit set on the transport.
    enum Limit: Sendable {
        case usual
        case time(TransportError.Timeout, Duration = .milliseconds(50))
        case headBytes(Int)
        case bodyBytes(Int)
        case decodedBytes(Int)
    }

    /// The name on the page.
    let name: String
    var place = Place.server
    var response: Responder = .text("fine")
    var method: HTTPRequest.Method = .get
    var body: String?
    var limit = Limit.usual
    /// The number of preceding exchanges of the same request over the same connection, without the fault.
    var warmUps = 0
    /// Whether to wait until the server has closed that connection before sending the request.
    var waitsForClose = false
    /// Whether to follow redirects, as a client does above its transport.
    ///
    /// The request then has a credential.
    var followsRedirects = false
    let expected: Expected
    /// The phase of the failure; nil if the transport is not required to report it.
    var phase: TransportError.Phase?
    /// The number of requests that reach the server; nil if it is not checked.
    var receipts: Int?
    /// The deviation of URLSession.
    var urlSession: Deviation?

    var testDescription: String { name }

    /// All faults, in the order of the page.
    static let all = connections + certificates + heads + bodies + codings + statuses + reuses + redirects + limits
}
