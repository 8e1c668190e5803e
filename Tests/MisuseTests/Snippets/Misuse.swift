import Testing

/// Lines that must not compile, and the expected diagnostic.
struct Misuse: Sendable, CustomTestStringConvertible {
    let snippet: Snippet

    /// A part of the expected message.
    let message: String

    init(_ name: String, says message: String, declaring declarations: String = "", _ code: String) {
        snippet = Snippet(name, declaring: declarations, code)
        self.message = message
    }

    var testDescription: String { snippet.testDescription }

    /// Every misuse except those that need the main actor.
    static let all =
        repetitions + strangers + routes + textPaths + places + branches + operations + capabilities + values + schemes
}
