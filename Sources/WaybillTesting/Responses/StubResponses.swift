import Waybill

/// The responses of a stub or a loopback server, keyed on method and template.
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
/// A key is a method, a space and the template of a path, in which each `{}` stands for one segment that is not empty,
/// or for a part of one (`files/{}.json`). A leading slash is ignored; a trailing slash matters. Of several
/// keys that match a path, the first from the left to have a literal in place of a `{}` wins; the order of the table
/// does not matter. `HEAD` gets the response of the key of `GET` unless it has its own.
///
/// A request without a response gets status 501 with a text that lists the keys. So does every request if a key is
/// malformed (see ``validate()``).
public struct StubResponses: Sendable, ExpressibleByDictionaryLiteral {
    let entries: [(key: String, responder: Responder)]
    let fallback: Responder?

    /// Creates a table.
    ///
    /// - Parameter elements: the keys and their responders. A key that is malformed, or is there twice, makes the table
    ///   invalid (see ``validate()``).
    public init(dictionaryLiteral elements: (String, Responder)...) {
        self.init(elements)
    }

    /// Creates a table from keys and their responders.
    ///
    /// - Parameters:
    ///   - entries: the keys and their responders.
    ///   - fallback: the responder for every request that no key matches; nil for the 501.
    public init(_ entries: some Sequence<(String, Responder)>, otherwise fallback: Responder? = nil) {
        self.entries = entries.map { (key: $0.0, responder: $0.1) }
        self.fallback = fallback
    }

    /// Returns a copy of the table with a responder for every request that no key matches.
    ///
    /// - Parameter fallback: the responder, in place of one that the table has.
    /// - Returns: the copy.
    public func otherwise(_ fallback: Responder) -> StubResponses {
        StubResponses(entries.map { ($0.key, $0.responder) }, otherwise: fallback)
    }

    /// Checks the keys.
    ///
    /// - Throws: ``StubResponses/Failure`` for a key that is not a method and a template, for two keys that mean the
    ///   same, and for a sequence without responses.
    public func validate() throws(StubResponses.Failure) {
        let problems = ResponseTable(self).problems
        guard problems.isEmpty else { throw StubResponses.Failure(problems: problems) }
    }
}

extension StubResponses {
    /// The error of a table of ``StubResponses`` with malformed keys.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// One sentence for each malformed key, with the text to write instead.
        public let problems: [String]

        /// The sentences, one a line.
        public var description: String { problems.joined(separator: "\n") }
    }
}

/// The responses to the requests of one method and template: a fixed one, a sequence, or a closure's.
///
/// It is the value of a table of ``StubResponses``, and has all forms and modifiers of ``StubResponse/Expression``.
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

    /// Gives the first request the first response, the second the second, and so on; the last one repeats.
    ///
    /// Each stub and each server counts for itself.
    ///
    /// - Parameter responses: the responses. An empty list makes the table invalid (see ``StubResponses/validate()``).
    /// - Returns: the responder.
    public static func sequence(_ responses: [StubResponse]) -> Responder { Responder(source: .sequence(responses)) }

    /// Makes a response from each request.
    ///
    /// - Parameter closure: the closure. An error that it throws is a 500 with the error's text on a server; a stub
    ///   throws it, as a `TransportError`. Its task is cancelled when the client gives up.
    /// - Returns: the responder.
    public static func response(
        _ closure: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) -> Responder {
        Responder(source: .closure(closure))
    }
}

extension Responder: StubResponse.Expression {
    /// Gives every request the same response.
    public static func response(_ response: StubResponse) -> Responder { Responder(source: .fixed(response)) }

    /// Returns a copy with a change made to each of its responses.
    public func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> Responder {
        switch source {
        case .fixed(let response): .response(response.modified(change))
        case .sequence(let responses): .sequence(responses.map { $0.modified(change) })
        case .closure(let closure): .response { try await closure($0).modified(change) }
        }
    }
}
