import Testing

/// Some lines as an app would write them, in a type that declares an API.
struct Snippet: Sendable, CustomTestStringConvertible {
    /// What it does, in words.
    let name: String

    /// The members of the type.
    let code: String

    init(_ name: String, _ code: String) {
        self.name = name
        self.code = code
    }

    var testDescription: String { name }

    /// The name of the type: the words in one.
    var typeName: String { name.split { !$0.isLetter && !$0.isNumber }.map(\.capitalized).joined() }

    /// The name of the file.
    var fileName: String { "\(typeName).swift" }
}
