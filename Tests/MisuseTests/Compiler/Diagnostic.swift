import Foundation

/// A compiler error or warning with its notes.
struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// The severity.
    enum Severity: String, Sendable, CaseIterable { case error, warning, note }

    /// The file of a diagnostic without a source location.
    static let unknownFile = "<unknown>"

    /// The file's name.
    let file: String
    let severity: Severity
    let message: String
    private(set) var notes: [String] = []

    var description: String { (["\(severity): \(message)"] + notes.map { "  note: \($0)" }).joined(separator: "\n") }

    /// Returns whether the message or one of the notes contains a text.
    func says(_ text: String) -> Bool { message.contains(text) || notes.contains { $0.contains(text) } }

    /// Creates a diagnostic from its first line: `/folder/File.swift:3:14: error: what is wrong`.
    private init?(line: some StringProtocol) {
        for severity in Severity.allCases {
            guard let mark = line.range(of: ": \(severity): ") else { continue }
            if line[..<mark.lowerBound] == "\(Self.unknownFile):0" {
                file = Self.unknownFile
                self.severity = severity
                message = String(line[mark.upperBound...])
                return
            }
            let place = line[..<mark.lowerBound].split(separator: ":")
            // The path may contain colons; it is followed by a line and a column.
            guard place.count >= 3, place.suffix(2).allSatisfy({ Int($0) != nil }) else { continue }
            file = URL(fileURLWithPath: place.dropLast(2).joined(separator: ":")).lastPathComponent
            self.severity = severity
            message = String(line[mark.upperBound...])
            return
        }
        return nil
    }

    /// Returns every error and warning in a compiler's output; a note belongs to the preceding one.
    static func all(in output: String) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for line in output.split(whereSeparator: \.isNewline) {
            guard let diagnostic = Diagnostic(line: line) else { continue }
            if diagnostic.severity != .note {
                diagnostics.append(diagnostic)
            } else if let last = diagnostics.indices.last {
                diagnostics[last].notes.append(diagnostic.message)
            }
        }
        return diagnostics
    }
}
