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
        /// A name without an address.
        case nowhere
    }

    /// The one limit that the transport has.
    enum Limit: Sendable {
        case usual
        case time(TransportTimeout)
        case headBytes(Int)
        case bodyBytes(Int)
    }

    /// Where URLSession does something else.
    enum Deviation: Sendable {
        case known(String)
        /// It cannot be tried: the process would end, or the limit is not one that it has.
        case notRun(String)

        var reason: String {
            switch self {
            case .known(let reason), .notRun(let reason): reason
            }
        }
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
    let expected: Expected
    /// How often the server gets the request.
    var receipts: Int?
    /// What URLSession does in place of that.
    var urlSession: Deviation?

    var testDescription: String { name }
}

extension Fault {
    /// What has to come of a fault.
    enum Expected: Sendable {
        case answer(Reply = Reply())
        case failure(TransportError.Kind, TransportTimeout? = nil)
    }

    /// A response as it has to be.
    struct Reply: Sendable {
        var status = 200
        var body = "fine"
        /// All header fields in their order, one a line; nil where it does not matter.
        var fields: [String]?
        /// Fields that have to be there, whatever the others are.
        var holds: [String] = []
        var trailerFields: [String] = []
    }

    /// The row of the page.
    var row: String {
        let outcome =
            switch expected {
            case .answer(let reply): "\(reply.status)"
            case .failure(let kind, nil): "`\(kind)`"
            case .failure(let kind, let timeout?): "`\(kind)`, of `\(timeout)`"
            }
        // It has but one limit of time, and does not name it.
        let plain =
            if case .failure(let kind, _?) = expected { "`\(kind)`" } else { outcome }
        return "| \(name) | \(outcome) | \(urlSession?.reason ?? plain) |"
    }

    /// All of them, in the order of the page.
    static let all = connections + heads + bodies + statuses + reuses + limits
}
