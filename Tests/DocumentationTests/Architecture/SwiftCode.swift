import Foundation

/// The code of a Swift file without comments and the contents of string literals.
nonisolated struct SwiftCode: Sendable {
    let text: String
    /// The used names, except members after a dot and the names of declared types.
    let names: Set<String>
    /// The used names, without mere qualifiers of nested types.
    let unqualifiedNames: Set<String>
    /// The names of nested types that are used with their outer type: `Retry.Budget`.
    let qualifiedNames: Set<String>
    /// The types declared in top-level extensions, prefixed with the extended type.
    let nestedTypes: Set<String>
    /// The names used after a dot.
    let memberNames: Set<String>
    /// The declared clauses.
    let clauses: Set<String>
    /// The imported modules of this package.
    let importedModules: Set<String>

    /// The code of every source file by path, read once.
    static let sources: Result<[String: SwiftCode], any Error> = Result {
        let paths = Repository.files(below: "Sources", withExtension: "swift")
        return Dictionary(uniqueKeysWithValues: try paths.map { ($0, SwiftCode(try Repository.text(of: $0))) })
    }

    /// The products that declare options for calls.
    static let options = [
        "WaybillCaching", "WaybillLimits", "WaybillOperations", "WaybillSessions", "WaybillTransfers",
    ]

    /// The modules that declare clauses for calls.
    static let modulesOfClauses = ["Waybill"] + options

    init(_ source: String) {
        text = Self.withoutConditions(String(decoding: Self.code(in: Array(source.utf8)), as: UTF8.self))
        // Computed once, because each room is compared with every other.
        let (unnested, nestedTypes) = Self.withoutNesting(text)
        self.nestedTypes = nestedTypes
        (unqualifiedNames, qualifiedNames, memberNames) = Self.names(in: unnested)
        names = unqualifiedNames.union(qualifiedNames.map(Self.outerName))
        let lines = Self.lines(of: text)
        clauses = Self.clauses(in: lines)
        importedModules = Self.importedModules(in: lines)
    }

    /// Returns the nonempty lines, split by bytes, because splitting characters takes seconds for all sources.
    private static func lines(of text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    }

    /// Returns `Retry` for `Retry.Budget`.
    static func outerName(of name: String) -> String { String(name.prefix { $0 != "." }) }

    /// Returns the code without the first lines of extensions that only nest types, and all types nested in extensions.
    private static func withoutNesting(_ code: String) -> (code: String, types: Set<String>) {
        var lines = code.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        var types: Set<String> = []
        var open: (line: Int, owner: String)?
        for index in lines.indices {
            let line = lines[index]
            // Matching a regular expression on each source line takes seconds.
            if !line.hasPrefix(" "), line.hasSuffix("{"), line.contains("extension "),
                let match = line.wholeMatch(of: /(?:\w+ )*extension (\w+) \{/)
            {
                open = (index, String(match.output.1))
            } else if let (start, owner) = open {
                if line.hasPrefix("}") {
                    lines[start] = ""
                    open = nil
                } else if isMember(line) {
                    if let type = line.prefixMatch(of: nestedType) {
                        types.insert("\(owner).\(type.output.1)")
                        continue
                    }
                    if "@{)}".contains(line[line.index(line.startIndex, offsetBy: 4)]) { continue }
                    // The extension has another member, so it uses the type.
                    open = nil
                }
            }
        }
        return (lines.joined(separator: "\n"), types)
    }

    /// Returns whether a line starts at the first level of indentation.
    private static func isMember(_ line: some StringProtocol) -> Bool {
        let bytes = Array(line.utf8.prefix(5))
        return bytes.count == 5 && bytes.starts(with: "    ".utf8) && bytes.last != UInt8(ascii: " ")
    }

    private static var nestedType: Regex<(Substring, Substring)> {
        /\ {4}(?:(?:@\S+|public|package|final|indirect) )*(?:struct|enum|class|actor|protocol) (\w+)/
    }

    /// Returns the bytes of a source without comments and with `""` in place of each string literal.
    private static func code(in source: [UInt8]) -> [UInt8] {
        source.withUnsafeBufferPointer { bytes in
            var code: [UInt8] = []
            code.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "/"), follows("//", in: bytes, at: index) {
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                } else if byte == UInt8(ascii: "/"), follows("/*", in: bytes, at: index) {
                    index += 2
                    while index < bytes.count, !follows("*/", in: bytes, at: index) { index += 1 }
                    index += 2
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"),
                    let end = literalEnd(in: bytes, at: index)
                {
                    index = end
                    code += [UInt8(ascii: "\""), UInt8(ascii: "\"")]
                } else {
                    code.append(byte)
                    index += 1
                }
            }
            return code
        }
    }

    /// Returns the code with the contents of top-level `#if` blocks unindented.
    private static func withoutConditions(_ code: String) -> String {
        var isInside = false
        let lines = code.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            if line.hasPrefix("#if") { isInside = true }
            if line.hasPrefix("#endif") { isInside = false }
            return isInside && line.hasPrefix("    ") ? line.dropFirst(4) : line
        }
        return lines.joined(separator: "\n")
    }

    /// The names of the top-level types that are visible to other files.
    var topLevelTypes: Set<String> {
        let kinds: Set = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        let hidden: Set = ["private", "fileprivate"]
        var names: Set<String> = []
        for line in Self.lines(of: text) where line.first?.isWhitespace == false {
            let words = line.split { !($0.isLetter || $0.isNumber || "_@".contains($0)) }.map(String.init)
            guard let kind = words.firstIndex(where: kinds.contains), words.indices.contains(kind + 1),
                !words[..<kind].contains(where: { hidden.contains($0) || $0 == "extension" })
            else { continue }
            names.insert(words[kind + 1])
        }
        return names
    }

    /// Returns the used names, separated into unqualified names, qualified names and members.
    private static func names(
        in text: String
    ) -> (unqualified: Set<String>, qualified: Set<String>, members: Set<String>) {
        let declarations: Set = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        var (plain, qualified, members): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        var isDeclared = false
        for word in words(in: text) {
            if word.isMember {
                members.insert(word.text)
                isDeclared = false
            } else {
                let declares = word.isFollowedBySpace && declarations.contains(word.text)
                if let nested = word.nestedName {
                    qualified.insert("\(word.text).\(nested)")
                } else if !declares && !isDeclared {
                    plain.insert(word.text)
                }
                isDeclared = declares
            }
        }
        return (plain, qualified, members)
    }

    /// A name or a keyword.
    private struct Word {
        let text: String
        /// Whether it follows a dot.
        let isMember: Bool
        /// Whether only whitespace separates it from the preceding word.
        let followsWord: Bool
        let isFollowedBySpace: Bool
        /// The capitalized name after the dot that follows the word.
        let nestedName: String?
    }

    private static func words(in text: String) -> [Word] {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var words: [Word] = []
            var index = 0
            var followsWord = false
            while index < bytes.count {
                guard isOfWord(bytes[index]) else {
                    followsWord = followsWord && isSpace(bytes[index])
                    index += 1
                    continue
                }
                let start = index
                while index < bytes.count, isOfWord(bytes[index]) { index += 1 }
                defer { followsWord = true }
                // A number is not a name.
                if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start]) { continue }
                words.append(
                    Word(
                        text: String(decoding: bytes[start..<index], as: UTF8.self),
                        isMember: start > 0 && bytes[start - 1] == UInt8(ascii: "."),
                        followsWord: followsWord,
                        isFollowedBySpace: index < bytes.count && isSpace(bytes[index]),
                        nestedName: nestedName(in: bytes, at: index)
                    )
                )
            }
            return words
        }
    }

    private static func nestedName(in bytes: UnsafeBufferPointer<UInt8>, at dot: Int) -> String? {
        guard dot + 1 < bytes.count, bytes[dot] == UInt8(ascii: "."),
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[dot + 1])
        else { return nil }
        return String(decoding: bytes[(dot + 1)...].prefix(while: isOfWord), as: UTF8.self)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

    /// The names of all declared functions, variables, constants and cases, at any depth.
    var declaredNames: Set<String> { names(behind: ["func", "var", "let", "case"]) }

    /// Returns the names declared with one of the given keywords, at any depth.
    func names(behind keywords: Set<String>) -> Set<String> {
        let words = Self.words(in: text)
        return Set(
            zip(words, words.dropFirst())
                .filter { $1.followsWord && keywords.contains($0.text) }
                .map(\.1.text)
        )
    }

    /// The names of the extension members that are visible to other files.
    var extensionMembers: Set<String> {
        var names: Set<String> = []
        var isInside = false
        for line in Self.lines(of: text) {
            if line.first?.isWhitespace == false {
                let isHidden = line.hasPrefix("private ") || line.hasPrefix("fileprivate ")
                isInside = !isHidden && line.contains(/\bextension\s/)
            } else if isInside, Self.isMember(line) {
                let words = line.dropFirst(4).split(separator: " ")
                guard let kind = words.firstIndex(where: { $0 == "func" || $0 == "var" || $0 == "let" }),
                    words.indices.contains(kind + 1), !words[..<kind].contains(where: { $0.hasSuffix("private") })
                else { continue }
                names.insert(String(decoding: words[kind + 1].utf8.prefix(while: Self.isOfWord), as: UTF8.self))
            }
        }
        return names
    }

    /// Returns the lines with one of the given words as the first or second word.
    private static func beginning(with words: String..., among lines: [Substring]) -> [Substring] {
        lines.filter { line in
            line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2).prefix(2).contains { word in
                words.contains { word.elementsEqual($0.utf8) }
            }
        }
    }

    private static func clauses(in lines: [Substring]) -> Set<String> {
        let declared = /\s*public struct (\w+): (?:Setting|Scope.RepeatableClause|_\w+Clause|Clause)\b.*/
        var clauses: Set<String> = []
        var owner: String?
        for line in beginning(with: "struct", "extension", among: lines) {
            if let type = line.wholeMatch(of: declared)?.output.1 {
                // An indented type is a member of the preceding extension.
                clauses.insert(line.first == " " ? "\(owner ?? "").\(type)" : String(type))
            } else if let type = line.prefixMatch(of: /extension (\w+)/)?.output.1 {
                owner = String(type)
                if line.contains(/extension \w+: Setting\b/) { clauses.insert(String(type)) }
            }
        }
        return clauses
    }

    private static func importedModules(in lines: [Substring]) -> Set<String> {
        Set(
            beginning(with: "import", among: lines).compactMap { line in
                line.firstMatch(of: /\bimport (C?Waybill\w*)/).map { String($0.output.1) }
            }
        )
    }

    /// Returns the index after the string literal that starts at an index, or nil if none does.
    private static func literalEnd(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let quote = UInt8(ascii: "\"")
        var index = start
        while index < bytes.count, bytes[index] == UInt8(ascii: "#") { index += 1 }
        let marks = index - start
        guard index < bytes.count, bytes[index] == quote else { return nil }
        let quotes = follows("\"\"\"", in: bytes, at: index) ? 3 : 1
        let end = String(repeating: "\"", count: quotes) + String(repeating: "#", count: marks)
        index += quotes
        while index < bytes.count, !(bytes[index] == quote && follows(end, in: bytes, at: index)) {
            index += marks == 0 && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + end.utf8.count, bytes.count)
    }

    private static func follows(_ text: String, in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        bytes[min(index, bytes.count)...].starts(with: text.utf8)
    }
}
