import WaybillSystem

/// The removal of the values of secret keys of JSON, and of the secrets of URLs; everything else stays as it is.
///
/// The text need not be one document, nor valid: it may be a stream of them, events that have JSON in them, or the
/// beginning of a document. Strings are searched too, since servers write JSON and signed URLs into them.
package enum SecretMembers {
    /// Returns the text without secret values: texts become marks and numbers 0, so that the types stay.
    package static func removed(from text: String, _ names: SecretNameSet) -> String { split(text, names).text }

    /// Returns the text without secret values, and these values.
    package static func split(_ text: String, _ names: SecretNameSet) -> (text: String, values: [String]) {
        split(text, names, depth: deepestString)
    }

    /// Whether a string may contain a secret: JSON, or the item or the password of a URL.
    package static func mayHaveSecrets(_ text: String) -> Bool { text.utf8.contains { "\"=@".utf8.contains($0) } }

    /// The number of strings within strings that are searched; one that is deeper is removed.
    private static let deepestString = 4

    fileprivate static func split(
        _ text: String,
        _ names: SecretNameSet,
        depth: Int
    ) -> (text: String, values: [String]) {
        guard text.utf8.contains(where: { "\"=@".utf8.contains($0) || 0x30...0x39 ~= $0 }) else { return (text, []) }
        var reader = SecretMemberReader(text, names, depth: depth)
        return reader.findsNothing ? (text, []) : reader.split()
    }
}

/// A pass over a text, which copies what is not secret.
private struct SecretMemberReader {
    private let bytes: [UInt8]
    private let names: SecretNameSet
    private let depth: Int
    /// The secret values that may be numbers of JSON: they become 0, because a mark would not be JSON.
    private let numbers: [String]
    private var place = 0
    private var kept: [UInt8] = []
    private var values: [String] = []

