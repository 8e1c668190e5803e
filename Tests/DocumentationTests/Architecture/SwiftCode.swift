import Foundation

/// The code of a Swift file, without its comments and the texts of its string literals.
nonisolated struct SwiftCode: Sendable {
    let text: String
    /// The names that are used, except those behind a dot, which are members, and those of types that are declared.
    let names: Set<String>
    /// The names that are used behind a dot.
    let memberNames: Set<String>

    init(_ source: String) {
        var rest = Substring(source)
        var code = ""
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = Self.after("*/", in: rest.dropFirst(2))
            } else if character == "\"" || character == "#", let literal = Self.literalEnd(in: rest) {
                rest = literal
                code += "\"\""
            } else {
                code.append(character)
                rest = rest.dropFirst()
            }
        }
        text = Self.withoutConditions(code)
        // Found once: each room is compared with every other.
        names = Self.names(in: text)
        memberNames = Set(text.matches(of: /\.([A-Za-z_]\w*)/).map { String($0.output.1) })
    }

    /// Returns the code with the contents of `#if` at the top level indented as without it.
    private static func withoutConditions(_ code: String) -> String {
        var isInside = false
        let lines = code.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            if line.hasPrefix("#if") { isInside = true }
            if line.hasPrefix("#endif") { isInside = false }
            return isInside && line.hasPrefix("    ") ? line.dropFirst(4) : line
        }
        return lines.joined(separator: "\n")
    }

    /// The names of the types that are declared at the top level and can be seen from other files.
    var topLevelTypes: Set<String> {
        let kinds: Set = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        let hidden: Set = ["private", "fileprivate"]
        var names: Set<String> = []
        for line in text.split(whereSeparator: \.isNewline) where line.first?.isWhitespace == false {
            let words = line.split { !($0.isLetter || $0.isNumber || "_@".contains($0)) }.map(String.init)
            guard let kind = words.firstIndex(where: kinds.contains), words.indices.contains(kind + 1),
                !words[..<kind].contains(where: { hidden.contains($0) || $0 == "extension" })
            else { continue }
            names.insert(words[kind + 1])
        }
        return names
    }

    private static func names(in text: String) -> Set<String> {
        let names = text.matches(of: /(?:^|[^.\w])((?:struct|enum|class|actor|protocol|typealias)\s+)?([A-Za-z_]\w*)/)
        return Set(names.filter { $0.output.1 == nil }.map { String($0.output.2) })
    }

    /// The names of all functions, variables, constants and cases that are declared, at any depth.
    var declaredNames: Set<String> {
        Set(text.matches(of: /\b(?:func|var|let|case)\s+([A-Za-z_]\w*)/).map { String($0.output.1) })
    }

    /// The names of the members that extensions declare and other files can see.
    var extensionMembers: Set<String> {
        var names: Set<String> = []
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.first?.isWhitespace == false {
                let isHidden = line.hasPrefix("private ") || line.hasPrefix("fileprivate ")
                isInside = !isHidden && line.contains(/\bextension\s/)
            } else if isInside,
                let member = line.prefixMatch(of: /\ {4}((?:@?\w+(?:\([^)]*\))? )*)(?:func|var|let) (\w+)/),
                !member.output.1.contains("private")
            {
                names.insert(String(member.output.2))
            }
        }
        return names
    }

    /// The clauses that are declared.
    var clauses: Set<String> {
        let declaration =
            /(?m)^(?:extension (\w+) \{\s*)?public struct (\w+): (?:Setting|RepeatableClause|_\w+Clause|Clause)\b/
        // A generic type has functions in place of nested clauses: `Events.until`.
        let functions = text.matches(of: /extension (\w+) where Value == Never \{\s*public static func (\w+)/)
            .map { "\($0.output.1).\($0.output.2)" }
        let structs = text.matches(of: declaration).map { [$0.output.1, $0.output.2].compactMap { $0 } }
        let extensions = text.matches(of: /extension (\w+): Setting\b/)
        return Set(structs.map { $0.joined(separator: ".") } + extensions.map { String($0.output.1) } + functions)
    }

    /// The modules of this package that are imported.
    var importedModules: Set<String> {
        Set(text.matches(of: /(?m)^\s*(?:@\w+ |\w+ )*import (C?Waybill\w*)/).map { String($0.output.1) })
    }

    /// Returns the text after the string literal at the start of a text; nil if none starts there.
    private static func literalEnd(in text: Substring) -> Substring? {
        let marks = text.prefix { $0 == "#" }
        var rest = text.dropFirst(marks.count)
        guard rest.first == "\"" else { return nil }
        let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        let end = quotes + marks
        rest = rest.dropFirst(quotes.count)
        while !rest.isEmpty, !rest.hasPrefix(end) {
            rest = rest.dropFirst(marks.isEmpty && rest.first == "\\" ? 2 : 1)
        }
        return rest.dropFirst(end.count)
    }

    private static func after(_ end: String, in text: Substring) -> Substring {
        text.range(of: end).map { text[$0.upperBound...] } ?? ""
    }
}
