/// The typed body of failed responses.
///
/// It is decoded by the decoder in scope and reaches the caller in the ``StatusFailure``:
///
/// ```swift
/// Problem(ShopProblem.self)                                   // any failure with a JSON body
/// Problem(ValidationProblem.self, on: 422, at: "errors")      // one status, below a key
/// Problem(SlackProblem.self, on: .success, when: { !$0.ok })  // a 200 that is none
/// Problem(ChainProblem.self, on: .success, at: "error")       // a 200 with an error under a key
/// ```
///
/// Of several that apply, the nearest scope's, and in a scope the first, whose type fits the body is taken. A body of
/// another content type is not tried, and a body that fits no type stays what it is: bytes in the failure.
public struct Problem: RepeatableClause {
    package let statuses: StatusSet
    package let path: [EnvelopeKey]
    package let contentTypes: [String]
    package let summary: String

    /// Decodes the problem from an envelope; nil where it is not there, or does not count as one.
    package let extra: Extraction.Extra

    /// The type of the problem, for certain statuses.
    ///
    /// - Parameters:
    ///   - type: what the body is.
    ///   - statuses: for which statuses. Where they are statuses of success, a response with such a body is a failure.
    ///   - path: where the problem stands in the body.
    ///   - contentTypes: the media types of which a body has to be; by default any JSON, a missing type included.
    ///   - condition: whether a value of the type is a problem at all.
    public init<Value: Decodable & Sendable>(
        _ type: Value.Type,
        on statuses: StatusSet = .failures,
        at path: EnvelopeKey...,
        contentTypes: [String] = [],
        when condition: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.statuses = statuses
        self.path = path
        self.contentTypes = contentTypes.map { MediaType($0).essence }
        summary = "\(Value.self) on \(statuses)" + (path.isEmpty ? "" : " at \(path.pathDescription)")
        extra = Extraction.Extra(ifPresent: Value.self, at: path, where: condition)
    }

    /// Declares the problem.
    public func declare(in scope: inout Scope) { scope.declare(ProblemRules(rules: [self])) }

    /// Whether a response may carry it.
    package func applies(to status: HTTPResponse.Status, contentType: String?) -> Bool {
        guard statuses.contains(status) else { return false }
        guard let media = contentType.map(MediaType.init) else { return true }
        return contentTypes.isEmpty ? media.isJSON : contentTypes.contains(media.essence)
    }
}

/// The problems that a call may answer with, the nearest first.
package struct ProblemRules: Setting {
    package let rules: [Problem]

    package static var accumulates: Bool { true }

    /// Nearer rules stand before farther ones; of one scope's, earlier before later.
    package func merged(over farther: ProblemRules) -> ProblemRules {
        ProblemRules(rules: rules + farther.rules)
    }

    package func joined(after earlier: ProblemRules) -> ProblemRules { ProblemRules(rules: earlier.rules + rules) }

    package var summary: String { rules.map(\.summary).joined(separator: ", ") }
}
