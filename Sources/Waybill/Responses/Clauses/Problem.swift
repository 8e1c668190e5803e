import WaybillSystem

/// The type of problem in the bodies of failed responses.
///
/// The scope's decoder decodes the problem, which is then available from ``APIError/StatusFailure``:
///
/// ```swift
/// Problem(ShopProblem.self)                                   // any failure with a JSON body
/// Problem(ValidationProblem.self, on: 422, at: "errors")      // one status, below a key
/// Problem(SlackProblem.self, on: .success, when: { !$0.ok })  // a 200 that means a failure
/// Problem(ChainProblem.self, on: .success, at: "error")       // a 200 with an error under a key
/// Problem(String.self)                                        // any failure with a text
/// Problem(on: 409, equivalentTo: 412)                         // a status with another meaning, whatever the body
/// Problem.none                                                // without those of outer scopes
/// ```
///
/// The innermost scope wins; within a scope, the first type that decodes wins. A body that is JSON is decoded
/// regardless of its media type. If a body matches no type, the failure contains only its bytes.
///
/// A `String` matches a whole `text/*` body, except an HTML page. In a stream of JSON Lines, each text is tried as a
/// problem before it is decoded as an element. Problems of outer scopes do not apply to statuses added by an inner
/// ``Success``.
public struct Problem: Scope.RepeatableClause {
    private let rules: ProblemRules

    /// No problems, overriding outer scopes.
    public static let none = Problem(rules: ProblemRules(rules: [], replacesOuter: true))

    private init(rules: ProblemRules) { self.rules = rules }

    /// Declares the type of a problem.
    ///
    /// - Parameters:
    ///   - type: the type of the body: a ``ResponseContent``, or any other `Decodable` type.
    ///   - statuses: the statuses of responses that may contain the problem. A response with such a status and body is
    ///     a failure, even if the status counts as success.
    ///   - path: the path of the problem in the body; empty for the whole body.
    ///   - contentTypes: the media types of bodies that may contain the problem, such as
    ///     `["application/problem+json"]`; by default, any.
    ///   - condition: a closure that returns whether a decoded value is a problem.
    ///   - equivalent: a closure that returns the status corresponding to the problem, for servers that report errors
    ///     with a success status or with one status for all errors. ``APIError/StatusFailure/category`` and
    ///     ``APIError/StatusFailure/isNotFound`` use it.
    public init<Value: Decodable & Sendable>(
        _ type: Value.Type,
        on statuses: HTTPResponse.StatusSet = .failures,
        at path: EnvelopeKey...,
        contentTypes: [String] = [],
        when condition: @escaping @Sendable (Value) -> Bool = { _ in true },
        equivalentTo equivalent: @escaping @Sendable (Value) -> HTTPResponse.Status? = { _ in nil }
    ) {
        self.init(
            type,
            on: statuses,
            at: path,
            contentTypes: contentTypes,
            when: condition,
            equivalentTo: equivalent
        )
    }

    private init<Value: Decodable & Sendable>(
        _ type: Value.Type,
        on statuses: HTTPResponse.StatusSet,
        at path: [EnvelopeKey],
        contentTypes: [String],
        when condition: @escaping @Sendable (Value) -> Bool,
        equivalentTo equivalent: @escaping @Sendable (Value) -> HTTPResponse.Status?
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

    /// Declares the type of a problem that contains a status code.
    ///
    /// ```swift
    /// Problem(Problem.Details.self, equivalentTo: \.status)
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the body: a ``ResponseContent``, or any other `Decodable` type.
    ///   - statuses: the statuses of responses that may contain the problem.
    ///   - path: the path of the problem in the body; empty for the whole body.
    ///   - contentTypes: the media types of bodies that may contain the problem; by default, any.
    ///   - condition: a closure that returns whether a decoded value is a problem.
    ///   - code: a closure that returns the status code corresponding to the problem; nil, or a code outside 100...599,
    ///     selects the response's status.
    @_disfavoredOverload
    public init<Value: Decodable & Sendable>(
        _ type: Value.Type,
        on statuses: HTTPResponse.StatusSet = .failures,
        at path: EnvelopeKey...,
        contentTypes: [String] = [],
        when condition: @escaping @Sendable (Value) -> Bool = { _ in true },
        equivalentTo code: @escaping @Sendable (Value) -> Int?
    ) {
        self.init(
            type,
            on: statuses,
            at: path,
            contentTypes: contentTypes,
            when: condition,
            equivalentTo: { (problem: Value) -> HTTPResponse.Status? in
                code(problem).map { HTTPResponse.Status(code: $0) }.flatMap { $0.kind == .invalid ? nil : $0 }
            }
        )
    }

    /// Declares that certain failure statuses are equivalent to another status, regardless of the body.
    ///
    /// ```swift
    /// On(.update) { Problem(on: 409, equivalentTo: 412) }    // error.lostUpdate, even if the body is empty
    /// ```
    ///
    /// An equivalent status declared for a typed problem in the body takes precedence. Statuses from 200 through 299
    /// are a declaration error: without a problem in its body, a success is not a failure.
    ///
    /// - Parameters:
    ///   - statuses: the statuses of the failures.
    ///   - equivalent: the status to which they correspond; see ``APIError/StatusFailure/category``.
    public init(on statuses: HTTPResponse.StatusSet, equivalentTo equivalent: HTTPResponse.Status) {
        rules = ProblemRules(rules: [], equivalents: [ProblemRules.Equivalent(statuses: statuses, status: equivalent)])
    }

    /// Adds the problem to a scope.
    ///
    /// - Parameter scope: the scope that declares the problem.
    public func declare(in scope: inout Scope) {
        for equivalent in rules.equivalents where equivalent.statuses.intersects(.success) {
            scope.declarationErrors.reject(
                "Problem",
                equivalent.summary,
                because: "a success is not a failure because of its status alone; declare the type of the problem in"
                    + " its body: Problem(…, on: \(equivalent.statuses), equivalentTo: { _ in \(equivalent.status.code) })"
            )
        }
        scope.declare(rules)
    }
}

extension Problem {
    /// A problem as defined by RFC 9457: a body of type `application/problem+json`.
    ///
    /// ```swift
    /// Client(url) { Problem(Problem.Details.self) }
    /// error.problem(as: Problem.Details.self)?.detail
    /// ```
    ///
    /// All members are optional, as in the RFC; ``extensions`` contains the API-specific ones.
    public struct Details: Decodable, Sendable, Hashable {
        /// The URI reference that identifies the kind of problem; `about:blank` if missing.
        public let type: String

