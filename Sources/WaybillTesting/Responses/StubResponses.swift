import Waybill

/// The responses of a stub or a loopback server, keyed by method and path template.
///
/// ```swift
/// let responses: StubResponses = [
///     "GET products": .json("[]"),
///     "GET products/{}": .json(#"{"id": 1}"#),
///     "POST products": .response { request in .json(request.text, status: 201) },
///     "DELETE products/{}": .sequence([.status(204), .status(404)]),
/// ]
/// ```
///
/// A key is a method, a space and a path template. Each `{}` in the template matches one nonempty segment or part of
/// one (`files/{}.json`); a segment `{+}` matches one or more segments. A leading slash is ignored, but a trailing
/// slash is significant. If several keys match a path, the one with the leftmost literal in place of a `{}` wins,
/// regardless of their order in the table. A `HEAD` request uses a `GET` key's response unless a `HEAD` key matches.
///
/// A request that no key matches gets a 501 whose text lists the keys. If a key is malformed, every request gets a 501
/// (see ``validate()``).
public struct StubResponses: Sendable, ExpressibleByDictionaryLiteral {
    let entries: [(key: String, responder: Responder)]
    let fallback: Responder?

    /// Creates a table.
    ///
    /// - Parameter elements: the keys and their responders. A malformed or duplicate key makes the table invalid (see
    ///   ``validate()``).
    public init(dictionaryLiteral elements: (String, Responder)...) {
        self.init(elements)
    }

    /// Creates a table from keys and their responders.
    ///
    /// - Parameters:
    ///   - entries: the keys and their responders.
    ///   - fallback: the responder for requests that no key matches; nil to respond with a 501.
    public init(_ entries: some Sequence<(String, Responder)>, otherwise fallback: Responder? = nil) {
        self.entries = entries.map { (key: $0.0, responder: $0.1) }
        self.fallback = fallback
    }

    /// Returns a copy of the table with a fallback for requests that no key matches.
    ///
    /// - Parameter fallback: the responder, in place of any existing fallback.
    /// - Returns: the copy.
    public func otherwise(_ fallback: Responder) -> StubResponses {
        StubResponses(entries.map { ($0.key, $0.responder) }, otherwise: fallback)
    }

    /// Checks the table.
    ///
    /// - Throws: ``StubResponses/Failure`` if a key is not a method and a template, if two keys are equivalent, or if a
    ///   sequence has no responses.
    public func validate() throws(StubResponses.Failure) {
        let problems = ResponseTable(self).problems
        guard problems.isEmpty else { throw StubResponses.Failure(problems: problems) }
    }
}

extension StubResponses {
    /// The error for an invalid table of ``StubResponses``.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// One sentence per problem, with a suggested correction.
        public let problems: [String]

        /// The problems, one per line.
        public var description: String { problems.joined(separator: "\n") }
    }
}

/// The response to requests with a given method and template: a fixed response, a sequence, or a closure's result.
///
/// Responders are the values of ``StubResponses``. They have every factory function and modifier of
/// ``StubResponse/Expression``.
///
/// ```swift
/// let responses: StubResponses = [
///     "GET products/{}": .json(#"{"id": 1}"#),
///     "GET products": .sequence([.status(503), .json("[]")]),
///     "POST products": .response { request in .json(request.text, status: 201) },
/// ]
/// ```
public struct Responder: Sendable {
    enum Source: Sendable {
        case fixed(StubResponse)
        case sequence([StubResponse])
        case closure(@Sendable (ReceivedRequest) async throws -> StubResponse)
    }

    let source: Source

    /// Responds to successive requests with successive responses, then repeats the last one.
    ///
    /// Each stub and each server tracks its position in the sequence separately.
    ///
    /// - Parameter responses: the responses. An empty list makes the table invalid (see ``StubResponses/validate()``).
    /// - Returns: the responder.
    public static func sequence(_ responses: [StubResponse]) -> Responder { Responder(source: .sequence(responses)) }

    /// Responds to each request with a closure's result.
    ///
    /// - Parameter closure: the closure. If it throws a `TransportError`, a stub throws it and a server resets the
    ///   connection. Any other error becomes a `TransportError` in a stub and a 500 with its text on a server. The
    ///   closure's task is cancelled when the client abandons the request.
    /// - Returns: the responder.
    public static func response(
        _ closure: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) -> Responder {
        Responder(source: .closure(closure))
    }
}

extension Responder: StubResponse.Expression {
    /// Responds to every request with the same response.
    ///
    /// - Parameter response: the response.
    /// - Returns: the responder.
    public static func response(_ response: StubResponse) -> Responder { Responder(source: .fixed(response)) }

    /// Returns a copy with a change applied to each of its responses.
    ///
    /// - Parameter change: the change.
    /// - Returns: the changed copy.
    public func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> Responder {
        switch source {
        case .fixed(let response): .response(response.modified(change))
        case .sequence(let responses): .sequence(responses.map { $0.modified(change) })
        case .closure(let closure): .response { try await closure($0).modified(change) }
        }
    }
}
