import WaybillSystem

/// The typed body of failed responses.
///
/// It is decoded by the decoder in scope and reaches the caller in the ``APIError/StatusFailure``:
///
/// ```swift
/// Problem(ShopProblem.self)                                   // any failure with a JSON body
/// Problem(ValidationProblem.self, on: 422, at: "errors")      // one status, below a key
/// Problem(SlackProblem.self, on: .success, when: { !$0.ok })  // a 200 that means a failure
/// Problem(ChainProblem.self, on: .success, at: "error")       // a 200 with an error under a key
/// Problem(String.self)                                        // any failure with a text
/// Problem.none                                                // without those of outer scopes
/// ```
///
/// The innermost scope wins, and within it the first type that decodes. A body that is JSON is tried whatever its media
/// type is, and a body that fits no type is in the failure as bytes. A `String` is the whole of a `text/*` body that is
/// no HTML page. Each text of a stream of JSON Lines is tried before it is decoded as an element. A status that an
/// inner ``Success`` declares is not a failure for the problems of outer scopes.
public struct Problem: RepeatableClause {
    private let rules: ProblemRules

    /// No problems of outer scopes.
    public static let none = Problem(rules: ProblemRules(rules: [], replacesOuter: true))

    private init(rules: ProblemRules) { self.rules = rules }

    /// Declares the type of the problem, for certain statuses.
    ///
    /// - Parameters:
    ///   - type: the type of the body: a ``ResponseContent``, or any other `Decodable` type.
    ///   - statuses: the statuses of responses with the problem. If they are statuses of success, a response with such
    ///     a body is a failure.
    ///   - path: the path of the problem in the body.
    ///   - contentTypes: the media types of bodies with the problem, such as `["application/problem+json"]`, to tell it
    ///     from others; by default any.
    ///   - condition: whether a value of the type is a problem at all.
    ///   - equivalent: the status with the meaning of the problem, for an error in a success or behind one status for
    ///     all: ``APIError/StatusFailure/category`` and ``APIError/StatusFailure/isNotFound`` go by it.
    public init<Value: Decodable & Sendable>(
        _ type: Value.Type,
        on statuses: HTTPResponse.StatusSet = .failures,
        at path: EnvelopeKey...,
        contentTypes: [String] = [],
        when condition: @escaping @Sendable (Value) -> Bool = { _ in true },
        equivalentTo equivalent: @escaping @Sendable (Value) -> HTTPResponse.Status? = { _ in nil }
    ) {
        var readText: (@Sendable (String) -> (any Sendable)?)?
        if Value.self == String.self, path.isEmpty {
            readText = { text in
                guard let value = text as? Value, condition(value) else { return nil }
                return value
            }
        }
        let rule = ProblemRule(
            statuses: statuses,
            contentTypes: contentTypes.map { MediaType($0).essence },
            summary: "\(Value.self) on \(statuses)" + (path.isEmpty ? "" : " at \(path.pathDescription)"),
            extra: Extraction.SideValue(ifPresent: Value.self, at: path, where: condition),
            text: readText,
            equivalentStatus: { ($0 as? Value).flatMap(equivalent) }
        )
        rules = ProblemRules(rules: [rule])
    }

    /// Declares the problem.
    public func declare(in scope: inout Scope) { scope.declare(rules) }
}

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
        /// A member of a wrong type is ignored (RFC 9457, section 3.1).
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

/// A problem that one clause declares.
package struct ProblemRule: Sendable {
    /// The statuses of responses that may carry it, without those that an inner scope declares a success.
    package private(set) var statuses: HTTPResponse.StatusSet
    package let contentTypes: [String]
    package let summary: String

    /// The problem in the body; missing if its condition does not hold.
    package let extra: Extraction.SideValue

    /// Returns the problem that a text is, or nil if it does not count as one; nil if the problem is no text.
    package let text: (@Sendable (String) -> (any Sendable)?)?

    /// The status with the meaning of the problem; nil for the response's own.
    package let equivalentStatus: @Sendable (any Sendable) -> HTTPResponse.Status?

    /// Whether a response of a status and a media type may carry it, if its body is of the form of the problem.
    package func applies(to status: HTTPResponse.Status, contentType: String?) -> Bool {
        guard statuses.contains(status) else { return false }
        guard let contentType, !contentTypes.isEmpty else { return true }
        return contentTypes.contains(MediaType(contentType).essence)
    }

    fileprivate func below(success inner: HTTPResponse.StatusSet, insteadOf outer: HTTPResponse.StatusSet)
        -> ProblemRule
    {
        var rule = self
        rule.statuses = statuses.subtracting(inner.subtracting(outer))
        return rule
    }
}

/// The declared problems of a call, those of the innermost scope first.
package struct ProblemRules: Setting {
    package static let clauseName = "Problem"

    package let rules: [ProblemRule]

    /// Whether the rules of outer scopes do not hold.
    var replacesOuter = false

    package static var accumulates: Bool { true }

    package func merged(over outer: ProblemRules) -> ProblemRules {
        replacesOuter ? self : ProblemRules(rules: rules + outer.rules, replacesOuter: outer.replacesOuter)
    }

    package func joined(after earlier: ProblemRules) -> ProblemRules {
        ProblemRules(rules: earlier.rules + rules, replacesOuter: replacesOuter || earlier.replacesOuter)
    }

    /// Returns the rules below a scope that declares other statuses of success.
    package func below(success inner: HTTPResponse.StatusSet, insteadOf outer: HTTPResponse.StatusSet) -> ProblemRules {
        ProblemRules(
            rules: rules.map { $0.below(success: inner, insteadOf: outer) },
            replacesOuter: replacesOuter
        )
    }

    /// Whether a response of a status may be a problem, depending on its media type and its body.
    func mayApply(to status: HTTPResponse.Status) -> Bool { rules.contains { $0.statuses.contains(status) } }

    /// Whether a response of one of the statuses may be a problem.
    func mayApply(toAnyOf statuses: HTTPResponse.StatusSet) -> Bool {
        rules.contains { $0.statuses.intersects(statuses) }
    }

    package var summary: String { rules.isEmpty ? "none" : rules.map(\.summary).joined(separator: ", ") }
}