        /// A summary of the kind of problem, intended for users.
        public let title: String?

        /// The status code, as set by the origin server.
        public let status: Int?

        /// An explanation of this occurrence of the problem, intended for users.
        public let detail: String?

        /// The URI reference that identifies this occurrence of the problem.
        public let instance: String?

        /// The API-specific members.
        public let extensions: [String: JSONValue]

        /// Decodes a problem, ignoring members of the wrong type (RFC 9457, section 3.1).
        ///
        /// - Parameter decoder: the decoder to read from.
        /// - Throws: `DecodingError` if the document is not an object.
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
    /// The detail or, if it is missing, the title; both are intended for users (RFC 9457, section 3.1).
    public var errorDescription: String? { detail ?? title }
}

extension Problem.Details: CustomStringConvertible {
    /// The title and the detail; the type if both are missing.
    public var description: String {
        let parts = [title, detail].compactMap { $0 }
        return parts.isEmpty ? type : parts.joined(separator: ": ")
    }
}

/// A problem declared by one clause.
package struct ProblemRule: Sendable {
    /// The statuses of responses that may contain the problem, without those that an inner scope declares as success.
    package private(set) var statuses: HTTPResponse.StatusSet
    package let contentTypes: [String]
    package let summary: String

    /// The value to decode from the body; treated as missing if the problem's condition is not met.
    package let extra: Extraction.SideValue

    /// Returns the problem in a text body, or nil if the text is not one.
    ///
    /// This closure is nil if the problem's type is not `String`.
    package let text: (@Sendable (String) -> (any Sendable)?)?

    /// Returns the status corresponding to a problem; nil for the response's status.
    package let equivalentStatus: @Sendable (any Sendable) -> HTTPResponse.Status?

    /// Whether a response with the given status and media type may contain the problem.
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

/// The declared problems of a call, innermost scope first.
package struct ProblemRules: Setting {
    package static let clauseName = "Problem"

    /// Statuses that are equivalent to another one.
    package struct Equivalent: Sendable {
        package let statuses: HTTPResponse.StatusSet
        package let status: HTTPResponse.Status

        /// The statuses and the equivalent one.
        fileprivate var summary: String { "on \(statuses), equivalent to \(status.code)" }
    }

    package let rules: [ProblemRule]

    /// The equivalent statuses that apply regardless of the body.
    package var equivalents: [Equivalent] = []

    /// Whether the rules of outer scopes are discarded.
    var replacesOuter = false

    package static var accumulates: Bool { true }

    package func merged(over outer: ProblemRules) -> ProblemRules {
        replacesOuter
            ? self
            : ProblemRules(
                rules: rules + outer.rules,
                equivalents: equivalents + outer.equivalents,
                replacesOuter: outer.replacesOuter
            )
    }

    package func joined(after earlier: ProblemRules) -> ProblemRules {
        ProblemRules(
            rules: earlier.rules + rules,
            equivalents: earlier.equivalents + equivalents,
            replacesOuter: replacesOuter || earlier.replacesOuter
        )
    }

    /// Returns the rules adjusted for an inner scope that declares different success statuses.
    package func below(success inner: HTTPResponse.StatusSet, insteadOf outer: HTTPResponse.StatusSet) -> ProblemRules {
        ProblemRules(
            rules: rules.map { $0.below(success: inner, insteadOf: outer) },
            equivalents: equivalents,
            replacesOuter: replacesOuter
        )
    }

    /// Whether a response with the given status may be a problem, depending on its media type and body.
    package func mayApply(to status: HTTPResponse.Status) -> Bool { rules.contains { $0.statuses.contains(status) } }

    /// Whether a response with any of the statuses may be a problem.
    package func mayApply(toAnyOf statuses: HTTPResponse.StatusSet) -> Bool {
        rules.contains { $0.statuses.intersects(statuses) }
    }

    /// Returns the declared equivalent of a failure's status; nil without one.
    func equivalent(of status: HTTPResponse.Status) -> HTTPResponse.Status? {
        equivalents.first { $0.statuses.contains(status) }?.status
    }

    package var summary: String {
        let texts = rules.map(\.summary) + equivalents.map(\.summary)
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }
}
