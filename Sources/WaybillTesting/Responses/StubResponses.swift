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
/// or for a part of one (`files/{}.json`). A leading slash counts for nothing; a trailing slash matters. Of several
/// keys that match a path, the first from the left to have a literal in place of a `{}` wins; the order of the table
/// does not matter. `HEAD` gets the response of the key of `GET` if it has none of its own.
///
/// A request without a response gets status 501 with a text that lists the keys. So does every request if a key is
/// malformed (see ``validate()``).
public struct StubResponses: Sendable, ExpressibleByDictionaryLiteral {
    let entries: [(key: String, responder: Responder)]
    let fallback: Responder?

    /// Creates a table from its keys and their responders.
    public init(dictionaryLiteral elements: (String, Responder)...) {
        self.init(elements)
    }

    /// Creates a table from keys and their responders.
    ///
    /// - Parameters:
    ///   - entries: the keys and their responders.
    ///   - fallback: the responder for every request that no key matches; nil stands for the 501.
    public init(_ entries: some Sequence<(String, Responder)>, otherwise fallback: Responder? = nil) {
        self.entries = entries.map { (key: $0.0, responder: $0.1) }
        self.fallback = fallback
    }

    /// Returns a copy of the table with a responder for every request that no key matches.
    public func otherwise(_ fallback: Responder) -> StubResponses {
        StubResponses(entries.map { ($0.key, $0.responder) }, otherwise: fallback)
    }

    /// Checks the keys.
    ///
    /// - Throws: ``StubResponsesError`` for a key that is not a method and a template, for two keys that mean the same,
    ///   and for a sequence without responses.
    public func validate() throws(StubResponsesError) {
        let problems = ResponseTable(self).problems
        guard problems.isEmpty else { throw StubResponsesError(problems: problems) }
    }
}

/// The error of a table of ``StubResponses`` with malformed keys.
public struct StubResponsesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for each malformed key, which says what to write in its place.
    public let problems: [String]

    /// The sentences, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
