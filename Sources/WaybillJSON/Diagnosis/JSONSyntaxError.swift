/// Where a text stops being JSON (RFC 8259), and why.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first byte that is wrong; the length of the text where it ends too early.
    package let offset: Int

    /// What could have come there, in words.
    package let expected: String

    /// What came instead, in words; at most a few characters of the text are quoted.
    package let found: String

    /// Both in one line: `expected ',' or '}', found '"'`.
    package var description: String { "expected \(expected), found \(found)" }
}
