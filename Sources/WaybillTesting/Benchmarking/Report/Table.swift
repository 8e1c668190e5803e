/// Rows of cells as text, each column as wide as its widest cell.
package struct Table {
    private var rows: [[String]] = []

    package init() {}

    /// Adds a row.
    package mutating func add(_ row: [String]) { rows.append(row.map(Self.line)) }

    /// The text; the first two columns are names, aligned left, and the others are numbers, aligned right.
    package var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < 2 ? cell.0 + space : space + cell.0
            }
            // Rows with empty cells at their end have no white space there.
            let line = cells.joined(separator: "   ")
            return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
        }.joined(separator: "\n")
    }

    /// Returns a text in one line, as a name may have several.
    private static func line(_ cell: String) -> String {
        cell.contains(where: \.isNewline) ? cell.split(whereSeparator: \.isNewline).joined(separator: " ") : cell
    }
}
