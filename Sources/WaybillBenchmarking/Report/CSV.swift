import Foundation

/// Tables as CSV (RFC 4180).
package enum CSV {
    /// Returns the text of rows: a line each, with CR LF at its end.
    package static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns a cell, in quotation marks if a comma, a quotation mark or the end of a line is in it.
    private static func cell(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
    }
}
