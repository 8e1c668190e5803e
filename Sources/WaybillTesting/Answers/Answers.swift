import Waybill

/// The answers of a stub or a loopback server, keyed on method and template.
///
/// ```swift
/// let answers: Answers = [
///     "GET products": .json("[]"),
///     "GET products/{}": .json(#"{"id": 1}"#),
///     "POST products": .answer { request in .json(request.text, status: 201) },
///     "DELETE products/{}": .sequence([.status(204), .status(404)]),
/// ]
/// ```
///
/// A key is a method, a space and the template of a path, in which each `{}` stands for one segment that is not empty,
/// or for a part of one (`files/{}.json`). A leading slash counts for nothing; a trailing slash matters. Of several
/// keys that match a path, the one wins that is literal where the other has `{}`, looked at from left to right; the
/// order of the table says nothing. `HEAD` is answered by the key of `GET` where it has none of its own.
///
/// A request without an answer gets status 501 with a text that lists the keys. So does every request where a key is
/// malformed (see ``validate()``).
public struct Answers: Sendable, ExpressibleByDictionaryLiteral {
    let entries: [(key: String, responder: Responder)]
    let fallback: Responder?

    /// Creates a table from its keys and what answers them.
    public init(dictionaryLiteral elements: (String, Responder)...) {
        self.init(elements)
    }

    /// Creates a table from keys and what answers them.
    ///
    /// - Parameters:
    ///   - entries: the keys and their answers.
    ///   - fallback: what answers every request that no key matches; nil stands for the 501.
    public init(_ entries: some Sequence<(String, Responder)>, otherwise fallback: Responder? = nil) {
        self.entries = entries.map { (key: $0.0, responder: $0.1) }
        self.fallback = fallback
    }

    /// The same table, with what answers every request that no key matches.
    public func otherwise(_ fallback: Responder) -> Answers {
        Answers(entries.map { ($0.key, $0.responder) }, otherwise: fallback)
    }

    /// Checks the keys.
    ///
    /// - Throws: ``AnswersError`` for a key that is not a method and a template, for two keys that mean the same, and
    ///   for a sequence without answers.
    public func validate() throws(AnswersError) {
        let problems = AnswerTable(self).problems
        guard problems.isEmpty else { throw AnswersError(problems: problems) }
    }
}

/// What is wrong with a table of ``Answers``.
public struct AnswersError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for each key at fault, which says what to write in its place.
    public let problems: [String]

    /// The sentences, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
