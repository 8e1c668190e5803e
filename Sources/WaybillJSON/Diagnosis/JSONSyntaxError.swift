/// The place at which a text stops being JSON (RFC 8259), and the reason.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first byte that is wrong; the length of the text if it ends too early.
    package let offset: Int

    /// The valid continuations, in words.
    package let expected: String

    /// The actual text, in words; at most a few characters of it are quoted.
    package let found: String

    /// Both in one line: `expected ',' or '}', found '"'`.
    package var description: String { "expected \(expected), found \(found)" }
}
