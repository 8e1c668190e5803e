import Testing

/// Lines that must not compile, and what the compiler has to say about them.
struct Misuse: Sendable, CustomTestStringConvertible {
    let snippet: Snippet

    /// A part of the message.
    let message: String

    init(_ name: String, says message: String, _ code: String) {
        snippet = Snippet(name, code)
        self.message = message
    }

    var testDescription: String { snippet.testDescription }

    /// Every one of them.
    static let all = repetitions + strangers + routes + places + branches + operations + capabilities + values
}
