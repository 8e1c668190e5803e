import WaybillSystem

extension Problem {
    /// A problem as RFC 9457 describes it: the body of type `application/problem+json`.
    ///
    /// ```swift
    /// Client(url) { Problem(Problem.Details.self) }
    /// error.problem(as: Problem.Details.self)?.detail
    /// ```
    ///
    /// Every member is optional, as in the RFC; those that an API adds are in ``extensions``.
    public struct Details: Decodable, Sendable, Hashable {
        /// A URI reference of the kind of problem; `about:blank` if the server names none.
        public let type: String

        /// The kind of problem, for people.
        public let title: String?

        /// The status, as the origin server set it.
        public let status: Int?

        /// The explanation of this occurrence, for people.
        public let detail: String?

        /// A URI reference that names this occurrence.
        public let instance: String?

        /// The members that the API adds.
        public let extensions: [String: JSONValue]

        /// Decodes a problem.
        ///
        /// As RFC 9457, section 3.1, has it, a member of a wrong type is passed over.
        public init(from decoder: any Decoder) throws {
            var members = try decoder.singleValueContainer().decode([String: JSONValue].self)
            let text = { (name: String) in members[name]?.stringValue }
            type = text("type") ?? "about:blank"
            title = text("title")
            status = members["status"]?.intValue
            detail = text("detail")
            instance = text("instance")
            for name in ["type", "title", "status", "detail", "instance"] { members[name] = nil }
            extensions = members
        }
    }
}

extension Problem.Details: LocalizedError {
    /// The detail, or else the title: both are for people (RFC 9457, section 3.1).
    public var errorDescription: String? { detail ?? title }
}

extension Problem.Details: CustomStringConvertible {
    /// The title and the detail; the type if there is neither.
    public var description: String {
        let parts = [title, detail].compactMap { $0 }
        return parts.isEmpty ? type : parts.joined(separator: ": ")
    }
}
