import Foundation

/// The code of a Swift file, without its comments and without what its string literals say.
struct SwiftCode: Sendable {
    let text: String

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
        text = code
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

    /// The names that are used, but for those behind a dot, which are members.
    var names: Set<String> {
        Set(text.matches(of: /(?:^|[^.\w])([A-Za-z_]\w*)/).map { String($0.output.1) })
    }

    /// What follows the string literal at the start of the text; nil where none starts there.
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
