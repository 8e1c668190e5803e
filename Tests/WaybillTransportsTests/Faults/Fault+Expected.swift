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
        /// All header fields in their order, one a line; nil if it does not matter.
        var fields: [String]?
        /// Other fields that are accepted in their place, if chance decides between the two.
        var otherFields: [String]?
        /// The fields that the response must have, among others.
        var holds: [String] = []
        var trailerFields: [String] = []
    }

    /// A deviation of URLSession for Linux.
    enum Deviation: Sendable {
        /// Another outcome, with the reason.
        case known(Expected, receipts: Int? = nil, why: String)
        /// The end of the process, with these words.
        case endsProcess(String)
        /// A fault that is not tried, with the reason.
        case notRun(String)

        /// A limit that URLSession does not have.
        static let noLimit = Self.notRun("has no such limit")
    }

    /// Returns the expected outcome over a transport, and the number of requests at the server; nil if the fault cannot
    /// be
    /// tried in this process.
    func expectation(over carrier: Carrier) -> (expected: Expected, receipts: Int?)? {
        guard carrier == .urlSession, let urlSession else { return (expected, receipts) }
        #if os(Linux)
            guard case .known(let expected, let receipts, _) = urlSession else { return nil }
            return (expected, receipts ?? self.receipts)
        #else
            return nil
        #endif
    }

    /// The last words of the process, if URLSession ends it.
    var lastWords: String? { if case .endsProcess(let words) = urlSession { words } else { nil } }
}

extension Fault {
    /// The row of the page.
    var row: String {
        let other =
            switch urlSession {
            // It has only one time limit, and does not name it.
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
