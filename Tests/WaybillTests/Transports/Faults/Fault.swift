import Testing
import Waybill
import WaybillTesting

/// Something that a server, a network or a limit does to a call, and what has to come of it.
struct Fault: Sendable, CustomTestStringConvertible {
    /// Where the request goes.
    enum Place: Sendable {
        case server
        /// A port at which nothing listens.
        case nothing
        /// A port at which no more connections are taken.
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
        case time(TransportTimeout, Duration = .milliseconds(50))
        case headBytes(Int)
        case bodyBytes(Int)
        case decodedBytes(Int)
    }

    /// In the words of the page.
    let name: String
    var place = Place.server
    var answer: Responder = .text("fine")
    var method: HTTPRequest.Method = .get
    var body: String?
    var limit = Limit.usual
    /// How often the same is asked before, over the same connection, and answered well.
    var warmUps = 0
    /// Whether the server's end of that connection has to be closed before the request goes out.
    var waitsForClose = false
    /// Whether redirects are followed, as a client does above its transport; the request has a credential then.
    var followsRedirects = false
    let expected: Expected
    /// How far the request has come, where it fails; the transport may not know it.
    var phase: TransportPhase?
    /// How often the server gets the request.
    var receipts: Int?
    /// What URLSession does in place of that.
    var urlSession: Deviation?

    var testDescription: String { name }

    /// All of them, in the order of the page.
    static let all = connections + certificates + heads + bodies + codings + statuses + reuses + redirects + limits
}
