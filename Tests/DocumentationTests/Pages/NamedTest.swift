import Foundation

/// A test, by its file below `Tests` and its name.
nonisolated struct NamedTest: Sendable {
    let file: String
    let name: String

    init(_ file: String, _ name: String) { (self.file, self.name) = (file, name) }

    /// Returns whether the file has a test of that name.
    func exists() throws -> Bool {
        let source = try Repository.text(of: "Tests/\(file).swift")
        return source.matches(of: /@Test\(\s*"([^"\n]+)"/).contains { $0.output.1 == name }
    }
}
