import Foundation

/// A test, identified by its file below `Tests` and its name.
nonisolated struct NamedTest: Sendable {
    let file: String
    let name: String

    init(_ file: String, _ name: String) { (self.file, self.name) = (file, name) }

    /// Returns whether the file contains a test with the name.
    func exists() throws -> Bool {
        // Matching a regular expression in an entire file takes milliseconds, and there are hundreds of names.
        let source = Data(try Repository.text(of: "Tests/\(file).swift").utf8)
        let literal = Data("\"\(name)\"".utf8)
        var rest = source[...]
        while let found = rest.firstRange(of: literal) {
            let before = source[..<found.lowerBound].reversed().drop { " \n".utf8.contains($0) }
            if before.starts(with: "@Test(".utf8.reversed()) { return true }
            rest = source[found.upperBound...]
        }
        return false
    }
}
