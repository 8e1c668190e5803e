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
            Value.self,
            at: path,
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
