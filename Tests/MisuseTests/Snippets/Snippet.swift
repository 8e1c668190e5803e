import Testing

/// Lines of app code in a type that declares an API.
struct Snippet: Sendable, CustomTestStringConvertible {
    /// The description.
    let name: String

    /// Declarations before the type; private, because all snippets are in one module.
    let declarations: String

    /// The members of the type.
    let code: String

    init(_ name: String, declaring declarations: String = "", _ code: String) {
        self.name = name
        self.declarations = declarations
        self.code = code
    }

    var testDescription: String { name }

    /// The name of the type: the words of the description, joined.
    var typeName: String { name.split { !$0.isLetter && !$0.isNumber }.map(\.capitalized).joined() }

    /// The name of the file.
    var fileName: String { "\(typeName).swift" }
}
