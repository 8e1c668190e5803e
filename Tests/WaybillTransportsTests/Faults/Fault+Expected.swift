import CallSupport
import Waybill

extension Fault {
    /// The expected outcome of a fault.
    enum Expected: Sendable {
        case response(Reply = Reply())
        case failure(TransportError.Kind, TransportError.Timeout? = nil)
    }

    /// An expected response.
    struct Reply: Sendable {
        var status = 200
        var body = "fine"
        /// All header fields in order, one per line; nil if they are not checked.
        var fields: [String]?
        /// An alternative to `fields`, for an outcome that varies at random.
        var otherFields: [String]?
        /// Fields that the response must contain.
        var holds: [String] = []
        var trailerFields: [String] = []
    }

    /// A deviation of URLSession on Linux.
    enum Deviation: Sendable {
        /// A different outcome, with the reason.
        case known(Expected, receipts: Int? = nil, why: String)
        /// A fatal error with this message.
        case endsProcess(String)
        /// A fault that is not tested, with the reason.
        case notRun(String)

        /// A limit that URLSession does not have.
        static let noLimit = Self.notRun("has no such limit")
    }

    /// Returns the expected outcome over a transport and the number of requests that reach the server; returns nil if
    /// the fault cannot be tested in this process.
    func expectation(over carrier: Carrier) -> (expected: Expected, receipts: Int?)? {
        guard carrier == .urlSession, let urlSession else { return (expected, receipts) }
        #if os(Linux)
            guard case .known(let expected, let receipts, _) = urlSession else { return nil }
            return (expected, receipts ?? self.receipts)
        #else
            return nil
        #endif
    }

    /// The message of the fatal error, if URLSession ends the process.
    var lastWords: String? { if case .endsProcess(let words) = urlSession { words } else { nil } }
}

extension Fault {
    /// The fault's row on the page.
    var row: String {
        let other =
            switch urlSession {
            // URLSession has only one timeout and does not name it.
            case nil: expected.text(namesTimeout: false)
            case .known(let expected, _, let why): "\(expected.text(namesTimeout: false)): \(why)"
            case .endsProcess(let words): "the process ends: “\(words)”"
            case .notRun(let why): "\(why) (not run)"
            }
        return "| \(name) | \(expected.text(namesTimeout: true)) | \(other) |"
    }
}

extension Fault.Expected {
    fileprivate func text(namesTimeout: Bool) -> String {
        switch self {
        case .response(let reply): "\(reply.status)"
        case .failure(let kind, let timeout?) where namesTimeout: "`\(kind)`, of `\(timeout)`"
        case .failure(let kind, _): "`\(kind)`"
        }
    }
}
