/// The place in the sources where a clause is declared, which tells it from others that say the same.
package struct DeclarationSite: Sendable, Hashable {
    private let file: String
    private let line: Int
    private let column: Int

    /// Creates a site from `#fileID`, `#line` and `#column`.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The site of a clause that needs none.
    package static let none = DeclarationSite(file: "", line: 0, column: 0)
}
