import CallSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

/// A fault of a server, a network or a limit in a call, with its expected outcome.
struct Fault: Sendable, CustomTestStringConvertible {
    /// The destination of the request.
    enum Place: Sendable {
        case server
        /// A port at which nothing listens.
        case nothing
        /// A port that accepts no more connections.
        case full
        /// A name without an address.
        case nowhere
        #if os(Linux)
            /// A server with a certificate, whose authority is trusted or not.
            case tls(TLSServer.Block, isTrusted: Bool)
        #endif
    }

    /// The one limit that the transport has.
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
    /// The number of earlier exchanges of the same request over the same connection, without a fault.
    var warmUps = 0
    /// Whether the server's end of that connection has to be closed before the request goes out.
    var waitsForClose = false
    /// Whether redirects are followed, as a client does above its transport; the request has a credential then.
    var followsRedirects = false
    let expected: Expected
    /// The phase of the failure; nil if the transport need not know it.
    var phase: TransportError.Phase?
    /// The number of requests that reach the server.
    var receipts: Int?
    /// The deviation of URLSession.
    var urlSession: Deviation?

    var testDescription: String { name }

    /// All faults, in the order of the page.
    static let all = connections + certificates + heads + bodies + codings + statuses + reuses + redirects + limits
}
