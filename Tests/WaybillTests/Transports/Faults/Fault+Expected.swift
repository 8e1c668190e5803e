import Waybill

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
        /// The same, where chance decides between the two.
        var otherFields: [String]?
        /// Fields that have to be there, whatever the others are.
        var holds: [String] = []
        var trailerFields: [String] = []
    }

    /// Where URLSession for Linux does something else.
    enum Deviation: Sendable {
        /// Another outcome, and why.
        case known(Expected, receipts: Int? = nil, why: String)
        /// The process ends, with these words.
        case endsProcess(String)
        /// It is not tried, and why.
        case notRun(String)

        /// The limit is not one that it has.
        static let noLimit = Self.notRun("has no such limit")
    }

    /// What has to come of it over a transport, and how often the server gets the request; nil where there is nothing
    /// to be tried in this process.
    func expectation(over carrier: Carrier) -> (expected: Expected, receipts: Int?)? {
        guard carrier == .urlSession, let urlSession else { return (expected, receipts) }
        #if os(Linux)
            guard case .known(let expected, let receipts, _) = urlSession else { return nil }
            return (expected, receipts ?? self.receipts)
        #else
            return nil
        #endif
    }

    /// Whether URLSession ends the process, with which words.
    var lastWords: String? { if case .endsProcess(let words) = urlSession { words } else { nil } }
}

extension Fault {
    /// The row of the page.
    var row: String {
        let other =
            switch urlSession {
            // It has but one limit of time, and does not name it.
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
        case .answer(let reply): "\(reply.status)"
        case .failure(let kind, let timeout?) where namesTimeout: "`\(kind)`, of `\(timeout)`"
        case .failure(let kind, _): "`\(kind)`"
        }
    }
}