    init(_ text: String, _ names: SecretNameSet, depth: Int) {
        bytes = Array(text.utf8)
        self.names = names
        self.depth = depth
        numbers = names.longValues.filter { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    }

    /// Whether there is nothing to look for.
    var findsNothing: Bool { numbers.isEmpty && !names.hasNames }

    mutating func split() -> (text: String, values: [String]) {
        kept.reserveCapacity(bytes.count)
        copyItem()
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""): copyString()
            // An escaped quotation mark begins no string.
            case UInt8(ascii: "\\"): copy(min(2, bytes.count - place))
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): copyNumber()
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                let end = bytes[place...].firstIndex { !Self.isWord($0) } ?? bytes.count
                copy(end - place)
            // Both `&amp;` and a parameter of a path end in a semicolon.
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"):
                copy(1)
                copyItem()
            case UInt8(ascii: ":") where bytes[place...].starts(with: "://".utf8):
                copy(3)
                copyUserInformation()
            default: copy(1)
            }
        }
        return (String(decoding: kept, as: UTF8.self), values)
    }

    private mutating func copy(_ count: Int) {
        kept += bytes[place..<place + count]
        place += count
    }

    /// Copies a string, and removes the value after it if it is a secret key.
    private mutating func copyString() {
        let start = place
        let isWhole = skipString()
        let literal = bytes[start..<place]
        let afterString = place
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
            let isString = place == bytes.count || Self.follows(bytes[place]) || place > afterString
            place = afterString
            guard isString || !isWhole else {
                // A quotation mark of a sentence, which may be right before JSON.
                place = start
                return copy(1)
            }
            kept += shown(literal, isWhole: isWhole)
            return
        }
        kept += literal
        place += 1
        skipSpace()
        kept += bytes[afterString..<place]
        if isSecret(key: literal) { removeValue() }
    }

    /// Whether a key, before its value, is secret.
    private func isSecret(key literal: ArraySlice<UInt8>) -> Bool {
        let key = Self.text(literal) ?? String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        if names.contains(key) { return true }
        guard names.hasTokens(key), place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return false }
        var value = self
        let isWhole = value.skipString()
        return names.contains(key, of: Self.text(bytes[place..<value.place], isWhole: isWhole) ?? "")
    }

    /// Returns a string without the values of secret keys of JSON in it.
    private mutating func shown(_ literal: ArraySlice<UInt8>, isWhole: Bool) -> [UInt8] {
        guard literal.contains(where: { "\\=@".utf8.contains($0) }), let text = Self.text(literal, isWhole: isWhole),
            SecretMembers.mayHaveSecrets(text)
        else { return Array(literal) }
        guard depth > 0 else { return Array("\"\(Redaction.mark)\"".utf8) }
        let inner = SecretMembers.split(text, names, depth: depth - 1)
        values += inner.values
        if inner.text == text { return Array(literal) }
        return Array(JSONValue.string(inner.text).description.utf8.dropLast(isWhole ? 0 : 1))
    }

    /// Returns the text of a string literal; nil if it is not one.
    private static func text(_ literal: ArraySlice<UInt8>, isWhole: Bool = true) -> String? {
        guard literal.contains(UInt8(ascii: "\\")) || !isWhole else {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        if isWhole { return try? JSONDefaults.lenientDecoder.decode(String.self, from: Data(literal)) }
        // An escape at the end may be cut off.
        for count in 0...6 {
            let closed = Data(literal.dropLast(count)) + [UInt8(ascii: "\"")]
            if let text = try? JSONDefaults.lenientDecoder.decode(String.self, from: closed) { return text }
        }
        return nil
    }

    /// Replaces the scalars of a value, which ends where its containers are closed.
    private mutating func removeValue() {
        var isKey = false
        var objects: [Bool] = []
        repeat {
            guard place < bytes.count else { return }
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                objects.append(bytes[place] == UInt8(ascii: "{"))
                isKey = objects.last ?? false
                copy(1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard objects.popLast() != nil else { return }
                isKey = false
                copy(1)
            case UInt8(ascii: "\""):
                let start = place
                let isWhole = skipString()
                if isKey {
                    kept += bytes[start..<place]
                } else {
                    values += [Self.text(bytes[start..<place], isWhole: isWhole)].compactMap { $0 }
                    kept += Array("\"\(Redaction.mark)\"".utf8)
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = place
                skipWord()
                values.append(String(decoding: bytes[start..<place], as: UTF8.self))
                kept.append(UInt8(ascii: "0"))
            case UInt8(ascii: ","):
                isKey = objects.last ?? false
                copy(1)
            case UInt8(ascii: ":"):
                isKey = false
                copy(1)
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                // true, false and null reveal nothing that the type does not.
                let start = place
                skipWord()
                kept += bytes[start..<place]
            default: copy(1)
            }
        } while !objects.isEmpty
    }

    /// Copies the name of a query item, and a mark in place of its value, if a secret one begins here.
    private mutating func copyItem() {
        let rest = bytes[place...]
        guard let equals = rest.firstIndex(where: { !Self.isName($0) }), bytes[equals] == UInt8(ascii: "=") else {
            return
        }
        let start = equals + 1
        let end = bytes[start...].firstIndex(where: Self.endsItem) ?? bytes.count
        let name = String(decoding: bytes[place..<equals], as: UTF8.self)
        let value = String(decoding: bytes[start..<end], as: UTF8.self)
        let decoded = PercentEncoding.decode(value) ?? value
        let isSecret = names.contains(PercentEncoding.decode(name) ?? name, of: decoded)
        guard isSecret, !value.isEmpty, decoded != Redaction.mark else { return }
        values.append(decoded)
        copy(start - place)
        kept += Array(Redaction.mark.utf8)
        place = end
    }

    /// Copies the user of a URL, with its password, as a mark, unless it is a name alone, as in `ssh://git@host`.
    private mutating func copyUserInformation() {
        let end = bytes[place...].firstIndex { Self.endsItem($0) || "/?".utf8.contains($0) } ?? bytes.count
        guard let at = bytes[place..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        let parts = String(decoding: bytes[place..<at], as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard let last = parts.last, parts.count == 2 || SecretNameSet.isToken(String(last)) else { return }
        values.append(PercentEncoding.decode(last) ?? String(last))
        kept += Array(Redaction.mark.utf8)
        place = at
    }

    /// Copies a number, unless it is a secret value.
    private mutating func copyNumber() {
        let start = place
        repeat { place += 1 } while place < bytes.count && Self.continuesNumber(bytes[place])
        let word = bytes[start..<place]
        if !numbers.isEmpty {
            let text = String(decoding: word, as: UTF8.self)
            if numbers.contains(where: { text.contains($0) }) {
                kept.append(UInt8(ascii: "0"))
                return
            }
        }
        kept += word
    }

    /// Skips a string, or the rest of its line if it is not closed.
    ///
    /// - Returns: whether it is closed.
    private mutating func skipString() -> Bool {
        place += 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return true
            case 0x0A, 0x0D: return false
            case UInt8(ascii: "\\"): place = min(place + 2, bytes.count)
            default: place += 1
            }
        }
        return false
    }

    private mutating func skipWord() {
        repeat { place += 1 } while place < bytes.count && !Self.ends(bytes[place])
    }

    private mutating func skipSpace() {
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func isWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "_")
    }

    /// Whether a byte may be in the name of a query item.
    private static func isName(_ byte: UInt8) -> Bool { isWord(byte) || "-.~%[]".utf8.contains(byte) }

    /// Whether a byte ends a query item, of a URL that a text contains.
    private static func endsItem(_ byte: UInt8) -> Bool { byte <= 0x20 || "&#;\"'<>()\\`,".utf8.contains(byte) }

    private static func continuesNumber(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || "+-.eE".utf8.contains(byte) }

    /// Whether a byte may stand right after a string of JSON.
    private static func follows(_ byte: UInt8) -> Bool { ",]}:".utf8.contains(byte) || isSpace(byte) }

    /// Whether a byte ends a number or a word.
    private static func ends(_ byte: UInt8) -> Bool { byte <= 0x20 || ",]}:\"[{".utf8.contains(byte) }
}
